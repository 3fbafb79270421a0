"""Tiles laid on a table in known groups, seen from anywhere, come back in the same groups."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import cv2
import numpy as np
import pytest

from engine.tiles import CODES, HONOURS, PLANTS, SEASONS, Tile
from vision.layout import Layout, lay_out
from vision.problems import ProblemCode
from vision.reading import TileReading, as_quad
from vision.rows import arrange, same_way_up

WIDTH, HEIGHT = 30.0, 40.0
FUZHOU_FLOWERS = frozenset(SEASONS + PLANTS + HONOURS)


class Table:
    """Tiles put on a plane, in units where a tile is 30 x 40."""

    def __init__(self) -> None:
        self.readings: list[TileReading] = []

    def put(self, codes: str, x: float, y: float, *, gap: float = 0.5, confidence: float = 0.98) -> list[int]:
        """A row of touching tiles from its left edge x at the upper edge y; ``3m'`` lies sideways. Gives indices."""
        first = len(self.readings)
        for code in codes.split():
            sideways, code = code.endswith("'"), code.rstrip("'")
            wide, high = (HEIGHT, WIDTH) if sideways else (WIDTH, HEIGHT)
            top = y + HEIGHT - high
            corners = np.array([[x, top], [x + wide, top], [x + wide, top + high], [x, top + high]])
            if sideways:
                corners = np.roll(corners, -1, axis=0)  # its own top edge is the right one
            known = code not in ("back", "?")
            self.readings.append(
                TileReading(Tile.parse(code) if known else None, confidence, as_quad(corners), face_down=code == "back")
            )
            x += wide + gap
        return list(range(first, len(self.readings)))


def seen(table: Table, view: Callable[[np.ndarray], np.ndarray], seed: int = 0) -> tuple[Layout, list[int]]:
    """The layout of the table under a view of its corners [N, 2], with loose corners and in random order; and for each
    reading of the table its index there."""
    rng = random.Random(seed)
    order = list(range(len(table.readings)))
    rng.shuffle(order)
    readings = []
    for index in order:
        reading = table.readings[index]
        corners = view(np.array(reading.quad))
        side = np.linalg.norm(corners[1] - corners[0])
        corners = corners + np.array([[rng.gauss(0, 0.02), rng.gauss(0, 0.02)] for _ in range(4)]) * side
        if reading.tile is None:
            corners = np.roll(corners, rng.randrange(4), axis=0)  # nobody knows how a back is turned
        readings.append(TileReading(reading.tile, reading.confidence, as_quad(corners), reading.face_down))
    return lay_out(readings, flower_kinds=FUZHOU_FLOWERS), [order.index(index) for index in range(len(order))]


def turned(degrees: float) -> Callable[[np.ndarray], np.ndarray]:
    """The photo turned about its middle."""
    matrix = cv2.getRotationMatrix2D((400, 300), degrees, 1.3)
    return lambda corners: corners @ matrix[:, :2].T + matrix[:, 2]


def leaning(pitch_deg: float, yaw_deg: float = 0.0) -> Callable[[np.ndarray], np.ndarray]:
    """The table seen from a camera that leans forwards and sideways."""
    pitch, yaw = np.deg2rad([pitch_deg, yaw_deg])
    lean = np.array([[1, 0, 0], [0, np.cos(pitch), -np.sin(pitch)], [0, np.sin(pitch), np.cos(pitch)]])
    side = np.array([[np.cos(yaw), 0, -np.sin(yaw)], [0, 1, 0], [np.sin(yaw), 0, np.cos(yaw)]])

    def view(corners: np.ndarray) -> np.ndarray:
        points = np.column_stack([corners - [300, 150], np.zeros(len(corners))]) @ (lean @ side).T + [0, 0, 900]
        return points[:, :2] / points[:, 2:] * 1500 + [900, 700]

    return view


