# SPDX-License-Identifier: GPL-3.0-or-later
"""What the skin has others work out, which Blender has code for: a triangulation, and which faces overlap."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .arrays import Array, Index


@dataclass(frozen=True)
class Geometry:
    """Functions that are called from any thread."""

    #: Places (p, 2), edges (e, 2) and how near places are one -> triangles (t, 3), counter-clockwise, between all
    #: places, that keep the edges. None if edges cross or places fall together; a branch is not welded then.
    triangulated: Callable[[Array, Index, float], Index | None]
    #: Points (v, 3) and faces -> pairs of faces that touch or cut one another.
    overlapping: Callable[[Array, Sequence[Sequence[int]]], Sequence[tuple[int, int]]]
