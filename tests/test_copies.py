"""One set of tiles on the table: surplus readings yield and are told, and nothing takes another name by itself."""

from __future__ import annotations

import numpy as np
import pytest

from engine.tiles import Tile
from vision.copies import one_set
from vision.naming import Thresholds
from vision.problems import ProblemCode
from vision.reading import TileReading, as_quad
from vision.rows import same_way_up

SQUARE = as_quad(np.array([[0, 0], [30, 0], [30, 40], [0, 40]]))


def tile(code: str, confidence: float = 0.99, **others: float) -> TileReading:
    """A reading; ``m2=0.1`` lists 2m as an alternative."""
    listed = tuple((Tile.parse(name[1] + name[0]), chance) for name, chance in others.items())
    if code in ("back", "?"):
        return TileReading(None, confidence, SQUARE, code == "back", listed)
    return TileReading(Tile.parse(code), confidence, SQUARE, alternatives=listed)


def test_the_weakest_of_five_yields_and_offers_its_second_label_first() -> None:
    """It becomes unknown, its rival is the best guess, and the problem names it with both numbers."""
    readings = [*[tile("3m")] * 2, tile("3m", 0.9, m2=0.06, m8=0.03), *[tile("3m")] * 2, tile("5p", 0.89)]
    settled, problems = one_set(readings)

    assert [reading.code for reading in settled] == ["3m", "3m", "?", "3m", "3m", "5p"]
    assert [other.code for other, _ in settled[2].alternatives] == ["2m", "3m", "8m"]
    assert [chance for _, chance in settled[2].alternatives] == pytest.approx([0.45, 0.25, 0.23], abs=0.03)
    assert settled[2].confidence == settled[2].alternatives[0][1]
    (problem,) = problems
    assert (problem.code, problem.tiles, problem.found, problem.expected) == (ProblemCode.TOO_MANY_COPIES, (2,), 5, 4)
    assert "3m" in problem.message
    assert [settled[index] for index in (0, 1, 3, 4, 5)] == [readings[index] for index in (0, 1, 3, 4, 5)]


def test_own_name_stays_first_where_the_doubt_is_shared() -> None:
    """Five that are equally sure: one has to yield, but it is likelier right than wrong."""
    settled, problems = one_set([tile("3m", 0.97, m2=0.02)] * 5)
    (index,) = problems[0].tiles
    assert settled[index].code == "?"
    assert settled[index].best is Tile.M3
    assert sum(reading.code == "3m" for reading in settled) == 4


def test_a_full_kind_is_no_way_out() -> None:
    """A rival of which all four are in sight is offered last."""
    readings = [*[tile("3m")] * 4, tile("3m", 0.8, m2=0.14, m8=0.05), *[tile("2m")] * 4]
    settled, _ = one_set(readings)
    assert [other.code for other, _ in settled[4].alternatives] == ["8m", "3m", "2m"]


def test_one_of_each_flower_and_two_too_many() -> None:
    """Flowers are single; the two weakest of six yield."""
    readings = [tile("1f", 0.99), tile("1f", 0.93, f5=0.05), *[tile("9s")] * 4, tile("9s", 0.91), tile("9s", 0.9)]
    settled, problems = one_set(readings)
    assert [reading.code for reading in settled] == ["1f", "?", *["9s"] * 4, "?", "?"]
    assert {problem.tiles: (problem.found, problem.expected) for problem in problems} == {(1,): (2, 1), (6, 7): (6, 4)}


def test_backs_and_unknown_tiles_do_not_count() -> None:
    """Four of a kind with backs and unknown tiles beside them are no more than four."""
    readings = [*[tile("P")] * 4, *[tile("back")] * 3, tile("?", 0.6, m2=0.6)]
    assert one_set(readings) == (tuple(readings), ())


def test_spare_blank_tiles_are_told_but_stay() -> None:
    """Boxes hold spare white tiles: five that look like nothing else are only named; one that may be 1p yields."""
    settled, problems = one_set([*[tile("P", 0.95)] * 4, tile("P", 0.9)])
    assert [reading.code for reading in settled] == ["P"] * 5
    assert problems[0].tiles == (4,)
    settled, _ = one_set([*[tile("P", 0.95)] * 4, tile("P", 0.9, p1=0.09)])
    assert settled[4].code == "?"


