"""Drills: every hand is legal, the indicator included, and every answer is the engine's, found another way."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from assistant_api.languages import Language, strings
from assistant_api.services.score import Given, score_line
from engine.audit import audit
from engine.checks import indicator_of
from engine.context import TableFacts, WinSource
from engine.drills import Drill, DrillKind, make_drill
from engine.errors import HandError
from engine.eventlog import format_log, parse_log
from engine.events import Deal, WinClaim
from engine.notation import format_hand, parse_hand
from engine.rulesets import get_ruleset
from engine.seats import Seat
from engine.tiles import Tile
from engine.verdicts import Win
from engine.violations import ViolationKind
from engine.win import judge_win
from tests.support.commands import run

RULES = get_ruleset("fuzhou")
DEAL = Deal(Seat.EAST)


def drills(kind: DrillKind, count: int = 12) -> list[Drill]:
    """So many drills, each from a seed of its own."""
    return [make_drill(kind, Random(seed), DEAL) for seed in range(count)]


def copies(drill: Drill) -> Counter[Tile]:
    """Every tile of a drill's hand, the winning one and the indicator among them."""
    hand = drill.hand
    assert hand.gold is not None
    melds = [face for meld in hand.melds for face in meld.tiles]
    tiles = [*hand.concealed, hand.winning_tile, *melds, *hand.flowers, indicator_of(hand.gold, RULES)]
    return Counter(tile for tile in tiles if isinstance(tile, Tile))


@pytest.mark.parametrize("kind", DrillKind)
def test_every_hand_is_legal_and_can_be_written_down(kind: DrillKind) -> None:
    """Field report 76: no five of a kind, indicator included; the line holds the whole hand; seeds repeat."""
    made = drills(kind)
    for drill in made:
        assert all(count <= tile.copies for tile, count in copies(drill).items()), drill
        assert parse_hand(format_hand(drill.hand)) == drill.hand
        assert drill.lines
        assert drill.is_right(drill.answer_text)
    assert made[0] == make_drill(kind, Random(0), DEAL)
    assert len({drill.hand for drill in made}) == len(made)


def test_waits_are_what_wins() -> None:
    """Each kind in turn, by the judge of wins; the gold may be named or left out; anything else is wrong."""
    facts = TableFacts(gold_discarded=False, passed_kinds=frozenset(), dead_hand=False)
    for drill in drills(DrillKind.WAITS):
        assert isinstance(drill.answer, frozenset)
        wins = set()
        for tile in Tile:
            declared = replace(drill.hand.context(facts), winning_tile=tile, source=WinSource.SELF_DRAW)
            if copies(drill)[tile] < tile.copies and isinstance(judge_win(declared, RULES), Win):
                wins.add(tile)
        left = {tile for tile in drill.answer if copies(drill)[tile] < tile.copies}
        assert wins - {drill.hand.gold} == left, drill
        assert drill.is_right(f"{drill.answer_text} {drill.hand.gold.code}")  # type: ignore[union-attr]
        other = next(tile for tile in Tile if tile not in drill.answer and tile is not drill.hand.gold)
        assert not drill.is_right(f"{drill.answer_text} {other.code}")


@pytest.mark.parametrize("kind", [DrillKind.SCORE, DrillKind.FLOWERS])
def test_counts_are_those_of_the_settlement(kind: DrillKind) -> None:
    """The line alone, through `jinque score`'s service; the reasons of the count add up to it."""
    for drill in drills(kind):
        given = Given(facts=TableFacts(gold_discarded=False, passed_kinds=frozenset(), dead_hand=False))
        settled = score_line(format_hand(drill.hand), given, RULES).answer.settlement
        assert settled is not None
        assert drill.answer == (settled.per_payer if kind is DrillKind.SCORE else settled.flower_count)
        if kind is DrillKind.FLOWERS:
            assert sum(line.points for line in drill.lines) == drill.answer
        assert not drill.is_right(str(int(drill.answer) + 1))


def test_guoshui_is_what_the_audit_finds() -> None:
    """The log breaks no rule until the win; the win does where the answer is no. Both answers come up."""
    answers = Counter[bool]()
    for drill in drills(DrillKind.GUOSHUI, 16):
        assert audit(drill.log) == ()
        assert drill.hand.seat is not None
        lies = parse_log(format_log(drill.log))[-1].tile  # type: ignore[union-attr]
        found = audit((*drill.log, WinClaim(drill.hand.seat, WinSource.DISCARD, lies)))
        assert [one.kind for one in found] == ([] if drill.answer else [ViolationKind.GUOSHUI_WIN])
        assert drill.events[-1].endswith(f"discard {lies.code}")
        assert not any("holds" in event for event in drill.events)
        answers[bool(drill.answer)] += 1
    assert min(answers[True], answers[False]) >= 3, answers


def test_rules_without_the_question_are_said() -> None:
    """No 过水 where the table does not play it; no simulated players for Chinese Official."""
    with pytest.raises(HandError, match="expected fuzhou"):
        make_drill(DrillKind.SCORE, Random(1), Deal(Seat.EAST, "mcr"))


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    """Asks without telling; grades; JSON in three languages; exit code 1 for a wrong answer, 2 for none."""
    code, out, _ = run(capsys, "drill", "score", "--seed", "3", "--json")
    found: dict[str, Any] = json.loads(out)
    assert (code, found["kind"], found["right"]) == (0, "score", None)
    assert set(found["question"]) == {"zh-Hans", "zh-Hant", "en"}
    answer = found["answer"]
    _, out, _ = run(capsys, "drill", "score", "--seed", "3")
    assert found["hand"] in out
    assert "--answer" in out
    assert not any(line["en"] in out for line in found["explanation"])
    code, out, _ = run(capsys, "drill", "score", "--seed", "3", "--answer", answer, "--language", "en")
    assert (code, "Right" in out) == (0, True)
    assert all(line["en"] in out for line in found["explanation"])
    code, out, _ = run(
        capsys, "drill", "score", "--seed", "3", "--answer", str(int(answer) + 2), "--language", "zh-Hant"
    )
    assert (code, strings(Language.ZH_HANT)["drill.wrong"].split("{")[0] in out) == (1, True)
    code, out, err = run(capsys, "drill", "score", "--seed", "3", "--answer", "many")
    assert (code, out, "expected a whole number" in err) == (2, "", True)


@pytest.mark.parametrize("kind", DrillKind)
def test_every_kind_is_asked_in_every_language(kind: DrillKind, capsys: pytest.CaptureFixture[str]) -> None:
    """With hand, gold and, for 过水, the events."""
    for language in Language:
        code, out, _ = run(capsys, "drill", kind.value, "--seed", "5", "--language", language.value)
        assert (code, strings(language)[f"drill.ask.{kind}"].split("{")[0] in out) == (0, True)
    assert (re.search(r"^  \d+\. ", out, re.MULTILINE) is not None) == (kind is DrillKind.GUOSHUI)
