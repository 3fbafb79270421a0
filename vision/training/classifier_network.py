"""The network that names a face crop: a small residual CNN with three outputs."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

LABELS = 44
TURNS = 4
EMBEDDING = 128
# mean and spread of RGB values in 0..1; part of the network, so that callers hand over plain pixels
MEAN, SPREAD = 0.55, 0.25


class Residual(nn.Module):
    """Two 3x3 convolutions with batch normalisation and a shortcut (He et al. 2015)."""

    def __init__(self, inputs: int, outputs: int, stride: int) -> None:
        super().__init__()
        # halving by unshuffling: the backward pass of strided kernels is many times slower on CPUs
        self.first: nn.Module = nn.Conv2d(inputs, outputs, 3, 1, 1, bias=False)
        if stride != 1:
            fine = nn.Conv2d(inputs * stride**2, outputs, 1, bias=False)
            self.first = nn.Sequential(nn.PixelUnshuffle(stride), fine)
        self.first_norm = nn.BatchNorm2d(outputs)
        self.second = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.second_norm = nn.BatchNorm2d(outputs)
        self.shortcut: nn.Module = nn.Identity()
        if stride != 1 or inputs != outputs:
            pool = nn.AvgPool2d(stride) if stride > 1 else nn.Identity()
            self.shortcut = nn.Sequential(pool, nn.Conv2d(inputs, outputs, 1, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x: Tensor) -> Tensor:
        y = functional.relu(self.first_norm(self.first(x)), inplace=True)
        y = self.second_norm(self.second(y))
        return functional.relu(y + self.shortcut(x), inplace=True)


class FaceNetwork(nn.Module):
    """Crops [N, 3, S, S] of RGB in 0..1 -> label logits [N, 44], turn logits [N, 4], unit embedding [N, 128]."""

    def __init__(self, widths: tuple[int, ...] = (48, 96, 192), blocks: tuple[int, ...] = (2, 2, 2)) -> None:
        super().__init__()
        self.stem = nn.Sequential(
            nn.PixelUnshuffle(2),
            nn.Conv2d(12, widths[0], 3, 1, 1, bias=False),
            nn.BatchNorm2d(widths[0]),
            nn.ReLU(inplace=True),
        )
        stages: list[nn.Module] = []
        inputs = widths[0]
        for index, (width, count) in enumerate(zip(widths, blocks, strict=True)):
            for block in range(count):
                stages.append(Residual(inputs, width, 2 if index and not block else 1))
                inputs = width
        self.body = nn.Sequential(*stages)
        # where a stroke lies tells tiles apart, so the last map is pooled to 2x2 cells and to the whole
        self.neck = nn.Sequential(nn.Linear(inputs * 5, EMBEDDING, bias=False), nn.BatchNorm1d(EMBEDDING))
        self.dropout = nn.Dropout(0.1)
        self.label = nn.Linear(EMBEDDING, LABELS)
        self.turn = nn.Linear(inputs * 5, TURNS)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        x = self.body(self.stem((x - MEAN) / SPREAD))
        pooled = torch.cat([functional.avg_pool2d(x, x.shape[-1] // 2).flatten(1), x.mean(dim=(2, 3))], dim=1)
        embedding = self.neck(pooled)
        return self.label(self.dropout(embedding)), self.turn(pooled), functional.normalize(embedding, dim=1)


def as_input(crops: Tensor) -> Tensor:
    """Crops [N, S, S, 3] uint8 BGR as the network takes them: [N, 3, S, S], RGB in 0..1."""
    pixels = crops.flip(-1).permute(0, 3, 1, 2).float().div_(255)
    return pixels.contiguous(memory_format=torch.channels_last)
