# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies on surfaces: the frame of a surface (Guenter & Lee 2009, section 5), and two surfaces that touch (eq. 15)."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..base.checks import choice
from ..base.errors import SolverError
from .joint import Composed, Inverted, Joint, Moving, moving
from .joints import Revolute, Spherical
from .spatial import crosses
from .surfaces import Surface

#: Area between the two tangents, over the squares of their lengths, below which a surface has no frame.
_FLAT = 1e-9

#: What a body on a surface may do besides.
SURFACE_TURNS = ("still", "none", "spin", "free")


class SurfaceFrame(Joint):
    """The frame [p0, n x p0, n, f] of a surface: p0 the unit tangent f_u, n the unit normal. Two coordinates.

    Their n = p0 x p1 is made unit, which it is not by itself where the tangents are not at right angles.
    """

    def __init__(self, surface: Surface):
        self._surface, self.start, self.rates = surface, np.zeros(2), 2

    def at(self, q: Any, u: Any) -> Moving:
        """See Joint.

        Vectors that depend on q are rows: value, derivative by each coordinate, second derivative along u.
        """
        P = self._surface.partials(q[0], q[1])
        du, dv = u
        along = (du * du, 2.0 * du * dv, dv * dv)

        def rows(i: int, j: int) -> Any:
            second = along[0] * P[i + 2, j] + along[1] * P[i + 1, j + 1] + along[2] * P[i, j + 2]
            return np.stack([P[i, j], P[i + 1, j], P[i, j + 1], second])

        f, f_u, f_v = rows(0, 0), rows(1, 0), rows(0, 1)
        n = _product(crosses, f_u, f_v, u)
        if not n[0] @ n[0] > (_FLAT * (f_u[0] @ f_u[0] + f_v[0] @ f_v[0])) ** 2:
            raise SolverError(
                f"the surface has no normal at ({float(q[0]):.6g}, {float(q[1]):.6g}): keep away from poles and edges"
            )
        x, n = _unit(f_u, u), _unit(n, u)
        y = _product(crosses, n, x, u)
        A = np.stack([x, y, n, f], axis=-1)  # (4, 3, 4): rows of the transformation and its derivatives
        return moving(A[0], A[1:3], A[3], u)


def point_on_surface(surface: Surface, turns: str = "spin") -> Joint:
    """A body whose origin slides on a surface of the parent.

    turns: "still": it keeps the parent's axes; two rates. "none": its axes are the surface's frame; two rates. "spin":
        it also turns about the normal; q is (u, v, angle). "free": it turns as it likes; q is (u, v, quaternion).
    """
    choice("turns", turns, SURFACE_TURNS)
    if turns == "free":
        return Composed(_SurfacePoint(surface), Spherical())
    if turns == "still":
        return _SurfacePoint(surface)
    return Composed(SurfaceFrame(surface), Revolute()) if turns == "spin" else SurfaceFrame(surface)


def surface_on_surface(first: Surface, second: Surface, spin: bool = False) -> Joint:
    """A body whose surface, the second, touches the parent's, the first: S = S_1 S_2^-1 (Guenter & Lee, eq. 15).

    The two frames are the same at the touching point: both normals point the same way, so that one of two solids that
    touch from outside must be Flipped. q is (u, v) on the first surface and (u, v) on the second.

    spin: whether the body also turns about the normal, by an angle q[2] between the two pairs; without it the first
        tangents of both surfaces stay in line, which is their joint of four coordinates
    """
    turn = (Revolute(),) if spin else ()
    return Composed(SurfaceFrame(first), *turn, Inverted(SurfaceFrame(second)))


class _SurfacePoint(Joint):
    """A body that is shifted along a surface and keeps the parent's axes."""

    def __init__(self, surface: Surface):
        self._surface, self.start, self.rates = surface, np.zeros(2), 2

    def at(self, q: Any, u: Any) -> Moving:
        """See Joint."""
        P = self._surface.partials(q[0], q[1])
        S = np.vstack([np.zeros((3, 2)), np.column_stack([P[1, 0], P[0, 1]])])
        c = u[0] * u[0] * P[2, 0] + 2.0 * u[0] * u[1] * P[1, 1] + u[1] * u[1] * P[0, 2]
        return Moving(np.eye(3), P[0, 0], S, np.concatenate([np.zeros(3), c]))


def _product(times: Callable[[Any, Any], Any], a: Any, b: Any, u: Any) -> Any:
    """A product of two rows as above."""
    first = times(a[1:-1], b[0]) + times(a[0], b[1:-1])
    second = times(a[-1], b[0]) + 2.0 * times(u @ a[1:-1], u @ b[1:-1]) + times(a[0], b[-1])
    return np.concatenate([times(a[0], b[0])[None], first, second[None]])


def _unit(a: Any, u: Any) -> Any:
    """The unit vector of rows as above, a (a . a)^-1/2."""
    square = _product(lambda x, y: (x * y).sum(axis=-1, keepdims=True), a, a, u)
    s, change = square[0], u @ square[1:-1]
    root = 1.0 / np.sqrt(s)
    slope = -0.5 * root / s
    second = slope * square[-1] - 1.5 * slope / s * change * change
    inverse = np.concatenate([root[None], slope * square[1:-1], second[None]])
    return _product(lambda x, y: x * y, a, inverse, u)
