"""Photos, and a flat list of saved hands."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """The tables as they were before there were games."""
    op.create_table(
        "photo",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("jpeg", sa.LargeBinary(), nullable=False),
        sa.Column("reading", sa.JSON(), nullable=False),
    )
    op.create_index("ix_photo_created_at", "photo", ["created_at"])
    op.create_table(
        "hand",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("photo_id", sa.String(), sa.ForeignKey("photo.id", ondelete="SET NULL")),
        sa.Column("idempotency_key", sa.String(), unique=True),
        sa.Column("ruleset", sa.String(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("tiles", sa.JSON(), nullable=False),
        sa.Column("facts", sa.JSON(), nullable=False),
        sa.Column("result", sa.JSON(), nullable=False),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in ("winner", "dealer", "streak")),
        *(sa.Column(f"delta_{seat}", sa.Integer(), nullable=False) for seat in ("east", "south", "west", "north")),
        sa.CheckConstraint("delta_east + delta_south + delta_west + delta_north = 0", name="deltas_sum_to_zero"),
        sa.CheckConstraint("winner BETWEEN 0 AND 3 AND dealer BETWEEN 0 AND 3", name="seats_exist"),
    )
    op.create_index("ix_hand_photo_id", "hand", ["photo_id"])
