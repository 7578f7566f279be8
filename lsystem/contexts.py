# SPDX-License-Identifier: GPL-3.0-or-later
"""Left and right contexts in a tree (Prusinkiewicz and Lindenmayer 1990, section 1.8), for many modules at once.

The left context of a module is the path towards the root: branches that end before it are passed over. The right
context goes on along the module's own axis; branches are passed over too, unless the context has a branch there, which
must then be the beginning of one of the string's.
"""

import numpy as np
from numpy.typing import NDArray

from .branches import owners, steps_of
from .grammar import Context
from .module_string import Integers, ModuleString

_NONE = -1


class Neighbours:
    """Who is next to whom in a string. Places in the string are called modules, places by branch *ranks*."""

    def __init__(self, string: ModuleString, ignored: frozenset[str], considered: frozenset[str] | None) -> None:
        steps = steps_of(string)
        owner = owners(steps)
        self.kinds = string.kinds
        seen = (steps == 0) & (string.flags(considered) if considered is not None else ~string.flags(ignored))
        n = len(steps)
        # all modules of a branch one behind the other: the branch, then the place in the string
        self.by_rank = np.argsort(owner, kind="stable")
        self.rank = np.empty(n, dtype=np.int64)
        self.rank[self.by_rank] = np.arange(n)
        self.branch = owner[self.by_rank]
        self.opens = (steps > 0)[self.by_rank]
        self.seen = seen[self.by_rank]
        ranks = np.arange(n)
        self.next_seen = _running(np.where(self.seen, ranks, n)[::-1], np.minimum)[::-1]
        starts = np.flatnonzero(np.diff(self.branch, prepend=-2))
        self.start_of = np.full(n + 1, n, dtype=np.int64)
        self.start_of[self.branch[starts]] = starts
        self.before = self._before(owner, starts)

    def _before(self, owner: Integers, starts: Integers) -> Integers:
        """(n) by module: the seen module before each on its path, -1 for none."""
        n = len(owner)
        ranks = np.arange(n)
        last = np.empty(n, dtype=np.int64)
        last[0:1] = -1
        last[1:] = _running(np.where(self.seen, ranks, -1), np.maximum)[:-1]
        first = np.repeat(starts, np.diff(starts, append=n))
        inside = last >= first
        # the first of a branch has what its bracket has: follow the brackets, in ever longer leaps
        leap = np.where(inside, ranks, np.where(self.branch >= 0, self.rank[self.branch], ranks))
        while True:
            further = leap[leap]
            if np.array_equal(further, leap):
                break
            leap = further
        before = np.where(inside[leap], self.by_rank[last[leap]], _NONE)
        result = np.empty(n, dtype=np.int64)
        result[self.by_rank] = before
        return result

    def left(self, modules: Integers, context: Context) -> tuple[NDArray[np.bool_], Integers]:
        """Whether a left context fits each of some modules, and (len(modules), len(context)) its modules if so."""
        found = np.full((len(modules), len(context)), _NONE, dtype=np.int64)
        active = np.arange(len(modules))
        at = modules
        for column in range(len(context) - 1, -1, -1):
            at = self.before[at]
            fits = (at >= 0) & (self.kinds[at] == context[column])
            active, at = active[fits], at[fits]
            found[active, column] = at
        matched = np.zeros(len(modules), dtype=np.bool_)
        matched[active] = True
        return matched, found

    def right(self, modules: Integers, context: Context) -> tuple[NDArray[np.bool_], Integers]:
        """As `left` does; the modules of branches are in the order of the text."""
        rank = self.rank[modules]
        return self._along(rank, self.branch[rank], context)

    def _along(self, rank: Integers, branch: Integers, context: Context) -> tuple[NDArray[np.bool_], Integers]:
        """Match a context behind a rank of a branch: whether it fits, and its modules."""
        n = len(self.rank)
        count = len(rank)
        rank = rank.copy()
        matched = np.ones(count, dtype=np.bool_)
        columns: list[Integers] = []
        for part in context:
            if isinstance(part, tuple):
                fits, inside = self._branch(rank, branch, part, matched)
                columns.extend(inside.T)
                matched &= fits
                continue
            following = np.minimum(rank + 1, n)
            at = np.where(following < n, self.next_seen[np.minimum(following, n - 1)], n)
            inside_string = at < n
            at = np.minimum(at, n - 1)
            module = self.by_rank[at]
            matched &= inside_string & (self.branch[at] == branch) & (self.kinds[module] == part)
            columns.append(module)
            rank = np.where(matched, at, rank)
        found = np.stack(columns, axis=1) if columns else np.empty((count, 0), dtype=np.int64)
        return matched, found

    def _branch(
        self, rank: Integers, branch: Integers, part: Context, wanted: NDArray[np.bool_]
    ) -> tuple[NDArray[np.bool_], Integers]:
        """Find the next branch that begins with a context, before the next module of the axis; moves ``rank`` to it."""
        n = len(self.rank)
        fits = np.zeros(len(rank), dtype=np.bool_)
        found = np.full((len(rank), _size(part)), _NONE, dtype=np.int64)
        active = np.flatnonzero(wanted)
        at = rank[active]
        while len(active):
            at = at + 1
            going = at < n
            going[going] = (self.branch[at[going]] == branch[active[going]]) & ~self.seen[at[going]]
            active, at = active[going], at[going]
            opening = self.opens[at]
            which, there = active[opening], at[opening]
            bracket = self.by_rank[there]
            inside = self.start_of[bracket]
            ok, modules = self._along(inside - 1, bracket, part)
            ok &= (inside < n) | (_size(part) == 0)
            found[which[ok]] = modules[ok]
            fits[which[ok]] = True
            rank[which[ok]] = there[ok]
            still = np.ones(len(active), dtype=np.bool_)
            still[np.flatnonzero(opening)[ok]] = False
            active, at = active[still], at[still]
        return fits, found


def _size(context: Context) -> int:
    return sum(_size(part) if isinstance(part, tuple) else 1 for part in context)


def _running(values: Integers, function: np.ufunc) -> Integers:
    return function.accumulate(values) if len(values) else values
