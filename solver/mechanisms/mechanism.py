# SPDX-License-Identifier: GPL-3.0-or-later
"""A mechanism: a tree of rigid bodies on joints, with its forces and its equations of motion, M(q) u' + c(q, u) = tau.

Units are SI, the ground's frame is the world's. tau, u and their derivatives have one number for each rate of each
joint, body by body; q likewise with the joints' coordinates, which are more than the rates where a joint turns freely.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..base.arrays import Floats
from ..base.checks import finite, must_be, number, whole_number
from ..base.constants import EARTH_GRAVITY
from ..base.errors import SolverError
from . import recursions
from .joint import Joint, Placed, is_rotation
from .recursions import Pose, Tree
from .spatial import cross, solved, spatial_inertia, transform


@dataclass(frozen=True)
class Body:
    """A rigid body and the joint that holds it, in the body's own axes.

    joint: its transformation places the body in what it hangs on
    mass (kg), com (3,) m: the centre of mass; inertia: (3, 3) or its diagonal (3,), kg m2 about the centre of mass
    parent: the body that it hangs on, before it in the list; -1: the ground
    placement: (4, 4), where in its parent the joint sits
    stiffness, damping: of the joint's rates, one number or one for each: N m/rad or N/m, and N m s/rad or N s/m. A free
        turn has one stiffness for all its axes.
    rest: one number for each rate, where the spring is relaxed; of a free turn a rotation vector, which must be zero
    """

    joint: Joint
    mass: float
    com: ArrayLike = (0.0, 0.0, 0.0)
    inertia: ArrayLike = (0.0, 0.0, 0.0)
    parent: int = -1
    placement: ArrayLike = field(default_factory=lambda: np.eye(4))
    stiffness: ArrayLike = 0.0
    damping: ArrayLike = 0.0
    rest: ArrayLike = 0.0


class Loads(NamedTuple):
    """What acts on a mechanism. gravity: (3,) m/s2; force: (n, 3) N at the bodies' centres of mass and torque: (n, 3)
    N m, both in world axes; effort: (rates,) generalized forces of the system that moves."""

    gravity: ArrayLike = EARTH_GRAVITY
    force: ArrayLike | None = None
    torque: ArrayLike | None = None
    effort: ArrayLike | None = None


#: Nothing but the earth's gravity.
WEIGHT = Loads()


class MechanicalEnergy(NamedTuple):
    """J. gravitational: of the weight, from the ground's origin; elastic: of the springs."""

    kinetic: float
    gravitational: float
    elastic: float

    @property
    def total(self) -> float:
        """Their sum."""
        return self.kinetic + self.gravitational + self.elastic


class Known(NamedTuple):
    """What the recursions take of one state: pose, motions, forces p on bodies, the ground's acceleration, and the
    generalized forces of springs and dampers."""

    pose: Pose
    moving: recursions.Motions
    p: list[Any]
    ground: Any
    passive: Any


