# SPDX-License-Identifier: GPL-3.0-or-later
"""Which modules of a string cpfg's turtle reads together, as one word: `@`, `~` and `?` with those behind them.

A function that cpfg does not know is none: its letter is then a module as any other, and `@F(1)` draws.
"""

from collections.abc import Sequence

_FUNCTIONS = frozenset(",;ocbOvRMPLSTGmIJD#!")
_SECOND = {"P": "SCD", "T": "xidspf", "G": "scetr", "m": "oc", "D": "id"}
"""Functions of two letters, and what the second may be; behind `@b` it may be anything."""
_ONE_LETTER_TOO = frozenset("PbD")
"""Those of them that also stand alone if they have parameters."""


def behind(symbol: str, count: int, kinds: Sequence[tuple[str, int]]) -> int:
    """How many modules cpfg reads together with one: 0, 1 or 2.

    kinds: symbols of the next two modules, and how many parameters these have; less of them at the string's end. count:
    how many the module itself has.
    """
    if symbol == "@":
        first, second = [*kinds, ("", 0), ("", 0)][:2]
        return min(_behind_at(*first, *second), len(kinds))
    return int(bool(kinds) and (symbol == "~" or (symbol == "?" and not count)))


def _behind_at(first: str, count: int, second: str, second_count: int) -> int:
    if first not in _FUNCTIONS:
        return 0
    if first not in _SECOND and first != "b":
        return 1
    if count:
        return int(first in _ONE_LETTER_TOO)
    if not second or first == "b" or (first == "P" and not second_count):
        return 1 + bool(second)
    if first == "T" and second == "x" and not second_count:
        return 0
    return 2 if second in _SECOND[first] else 0
