"""Writes the classifier as ONNX."""

from __future__ import annotations

import copy
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper

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
    onnx.save(half_weights(onnx.load(path)), path)


def half_weights(model: onnx.ModelProto) -> onnx.ModelProto:
    """The model with its large weights stored in 16 bits, widened when loaded: half the file, the same sums."""
    casts = []
    for weight in model.graph.initializer:
        if weight.data_type != onnx.TensorProto.FLOAT or np.prod(weight.dims) < 1000:
            continue
        name = weight.name
        half = numpy_helper.to_array(weight).astype(np.float16)
        weight.CopyFrom(numpy_helper.from_array(half, f"{name}_half"))
        casts.append(onnx.helper.make_node("Cast", [f"{name}_half"], [name], to=onnx.TensorProto.FLOAT))
    nodes = [*casts, *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    onnx.checker.check_model(model)
    return model
