"""Blank white dragons are easily passed over: nothing is printed on them. In a row of faces one leaves a hole.

A place with the width of one tile between two faces of a row is looked at once more where it has the colour of their
paper: what the classifier names there surely is a tile.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.halves import Halves, Image
from vision.places import Floats, Place, patch, shrunk
from vision.reading import TileReading

_STEP = 0.85, 1.18  # centres of neighbours in a row, in their sides
_HOLES = 2  # at most, side by side
_OFF_ROW = 0.25  # how far the next one may lie beside the line of one, in sides: rows lie askew in pictures
_FREE = 0.75  # no other tile's centre is nearer to the middle of a hole, in sides
_ALIKE = 0.75  # least ratio of the areas of both
_PAPER = 30.0  # largest difference of colours, of 255, to the paper of a face beside it


def holes(readings: Sequence[TileReading], photo: Image | Halves) -> NDArray[np.float32]:
    """Places between faces of a row where a tile may have been passed over: quads [K, 4, 2] in pixels.

    Args:
        readings: tiles of one photo, in any order.
        photo: [H, W, 3], the photo they are of.
    """
    faces = [reading for reading in readings if not reading.face_down]
    quads: list[Floats] = []
    if len(faces) >= 2:
        image, scale = shrunk(photo, faces)
        taken = np.array([reading.centre for reading in readings]) * scale
        for hole, first, second in _gaps([Place.of(reading, scale) for reading in faces]):
            free = np.abs(hole.steps_to(taken)).max(axis=1).min() > _FREE
            if free and _is_paper(image, hole, first, second):
                quads.append(hole.quad / scale)
                taken = np.append(taken, hole.centre[None], axis=0)
    return np.array(quads, np.float32).reshape(-1, 4, 2)


def _gaps(places: Sequence[Place]) -> list[tuple[Place, Place, Place]]:
    """Places between two of a row that lie two or three steps apart, their sides in the same directions: those of one
    tile first. Each with the two."""
    centres = np.array([place.centre for place in places])
    sides = np.array([(place.along, place.across) for place in places])
    areas = np.array([place.area for place in places]).clip(1e-6)
    along, off = np.moveaxis(np.array([place.steps_to(centres) for place in places]), -1, 0)
    ways = np.stack([sides[:, 0], sides[:, 1], -sides[:, 0], -sides[:, 1]], axis=1)
    alike = areas / areas[:, None]
    alike = (alike > _ALIKE) & (alike < 1 / _ALIKE)
    np.fill_diagonal(alike, False)
    gaps = []
    for steps in range(2, _HOLES + 2):
        far = np.stack([along, off], axis=1), np.stack([off, -along], axis=1)  # [N, 2 directions, N]
        near = (_STEP[0] * steps < far[0]) & (far[0] < _STEP[1] * steps) & (np.abs(far[1]) < _OFF_ROW * steps)
        for one, turned, other in np.argwhere(near & alike[:, None]).tolist():
            first = places[one].turned if turned else places[one]
            way = int(np.linalg.norm(ways[other] - first.along, axis=1).argmin())
            second = Place(centres[other], ways[other, way], ways[other, (way + 1) % 4])
            gaps += [(_between(first, second, part / steps), first, second) for part in range(1, steps)]
    return gaps


def _between(first: Place, second: Place, part: float) -> Place:
    """A place on the way from one to another, ``part`` of it from the first."""

    def mixed(a: Floats, b: Floats) -> Floats:
        return (1 - part) * a + part * b

    return Place(
        mixed(first.centre, second.centre), mixed(first.along, second.along), mixed(first.across, second.across)
    )


def _is_paper(image: Image, hole: Place, first: Place, second: Place) -> bool:
    """Whether a place has the colour of the paper of one of its neighbours, at least where nothing is printed."""
    middle = _paper(image, hole)
    return min(float(np.abs(middle - _paper(image, place)).max()) for place in (first, second)) < _PAPER


def _paper(image: Image, place: Place) -> Floats:
    """Median colour of the brighter half of a tile's inner part."""
    inner = patch(image, place)[4:-4, 4:-4].reshape(-1, 3).astype(np.float64)
    light = inner.sum(axis=1)
    return np.asarray(np.median(inner[light >= np.median(light)], axis=0))
