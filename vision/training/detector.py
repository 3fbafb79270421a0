"""Trains the tile detector: a small YOLO with oriented boxes, from scratch, on a CPU, in a time known beforehand.

The network and its loss are ultralytics' ``yolo11n-obb``. The loop is our own because a CPU run needs what the
package's trainer does not do: bfloat16 autocast on processors that have it, a learning rate that follows the clock,
random aspect, and a stop and a resume at any step.
"""

from __future__ import annotations

import math
import signal
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.utils.data import DataLoader, IterableDataset
from ultralytics.nn.tasks import OBBModel
from ultralytics.utils.ops import xyxyxyxy2xywhr
from ultralytics.utils.torch_utils import ModelEMA

from vision.errors import RecipeError
from vision.training.checkpoints import averaged_weights
from vision.training.compositions import Composer, Picture, Variation
from vision.training.real_photos import BACK, LabelledPhoto, LazyPhoto, load_set, load_tables
from vision.training.recipes import Recipe, TrainingResult, append_row, files_hash
from vision.training.rendered import SceneTable, load_scenes

SAVE_EVERY_S = 120.0


@dataclass(frozen=True, slots=True)
class Settings:
    """Table ``[training]`` of the recipe."""

    model: str = "yolo11n-obb.yaml"
    side: int = 512
    batch: int = 8
    lr: float = 1e-3
    lr_end: float = 0.02
    weight_decay: float = 5e-4
    warmup_steps: int = 150
    threads: int = 1
    bf16: bool = True
    ema: float = 0.999
    box: float = 7.5
    cls: float = 0.5
    dfl: float = 1.5
    angle: float = 1.0


@dataclass(slots=True)
class State:
    """What a checkpoint holds beside the weights: steps done and minutes spent, over all runs of the recipe."""

    steps: int = 0
    minutes: float = 0.0


class Pictures(IterableDataset[dict[str, torch.Tensor]]):
    """Endless batches of composed pictures; ``start`` keeps a resumed run from seeing the same pictures again."""

    def __init__(self, composer: Composer, batch: int, seed: int, start: int) -> None:
        self.composer, self.batch, self.seed, self.start = composer, batch, seed, start

    def __iter__(self) -> Iterator[dict[str, torch.Tensor]]:
        cv2.setNumThreads(1)
        rng = np.random.default_rng((self.seed, self.start))
        while True:
            yield collate([self.composer.draw(rng) for _ in range(self.batch)])


def collate(pictures: list[Picture]) -> dict[str, torch.Tensor]:
    """Pictures of one size as the loss wants them: images uint8 RGB; boxes as centre and sides in 0..1, and radians."""
    images = np.stack([picture.image[..., ::-1].transpose(2, 0, 1) for picture in pictures])
    counts = [len(picture.quads) for picture in pictures]
    quads = np.concatenate([picture.quads for picture in pictures])
    boxes = xyxyxyxy2xywhr(quads).astype(np.float32)
    boxes[:, :4] /= images.shape[-1]
    classes = np.concatenate([picture.classes for picture in pictures]).astype(np.float32)
    return {
        "img": torch.from_numpy(np.ascontiguousarray(images)),
        "batch_idx": torch.arange(len(pictures)).repeat_interleave(torch.tensor(counts)).float(),
        "cls": torch.from_numpy(classes)[:, None],
        "bboxes": torch.from_numpy(boxes),
    }


def load_pool(recipe: Recipe) -> tuple[list[LabelledPhoto | LazyPhoto], NDArray[np.float64], NDArray[np.bool_], str]:
    """Pictures of ``[[photos]]``, ``[[whole_tables]]`` and ``[[scenes]]``: pool, weights, scene marks, data hash.

    The weight of a table is the share of its pictures in training; within a table all photos weigh the same.
    """
    pool: list[LabelledPhoto | LazyPhoto] = []
    weights: list[float] = []
    scene: list[bool] = []
    files: list[Path] = []
    for table in recipe.tables.get("photos", []):
        folder = recipe.data_root / str(table["set"])
        photos = load_set(folder, "train", float(table.get("grow", 1.0)))
        pool += photos
        weights += [float(table["weight"]) / max(len(photos), 1)] * len(photos)
        scene += [False] * len(photos)
        files += [folder / "images" / photo.name for photo in photos]
    for table in recipe.tables.get("whole_tables", []):
        folder = (recipe.path.parent / str(table["labels"])).resolve()
        photos = load_tables(folder, "train")
        pool += photos
        weights += [float(table["weight"]) / max(len(photos), 1)] * len(photos)
        scene += [True] * len(photos)  # they fill a picture
        files += [folder / "labels" / f"{Path(photo.name).stem}.txt" for photo in photos]
    folder = Path(str(recipe.tables.get("scenes_folder", recipe.out / "scenes"))).expanduser()
    for table in recipe.tables.get("scenes", []):
        scenes = load_scenes(folder, SceneTable.of(table, recipe.data_root))
        pool += scenes
        backs = np.array([min(int((photo.classes == BACK).sum()), 8) / 4 for photo in scenes])
        share = (1 + backs) / (1 + backs).sum()  # backs are rare, so scenes with backs come more often
        weights += (float(table["weight"]) * share).tolist()
        scene += [True] * len(scenes)
        files += [folder / "labels" / f"{Path(photo.name).stem}.txt" for photo in scenes]
    if not pool:
        tables = "[[photos]], [[whole_tables]] or [[scenes]]"
        raise RecipeError(f"{recipe.path.name}: no training pictures, expected {tables}")
    return pool, np.array(weights), np.array(scene), files_hash(files)


