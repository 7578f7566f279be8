# SPDX-License-Identifier: GPL-3.0-or-later
"""Derivatives of any formula, exact to rounding: truncated Taylor series along several straight lines at once.

A number becomes the coefficients c[0] + c[1] s + c[2] s^2 + ... of what it is along the lines x + s d; sums, products
and functions of such series are series (Griewank & Walther 2008, section 13.2). NumPy's functions take them, also in
arrays and matrix products.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..base.arrays import Floats
from ..base.errors import SolverError


class Taylor:
    """One number as series along m lines. c: coefficients (order + 1, m)."""

    __slots__ = ("c",)

    def __init__(self, c: Floats):
        self.c = c

    def __add__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return NotImplemented
        return Taylor(self.c + self._lifted(other).c)

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return NotImplemented
        a, b = self.c, self._lifted(other).c
        return Taylor(np.array([_convolved(a, b, k, 0, k) for k in range(len(a))]))

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return NotImplemented
        a, b = self.c, self._lifted(other).c
        made: list[Floats] = []
        for k in range(len(a)):
            made.append((a[k] - sum(b[j] * made[k - j] for j in range(1, k + 1))) / b[0])
        return Taylor(np.array(made))

    def __pow__(self, p: Any) -> "Taylor":
        if isinstance(p, Taylor):
            return (self.log() * p).exp()
        if float(p).is_integer() and p >= 0:
            made = self._lifted(1.0)
            for _ in range(int(p)):
                made = made * self
            return made
        a, series = self.c, [self.c[0] ** p]
        for k in range(1, len(a)):
            series.append(sum((p * j - (k - j)) * a[j] * series[k - j] for j in range(1, k + 1)) / (k * a[0]))
        return Taylor(np.array(series))

    def __rpow__(self, base: Any) -> "Taylor":
        return (self * np.log(base)).exp()

    def __neg__(self) -> "Taylor":
        return Taylor(-self.c)

    def __pos__(self) -> "Taylor":
        return self

    def __sub__(self, other: Any) -> Any:
        return self + (-other)

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __rtruediv__(self, other: Any) -> Any:
        return self._lifted(other) / self

    __radd__, __rmul__ = __add__, __mul__

    def __abs__(self) -> "Taylor":
        return Taylor(np.sign(self.c[0]) * self.c)

    def __float__(self) -> float:
        raise TypeError("math's functions take plain numbers only: use NumPy's, as np.sin")

    def __lt__(self, other: Any) -> bool:
        return _value(self) < _value(other)

    def __gt__(self, other: Any) -> bool:
        return _value(self) > _value(other)

    def __le__(self, other: Any) -> bool:
        return _value(self) <= _value(other)

    def __ge__(self, other: Any) -> bool:
        return _value(self) >= _value(other)

    def sqrt(self) -> "Taylor":
        """Square root."""
        return self**0.5

    def exp(self) -> "Taylor":
        """Exponential function."""
        a, made = self.c, [np.exp(self.c[0])]
        for k in range(1, len(a)):
            made.append(sum(j * a[j] * made[k - j] for j in range(1, k + 1)) / k)
        return Taylor(np.array(made))

    def log(self) -> "Taylor":
        """Natural logarithm."""
        return self._integral(np.log(self.c[0]), self._lifted(1.0) / self)

    def _sine_and_cosine(self) -> tuple["Taylor", "Taylor"]:
        a, s, c = self.c, [np.sin(self.c[0])], [np.cos(self.c[0])]
        for k in range(1, len(a)):
            s.append(sum(j * a[j] * c[k - j] for j in range(1, k + 1)) / k)
            c.append(-sum(j * a[j] * s[k - j] for j in range(1, k + 1)) / k)
        return Taylor(np.array(s)), Taylor(np.array(c))

    def sin(self) -> "Taylor":
        """Sine."""
        return self._sine_and_cosine()[0]

    def cos(self) -> "Taylor":
        """Cosine."""
        return self._sine_and_cosine()[1]

    def tan(self) -> "Taylor":
        """Tangent."""
        s, c = self._sine_and_cosine()
        return s / c

    def sinh(self) -> "Taylor":
        """Hyperbolic sine."""
        return 0.5 * (self.exp() - (-self).exp())

    def cosh(self) -> "Taylor":
        """Hyperbolic cosine."""
        return 0.5 * (self.exp() + (-self).exp())

    def tanh(self) -> "Taylor":
        """Hyperbolic tangent."""
        return 1.0 - 2.0 / ((2.0 * self).exp() + 1.0)

    def arctan(self) -> "Taylor":
        """Arc tangent."""
        return self._integral(np.arctan(self.c[0]), 1.0 / (1.0 + self * self))

    def arcsin(self) -> "Taylor":
        """Arc sine."""
        return self._integral(np.arcsin(self.c[0]), (1.0 - self * self) ** -0.5)

    def arccos(self) -> "Taylor":
        """Arc cosine."""
        return 0.5 * np.pi - self.arcsin()

    def arctan2(self, x: Any) -> "Taylor":
        """The angle of the point (x, self)."""
        x = self._lifted(x)
        square = x * x + self * self
        part = x._integral(0.0, -(self / square))
        return self._integral(np.arctan2(self.c[0], x.c[0]), x / square) + part

    def hypot(self, x: Any) -> "Taylor":
        """The distance of the point (x, self) from the origin."""
        return (self * self + self._lifted(x) * x).sqrt()

    def _integral(self, value: Any, slope: "Taylor") -> "Taylor":
        """The series that begins with the value and changes by slope times this one's change."""
        a, w = self.c, slope.c
        rest = [sum(j * a[j] * w[k - j] for j in range(1, k + 1)) / k for k in range(1, len(a))]
        return Taylor(np.array([np.broadcast_to(value, a[0].shape), *rest]))

    def _lifted(self, value: Any) -> "Taylor":
        if isinstance(value, Taylor):
            return value
        c = np.zeros_like(self.c)
        c[0] = value
        return Taylor(c)


def expand(name: str, function: Callable[[Any], Any], at: Floats, lines: Floats, order: int) -> Floats:
    """Taylor coefficients (order + 1, m, ...) of a function of a row of k numbers, along lines (m, k).

    The function must give numbers in any nested lists or array. name: what the function is, for errors. Raises
    SolverError where it cannot be expanded or is not finite.
    """
    x = np.empty(len(at), dtype=object)
    for j, value in enumerate(at):
        c = np.zeros((order + 1, len(lines)))
        c[0], c[1] = value, lines[:, j]
        x[j] = Taylor(c)
    try:
        given = np.array(function(x), dtype=object)
    except (TypeError, AttributeError) as error:
        raise SolverError(f"{name} must be made of NumPy's functions and plain arithmetic: {error}") from error
    made = np.zeros((order + 1, len(lines), given.size))
    for k, entry in enumerate(given.ravel()):
        if isinstance(entry, Taylor):
            made[:, :, k] = entry.c
        else:
            made[0, :, k] = entry
    if not np.isfinite(made).all():
        raise SolverError(f"{name} is not finite or not smooth at {np.array2string(np.asarray(at), precision=6)}")
    return made.reshape(order + 1, len(lines), *given.shape)


def _convolved(a: Floats, b: Floats, k: int, first: int, last: int) -> Any:
    return sum(a[j] * b[k - j] for j in range(first, last + 1))


def _value(number: Any) -> float:
    return float(np.ravel(number.c[0])[0]) if isinstance(number, Taylor) else float(number)
