# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces of a view file in modules of our own turtle."""

from collections.abc import Iterator, Sequence
from typing import Any

from ..language.beside.kinds import Surface


def modules_of(surface: Surface, factors: Sequence[float], size: float) -> Iterator[tuple[Any, ...]]:
    """A surface as polygons of its outlines, each (symbol, parameters), and the way to its end.

    factors: what its lengths along L, H and U of cpfg are multiplied by, size: what its end is.
    """
    for outline in surface.outlines:
        yield ("[",)
        yield ("{",)
        before = (0.0, 0.0, 0.0)
        for vertex in outline:
            x, y, z = (a * b for a, b in zip(vertex, factors, strict=True))
            # along L, H and U of cpfg, which are -R, H and -U of ours
            yield "@shift", before[0] - x, y - before[1], before[2] - z
            yield (".",)
            before = (x, y, z)
        yield ("}",)
        yield ("]",)
    x, y, z = surface.end
    if x or y or z:
        yield "@shift", -x * size, y * size, -z * size
