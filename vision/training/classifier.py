"""Trains the classifier from a recipe: from scratch, on one core, with a schedule that knows its end."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import torch
from torch.nn import functional
from torch.utils.data import DataLoader, IterableDataset

from vision.errors import DatasetError, RecipeError
from vision.training.checkpoints import averaged_weights
from vision.training.classifier_augment import Augmentation
from vision.training.classifier_batches import Batch, CropSampler
from vision.training.classifier_data import WideCrops, cut_photo_set, data_hash
from vision.training.classifier_export import export
from vision.training.classifier_network import FaceNetwork, as_input
from vision.training.classifier_score import Scores, guess_turns, score_crops
from vision.training.published import load_published
from vision.training.recipes import Recipe, TrainingResult, append_row

START_BATCHES = 40
"""So many batches show the spread of values inside a published network."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """The table ``[schedule]``: one cosine from ``rate`` to nearly 0 over the recipe's minutes, after a short rise."""

    batch: int = 128
    rate: float = 3e-3
    decay: float = 0.05
    smoothing: float = 0.05
    turn_weight: float = 0.3
    average: float = 0.9995
    check_minutes: float = 4.0

    def rate_at(self, progress: float) -> float:
        """Learning rate at a share 0..1 of the training."""
        rise = min(1.0, progress / 0.02 + 0.02)
        return self.rate * rise * (0.01 + 0.99 * 0.5 * (1 + float(np.cos(np.pi * min(progress, 1.0)))))


class _Stream(IterableDataset[tuple[torch.Tensor, ...]]):
    """Batches for a DataLoader: the augmentation runs beside the training."""

    def __init__(self, sampler: CropSampler, count: int, seed: int) -> None:
        self.sampler, self.count, self.seed = sampler, count, seed

    def __iter__(self) -> Iterator[tuple[torch.Tensor, ...]]:
        torch.set_num_threads(1)
        rng = np.random.default_rng(self.seed)
        while True:
            batch: Batch = self.sampler.draw(rng, self.count)
            yield tuple(map(torch.from_numpy, (batch.images, batch.target, batch.turns, batch.turn_period)))


def train_recipe(recipe: Recipe, resume: bool, minutes: float | None) -> TrainingResult:
    """Train as ``vision.training.train`` describes; leaves checkpoint.pt, classifier.onnx and runs.csv in ``out``."""
    cv2.setNumThreads(0)  # OpenCV's own threads would not survive into the process that augments
    torch.set_num_threads(int(recipe.tables.get("threads", 1)))
    torch.manual_seed(recipe.seed)
    recipe.out.mkdir(parents=True, exist_ok=True)
    crops, validation = load_material(recipe)
    run = _Run(recipe, crops, validation)
    if resume:
        run.load()
    run.go(minutes)
    return run.finish()


def load_material(recipe: Recipe) -> tuple[WideCrops, WideCrops]:
    """Training and validation crops of the recipe's sets, cut once and kept in ``out``."""
    excluded = set(recipe.tables.get("exclude_sets", ()))
    names = [name for name in recipe.table("sets") if name not in excluded]
    if not names:
        raise RecipeError(f"{recipe.path.name}: no set is left to train on")
    parts: dict[str, list[WideCrops]] = {"train": [], "val": []}
    for name in names:
        for split, found in parts.items():
            kept = recipe.out / f"{name}-{split}.npz"
            if not kept.is_file():
                folder = recipe.data_root / name
                if not (folder / "split.csv").is_file():
                    raise DatasetError(f"no data set at {folder} (set JINQUE_DATA to the folder that holds it)")
                cut_photo_set(folder, (split,)).save(kept)
            found.append(WideCrops.load(kept))
    if "rendered" in recipe.tables:
        files = sorted((recipe.out / str(recipe.table("rendered")["folder"])).glob("rendered-*.npz"))
        if not files:
            raise DatasetError("no rendered crops: run python -m vision.training.classifier_rendered first")
        parts["train"].extend(map(WideCrops.load, files))
    return WideCrops.concatenate(parts["train"]), WideCrops.concatenate(parts["val"])


