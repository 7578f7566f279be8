# SPDX-License-Identifier: GPL-3.0-or-later
"""The curves and surfaces of guides; of the last frame, where they are the same."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..base.arrays import Ints
from ..world.guide import Curve, Guide
from ..world.surface import Surface
from .curves import curves_through
from .shapes import AT_PLACE, IN_PLANE, NO_SHAPES, ON_SURFACE, Shapes
from .surfaces import surfaces_of


class ShapeReader:
    """Those of one simulation."""

    def __init__(self) -> None:
        self._curves: list[Curve] = []
        self._surfaces: list[Surface] = []
        self._shapes = NO_SHAPES

    def __call__(self, guides: Sequence[Guide]) -> tuple[Ints, Shapes]:
        """(k,) by what guides at the world hold, see shapes.py; and the shapes. Raises SolverError for such as are
        none."""
        curves = {id(one.curve): one.curve for one in guides if one.by == "curve" and one.curve is not None}
        surfaces = {id(one.surface): one.surface for one in guides if one.by == "surface" and one.surface is not None}
        of_curve, of_surface = ({key: i for i, key in enumerate(one)} for one in (curves, surfaces))
        on = [_on(one, of_curve, of_surface) for one in guides]
        self._read_curves(list(curves.values()))
        self._read_surfaces(list(surfaces.values()))
        return np.array(on, dtype=np.int64), self._shapes

    def _read_curves(self, given: list[Curve]) -> None:
        if not _same(given, self._curves, "points"):
            self._shapes = self._shapes._replace(curves=curves_through([one.checked() for one in given]))
            self._curves = [replace(one, points=np.array(one.points)) for one in given]

    def _read_surfaces(self, given: list[Surface]) -> None:
        if not _same(given, self._surfaces, "vertices", "triangles", "normals"):
            found = surfaces_of([one.checked() for one in given], self._shapes.surfaces)
            self._shapes = self._shapes._replace(surfaces=found)
            self._surfaces = [_kept(one) for one in given]


def _on(guide: Guide, curves: dict[int, int], surfaces: dict[int, int]) -> int:
    if guide.by == "curve":
        return curves[id(guide.curve)]
    if guide.by == "surface":
        return ON_SURFACE - surfaces[id(guide.surface)]
    return IN_PLANE if guide.by == "plane" else AT_PLACE


def _kept(one: Surface) -> Surface:
    normals = None if one.normals is None else np.array(one.normals)
    return replace(one, vertices=np.array(one.vertices), triangles=np.array(one.triangles), normals=normals)


def _same(some: Sequence[object], others: Sequence[object], *arrays: str) -> bool:
    """Whether shapes are the same: what they are, and these arrays."""
    return len(some) == len(others) and all(
        one is other
        or all(
            np.array_equal(np.asarray(value), np.asarray(vars(other)[name])) if name in arrays
            else value == vars(other)[name]
            for name, value in vars(one).items()
        )
        for one, other in zip(some, others, strict=True)
    )  # fmt: skip