class Mechanism:
    """A tree of bodies.

    Raises SolverError for what cannot move: a parent behind its child, a mass below zero.

    Attributes:
        start: (coordinates,) q at rest
        rates: how many there are
    """

    def __init__(self, bodies: Sequence[Body]):
        if not bodies:
            raise SolverError("a mechanism has no bodies: give it one at least")
        self.bodies = tuple(bodies)
        self._joints: list[Joint] = []
        self._springs: list[tuple[Floats, Floats, Floats]] = []
        inertia, parent = [], []
        for i, body in enumerate(bodies):
            must_be(Body, body)
            must_be(Joint, body.joint)
            parent.append(whole_number(f"bodies[{i}].parent", body.parent, -1, i - 1))
            placement = finite(f"bodies[{i}].placement", body.placement, (4, 4))
            if not is_rotation(placement[:3, :3]):
                raise SolverError(f"bodies[{i}].placement does not turn: make its axes unit, orthogonal, right-handed")
            self._joints.append(Placed(placement[:3, :3], placement[:3, 3], body.joint))
            inertia.append(_inertia(i, body))
            self._springs.append(_spring(i, body))
        ends = np.cumsum([0] + [joint.rates for joint in self._joints])
        self.tree = Tree(parent, inertia, [slice(a, b) for a, b in pairwise(ends.tolist())])
        places = np.cumsum([0] + [len(joint.start) for joint in self._joints])
        self.coordinates_of = [slice(a, b) for a, b in pairwise(places.tolist())]
        self.start = np.concatenate([joint.start for joint in self._joints])
        self.rates = int(ends[-1])

    def velocity(self, q: Any, u: Any) -> Any:
        """q' of rates u."""
        return np.concatenate([joint.velocity(a, b) for joint, a, b in self._each(q, u)])

    def normalized(self, q: Floats) -> Floats:
        """q with quaternions of length 1."""
        return np.concatenate([joint.normalized(a) for joint, a, _ in self._each(q, q)])

    def placed(self, q: ArrayLike) -> Floats:
        """(n, 4, 4) where the bodies are in the world."""
        q = self.checked("q", q)
        W = np.zeros((len(self.bodies), 4, 4))
        for i, (joint, a, _) in enumerate(self._each(q, q)):
            R, t = joint.at(a, np.zeros(joint.rates))[:2]
            A = np.vstack([np.column_stack([R, t]), [0.0, 0.0, 0.0, 1.0]])
            W[i] = A if self.tree.parent[i] < 0 else W[self.tree.parent[i]] @ A
        return W

    def inverse_dynamics(self, q: ArrayLike, u: ArrayLike, a: ArrayLike, loads: Loads = WEIGHT) -> Floats:
        """tau (rates,) beside springs, dampers and loads, effort included, that accelerations a take; O(n)."""
        q, u, a = self.checked("q", q), self.checked("u", u), self.checked("a", a)
        known = self.known(q, u, loads)
        tau = recursions.inverse_dynamics(self.tree, known.pose, known.moving, known.p, a, known.ground)
        return tau - known.passive - self.effort(loads)

    def forward_dynamics(self, q: ArrayLike, u: ArrayLike, loads: Loads = WEIGHT) -> Floats:
        """Accelerations u' (rates,) by the articulated-body algorithm; O(n)."""
        return self.responses(self.checked("q", q), self.checked("u", u), loads, None)[0]

    def responses(self, q: Any, u: Any, loads: Loads, B: Any) -> tuple[Any, Any]:
        """forward_dynamics, and M^-1 B of columns B (rates, m) or None; O(n m)."""
        known = self.known(q, u, loads)
        pose, by = known.pose, recursions.articulated(self.tree, known.pose)
        tau = known.passive + self.effort(loads)
        a = recursions.forward_dynamics(self.tree, pose, known.moving, by, known.p, tau, known.ground)
        return a, None if B is None else recursions.mass_solved(self.tree, pose, by, B)

    def forward_dynamics_by_matrix(self, q: ArrayLike, u: ArrayLike, loads: Loads = WEIGHT) -> Floats:
        """The same by M u' = tau - c (Guenter & Lee, section 4); O(n^2), and O(n^3) for the solution."""
        M, c = self.equations_of_motion(q, u, loads)
        return solved(M, self.effort(loads) - c)

    def equations_of_motion(self, q: ArrayLike, u: ArrayLike, loads: Loads = WEIGHT) -> tuple[Floats, Floats]:
        """M (rates, rates) and c (rates,) of M u' + c = effort (Guenter & Lee, eq. 14); springs, dampers and all other
        loads are in c. O(n^2)."""
        q, u = self.checked("q", q), self.checked("u", u)
        known, none = self.known(q, u, loads), np.zeros(self.rates)
        c = recursions.inverse_dynamics(self.tree, known.pose, known.moving, known.p, none, known.ground)
        return recursions.mass_matrix(self.tree, known.pose), c - known.passive

    def mass_matrix(self, q: ArrayLike) -> Floats:
        """M (rates, rates)."""
        return recursions.mass_matrix(self.tree, self.pose(self.checked("q", q), np.zeros(self.rates)))

    def mass_solved(self, q: Any, B: Any) -> Any:
        """M^-1 B of columns B (rates, m); O(n m)."""
        pose = self.pose(q, np.zeros(self.rates))
        return recursions.mass_solved(self.tree, pose, recursions.articulated(self.tree, pose), B)

    def energy(self, q: ArrayLike, u: ArrayLike, gravity: ArrayLike = EARTH_GRAVITY) -> MechanicalEnergy:
        """Energies of a state."""
        q, u, g = self.checked("q", q), self.checked("u", u), finite("gravity", gravity, (3,))
        v = recursions.motions(self.tree, self.pose(q, u), u).v
        kinetic = 0.5 * sum(float(one @ inertia @ one) for one, inertia in zip(v, self.tree.inertia, strict=True))
        falls = 0.0
        for body, A in zip(self.bodies, self.placed(q), strict=True):
            falls += body.mass * float(g @ (A[:3, :3] @ np.asarray(body.com, dtype=float) + A[:3, 3]))
        elastic = 0.0
        for (joint, a, _), (k, _, rest) in zip(self._each(q, u), self._springs, strict=True):
            if k.any():
                elastic += 0.5 * float(k @ (joint.displacement(a) - rest) ** 2)
        return MechanicalEnergy(kinetic, -falls, elastic)

    def momentum(self, q: ArrayLike, u: ArrayLike) -> Floats:
        """(6,) angular momentum about the ground's origin (N m s) and momentum (N s), in world axes."""
        q, u = self.checked("q", q), self.checked("u", u)
        v = recursions.motions(self.tree, self.pose(q, u), u).v
        total = np.zeros(6)
        for A, one, inertia in zip(self.placed(q), v, self.tree.inertia, strict=True):
            total += transform(A[:3, :3], A[:3, 3]).T @ (inertia @ one)
        return total

    def known(self, q: Any, u: Any, loads: Loads) -> Known:
        """What the recursions take of a state."""
        pose = self.pose(q, u)
        moving = recursions.motions(self.tree, pose, u)
        g = finite("gravity", loads.gravity, (3,))
        p = recursions.bias_forces(self.tree, moving, self._wrenches(q, loads))
        return Known(pose, moving, p, np.concatenate([np.zeros(3), -g]), self._passive(q, u))

    def effort(self, loads: Loads) -> Floats:
        """(rates,) generalized forces of the loads."""
        return np.zeros(self.rates) if loads.effort is None else finite("effort", loads.effort, (self.rates,))

    def checked(self, name: str, values: ArrayLike) -> Any:
        """A row of coordinates (q) or rates; numbers of a class of their own are let through."""
        size = len(self.start) if name == "q" else self.rates
        if isinstance(values, np.ndarray) and values.dtype == object and values.shape == (size,):
            return values
        return finite(name, values, (size,))

    def _each(self, q: Any, u: Any) -> list[tuple[Joint, Any, Any]]:
        return [
            (joint, q[at], u[own])
            for joint, at, own in zip(self._joints, self.coordinates_of, self.tree.own, strict=True)
        ]

    def pose(self, q: Any, u: Any) -> Pose:
        """X, S and c of all joints."""
        at = [joint.at(a, b) for joint, a, b in self._each(q, u)]
        return Pose([transform(one.R, one.t) for one in at], [one.S for one in at], [one.c for one in at])

    def _passive(self, q: Any, u: Any) -> Any:
        """(rates,) of springs and dampers."""
        parts = []
        for (joint, a, b), (k, d, rest) in zip(self._each(q, u), self._springs, strict=True):
            parts.append(-d * b - k * (joint.displacement(a) - rest) if k.any() else -d * b)
        return np.concatenate(parts)

    def _wrenches(self, q: Any, loads: Loads) -> list[Any]:
        """(6,) each, on the bodies in their axes."""
        n = len(self.bodies)
        if loads.force is None and loads.torque is None:
            return [np.zeros(6)] * n
        none = np.zeros((n, 3))
        force = none if loads.force is None else finite("force", loads.force, (n, 3))
        torque = none if loads.torque is None else finite("torque", loads.torque, (n, 3))
        made = []
        for body, A, f, m in zip(self.bodies, self.placed(q), force, torque, strict=True):
            own = A[:3, :3].T @ f
            made.append(np.concatenate([A[:3, :3].T @ m + cross(np.asarray(body.com, dtype=float), own), own]))
        return made


