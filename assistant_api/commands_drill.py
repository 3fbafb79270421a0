"""``jinque drill``: a question about a hand, graded."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from contextlib import suppress

from assistant_api import terminal
from assistant_api.commands import FINE, FOUND, chosen_ruleset, print_json
from assistant_api.languages import Language, in_language, negotiate, translate
from assistant_api.services import drills
from assistant_api.settings import load_settings
from engine.drills import Drill, DrillKind
from engine.notation import format_hand


def drill(options: Namespace) -> int:
    """Asks, and grades what is answered on the terminal or by ``--answer``; exit 1 for a wrong answer."""
    ruleset = chosen_ruleset(options, load_settings())
    asked = drills.drill(DrillKind(options.kind) if options.kind else None, options.seed, ruleset)
    if options.json:
        found = drills.document(asked, options.seed, ruleset, options.answer)
        print_json(found)
        return FOUND if found["right"] is False else FINE
    language = negotiate(os.environ.get("LANG", "").partition(".")[0], options.language)
    right = None if options.answer is None else asked.is_right(options.answer)
    _ask(asked, language)
    if right is None and sys.stdin.isatty():
        with suppress(EOFError):  # who gives no answer is told how to come back
            right = asked.is_right(input("> "))
    if right is None:
        again = f"jinque drill {asked.kind} --seed {options.seed} --answer ..."
        terminal.console.print(translate(language, "drill.how", command=again), markup=False)
        return FINE
    said = translate(language, "drill.right" if right else "drill.wrong", answer=asked.answer_text)
    terminal.console.print(said, style="bold green" if right else "bold red", markup=False)
    for line in asked.lines:
        terminal.console.print(f"  {in_language(language, line.zh, line.en)}", markup=False)
    return FINE if right else FOUND


def _ask(asked: Drill, language: Language) -> None:
    terminal.console.print(format_hand(asked.hand), markup=False)
    for event in asked.events:
        terminal.console.print(f"  {event}", markup=False)
    terminal.console.print(drills.question(asked, language), style="bold", markup=False)
