"""A person's own set: learnt from a photo, used, and refused with a sentence where the photo does not do."""

from __future__ import annotations

import numpy as np
import pytest

from engine.tiles import ALL_TILES, Tile
from tests.support.dotted import NETWORK, dotted_reader, photo
from vision.classifier import EMBEDDING
from vision.errors import BlurredError, DoubledFaceError, FaceCountError, FaceOrderError, OtherNetworkError
from vision.frames import Frame
from vision.tileset_photos import learn
from vision.tilesets import PRINTED_ORDER, Blend, Tileset, weigh
from vision.weights import FACE_LABELS

ROWS = [[tile for tile in row if tile is not None] for row in PRINTED_ORDER]
HARD = (Tile.M2, Tile.P5, Tile.S9, Tile.WEST, Tile.PLUM)


def own_set(reader=None, rows=PRINTED_ORDER) -> Tileset:
    """The dotted set as learnt from one photo."""
    reader = reader or dotted_reader()
    lesson = learn(reader, photo([[tile for tile in row if tile is not None] for row in rows]), rows)
    return Tileset.empty("mine", reader.network).with_faces(lesson.kinds, lesson.looks, lesson.crops)


def codes(reader, tiles) -> list[str]:
    """What is read of tiles in rows of seven, in their order."""
    frame = photo([tiles[start : start + 7] for start in range(0, len(tiles), 7)])
    found = sorted(reader.read(frame, hand_tiles=None).tiles, key=lambda tile: (round(tile.centre[1], -1), tile.centre))
    return [tile.code for tile in found]


def test_printed_order_is_one_of_each_face() -> None:
    """Five rows, 42 kinds."""
    assert [len(row) for row in PRINTED_ORDER] == [9, 9, 9, 7, 8]
    assert tuple(tile for row in ROWS for tile in row) == ALL_TILES


def test_one_photo_names_what_the_network_did_not() -> None:
    """Unsure and mistaken kinds are right in further photos, all others stay right."""
    reader = dotted_reader(unsure=HARD[:3], mistaken=HARD[3:])
    tiles = [*HARD, *HARD[:3], Tile.M1, Tile.P9, Tile.NORTH, Tile.RED, Tile.SPRING]
    before = codes(reader, tiles)
    after = codes(reader.with_tileset(own_set(reader)), tiles)
    assert before.count("?") == 6
    assert after == [tile.code for tile in tiles]


def test_kinds_that_were_not_shown_keep_the_networks_word() -> None:
    """A set of which only some rows were shown: the rest is read as before, right and wrong."""
    reader = dotted_reader(unsure=[Tile.P5], mistaken=[Tile.M2])
    part = own_set(reader, PRINTED_ORDER[:1])
    assert len(part.known) == 9
    tiles = [Tile.M2, Tile.P5, Tile.P7, Tile.GREEN, Tile.ORCHID, Tile.S4, Tile.M9]
    assert codes(reader.with_tileset(part), tiles) == ["2m", "?", "7p", "F", "6f", "4s", "9m"]


def test_weighing_sums_to_one_and_leaves_other_labels_their_order() -> None:
    """The looks of one kind change the chance of that kind against all others."""
    rng = np.random.default_rng(1)
    looks = np.eye(2, EMBEDDING, dtype=np.float32)
    tileset = Tileset.empty("two", NETWORK).with_faces([Tile.M3, Tile.P7], looks, None)
    chances = rng.dirichlet(np.ones(len(FACE_LABELS)), 5).astype(np.float32)
    blend = Blend(alike=0.8, gain=10, loss=20)
    m3, p7 = int(Tile.M3), int(Tile.P7)
    others = [index for index in range(len(FACE_LABELS)) if index not in (m3, p7)]

    like_m3 = weigh(chances, np.repeat(looks[:1], 5, axis=0), tileset, blend)
    assert np.allclose(like_m3.sum(axis=1), 1, atol=1e-5)
    gained, before = np.log(like_m3 / like_m3[:, others[:1]]), np.log(chances / chances[:, others[:1]])
    assert np.allclose(gained[:, m3], before[:, m3] + 10 * 0.2, atol=1e-4)
    assert np.allclose(gained[:, p7], before[:, p7] - 20 * 0.8, atol=1e-4)
    assert (np.argsort(like_m3[:, others]) == np.argsort(chances[:, others])).all()

    like_none = np.zeros((5, EMBEDDING), np.float32)
    like_none[:, 2] = 1
    assert np.allclose(weigh(chances, like_none, tileset, blend), chances, atol=1e-5)
    assert weigh(chances[:0], looks[:0], tileset, blend).shape == (0, len(FACE_LABELS))


