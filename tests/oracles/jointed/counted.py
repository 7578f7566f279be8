# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers that count what is done with them, to run a recursion as it is and say what it costs.

Plain numbers stand for what is known beforehand: a product with 0, 1 or -1 and a sum with 0 cost nothing, as a symbolic
program would leave them out.
"""

import numpy as np

from tests.oracles.symbolic_program import Operations


class Counter:
    """Makes numbers that count here."""

    def __init__(self):
        self.additions = self.multiplications = self.functions = 0

    def row(self, values) -> np.ndarray:
        """Numbers (k,) that count, as an array of objects."""
        made = np.empty(len(values), dtype=object)
        made[:] = [Counted(self, float(value)) for value in values]
        return made

    def count(self) -> Operations:
        return Operations(self.additions, self.multiplications, self.functions)


class Counted:
    """A number that counts the arithmetic done with it."""

    __slots__ = ("counter", "x")

    def __init__(self, counter: Counter, x: float):
        self.counter, self.x = counter, x

    def __add__(self, other):
        if isinstance(other, np.ndarray):
            return NotImplemented
        if not isinstance(other, Counted) and other == 0:
            return self
        self.counter.additions += 1
        return Counted(self.counter, self.x + float(other))

    def __sub__(self, other):
        return NotImplemented if isinstance(other, np.ndarray) else self + (-other)

    def __rsub__(self, other):
        return -self if other == 0 else self._less(other)

    def _less(self, other):
        self.counter.additions += 1
        return Counted(self.counter, float(other) - self.x)

    def __mul__(self, other):
        if isinstance(other, np.ndarray):
            return NotImplemented
        if not isinstance(other, Counted) and other in (-1, 0, 1):
            return 0.0 if other == 0 else self if other == 1 else -self
        self.counter.multiplications += 1
        return Counted(self.counter, self.x * float(other))

    def __truediv__(self, other):
        if isinstance(other, np.ndarray):
            return NotImplemented
        if not isinstance(other, Counted) and other == 1:
            return self
        self.counter.multiplications += 1
        return Counted(self.counter, self.x / float(other))

    def __rtruediv__(self, other):
        if not isinstance(other, Counted) and other == 0:
            return 0.0
        self.counter.multiplications += 1
        return Counted(self.counter, float(other) / self.x)

    def __pow__(self, power):
        made = self
        for _ in range(power - 1):
            made = made * self
        return made

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self):
        return Counted(self.counter, -self.x)

    def __float__(self):
        return self.x

    def __gt__(self, other):
        return self.x > float(other)

    def _function(self, function):
        self.counter.functions += 1
        return Counted(self.counter, float(function(self.x)))

    def sin(self):
        return self._function(np.sin)

    def cos(self):
        return self._function(np.cos)

    def sqrt(self):
        return self._function(np.sqrt)
