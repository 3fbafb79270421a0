"""The evening to take away: one report for JSON and for printing, and a table of points as CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from urllib.parse import quote

from assistant_api import repository
from assistant_api.game_schemas import GameOut, Payment, Report
from assistant_api.languages import Language, translate
from assistant_api.services.ledger import access, views
from assistant_api.services.ledger.book import Book, Call
from assistant_api.storage import transaction

_LONGEST_HISTORY = 10_000
_UNFIT = re.compile(r'[\\/:*?"<>|.\s]+')
"""What a file's name cannot hold on some system, or what would hide it."""
_FORMULA = tuple("=+-@＝＋－＠\t\r")


def report(book: Book, call: Call, code: str) -> Report:
    """The whole evening: every entry with its formula, the history, and who pays whom at the end."""
    with transaction(book.database) as session:
        game, caller = access.open_game(session, code, call.token)
        rows = repository.entries_from(session, game.id)
        changes = repository.list_changes(session, game.id, limit=_LONGEST_HISTORY, before=None)
        totals = repository.totals(session, game.id)
        return Report(
            game=views.game_out(session, game, caller, call.language),
            entries=views.entries_detail(session, game, rows, call.language),
            history=[views.history_item(game, row, call.language) for row in reversed(changes)],
            payments=payments(
                views.seats_of(game, call.language), [*totals.points, totals.kitty], game.stake_per_point_cents
            ),
        )


def payments(names: list[str], totals: list[int], stake_cents: int) -> list[Payment]:
    """Who pays whom so that everybody is even, largest amounts first: at most one payment fewer than there are parties.

    Args:
        names: of the four players.
        totals: points of the four, then those that went to nobody.
        stake_cents: money for a point.
    """
    names_or_nobody: list[str | None] = [*names, None]
    left = dict(enumerate(totals))
    out = []
    while any(left.values()):
        payer, taker = min(left, key=lambda one: left[one]), max(left, key=lambda one: left[one])
        points = min(-left[payer], left[taker])
        left[payer] += points
        left[taker] -= points
        out.append(
            Payment.model_validate(
                {
                    "from": names_or_nobody[payer],
                    "to": names_or_nobody[taker],
                    "points": points,
                    "amount_cents": points * stake_cents,
                }
            )
        )
    return out


def file_name(game: GameOut, ending: str) -> str:
    """What a saved game is called, by its title and the day it began: ``jinque-周五-2026-11-30.csv``."""
    title = _UNFIT.sub(" ", game.title).split()
    day = game.created_at.astimezone().date().isoformat()
    return "-".join(["jinque", *(["_".join(title)] if title else []), day]) + f".{ending}"


def attachment(name: str) -> str:
    """``Content-Disposition`` for a file of this name, with one in ASCII for old readers (RFC 6266)."""
    plain = re.sub("[-_]+-", "-", "".join(char for char in name if char.isascii()))
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name)}"


def table(evening: Report, language: Language) -> str:
    """A row for each entry: deltas and running totals of each player, in money too where a point has a price.

    Times are those of the server's zone, which the column says. Begins with a mark that says it is UTF-8.
    """

    def head(name: str, **values: object) -> str:
        return translate(language, f"ledger.column.{name}", **values)

    names = [
        player.name or translate(language, f"seat.{seat}")
        for player, seat in zip(evening.game.players, "ESWN", strict=True)
    ]
    stake = evening.game.stake_per_point_cents
    out = io.StringIO()
    writer = csv.writer(out)
    columns = [
        *(head(name) for name in ("entry", "hand")),
        head("when", zone=_offset(evening.game.created_at)),
        *(head(name) for name in ("kind", "dealer", "streak")),
        *names,
        head("kitty"),
        *(head("total", who=name) for name in names),
        *(head("money", who=name) for name in names if stake),
        head("note"),
        head("rules"),
    ]
    writer.writerow(_safe(columns))
    for number, entry in enumerate(evening.entries, 1):
        cells = [
            number,
            entry.hand,
            entry.created_at.astimezone().isoformat(timespec="seconds"),
            entry.text,
            translate(language, f"seat.{entry.dealer}") if entry.dealer else None,
            entry.streak,
            *entry.deltas,
            entry.kitty,
            *entry.totals,
            *(Decimal(total * stake).scaleb(-2) for total in entry.totals if stake),
            entry.note,
            entry.ruleset,
        ]
        writer.writerow(_safe(cells))
    return "\ufeff" + out.getvalue()


def _offset(moment: datetime) -> str:
    """How far the server's zone is from UTC, such as ``+08:00``."""
    return moment.astimezone().isoformat()[-6:]


def _safe(cells: Sequence[object]) -> list[object]:
    """Texts that a spreadsheet would take for a formula get an apostrophe; numbers stay numbers."""
    return [f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell for cell in cells]
