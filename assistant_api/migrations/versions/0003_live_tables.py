"""Live tables: hands that are followed, their events, and what the camera saw of them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "live_hand",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("game_id", sa.String(), sa.ForeignKey("game.id", ondelete="CASCADE"), nullable=False),
        sa.Column("began_at", _TIME, nullable=False),
        sa.Column("ended_at", _TIME),
        sa.Column("near", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("next_key", sa.Integer(), nullable=False),
        sa.Column("corners", sa.JSON()),
        sa.CheckConstraint("near BETWEEN 0 AND 3", name="near_exists"),
    )
    op.create_index("ix_live_hand_game_id", "live_hand", ["game_id"])
    op.create_table(
        "live_event",
        _of_hand(primary_key=True),
        sa.Column("key", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        *(sa.Column(name, sa.String(), nullable=False) for name in ("text", "by", "role", "state")),
        *(sa.Column(name, sa.Float(), nullable=False) for name in ("confidence", "time_s")),
        sa.Column("frame", sa.Integer(), nullable=False),
        sa.Column("at", _TIME, nullable=False),
        *(sa.Column(name, sa.JSON(), nullable=False) for name in ("tiles", "alternatives")),
        sa.CheckConstraint("state IN ('confirmed', 'proposed', 'asked')", name="state_known"),
    )
    op.create_table(
        "live_crop",
        sa.Column("id", sa.String(), primary_key=True),
        _of_hand(),
        sa.Column("key", sa.Integer(), nullable=False),
        sa.Column("jpeg", sa.LargeBinary(), nullable=False),
    )
    op.create_index("ix_live_crop_hand_id", "live_crop", ["hand_id"])


def _of_hand(*, primary_key: bool = False) -> sa.Column[int]:
    return sa.Column(
        "hand_id",
        sa.Integer(),
        sa.ForeignKey("live_hand.id", ondelete="CASCADE"),
        primary_key=primary_key,
        nullable=False,
    )
