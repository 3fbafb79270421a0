"""Games with their entries and history; the hands saved before go into one game."""

from __future__ import annotations

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

EARLIER_HANDS = "earlier-hands"
_TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the tables, then move the hands."""
    game = _make_games()
    entry = _make_entries()
    _make_history()
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column("photo", "created_at", type_=_TIME, postgresql_using="created_at AT TIME ZONE 'UTC'")
    op.execute(game.insert().values(**_earlier_hands()))
    _move_hands(entry)
    op.drop_table("hand")


def _make_games() -> sa.Table:
    game = op.create_table(
        "game",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("share_code", sa.String(), nullable=False, unique=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", _TIME, nullable=False),
        sa.Column("finished_at", _TIME),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("players", sa.JSON(), nullable=False),
        sa.Column("starting_points", sa.JSON(), nullable=False),
        sa.Column("stake_per_point_cents", sa.Integer(), nullable=False),
        sa.Column("ruleset", sa.String(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("first_dealer", sa.Integer()),
        sa.Column("photo_retention", sa.String(), nullable=False),
        sa.Column("photo_days", sa.Integer()),
        sa.CheckConstraint("photo_retention IN ('none', 'until_finished', 'days')", name="photo_retention_known"),
        sa.CheckConstraint("photo_days IS NULL OR photo_days > 0", name="photo_days_positive"),
    )
    op.create_index("ix_game_created_at", "game", ["created_at"])
    op.create_table(
        "member",
        sa.Column("id", sa.Integer(), primary_key=True),
        _of_game(),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("token_hash", sa.String(), nullable=False, unique=True),
        sa.Column("joined_at", _TIME, nullable=False),
    )
    op.create_index("ix_member_game_id", "member", ["game_id"])
    return game


def _make_entries() -> sa.Table:
    entry = op.create_table(
        "entry",
        sa.Column("id", sa.Integer(), primary_key=True),
        _of_game(),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", _TIME, nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("removed", sa.Boolean(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("ruleset", sa.String(), nullable=False),
        *(sa.Column(name, sa.JSON(), nullable=False) for name in ("options", "content", "result")),
        sa.Column("photo_id", sa.String(), sa.ForeignKey("photo.id", ondelete="SET NULL")),
        *(
            sa.Column(name, sa.Integer())
            for name in ("hand", "dealer", "streak", "next_hand", "next_dealer", "next_streak")
        ),
        *(
            sa.Column(f"{taker}_points", sa.BigInteger(), nullable=False)
            for taker in ("east", "south", "west", "north", "kitty")
        ),
        sa.CheckConstraint(
            "east_points + south_points + west_points + north_points + kitty_points = 0", name="points_sum_to_zero"
        ),
        sa.CheckConstraint("dealer BETWEEN 0 AND 3 AND next_dealer BETWEEN 0 AND 3", name="seats_exist"),
    )
    op.create_index("ix_entry_game_id", "entry", ["game_id"])
    op.create_index("ix_entry_photo_id", "entry", ["photo_id"])
    op.create_index("ix_entry_order", "entry", ["game_id", "position"])
    return entry


def _make_history() -> None:
    op.create_table(
        "change",
        _of_game(primary_key=True),
        sa.Column("version", sa.Integer(), primary_key=True),
        sa.Column("at", _TIME, nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("entry_id", sa.Integer()),
        sa.Column("before", sa.JSON()),
        sa.Column("after", sa.JSON()),
        sa.Column("state", sa.String(), nullable=False),
    )
    op.create_index("ix_change_entry_id", "change", ["entry_id"])
    op.create_table(
        "receipt",
        sa.Column("scope", sa.String(), primary_key=True),
        sa.Column("key", sa.String(), primary_key=True),
        sa.Column("at", _TIME, nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("body", sa.JSON()),
    )
    op.create_index("ix_receipt_at", "receipt", ["at"])


def _of_game(*, primary_key: bool = False) -> sa.Column[str]:
    return sa.Column(
        "game_id",
        sa.String(),
        sa.ForeignKey("game.id", ondelete="CASCADE"),
        primary_key=primary_key,
        nullable=False,
    )


def _earlier_hands() -> dict[str, object]:
    return {
        "id": EARLIER_HANDS,
        "share_code": EARLIER_HANDS,
        "version": 1,
        "created_at": datetime.now(UTC),
        "title": "",
        "players": ["", "", "", ""],
        "starting_points": [0, 0, 0, 0],
        "stake_per_point_cents": 0,
        "ruleset": "fuzhou",
        "options": {},
        "photo_retention": "until_finished",
    }


def _move_hands(entry: sa.Table) -> None:
    """Each hand becomes an entry with its number, its deal as it was said, its rules and its points."""
    connection = op.get_bind()
    hand = sa.Table("hand", sa.MetaData(), autoload_with=connection)
    json = ("options", "tiles", "facts", "result")
    columns = [
        sa.type_coerce(column, sa.JSON()).label(column.name) if column.name in json else column for column in hand.c
    ]
    for place, row in enumerate(connection.execute(sa.select(*columns).order_by(hand.c.id)).mappings().all(), 1):
        result = row["result"]
        connection.execute(
            entry.insert().values(
                id=row["id"],
                game_id=EARLIER_HANDS,
                position=place,
                version=1,
                created_at=row["created_at"].replace(tzinfo=UTC),
                role="anyone",
                removed=False,
                kind="win",
                ruleset=row["ruleset"],
                options=row["options"],
                content={"kind": "win", "tiles": row["tiles"], "facts": row["facts"]},
                result={"wins": [result]},
                photo_id=row["photo_id"],
                dealer=row["dealer"],
                streak=row["streak"],
                next_dealer="ESWN".find(result.get("next_dealer") or "?") if result.get("next_dealer") else None,
                next_streak=result.get("next_streak"),
                east_points=row["delta_east"],
                south_points=row["delta_south"],
                west_points=row["delta_west"],
                north_points=row["delta_north"],
                kitty_points=0,
            )
        )
    if connection.dialect.name == "postgresql":
        connection.execute(
            sa.text(
                "SELECT setval(pg_get_serial_sequence('entry', 'id'),"
                " (SELECT COALESCE(MAX(id), 0) + 1 FROM entry), false)"
            )
        )
