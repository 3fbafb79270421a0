"""Frames out of focus are passed over; a camera that stays so is read as it is."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.live.focus import LONGEST_S, Focus


def picture(light: float = 1.0, blur: float = 0.0) -> NDArray[np.uint8]:
    """Something with fine detail, under some light."""
    detail = np.random.default_rng(7).integers(0, 200, (270, 480, 3)).astype(np.float32)
    detail = cv2.GaussianBlur(detail, (0, 0), 0.7) * light
    return np.asarray(cv2.GaussianBlur(detail, (0, 0), blur) if blur else detail, np.uint8)


def watched() -> Focus:
    focus = Focus()
    for step in range(10):
        assert not focus.is_lost(picture(), step * 0.2)
    return focus


def test_a_blurred_frame_is_out_of_focus_and_the_next_sharp_one_is_not() -> None:
    focus = watched()
    assert focus.is_lost(picture(blur=3.0), 2.0)
    assert focus.is_lost(picture(blur=3.0), 2.2)
    assert not focus.is_lost(picture(), 2.4)


def test_another_light_is_no_blur() -> None:
    focus = watched()
    assert not focus.is_lost(picture(light=0.4), 2.0)
    assert not focus.is_lost(picture(light=1.2), 2.2)


def test_a_camera_that_sees_no_better_is_read_as_it_is() -> None:
    focus = watched()
    times = np.arange(2.0, 2.0 + LONGEST_S + 1.0, 0.2)
    lost = [focus.is_lost(picture(blur=3.0), float(time_s)) for time_s in times]
    assert all(lost[: int(LONGEST_S / 0.2)])
    assert not lost[-1]


def test_a_black_picture_is_not_out_of_focus_but_shows_nothing() -> None:
    focus = watched()
    assert not focus.is_lost(np.zeros((270, 480, 3), np.uint8), 2.0)
    assert focus.is_lost(picture(blur=3.0), 2.2)
