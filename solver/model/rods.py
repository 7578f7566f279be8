# SPDX-License-Identifier: GPL-3.0-or-later
"""The solver's input: a tree of rods (internodes, petioles, leaves) with their materials."""

from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..base.arrays import Floats, Ints
from ..base.checks import floats, indices
from ..base.errors import SolverError

_NAN3 = (np.nan, np.nan, np.nan)
_WIDTHS = {"head": 3, "frame": 4, "com": 3, "inertia": 3, "stiffness": 3}
_MUST_BE_POSITIVE = ("length", "radius_base", "radius_tip", "young", "density", "stiffness_factor")
_MUST_NOT_BE_NEGATIVE = (
    "damping_time", "joint_damping", "hollow", "drag_across", "drag_along", "blade_area", "blade_drag_normal",
    "blade_drag_along",
)  # fmt: skip
_EXPLICIT = ("mass", "com", "inertia", "stiffness")
_LIMITS = ("bend_limit", "twist_limit")


def _column(default: Any) -> Any:
    return field(default_factory=lambda: np.array(default, dtype=np.float64))


def _words(name: str) -> str:
    return name.replace("_", " ")


@dataclass
class Rods:
    """n rods, parents before children; numbers are broadcast to all rods.

    parent (n,) index, -1 for a rod on the base; head (n, 3) m and frame (n, 4) quaternion in the base's frame, the
    rod runs along its frame's +Y; length, radius_base, radius_tip (n,) m; young (n,) Pa; poisson (n,);
    density (n,) kg/m3; damping_time (n,) s, torque = damping_time * stiffness * rate; joint_damping (n,) N m s/rad of
    the whole rod; stiffness_factor (n,) multiplies the joints' stiffness; pinned (n,) bool, welded to what it sits on;
    hollow (n,) inner over outer radius, in [0, 1); bend_limit, twist_limit (n,) rad: how far the whole rod turns
    freely.

    Air: drag_across and drag_along (n,), coefficients of the rod as a cylinder, on its diameter times its length for
    flow across it and on its surface for flow along it; blade_area (n,) m2 of a flat blade along the rod, normal to its
    frame's z axis, with blade_drag_normal and blade_drag_along on that area. Defaults: cylinder 1.2 and flat plate
    1.17 (Hoerner 1965, Fluid-Dynamic Drag, chapter 3: below the critical Reynolds number, above about 1e3); along the
    surface laminar friction 1.328 / sqrt(Re) (Hoerner chapter 2), 0.02 at Re = 4400, on both sides of a blade.

    Explicit bodies, as in Garcia 5.2, override what would follow from the cylinder (NaN: not given): mass (n,) kg,
    com (n, 3) m, inertia (n, 3) kg m2 about the inboard joint, stiffness (n, 3) N m/rad; all in the rod's frame.

    Raises SolverError, with the rod where one is to blame, for what is not numbers, is out of range, has another shape,
    or is given of one of the last three in part.
    """

    parent: ArrayLike
    head: ArrayLike
    frame: ArrayLike
    length: ArrayLike
    radius_base: ArrayLike
    radius_tip: ArrayLike
    young: ArrayLike
    density: ArrayLike
    poisson: ArrayLike = _column(0.3)
    damping_time: ArrayLike = _column(0.0)
    joint_damping: ArrayLike = _column(0.0)
    stiffness_factor: ArrayLike = _column(1.0)
    pinned: ArrayLike = _column(0.0)
    hollow: ArrayLike = _column(0.0)
    bend_limit: ArrayLike = _column(np.inf)
    twist_limit: ArrayLike = _column(np.inf)
    drag_across: ArrayLike = _column(1.2)
    drag_along: ArrayLike = _column(0.02)
    blade_area: ArrayLike = _column(0.0)
    blade_drag_normal: ArrayLike = _column(1.17)
    blade_drag_along: ArrayLike = _column(0.04)
    mass: ArrayLike = _column(np.nan)
    com: ArrayLike = _column(_NAN3)
    inertia: ArrayLike = _column(_NAN3)
    stiffness: ArrayLike = _column(_NAN3)

    parent_index: Ints = field(init=False)

    def __post_init__(self) -> None:
        self.parent_index = indices("parent", self.parent)
        n = len(self.parent_index)
        if n == 0:
            raise SolverError("there is nothing to simulate")
        for f in fields(self):
            if f.name not in ("parent", "parent_index"):
                width = _WIDTHS.get(f.name)
                shape = (n,) if width is None else (n, width)
                values = floats(_words(f.name), getattr(self, f.name), truth=f.name == "pinned")
                try:
                    setattr(self, f.name, np.array(np.broadcast_to(values, shape)))
                except ValueError:
                    raise SolverError(f"{_words(f.name)} has shape {values.shape}, expected {shape}") from None
        self._check()

    def __len__(self) -> int:
        return len(self.parent_index)

    def array(self, name: str) -> Floats:
        """Return the named column as a float array."""
        values: Floats = getattr(self, name)
        return values

    def _check(self) -> None:
        wrong = np.flatnonzero((self.parent_index >= np.arange(len(self))) | (self.parent_index < -1))
        if wrong.size:
            raise SolverError("its parent does not come before it", int(wrong[0]))
        for name in ("head", "frame", *_MUST_BE_POSITIVE, *_MUST_NOT_BE_NEGATIVE, "poisson"):
            finite = np.isfinite(self.array(name)).reshape(len(self), -1).all(axis=1)
            self.refuse(~finite, f"{_words(name)} is not a finite number")
        for name in _MUST_BE_POSITIVE:
            self.refuse(self.array(name) <= 0.0, f"{_words(name)} must be greater than zero")
        for name in _MUST_NOT_BE_NEGATIVE:
            self.refuse(self.array(name) < 0.0, f"{_words(name)} must not be negative")
        for name in _LIMITS:
            self.refuse(~(self.array(name) >= 0.0), f"{_words(name)} must be an angle of at least zero")
        self.refuse(self.array("hollow") >= 1.0, "hollow must be less than one")
        self.refuse((self.array("poisson") <= -1.0) | (self.array("poisson") > 0.5), "poisson must be in (-1, 0.5]")
        pinned = self.array("pinned")
        self.refuse((pinned != 0.0) & (pinned != 1.0), "pinned must be true or false")
        for name in _EXPLICIT:
            values = self.array(name).reshape(len(self), -1)
            given = ~np.isnan(values)
            self.refuse(np.isinf(values).any(axis=1), f"{name} is not a finite number")
            self.refuse(
                given.any(axis=1) & ~given.all(axis=1), f"{name} is given in part: give all three numbers or none"
            )
        self.refuse(self.array("mass") <= 0.0, "mass must be greater than zero")
        self.refuse((self.array("inertia") <= 0.0).any(axis=1), "inertia must be greater than zero")
        self.refuse((self.array("stiffness") < 0.0).any(axis=1), "stiffness must not be negative")

    def refuse(self, wrong: np.ndarray, message: str) -> None:
        """Raise SolverError for the first rod that is wrong (n,) bool."""
        where = np.flatnonzero(wrong)
        if where.size:
            raise SolverError(message, int(where[0]))
