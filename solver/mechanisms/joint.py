# SPDX-License-Identifier: GPL-3.0-or-later
"""What a joint is: a transformation A(q) of a body in its parent (Guenter & Lee 2009, eq. 1), and what follows of it.

    S_k = vee(A^-1 dA/dq_k)      c = S' u      in the body's axes

Joints are put together by multiplying transformations, and turned around by inverting them.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..base.arrays import Floats
from ..base.errors import SolverError
from .spatial import cross, cross_motion, transform, unskew
from .taylor import expand

#: A transformation whose turning part differs more from a rotation is refused.
_RIGID = 1e-9


class Moving(NamedTuple):
    """A joint in motion: R (3, 3) and t (3,) m place the body in its parent; S (6, k) gives the body's velocity S u
    relative to it and c (6,) = S' u, turning part first, in the body's axes."""

    R: Any
    t: Any
    S: Any
    c: Any


class Joint(ABC):
    """A joint of some coordinates q and rates u; both are the same in number, and u = q', but where turns are free.

    Attributes:
        start: q at rest. Angles are in rad, lengths in m, turns are unit quaternions w x y z.
        rates: how many rates there are, 1 to 6.
        free_turns: the first of the three rates of each free turn.
    """

    start: Floats
    rates: int
    free_turns: tuple[int, ...] = ()

    @abstractmethod
    def at(self, q: Any, u: Any) -> Moving:
        """Where it holds the body, and how that moves."""

    def velocity(self, q: Any, u: Any) -> Any:
        """q' of the rates u."""
        return u

    def displacement(self, q: Any) -> Any:
        """What a spring acts on, from q at rest: one number for each rate, a rotation vector for a free turn."""
        return q

    def normalized(self, q: Floats) -> Floats:
        """The coordinates with quaternions of length 1."""
        return q


class Composed(Joint):
    """Joints one after the other, A = A_1 A_2 ..., without bodies between them. At most 6 rates in all."""

    def __init__(self, *joints: Joint):
        self._joints = joints
        self.start = np.concatenate([joint.start for joint in joints])
        self.rates = sum(joint.rates for joint in joints)
        first = np.cumsum([0] + [joint.rates for joint in joints])
        self.free_turns = tuple(int(a + b) for a, joint in zip(first, joints, strict=False) for b in joint.free_turns)
        if not 1 <= self.rates <= 6:
            raise SolverError(f"a joint composed of others has {self.rates} rates, expected 1 to 6")

    def at(self, q: Any, u: Any) -> Moving:
        """See Joint."""
        parts = [joint.at(own, rate) for joint, own, rate in self._parts(q, u)]
        R, t, S, c = parts[0]
        v = S @ u[: S.shape[1]]
        for part, (_, _, rate) in zip(parts[1:], self._parts(q, u)[1:], strict=True):
            X, own = transform(part.R, part.t), part.S @ rate
            v = X @ v + own
            c = X @ c + part.c + cross_motion(v, own)
            S = np.hstack([X @ S, part.S])
            R, t = R @ part.R, t + R @ part.t
        return Moving(R, t, S, c)

    def velocity(self, q: Any, u: Any) -> Any:
        """See Joint."""
        return np.concatenate([joint.velocity(own, rate) for joint, own, rate in self._parts(q, u)])

    def displacement(self, q: Any) -> Any:
        """See Joint."""
        return np.concatenate([joint.displacement(own) for joint, own, _ in self._parts(q, q)])

    def normalized(self, q: Floats) -> Floats:
        """See Joint."""
        return np.concatenate([joint.normalized(own) for joint, own, _ in self._parts(q, q)])

    def _parts(self, q: Any, u: Any) -> list[tuple[Joint, Any, Any]]:
        made, i, j = [], 0, 0
        for joint in self._joints:
            made.append((joint, q[i : i + len(joint.start)], u[j : j + joint.rates]))
            i, j = i + len(joint.start), j + joint.rates
        return made


