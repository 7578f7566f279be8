# SPDX-License-Identifier: GPL-3.0-or-later
"""The solver's input: a tree of rods (internodes, petioles, leaves) with their materials."""

from collections.abc import Callable
from dataclasses import Field, dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..base.arrays import Floats, Ints
from ..base.checks import floats, indices
from ..base.errors import SolverError

#: How softly contacts land (s), unless given, and within which range.
LANDING_TIME, LANDING_RANGE = 2e-3, (1e-5, 1.0)

_Rule = tuple[Callable[[Floats], np.ndarray], str]  # what is wrong of a column's values, and what is said

_FINITE: _Rule = (lambda values: ~np.isfinite(values), "is not a finite number")
_NOT_INFINITE: _Rule = (np.isinf, "is not a finite number")
_POSITIVE: _Rule = (lambda values: values <= 0.0, "must be greater than zero")
_NOT_NEGATIVE: _Rule = (lambda values: values < 0.0, "must not be negative")
_BELOW_ONE: _Rule = (lambda values: values >= 1.0, "must be less than one")
_SHARE: _Rule = (lambda values: np.abs(values) > 1.0, "must be in [-1, 1]")
_AT_MOST_ONE: _Rule = (lambda values: values > 1.0, "must be at most one")
_POISSON: _Rule = (lambda values: (values <= -1.0) | (values > 0.5), "must be in (-1, 0.5]")
_ANGLE: _Rule = (lambda values: ~(values >= 0.0), "must be an angle of at least zero")
_STRENGTH: _Rule = (lambda values: ~(values > 0.0), "must be greater than zero")
_LANDING: _Rule = (
    lambda values: (values < LANDING_RANGE[0]) | (values > LANDING_RANGE[1]),
    f"must be between {LANDING_RANGE[0]:g} and {LANDING_RANGE[1]:g} s",
)
_TRUTH: _Rule = (lambda values: (values != 0.0) & (values != 1.0), "must be true or false")


def _column(*rules: _Rule, default: float | None = None, width: int | None = None) -> Any:
    """A column of numbers, or of so many each, that are refused by the rules."""
    metadata = {"rules": rules, "width": width}
    if default is None:
        return field(metadata=metadata)
    return field(default_factory=lambda: np.full(width or (), default), metadata=metadata)


def _words(name: str) -> str:
    return name.replace("_", " ")