def doubtful(**chances: float) -> TileReading:
    """An unknown tile with its guesses, ``f1=0.6``."""
    listed = tuple((Tile.parse(name[1] + name[0]), chance) for name, chance in chances.items())
    return TileReading(None, listed[0][1], SQUARE, alternatives=listed)


def test_a_flower_is_the_one_that_lies_nowhere_else() -> None:
    """Spring or summer, and the summer lies there: spring, marked and told; without the summer it is asked for."""
    limits = Thresholds(known=0.92)
    alone, problems = one_set([tile("3f"), doubtful(f1=0.72, f2=0.25)], limits)
    assert ([reading.code for reading in alone], problems) == (["3f", "?"], ())
    readings = [tile("2f"), doubtful(f1=0.72, f2=0.25)]
    settled, (problem,) = one_set(readings, limits)
    assert [(reading.code, reading.by_context) for reading in settled] == [("2f", False), ("1f", True)]
    assert settled[1].confidence >= 0.92
    assert settled[1].as_json()["by_context"] is True
    assert (problem.code, problem.tiles) == (ProblemCode.BY_CONTEXT, (1,))
    assert "1f" in problem.message


def test_a_likelier_guess_yields_to_a_sure_tile() -> None:
    """The likelier of two flowers lies elsewhere: the other one; where it lies there unsurely, nobody knows."""
    limits = Thresholds(known=0.92)
    settled, _ = one_set([tile("2f", 0.995), doubtful(f2=0.52, f1=0.47)], limits)
    assert settled[1].code == "1f"
    settled, _ = one_set([tile("2f", 0.93, f1=0.06), doubtful(f2=0.52, f1=0.3)], limits)
    assert settled[1].code == "?"


def test_four_in_sight_tell_the_fifth() -> None:
    """3s or 3m, and four 3m are in sight: 3s. With three of them both are still possible."""
    for count, code in ((4, "3s"), (3, "?")):
        settled, _ = one_set([*[tile("3m")] * count, doubtful(s3=0.8, m3=0.17)], Thresholds(known=0.92))
        assert settled[-1].code == code


def test_a_weak_place_is_not_made_up_for() -> None:
    """A detection that lowers its confidence does so as well when others tell the name."""
    weak = TileReading(None, 0.6, SQUARE, alternatives=((Tile.parse("1f"), 0.7), (Tile.parse("2f"), 0.28)))
    settled, _ = one_set([tile("2f"), weak], Thresholds(known=0.9))
    assert settled[1].code == "?"


def test_what_is_right_stays() -> None:
    """A whole set of 144 tiles is left as it is."""
    readings = [tile(kind.code) for kind in Tile for _ in range(kind.copies)]
    assert one_set(readings) == (tuple(readings), ())
    assert one_set([]) == ((), ())


def test_turns_follow_the_row_not_the_picture() -> None:
    """Rows of two players who sit across from each other: dots are turned as their own row is."""
    readings, truth = [], []
    for row, (codes, angle) in enumerate((("1m 2m 3m 8p 9p E S 7m 3p", 0), ("W 2p 7m 9s", 180))):
        turn = np.deg2rad(angle)
        matrix = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        for place, code in enumerate(codes.split()):
            corners = (np.array([[0, 0], [30, 0], [30, 40], [0, 40]]) - [15, 20]) @ matrix + [
                40 + 31 * place,
                300 * row,
            ]
            truth.append(corners)
            alike = code in ("8p", "9p", "3p", "2p", "9s")
            quad = np.roll(corners, 2 * (alike and place % 2), axis=0)
            readings.append(TileReading(Tile.parse(code), 0.95, as_quad(quad)))
    for reading, corners in zip(same_way_up(readings), truth, strict=True):
        assert np.allclose(np.array(reading.quad), corners, atol=1e-6), reading.code
