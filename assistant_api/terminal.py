"""What the commands show to people: tables with Chinese terms and English, colour only on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from assistant_api.languages import Language, strings
from assistant_api.schemas import RulesetOut
from assistant_api.services.assemble import SURE
from assistant_api.services.records import SettlementRecord, how, provided
from assistant_api.services.score import Scored
from engine.notation import HandLine, format_hand, format_meld, format_tiles
from engine.seats import SEATS
from engine.verdicts import CannotKnow, Refusal
from vision.photo import PhotoReading

_PLAIN_WIDTH = 120

console = Console(highlight=False, emoji=False, soft_wrap=True, width=None if sys.stdout.isatty() else _PLAIN_WIDTH)
errors = Console(stderr=True, highlight=False, emoji=False, soft_wrap=True)


def _both(key: str) -> str:
    """A term in Chinese and English: English strings hold the Chinese one, or it is put in front."""
    zh, en = strings(Language.ZH_HANS)[key], strings(Language.EN)[key]
    return en if zh in en else f"{zh} {en}"


def _rows(rows: Iterable[tuple[str, str | Text]]) -> Padding:
    table = Table.grid(padding=(0, 3))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in rows:
        if value:
            table.add_row(name, value)
    return Padding(table, (0, 0, 0, 2))


def _hand_rows(line: HandLine) -> list[tuple[str, str | Text]]:
    winning = "" if line.winning_tile is None else f"  + {line.winning_tile.code}"
    gold = "" if line.gold is None else f"{line.gold.code}  {line.gold.zh}"
    return [
        ("手牌 Hand", f"{format_tiles(line.concealed)}{winning}"),
        ("吃碰杠 Melds", "  ".join(format_meld(meld) for meld in line.melds)),
        ("花 Flowers", format_tiles(line.flowers)),
        ("金 Gold", gold),
    ]


def show_score(scored: Scored, name: str) -> None:
    """A settled hand, a refused one, or the questions that are left."""
    console.print(Text.assemble((name, "bold"), f"   {scored.ruleset.zh} {scored.ruleset.en}"))
    if scored.reading is not None and not scored.reading.tiles:
        # "Too few tiles" and an empty line to correct would only puzzle somebody who sent the wrong photo.
        console.print("  没有认出牌，靠近些再拍 No tile found in the photo; get closer and take it again")
        return
    console.print(_rows(_hand_rows(scored.line)))
    for text in scored.check_texts:
        console.print(f"  [yellow]![/] {text}")
    console.print()
    verdict, kept = scored.answer.verdict, scored.answer.settlement
    if kept is not None:
        _show_settlement(kept)
    elif isinstance(verdict, Refusal):
        console.print(f"  [bold red]不能胡 not a win[/]  {verdict.zh} · {verdict.en} [dim]({verdict.reason})[/]")
        for language in (Language.ZH_HANS, Language.EN):
            console.print(f"    [dim]{strings(language)[f'remedy.{verdict.reason}']}[/]")
        if scored.reading is not None:
            console.print("    [dim]照片认错了可以改这一行再算 correct a misread tile in this line and score it:[/]")
            console.print(f"    jinque score '{format_hand(scored.line)}'", markup=False)
    elif isinstance(verdict, CannotKnow):
        console.print("  [bold yellow]还不知道 cannot tell yet[/]")
        for asked in scored.questions():
            console.print(f"    {asked['zh']} {asked['en']}  [bold]{asked['option']}[/]")
    _show_assumed(scored)


def _show_settlement(kept: SettlementRecord) -> None:
    winner = _both(f"seat.{kept.winner}")
    ways = " · ".join(dict.fromkeys((how(kept, Language.ZH_HANS), how(kept, Language.EN))))
    console.print(f"  [bold green]胡 {winner} wins[/]  {ways}")
    for kind in () if kept.fans else kept.kinds:  # the lines below name the rows of a fan table
        note = f"+{kind.points}" if kind.counts else "不另计 not counted"
        console.print(f"    [green]{kind.zh}[/] {kind.en}  [dim]{note}[/]")
    console.print()
    lines = Table.grid(padding=(0, 3))
    lines.add_column(overflow="fold")
    lines.add_column(overflow="fold", style="dim")
    lines.add_column(justify="right", no_wrap=True)
    for line in kept.lines:
        style = "bold" if line.code == "per_payer" else ""
        lines.add_row(Text(line.zh, style), line.en, Text(str(line.points), style))
    console.print(Padding(lines, (0, 0, 1, 4)))
    roles = [f"{kept.gold} → {role or '不限 anything'}" for role in kept.gold_roles]
    if roles:
        console.print(f"    金 gold  {'   '.join(roles)}")
        console.print()
    _show_deltas(kept)
    console.print(
        f"    [dim]下一盘 next hand: {_both(f'seat.{kept.next_dealer}')} 坐庄 deals, 连庄 streak {kept.next_streak}[/]"
    )
    if kept.unverified:
        zh, en = (provided(kept, language) for language in (Language.ZH_HANS, Language.EN))
        console.print(f"    [dim]{zh} · {en}[/]")


def _show_deltas(kept: SettlementRecord) -> None:
    table = Table(box=None, padding=(0, 4, 0, 0), show_edge=False)
    for seat in SEATS:
        dealer = " 庄" if seat.code == kept.dealer else ""
        table.add_column(f"{_both(f'seat.{seat.code}')}{dealer}", justify="right", header_style="dim", no_wrap=True)
    table.add_row(*(_signed(points) for points in kept.deltas))
    console.print(Padding(table, (0, 0, 1, 4)))


def _signed(points: int) -> Text:
    style = "bold green" if points > 0 else "bold red" if points < 0 else "dim"
    return Text(f"{points:+d}" if points else "0", style)


def _show_assumed(scored: Scored) -> None:
    if scored.open_kongs:
        taken = "四张明放的按明杠算 four open tiles taken as an exposed kong"
        console.print(f"    [dim]{taken}[/]  --kong open, added or concealed")
    if scored.assumed:
        texts = ", ".join(f"{one.fact} {one.value} ({one.option})" for one in scored.assumed)
        console.print(f"    [dim]没有说明，暂按 assumed: {texts}[/]")


def show_reading(reading: PhotoReading, file: str) -> None:
    """What was read in one photo."""
    size = f"{reading.width} × {reading.height}"
    console.print(Text.assemble((file, "bold"), f"   {size}   {len(reading.tiles)} 张 tiles   {reading.seconds:.2f} s"))
    layout = reading.layout

    def words(indices: Iterable[int]) -> Text:
        text = Text()
        for index in indices:
            tile = reading.tiles[index]
            doubtful = tile.is_unknown or tile.confidence < SURE
            text.append(tile.code, "bold yellow" if doubtful else "")
            text.append(" ")
        return text

    rows: list[tuple[str, str | Text]] = [
        ("手牌 Hand", words(layout.hand)),
        ("胡 Winning tile", words(() if layout.winning is None else (layout.winning,))),
        *(("吃碰杠 Meld", words(meld)) for meld in layout.melds),
        ("花 Flowers", words(layout.flowers)),
        ("金 Gold", words(() if layout.gold is None else (layout.gold,))),
        ("其他 Other", words(layout.strays)),
    ]
    console.print(_rows(rows))
    for index, tile in enumerate(reading.tiles):
        if tile.is_unknown or (tile.confidence < SURE and not tile.face_down):
            others = ", ".join(f"{other.code} {chance:.0%}" for other, chance in tile.alternatives)
            console.print(f"  [yellow]?[/] {index + 1}: {tile.code} {tile.confidence:.0%}  [dim]{others}[/]")
    for problem in reading.problems:
        console.print(f"  [yellow]![/] {problem.message}")


def show_case(answer: Mapping[str, Any]) -> None:
    """One judged case on one line."""
    agreed = answer.get("as_expected")
    mark = {True: "[green]✓[/]", False: "[red]✗[/]", None: "·"}[agreed]
    if "error" in answer:
        console.print(f"{mark} {answer['id']}  [red]{answer['error']['message']}[/]")
        return
    shown = (
        *("legal", "reason", "missing", "win_types", "total", "holds", "winner_gain", "per_payer", "deltas"),
        *("next_dealer", "next_streak"),
    )
    rest = {key: answer[key] for key in shown if answer.get(key) not in (None, [])}
    console.print(f"{mark} {answer['id']}  " + "  ".join(f"[dim]{key}[/] {value}" for key, value in rest.items()))


def show_ruleset(ruleset: RulesetOut) -> None:
    """A ruleset with all its options."""
    console.print(Text.assemble((ruleset.name, "bold"), f"   {ruleset.title}"))
    console.print(f"  [dim]{ruleset.source} · {ruleset.completeness}[/]\n")
    table = Table(box=None, padding=(0, 2, 0, 0))
    for title in ("option", "value", "choices", "meaning", "source"):
        table.add_column(title, overflow="fold", header_style="dim")
    for option in ruleset.options:
        choices = "" if len(option.choices) > 6 else ", ".join(option.choices)
        table.add_row(option.name, _value(option.value), choices, option.text, option.source)
    console.print(table, soft_wrap=False)
    if ruleset.fans:
        console.print()
        _show_fans(ruleset)


def _show_fans(ruleset: RulesetOut) -> None:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for title in ("points", "番", "fan", "not counted 不计", "source"):
        table.add_column(title, overflow="fold", header_style="dim")
    for fan in ruleset.fans:
        names = "／".join((fan.zh, *fan.aliases))
        table.add_row(str(fan.points), names, fan.en, " ".join(fan.excludes), fan.source)
    console.print(table, soft_wrap=False)


def _value(value: object) -> str:
    if isinstance(value, dict):
        return "\n".join(f"{key}={number}" for key, number in value.items())
    return ",".join(value) if isinstance(value, list) else str(value).lower() if isinstance(value, bool) else str(value)


_WORDS = ("completeness",)
"""Columns of running text; they may take several lines."""


def show_table(title: str, rows: Iterable[tuple[object, ...]], headers: tuple[str, ...]) -> None:
    """A plain table with numbers to the right."""
    table = Table(title=title or None, box=None, padding=(0, 3, 0, 0), title_justify="left", title_style="bold")
    for place, header in enumerate(headers):
        words = header in _WORDS
        table.add_column(
            header, justify="left" if words or not place else "right", header_style="dim", no_wrap=not words
        )
    for row in rows:
        table.add_row(*(str(cell) for cell in row))
    console.print(table)


def fail(message: str) -> None:
    """One line on stderr."""
    errors.print(Text.assemble(("jinque: ", "bold red"), message))


def show_bench_vision(figures: Mapping[str, Any]) -> None:
    """Medians of reading photos and frames, step by step, and of the networks alone."""

    def milliseconds(seconds: float) -> str:
        return f"{1000 * seconds:.0f}"

    rows = [
        (
            one["name"],
            f"{one['width']} x {one['height']}",
            one["tiles"],
            milliseconds(one["seconds"]),
            milliseconds(one["cpu_seconds"]),
        )
        for one in figures["readings"]
    ]
    title = f"median of {figures['runs']} runs, {figures['threads']} threads"
    show_table(title, rows, ("reading", "pixels", "tiles", "ms", "ms of processor"))
    for one in figures["readings"]:
        steps = "  ".join(f"{step} {milliseconds(seconds)}" for step, seconds in one["stages"].items())
        console.print(f"[dim]{one['name']}: {steps}[/]")
    networks = [
        (one["name"], one["run_time"], milliseconds(one["seconds"]), milliseconds(one["cpu_seconds"]))
        for one in figures["run_times"]
    ]
    show_table("\nnetworks alone", networks, ("network", "run time", "ms", "ms of processor"))
    if figures["peer"] is not None:
        compared = [
            (
                one["name"],
                one["photos"],
                one["tiles"],
                one["found"],
                one["right"],
                f"{one['right_share']:.1%}",
                one["all_right_photos"],
                milliseconds(one["seconds"]),
                milliseconds(one["cpu_seconds"]),
            )
            for one in figures["peer"]["results"]
        ]
        title = "\ntest photos, flowers left out for both: " + ", ".join(figures["peer"]["sets"])
        show_table(title, compared, ("", "photos", "tiles", "found", "right", "", "all right", "ms", "ms of processor"))
    for line in figures["left_out"]:
        console.print(f"[dim]{line}[/]")


def show_config(report: Mapping[str, Any]) -> None:
    """Settings and checks."""
    rows = [(one["name"], one["value"], "" if one["default"] else "set", one["meaning"]) for one in report["settings"]]
    table = Table(box=None, padding=(0, 3, 0, 0))
    for header in ("setting", "value", "", "meaning"):
        table.add_column(header, header_style="dim", overflow="fold")
    for row in rows:
        table.add_row(*(str(cell) for cell in row))
    console.print(table)
    console.print()
    for found in report["checks"]:
        mark = "[green]✓[/]" if found["ok"] else "[red]✗[/]"
        console.print(f"{mark} {found['name']}: {found['message']}")