VIEWS = {
    "from above": turned(0),
    "from the right": turned(90),
    "from across": turned(180),
    "from the left": turned(-90),
    "rolled 30": turned(30),
    "rolled back 20": turned(-20),
    "leaning 45": leaning(-45),
    "leaning and from the side": leaning(-35, 25),
    "across and leaning": lambda corners: leaning(-40)(turned(180)(corners)),
}


def full_table() -> tuple[Table, dict[str, object]]:
    """A hand with everything: melds, a concealed kong, an added kong, flowers, gold."""
    table = Table()
    gold = table.put("3m", 700, 0)
    flowers = table.put("1f 6f C P N", 0, 60)
    melds = [
        table.put("4p' 3p 5p", 0, 150),
        table.put("back 7s 7s back", 140, 150),
        table.put("9m 9m' 9m", 300, 150),
    ]
    melds[2] += table.put("9m'", 330.5, 120)  # added to the pung, above its sideways tile
    hand = table.put("1m 2m 3m 5s 5s 6p 7p", 0, 240)
    winning = table.put("8p", 260, 240)
    return table, {"hand": hand, "winning": winning, "melds": melds, "flowers": flowers, "gold": gold}


def assert_groups(layout: Layout, place: Sequence[int], expected: dict[str, object]) -> None:
    """The layout holds the expected groups; order within hand and melds counts, that of flowers does not."""
    where = lambda tiles: [place[index] for index in tiles]  # noqa: E731
    assert list(layout.hand) == where(expected.get("hand", []))
    assert [layout.winning] == (where(expected["winning"]) if expected.get("winning") else [None])
    assert {frozenset(meld) for meld in layout.melds} == {frozenset(where(meld)) for meld in expected.get("melds", [])}
    assert set(layout.flowers) == set(where(expected.get("flowers", [])))
    assert [layout.gold] == (where(expected["gold"]) if expected.get("gold") else [None])
    assert set(layout.strays) == set(where(expected.get("strays", [])))


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("seed", range(3))
def test_everything_from_everywhere(view: str, seed: int) -> None:
    """All groups are found whatever the place of the camera, and nothing is wrong with them."""
    table, expected = full_table()
    layout, place = seen(table, VIEWS[view], seed)

    assert_groups(layout, place, expected)
    assert layout.problems == ()


def test_up_is_told() -> None:
    """The direction of the owner's up in the picture, clockwise from the picture's up."""
    table, _ = full_table()
    for degrees in (0, 30, 90, 180, 270):
        layout, _ = seen(table, turned(-degrees))
        assert abs((layout.up_deg - degrees + 180) % 360 - 180) < 3


@pytest.mark.parametrize("view", ["from above", "from across", "rolled 30", "leaning and from the side"])
def test_one_row_with_everything(view: str) -> None:
    """Seventeen tiles in a row are the hand, with the flowers that lie at its end taken out."""
    table = Table()
    flowers = table.put("3f E 8f", 0, 0)
    hand = table.put("1m 1m 1m 2p 3p 4p 5s 6s 7s 7p 7p 7p 9s 9s 2m 3m 4m", 91.5, 0)
    layout, place = seen(table, VIEWS[view])

    assert_groups(layout, place, {"hand": hand, "flowers": flowers})
    assert layout.problems == ()


@pytest.mark.parametrize("rows", [(9, 8), (8, 9), (6, 6, 5), (14, 3), (5, 4, 4, 4)])
def test_hands_in_several_rows(rows: tuple[int, ...]) -> None:
    """A hand laid in tight rows under each other is one hand, not rows of melds."""
    codes = [CODES[7 * place % 27] for place in range(17)]  # no two neighbours belong together
    table, hand, start = Table(), [], 0
    for number, count in enumerate(rows):
        hand += table.put(" ".join(codes[start : start + count]), 0, 41 * number)
        start += count
    layout, place = seen(table, turned(0))

    assert_groups(layout, place, {"hand": hand})
    assert layout.problems == ()


