# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole numbers as C makes them of others on usual processors: the least there is of what is too large or no number."""

LEAST_INT = -(2**31)
_LEAST_LONG = -(2**63)


def as_int(value: float) -> int:
    """Of 32 bits."""
    return int(value) if LEAST_INT - 1.0 < value < -LEAST_INT else LEAST_INT


def as_long(value: float) -> int:
    """Of 64 bits."""
    return int(value) if _LEAST_LONG <= value < -_LEAST_LONG else _LEAST_LONG
