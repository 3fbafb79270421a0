"""Drills for people: a question of `engine.drills` in words of three languages, graded: the command `jinque drill`."""

from __future__ import annotations

from random import Random
from typing import Any

from assistant_api.languages import Language, translate
from assistant_api.services.simulate import deal_of
from engine.drills import Drill, DrillKind, make_drill
from engine.notation import format_hand
from engine.rulesets import Ruleset
from engine.seats import Seat


def drill(kind: DrillKind | None, seed: int, ruleset: Ruleset) -> Drill:
    """The drill of a seed; of any kind where none is named. HandError for rules that cannot be drilled."""
    random = Random(seed)
    return make_drill(kind or random.choice(list(DrillKind)), random, deal_of(ruleset, Seat.EAST))


def question(asked: Drill, language: Language) -> str:
    """What is asked."""
    tile = asked.events[-1].rpartition(" ")[2] if asked.events else ""
    return translate(language, f"drill.ask.{asked.kind}", tile=tile)


def document(asked: Drill, seed: int, ruleset: Ruleset, given: str | None) -> dict[str, Any]:
    """What `jinque drill --json` prints. NotationError where what was given is no answer."""
    return {
        "kind": asked.kind.value,
        "seed": seed,
        "ruleset": ruleset.name,
        "question": {language.value: question(asked, language) for language in Language},
        "hand": format_hand(asked.hand),
        "events": list(asked.events),
        "given": given,
        "right": None if given is None else asked.is_right(given),
        "answer": asked.answer_text,
        "explanation": [
            {"code": line.code, "zh": line.zh, "en": line.en, "points": line.points} for line in asked.lines
        ],
    }
