"""Weights of earlier runs."""

from __future__ import annotations

from pathlib import Path

import torch

from vision.errors import RecipeError


def averaged_weights(checkpoint: Path, name: str) -> dict[str, torch.Tensor]:
    """The averaged weights of another run, to start from.

    Args:
        checkpoint: the file that run left.
        name: of the averaged weights in it.

    Raises:
        RecipeError: there are none.
    """
    try:
        weights: dict[str, torch.Tensor] = torch.load(checkpoint, map_location="cpu", weights_only=True)[name]
    except (OSError, KeyError) as error:
        raise RecipeError(f"cannot start from {checkpoint}: train that recipe first ({error})") from error
    return weights


def mixed(weights: dict[str, torch.Tensor], others: dict[str, torch.Tensor], share: float) -> dict[str, torch.Tensor]:
    """Weights between those of a run and those of the run it went on from (Wortsman et al. 2022, "Robust fine-tuning
    of zero-shot models"): what the later one has learnt, without forgetting as much. ``share`` is that of ``others``.
    """
    return {
        name: (weight.float().lerp(others[name].float(), share)).to(weight.dtype)
        if weight.is_floating_point()
        else weight
        for name, weight in weights.items()
    }
