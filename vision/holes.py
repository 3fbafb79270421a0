"""Blank white dragons are easily passed over: nothing is printed on them. In a row of faces one leaves a hole.

A place with the width of one tile between two faces of a row is looked at once more where it has the colour of their
paper: what the classifier names there surely is a tile.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.places import Floats, Image, Place, patch, shrunk
from vision.reading import TileReading

_STEP = 0.85, 1.18  # centres of neighbours in a row, in their sides
_HOLES = 2  # at most, side by side
_OFF_ROW = 0.25  # how far the next one may lie beside the line of one, in sides: rows lie askew in pictures
_FREE = 0.75  # no other tile's centre is nearer to the middle of a hole, in sides
_ALIKE = 0.75  # least ratio of the areas of both
_PAPER = 30.0  # largest difference of colours, of 255, to the paper of a face beside it


def holes(readings: Sequence[TileReading], image_bgr: Image) -> NDArray[np.float32]:
    """Places between faces of a row where a tile may have been passed over: quads [K, 4, 2] in pixels.

    Args:
        readings: tiles of one photo, in any order.
        image_bgr: [H, W, 3], the photo they are of.
    """
    faces = [reading for reading in readings if not reading.face_down]
    quads: list[Floats] = []
    if len(faces) >= 2:
        image, scale = shrunk(image_bgr, faces)
        taken = np.array([reading.centre for reading in readings]) * scale
        places = [Place.of(reading, scale) for reading in faces]
        for first, second, steps in sorted(_pairs(places), key=lambda pair: pair[2]):
            for part in np.arange(1, steps) / steps:
                hole = _between(first, second, float(part))
                free = np.abs(hole.steps_to(taken)).max(axis=1).min() > _FREE
                if free and _is_paper(image, hole, first, second):
                    quads.append(hole.quad / scale)
                    taken = np.append(taken, hole.centre[None], axis=0)
    return np.array(quads, np.float32).reshape(-1, 4, 2)


def _pairs(places: Sequence[Place]) -> list[tuple[Place, Place, int]]:
    """Places two or three steps apart in a row, their sides in the same directions, with the number of steps."""
    centres = np.array([place.centre for place in places])
    pairs = []
    for index, place in enumerate(places):
        for first in (place, place.turned):
            along, off = first.steps_to(centres).T
            for steps in range(2, _HOLES + 2):
                near = (_STEP[0] * steps < along) & (along < _STEP[1] * steps) & (np.abs(off) < _OFF_ROW * steps)
                for other in np.flatnonzero(near).tolist():
                    second = min(_ways(places[other]), key=lambda way: float(np.linalg.norm(way.along - first.along)))
                    ratio = second.area / max(first.area, 1e-6)
                    if other != index and _ALIKE < ratio < 1 / _ALIKE:
                        pairs.append((first, second, steps))
    return pairs


def _between(first: Place, second: Place, part: float) -> Place:
    """A place on the way from one to another, ``part`` of it from the first."""

    def mixed(a: Floats, b: Floats) -> Floats:
        return (1 - part) * a + part * b

    return Place(
        mixed(first.centre, second.centre), mixed(first.along, second.along), mixed(first.across, second.across)
    )


def _ways(place: Place) -> list[Place]:
    """A place with each of its four sides along the row."""
    return [place, place.turned, place.turned.turned, place.turned.turned.turned]


def _is_paper(image: Image, hole: Place, first: Place, second: Place) -> bool:
    """Whether a place has the colour of the paper of one of its neighbours, at least where nothing is printed."""
    middle = _paper(image, hole)
    return min(float(np.abs(middle - _paper(image, place)).max()) for place in (first, second)) < _PAPER


def _paper(image: Image, place: Place) -> Floats:
    """Median colour of the brighter half of a tile's inner part."""
    inner = patch(image, place)[4:-4, 4:-4].reshape(-1, 3).astype(np.float64)
    light = inner.sum(axis=1)
    return np.asarray(np.median(inner[light >= np.median(light)], axis=0))