def test_more_photos_add_looks_and_the_oldest_go() -> None:
    """Looks pile up to a limit a kind; crops only where the set began with them."""
    looks = np.eye(3, EMBEDDING, dtype=np.float32)
    crops = np.zeros((3, 64, 64, 3), np.uint8)
    kinds = [Tile.M1, Tile.M1, Tile.M2]
    tileset = Tileset.empty("mine", NETWORK).with_faces(kinds, looks, crops).with_faces(kinds, looks, crops, per_kind=3)
    assert tileset.kinds.tolist() == [0, 1, 0, 0, 1]
    assert tileset.crops is not None
    assert len(tileset.crops) == 5
    assert np.allclose(tileset.looks, looks[[1, 2, 0, 1, 2]])
    assert tileset.with_faces([Tile.P1], looks[:1], None).crops is None
    assert tileset.known == (Tile.M1, Tile.M2)
    assert len(tileset.missing) == 40


def test_a_set_of_another_network_is_refused() -> None:
    """Its numbers mean nothing there."""
    with pytest.raises(OtherNetworkError, match=r"'mine' .* add its photos again"):
        dotted_reader(network="dots-2").with_tileset(own_set())


def changed(row: int, column: int, tile: Tile | None) -> list[list[Tile]]:
    """The printed order with one face replaced, or left out."""
    rows = [list(row) for row in ROWS]
    rows[row][column : column + 1] = [] if tile is None else [tile]
    return rows


def test_too_few_faces() -> None:
    """The sentence names the row and what belongs there."""
    with pytest.raises(FaceCountError, match=r"41 of the 42 faces .* row 4 has 6 instead of 7 \(ESWNCFP\); lay"):
        learn(dotted_reader(), photo(changed(3, 2, None)), PRINTED_ORDER)
    with pytest.raises(FaceCountError, match="no tiles were found"):
        learn(dotted_reader(), Frame(np.full((300, 400, 3), (60, 120, 40), np.uint8)), PRINTED_ORDER)


def test_a_face_that_lies_twice() -> None:
    """3p lies in the place of 7p: the same picture, the same name."""
    with pytest.raises(DoubledFaceError, match="3p seems to lie there twice, also in the place of 7p"):
        learn(dotted_reader(), photo(changed(1, 6, Tile.P3)), PRINTED_ORDER)


def test_a_mistaken_network_is_no_doubled_face() -> None:
    """A kind that the network takes for its neighbour looks different, so it is learnt."""
    assert len(own_set(dotted_reader(mistaken=HARD[:3])).known) == 42


def test_tiles_in_another_order() -> None:
    """Rows of the right length but exchanged."""
    rows = [ROWS[1], ROWS[0], ROWS[2], ROWS[3], ROWS[4]]
    with pytest.raises(FaceOrderError, match="do not lie in the order: 18 of 42"):
        learn(dotted_reader(), photo(rows), PRINTED_ORDER)


def test_a_blurred_photo() -> None:
    """The sentence says how to do better."""
    with pytest.raises(BlurredError, match="blurred; hold the phone still"):
        learn(dotted_reader(), photo(ROWS, blur=5.0), PRINTED_ORDER)


def test_own_order_and_tiles_to_pass_over() -> None:
    """Any rows will do; None is a tile that is not learnt."""
    order = ((Tile.M1, None, Tile.M3, Tile.M4), (Tile.EAST, Tile.SOUTH))
    frame = photo([[Tile.M1, Tile.PLUM, Tile.M3, Tile.M4], [Tile.EAST, Tile.SOUTH]])
    assert learn(dotted_reader(), frame, order).kinds == (Tile.M1, Tile.M3, Tile.M4, Tile.EAST, Tile.SOUTH)


def test_things_beside_the_tiles_are_left_out() -> None:
    """A lighter, a box: found with less certainty than the faces, they do not spoil the order."""
    image = np.vstack([np.asarray(photo(ROWS).image), np.full((160, photo(ROWS).width, 3), (60, 120, 40), np.uint8)])
    image[-120:-50, 40:110] = (235, 235, 235)
    reader = dotted_reader()
    assert learn(reader, Frame(image), PRINTED_ORDER).kinds == tuple(tile for row in ROWS for tile in row)
