"""One hand as a photo shows it, read, checked and in the engine's form: for `score`, `waits` and `advise`."""

from __future__ import annotations

from dataclasses import dataclass, replace

from assistant_api.languages import Language
from assistant_api.schemas import Check, Facts
from assistant_api.services import hand_draft
from assistant_api.services.assemble import best_guesses, draft_tiles
from assistant_api.services.reading import Reader
from engine.melds import MeldKind
from engine.notation import HandLine
from engine.rulesets import Ruleset
from vision.frames import Frame
from vision.layout import Layout, lay_out
from vision.photo import PhotoReading
from vision.problems import ProblemCode


@dataclass(frozen=True, slots=True)
class SeenHand:
    """A hand in a photo.

    Attributes:
        line: the hand in the engine's form; tiles that could not be told are in it as unknown.
        reading: what was read.
        check: what looks wrong, and what the melds are.
    """

    line: HandLine
    reading: PhotoReading
    check: Check

    @property
    def open_kongs(self) -> bool:
        """Whether only a person can tell what four open tiles are."""
        return any(not meld.certain for meld in self.check.melds)


def see_finished(
    frame: Frame, reader: Reader, ruleset: Ruleset, *, guess: bool = False, kongs: MeldKind | None = None
) -> SeenHand:
    """A finished hand.

    Args:
        guess: take the best guess for tiles that could not be told.
        kongs: what four open tiles are, where a person said so.
    """
    return _seen(_read(frame, reader, ruleset), ruleset, guess, kongs)


def see_playing(
    frame: Frame,
    reader: Reader,
    ruleset: Ruleset,
    *,
    guess: bool = False,
    kongs: MeldKind | None = None,
    gold_is_said: bool = False,
) -> SeenHand:
    """A hand in play, with the tile it has drawn or without.

    A lone tile off the row may be the drawn one or show the gold: it shows the gold where nobody said which that is.

    Args:
        guess, kongs: as for a finished hand.
        gold_is_said: a person said which kind is gold.
    """
    reading = _read(frame, reader, ruleset)
    layout, size = reading.layout, hand_draft.winning_size(ruleset)
    shows_gold = layout.gold is None and not gold_is_said and getattr(ruleset, "has_gold", False)
    if _count(layout) != size or (shows_gold and _is_doubtful(layout)):
        kinds = hand_draft.flower_kinds(ruleset)
        resting = lay_out(reading.tiles, flower_kinds=kinds, hand_tiles=size - 1)
        if _count(resting) == size - 1:
            reading = replace(reading, layout=resting)
    return _seen(reading, ruleset, guess, kongs)


def _read(frame: Frame, reader: Reader, ruleset: Ruleset) -> PhotoReading:
    size = hand_draft.winning_size(ruleset)
    return reader.read(frame, flower_kinds=hand_draft.flower_kinds(ruleset), hand_tiles=size)


def _count(layout: Layout) -> int:
    return len(layout.hand) + (layout.winning is not None) + 3 * len(layout.melds)


def _is_doubtful(layout: Layout) -> bool:
    """Whether what was taken for the last tile may show the gold."""
    return any(
        problem.code is ProblemCode.DOUBTFUL_GROUP and layout.winning in problem.tiles for problem in layout.problems
    )


def _seen(reading: PhotoReading, ruleset: Ruleset, guess: bool, kongs: MeldKind | None) -> SeenHand:
    tiles = best_guesses(draft_tiles(reading)) if guess else draft_tiles(reading)
    facts = Facts(meld_kinds=dict.fromkeys(range(len(reading.layout.melds)), kongs) if kongs else {})
    placed = hand_draft.place(tiles, facts)
    check = hand_draft.check(placed, ruleset, Language.EN)
    return SeenHand(hand_draft.hand_line(placed, facts), reading, check)