class _Run:
    """One training: network, averaged network, optimiser and clock."""

    def __init__(self, recipe: Recipe, crops: WideCrops, validation: WideCrops) -> None:
        self.recipe, self.crops, self.validation = recipe, crops, validation
        self.schedule = Schedule(**recipe.table("schedule"))
        shape = recipe.table("network")
        self.network = FaceNetwork(tuple(shape["widths"]), tuple(shape["blocks"])).to(memory_format=torch.channels_last)
        self.average = FaceNetwork(tuple(shape["widths"]), tuple(shape["blocks"])).to(memory_format=torch.channels_last)
        if recipe.start is not None and recipe.start.suffix == ".onnx":
            load_published(self.network, recipe.start, self._samples(START_BATCHES))
        elif recipe.start is not None:
            self.network.load_state_dict(averaged_weights(recipe.start, "average"))
        self.average.load_state_dict(self.network.state_dict())
        self.optimizer = torch.optim.AdamW(_groups(self.network, self.schedule.decay), lr=self.schedule.rate)
        self.step, self.seconds = 0, 0.0
        self.checkpoint = recipe.out / "checkpoint.pt"
        self.scores: list[Scores] = []

    def _samples(self, batches: int) -> Iterator[torch.Tensor]:
        """Crops as the training shows them, batch by batch."""
        sampler, rng = self._sampler(), np.random.default_rng(self.recipe.seed)
        for _ in range(batches):
            yield as_input(torch.from_numpy(sampler.draw(rng, self.schedule.batch).images))

    def _sampler(self) -> CropSampler:
        weights = dict(self.recipe.table("sets"))
        if "rendered" in self.recipe.tables:
            weights["rendered"] = float(self.recipe.table("rendered")["weight"])
        how = Augmentation(**_tuples(self.recipe.table("augment")))
        return CropSampler(self.crops, weights, how, float(self.recipe.table("sampling")["negatives"]))

    def load(self) -> None:
        """Go on where the last run stopped."""
        if not self.checkpoint.is_file():
            raise RecipeError(f"nothing to resume: {self.checkpoint} does not exist")
        state: dict[str, Any] = torch.load(self.checkpoint, weights_only=True)
        self.network.load_state_dict(state["network"])
        self.average.load_state_dict(state["average"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.step, self.seconds = int(state["step"]), float(state["seconds"])

    def save(self) -> None:
        """Write the checkpoint; an interrupted write leaves the old one."""
        state = {
            "network": self.network.state_dict(),
            "average": self.average.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "step": self.step,
            "seconds": self.seconds,
        }
        fresh = self.checkpoint.with_suffix(".new")
        torch.save(state, fresh)
        fresh.replace(self.checkpoint)

    @property
    def progress(self) -> float:
        return self.seconds / 60 / self.recipe.minutes

    def go(self, minutes: float | None) -> None:
        """Train until the schedule ends or ``minutes`` of wall time are over."""
        if self.step or self.recipe.start is not None:
            guess_turns(self.average, self.crops)
        stream = _Stream(self._sampler(), self.schedule.batch, self.recipe.seed * 1_000_003 + self.step)
        loader = DataLoader(stream, batch_size=None, num_workers=1, prefetch_factor=6)
        begun = mark = time.monotonic()
        checked = self.seconds
        losses: list[float] = []
        for batch in loader:
            losses.append(self._learn(*batch))
            now = time.monotonic()
            self.seconds, mark = self.seconds + now - mark, now
            over = self.progress >= 1 or (minutes is not None and now - begun >= minutes * 60)
            if over or self.seconds - checked >= self.schedule.check_minutes * 60:
                self._check(float(np.mean(losses)))
                losses, checked, mark = [], self.seconds, time.monotonic()
            if over:
                break

    def _learn(self, images: torch.Tensor, target: torch.Tensor, turns: torch.Tensor, period: torch.Tensor) -> float:
        rate = self.schedule.rate_at(self.progress)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.network.train()
        x = as_input(images)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            label, turn, _ = self.network(x)
        loss = functional.cross_entropy(label.float(), target, label_smoothing=self.schedule.smoothing)
        total = loss + self.schedule.turn_weight * turn_loss(turn.float(), turns, period)
        self.optimizer.zero_grad()
        total.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 2.0)
        self.optimizer.step()
        self.step += 1
        self._average()
        return float(loss.detach())

    def _average(self) -> None:
        keep = min(self.schedule.average, (1 + self.step) / (10 + self.step))
        with torch.no_grad():
            for mean, value in zip(self.average.state_dict().values(), self.network.state_dict().values(), strict=True):
                if mean.dtype.is_floating_point:
                    mean.lerp_(value, 1 - keep)
                else:
                    mean.copy_(value)

    def _check(self, loss: float) -> None:
        score = score_crops(self.average, self.validation)
        self.scores.append(score)
        self.save()
        export(self.average, self.recipe.out / "classifier.onnx")
        row: dict[str, object] = {
            "recipe": self.recipe.path.name,
            "seed": self.recipe.seed,
            "data": data_hash(self.crops) if len(self.scores) == 1 else "",
            "crops": len(self.crops),
            "step": self.step,
            "minutes": round(self.seconds / 60, 1),
            "loss": round(loss, 4),
            "val_right": round(score.right, 4),
            "val_by_set": " ".join(f"{name}={share:.4f}" for name, share in score.by_set.items()),
            "val_turn": round(score.turn_right, 4),
        }
        append_row(self.recipe.out / "runs.csv", row)

    def finish(self) -> TrainingResult:
        """Report what was learned."""
        last = self.scores[-1] if self.scores else score_crops(self.average, self.validation)
        return TrainingResult(
            kind="classifier",
            out=self.recipe.out,
            checkpoint=self.checkpoint,
            steps=self.step,
            minutes=self.seconds / 60,
            finished=self.progress >= 1,
            metrics={"val_right": last.right, **{f"val_{name}": share for name, share in last.by_set.items()}},
        )


def turn_loss(logits: torch.Tensor, turns: torch.Tensor, period: torch.Tensor) -> torch.Tensor:
    """Cross-entropy of the quarter turn [N, 4]; faces of period 2 may be off by a half turn, of period 0 by any."""
    log = functional.log_softmax(logits, dim=1)
    own = log.gather(1, turns[:, None])[:, 0]
    half = torch.logaddexp(own, log.gather(1, (turns[:, None] + 2) % 4)[:, 0])
    chosen = torch.where(period == 4, own, torch.where(period == 2, half, torch.zeros_like(own)))
    return -chosen.sum() / max(1, int((period > 0).sum()))


def _groups(network: torch.nn.Module, decay: float) -> list[dict[str, Any]]:
    """Weight decay for matrices and kernels only."""
    plain = [value for value in network.parameters() if value.ndim > 1]
    rest = [value for value in network.parameters() if value.ndim <= 1]
    return [{"params": plain, "weight_decay": decay}, {"params": rest, "weight_decay": 0.0}]


def _tuples(table: Any) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
