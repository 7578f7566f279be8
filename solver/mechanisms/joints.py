# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints without a guide: turns, shifts, and what is made of them."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..base.arrays import Floats
from ..base.checks import finite
from ..base.errors import SolverError
from .joint import Composed, Joint, Moving
from .spatial import cross, skew, turned

_X, _Y, _Z = np.eye(3)


class Revolute(Joint):
    """A turn by an angle q (rad) about an axis (3,), which is the same in parent and body."""

    def __init__(self, axis: ArrayLike = (0.0, 0.0, 1.0)):
        self._axis = _unit("axis", axis)
        self.start, self.rates = np.zeros(1), 1
        self._S = np.concatenate([self._axis, np.zeros(3)])[:, None]

    def at(self, q: Any, u: Any) -> Moving:
        """See Joint."""
        return Moving(turned(self._axis, q[0]), np.zeros(3), self._S, np.zeros(6))


class Prismatic(Joint):
    """Shifts by q (m) along one to three axes (k, 3) or (3,), independent of each other."""

    def __init__(self, axes: ArrayLike = (0.0, 0.0, 1.0)):
        rows = np.atleast_2d(np.asarray(axes, dtype=float))
        self._axes = np.array([_unit(f"axes[{k}]", row) for k, row in enumerate(rows)])
        if np.linalg.matrix_rank(self._axes) < len(rows):
            raise SolverError("axes of a prismatic joint lie in one line or plane: leave one out")
        self.start, self.rates = np.zeros(len(rows)), len(rows)
        self._S = np.vstack([np.zeros((3, len(rows))), self._axes.T])

    def at(self, q: Any, u: Any) -> Moving:
        """See Joint."""
        return Moving(np.eye(3), self._axes.T @ q, self._S, np.zeros(6))


class Spherical(Joint):
    """A free turn by a unit quaternion q (w, x, y, z). The three rates are the angular velocity in the body's axes."""

    def __init__(self) -> None:
        self.start, self.rates, self.free_turns = np.array([1.0, 0.0, 0.0, 0.0]), 3, (0,)
        self._S = np.vstack([np.eye(3), np.zeros((3, 3))])

    def at(self, q: Any, u: Any) -> Moving:
        """See Joint. q may have any length, as it has within a step."""
        K = skew(q[1:])
        R = np.eye(3) + (2.0 / (q @ q)) * (q[0] * K + K @ K)
        return Moving(R, np.zeros(3), self._S, np.zeros(6))

    def velocity(self, q: Any, u: Any) -> Any:
        """See Joint: q' = 1/2 q (0, u)."""
        w, v = q[0], q[1:]
        return 0.5 * np.concatenate([[-(v @ u)], w * u + cross(v, u)])

    def displacement(self, q: Any) -> Any:
        """See Joint."""
        w, v = (q[0], q[1:]) if q[0] >= 0.0 else (-q[0], -q[1:])
        length = np.linalg.norm(v)
        return v * (2.0 * np.arctan2(length, w) / length if length else 2.0)

    def normalized(self, q: Floats) -> Floats:
        """See Joint."""
        return q / np.linalg.norm(q)


def universal(first: ArrayLike = (1.0, 0.0, 0.0), second: ArrayLike = (0.0, 1.0, 0.0)) -> Joint:
    """A turn about an axis of the parent, then one about an axis of the body (rad)."""
    return Composed(Revolute(first), Revolute(second))


def planar() -> Joint:
    """Shifts (m) along x and y of the parent, then a turn (rad) about z."""
    return Composed(Prismatic([_X, _Y]), Revolute(_Z))


def free() -> Joint:
    """No guide at all: q is a place (3,) m in the parent and a quaternion; u the place's velocity in the parent's axes
    and the angular velocity in the body's."""
    return Composed(Prismatic([_X, _Y, _Z]), Spherical())


def _unit(name: str, axis: ArrayLike) -> Floats:
    row = finite(name, axis, (3,))
    length = np.linalg.norm(row)
    if length == 0.0:
        raise SolverError(f"{name} is zero: give it a direction")
    return row / length
