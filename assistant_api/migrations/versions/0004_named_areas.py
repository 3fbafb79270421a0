"""Parts of a live table that a person named."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """A list for each hand."""
    op.add_column("live_hand", sa.Column("areas", sa.JSON(), nullable=False, server_default="[]"))