def test_melds_in_the_row_of_the_hand() -> None:
    """Melds beside the hand, parted by clear gaps."""
    table = Table()
    hand = table.put("1m 2m 3m 5s", 0, 0)
    winning = table.put("5s", 160, 0)
    melds = [table.put("2p 2p 2p", 230, 0), table.put("3p 4p 5p", 345, 0), table.put("6s 6s 6s 6s", 460, 0)]
    melds.append(table.put("8m 8m 8m", 0, 100))
    layout, place = seen(table, turned(0))

    assert_groups(layout, place, {"hand": hand, "winning": winning, "melds": melds})
    assert layout.problems == ()


def test_loosely_laid_row_is_one_hand() -> None:
    """Equal gaps all along a row part nothing."""
    table = Table()
    hand = table.put("1m 2m 3m 4p 4p 4p 5s 6s 7s 1p 2p 3p 9s 9s 6m 7m 8m", 0, 0, gap=10)
    layout, place = seen(table, turned(10))

    assert_groups(layout, place, {"hand": hand})


def test_doubtful_gap_is_decided_by_shape_and_told() -> None:
    """A gap of a third of a tile: a triplet beside it makes it a boundary, no shape leaves it a loose hand."""
    table = Table()
    hand = table.put("1m 2m 3m 4p 5p 6p 2s 2s 7m 8m 9m 7p 8p 9p", 0, 0)
    meld = table.put("5s 5s 5s", 14 * 30.5 + 10, 0)
    layout, place = seen(table, turned(0))
    assert_groups(layout, place, {"hand": hand, "melds": [meld]})
    assert [problem.code for problem in layout.problems] == [ProblemCode.DOUBTFUL_GROUP]

    table = Table()
    hand = table.put("1m 2m 3m 4p 5p 6p 2s 2s 7m 8m 9m 7p 8p 9p", 0, 0)
    hand += table.put("5s 7s 5p", 14 * 30.5 + 9, 0)
    layout, place = seen(table, turned(0))
    assert_groups(layout, place, {"hand": hand})
    assert layout.problems == ()


def test_melds_laid_without_gaps() -> None:
    """A row of nothing but melds beside or above a hand is parted into them, and told as doubtful."""
    table = Table()
    melds = [table.put("2p 2p 2p", 0, 0), table.put("3p 4p 5p", 91.5, 0), table.put("back 6s 6s back", 183, 0)]
    melds.append(table.put("8m 8m 8m", 305, 0))
    hand = table.put("1m 2m 3m 5s 5s", 0, 100)
    layout, place = seen(table, turned(0))

    assert_groups(layout, place, {"hand": hand, "melds": melds})
    assert {problem.code for problem in layout.problems} == {ProblemCode.DOUBTFUL_GROUP}


def test_last_tile_waits_alone() -> None:
    """单吊: five melds, one tile and the winning tile apart; then both together as a pair."""
    for gap in (30, 0):
        table = Table()
        melds = [
            table.put(" ".join([code] * 3), 120 * number, 0)
            for number, code in enumerate(("1m", "2p", "3s", "4m", "5p"))
        ]
        hand = table.put("7s", 0, 100)
        winning = table.put("7s", 31 + gap, 100)
        gold = table.put("9p", 500, 100)
        layout, place = seen(table, turned(0))

        groups = {"hand": hand, "winning": winning} if gap else {"hand": hand + winning}
        assert_groups(layout, place, {**groups, "melds": melds, "gold": gold})
        assert layout.problems == ()


def test_lone_tile_is_gold_or_winning_by_what_is_missing() -> None:
    """With 17 tiles elsewhere a lone tile in line shows the gold; with 16 it is the winning tile."""
    codes = "1m 2m 3m 4p 4p 4p 5s 6s 7s 1p 2p 3p 9s 9s 6m 7m"
    table = Table()
    hand, lone = table.put(codes, 0, 0), None
    lone = table.put("8m", 530, 0)
    layout, place = seen(table, turned(0))
    assert_groups(layout, place, {"hand": hand, "winning": lone})

    table = Table()
    hand = table.put(codes + " 8m", 0, 0)
    lone = table.put("8m", 560, 0)
    layout, place = seen(table, turned(0))
    assert_groups(layout, place, {"hand": hand, "gold": lone})


