"""暗杠: a concealed kong shows two faces between two backs. Backs are plain, so a detector easily passes them over;
beside a lone pair of like faces they are looked for on purpose."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.detections import Quads
from vision.reading import TileReading

_STEP = 0.8, 1.35  # centres of neighbours, in tile widths
_LEVEL = 0.3  # how far one may lie higher than the other, in tile widths
_FREE = 0.7  # no other tile's centre is nearer to the place of a back, in steps


def places_of_backs(tiles: Sequence[TileReading]) -> list[Quads]:
    """Where backs are to be looked for beside pairs of like faces: quads [1 or 2, 4, 2] for each pair.

    A pair with another face beside it is no kong; beside one with a back the other back alone is looked for.
    """
    centres = np.array([tile.centre for tile in tiles]).reshape(-1, 2)
    quads = np.array([tile.quad for tile in tiles]).reshape(-1, 4, 2)
    places: list[Quads] = []
    for left, tile in enumerate(tiles):
        across = (quads[left, 1] - quads[left, 0] + quads[left, 2] - quads[left, 3]) / 2
        width = float(np.linalg.norm(across)) or 1.0
        for right in range(left + 1, len(tiles)):
            if tile.tile is None or tiles[right].tile != tile.tile:
                continue
            step = centres[right] - centres[left]
            along = abs(float(step @ across)) / width**2  # either may lie upside down
            off = abs(float(step[0] * across[1] - step[1] * across[0])) / width**2
            if not (_STEP[0] <= along <= _STEP[1] and off <= _LEVEL):
                continue
            free = []
            for quad in (quads[left] - step, quads[right] + step):
                apart = np.linalg.norm(centres - quad.mean(axis=0), axis=1)
                if apart.min() >= _FREE * np.linalg.norm(step):
                    free.append(quad)
                elif not tiles[int(apart.argmin())].face_down:
                    break
            else:
                if free:
                    places.append(np.array(free, np.float32))
    return places
