"""The named hands of Fuzhou mahjong, one small file each: a module with ``TYPE`` and ``holds(hand)``.

天胡 tianhu · 抢金 qiangjin · 三金倒 sanjindao · 金雀 jinque · 金龙 jinlong · 平胡 pinghu · 混一色 hunyise ·
清一色 qingyise
"""

from engine.candidate import Candidate
from engine.patterns import hunyise, jinlong, jinque, qiangjin, qingyise, sanjindao, tianhu
from engine.win_types import WinType

PATTERNS = (jinque, jinlong, tianhu, qiangjin, sanjindao, hunyise, qingyise)
"""All patterns but 平胡, which depends on the others."""


def types_held(hand: Candidate) -> set[WinType]:
    """Every type of `PATTERNS` that some split of the hand meets."""
    return {pattern.TYPE for pattern in PATTERNS if pattern.holds(hand)}