def test_lone_tile_where_the_size_of_hands_is_not_known() -> None:
    """In line with the hand it is the winning tile, elsewhere the gold."""
    table = Table()
    table.put("1m 2m 3m 4p 4p", 0, 0)
    table.put("8m", 190, 0)
    table.put("8p", 100, 200)
    layout = lay_out(table.readings, hand_tiles=None)

    assert (layout.hand, layout.winning, layout.gold) == ((0, 1, 2, 3, 4), 5, 6)
    assert layout.problems == ()


def test_flowers_are_what_the_caller_says() -> None:
    """Honours stay in the hand where they are no flowers."""
    table = Table()
    table.put("1f E E E 1m 2m", 0, 0)

    assert lay_out(table.readings, hand_tiles=None).flowers == (0,)
    assert lay_out(table.readings, hand_tiles=None, flower_kinds=FUZHOU_FLOWERS).flowers == (0, 1, 2, 3)


def test_unknown_tiles_go_with_their_neighbours() -> None:
    """An unknown tile among flowers is a flower, one in the hand a tile of the hand, one in a pung a tile of it."""
    table = Table()
    flowers = table.put("1f ? C", 0, 0)
    meld = table.put("5s ? 5s", 300, 0)
    hand = table.put("1m 2m 3m ? 4p 4p 5s 6s 7s 1p 2p 3p 9s 9s", 0, 100)
    layout, place = seen(table, turned(0))

    assert_groups(layout, place, {"hand": hand, "flowers": flowers, "melds": [meld]})
    assert [problem.code for problem in layout.problems] == [ProblemCode.UNKNOWN_TILE]
    assert set(layout.problems[0].tiles) == {place[flowers[1]], place[meld[1]], place[hand[3]]}


def test_flower_between_tiles_is_told() -> None:
    """Most likely a misreading: taken as a flower, the hand stays in one piece, and it is marked."""
    table = Table()
    table.put("1m 2m 3m 4p 4p 4p 5s 6s 7s 7f 2p 3p 9s 9s 6m 7m 8m", 0, 0)
    layout = lay_out(table.readings)

    assert layout.flowers == (9,)
    assert len(layout.hand) == 16
    assert {problem.code: problem.tiles for problem in layout.problems} == {
        ProblemCode.FLOWER_IN_HAND: (9,),
        ProblemCode.TILE_COUNT: (),
    }


def test_meld_with_a_misread_tile_is_told() -> None:
    """Three tiles apart that fit nothing stay together and are marked, nothing is changed."""
    table = Table()
    meld = table.put("5s 5s 6p", 0, 0)
    table.put("1m 2m 3m 4p 4p 5s 6s 7s 1p 2p 3p 9s 9s 9s", 0, 100)
    layout = lay_out(table.readings)

    assert layout.melds == (tuple(meld),)
    assert [(problem.code, problem.tiles) for problem in layout.problems] == [(ProblemCode.NOT_A_MELD, tuple(meld))]


def test_hand_of_fifteen_is_counted() -> None:
    """Too few tiles are told with both numbers."""
    table = Table()
    table.put("1m 2m 3m 4p 4p 4p 5s 6s 7s 1p 2p 3p 9s 9s 6m", 0, 0)
    problem = lay_out(table.readings).problems[0]

    assert (problem.code, problem.found, problem.expected) == (ProblemCode.TILE_COUNT, 15, 17)
    assert problem.as_json() == {
        "code": "tile_count",
        "message": "15 of 17 tiles (each meld counted as three)",
        "tiles": [],
        "found": 15,
        "expected": 17,
    }


def test_no_tiles() -> None:
    """An empty picture has a reason, not an exception."""
    assert [problem.code for problem in lay_out([]).problems] == [ProblemCode.NO_TILES]


