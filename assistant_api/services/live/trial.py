"""Whole hands followed without pictures, by many seeds: how well events are told from sight of a given quality.

``python -m assistant_api.services.live.trial --hands 100`` prints each hand that did not go right, and the totals.
``--illegal`` ends each hand with an illegal act, all kinds in turn, and says which were warned about, apart from those
that a camera cannot see there (`assistant_api.services.live.visible`).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np

from assistant_api.services.live.comparison import Comparison
from assistant_api.services.live.table import LiveHand
from assistant_api.services.live.visible import VISIBLE
from assistant_api.services.live.watch import Watched
from engine.audit import audit
from engine.events import Deal, Log
from engine.illegal import ILLEGAL_ACTS, IllegalHand, illegal_hand
from engine.seats import Seat
from engine.simulate import play_hand
from engine.violations import Violation
from vision.synth.designs import Body
from vision.synth.live_faults import FaultKind, random_faults
from vision.synth.live_plan import LivePlan, first_act, plan_live
from vision.synth.live_views import PERFECT, SightQuality, scripted_views
from vision.synth.table_plan import Customs

BODY = Body((230, 230, 230), (90, 120, 40), 0.3, 1.34, 0.7, 0.08, 0.4)
FAULTS = (FaultKind.DROPPED, FaultKind.GAP, FaultKind.SORT, FaultKind.COVER, FaultKind.TAKE_BACK)
"""Those that can be told without pictures."""
LOOKS_ON_S = 8.0
"""So long the camera looks on after the last act, as at a table: what is found late is found."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One hand that was followed. ``warned``: the illegal act at its end was told, with its seat and tile."""

    seed: int
    plan: LivePlan
    watched: Watched
    comparison: Comparison
    faults: tuple[str, ...]
    illegal: IllegalHand | None = None
    warned: bool = False

    @property
    def is_right(self) -> bool:
        """Nothing was missed, invented or wrongly warned of."""
        found = self.comparison
        whole = found.state_exact and found.recall == 1 and found.precision == 1 and not found.false_warnings
        return whole and (self.warned or not self.can_be_warned)

    @property
    def can_be_warned(self) -> bool:
        """Whether it ends with an illegal act that can be seen at this table."""
        return self.illegal is not None and VISIBLE[self.illegal.name].at(self.plan.customs)


def plan_of(seed: int, log: Log, *, mixed: bool) -> LivePlan:
    """The plan of a seed: customs, near seat, pace and, in half of the hands where ``mixed``, faults by chance.

    Rows and heap take turns. ValueError where the hand cannot be laid out.
    """
    rng = np.random.default_rng([seed, 9176])
    kinds: Sequence[FaultKind] = ()
    if mixed and rng.random() < 0.5:
        kinds = [FAULTS[int(index)] for index in rng.permutation(len(FAULTS))[: int(rng.integers(1, 3))]]
    faults = random_faults(rng, range(first_act(log), max(len(log) - 3, first_act(log) + 1)), kinds)
    customs = replace(Customs.random(rng), river=("rows", "heap")[seed % 2])
    near, pace = Seat(int(rng.integers(4))), float(rng.uniform(0.65, 1.3))
    plan = plan_live(rng, log, BODY, customs, near=near, pace=pace, faults=faults)
    return replace(plan, duration_s=plan.duration_s + LOOKS_ON_S)


def try_hand(seed: int, quality: SightQuality, *, mixed: bool = False, illegal: str | None = None) -> Trial:
    """Plays the hand of a seed and follows it; ``illegal`` is the act it ends with. ValueError as `plan_of`."""
    deal, act = Deal(Seat(seed % 4)), None
    if illegal is None:
        log = play_hand(Random(seed), deal).log
    else:
        act = illegal_hand(Random(seed), deal, illegal)
        log = act.log
    plan = plan_of(seed, log, mixed=mixed)
    first = log[0]
    assert isinstance(first, Deal)
    watched = Watched(LiveHand.start(first))
    views = scripted_views(plan, np.random.default_rng([seed, 557]), quality)
    for _ in watched.follow(views):
        pass
    faults = tuple(sorted({one.kind.value for one in plan.disturbances}))
    real = audit(log)[-1] if act is not None else None
    warned = real is not None and any(_tells(alert.violation, real) for alert in watched.alerts)
    return Trial(seed, plan, watched, watched.compared(log), faults, act, warned)


