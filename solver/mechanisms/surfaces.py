# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces f(u, v) that bodies touch: points with all derivatives up to the third."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np

from ..base.errors import SolverError
from .taylor import expand

#: Lines along which the third derivatives are told apart.
_LINES = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, -1.0]])


class Surface(ABC):
    """A surface in a body's axes. Its normal is f_u x f_v, made unit."""

    @abstractmethod
    def partials(self, u: Any, v: Any) -> Any:
        """Derivatives (4, 4, 3): [i, j] i times by u and j times by v, up to i + j = 3; [0, 0] is the point (m)."""


class _Around(Surface):
    """(X(v) cos u, Y(v) sin u, Z(v)), u around the z axis."""

    @abstractmethod
    def _profile(self, v: Any) -> Any:
        """X, Y, Z with three derivatives, as rows of four."""

    def partials(self, u: Any, v: Any) -> Any:
        """See Surface."""
        c, s = np.cos(u), np.sin(u)
        X, Y, Z = self._profile(v)
        x, y = np.array([c, -s, -c, s]), np.array([s, c, -s, -c])
        return np.stack(
            [np.multiply.outer(x, X), np.multiply.outer(y, Y), np.multiply.outer(np.eye(4)[0], Z)], axis=-1
        )


class Ellipsoid(_Around):
    """Half axes a, b, c (m) along x, y, z; u is the longitude and v the latitude (rad), at whose poles, v = +-pi/2, it
    has no frame. The normal points outward."""

    def __init__(self, a: float, b: float, c: float):
        self._a, self._b, self._c = _sizes(a=a, b=b, c=c)

    def _profile(self, v: Any) -> Any:
        c, s = np.cos(v), np.sin(v)
        flat, high = np.array([c, -s, -c, s]), np.array([s, c, -s, -c])
        return self._a * flat, self._b * flat, self._c * high


class Torus(_Around):
    """A ring about z: its tube of radius small is about a circle of radius large (m). u goes around z, v around the
    tube from outside (rad). The normal points outward."""

    def __init__(self, large: float, small: float):
        self._large, self._small = _sizes(large=large, small=small)
        if not self._large > self._small:
            raise SolverError(f"a torus of radii {large} and {small} meets itself: make large more than small")

    def _profile(self, v: Any) -> Any:
        c, s = np.cos(v), np.sin(v)
        X = np.array([self._large + self._small * c, -self._small * s, -self._small * c, self._small * s])
        return X, X, self._small * np.array([s, c, -s, -c])


class Cylinder(_Around):
    """Of a radius (m) about z; u is the angle (rad), v the height (m). The normal points outward."""

    def __init__(self, radius: float):
        (self._radius,) = _sizes(radius=radius)

    def _profile(self, v: Any) -> Any:
        X = self._radius * np.eye(4)[0]
        return X, X, np.array([v, 1.0, 0.0, 0.0])


class Plane(Surface):
    """z = 0; u is x and v is y (m). The normal is z."""

    def partials(self, u: Any, v: Any) -> Any:
        """See Surface."""
        P = np.zeros((4, 4, 3), dtype=np.result_type(u, v))
        P[0, 0], P[1, 0], P[0, 1] = (u, v, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
        return P


class Patch(Surface):
    """A surface by any formula: a function of two numbers, made of NumPy's functions and plain arithmetic, that returns
    three (m). Derivatives are exact to rounding."""

    def __init__(self, function: Callable[[Any, Any], Any]):
        self._function = function

    def partials(self, u: Any, v: Any) -> Any:
        """See Surface."""
        c = expand("surface", lambda x: self._function(x[0], x[1]), np.array([u, v], dtype=float), _LINES, 3)
        if c.shape[2:] != (3,):
            raise SolverError(f"surface gives shape {c.shape[2:]}, expected (3,)")
        along_u, along_v, plus, minus = np.moveaxis(c, 1, 0) * np.array([1.0, 1.0, 2.0, 6.0])[:, None]
        P = np.zeros((4, 4, 3))
        P[:, 0], P[0, :] = along_u, along_v
        P[1, 1] = (plus[2] - minus[2]) / 4.0
        P[2, 1] = (plus[3] - minus[3] - 2.0 * along_v[3]) / 6.0
        P[1, 2] = (plus[3] + minus[3] - 2.0 * along_u[3]) / 6.0
        return P


class Flipped(Surface):
    """The same surface with its coordinates in the other order, (v, u), so that its normal points the other way."""

    def __init__(self, surface: Surface):
        self._surface = surface

    def partials(self, u: Any, v: Any) -> Any:
        """See Surface."""
        return np.swapaxes(self._surface.partials(v, u), 0, 1)


def _sizes(**sizes: float) -> list[float]:
    for name, size in sizes.items():
        if not (np.isfinite(size) and size > 0.0):
            raise SolverError(f"{name} is {size}, expected a number more than 0")
    return [float(size) for size in sizes.values()]