def test_wall_of_backs_belongs_to_nothing() -> None:
    """Face-down tiles that are no kong are strays."""
    table = Table()
    wall = table.put("back back back back back back back back", 0, 0)
    hand = table.put("1m 2m 3m 4p 4p 4p 5s 6s 7s 1p 2p 3p 9s 9s 6m 7m 8m", 0, 120)
    layout, place = seen(table, turned(0))

    assert_groups(layout, place, {"hand": hand, "strays": wall})
    assert [problem.code for problem in layout.problems] == [ProblemCode.STRAY_TILE]


def test_what_is_no_part_of_the_hand() -> None:
    """Much smaller tiles in the background, and an unknown spot where a named tile can show the gold, are strays."""
    table = Table()
    hand = table.put("1m 2m 3m 4p 4p 4p 5s 6s 7s 1p 2p 3p 9s 9s 6m 7m 8m", 0, 200)
    gold = table.put("5p", 300, 80)
    spot = table.put("?", 700, 0)
    far = len(table.readings)
    for index, reading in enumerate(table.readings[:3]):
        quad = np.array(reading.quad) * 0.4 + [100 + 5 * index, -60]
        table.readings.append(TileReading(reading.tile, 0.9, as_quad(quad)))
    layout, place = seen(table, turned(0))

    assert_groups(layout, place, {"hand": hand, "gold": gold, "strays": [*spot, far, far + 1, far + 2]})


def test_concealed_kong_tight_beside_the_hand() -> None:
    """Two faces between two backs are a kong even where no gap parts them; four backs apart are one, too."""
    table = Table()
    hand = table.put("1m 2m 3m 4p 4p 4p 5s 6s 7s 9s 9s", 0, 0)
    melds = [table.put("back 6m 6m back", 11 * 30.5, 0), table.put("back back back back", 0, 100)]
    layout, place = seen(table, turned(0))

    assert_groups(layout, place, {"hand": hand, "melds": melds})


@pytest.mark.parametrize("codes", ["5p", "5p 1m 9s"])
def test_few_tiles_are_a_hand(codes: str) -> None:
    """One tile or a few scattered ones: nothing more can be said than that they are tiles."""
    table = Table()
    for number, code in enumerate(codes.split()):
        table.put(code, 200 * number, 90 * number)

    assert sorted(lay_out(table.readings, hand_tiles=None).hand) == list(range(len(codes.split())))


def test_every_reading_is_in_one_group() -> None:
    """Tiles strewn at random: none is lost, none is counted twice, and nothing is raised."""
    rng = random.Random(7)
    for _ in range(60):
        table = Table()
        for _ in range(rng.randrange(1, 40)):
            table.put(
                rng.choice(["1m", "2m", "3m", "E", "4f", "back", "?", "5p'"]), rng.uniform(0, 900), rng.uniform(0, 500)
            )
        layout, _ = seen(table, turned(rng.uniform(0, 360)), seed=rng.randrange(99))
        groups = [*layout.hand, *sum(layout.melds, ()), *layout.flowers, *layout.strays]
        groups += [index for index in (layout.winning, layout.gold) if index is not None]

        assert sorted(groups) == list(range(len(table.readings)))
        assert all((layout.group_of(index) is None) == (index in layout.strays) for index in groups)


def test_faces_alike_upside_down_follow_their_neighbours() -> None:
    """Dots, backs and unknown tiles start at the corner that is top left for the others; clear faces keep theirs."""
    table = Table()
    table.put("1m 2m 3m 8p back ? 5s 7m P 2p'", 0, 0)
    for view in (turned(0), turned(180), turned(90)):
        upright = [view(np.array(reading.quad)) for reading in table.readings]
        mixed = [
            TileReading(reading.tile, 0.9, as_quad(np.roll(quad, turns, axis=0)), reading.face_down)
            for reading, quad, turns in zip(table.readings, upright, (0, 0, 0, 2, 1, 3, 2, 0, 1, 0), strict=True)
        ]
        settled = same_way_up(mixed)

        for reading, quad in zip(settled[:-1], upright[:-1], strict=True):
            assert np.allclose(np.array(reading.quad), quad, atol=1e-6)