class _Wrapped(Joint):
    """A joint with the coordinates and rates of another one."""

    def __init__(self, joint: Joint):
        self._joint, self.start, self.rates, self.free_turns = joint, joint.start, joint.rates, joint.free_turns

    def velocity(self, q: Any, u: Any) -> Any:
        """See Joint."""
        return self._joint.velocity(q, u)

    def displacement(self, q: Any) -> Any:
        """See Joint."""
        return self._joint.displacement(q)

    def normalized(self, q: Floats) -> Floats:
        """See Joint."""
        return self._joint.normalized(q)


class Inverted(_Wrapped):
    """The parent is where the body of another joint would be, and the body where its parent would be: A^-1."""

    def at(self, q: Any, u: Any) -> Moving:
        """See Joint. Seen from the body, the parent's velocity is the negative one."""
        R, t, S, c = self._joint.at(q, u)
        back, away = R.T, -(R.T @ t)
        X = transform(back, away)
        return Moving(back, away, -(X @ S), -(X @ c))


class Placed(_Wrapped):
    """A joint that sits somewhere in its parent: (R, t) A. R (3, 3), t (3,) m."""

    def __init__(self, R: Floats, t: Floats, joint: Joint):
        super().__init__(joint)
        self._R, self._t = R, t

    def at(self, q: Any, u: Any) -> Moving:
        """See Joint."""
        R, t, S, c = self._joint.at(q, u)
        return Moving(self._R @ R, self._t + self._R @ t, S, c)


class Given(Joint):
    """A joint of any A(q), of which nothing but the matrix is given; derivatives are exact to rounding.

    transformation: takes a row of k coordinates and returns 4 x 4 numbers, made by NumPy's functions and plain
        arithmetic of them; the turning part must be a rotation
    start: (k,) coordinates at rest, 1 to 6
    """

    def __init__(self, transformation: Callable[[Any], Any], start: Sequence[float]):
        self._A = transformation
        self.start = np.array(start, dtype=float)
        self.rates = len(self.start)
        if not 1 <= self.rates <= 6:
            raise SolverError(f"A(q) has {self.rates} coordinates, expected 1 to 6")
        R = self.at(self.start, np.zeros(self.rates)).R
        if not is_rotation(R):
            raise SolverError("the upper left 3 x 3 numbers of A(q) are no rotation: make its axes unit and orthogonal")

    def at(self, q: Any, u: Any) -> Moving:
        """See Joint. One line along each coordinate and one along the rates."""
        c = expand("A(q)", self._A, q, np.vstack([np.eye(self.rates), u]), 2)
        if c.shape[2:] != (4, 4):
            raise SolverError(f"A(q) has shape {c.shape[2:]}, expected (4, 4)")
        return moving(c[0, 0], c[1, :-1], 2.0 * c[2, -1], u)


def is_rotation(R: Floats) -> bool:
    """Whether R (3, 3) has unit, orthogonal, right-handed axes, but for rounding."""
    return bool(np.abs(R.T @ R - np.eye(3)).max() < _RIGID and np.linalg.det(R) > 0.0)


def moving(A: Any, A_k: Any, A_uu: Any, u: Any) -> Moving:
    """A joint's motion from A (4, 4), its derivatives by the coordinates (k, 4, 4), and the second one along u."""
    R, back = A[:3, :3], A[:3, :3].T
    turn, shift = unskew(back @ A_k[:, :3, :3]), A_k[:, :3, 3] @ R
    S = np.vstack([turn.T, shift.T])
    omega, v = S[:3] @ u, S[3:] @ u
    # (A^-1 A')' = A^-1 A'' - (A^-1 A')^2; the square of a skew matrix is symmetric and has no part in the turning
    return Moving(R, A[:3, 3], S, np.concatenate([unskew(back @ A_uu[:3, :3]), back @ A_uu[:3, 3] - cross(omega, v)]))
