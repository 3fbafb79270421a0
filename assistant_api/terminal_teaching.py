"""What `waits` and `advise` show to people: Chinese terms with English beside them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.table import Table
from rich.text import Text

from assistant_api.terminal import console
from engine.notes import NoteKind
from engine.tiles import Tile

Document = Mapping[str, Any]


def show_waits(found: Document) -> None:
    """A win first; then what a hand waits on, or what would bring it nearer."""
    _heading(found)
    if found["waits"]:
        console.print(
            f"\n听 {found['kinds']} 种 {found['left']} 张   waits on {found['kinds']} kinds, {found['left']} left"
        )
        table = _table("", "", "left", "self-draw 自摸", "off a discard 点炮")
        for wait in found["waits"]:
            note = "" if wait["completes"] else "  [dim]不成牌，只凭三金倒 by three golds alone[/]"
            row = (_named(wait["tile"]), str(wait["left"]), _answer(wait["self_draw"]), _answer(wait["discard"]) + note)
            table.add_row(wait["tile"], *row)
        console.print(table)
    if found["distance"] > 0 and found["useful"]:
        left = sum(one["left"] for one in found["useful"])
        console.print(f"\n进张 {left} 张   useful tiles, {left} left:  {_tiles(found['useful'])}")
    if found["win"] is None or not found["win"]["legal"]:
        for one in found["discards"]:
            console.print(
                f"  打 {one['discard']}  听 {_tiles(one['waits'])}   throw {one['discard']}, {one['left']} left"
            )


def show_advice(found: Document) -> None:
    """A win first; then each discard with what it leaves."""
    _heading(found)
    console.print()
    table = _table("打 throw", "", "向听 steps", "进张 left", "useful", "facts 事实")
    for one in found["discards"]:
        facts = [reason for reason in one["reasons"] if reason["code"] != NoteKind.READY]  # the columns say it
        reasons = "\n".join(f"{fact['zh']}  [dim]{fact['en']}[/]" for fact in facts)
        steps = "听 ready" if one["distance"] == 0 else str(one["distance"])
        useful = Text(" ".join(f"{kind['tile']}×{kind['left']}" for kind in one["useful"]))
        table.add_row(one["discard"], _named(one["discard"]), steps, str(one["left"]), useful, reasons)
    console.print(table)
    for kong in found["kongs"]:
        console.print(f"  可杠 {kong['tile']}  kong possible: {kong['distance']} steps from ready after it")


def show_questions(found: Document) -> None:
    """What a photo cannot tell, what was taken instead, and the option that answers; nothing for a line of notation."""
    for text in found.get("problems", ()):
        console.print(f"  [yellow]![/] {text}")
    if found.get("questions"):
        console.print("\n[dim]照片看不出，先这样算 what the photo cannot tell, and what was taken instead[/]")
    for asked in found.get("questions", ()):
        taken = f"  [dim]{asked['assumed']}[/]" if asked["assumed"] else ""
        console.print(f"  {asked['zh']} {asked['en']}{taken}  [bold]{asked['option']}[/]")


def show_unclear(found: Document, command: str) -> None:
    """Why the hand of a photo cannot be thought about, and the line to set right."""
    for text in found["problems"]:
        console.print(f"  [yellow]![/] {text}")
    console.print(f"[bold yellow]还看不清 not clear yet[/]  {found['message']}")
    if found["reading"]["tiles"]:
        console.print("  [dim]改好这一行再问 set this line right and ask again:[/]")
        console.print(f"  jinque {command} '{found['line']}'", markup=False)


def _heading(found: Document) -> None:
    gold = "?" if found["gold"] is None else f"{found['gold']} {_named(found['gold'])}"
    melds = f"   吃碰杠 melds {found['melds']}" if found["melds"] else ""
    wild = (f"{melds}   金 gold ", "dim"), gold
    console.print(Text.assemble(("手牌 Hand  ", "dim"), found["hand"], *(wild if found["has_gold"] else (melds,))))
    win = found["win"]
    if win is not None and win["legal"] is not False:
        console.print(f"[bold green]胡了 Win[/]  {_answer(win)}")
    elif found["distance"] == 0:
        console.print("[bold]听牌 Ready[/]" if win is None else "[bold]可听 Ready after a discard[/]")
    elif found["distance"] > 0:
        steps = found["distance"]
        console.print(f"[bold]{steps} 向听[/]  {steps} step{'' if steps == 1 else 's'} from ready")


def _answer(verdict: Document) -> str:
    if verdict["legal"] is None:
        return "[dim]? 金未知 the gold is unknown[/]" if "gold" in verdict["missing"] else "[dim]?[/]"
    if not verdict["legal"]:
        return f"[red]✗[/] {verdict['zh']}  [dim]{verdict['en']}[/]"
    kinds = " ".join(verdict["names"]) or "平常胡"
    return f"[green]✓[/] {kinds}  {verdict['per_payer']}"


def _named(code: str) -> str:
    return Tile.parse(code).zh


def _tiles(waits: list[dict[str, Any]]) -> str:
    return " ".join(f"{one['tile']}×{one['left']}" for one in waits)


def _table(*headers: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for header in headers:
        table.add_column(header, header_style="dim", overflow="fold")
    return table
