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
