# SPDX-License-Identifier: GPL-3.0-or-later
"""Coupled coordinates: many joints driven by few coordinates, q_i = q_i(r) (Guenter & Lee 2009, fig. 5d).

With the rates w of what is independent, and G = dq/dr,

    u = G w      u' = G w' + (d2q/dr2)(w, w)      (G^T M G) w' = G^T (tau - c - M (d2q/dr2)(w, w))

so that a closed loop whose joints are known functions of one coordinate moves with one, without multipliers.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..base.arrays import Floats
from ..base.checks import finite, indices, must_be
from ..base.constants import EARTH_GRAVITY
from ..base.errors import SolverError
from . import recursions
from .mechanism import WEIGHT, Loads, MechanicalEnergy, Mechanism
from .spatial import solved
from .taylor import expand


class _Followed(NamedTuple):
    """q, G (rates, independent rates) and the accelerations that the rates alone make (rates,)."""

    q: Any
    G: Any
    made: Any


class Coupled:
    """A mechanism some of whose joints follow independent coordinates r.

    mechanism: of joints as if they were free; those that follow must have as many rates as coordinates
    followers: which bodies' joints follow
    function: takes a row of as many numbers as start has and returns the coordinates of the followers' joints, one
        after the other, made by NumPy's functions and plain arithmetic; derivatives are exact to rounding
    start: (k,) r at rest

    The system's coordinates are r, then those of the joints that do not follow; its rates likewise.
    Raises SolverError for a function of another size.
    """

    def __init__(
        self, mechanism: Mechanism, followers: Sequence[int], function: Callable[[Any], Any], start: Sequence[float]
    ):
        must_be(Mechanism, mechanism)
        n = len(mechanism.bodies)
        self.mechanism, self._function = mechanism, function
        follow = set(indices("followers", followers, 0, n - 1).tolist())
        if not follow or not len(start):
            raise SolverError("no joints follow, or none leads: give followers and start one number at least")
        for i in follow:
            if mechanism.bodies[i].joint.free_turns:
                raise SolverError(f"bodies[{i}] turns freely: what follows needs angles, as of three revolute joints")
        tree, places = mechanism.tree, mechanism.coordinates_of
        rows = np.arange(mechanism.rates)
        self._led = np.concatenate([rows[tree.own[i]] for i in range(n) if i in follow])
        self._others = np.setdiff1d(rows, self._led)
        columns = np.arange(len(mechanism.start))
        self._led_q = np.concatenate([columns[places[i]] for i in range(n) if i in follow])
        self._other_q = np.setdiff1d(columns, self._led_q)
        self._k = len(start)
        self.start = np.concatenate([np.array(start, dtype=float), mechanism.start[self._other_q]])
        self.rates = self._k + len(self._others)
        self.whole(self.start)

    def whole(self, r: ArrayLike) -> Floats:
        """q of the whole mechanism."""
        r = finite("q", r, self.start.shape)
        return self._followed(r, np.zeros(self.rates)).q

    def whole_rates(self, r: ArrayLike, w: ArrayLike) -> Floats:
        """u = G w of the whole mechanism."""
        w = finite("u", w, (self.rates,))
        return self._followed(finite("q", r, self.start.shape), w).G @ w

    def velocity(self, r: Any, w: Any) -> Any:
        """The coordinates' change at rates w."""
        u = np.zeros(self.mechanism.rates)
        u[self._others] = w[self._k :]
        q = self.mechanism.start.copy()
        q[self._other_q] = r[self._k :]
        return np.concatenate([w[: self._k], self.mechanism.velocity(q, u)[self._other_q]])

    def normalized(self, r: Floats) -> Floats:
        """The coordinates with quaternions of length 1."""
        q = self.mechanism.start.copy()
        q[self._other_q] = r[self._k :]
        return np.concatenate([r[: self._k], self.mechanism.normalized(q)[self._other_q]])

    def inverse_dynamics(self, r: ArrayLike, w: ArrayLike, a: ArrayLike, loads: Loads = WEIGHT) -> Floats:
        """Generalized forces (rates,) of the independent coordinates that their accelerations a take; O(n)."""
        r, w, a = finite("q", r, self.start.shape), finite("u", w, (self.rates,)), finite("a", a, (self.rates,))
        q, G, made = self._followed(r, w)
        tau = self.mechanism.inverse_dynamics(q, G @ w, G @ a + made, loads._replace(effort=None))
        return G.T @ tau - self._effort(loads)

    def forward_dynamics(self, r: ArrayLike, w: ArrayLike, loads: Loads = WEIGHT) -> Floats:
        """Accelerations w' (rates,); O(n) for few coordinates."""
        return self.responses(finite("q", r, self.start.shape), finite("u", w, (self.rates,)), loads, None)[0]

    def responses(self, r: Any, w: Any, loads: Loads, B: Any) -> tuple[Any, Any]:
        """forward_dynamics, and (G^T M G)^-1 B of columns B (rates, m) or None."""
        q, G, made = self._followed(r, w)
        tree, known = self.mechanism.tree, self.mechanism.known(q, G @ w, loads)
        held = recursions.inverse_dynamics(tree, known.pose, known.moving, known.p, made, known.ground)
        M = recursions.reduced_mass_matrix(tree, known.pose, G)
        a = solved(M, G.T @ (known.passive - held) + self._effort(loads))
        return a, None if B is None else solved(M, B)

    def mass_solved(self, r: Any, B: Any) -> Any:
        """(G^T M G)^-1 B."""
        q, G, _ = self._followed(r, np.zeros(self.rates))
        pose = self.mechanism.pose(q, np.zeros(self.mechanism.rates))
        return solved(recursions.reduced_mass_matrix(self.mechanism.tree, pose, G), B)

    def energy(self, r: ArrayLike, w: ArrayLike, gravity: ArrayLike = EARTH_GRAVITY) -> MechanicalEnergy:
        """Energies of a state."""
        return self.mechanism.energy(self.whole(r), self.whole_rates(r, w), gravity)

    def placed(self, r: ArrayLike) -> Floats:
        """(n, 4, 4) where the bodies are in the world."""
        return self.mechanism.placed(self.whole(r))

    def _followed(self, r: Any, w: Any) -> _Followed:
        k = self._k
        c = expand("q(r)", self._function, r[:k], np.vstack([np.eye(k), w[:k]]), 2)
        if c.shape[2:] != self._led.shape:
            raise SolverError(f"q(r) gives shape {c.shape[2:]}, expected {self._led.shape} for the joints that follow")
        q = np.zeros(len(self.mechanism.start))
        q[self._led_q], q[self._other_q] = c[0, 0], r[k:]
        G, made = np.zeros((self.mechanism.rates, self.rates)), np.zeros(self.mechanism.rates)
        G[self._led, :k] = c[1, :-1].T
        G[self._others, np.arange(k, self.rates)] = 1.0
        made[self._led] = 2.0 * c[2, -1]
        return _Followed(q, G, made)

    def _effort(self, loads: Loads) -> Floats:
        return np.zeros(self.rates) if loads.effort is None else finite("effort", loads.effort, (self.rates,))
