# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies on curves: sliding, and rolling wheels."""

from typing import Any

import numpy as np

from ..base.arrays import Floats
from ..base.checks import choice
from ..base.errors import SolverError
from .curves import Curve
from .joint import Composed, Joint, Moving
from .joints import Revolute, Spherical
from .spatial import cross, shortest_turn, turned

#: Gauss-Legendre rule of eight points on [0, 1]: to rounding for what changes as little as a piece of a curve does.
_AT, _WEIGHT = ((x + 1.0) / 2.0 if k == 0 else x / 2.0 for k, x in enumerate(np.polynomial.legendre.leggauss(8)))

_X, _Z = np.eye(3)[[0, 2]]

#: What a body on a curve may do besides.
CURVE_TURNS = ("still", "none", "roll", "free")


class Tangent:
    """The unit tangent b of a curve, the rate of its length and the stretch, which is that one's change, and its turn
    b x b' with its change b x b''; all by the curve's coordinate."""

    def __init__(self, f: Floats):
        _, g, g1, g2 = f
        self.rate = np.sqrt(g @ g)
        self.b = g / self.rate
        self.stretch = self.b @ g1
        self.b1 = (g1 - self.stretch * self.b) / self.rate
        self.turn = cross(self.b, g1) / self.rate
        self.turn1 = (cross(self.b, g2) - 2.0 * self.stretch * self.turn) / self.rate


class CurveFrame(Joint):
    """A body whose x axis is the curve's tangent and which does not turn about it: a parallel-transport frame.

    Where Guenter & Lee (section 5) use the frame of Frenet, which fails on straight parts, this one is carried along:
    its angular velocity b x b' has no part along the tangent b. In each piece it is the shortest turn from the piece's
    first tangent, less the turn theta about the tangent that this would add, theta' = (b_0 x b) . b' / (1 + b_0 . b).
    """

    def __init__(self, curve: Curve):
        self._curve, self.start, self.rates = curve, curve.knots[:1].copy(), 1
        b = Tangent(curve.derivatives(curve.knots[0])).b
        frames = [_any_frame(b)]
        for i, s in enumerate(curve.knots[1:]):
            frames.append(self._carried(i, frames[i], s))
        self._frames = frames
        back = frames[0].T @ frames[-1]
        self._lap = np.arctan2(back[2, 1], back[1, 1])  # rad by which it comes back turned about the tangent

    def at(self, q: Any, u: Any) -> Moving:
        """See Joint."""
        s, laps = self._curve.within(q[0])
        i = int(np.clip(np.searchsorted(self._curve.knots, s, side="right") - 1, 0, len(self._frames) - 2))
        R = self._carried(i, self._frames[i], s) @ turned(_X, laps * self._lap)
        f = self._curve.derivatives(s)
        along = Tangent(f)
        S = np.concatenate([R.T @ along.turn, along.rate * _X])
        c = np.concatenate([R.T @ along.turn1, along.stretch * _X])
        return Moving(R, f[0], S[:, None], c * u[0] ** 2)

    def _carried(self, i: int, frame: Floats, s: float) -> Floats:
        """The frame at s, from that at knot i."""
        b0, begin = frame[:, 0], self._curve.knots[i]
        theta = 0.0
        for x, weight in zip(_AT, _WEIGHT, strict=True):
            along = Tangent(self._curve.derivatives(begin + x * (s - begin)))
            theta += weight * (s - begin) * (cross(b0, along.b) @ along.b1) / (1.0 + b0 @ along.b)
        b = Tangent(self._curve.derivatives(s)).b
        return shortest_turn(b0, b) @ frame @ turned(_X, theta)


