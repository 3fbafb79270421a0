"""Writes a trained detector as ONNX with float16 weights, with its card beside it.

``python -m vision.training.export runs/detector/checkpoint.pt models/detector.onnx``
"""

from __future__ import annotations

import hashlib
import json
import math
import sys
import warnings
from pathlib import Path
from typing import Any

import onnx
import torch
from torch import Tensor, nn

from vision.detector import DEFAULTS, LABELS
from vision.errors import RecipeError
from vision.training.detector import Settings, build_model


class RawHead(nn.Module):
    """The network with an undecoded head: boxes [1, 64, cells], logits [1, 2, cells], angles [1, 1, cells]."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model.eval()
        self.model.model[-1].training = True  # the head then returns what the loss takes

    def forward(self, image: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """``image`` is [1, 3, height, width], RGB in 0..1."""
        found = self.model(image)
        return found["boxes"], found["scores"], found["angle"]


def export_detector(checkpoint: Path, target: Path) -> str:
    """Write the averaged weights of a checkpoint to ``target`` (ONNX, any height and width); returns the SHA-256.

    Raises:
        RecipeError: there is no checkpoint.
    """
    if not checkpoint.is_file():
        raise RecipeError(f"there is no checkpoint at {checkpoint}: train first")
    saved = torch.load(checkpoint, map_location="cpu", weights_only=True)
    model = build_model(Settings(**saved["settings"]))
    model.load_state_dict(saved["ema"])
    model = model.float().fuse(verbose=False)
    target.parent.mkdir(parents=True, exist_ok=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the tracer warns about shapes that are constant on purpose
        torch.onnx.export(
            RawHead(model),
            (torch.zeros(1, 3, 256, 320),),
            str(target),
            input_names=["image"],
            output_names=["boxes", "logits", "angles"],
            dynamic_axes={
                "image": {2: "height", 3: "width"},
                "boxes": {2: "cells"},
                "logits": {2: "cells"},
                "angles": {2: "cells"},
            },
            opset_version=17,
            training=torch.onnx.TrainingMode.PRESERVE,
            dynamo=False,
        )
    onnx.save(half_weights(onnx.load(str(target))), str(target))
    digest = hashlib.sha256(target.read_bytes()).hexdigest()
    card = {
        "name": target.stem,
        "file": target.name,
        "sha256": digest,
        "labels": list(LABELS),
        "input_size": int(math.sqrt(DEFAULTS.first_area_px[0])),
        "thresholds": {"score": DEFAULTS.score_min},
        "architecture": saved["settings"]["model"],
        "training": {**saved["state"], "data_hash": saved["data_hash"], "seed": saved["seed"]},
    }
    target.with_suffix(".json").write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")
    return digest


def half_weights(network: onnx.ModelProto) -> onnx.ModelProto:
    """The network with its large float32 weights stored as float16 and cast back on loading: half the size."""
    graph = network.graph
    casts = []
    for weight in list(graph.initializer):
        if weight.data_type != onnx.TensorProto.FLOAT or len(weight.dims) < 2:
            continue
        values = onnx.numpy_helper.to_array(weight).astype("float16")
        graph.initializer.remove(weight)
        graph.initializer.append(onnx.numpy_helper.from_array(values, f"{weight.name}.half"))
        casts.append(onnx.helper.make_node("Cast", [f"{weight.name}.half"], [weight.name], to=onnx.TensorProto.FLOAT))
    for node in reversed(casts):
        graph.node.insert(0, node)
    return network


if __name__ == "__main__":
    sys.stdout.write(export_detector(Path(sys.argv[1]), Path(sys.argv[2])) + "\n")
