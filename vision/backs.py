"""What lies face down in a photo, seen together: backs of one set are alike, and other than the faces.

By itself a patterned back may look like a face and a blank side of a tile, or a blank white dragon, like a white back.
One photo tells more: more than four faces that look the same are none; where the sure backs are coloured, what is white
as the faces is no back, and what has their colour is no white dragon; where they are white, a white tile is what the
tiles of its row are, unless it is printed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.tiles import Tile
from vision.back_rows import complete_rows
from vision.halves import Halves, Image
from vision.naming import BACK, NOT_A_FACE, TILES
from vision.places import STEP, Floats, Place, patch, shrunk
from vision.reading import TileReading

_SURE = 0.9  # chance of a back from which its colour counts
_NO_TILE = 0.3  # what shows no face with this chance is no picture of a back to look for
_NOTHING = 0.95  # and with this chance it is not asked about either
_APART = 18.0  # distance in colour from which backs and faces of a set can be told by it
_SAME_WHITE = 8.0  # distance in colour within which a blank tile is as white as faces
_NEARER = 0.5  # how much nearer one colour has to be than the other
_LIGHT = 0.4  # how much brightness counts in it: light falls unevenly on a table
_WITNESSES = 5  # tiles around that show the colours
_LEAST = 3
_SAME = 0.8  # correlation of pictures of the same
_TOO_MANY = 5  # of no kind there are so many
_PRINTED = 5.0  # spread of brightness, of 255, from which a tile is not blank
_PRINTED_MUCH = 12.0  # the same where there is nothing to compare with
_SURER = 3.0  # by so much in log odds a printed white dragon is surer than the white backs of its set
_SURE_FACE = 0.985
_SURE_PRINT = 0.99  # what is printed and so surely a white dragon is one, whatever the detector says
_ONE_SIZE = 0.65  # ratio of areas within which tiles in a row are of one size
_OF_ROW = 2  # white backs in a row with a white tile that make it one of them
_FACES = 3  # of a concealed kong no more than two faces are seen; a lone white tile beside more is a face
_EITHER_WAY = 0.5  # chance of a blank face that may as well be a white back
_REACH = 3.4  # sides of a tile within which others show what a row is of
_IN_ROW = 0.3  # how far a neighbour in a row may lie beside its line, in sides


def read_backs(
    readings: Sequence[TileReading], chances: NDArray[np.floating], photo: Image | Halves, known: float
) -> list[TileReading]:
    """The readings with backs told from faces and sides by each other, and rows of backs completed.

    Args:
        readings: N tiles of one photo, in any order.
        chances: [N, 44] of the labels `vision.weights.FACE_LABELS`, what the classifier said of each.
        photo: [H, W, 3], blue-green-red.
        known: chance from which a face is named.
    """
    if not readings:
        return []
    halves = Halves.of(photo)
    looks = _Looks(readings, chances, halves)
    told = looks.without_sides(looks.told(looks.alike(), known), known)
    left = [index for index, reading in enumerate(told) if reading is not None]
    kept = [reading for reading in told if reading is not None]
    seeds = [
        place for place, index in enumerate(left) if kept[place].face_down and chances[index, NOT_A_FACE] < _NO_TILE
    ]
    return complete_rows(kept, seeds, halves)


def with_printed_dragons(
    readings: Sequence[TileReading], chances: NDArray[np.floating], photo: Halves
) -> list[TileReading]:
    """The readings with white dragons named that were taken for backs although much is printed on them.

    For parts of a live frame, which are too small to compare all their tiles; arguments as of `read_backs`.
    """
    found = list(readings)
    doubtful = [reading.face_down or reading.is_unknown for reading in found]
    rows = np.flatnonzero(doubtful & (chances[:, Tile.WHITE] >= _SURE_PRINT)).tolist() if found else []
    if rows:
        looks = _Looks([found[row] for row in rows], chances[rows], photo)
        for row, printed in zip(rows, looks.printed.tolist(), strict=True):
            if printed > _PRINTED_MUCH:
                chance = min(1.0, float(chances[row, Tile.WHITE]))
                found[row] = replace(found[row], tile=Tile.WHITE, face_down=False, confidence=chance, alternatives=())
    return found


class _Looks:
    """How the tiles of one photo look."""

    def __init__(self, readings: Sequence[TileReading], chances: NDArray[np.floating], photo: Halves) -> None:
        self.readings = list(readings)
        self.chances = np.asarray(chances, np.float64)
        image, scale = shrunk(photo, readings)
        self.places = [Place.of(reading, scale) for reading in readings]
        self.areas = np.array([max(1.0, place.area) for place in self.places])
        self.centres = np.array([place.centre for place in self.places])
        self.patches = np.stack([patch(image, place) for place in self.places])
        side = self.patches.shape[1]
        labs = cv2.cvtColor(self.patches.reshape(-1, side, 3).astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
        labs = np.asarray(labs, np.float32).reshape(self.patches.shape)
        inner = labs[:, 5:-5, 5:-5].reshape(len(labs), -1, 3)
        self.colours = inner.mean(axis=1) * [_LIGHT, 1, 1]
        bright = inner[..., 0] >= np.percentile(inner[..., 0], 60, axis=1)[:, None]
        self.paper = _medians(inner, bright) * [_LIGHT, 1, 1]
        self.printed = _spread(labs[:, 3:-3, 3:-3, 0] * 2.55)
        self.white = self.chances[:, [*range(TILES), BACK]].argmax(axis=1) == Tile.WHITE
        self.white &= self.chances[:, NOT_A_FACE] < _NOTHING
        self.prints = self._prints(np.array([reading.face_down for reading in readings]))

    def _prints(self, down: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which tiles are not blank: their brightness varies, or they are far surer white dragons than white backs."""
        chance = np.clip(self.chances[:, Tile.WHITE], 1e-6, 1 - 1e-6)
        odds = np.log(chance / (1 - chance))
        backs = odds[down & self.white]
        surer = odds > np.percentile(backs, 75) + _SURER if len(backs) >= _LEAST else np.zeros(len(odds), np.bool_)
        return np.asarray((self.printed > _PRINTED) | (self.white & surer), np.bool_)

    def alike(self) -> list[TileReading]:
        """The readings, with doubtful faces turned down of which more look the same than there are of any kind."""
        doubtful = np.array([_doubtful(reading) for reading in self.readings]) & (self.printed > _PRINTED)
        rows = np.flatnonzero(doubtful)
        if len(rows) < _TOO_MANY:
            return list(self.readings)
        pictures = self.patches[rows].astype(np.float64)
        same = np.maximum(_correlation(pictures, pictures), _correlation(pictures, pictures[:, ::-1, ::-1])) > _SAME
        near = np.abs(self.colours[rows][:, None] - self.colours[rows][None]).max(axis=2) < _APART
        names = np.array([-1 if (tile := self.readings[row].tile) is None else int(tile) for row in rows])
        many = np.array([_of_one_kind(names[alike]) >= _TOO_MANY for alike in same & near])
        found = list(self.readings)
        for row in rows[many]:
            found[row] = _turned_down(found[row])
        return found

    def told(self, readings: list[TileReading], known: float) -> list[TileReading]:
        """The readings with white tiles told by the colours of sure backs and faces around, or by their row."""
        found = list(readings)
        backs = np.array([r.face_down for r in readings]) & (
            (self.chances[:, BACK] > _SURE) | (self.printed > _PRINTED)
        )
        faces = np.array([r.tile is not None and r.tile is not Tile.WHITE for r in readings])
        self.is_side = np.zeros(len(readings), np.bool_)
        down = np.array([r.face_down for r in readings])
        self._see_blank_ones(down, faces)
        for index in np.flatnonzero(self.white).tolist():
            reading = readings[index]
            if not reading.face_down and reading.best is not Tile.WHITE:
                continue
            back, face = self._around(index, backs, self.colours), self._around(index, faces, self.paper)
            if back is not None and face is not None and np.linalg.norm(back - face) > _APART:
                to_back = float(np.linalg.norm(self.colours[index] - back))
                to_face = float(np.linalg.norm(self.colours[index] - face))
                if reading.face_down and to_face < _NEARER * to_back:
                    found[index], self.is_side[index] = self._printed(index, reading)
                elif not reading.face_down and to_back < _NEARER * to_face:
                    found[index] = _turned_down(reading)
                elif reading.is_unknown and to_face < _NEARER * to_back:
                    found[index] = self._no_back(index, reading, known)
                continue
            found[index] = self._by_row(index, reading, down, faces, known)
        return found

    def _see_blank_ones(self, down: NDArray[np.bool_], faces: NDArray[np.bool_]) -> None:
        """Counts backs as white that are blank and have the colour of the faces around: the white dragon of many sets
        is nothing else, however sure of a back a network is that knows none of them."""
        is_tile = self.chances[:, NOT_A_FACE] < _NO_TILE
        for index in np.flatnonzero(down & is_tile & ~self.white & (self.printed <= _PRINTED)).tolist():
            face = self._around(index, faces, self.paper)
            self.white[index] = face is not None and float(np.linalg.norm(self.colours[index] - face)) < _SAME_WHITE

    def without_sides(self, readings: list[TileReading], known: float) -> list[TileReading | None]:
        """The readings without white sides of tiles; one beside a face, or alone, may be a white dragon."""
        found: list[TileReading | None] = list(readings)
        faces = np.array([reading.tile is not None for reading in readings])
        self._keep_dazzled(np.array([reading.face_down for reading in readings]), faces)
        for index in np.flatnonzero(self.is_side).tolist():
            chance = min(1.0, float(self.chances[index, Tile.WHITE]))
            if self._of_faces(index, faces):
                found[index] = self._no_back(index, _asked(readings[index], chance), known)
            elif any((beside & self.is_side).any() for _, beside in self._rows(index)):
                found[index] = None
            else:
                found[index] = _asked(readings[index], chance)
        return found

    def _keep_dazzled(self, down: NDArray[np.bool_], faces: NDArray[np.bool_]) -> None:
        """Light makes coloured backs white: in a row that goes on in their colour they are no sides.

        Sides lie beside the backs of their own tiles, so a tile with other sides or faces across that row is none.
        """
        found = True
        while found:
            found = False
            for index in np.flatnonzero(self.is_side).tolist():
                (_, first), (_, second) = self._rows(index)
                for along, across in ((first, second), (second, first)):
                    if (along & down & ~self.is_side).any() and not (across & (self.is_side | faces)).any():
                        self.is_side[index], found = False, True

    def _printed(self, index: int, reading: TileReading) -> tuple[TileReading, bool]:
        """A white tile that was taken for a back, as white dragon where it is printed; and whether it may be a side."""
        chance = min(1.0, float(self.chances[index, Tile.WHITE]))
        if not self.prints[index] or chance < _SURE_PRINT:
            return reading, True
        return replace(reading, tile=Tile.WHITE, face_down=False, confidence=chance), False

    def _of_faces(self, index: int, faces: NDArray[np.bool_]) -> bool:
        """Whether a white tile lies in a row of faces of its size, others like it between them perhaps."""
        size = self.areas / self.areas[index]
        faces = faces & (size > _ONE_SIZE) & (size < 1 / _ONE_SIZE)
        return any(
            int((row & faces).sum()) >= 2 and ((beside & faces).any() or (beside & self.is_side).any())
            for row, beside in self._rows(index)
        )

    def _no_back(self, index: int, reading: TileReading, known: float) -> TileReading:
        """An unknown white tile that is surely no back: a white dragon where no other face is likely."""
        back, white = self.chances[index, [BACK, int(Tile.WHITE)]]
        chance = min(1.0, float(white / max(1e-6, 1 - back)))
        if chance < known:
            return reading
        return replace(reading, tile=Tile.WHITE, confidence=chance, alternatives=(), by_context=True)

    def _by_row(
        self, index: int, reading: TileReading, down: NDArray[np.bool_], faces: NDArray[np.bool_], known: float
    ) -> TileReading:
        """A white tile where the backs may be white: printed, it is a white dragon; blank, it is what its row is, and
        alone it is asked about."""
        plain = down & self.white & ~self.prints
        plain[index] = False
        chance = min(1.0, float(self.chances[index, Tile.WHITE]))
        if self.prints[index]:
            is_told = reading.face_down and int(plain.sum()) >= _LEAST
            return self._printed(index, reading)[0] if is_told else reading
        rows = list(self._rows(index))
        if any((row & plain).sum() >= _OF_ROW and not (row & beside & faces).any() for row, beside in rows):
            return reading if reading.face_down else _turned_down(reading)
        if reading.face_down and any(
            int((row & faces).sum()) >= _FACES and (beside & faces).any() and not (row & plain).any()
            for row, beside in rows
        ):
            return self._no_back(index, _asked(reading, chance), _EITHER_WAY)  # a blank tile among faces
        white_backs = reading.face_down and int(plain.sum()) >= _LEAST
        if reading.is_unknown or white_backs or any((beside & (faces | plain)).any() for _, beside in rows):
            return reading
        return _asked(reading, chance)

    def _around(self, index: int, rows: NDArray[np.bool_], colours: Floats) -> Floats | None:
        """Median colour of the nearest of some tiles; None where there are too few."""
        rows = rows.copy()
        rows[index] = False
        chosen = np.flatnonzero(rows)
        if len(chosen) < _LEAST:
            return None
        apart = np.linalg.norm(self.centres[chosen] - self.centres[index], axis=1)
        return np.asarray(np.median(colours[chosen[np.argsort(apart)[:_WITNESSES]]], axis=0))

    def _rows(self, index: int) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.bool_]]]:
        """For both directions of a tile: which tiles lie in one row with it, and which of them next to it."""
        for place in (self.places[index], self.places[index].turned):
            along, off = np.abs(place.steps_to(self.centres)).T
            row = (along > STEP[0]) & (along < _REACH) & (off < _IN_ROW)
            yield row, row & (along < STEP[1])