def point_on_curve(curve: Curve, turns: str = "roll") -> Joint:
    """A body whose origin slides on a curve of the parent (Guenter & Lee, A_path).

    turns: "still": it keeps the parent's axes, as a bead without size may; one rate. "none": x stays along the tangent,
        in a parallel-transport frame; one rate. "roll": it also turns about the tangent; q is (coordinate, angle).
        "free": it turns as it likes; q is (coordinate, quaternion).
    """
    choice("turns", turns, CURVE_TURNS)
    if turns == "free":
        return Composed(_CurvePoint(curve), Spherical())
    if turns == "still":
        return _CurvePoint(curve)
    return Composed(CurveFrame(curve), Revolute(_X)) if turns == "roll" else CurveFrame(curve)


class _CurvePoint(Joint):
    """A body that is shifted along a curve and keeps the parent's axes."""

    def __init__(self, curve: Curve):
        self._curve, self.start, self.rates = curve, curve.knots[:1].copy(), 1

    def at(self, q: Any, u: Any) -> Moving:
        """See Joint."""
        f = self._curve.derivatives(self._curve.within(q[0])[0])
        none = np.zeros(3)
        S = np.concatenate([none, f[1]])
        return Moving(np.eye(3), f[0], S[:, None], np.concatenate([none, f[2] * u[0] ** 2]))


class RollingWheel(Joint):
    """A wheel that rolls without sliding on a curve in the parent's xy plane (Guenter & Lee, fig. 5c).

    The body's origin is the wheel's centre and it turns about z. The coordinate is the curve's. The turn is that of the
    tangent less the length that has been rolled over the radius.

    radius: m; more than 0: the wheel is to the left of the curve as it goes on, less than 0: to its right
    """

    def __init__(self, curve: Curve, radius: float):
        if radius == 0.0 or not np.isfinite(radius):
            raise SolverError(f"radius is {radius}, expected a number other than 0")
        self._curve, self._r = curve, float(radius)
        self.start, self.rates = curve.knots[:1].copy(), 1
        for s in curve.knots:
            f = curve.derivatives(s)
            if np.abs(f[:, 2]).max() > 1e-9 * np.abs(f).max():
                raise SolverError(f"the curve leaves its plane at coordinate {s:.6g}: a wheel rolls where z is 0")
        pieces = [self._length(i, s) for i, s in enumerate(curve.knots[1:])]
        self._rolled = np.concatenate([[0.0], np.cumsum(pieces)])

    def at(self, q: Any, u: Any) -> Moving:
        """See Joint."""
        s, laps = self._curve.within(q[0])
        i = int(np.clip(np.searchsorted(self._curve.knots, s, side="right") - 1, 0, len(self._rolled) - 2))
        length = laps * self._rolled[-1] + self._rolled[i] + self._length(i, s)
        f, r = self._curve.derivatives(s), self._r
        along = Tangent(f)
        theta1, theta2 = along.turn[2], along.turn1[2]
        w, w1 = theta1 - along.rate / r, theta2 - along.stretch / r
        normal = cross(_Z, along.b)
        R = turned(_Z, np.arctan2(along.b[1], along.b[0]) - length / r)
        # the centre f + r n moves by f' + r n' = -r w b; the touching point, r below it, does not
        S = np.concatenate([w * _Z, R.T @ (-r * w * along.b)])
        slope = -r * (w1 * along.b + w * along.b1) - cross(w * _Z, -r * w * along.b)
        c = np.concatenate([w1 * _Z, R.T @ slope])
        return Moving(R, f[0] + r * normal, S[:, None], c * u[0] ** 2)

    def _length(self, i: int, s: float) -> float:
        """m of the curve from knot i to s."""
        begin = self._curve.knots[i]
        rates = [Tangent(self._curve.derivatives(begin + x * (s - begin))).rate for x in _AT]
        return float((s - begin) * (_WEIGHT @ np.array(rates)))


def _any_frame(b: Floats) -> Floats:
    """A frame with x along b; on a curve that begins in the xy plane, y is to its left and z is the same."""
    other = np.eye(3)[2 - np.argmin(np.abs(b[::-1]))]
    y = cross(other, b)
    y /= np.linalg.norm(y)
    return np.column_stack([b, y, cross(b, y)])