def _tells(told: Violation, real: Violation) -> bool:
    return (told.kind, told.seat, told.data.get("tile")) == (real.kind, real.seat, real.data.get("tile"))


def trials(seeds: Sequence[int], quality: SightQuality, *, mixed: bool, illegal: Sequence[str] = ()) -> Iterator[Trial]:
    """The hands of these seeds; the illegal acts in turn. Hands that cannot be laid out are left out."""
    for place, seed in enumerate(seeds):
        try:
            yield try_hand(seed, quality, mixed=mixed, illegal=illegal[place % len(illegal)] if illegal else None)
        except ValueError:
            continue


def figures(found: Sequence[Trial]) -> dict[str, Any]:
    """The figures of all hands together."""
    happened = sum(one.comparison.happened for one in found)
    told = sum(one.comparison.told for one in found)
    right = sum(one.comparison.right for one in found)
    count = max(len(found), 1)
    document: dict[str, Any] = {
        "hands": len(found),
        "state_exact": round(sum(one.comparison.state_exact for one in found) / count, 4),
        "recall": round(right / max(happened, 1), 4),
        "precision": round(right / max(told, 1), 4),
        "discards_in_order": round(sum(one.comparison.discards_in_order for one in found) / count, 4),
        "false_warnings": sum(len(one.comparison.false_warnings) for one in found),
        "asked": sum(noted.asked for one in found for noted in one.watched.hand.notes),
    }
    acts = [(one.illegal.name, one.warned) for one in found if one.illegal is not None and one.can_be_warned]
    unseen = [one.illegal.name for one in found if one.illegal is not None and not one.can_be_warned]
    if acts or unseen:
        warned = Counter(name for name, told in acts if told)
        document["warned"] = round(warned.total() / max(len(acts), 1), 4)
        document["by_act"] = {
            name: f"{warned[name]} of {count}" for name, count in sorted(Counter(name for name, _ in acts).items())
        }
        document["cannot_be_seen"] = dict(sorted(Counter(unseen).items()))
    return document


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints what went wrong, and the figures as JSON."""
    parser = argparse.ArgumentParser(prog="python -m assistant_api.services.live.trial", description=__doc__)
    parser.add_argument("--hands", type=int, default=20, metavar="N", help="how many; each has the next seed; 20")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the first hand; 1")
    parser.add_argument("--perfect", action="store_true", help="sight without faults; else as on films")
    parser.add_argument("--mixed", action="store_true", help="half of the hands have gaps, take-backs and the like")
    parser.add_argument("--illegal", choices=["all", *ILLEGAL_ACTS], metavar="ACT", help="end with it; all: in turn")
    options = parser.parse_args(arguments)
    quality = PERFECT if options.perfect else SightQuality()
    acts = list(ILLEGAL_ACTS) if options.illegal == "all" else [options.illegal] if options.illegal else []
    seeds = range(options.seed, options.seed + options.hands)
    found = []
    for one in trials(seeds, quality, mixed=options.mixed, illegal=acts):
        found.append(one)
        if not one.is_right:
            sys.stdout.write(describe(one) + "\n")
            sys.stdout.flush()
    sys.stdout.write(json.dumps(figures(found), indent=1) + "\n")
    return 0


def describe(one: Trial) -> str:
    """What went wrong with a hand, in a few lines."""
    found = one.comparison
    told = "told" if one.warned else "not told" if one.can_be_warned else "cannot be seen"
    act = "" if one.illegal is None else f", {one.illegal.name} {told}"
    parts = [name for name, right in found.parts.items() if not right]
    lines = [f"seed {one.seed}, {one.plan.customs.river}, {' '.join(one.faults) or 'no faults'}{act}"]
    lines += [f"  {name}: {'; '.join(said)}" for name, said in (("not right at the end", parts),) if said]
    lines += [
        f"  {name}: {'; '.join(said)}"
        for name, said in (("missed", found.missed), ("invented", found.invented), ("warned", found.false_warnings))
        if said
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    raise SystemExit(main())
