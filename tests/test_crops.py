"""Rectified crops: geometry, order, aliasing, edges."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.crops import box_quads, enlarge, rectify
from vision.halves import Halves


def test_a_box_of_crop_size_comes_back_unchanged() -> None:
    image = np.random.default_rng(0).integers(0, 256, (100, 120, 3), dtype=np.uint8)
    crop = rectify(image, box_quads([[20, 10, 84, 74]]), size=64, margin=0.0)[0]
    assert np.array_equal(crop, image[10:74, 20:84])


def test_first_corner_comes_to_the_top_left() -> None:
    image = np.random.default_rng(1).integers(0, 256, (64, 64, 3), dtype=np.uint8)
    quad = box_quads([[0, 0, 64, 64]])[0]
    turned = rectify(image, [np.roll(quad, -1, axis=0)], size=64, margin=0.0)[0]
    assert np.array_equal(turned, np.rot90(image, 1))


def test_agrees_with_a_perspective_warp() -> None:
    rng = np.random.default_rng(2)
    image = cv2.GaussianBlur(rng.integers(0, 256, (300, 300, 3), dtype=np.uint8), (0, 0), 4)
    quad = np.array([[80, 60], [170, 75], [160, 190], [70, 170]], dtype=np.float32)
    target = np.array([[0, 0], [64, 0], [64, 64], [0, 64]], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform((enlarge([quad])[0] - 0.5).astype(np.float32), target - 0.5)
    expected = cv2.warpPerspective(image, matrix, (64, 64), borderMode=cv2.BORDER_REPLICATE)
    assert np.abs(rectify(image, [quad])[0].astype(int) - expected).max() <= 12
    assert np.abs(rectify(image, [quad])[0].astype(int) - expected).mean() < 1.5


def test_margin_shows_the_surroundings() -> None:
    image = np.zeros((200, 200, 3), dtype=np.uint8)
    image[50:150, 50:150] = 255
    crop = rectify(image, box_quads([[50, 50, 150, 150]]))[0]
    white = (crop[32, :, 0] > 127).mean()
    assert white == pytest.approx(1 / 1.24, abs=0.03)


def test_large_faces_do_not_alias() -> None:
    """Lines one pixel wide in a large photo average to grey, they do not turn into bands."""
    image = np.zeros((2048, 2048, 3), dtype=np.uint8)
    image[:, ::2] = 255
    crop = rectify(image, box_quads([[300.3, 200.7, 1500.9, 1900.2]]))[0]
    assert crop.std() < 3
    assert abs(float(crop.mean()) - 127.5) < 3


def test_many_quads_on_several_levels_keep_their_order() -> None:
    image = np.zeros((1000, 1000, 3), dtype=np.uint8)
    image[..., 0] = np.linspace(0, 255, 1000, dtype=np.uint8)[None, :]
    rng = np.random.default_rng(3)
    boxes = [
        (x, 100, x + side, 100 + side)
        for x, side in zip(rng.integers(0, 600, 600), rng.integers(20, 390, 600), strict=True)
    ]
    crops = rectify(image, box_quads(boxes))
    assert crops.shape == (600, 64, 64, 3)
    centres = np.array([(box[0] + box[2]) / 2 for box in boxes]) / 1000 * 255
    assert np.abs(crops[:, 30:34, 30:34, 0].mean(axis=(1, 2)) - centres).max() < 3


def test_edges_nothing_and_degenerate_quads() -> None:
    image = np.full((50, 50, 3), 77, dtype=np.uint8)
    assert rectify(image, np.empty((0, 4, 2))).shape == (0, 64, 64, 3)
    outside = rectify(image, box_quads([[-500, -500, 900, 900]]))
    assert (outside == 77).all()
    line = np.array([[5, 5], [10, 10], [20, 20], [30, 30]])
    assert rectify(image, [line, np.zeros((4, 2))]).shape == (2, 64, 64, 3)


def test_wrong_image_is_refused() -> None:
    with pytest.raises(ValueError, match="expected"):
        rectify(np.zeros((10, 10), dtype=np.uint8), box_quads([[0, 0, 5, 5]]))


def test_halves_are_made_once_and_give_the_same_crops() -> None:
    image = cv2.GaussianBlur(np.random.default_rng(5).integers(0, 255, (600, 801, 3), np.uint8), (0, 0), 2)
    halves, quads = Halves(image), box_quads([[10, 20, 400, 420], [500, 300, 560, 380]])
    assert np.array_equal(rectify(halves, quads), rectify(image, quads))
    assert halves.level(2).shape == (150, 200, 3)
    assert halves.level(2) is halves.level(2)
    assert halves.resized(0.3).shape == (180, 240, 3)
    assert halves.resized(1.0) is image
