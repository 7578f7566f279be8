# SPDX-License-Identifier: GPL-3.0-or-later
"""Motion in time by Gauss-Legendre collocation (Hairer, Lubich & Wanner 2006, section II.1.3).

    k_i = f(y + h sum_j a_ij k_j)      y_new = y + h sum_i b_i k_i

It is of order 2 s with s stages, symplectic and symmetric in time, so that energy does not drift, and keeps quaternions
at length 1. Since y are the joints' own coordinates, bodies stay on their guides however long the steps are.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from ..base.arrays import Floats
from ..base.checks import MORE_THAN_ZERO, finite, number, whole_number
from ..base.constants import LARGEST
from ..base.errors import SolverError
from .constraints import Constrained, System
from .mechanism import Loads

#: Stages are found to this share of the largest rate, or of 1, or to the second one where they get no closer for
#: rounding; what takes more rounds needs shorter steps.
_SOLVED, _ROUNDING, _ROUNDS = 1e-13, 1e-10, 40

#: Steps grow and shrink by these factors at most, and by this share less than the error would let them.
_GROWTH, _SHRINKING, _CAUTION = 2.0, 0.2, 0.9

#: The shortest step, as a share of the time to go, is one of so many.
_STEPS = 1e6


class Gauss:
    """The formula of s stages: nodes c, weights b, coefficients a, and the row that extends the stages' polynomial."""

    def __init__(self, stages: int):
        x, w = np.polynomial.legendre.leggauss(stages)
        self.c, self.b = 0.5 * (x + 1.0), 0.5 * w
        powers = np.vander(self.c, stages, increasing=True)
        orders = np.arange(1, stages + 1)
        self.to_polynomial = np.linalg.inv(powers)
        self.a = self.c[:, None] ** orders / orders @ self.to_polynomial

    def extended(self, at: Floats) -> Floats:
        """Weights (m, s) of the stages for the slope at times (m,), in steps from the beginning."""
        return np.vander(at, len(self.c), increasing=True) @ self.to_polynomial


class Run:
    """A system in motion.

    system: a Mechanism, Coupled or Constrained one
    q, u: coordinates and rates to begin with; None: at rest. Those of constrained systems are made to keep P u = 0.
    loads: what acts, or a function of the time (s) that gives it
    stages: 1 is the implicit midpoint rule
    tolerance: how far the slopes at a step's beginning may be from what its stages tell of them, times the step; as a
        share of the largest rate, or of 1. Errors of steps are far smaller, by the formula's order.
    max_step: s, no step is longer

    Raises SolverError where numbers are not finite or a step would have to be shorter than a millionth of the time to
    go.

    Attributes:
        q, u, time: the present state
        steps: how many steps have been made
    """

    def __init__(
        self, system: System, q: ArrayLike | None = None, u: ArrayLike | None = None,
        loads: Loads | Callable[[float], Loads] | None = None, stages: int = 3, tolerance: float = 1e-3,
        max_step: float = np.inf,
    ):  # fmt: skip
        self.system = system
        self.q = system.normalized(system.start.copy() if q is None else finite("q", q, system.start.shape))
        self.u = np.zeros(system.rates) if u is None else finite("u", u, (system.rates,))
        self.time, self.steps = 0.0, 0
        self._loads = loads if callable(loads) else (lambda _: loads or Loads())
        self._gauss = Gauss(whole_number("stages", stages, 1, 8))
        self._tolerance = number("tolerance", tolerance, MORE_THAN_ZERO)
        self._longest = number("max_step", max_step, MORE_THAN_ZERO, np.inf)
        self._next = self._longest
        self._stages: tuple[Floats, float] | None = None
        self._keep(np.concatenate([self.q, self.u]), 0.0)

    def advance(self, duration: float) -> int:
        """Go on by so many seconds; returns the number of steps that it took."""
        left = number("duration", duration, 0.0)
        end, before, shortest = self.time + left, self.steps, left / _STEPS
        while left > 0.0:
            h = left / np.ceil(left / min(self._next, left))
            if h < shortest:
                raise SolverError(
                    f"the motion at {self.time:.6g} s needs steps below {shortest:.2g} s: raise the tolerance, or make"
                    " springs and dampers softer"
                )
            left = left - h if self._step(h) else left
        self.time = end
        return self.steps - before

    def _step(self, h: float) -> bool:
        """Go on by h (s) and tell whether that was good enough; where not, nothing is changed but the next length."""
        y = np.concatenate([self.q, self.u])
        scale = max(1.0, float(np.abs(self.u).max()))
        first = self._slope(y, self.time)
        with np.errstate(over="ignore", invalid="ignore"):  # what does not converge may grow large
            k = self._solved_stages(y, h, first, scale)
        if k is None:
            self._next = 0.5 * h
            return False
        error = h * float(np.abs(first - self._gauss.extended(np.zeros(1))[0] @ k).max()) / scale
        growth = _CAUTION * (self._tolerance / max(error, 1e-300)) ** (1.0 / (len(k) + 1))
        if error > self._tolerance:
            self._next = h * max(growth, _SHRINKING)
            return False
        self._next = min(self._longest, h * growth if growth < 1.0 else max(self._next, h * min(growth, _GROWTH)))
        self._keep(y + h * (self._gauss.b @ k), self.time + h)
        self._stages = k, h
        self.steps += 1
        return True

    def _solved_stages(self, y: Floats, h: float, first: Floats, scale: float) -> Floats | None:
        """k (s, ...) by repeated substitution; None where that does not converge."""
        c, a = self._gauss.c, self._gauss.a
        k = np.tile(first, (len(c), 1))
        if self._stages is not None and h <= _GROWTH * self._stages[1]:
            k = self._gauss.extended(1.0 + c * h / self._stages[1]) @ self._stages[0]
        last = np.inf
        for _ in range(_ROUNDS):
            at = y + h * (a @ k)
            if not np.abs(at).max() < LARGEST:
                return None
            new = np.array([self._slope(one, self.time + h * part) for one, part in zip(at, c, strict=True)])
            change, k = h * float(np.abs(new - k).max()) / scale, new
            if change <= _SOLVED or (_ROUNDING >= change >= last):
                return k
            last = change
        return None

    def _slope(self, y: Floats, time: float) -> Floats:
        q, u = y[: len(self.q)], y[len(self.q) :]
        return np.concatenate([self.system.velocity(q, u), self.system.forward_dynamics(q, u, self._loads(time))])

    def _keep(self, y: Floats, time: float) -> None:
        self.q, self.u, self.time = self.system.normalized(y[: len(self.q)]), y[len(self.q) :], time
        if isinstance(self.system, Constrained):
            self.u = self.system.held(self.q, self.u)
