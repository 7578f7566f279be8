# SPDX-License-Identifier: GPL-3.0-or-later
"""Which modules of a string cpfg's turtle reads together, as one word: `@` and `~` with those behind them.

A function that cpfg does not know is none: its letter is then a module as any other, and `@F(1)` draws.
"""

_FUNCTIONS = frozenset(",;ocbOvRMPLSTGmIJD#!")
_SECOND = {"P": "SCD", "T": "xidspf", "G": "scetr", "m": "oc", "D": "id"}
"""Functions of two letters, and what the second may be; behind `@b` it may be anything."""
_ONE_LETTER_TOO = frozenset("PbD")
"""Those of them that also stand alone if they have parameters."""


def letters_behind_at(first: str, count: int, second: str, second_count: int) -> int:
    """How many modules cpfg reads together with `@`: 0, 1 or 2.

    first, second: symbols of the next two modules, "" behind the string's end; count, second_count: how many parameters
    these have.
    """
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
