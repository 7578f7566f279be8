# SPDX-License-Identifier: GPL-3.0-or-later
"""Left and right contexts in a tree (Prusinkiewicz and Lindenmayer 1990, section 1.8), for many modules at once.

The left context of a module is the path towards the root: branches that end before it are passed over. The right
context goes on along the module's own axis; branches are passed over too, unless the context has a branch there, which
must then be the beginning of one of the string's.
"""

import numpy as np

from ..base.arrays import Flags, Integers
from ..base.brackets import bracket_signs, enclosing_brackets
from ..base.module_string import ModuleString
from ..language.grammar import Context

_NONE = -1


class Neighbours:
    """Who is next to whom in a string. Places in the string are called modules, places by branch *ranks*."""

    def __init__(self, string: ModuleString, ignored: frozenset[str], considered: frozenset[str] | None) -> None:
        signs = bracket_signs(string)
        owner = enclosing_brackets(signs)
        self.kinds = string.kinds
        seen = (signs == 0) & (string.flags(considered) if considered is not None else ~string.flags(ignored))
        n = len(signs)
        # all modules of a branch one behind the other: the branch, then the place in the string
        self.by_rank = np.argsort(owner, kind="stable")
        self.rank = np.empty(n, dtype=np.int64)
        self.rank[self.by_rank] = np.arange(n)
        self.branch = owner[self.by_rank]
        self.opens = (signs > 0)[self.by_rank]
        self.seen = seen[self.by_rank]
        self.next_seen = _next(np.flatnonzero(self.seen), n)
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
        last[1:] = np.maximum.accumulate(np.where(self.seen, ranks, -1))[:-1]
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

    def left(self, modules: Integers, context: Context) -> tuple[Flags, Integers]:
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

    def right(self, modules: Integers, context: Context) -> tuple[Flags, Integers]:
        """As `left` does; the modules of branches are in the order of the text."""
        rank = self.rank[modules]
        return self._along(rank, self.branch[rank], context)

    def _along(self, rank: Integers, branch: Integers, context: Context) -> tuple[Flags, Integers]:
        """Match a context behind a rank of a branch: whether it fits, and its modules."""
        n = len(self.rank)
        count = len(rank)
        matched = np.ones(count, dtype=np.bool_)
        columns: list[Integers] = []
        for part in context:
            if isinstance(part, tuple):
                fits, inside, there = self._branch(rank, branch, part)
                columns.extend(inside.T)
                matched &= fits
                rank = np.where(matched, there, rank)
                continue
            following = self.next_seen[rank + 1]
            at = np.minimum(following, n - 1)
            module = self.by_rank[at]
            matched &= (following < n) & (self.branch[at] == branch) & (self.kinds[module] == part)
            columns.append(module)
            rank = np.where(matched, at, rank)
        found = np.stack(columns, axis=1) if columns else np.empty((count, 0), dtype=np.int64)
        return matched, found

    def _branch(self, rank: Integers, branch: Integers, part: Context) -> tuple[Flags, Integers, Integers]:
        """The next branch that begins with a context, before the next seen module of the axis.

        Whether there is one behind each rank, its modules, and its own rank.
        """
        n = len(self.rank)
        opening = np.flatnonzero(self.opens)
        if not len(opening):
            return np.zeros(len(rank), dtype=np.bool_), np.full((len(rank), _size(part)), _NONE), rank
        brackets = self.by_rank[opening]
        inside = self.start_of[brackets]
        fits, modules = self._along(inside - 1, brackets, part)
        fits &= (inside < n) | (_size(part) == 0)
        following = _next(opening[fits], n)[rank + 1]
        there = np.minimum(following, n - 1)
        found = (following < self.next_seen[rank + 1]) & (self.branch[there] == branch)
        which = np.searchsorted(opening, np.where(found, there, opening[0]))
        return found, modules[which], there


def _size(context: Context) -> int:
    return sum(_size(part) if isinstance(part, tuple) else 1 for part in context)


def _next(ranks: Integers, n: int) -> Integers:
    """(n + 1) the first of some ranks from each on, n where there is none."""
    first = np.full(n + 1, n, dtype=np.int64)
    first[ranks] = ranks
    return np.minimum.accumulate(first[::-1])[::-1]