def build_model(settings: Settings) -> Any:
    """The untrained network with the gains of the loss; classes are face and back."""
    model = OBBModel(settings.model, nc=2, verbose=False)
    model.args = SimpleNamespace(box=settings.box, cls=settings.cls, dfl=settings.dfl, angle=settings.angle)
    model.names = {0: "face", 1: "back"}
    return model


def train_recipe(recipe: Recipe, resume: bool, minutes: float | None) -> TrainingResult:
    """Train by the recipe, see ``vision.training.train``; writes checkpoint.pt, runs.csv and log.csv to out."""
    settings = Settings(**recipe.tables.get("training", {}))
    torch.set_num_threads(settings.threads)
    torch.manual_seed(recipe.seed)
    pool, weights, scene, data_hash = load_pool(recipe)
    composer = Composer(pool, weights, scene, settings.side, Variation.of(recipe.tables.get("variation", {})))
    model = build_model(settings).to(memory_format=torch.channels_last)
    if recipe.start is not None and not resume:
        model.load_state_dict(averaged_weights(recipe.start, "ema"))
    decayed = [p for p in model.parameters() if p.ndim > 1]
    plain = [p for p in model.parameters() if p.ndim <= 1]
    optimizer = torch.optim.AdamW(
        [{"params": decayed, "weight_decay": settings.weight_decay}, {"params": plain, "weight_decay": 0.0}],
        lr=settings.lr,
    )
    ema = ModelEMA(model, decay=settings.ema, tau=300)
    state = State()
    checkpoint = recipe.out / "checkpoint.pt"
    if resume:
        if not checkpoint.is_file():
            raise RecipeError(f"nothing to resume: there is no {checkpoint}")
        saved = torch.load(checkpoint, map_location="cpu", weights_only=True)
        model.load_state_dict(saved["model"])
        ema.ema.load_state_dict(saved["ema"])
        ema.updates = saved["ema_updates"]
        optimizer.load_state_dict(saved["optimizer"])
        state = State(**saved["state"])
    recipe.out.mkdir(parents=True, exist_ok=True)

    def save() -> None:
        content = {
            "model": model.state_dict(),
            "ema": ema.ema.state_dict(),
            "ema_updates": ema.updates,
            "optimizer": optimizer.state_dict(),
            "state": asdict(state),
            "settings": asdict(settings),
            "data_hash": data_hash,
            "seed": recipe.seed,
        }
        fresh = checkpoint.with_suffix(".new")
        torch.save(content, fresh)
        fresh.replace(checkpoint)  # a stop while writing keeps the last whole checkpoint

    loader = DataLoader(Pictures(composer, settings.batch, recipe.seed, state.steps), batch_size=None, num_workers=1)
    stopped: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: stopped.append(number))  # a stop from outside keeps what was learnt
    model.train()
    before, begun, saved_at = state.minutes, time.monotonic(), time.monotonic()
    end = before + minutes if minutes is not None else recipe.minutes
    steps_before = state.steps
    sums, logged = np.zeros(4), 0
    for batch in loader:
        state.minutes = before + (time.monotonic() - begun) / 60
        started = state.steps > steps_before or before >= recipe.minutes
        if (started and state.minutes >= min(end, recipe.minutes)) or stopped:
            break  # a run that is not done makes one step at least, however slowly its pictures come
        done = min(state.minutes / recipe.minutes, 1.0)
        rate = settings.lr * (settings.lr_end + (1 - settings.lr_end) * 0.5 * (1 + math.cos(math.pi * done)))
        rate *= min(1.0, (state.steps + 1) / settings.warmup_steps)
        for group in optimizer.param_groups:
            group["lr"] = rate
        sums += _step(model, optimizer, batch, settings.bf16)
        ema.update(model)
        state.steps += 1
        logged += 1
        if logged == 50:
            names = ("box", "cls", "dfl", "angle")
            means = {name: round(float(value), 4) for name, value in zip(names, sums / logged, strict=True)}
            append_row(
                recipe.out / "log.csv",
                {"steps": state.steps, "minutes": round(state.minutes, 2), "lr": f"{rate:.3g}", **means},
            )
            sums, logged = np.zeros(4), 0
        if time.monotonic() - saved_at > SAVE_EVERY_S:
            save()
            saved_at = time.monotonic()
    save()
    finished = state.minutes >= recipe.minutes
    append_row(
        recipe.out / "runs.csv",
        {
            "recipe": recipe.path.name,
            "seed": recipe.seed,
            "data_hash": data_hash,
            "pictures": len(pool),
            "steps": state.steps,
            "minutes": round(state.minutes, 1),
            "finished": finished,
        },
    )
    return TrainingResult("detector", recipe.out, checkpoint, state.steps, state.minutes, finished, {})


def _step(
    model: Any, optimizer: torch.optim.Optimizer, batch: dict[str, torch.Tensor], bf16: bool
) -> NDArray[np.float64]:
    """One step of the optimizer; the loss parts box, cls, dfl, angle. The loss itself is computed in float32."""
    batch["img"] = (batch["img"].float() / 255).contiguous(memory_format=torch.channels_last)
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=bf16):
        predicted = model(batch["img"])
    predicted = {
        key: value.float() if isinstance(value, torch.Tensor) else [part.float() for part in value]
        for key, value in predicted.items()
    }
    loss, parts = model.loss(batch, predicted)
    optimizer.zero_grad(set_to_none=True)
    loss.sum().div(len(batch["img"])).backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 10.0)
    optimizer.step()
    return np.array([float(value) for value in parts.values()])
