# SPDX-License-Identifier: GPL-3.0-or-later
"""What holds points of rods, as it is given at one frame: places, planes, curves, surfaces, and other rods."""

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from ..base.checks import choice, finite, number, truth
from ..base.constants import LARGEST
from ..base.errors import SolverError
from .surface import Surface

HeldBy = Literal["place", "plane", "curve", "surface", "rod"]

#: Points of a curve that are as near to each other as this share of its length are one.
_SAME_POINT = 1e-9


@dataclass(frozen=True)
class Curve:
    """A wire: points (k, 3) m, world axes, joined by a smooth spline that has its second derivatives, or by straight
    lines; closed: whether the last one is joined to the first. name: by which it is known again at the next frame; of
    one name the first is the first."""

    points: ArrayLike
    closed: bool = False
    smooth: bool = True
    name: str = ""

    def checked(self) -> "Curve":
        """The same with an array of points, no two in a row of which are one. Raises SolverError for what is not
        numbers, has another shape or no length."""
        points = finite(f"curve {self.name!r}", self.points, (len(np.atleast_1d(self.points)), 3))
        closed, smooth = truth("closed", self.closed), truth("smooth", self.smooth)
        step = np.linalg.norm(np.diff(points, axis=0), axis=1)
        apart = np.append(True, step > _SAME_POINT * step.sum())
        points = points[apart] if len(points) else points
        if closed and len(points) > 2 and np.linalg.norm(points[-1] - points[0]) <= _SAME_POINT * step.sum():
            points = points[:-1]
        if len(points) < (3 if closed else 2):
            wanted = "three points, as it is closed" if closed else "two points"
            raise SolverError(f"curve {self.name!r} has no length: it needs at least {wanted}")
        return Curve(np.ascontiguousarray(points), closed, smooth, self.name)


@dataclass(frozen=True)
class Guide:
    """A point of a rod that is held, along from 0 at its base to 1 at its tip.

    by "place": at position (3,) m; "plane": in that through position across normal (3,), where it slides; "curve": on
    a curve, along which it slides to where that ends; "surface": on a surface, likewise; "rod": at the point
    other_along of other_rod, which bears the opposite force
    stiffness (N/m): how hard; infinite: as good as rigid. damping (N s/m) of the motion that it holds against
    friction: Coulomb's coefficient along a plane, curve or surface
    largest (N): more force it does not give, but gives way
    """

    rod: int
    along: float = 1.0
    by: HeldBy = "place"
    position: ArrayLike = (0.0, 0.0, 0.0)
    normal: ArrayLike = (0.0, 0.0, 1.0)
    curve: Curve | None = None
    surface: Surface | None = None
    other_rod: int = -1
    other_along: float = 1.0
    stiffness: float = math.inf
    damping: float = 0.0
    friction: float = 0.0
    largest: float = math.inf

    def checked(self, rods: int) -> "Guide":
        """The same with arrays of numbers, of a plant with so many rods. Raises SolverError for what is not numbers,
        is out of range or has another shape, or lacks."""
        choice("held by", self.by, get_args(HeldBy))
        rod = _rod("rod", self.rod, rods)
        normal = finite("normal", self.normal, (3,))
        if self.by == "plane" and not np.linalg.norm(normal) > 0.0:
            raise SolverError("the plane's normal has no direction", rod)
        if self.by == "curve" and not isinstance(self.curve, Curve):
            raise SolverError("it is held by a curve, which is not given", rod)
        if self.by == "surface" and not isinstance(self.surface, Surface):
            raise SolverError("it is held by a surface, which is not given", rod)
        other = _rod("other_rod", self.other_rod, rods) if self.by == "rod" else -1
        return Guide(
            rod, number("along", self.along, 0.0, 1.0), self.by, finite("position", self.position, (3,)), normal,
            self.curve, self.surface, other, number("other_along", self.other_along, 0.0, 1.0),
            _up_to_infinity("stiffness", self.stiffness), number("damping", self.damping, 0.0, LARGEST),
            number("friction", self.friction, 0.0, LARGEST), _up_to_infinity("largest", self.largest),
        )  # fmt: skip


def _rod(name: str, value: int, rods: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not 0 <= value < rods:
        raise SolverError(f"{name} is {value!r}, expected a whole number from 0 to {rods - 1}")
    return int(value)


def _up_to_infinity(name: str, value: float) -> float:
    return math.inf if value == math.inf else number(name, value, 0.0, LARGEST)
