"""Recipes that train the two networks, stop when told and go on later. Needs the extra ``train``."""

from vision.training.recipes import TrainingResult, train

__all__ = ["TrainingResult", "train"]
