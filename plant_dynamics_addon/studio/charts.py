# SPDX-License-Identifier: GPL-3.0-or-later
"""Line charts on a page: one to the left, the others above each other to the right."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .canvas import Array, Canvas, Colour, text_width

WIDTH, HEIGHT = 1400, 800

# Told apart also by those who see few colours (Okabe and Ito 2008).
COLOURS: tuple[Colour, ...] = (
    (0.0, 0.447, 0.698), (0.835, 0.369, 0.0), (0.0, 0.62, 0.451), (0.8, 0.475, 0.655), (0.902, 0.624, 0.0),
    (0.337, 0.706, 0.914), (0.35, 0.35, 0.35),
)  # fmt: skip
_GRID, _FRAME, _INK = (0.90, 0.90, 0.90), (0.55, 0.55, 0.55), (0.15, 0.15, 0.15)
_SMALL, _MEDIUM, _LARGE = 17.0, 20.0, 27.0


@dataclass(frozen=True)
class Series:
    """A line through k points; the name stands in the legend."""

    x: Array
    y: Array
    name: str = ""


@dataclass(frozen=True)
class Chart:
    """A chart. even: both axes have the same scale."""

    title: str
    x_unit: str
    y_unit: str
    series: Sequence[Series]
    even: bool = False


def draw_page(title: str, charts: Sequence[Chart]) -> NDArray[np.float32]:
    """Three or four charts as pixels (HEIGHT, WIDTH, 4)."""
    canvas = Canvas(WIDTH, HEIGHT)
    canvas.text((36, HEIGHT - 46), title, _LARGE, _INK)
    _draw(canvas, charts[0], 90, 90, 440, 590)
    rows = len(charts) - 1
    height, step = {2: (235, 355), 3: (132, 229)}[rows]
    for row, chart in enumerate(charts[1:]):
        _draw(canvas, chart, 680, 90 + step * (rows - 1 - row), 680, height)
    return canvas.pixels


def ticks(low: float, high: float, most: int) -> list[float]:
    """Round numbers between low and high, at most so many."""
    step = 10.0 ** np.floor(np.log10((high - low) / most))
    step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (factor * step) <= most)
    first = np.ceil(low / step - 1e-9)
    return [float(k * step) for k in np.arange(first, np.floor(high / step + 1e-9) + 1)]


def _draw(canvas: Canvas, chart: Chart, left: int, bottom: int, width: int, height: int) -> None:
    x_range, y_range = (_range([getattr(s, name) for s in chart.series]) for name in ("x", "y"))
    if not chart.even:
        x_range = min(float(s.x.min()) for s in chart.series), max(float(s.x.max()) for s in chart.series)
        x_range = x_range if x_range[1] > x_range[0] else (x_range[0] - 0.5, x_range[0] + 0.5)
    else:
        metres = max((x_range[1] - x_range[0]) / width, (y_range[1] - y_range[0]) / height)
        x_range, y_range = (
            (sum(r) / 2 - metres * n / 2, sum(r) / 2 + metres * n / 2) for r, n in ((x_range, width), (y_range, height))
        )

    def pixel_x(x: Array | float) -> Array | float:
        return left + (x - x_range[0]) / (x_range[1] - x_range[0]) * width

    def pixel_y(y: Array | float) -> Array | float:
        return bottom + (y - y_range[0]) / (y_range[1] - y_range[0]) * height

    right, top = left + width, bottom + height
    marks = ticks(*x_range, max(2, width // 95))
    for x, text in zip(marks, _numbers(marks), strict=True):
        canvas.line(np.array([(pixel_x(x), bottom), (pixel_x(x), top)]), _GRID)
        canvas.text((pixel_x(x), bottom - 24), text, _SMALL, _INK, align=0.5)
    marks = ticks(*y_range, max(2, height // 40))
    for y, text in zip(marks, _numbers(marks), strict=True):
        canvas.line(np.array([(left, pixel_y(y)), (right, pixel_y(y))]), _GRID)
        canvas.text((left - 10, pixel_y(y) - 6), text, _SMALL, _INK, align=1.0)
    canvas.line(np.array([(left, top), (left, bottom), (right, bottom)]), _FRAME, 1.4)
    for number, series in enumerate(chart.series):
        points = np.column_stack([pixel_x(series.x), pixel_y(series.y)])
        canvas.line(points, COLOURS[number % len(COLOURS)], 2.4)
        if chart.even:  # where the way begins
            canvas.line(points[:1], COLOURS[number % len(COLOURS)], 9.0)
    canvas.text((left, top + 14), f"{chart.title} ({chart.y_unit})", _MEDIUM, _INK)
    canvas.text((right, bottom - 50), chart.x_unit, _SMALL, _INK, align=1.0)
    _legend(canvas, chart, right, top + 14)


def _legend(canvas: Canvas, chart: Chart, right: float, base: float) -> None:
    for number in reversed(range(len(chart.series))):
        name = chart.series[number].name
        if not name:
            continue
        canvas.text((right, base), name, _SMALL, _INK, align=1.0)
        right -= text_width(name, _SMALL) + 8
        canvas.line(np.array([(right - 22, base + 6), (right, base + 6)]), COLOURS[number % len(COLOURS)], 3.0)
        right -= 42


def _range(columns: Sequence[Array]) -> tuple[float, float]:
    """From the smallest to the largest number, with room around them."""
    low, high = min(float(c.min()) for c in columns), max(float(c.max()) for c in columns)
    # A line that does not move is drawn as one, not its rounding errors.
    middle, half = (low + high) / 2, max((high - low) / 2 * 1.08, 1e-4 * max(abs(low), abs(high)), 1e-9)
    return middle - half, middle + half


def _numbers(marks: Sequence[float]) -> list[str]:
    """With as many digits as tell them apart."""
    for digits in range(2, 12):
        texts = [f"{mark:.{digits}g}" for mark in marks]
        exact = [abs(float(t) - m) <= 1e-6 * max(map(abs, marks)) for t, m in zip(texts, marks, strict=True)]
        if all(exact):
            break
    return ["0" if float(text) == 0.0 else text for text in texts]
