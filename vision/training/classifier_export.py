"""Writes the classifier as ONNX."""

from __future__ import annotations

import copy
from pathlib import Path

import torch

from vision.crops import CROP_SIZE
from vision.training.classifier_network import FaceNetwork

OUTPUTS = ("label", "turn", "embedding")


def export(network: FaceNetwork, path: Path) -> None:
    """ONNX of the network with input ``crops`` [N, 3, 64, 64] float32 RGB 0..1 and the three outputs."""
    plain = copy.deepcopy(network).eval().to(memory_format=torch.contiguous_format)
    sample = torch.zeros(2, 3, CROP_SIZE, CROP_SIZE)
    torch.onnx.export(
        plain,
        (sample,),
        str(path),
        input_names=["crops"],
        output_names=list(OUTPUTS),
        dynamic_axes={name: {0: "count"} for name in ("crops", *OUTPUTS)},
        opset_version=17,
        dynamo=False,
    )