def _doubtful(reading: TileReading) -> bool:
    return reading.is_unknown or (
        reading.tile is not None and reading.tile is not Tile.WHITE and reading.confidence < _SURE_FACE
    )


def _of_one_kind(names: NDArray[np.integer]) -> int:
    """How many tiles that look the same may be the same: those without a name (-1), and of the most frequent name."""
    named = names[names >= 0]
    return len(names) - len(named) + int(np.bincount(named).max(initial=0))


def _asked(reading: TileReading, chance: float) -> TileReading:
    """A tile that is a white dragon or a back."""
    white = ((Tile.WHITE, chance),)
    return replace(reading, tile=None, face_down=False, confidence=min(chance, _EITHER_WAY), alternatives=white)


def _turned_down(reading: TileReading) -> TileReading:
    return replace(reading, tile=None, face_down=True, alternatives=())


def _medians(colours: NDArray[np.floating], counted: NDArray[np.bool_]) -> Floats:
    """Median colours [N, 3] of the counted ones of [N, P, 3]; at least one of each row has to be."""
    ordered = np.sort(np.where(counted[..., None], colours, np.inf), axis=1)
    count, rows = counted.sum(axis=1), np.arange(len(colours))
    return np.asarray((ordered[rows, (count - 1) // 2] + ordered[rows, count // 2]) / 2, np.float64)


def _spread(brightness: NDArray[np.floating]) -> Floats:
    """Standard deviations [N] of brightness [N, H, W] about a plane: light that falls off is no print."""
    y, x = np.mgrid[0 : brightness.shape[1], 0 : brightness.shape[2]]
    base, _ = np.linalg.qr(np.column_stack([x.ravel(), y.ravel(), np.ones(x.size)]))
    flat = brightness.reshape(len(brightness), -1).astype(np.float64)
    return np.asarray(np.std(flat - flat @ base @ base.T, axis=1))


def _correlation(first: Floats, second: Floats) -> Floats:
    """Correlation [N, N] of pictures [N, H, W, 3]."""
    rows = [part.reshape(len(part), -1) for part in (first, second)]
    rows = [part - part.mean(axis=1, keepdims=True) for part in rows]
    rows = [part / np.maximum(np.linalg.norm(part, axis=1, keepdims=True), 1e-6) for part in rows]
    return np.asarray(rows[0] @ rows[1].T)