@dataclass
class Rods:
    """n rods, parents before children; numbers are broadcast to all rods.

    parent (n,) index, -1 for a rod on the base; head (n, 3) m and frame (n, 4) quaternion in the base's frame, the
    rod runs along its frame's +Y; length, radius_base, radius_tip (n,) m; young (n,) Pa; poisson (n,);
    density (n,) kg/m3; damping_time (n,) s, torque = damping_time * stiffness * rate; joint_damping (n,) N m s/rad of
    the whole rod; stiffness_factor (n,) multiplies the joints' stiffness; pinned (n,) bool, welded to what it sits on;
    hollow (n,) inner over outer radius, in [0, 1); section (n, 9), where it is not round: factors as of
    cross_sections.Section, about the axes of its frame; bend_limit, twist_limit (n,) rad: how far the whole rod turns
    freely; strength (n,) Pa, bending stress of the outermost fibres at a joint with which it breaks; fibres (n,), share
    of the joint's stiffness on which the rod then hangs, 0 where it comes off.

    Air: drag_across and drag_along (n,), coefficients of the rod as a cylinder, on its diameter times its length for
    flow across it and on its surface for flow along it; blade_area (n,) m2 of a flat blade along the rod, normal to its
    frame's z axis, with blade_drag_normal and blade_drag_along on that area, and as wide as that over its length; in
    flow nearly along it and across the rod it rises with blade_lift: 0 for none, in theory 2 pi for an endless one,
    2 pi / 3 for one as long as it is wide; in flow along the rod with blade_lift_along, 0 for an endless one; the air
    that it carries along is blade_air_mass times density, area and width, pi / 4 for an endless one; its drag acts off
    its middle by blade_shift, in [0, 1], times what free streamlines have; blade_rigidity (n,) N m, E t^3 / (12 (1 -
    nu^2)) of one that wind rolls up, 0 for one that stays flat; blade_cup
    (n,) in [-1, 1]: by what share blade_drag_normal is more for air into a blade that is hollow on the side its frame's
    z axis comes out of, and less for air onto its back, 0.58 for a hemisphere (1.42 and 0.38, Hoerner chapter 3).
    Defaults: cylinder 1.2 and flat plate 1.17 (Hoerner 1965, Fluid-Dynamic Drag, chapter 3: below the critical Reynolds
    number, above about 1e3); along the surface laminar friction 1.328 / sqrt(Re) (Hoerner chapter 2), 0.02 at Re =
    4400, on both sides of a blade.

    Contact: collides (n,) bool, whether it touches colliders and other plants; friction (n,), Coulomb's coefficient;
    bounce (n,) in [0, 1], restitution; margin (n,) m, by which it touches farther out than its radius; stickiness (n,)
    N, with which each point of a contact is held until it is drawn off more strongly; landing_time (n,) s: what
    approaches is braked as if it were where it will be so much later, the shorter the harder it lands. A rod touches as
    a tapered capsule, a blade as a strip as thick as its rod.

    Explicit bodies, as in Garcia 5.2, override what would follow from the cylinder (NaN: not given): mass (n,) kg,
    com (n, 3) m, inertia (n, 3) kg m2 about the inboard joint, stiffness (n, 3) N m/rad; all in the rod's frame.

    Raises SolverError, with the rod where one is to blame, for what is not numbers, is out of range, has another shape,
    or is given of one of the last three in part.
    """

    parent: ArrayLike
    head: ArrayLike = _column(_FINITE, width=3)
    frame: ArrayLike = _column(_FINITE, width=4)
    length: ArrayLike = _column(_FINITE, _POSITIVE)
    radius_base: ArrayLike = _column(_FINITE, _POSITIVE)
    radius_tip: ArrayLike = _column(_FINITE, _POSITIVE)
    young: ArrayLike = _column(_FINITE, _POSITIVE)
    density: ArrayLike = _column(_FINITE, _POSITIVE)
    poisson: ArrayLike = _column(_FINITE, _POISSON, default=0.3)
    damping_time: ArrayLike = _column(_FINITE, _NOT_NEGATIVE, default=0.0)
    joint_damping: ArrayLike = _column(_FINITE, _NOT_NEGATIVE, default=0.0)
    stiffness_factor: ArrayLike = _column(_FINITE, _POSITIVE, default=1.0)
    pinned: ArrayLike = _column(_TRUTH, default=0.0)
    hollow: ArrayLike = _column(_FINITE, _NOT_NEGATIVE, _BELOW_ONE, default=0.0)
    section: ArrayLike = _column(_FINITE, _POSITIVE, default=1.0, width=9)
    bend_limit: ArrayLike = _column(_ANGLE, default=np.inf)
    twist_limit: ArrayLike = _column(_ANGLE, default=np.inf)
    strength: ArrayLike = _column(_STRENGTH, default=np.inf)
    fibres: ArrayLike = _column(_FINITE, _NOT_NEGATIVE, _BELOW_ONE, default=0.0)
    drag_across: ArrayLike = _column(_FINITE, _NOT_NEGATIVE, default=1.2)
    drag_along: ArrayLike = _column(_FINITE, _NOT_NEGATIVE, default=0.02)
    blade_area: ArrayLike = _column(_FINITE, _NOT_NEGATIVE, default=0.0)
    blade_drag_normal: ArrayLike = _column(_FINITE, _NOT_NEGATIVE, default=1.17)
    blade_drag_along: ArrayLike = _column(_FINITE, _NOT_NEGATIVE, default=0.04)
    blade_lift: ArrayLike = _column(_FINITE, _NOT_NEGATIVE, default=0.0)
    blade_lift_along: ArrayLike = _column(_FINITE, _NOT_NEGATIVE, default=0.0)
    blade_air_mass: ArrayLike = _column(_FINITE, _NOT_NEGATIVE, default=0.0)
    blade_shift: ArrayLike = _column(_FINITE, _NOT_NEGATIVE, _AT_MOST_ONE, default=0.0)
    blade_rigidity: ArrayLike = _column(_FINITE, _NOT_NEGATIVE, default=0.0)
    blade_cup: ArrayLike = _column(_FINITE, _SHARE, default=0.0)
    collides: ArrayLike = _column(_TRUTH, default=1.0)
    friction: ArrayLike = _column(_FINITE, _NOT_NEGATIVE, default=0.5)
    bounce: ArrayLike = _column(_FINITE, _NOT_NEGATIVE, _AT_MOST_ONE, default=0.0)
    margin: ArrayLike = _column(_FINITE, _NOT_NEGATIVE, default=0.0)
    stickiness: ArrayLike = _column(_FINITE, _NOT_NEGATIVE, default=0.0)
    landing_time: ArrayLike = _column(_FINITE, _LANDING, default=LANDING_TIME)
    mass: ArrayLike = _column(_NOT_INFINITE, _POSITIVE, default=np.nan)
    com: ArrayLike = _column(_NOT_INFINITE, default=np.nan, width=3)
    inertia: ArrayLike = _column(_NOT_INFINITE, _POSITIVE, default=np.nan, width=3)
    stiffness: ArrayLike = _column(_NOT_INFINITE, _NOT_NEGATIVE, default=np.nan, width=3)

    parent_index: Ints = field(init=False)

    def __post_init__(self) -> None:
        self.parent_index = indices("parent", self.parent)
        n = len(self.parent_index)
        if n == 0:
            raise SolverError("there is nothing to simulate")
        columns = [f for f in fields(self) if f.metadata]
        for f in columns:
            shape = (n,) if f.metadata["width"] is None else (n, f.metadata["width"])
            values = floats(_words(f.name), getattr(self, f.name), truth=_TRUTH in f.metadata["rules"])
            try:
                setattr(self, f.name, np.array(np.broadcast_to(values, shape)))
            except ValueError:
                raise SolverError(f"{_words(f.name)} has shape {values.shape}, expected {shape}") from None
        self._check(columns)

    def __len__(self) -> int:
        return len(self.parent_index)

    def array(self, name: str) -> Floats:
        """Return the named column as a float array."""
        values: Floats = getattr(self, name)
        return values

    def _check(self, columns: list[Field[Any]]) -> None:
        wrong = np.flatnonzero((self.parent_index >= np.arange(len(self))) | (self.parent_index < -1))
        if wrong.size:
            raise SolverError("its parent does not come before it", int(wrong[0]))
        for column in columns:
            values = self.array(column.name)
            for is_wrong, words in column.metadata["rules"]:
                self.refuse(is_wrong(values), f"{_words(column.name)} {words}")
            if column.metadata["width"] is not None:
                missing = np.isnan(values)
                part = missing.any(axis=1) & ~missing.all(axis=1)
                self.refuse(part, f"{column.name} is given in part: give all three numbers or none")

    def refuse(self, wrong: np.ndarray, message: str) -> None:
        """Raise SolverError for the first rod that is wrong, or any of its numbers: (n,) or (n, k) bool."""
        if wrong.any():
            raise SolverError(message, int(np.nonzero(wrong)[0][0]))
