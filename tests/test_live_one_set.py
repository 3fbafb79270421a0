"""What a tile can not be, since all copies lie elsewhere."""

from __future__ import annotations

import numpy as np

from engine.tiles import Tile
from vision.live.consensus import Consensus
from vision.live.one_set import settled
from vision.reading import TileReading, as_quad

QUAD = as_quad(np.zeros((4, 2)))


def voted(*chances: tuple[str, float]) -> Consensus:
    """The votes on a tile that was read four times like this."""
    votes = Consensus()
    (code, first), *others = chances
    rest = tuple((Tile.parse(other), chance) for other, chance in others)
    for _ in range(4):
        votes.vote(TileReading(Tile.parse(code), first, QUAD, alternatives=rest))
    return votes


def told(*votes: Consensus) -> list[str | None]:
    return [None if face.tile is None else face.tile.code for face in settled(votes)]


def test_a_flower_that_lies_elsewhere_is_ruled_out() -> None:
    """Alone it is not known; beside the other one it is, and not too surely."""
    doubtful = voted(("2f", 0.48), ("3f", 0.42))
    assert told(doubtful) == [None]
    assert told(doubtful, voted(("2f", 0.97))) == ["3f", "2f"]
    assert settled([doubtful, voted(("2f", 0.97))])[0].confidence <= 0.95


def test_two_doubtful_flowers_settle_each_other() -> None:
    """The surer one takes the kind that both may be."""
    assert told(voted(("3f", 0.50), ("2f", 0.45)), voted(("3f", 0.62), ("2f", 0.25))) == ["2f", "3f"]


def test_four_of_a_kind_leave_a_fifth_open() -> None:
    """What was read surely stays; 1m, the first of all tiles, is a tile like others."""
    four = [voted(("1m", 0.97)) for _ in range(4)]
    assert told(*four[:3], voted(("1m", 0.48), ("7m", 0.42)))[:3] == ["1m"] * 3
    assert told(*four, voted(("1m", 0.48), ("7m", 0.42))) == ["1m"] * 4 + ["7m"]


def test_of_too_many_the_least_sure_one_yields() -> None:
    """To what it may be besides; it stays where it may be nothing else, since another one may have been misread."""
    assert told(voted(("3f", 0.66), ("4f", 0.32)), voted(("3f", 0.97))) == ["4f", "3f"]
    assert told(*[voted(("6p", 0.98)) for _ in range(4)], voted(("6p", 0.95))) == ["6p"] * 5


def test_nothing_and_backs_are_left_alone() -> None:
    """No votes, and a tile that lies face down."""
    down = Consensus()
    down.vote(TileReading(None, 0.9, QUAD, face_down=True))
    assert told() == []
    assert told(Consensus(), down) == [None, None]
