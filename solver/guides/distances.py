# SPDX-License-Identifier: GPL-3.0-or-later
"""How far points are from the curves and surfaces that hold them."""

import math

import numpy as np

from ..base.arrays import Floats, Floats1, Floats2
from ..machine.jit import kernel
from ..math.memory import load3
from ..math.vectors import dot, sub
from ..world.guide import Curve
from ..world.surface import Surface
from .curves import curves_through, nearest_on_curve
from .on_surface import RESTS, nearest_on_surface
from .shapes import Shapes
from .surfaces import surfaces_of


@kernel
def find_distances(shapes: Shapes, points: Floats2, found: Floats1) -> None:
    """Fill found (k,) m with how far points (k, 3) m are from the one curve or the one surface of shapes."""
    curves, surfaces = shapes.curves, shapes.surfaces
    for i in range(len(points)):
        x = load3(points, i)
        if len(curves.closed) > 0:
            place = nearest_on_curve(curves, curves, 0.0, 0, x)[0]
        else:
            place = nearest_on_surface(surfaces, surfaces, 0.0, 0, x, RESTS)[0]
        way = sub(place, x)
        found[i] = math.sqrt(dot(way, way))


class DistanceFrom:
    """How far points are from a curve or a surface."""

    def __init__(self, shape: Curve | Surface):
        """Raises SolverError for what is none."""
        is_curve = isinstance(shape, Curve)
        curves, surfaces = ([shape.checked()], []) if is_curve else ([], [shape.checked()])
        self._shapes = Shapes(curves_through(curves), surfaces_of(surfaces))

    def __call__(self, points: Floats) -> Floats:
        """(k,) m: of points (k, 3) m."""
        found = np.zeros(len(points))
        find_distances(self._shapes, np.ascontiguousarray(points, dtype=np.float64), found)
        return found
