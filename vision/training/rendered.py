"""Rendered scenes on disk as training material: ``images/NAME.jpg`` and ``labels/NAME.txt`` (YOLO OBB).

The corners in the labels are not cut at the edges of the picture: a cut corner would bend the box.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.errors import DatasetError
from vision.synth.arrangements import LAYOUTS
from vision.synth.designs import Design, design_pool
from vision.synth.scene import BACK as BACK_CODE
from vision.synth.scene import render_scene
from vision.training.real_photos import BACK, FACE, LazyPhoto

MAX_OCCLUSION = 0.55  # tiles hidden by more get no label
SIZE_PX = 640


@dataclass(frozen=True, slots=True)
class SceneTable:
    """Table ``[[scenes]]`` of a recipe: scenes 0 to ``count`` of a seed, drawn with so many ``designs`` of tiles."""

    seed: int
    count: int
    designs: int
    art: Path | None
    crops: Path | None = None
    """Real faces, cut out, for a quarter of the designs: a folder as `vision.synth.photos.read_crops` takes it."""
    kinds: tuple[str, ...] = ()
    """Names out of `vision.synth.arrangements.LAYOUTS` that take turns; by chance, as often as they say, without."""
    patterned: float = 0.4
    """Share of the designs with a pattern on the backs."""
    size_px: int = SIZE_PX
    """Edge of the square pictures: larger ones for whole tables, whose tiles are small."""

    @classmethod
    def of(cls, table: Mapping[str, Any], data_root: Path) -> SceneTable:
        """The table as a value; ``art`` and ``crops`` are folders relative to the data root.

        Without both the designs are procedural. Of a labelled set of crops only the training split is taken.

        Raises:
            DatasetError: one of the folders is not there, or there is no such kind of scene.
        """
        folders = {name: data_root / str(table[name]) for name in ("art", "crops") if name in table}
        for name, folder in folders.items():
            if not folder.is_dir():
                raise DatasetError(f"[[scenes]] {name}: the folder {folder} is not there")
        designs = int(table.get("designs", 60))
        kinds = tuple(map(str, table.get("kinds", ())))
        if unknown := sorted(set(kinds) - set(LAYOUTS)):
            raise DatasetError(f"[[scenes]] kinds: {', '.join(unknown)} is none of {', '.join(LAYOUTS)}")
        art, crops = folders.get("art"), folders.get("crops")
        patterned, size = float(table.get("patterned", 0.4)), int(table.get("size_px", SIZE_PX))
        return cls(int(table["seed"]), int(table["count"]), designs, art, crops, kinds, patterned, size)

    def name(self, index: int) -> str:
        """File name, without suffix, of a scene."""
        return f"{self.seed}-{index:05d}"


def load_scenes(folder: Path, table: SceneTable) -> list[LazyPhoto]:
    """The scenes of the table; those that are not in ``folder`` yet are rendered into it first.

    Raises:
        DatasetError: a scene on disk is damaged.
    """
    missing = [i for i in range(table.count) if not (folder / "labels" / f"{table.name(i)}.txt").is_file()]
    if missing:
        designs = design_pool(table.seed, table.designs, table.art, None, table.crops, patterned=table.patterned)
        for index in missing:
            _render(folder, table, index, designs)
    return [_load(folder, table.name(index)) for index in range(table.count)]


def _render(folder: Path, table: SceneTable, index: int, designs: list[Design]) -> None:
    (folder / "images").mkdir(parents=True, exist_ok=True)
    (folder / "labels").mkdir(exist_ok=True)
    layout = table.kinds[index % len(table.kinds)] if table.kinds else None
    scene = render_scene(np.random.default_rng([table.seed, index]), designs, table.size_px, layout)
    height, width = scene.image.shape[:2]
    lines = []
    for tile in scene.tiles:
        if tile.occlusion <= MAX_OCCLUSION:
            corners = (tile.quad / (width, height)).ravel()
            kind = BACK if tile.code == BACK_CODE else FACE
            lines.append(" ".join([str(kind), *(f"{value:.5f}" for value in corners)]) + "\n")
    name = table.name(index)
    cv2.imwrite(str(folder / "images" / f"{name}.jpg"), scene.image, [cv2.IMWRITE_JPEG_QUALITY, 90])
    (folder / "labels" / f"{name}.txt").write_text("".join(lines), encoding="utf-8")


def _load(folder: Path, name: str) -> LazyPhoto:
    encoded = np.frombuffer((folder / "images" / f"{name}.jpg").read_bytes(), np.uint8)
    image = cv2.imdecode(encoded, cv2.IMREAD_COLOR)
    if image is None:
        raise DatasetError(f"the scene {name}.jpg is damaged: remove it and it is rendered again")
    label = folder / "labels" / f"{name}.txt"
    rows = np.array([line.split() for line in label.read_text(encoding="utf-8").splitlines()], np.float64)
    rows = rows.reshape(-1, 9)
    quads = rows[:, 1:].reshape(-1, 4, 2) * (image.shape[1], image.shape[0])
    return LazyPhoto(name, encoded, quads.astype(np.float32), rows[:, 0].astype(np.int8))
