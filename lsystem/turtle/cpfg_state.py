# SPDX-License-Identifier: GPL-3.0-or-later
"""What cpfg's turtle counts itself."""

from typing import NamedTuple


class State(NamedTuple):
    """What brackets restore and cpfg's turtle counts itself; ``told`` is what ours has been told of it."""

    width: float
    colour: int
    elasticities: tuple[float, ...]
    """Of the old tropism, then of those that the view file numbers."""
    scale: float = 1.0
    in_tube: bool = False
    """Between @Gs and @Ge: moves are drawn."""
    ahead: float = 0.0
    """In a tube, how far the turtle has moved that is not drawn: rolls before the control point turn its contour."""
    blade: float = 0.0
    """How wide a flat contour is for a width of 1, 0 for the circle and others that are not flat."""
    stands: bool = False
    """Whether it is wide along U."""
    slopes: tuple[float | None, float | None] = (None, None)
    """How fast radii change where the tube comes to a control point and where it leaves it; None: evenly."""
    left: tuple[float, float | None] = (0.0, None)
    """Radius and slope where it left the last one."""
    told: tuple[float, int, tuple[float, ...], bool] = (0.0, 0, (), False)


def middle_radius(before: float, leaving: float | None, radius: float, coming: float | None) -> float:
    """Radius of a tube in the middle between two control points, with the slopes there, by Hermite's cubic."""
    evenly = radius - before
    first, last = (evenly if slope is None else slope for slope in (leaving, coming))
    return abs(0.5 * (before + radius) + 0.125 * (first - last))
