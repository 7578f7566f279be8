# SPDX-License-Identifier: GPL-3.0-or-later
"""cpfg's random numbers: POSIX's generator of 48 bits, in two streams, and the distributions that it draws from.

The stream of choices picks productions by their weights; the other one is of ran, nran, bran and biran, and srand
begins it anew.
"""

import math

_FACTOR, _ADDEND, _MASK = 0x5DEECE66D, 0xB, (1 << 48) - 1
_LOW = 0x330E
"""The last 16 bits of a state that a seed sets."""
_CHOICES_HIGH = 155 << 32
"""The first 16 bits of the state of choices that a seed sets."""
MOST_DRAWS = 1_000_000
"""That biran may ask for at once."""


def seeded(seed: int) -> int:
    """The state that a seed sets, of 32 bits at most."""
    return (seed & 0xFFFFFFFF) << 16 | _LOW


class RandomStreams:
    """Both streams. ``shift`` is added to the seeds of a text, so that it grows in another way."""

    def __init__(self, choice_seed: int, shift: int) -> None:
        self.shift = shift
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
        self.state = (self.state * _FACTOR + _ADDEND) & _MASK
        return self.state / (1 << 48)

    def choice(self) -> float:
        """An even number from 0 to 1 that picks a production."""
        self.choices = (self.choices * _FACTOR + _ADDEND) & _MASK
        return self.choices / (1 << 48)

    def srand(self, seed: float) -> float:
        """Begin the stream of numbers anew."""
        self.state = self.state_of(int(seed))
        self.kept = None
        return 0.0

    def ran(self, below: float) -> float:
        """Evenly from 0."""
        return self.even() * below

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
        if a <= 0.0 or b <= 0.0:
            raise ValueError("both parameters of a beta distribution must be above 0")
        total = a + b
        scale = min(a, b) if min(a, b) <= 1.0 else math.sqrt((2.0 * a * b - total) / (total - 2.0))
        shape = a + scale
        while True:
            first, second = self._above_zero(), self._above_zero()
            along = (1.0 / scale) * math.log(first / (1.0 - first))
            weight = a * math.exp(along)
            bound = total * math.log(total / (b + weight)) + shape * along - math.log(4.0)
            if bound >= math.log(first * first * second):
                return weight / (b + weight)

    def biran(self, count: float, probability: float) -> float:
        """Binomial: how many of so many draws succeed."""
        if count > MOST_DRAWS:
            raise ValueError(f"at most {MOST_DRAWS} draws at once")
        return float(sum(self.even() <= probability for _ in range(int(count))))

    def _above_zero(self) -> float:
        while not (number := self.even()):
            pass
        return number
