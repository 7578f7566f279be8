# SPDX-License-Identifier: GPL-3.0-or-later
"""Which brackets of a string belong together, over arrays."""

import numpy as np

from .arrays import Flags, Integers
from .module_string import ModuleString

_OPEN, _CLOSE, _CUT = "[", "]", "%"


def bracket_signs(string: ModuleString) -> Integers:
    """(n) 1 for an opening bracket, -1 for a closing one, else 0."""
    signs = np.array([(symbol == _OPEN) - (symbol == _CLOSE) for symbol in string.table.symbols], dtype=np.int64)
    return signs[string.kinds]


def depths(string: ModuleString) -> Integers:
    """(n) how many brackets are open after each module."""
    return np.cumsum(bracket_signs(string))


def check_brackets(string: ModuleString) -> None:
    """Raise `LSystemError` at a bracket without its partner."""
    depth = depths(string)
    if depth.min(initial=0) < 0:
        raise string.error(int(np.argmax(depth < 0)), "this ']' closes nothing")
    if len(depth) and depth[-1] > 0:
        # the last place from which the depth never falls below its final value again
        below = np.flatnonzero(depth < depth[-1])
        raise string.error(int(below[-1]) + 1 if len(below) else 0, "this '[' is never closed")


def enclosing_brackets(signs: Integers) -> Integers:
    """(n) the opening bracket that encloses each module, -1 on the main axis; a bracket is outside of itself.

    Of a string whose brackets do not match it makes what it can.
    """
    n = len(signs)
    depth = np.cumsum(signs)
    opening = np.flatnonzero(signs > 0)
    # the enclosing bracket is the last one opened to the module's depth; sort by depth, then place
    key = depth[opening] * (n + 1) + opening
    key.sort()
    outside = depth - (signs > 0)
    wanted = outside * (n + 1) + np.arange(n)
    place = np.searchsorted(key, wanted) - 1
    if not len(key):
        return np.full(n, -1, dtype=np.int64)
    found = key[place]
    same = (place >= 0) & (outside > 0) & (found // (n + 1) == outside)
    return np.where(same, found % (n + 1), -1)


def uncut_mask(string: ModuleString) -> Flags | None:
    """(n) what remains without every `%` and all that follows it in its branch; None if there is none."""
    if _CUT not in string.table.symbols:
        return None
    cuts = np.flatnonzero(string.flags(_CUT))
    if not len(cuts):
        return None
    signs = bracket_signs(string)
    n = len(signs)
    depth = np.cumsum(signs)
    closing = np.flatnonzero(signs < 0)
    # a branch of depth d ends at the next bracket that closes to d - 1
    key = (depth[closing] + 1) * (n + 1) + closing
    key.sort()
    place = np.searchsorted(key, depth[cuts] * (n + 1) + cuts)
    end = np.full(len(cuts), n, dtype=np.int64)
    inside = place < len(key)
    found = key[place[inside]]
    same = found // (n + 1) == depth[cuts][inside]
    end[inside] = np.where(same, found % (n + 1), n)
    change = np.zeros(n + 1, dtype=np.int64)
    np.add.at(change, cuts, 1)
    np.add.at(change, end, -1)
    return np.cumsum(change[:-1]) == 0
