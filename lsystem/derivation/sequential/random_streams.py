# SPDX-License-Identifier: GPL-3.0-or-later
"""cpfg's random numbers: POSIX's generator of 48 bits, in two streams, and the distributions that it draws from.

The stream of choices picks productions by their weights; the other one is of ran, nran, bran and biran, and srand
begins it anew.
"""

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ...base.whole_numbers import as_int, as_long
from ..limits import Effort

_FACTOR, _ADDEND, _MASK = 0x5DEECE66D, 0xB, (1 << 48) - 1
_UNIT = 2.0**-48
"""States from 0 to 1; no bit is lost."""
_LOW = 0x330E
"""The last 16 bits of a state that a seed sets."""
_CHOICES_HIGH = 155 << 32
"""The first 16 bits of the state of choices that a seed sets."""
MOST_DRAWS = 1_000_000
"""That biran may ask for at once."""
_FEW = 64
"""Draws that are made one by one; more of them at once, so many together."""
_TOGETHER = 1 << 16
_A_DRAW, _DRAWS_TOGETHER = 2, 32
"""What one draw counts for, and how many draws count for one where many are made together."""
_MOST_TRIES = 100_000
"""Of the beta distribution, whose numbers may all be rejected where its parameters are extreme."""
_TOO_MANY = "random numbers are drawn too often in all; draw less of them, or for fewer modules"


def seeded(seed: int) -> int:
    """The state that a seed sets, of 32 bits at most."""
    return (seed & 0xFFFFFFFF) << 16 | _LOW


@cache
def _leaps() -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """By the number of draws from 1: what the state is multiplied by, and what is added, modulo 2**48."""
    factors, addends = np.array([_FACTOR], dtype=np.uint64), np.array([_ADDEND], dtype=np.uint64)
    mask = np.uint64(_MASK)
    while len(factors) < _TOGETHER:
        factors, addends = (
            np.concatenate([factors, factors * factors[-1] & mask]),
            np.concatenate([addends, addends[-1] * factors + addends & mask]),
        )
    return factors, addends


class RandomStreams:
    """Both streams. ``shift`` is added to the seeds of a text, so that it grows in another way."""

    def __init__(self, choice_seed: int, shift: int, effort: Effort) -> None:
        self.shift = shift
        self.effort = effort
        self.state = seeded(shift)
        seed = choice_seed + shift
        self.choices = (seed & 0xFFFF) | _CHOICES_HIGH if seed else 0
        # half of every pair of normal numbers is kept for the next call; before the first seed that half is 0
        self.kept: float | None = 0.0

    def state_of(self, seed: int) -> int:
        """The state that a seed of the text sets."""
        return seeded(seed + self.shift)

    def even(self) -> float:
        """An even number from 0 to 1."""
        self.state = state = (self.state * _FACTOR + _ADDEND) & _MASK
        return state * _UNIT

    def choice(self) -> float:
        """An even number from 0 to 1 that picks a production."""
        self.choices = state = (self.choices * _FACTOR + _ADDEND) & _MASK
        return state * _UNIT

    def srand(self, seed: float) -> float:
        """Begin the stream of numbers anew."""
        self.state = self.state_of(as_long(seed))
        self.kept = None
        return 0.0

    def ran(self, below: float) -> float:
        """Evenly from 0."""
        self.state = state = (self.state * _FACTOR + _ADDEND) & _MASK
        return state * _UNIT * below

    def nran(self, mean: float, deviation: float) -> float:
        """Normal, by Marsaglia's polar method: the second number of a pair first."""
        kept, self.kept = self.kept, None
        if kept is not None:
            return kept * deviation + mean
        while True:
            first = 2.0 * self.even() - 1.0
            second = 2.0 * self.even() - 1.0
            square = first * first + second * second
            if 0.0 < square < 1.0:
                break
        factor = math.sqrt(-2.0 * math.log(square) / square)
        self.kept = first * factor
        return second * factor * deviation + mean

    def bran(self, a: float, b: float) -> float:
        """Beta, by Cheng's rejection (algorithm BB of 1978 in its simple form)."""
        if not (0.0 < a < math.inf and 0.0 < b < math.inf):
            raise ValueError("both parameters of a beta distribution must be numbers above 0")
        total = a + b
        scale = min(a, b) if min(a, b) <= 1.0 else math.sqrt((2.0 * a * b - total) / (total - 2.0))
        shape = a + scale
        for _ in range(_MOST_TRIES):
            self._spend(4 * _A_DRAW)
            first, second = self._above_zero(), self._above_zero()
            along = (1.0 / scale) * math.log(first / (1.0 - first))
            weight = a * math.exp(along)
            bound = total * math.log(total / (b + weight)) + shape * along - math.log(4.0)
            if bound >= math.log(first * first * second):
                return weight / (b + weight)
        raise ValueError("no number of this beta distribution is found; its parameters are too large or too small")

    def biran(self, count: float, probability: float) -> float:
        """Binomial: how many of so many draws succeed."""
        left, found = as_int(count), 0
        if left > MOST_DRAWS:
            raise ValueError(f"at most {MOST_DRAWS} draws at once")
        if left <= _FEW:
            self._spend(max(left, 0) * _A_DRAW)
            return float(sum(self.even() <= probability for _ in range(left)))
        self._spend(_FEW * _A_DRAW + left // _DRAWS_TOGETHER)
        # a state of 48 bits is a number of double precision, and so is its product with a power of two
        bound = probability * float(1 << 48)
        factors, addends = _leaps()
        while left > 0:
            part = min(left, _TOGETHER)
            states = (factors[:part] * np.uint64(self.state) + addends[:part]) & np.uint64(_MASK)
            found += int(np.count_nonzero(states <= bound))
            self.state = int(states[-1])
            left -= part
        return float(found)

    def _spend(self, cost: int) -> None:
        if not self.effort.take(cost):
            raise ValueError(_TOO_MANY)

    def _above_zero(self) -> float:
        while not (number := self.even()):
            pass
        return number
