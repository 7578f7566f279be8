# SPDX-License-Identifier: GPL-3.0-or-later
"""Curves that bodies slide on: points with three derivatives by the curve's own coordinate."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..base.arrays import Floats
from ..base.checks import finite
from ..base.errors import SolverError
from ..math.splines import spline_slopes
from .taylor import expand

#: A point that stands still, as a share of the curve's size per unit of its coordinate, has no tangent.
_STILL = 1e-9

#: rad by which the tangent turns at most within a piece, and how often a piece is halved to reach that.
_TURN, _HALVINGS = 0.25, 12


class Curve(ABC):
    """A curve f(s) with a tangent everywhere.

    Attributes:
        knots: (p,) ascending; between two of them the curve is smooth and turns by a quarter radian at most
        closed: whether it goes on from its end at its beginning
        endless: whether it goes on for ever at both ends
    """

    knots: Floats
    closed: bool
    endless: bool = False

    @abstractmethod
    def derivatives(self, s: float) -> Floats:
        """f, f', f'', f''' (4, 3), s within the knots."""

    def within(self, s: float) -> tuple[float, int]:
        """The coordinate within the knots and how often a closed curve has been gone around.

        Raises SolverError for a place beyond the ends of an open curve.
        """
        low, high = self.knots[0], self.knots[-1]
        if self.closed:
            laps = int(np.floor((s - low) / (high - low)))
            return s - laps * (high - low), laps
        if not self.endless and not low <= s <= high:
            raise SolverError(f"coordinate {s:.6g} has left its curve, from {low:.6g} to {high:.6g}: make it longer")
        return s, 0

    def _split(self, knots: Floats) -> Floats:
        """Knots between which the tangent turns by little."""
        for _ in range(_HALVINGS):
            middle = 0.5 * (knots[1:] + knots[:-1])
            fine = np.sort(np.concatenate([knots, middle]))
            tangent = np.array([self._tangent(s) for s in fine])
            turn = np.arccos(np.clip(np.sum(tangent[1:] * tangent[:-1], axis=1), -1.0, 1.0))
            wide = turn[::2] + turn[1::2] > _TURN
            if not wide.any():
                return knots
            knots = np.sort(np.concatenate([knots, middle[wide]]))
        raise SolverError(f"the curve has a corner near coordinate {middle[np.argmax(wide)]:.6g}: round it")

    def _tangent(self, s: float) -> Any:
        slope = self.derivatives(s)[1]
        length = np.linalg.norm(slope)
        if not length > _STILL * np.abs(self.derivatives(s)[0]).max():
            raise SolverError(f"the curve stands still at coordinate {s:.6g}: it has no tangent there")
        return slope / length


class Spline(Curve):
    """The cubic spline through points, with continuous second derivative; its coordinate is the length of the straight
    lines between them (m).

    points: (p, 3) m, at least two, three of a closed one, which goes on from the last to the first
    closed: an open one has no curvature at its ends (natural), and goes on straight beyond them
    """

    def __init__(self, points: ArrayLike, closed: bool = False):
        P = np.asarray(points, dtype=float)
        least = 3 if closed else 2
        if P.ndim != 2 or P.shape[1] != 3 or len(P) < least or not np.isfinite(P).all():
            raise SolverError(f"points has shape {P.shape}, expected at least {least} finite rows of 3")
        self.closed, self.endless = closed, not closed
        if closed:
            P = np.vstack([P, P[:1]])
        d = np.linalg.norm(np.diff(P, axis=0), axis=1)
        if not d.all():
            raise SolverError(f"points {np.flatnonzero(d == 0.0)[0]} and the one after it are the same: leave one out")
        self._P, self._d = P, d
        self._at = np.concatenate([[0.0], np.cumsum(d)])
        self._M = self._second_derivatives(np.diff(P, axis=0) / d[:, None])
        self.knots = self._at
        self.knots = self._split(self._at)

    def _second_derivatives(self, slope: Floats) -> Floats:
        """M (p, 3) at the points: those of Hermite's cubics, which are one for both neighbours."""
        m, d = spline_slopes(self._d, slope, self.closed), self._d[:, None]
        M = (6.0 * slope - 4.0 * m[:-1] - 2.0 * m[1:]) / d
        return np.append(M, (2.0 * m[-2:-1] + 4.0 * m[-1:] - 6.0 * slope[-1:]) / d[-1:], axis=0)

    def derivatives(self, s: float) -> Floats:
        """See Curve."""
        i = int(np.clip(np.searchsorted(self._at, s, side="right") - 1, 0, len(self._d) - 1))
        d, beyond = self._d[i], 0.0
        if self.endless and not self._at[0] <= s <= self._at[-1]:
            inside = float(np.clip(s, self._at[0], self._at[-1]))
            s, beyond = inside, s - inside
        b = (s - self._at[i]) / d
        a = 1.0 - b
        P, M = self._P[i : i + 2], self._M[i : i + 2]
        f = a * P[0] + b * P[1] + (d * d / 6.0) * ((a**3 - a) * M[0] + (b**3 - b) * M[1])
        slope = (P[1] - P[0]) / d + (d / 6.0) * ((1.0 - 3.0 * a * a) * M[0] + (3.0 * b * b - 1.0) * M[1])
        if beyond:
            return np.array([f + beyond * slope, slope, np.zeros(3), np.zeros(3)])
        return np.array([f, slope, a * M[0] + b * M[1], (M[1] - M[0]) / d])


class Path(Curve):
    """A curve by any formula.

    function: takes a number, made of NumPy's functions and plain arithmetic it returns three (m)
    low, high: where it begins and ends
    closed: whether its end is its beginning, with the same derivatives
    pieces: between how many it is smooth at least
    """

    def __init__(
        self, function: Callable[[Any], Any], low: float, high: float, closed: bool = False, pieces: int = 16
    ):
        if not low < high:
            raise SolverError(f"a curve from {low:.6g} to {high:.6g} has no length: make high larger than low")
        self._function, self.closed = function, closed
        self.knots = np.linspace(low, high, pieces + 1)
        first, last = self.derivatives(low), self.derivatives(high)
        if closed and not np.allclose(first[:3], last[:3], rtol=1e-6, atol=1e-9 * np.abs(first).max()):
            raise SolverError("the closed curve does not end as it begins: change high, or leave it open")
        self.knots = self._split(self.knots)

    def derivatives(self, s: float) -> Floats:
        """See Curve."""
        c = expand("curve", lambda x: self._function(x[0]), np.array([s]), np.ones((1, 1)), 3)[:, 0]
        if c.shape != (4, 3):
            raise SolverError(f"curve gives shape {c.shape[1:]}, expected (3,)")
        return c * np.array([1.0, 1.0, 2.0, 6.0])[:, None]


def circle(radius: float) -> Curve:
    """Around z, by its angle (rad) from x to y."""
    finite("radius", radius, (1,), low=np.nextafter(0.0, 1.0))
    return _Circle(radius)


class _Circle(Curve):
    def __init__(self, radius: float):
        self._r, self.closed = radius, True
        self.knots = np.linspace(0.0, 2.0 * np.pi, 33)

    def derivatives(self, s: float) -> Floats:
        """See Curve."""
        c, n, r = np.cos(s), np.sin(s), self._r
        return r * np.array([[c, n, 0.0], [-n, c, 0.0], [-c, -n, 0.0], [n, -c, 0.0]])
