# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces of a view file in modules of our own turtle."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

from ..language.beside.kinds import Surface

_CORNERS = 16
"""Of a disc; twice as many as a half has, so that the last one of its bone lies opposite to the first."""


def disc_of(diameter: float) -> Iterator[tuple[Any, ...]]:
    """A disc around the turtle, in the plane of its heading, from behind it; as large as a circle."""
    turns = [2.0 * math.pi * corner / _CORNERS for corner in range(_CORNERS)]
    radius = 0.5 * diameter * math.sqrt(turns[1] / math.sin(turns[1]))
    yield from _polygon([(radius * math.sin(turn), -radius * math.cos(turn), 0.0) for turn in turns])


def _polygon(vertices: Sequence[tuple[float, ...]]) -> Iterator[tuple[Any, ...]]:
    """Vertices along L, H and U of cpfg, which are -R, H and -U of ours."""
    yield ("[",)
    yield ("{",)
    before: tuple[float, ...] = (0.0, 0.0, 0.0)
    for vertex in vertices:
        yield "@shift", before[0] - vertex[0], vertex[1] - before[1], before[2] - vertex[2]
        yield (".",)
        before = vertex
    yield ("}",)
    yield ("]",)


def modules_of(surface: Surface, factors: Sequence[float], size: float) -> Iterator[tuple[Any, ...]]:
    """A surface as polygons of its outlines, each (symbol, parameters), and the way to its end.

    factors: what its lengths along L, H and U of cpfg are multiplied by, size: what its end is.
    """
    for outline in surface.outlines:
        yield from _polygon([tuple(a * b for a, b in zip(vertex, factors, strict=True)) for vertex in outline])
    x, y, z = surface.end
    if x or y or z:
        yield "@shift", -x * size, y * size, -z * size
