"""Goes on from a published classifier, where the checkpoint of its training is not at hand.

An exported network has its normalisations folded into the convolutions. They are laid out again here: each gets the
spread that its inputs have on training crops, so that the network computes what it did, and can learn on.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from vision.errors import RecipeError
from vision.training.classifier_network import FaceNetwork


def load_published(network: FaceNetwork, path: Path, batches: Iterable[Tensor]) -> None:
    """Fills ``network`` with the weights of an ONNX file that `classifier_export.export` wrote.

    Args:
        network: of the shape that was exported.
        path: the ONNX file.
        batches: crops [N, 3, 64, 64], RGB in 0..1, as training shows them; some thousand in all.

    Raises:
        RecipeError: the file cannot be read, or holds a network of another shape.
    """
    try:
        graph = onnx.load(str(path)).graph
    except Exception as error:  # protobuf and the file system have many ways to fail
        raise RecipeError(
            f"cannot start from {path}: it is no ONNX file, give one such as models/classifier.onnx ({error})"
        ) from error
    arrays = {one.name.removesuffix("_half"): numpy_helper.to_array(one) for one in graph.initializer}
    stored = {name: torch.tensor(values).float() for name, values in arrays.items()}
    folded = [node.input for node in graph.node if node.op_type == "Conv"]
    dense = next((node.input[1] for node in graph.node if node.op_type == "MatMul"), "")
    convolutions = [name for name, module in network.named_modules() if isinstance(module, nn.Conv2d)]
    norms = [name for name, module in network.named_modules() if isinstance(module, nn.BatchNorm2d)]
    weights = network.state_dict()
    try:
        for convolution, norm, (_, kernel, bias) in zip(convolutions, norms, folded, strict=True):
            weights[f"{convolution}.weight"] = stored[kernel]
            weights |= {f"{norm}.weight": torch.ones_like(stored[bias]), f"{norm}.bias": stored[bias]}
            weights |= {f"{norm}.running_mean": torch.zeros_like(stored[bias])}
            weights |= {f"{norm}.running_var": torch.ones_like(stored[bias])}
        weights["neck.0.weight"] = stored[dense].T
        weights |= {name: stored[name] for name in weights if name in stored}
        network.load_state_dict(weights)
    except (KeyError, RuntimeError, ValueError) as error:
        raise RecipeError(f"cannot start from {path}: its network has another shape than [network] says") from error
    _spread_norms(network, batches)


def _spread_norms(network: FaceNetwork, batches: Iterable[Tensor]) -> None:
    """Gives each folded normalisation mean and variance of what it meets, and takes them back by its own scale."""
    sums: dict[nn.Module, list[Tensor]] = {}

    def meet(norm: nn.Module, inputs: tuple[Tensor, ...]) -> None:
        values = inputs[0].double().transpose(0, 1).flatten(1)
        found = torch.stack([torch.full((len(values),), float(values.shape[1])), values.sum(1), values.square().sum(1)])
        sums.setdefault(norm, []).append(found)

    folded = [module for module in network.modules() if isinstance(module, nn.BatchNorm2d)]
    hooks = [norm.register_forward_pre_hook(meet) for norm in folded]
    was_training = network.training
    network.eval()
    with torch.no_grad():
        for batch in batches:
            network(batch)
    for hook in hooks:
        hook.remove()
    network.train(was_training)
    with torch.no_grad():
        for norm in folded:
            count, total, squares = torch.stack(sums[norm]).sum(0)
            mean = total / count
            variance = (squares / count - mean.square()).clamp(min=1e-6)
            norm.bias.add_(norm.weight * mean)
            norm.weight.mul_((variance + norm.eps).sqrt())
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(variance)
