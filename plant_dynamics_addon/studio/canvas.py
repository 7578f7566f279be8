# SPDX-License-Identifier: GPL-3.0-or-later
"""Smooth lines and text on an array of pixels: Blender has neither without a window, and no other library is here."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import bpy
import numpy as np
from numpy.typing import NDArray

from .framing import Array

Colour = tuple[float, float, float]

_SAMPLES = 4  # of text, along each side of a pixel


class Canvas:
    """A white picture; places are in pixels from its lower left corner."""

    def __init__(self, width: int, height: int):
        self.pixels = np.ones((height, width, 4), dtype=np.float32)

    def line(self, points: Array, colour: Colour, width: float = 1.0) -> None:
        """A line through points (k, 2), with round ends."""
        points = np.asarray(points, dtype=np.float64)
        points = points[np.isfinite(points).all(axis=1)]
        if not len(points):
            return
        reach = width / 2 + 1.0
        height, wide = self.pixels.shape[:2]
        low = np.maximum(np.floor(points.min(axis=0) - reach).astype(int), 0)
        high = np.minimum(np.ceil(points.max(axis=0) + reach).astype(int) + 1, (wide, height))
        if (low >= high).any():
            return
        distance = np.full((high[1] - low[1], high[0] - low[0]), np.inf)
        for a, b in pairwise(points) if len(points) > 1 else [(points[0], points[0])]:
            _nearer(distance, a - low, b - low, reach)
        coverage = np.clip(width / 2 + 0.5 - distance, 0.0, min(1.0, width))
        self._blend(low[0], low[1], coverage, colour)

    def text(
        self, place: tuple[float, float], text: str, size: float, colour: Colour = (0.1, 0.1, 0.1), align: float = 0.0
    ) -> None:
        """A line of text whose baseline begins at the place; align 0.5 centres it there, 1 ends it there."""
        coverage, left, below = _written(text, size)
        x = round(place[0] - align * text_width(text, size)) + left
        self._blend(x, round(place[1]) + below, coverage, colour)

    def _blend(self, x: int, y: int, coverage: Array, colour: Colour) -> None:
        height, width = self.pixels.shape[:2]
        x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + coverage.shape[1], width), min(y + coverage.shape[0], height)
        if x0 >= x1 or y0 >= y1:
            return
        share = coverage[y0 - y : y1 - y, x0 - x : x1 - x, None].astype(np.float32)
        area = self.pixels[y0:y1, x0:x1, :3]
        area += share * (np.array(colour, dtype=np.float32) - area)


def _nearer(distance: Array, a: Array, b: Array, reach: float) -> None:
    """Lower the distances (pixels) of pixel centres near the segment from a to b."""
    low = np.maximum(np.floor(np.minimum(a, b) - reach).astype(int), 0)
    high = np.ceil(np.maximum(a, b) + reach).astype(int) + 1
    area = distance[low[1] : high[1], low[0] : high[0]]
    if not area.size:
        return
    y, x = np.mgrid[low[1] : low[1] + area.shape[0], low[0] : low[0] + area.shape[1]] + 0.5
    way = b - a
    share = ((x - a[0]) * way[0] + (y - a[1]) * way[1]) / max(float(way @ way), 1e-12)
    share = np.clip(share, 0.0, 1.0)
    np.minimum(area, np.hypot(x - a[0] - share * way[0], y - a[1] - share * way[1]), out=area)


@lru_cache(maxsize=256)
def _outlines(text: str) -> tuple[Array, float]:
    """Triangles (k, 3, 2) that fill the text in Blender's own font at size 1, and how wide it is."""
    curve = bpy.data.curves.new("Text", "FONT")
    curve.body, curve.resolution_u = text, 4
    writing = bpy.data.objects.new("Text", curve)
    try:
        mesh = writing.to_mesh()
        mesh.calc_loop_triangles()
        points, corners = np.empty(3 * len(mesh.vertices)), np.empty(3 * len(mesh.loop_triangles), dtype=np.int32)
        mesh.vertices.foreach_get("co", points)
        mesh.loop_triangles.foreach_get("vertices", corners)
        writing.to_mesh_clear()
    finally:
        bpy.data.objects.remove(writing)
        bpy.data.curves.remove(curve)
    triangles = points.reshape(-1, 3)[corners.reshape(-1, 3), :2]
    return triangles, float(triangles[..., 0].max()) if len(triangles) else 0.0


def text_width(text: str, size: float) -> float:
    """Width (pixels) of a line of text."""
    return _outlines(text)[1] * size


@lru_cache(maxsize=256)
def _written(text: str, size: float) -> tuple[Array, int, int]:
    """How much of each pixel the text covers (h, w), and where the lower left pixel is from the baseline's begin."""
    triangles = _outlines(text)[0] * size
    if not len(triangles):
        return np.zeros((1, 1)), 0, 0
    low = np.floor(triangles.min(axis=(0, 1))).astype(int)
    size_in_pixels = np.ceil(triangles.max(axis=(0, 1))).astype(int) - low + 1
    inside = np.zeros((size_in_pixels[::-1] * _SAMPLES), dtype=bool)
    for triangle in (triangles - low) * _SAMPLES:
        _fill(inside, triangle)
    h, w = inside.shape
    return inside.reshape(h // _SAMPLES, _SAMPLES, w // _SAMPLES, _SAMPLES).mean(axis=(1, 3)), int(low[0]), int(low[1])


def _fill(inside: NDArray[np.bool_], triangle: Array) -> None:
    low = np.floor(triangle.min(axis=0)).astype(int)
    high = np.ceil(triangle.max(axis=0)).astype(int) + 1
    y, x = np.mgrid[low[1] : high[1], low[0] : high[0]] + 0.5
    sides: Sequence[Array] = [
        (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])
        for a, b in zip(triangle, np.roll(triangle, -1, axis=0), strict=True)
    ]
    within = np.logical_and.reduce([side >= 0.0 for side in sides])
    within |= np.logical_and.reduce([side <= 0.0 for side in sides])
    area = inside[low[1] : high[1], low[0] : high[0]]
    area |= within[: area.shape[0], : area.shape[1]]
