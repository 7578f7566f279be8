# SPDX-License-Identifier: GPL-3.0-or-later
"""Constraints on rates, P(q) u = 0, by multipliers: rolling that no coordinates can express (Guenter & Lee, eq. 16).

    M u' + c = tau + P^T l      P u' = -P' u      so      (P M^-1 P^T) l = -P' u - P u'_free

with u'_free and M^-1 P^T by the articulated-body algorithm. What steps leave of P u is taken off after each of them by
the impulse P^T l that does it.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike

from ..base.arrays import Floats
from ..base.checks import finite, whole_number
from ..base.constants import EARTH_GRAVITY
from ..base.errors import SolverError
from .joints import Revolute
from .mechanism import WEIGHT, Loads, MechanicalEnergy, Mechanism
from .on_surface import SurfaceFrame
from .spatial import solved
from .surfaces import Surface
from .taylor import expand


class System(Protocol):
    """What moves by itself: a Mechanism, Coupled coordinates, or one of these Constrained."""

    start: Floats
    rates: int

    def velocity(self, q: Any, u: Any) -> Any:
        """q' of the rates u."""

    def normalized(self, q: Floats) -> Floats:
        """q with quaternions of length 1."""

    def forward_dynamics(self, q: ArrayLike, u: ArrayLike, loads: Loads = ...) -> Floats:
        """Accelerations u'."""

    def energy(self, q: ArrayLike, u: ArrayLike, gravity: ArrayLike = ...) -> MechanicalEnergy:
        """Energies of a state."""


class _Free(System, Protocol):
    """A system without constraints."""

    def mass_solved(self, q: Any, B: Any) -> Any:
        """M^-1 B."""

    def responses(self, q: Any, u: Any, loads: Loads, B: Any) -> tuple[Any, Any]:
        """Accelerations, and M^-1 B."""


class Rows(NamedTuple):
    """P (c, rates), and P' u (c,)."""

    P: Any
    change: Any


class Constraint(Protocol):
    """Anything that gives P and P' u of a state."""

    def rows(self, system: System, q: Any, u: Any) -> Rows:
        """P and P' u of a system's state."""


class Nonholonomic:
    """P(q) u = 0 for any P. function: takes the system's coordinates, made of NumPy's functions and plain arithmetic it
    returns c rows of as many numbers as there are rates. Its derivatives are exact to rounding."""

    def __init__(self, function: Callable[[Any], Any]):
        self._function = function

    def rows(self, system: System, q: Any, u: Any) -> Rows:
        """See Constraint."""
        c = expand("P(q)", self._function, q, system.velocity(q, u)[None], 1)[:, 0]
        if c.ndim != 3 or c.shape[2] != system.rates:
            raise SolverError(f"P(q) has shape {c.shape[1:]}, expected rows of {system.rates}")
        return Rows(c[0], c[1] @ u)


class RollingSurfaces:
    """Two surfaces that touch roll on each other: R_1^T t_1' = R_2^T t_2' of their frames (Guenter & Lee, eq. 16).

    body: one whose joint is surface_on_surface(first, second, spin=True), with these surfaces; its five coordinates
    pivoting: whether it may also turn about the normal; without it, it does not. Where its joint has no spin, of four
        coordinates, it must be True: their frames already decide that.
    """

    def __init__(self, mechanism: Mechanism, body: int, first: Surface, second: Surface, pivoting: bool = True):
        self._own = mechanism.tree.own[whole_number("body", body, 0, len(mechanism.bodies) - 1)]
        self._at = mechanism.coordinates_of[body]
        rates = mechanism.bodies[body].joint.rates
        self._spins = rates == 5
        if rates not in (4, 5) or not (pivoting or self._spins):
            raise SolverError(
                f"bodies[{body}] has {rates} rates, expected 5 of two surfaces that touch and spin, or 4 with pivoting"
            )
        self._first, self._second = SurfaceFrame(first), SurfaceFrame(second)
        self._pivoting = pivoting

    def rows(self, system: System, q: Any, u: Any) -> Rows:
        """See Constraint. Rows are the two tangents of the frame that touches, then the normal."""
        q, rate = q[self._at], u[self._own]
        angle, spin = (q[2:3], rate[2:3]) if self._spins else (np.zeros(1), np.zeros(1))
        one = self._first.at(q[:2], rate[:2])
        two = self._second.at(q[-2:], rate[-2:])
        R = Revolute().at(angle, spin).R
        turning = spin[0] * R @ np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
        moved = two.S[3:] @ rate[-2:]
        none = np.zeros((3, len(rate) - 4))
        sliding = np.hstack([one.S[3:], none, -R @ two.S[3:]])[:2]
        sliding_change = (one.c[3:] - R @ two.c[3:] - turning @ moved)[:2]
        P = np.zeros((2 if self._pivoting else 3, system.rates))
        P[:2, self._own] = sliding
        if self._pivoting:
            return Rows(P, sliding_change)
        P[2, self._own] = np.concatenate([one.S[2], [1.0], -two.S[2]])
        return Rows(P, np.append(sliding_change, one.c[2] - two.c[2]))


class Constrained:
    """A system whose rates keep P u = 0 of all constraints. Its coordinates and rates are those of the system."""

    def __init__(self, system: _Free, constraints: Sequence[Constraint]):
        self.system, self.constraints = system, tuple(constraints)
        if not self.constraints:
            raise SolverError("no constraints are given: let the system move by itself")
        self.start, self.rates = system.start, system.rates
        self.velocity, self.normalized = system.velocity, system.normalized

    def forward_dynamics(self, q: ArrayLike, u: ArrayLike, loads: Loads = WEIGHT) -> Floats:
        """Accelerations u' (rates,)."""
        q, u = finite("q", q, self.start.shape), finite("u", u, (self.rates,))
        P, change = self._rows(q, u)
        free, by = self.system.responses(q, u, loads, P.T)
        return free - by @ solved(P @ by, change + P @ free)

    def held(self, q: Floats, u: Floats) -> Floats:
        """The rates nearest to u, by kinetic energy, that keep P u = 0."""
        P = self._rows(q, u).P
        by = self.system.mass_solved(q, P.T)
        return u - by @ solved(P @ by, P @ u)

    def violation(self, q: ArrayLike, u: ArrayLike) -> Floats:
        """P u (c,)."""
        q, u = finite("q", q, self.start.shape), finite("u", u, (self.rates,))
        return self._rows(q, u).P @ u

    def energy(self, q: ArrayLike, u: ArrayLike, gravity: ArrayLike = EARTH_GRAVITY) -> MechanicalEnergy:
        """Energies of a state."""
        return self.system.energy(q, u, gravity)

    def _rows(self, q: Floats, u: Floats) -> Rows:
        rows = [constraint.rows(self.system, q, u) for constraint in self.constraints]
        return Rows(np.vstack([one.P for one in rows]), np.concatenate([one.change for one in rows]))
