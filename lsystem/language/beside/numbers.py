# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers in files that lie beside one of cpfg, which may be anything that somebody has typed."""

from collections.abc import Iterable

LARGEST = 1e15
"""Places and sizes are at most so large."""


def is_plain(numbers: Iterable[float]) -> bool:
    """Whether all are numbers of places and sizes, none of them beyond the largest."""
    return all(-LARGEST <= number <= LARGEST for number in numbers)


def times_of(numbers: list[float], most: int) -> int:
    """How often a point counts, behind whose places this may be said: at most once more than so many points may be."""
    return int(min(max(numbers[0], 0.0), most + 1.0)) if numbers else 1