def _inertia(i: int, body: Body) -> Floats:
    """(6, 6) about the body's origin."""
    mass = number(f"bodies[{i}].mass", body.mass, 0.0)
    given = np.asarray(body.inertia, dtype=float)
    about = finite(f"bodies[{i}].inertia", np.diag(given) if given.shape == (3,) else given, (3, 3))
    rounding = 1e-9 * np.abs(about).max()
    if np.abs(about - about.T).max() > rounding or np.linalg.eigvalsh(about)[0] < -rounding:
        raise SolverError(f"bodies[{i}].inertia is no inertia: make it symmetric, without negative principal moments")
    return spatial_inertia(mass, finite(f"bodies[{i}].com", body.com, (3,)), about)


def _spring(i: int, body: Body) -> tuple[Floats, Floats, Floats]:
    """Stiffness, damping and rest, one number for each rate."""
    rates = body.joint.rates
    rows = []
    for name, low in (("stiffness", 0.0), ("damping", 0.0), ("rest", -1e50)):
        values = np.broadcast_to(np.asarray(getattr(body, name), dtype=float), (rates,))
        rows.append(finite(f"bodies[{i}].{name}", values, (rates,), low))
    k, d, rest = rows
    for first in body.joint.free_turns:
        turn = slice(first, first + 3)
        if np.ptp(k[turn]) > 0.0 or rest[turn].any():
            raise SolverError(f"bodies[{i}] turns freely: give its turn one stiffness for all axes, and no rest")
    return k, d, rest
