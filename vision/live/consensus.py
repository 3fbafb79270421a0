"""What a tile shows, voted over time.

Readings of one tile under one viewing condition (same light, same camera, nothing in between) repeat the same mistake:
the tenth says little that the first did not. So the votes of one condition are averaged and count as a few at most,
and only another condition brings new evidence. Evidence is kept as logarithms of chances, older conditions fade, and a
believed label yields only to one that is clearly better for several readings.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.tiles import Tile
from vision.reading import TileReading

Floats = NDArray[np.float64]

TILES = len(Tile)
BACK = TILES
"""Index of "lies face down" among the labels; the tiles come before it."""
LABELS = TILES + 1


@dataclass(frozen=True, slots=True)
class VotingRule:
    """How votes are counted; chances are 0..1.

    Attributes:
        surest: no single reading counts as surer than this.
        faintest: nor rules anything out further than this.
        most_alike: how many independent readings those of one viewing condition are worth at most.
        fading: what is left of earlier conditions' evidence when a new one begins.
        most_kept: the most that earlier conditions may say against a label, as a logarithm.
        known: a label surer than this is known.
        yields: factor by which another label must be likelier than the believed one.
        stubborn: for how many readings in a row it must be.
        listed: alternatives less likely than this are not listed.
    """

    surest: float = 0.985
    faintest: float = 0.002
    most_alike: float = 2.0
    fading: float = 0.7
    most_kept: float = 8.0
    known: float = 0.8
    yields: float = 3.0
    stubborn: int = 3
    listed: float = 0.02


RULE = VotingRule()
_SUREST_ANSWER = 0.999


def chances(reading: TileReading, rule: VotingRule = RULE) -> Floats:
    """What one reading says, as chances [43] of the 42 tiles and the back, none of them nothing.

    Chances that the reading does not name are shared evenly among the labels it does not list.
    """
    row = np.zeros(LABELS)
    if reading.face_down:
        row[BACK] = reading.confidence
    elif reading.tile is not None:
        row[reading.tile] = reading.confidence
    for tile, chance in reading.alternatives:
        row[tile] = max(row[tile], chance)
    row = np.minimum(row, rule.surest)
    if row.sum() > rule.surest:
        row *= rule.surest / row.sum()
    unlisted = row <= 0.0
    row[unlisted] = (1.0 - row.sum()) / max(1, int(unlisted.sum()))
    row = np.maximum(row, rule.faintest)
    return np.asarray(row / row.sum())


class Consensus:
    """Votes on one tile. Bounded: three arrays whatever the time it lies there."""

    __slots__ = ("_against", "_alike", "_condition", "_earlier", "_label", "_now", "_posterior", "rule", "votes")

    def __init__(self, rule: VotingRule = RULE) -> None:
        self.rule = rule
        self._earlier: Floats = np.zeros(LABELS)
        self._now: Floats = np.zeros(LABELS)
        self._posterior: Floats = np.full(LABELS, 1.0 / LABELS)
        self._alike = 0
        self._condition: int | None = None
        self._label: int | None = None
        self._against = 0
        self.votes = 0

    def vote(self, reading: TileReading, condition: int = 0) -> None:
        """Counts a reading; ``condition`` is any number that changes with light, camera or what lies in between."""
        if condition != self._condition:
            self._close()
            self._condition = condition
        self._now = self._now + np.log(chances(reading, self.rule))
        self._alike += 1
        self._settle()

    @property
    def posterior(self) -> Floats:
        """Chances [43] of the 42 tiles and the back by all votes."""
        return self._posterior

    @property
    def label(self) -> int | None:
        """Index of the believed label, `BACK` for a tile that lies face down; None before the first vote."""
        return self._label

    @property
    def face_down(self) -> bool:
        """True where the back is seen."""
        return self._label == BACK

    @property
    def confidence(self) -> float:
        """Chance of the believed label; never quite 1."""
        return 0.0 if self._label is None else min(_SUREST_ANSWER, float(self.posterior[self._label]))

    @property
    def tile(self) -> Tile | None:
        """The tile, where its face is seen and known."""
        if self._label is None or self._label == BACK or self.confidence < self.rule.known:
            return None
        return Tile(self._label)

    @property
    def best(self) -> Tile | None:
        """The tile, or the best guess of an unknown one; None for a back or without votes."""
        return None if self._label is None or self._label == BACK else Tile(self._label)

    @property
    def alternatives(self) -> tuple[tuple[Tile, float], ...]:
        """Up to three other tiles it may be, best first; of an unknown tile the best guess too."""
        posterior = self.posterior
        known = self.tile
        order = [int(index) for index in np.argsort(-posterior[:TILES])[:4]]
        listed = [(Tile(index), float(posterior[index])) for index in order if index != known]
        return tuple(item for item in listed[:3] if item[1] >= self.rule.listed)

    def _weighed(self) -> Floats:
        """Evidence of the present condition: the mean of its votes, counted as a few."""
        if not self._alike:
            return self._now
        worth = min(self.rule.most_alike, 0.7 + 0.3 * self._alike)
        return np.asarray(self._now / self._alike * worth)

    def _close(self) -> None:
        """Lays the present condition to the earlier ones."""
        total = self.rule.fading * self._earlier + self._weighed()
        self._earlier = np.maximum(total - total.max(), -self.rule.most_kept)
        self._now, self._alike = np.zeros(LABELS), 0

    def _settle(self) -> None:
        total = self._earlier + self._weighed()
        powers = np.exp(total - total.max())
        self._posterior = posterior = np.asarray(powers / powers.sum())
        best = int(posterior.argmax())
        self.votes += 1
        if self._label is None:
            self._label = best
        elif best == self._label or posterior[best] < self.rule.yields * posterior[self._label]:
            self._against = 0
        else:
            self._against += 1
            if self.votes <= self.rule.stubborn or self._against >= self.rule.stubborn:
                self._label, self._against = best, 0