def test_rows_follow_their_owner() -> None:
    """Rows run from far to near and from left to right, also upside down."""
    table = Table()
    far, near = table.put("1m 2m 3m", 0, 0), table.put("7s 1s 7m", 0, 100)
    readings = [
        TileReading(reading.tile, 0.9, as_quad(turned(180)(np.array(reading.quad)))) for reading in table.readings
    ]

    assert [list(row.tiles) for row in arrange(readings).rows] == [far, near]


def test_winning_tile_apart_though_one_tile_is_too_many() -> None:
    """A tile read twice does not turn the winning tile into a stray: the gold is there as well."""
    table = Table()
    hand = table.put("1m 2m 3m 4p 4p 4p 5s 6s 7s 1p 2p 3p 9s 9s 6m 7m 7m", 0, 100)
    winning = table.put("8m", 550, 100)
    gold = table.put("5p", 100, 0)
    layout, place = seen(table, turned(0))

    assert_groups(layout, place, {"hand": hand, "winning": winning, "gold": gold})
    assert [(problem.code, problem.found) for problem in layout.problems] == [(ProblemCode.TILE_COUNT, 18)]


def test_heap_of_discards_behind_the_hand() -> None:
    """A messy heap and a few scattered tiles far away are no part of the hand, whatever they show."""
    rng = random.Random(3)
    table = Table()
    hand = table.put("1m 2m 3m 4p 4p 4p 5s 6s 7s 1p 2p 3p 9s 9s 6m 7m 8m", 0, 400)
    flowers = table.put("C 2f", 0, 330)
    heap = []
    for number in range(20):
        heap += table.put(rng.choice(["1m", "7s", "E", "5p", "8f"]), 200 + 44 * (number % 7), 48 * (number // 7))
        middle = np.array(table.readings[-1].centre)
        angle = np.deg2rad(rng.uniform(0, 360))
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        quad = (np.array(table.readings[-1].quad) - middle) @ turn.T + middle
        table.readings[-1] = TileReading(table.readings[-1].tile, 0.95, as_quad(quad))
    pair = table.put("2m 7p", 560, 100)
    layout, place = seen(table, turned(0))

    assert_groups(layout, place, {"hand": hand, "flowers": flowers, "strays": [*heap, *pair]})
    assert [problem.code for problem in layout.problems] == [ProblemCode.STRAY_TILE]


def test_rows_that_lie_for_somebody_else() -> None:
    """The open hand of the player across and of a neighbour, as read from this side, are strays."""
    table = Table()
    hand = table.put("1m 2m 3m 4p 4p 4p 5s 6s 7s 1p 2p 3p 9s 9s 6m 7m 8m", 0, 400)
    across = table.put("1m E 7m 6m 3s C", 100, 0)
    for index in across:
        quad = np.array(table.readings[index].quad)[[2, 3, 0, 1]]
        table.readings[index] = TileReading(table.readings[index].tile, 0.95, as_quad(quad))
    beside = []
    for number, code in enumerate(["3m", "W", "7s", "1s", "F", "9m"]):
        beside += table.put(code + "'", 700, 31 * number)
    layout, place = seen(table, turned(0))

    assert_groups(layout, place, {"hand": hand, "strays": [*across, *beside]})


def test_a_messy_picture_without_a_row_is_all_that_there_is() -> None:
    """Scattered tiles alone are not thrown away."""
    table = Table()
    for number in range(8):
        table.put("5p", 40 * (number % 3), 45 * (number // 3))
        quad = turned(23.0 * number)(np.array(table.readings[-1].quad)) * 0.02 + [44 * (number % 3), 50 * (number // 3)]
        table.readings[-1] = TileReading(Tile.P5, 0.9, as_quad(quad))

    assert len(lay_out(table.readings).strays) < 8
