# SPDX-License-Identifier: GPL-3.0-or-later
"""A string that is being replaced, and the contexts of its modules as cpfg matches them.

To the left lies the path to the root: whole branches are passed over, and brackets that open. To the right branches are
passed over unless the context has a bracket there, which then is that of the very next branch; the end of the branch
ends it.
"""

from collections.abc import Sequence
from functools import cached_property

from ...base.module_string import ModuleString, SlotTable
from ...language.program import SKIP_BRANCH

Found = list[int]


class OuterString:
    """Modules by their place. Lists, since it is asked for single modules only."""

    def __init__(self, string: ModuleString, seen: frozenset[int] | None, ring: bool) -> None:
        self.slots: list[int] = string.slots.tolist()
        self.values: list[float] = string.values.tolist()
        self.string = string
        self.ring = ring
        self.open, self.close = string.table.kind("[", 0), string.table.kind("]", 0)
        self.stops = {kind for kind, (symbol, count) in enumerate(string.table.kinds) if symbol == "%" and count}
        """Kinds that a cut does not reach beyond."""
        self.hidden = [] if seen is None else [kind not in seen for kind in range(len(string.table.kinds))]

    @cached_property
    def kinds(self) -> list[int]:
        """(n) kind of each module."""
        return self.string.kinds.tolist()

    @cached_property
    def first(self) -> list[int]:
        """(n) where each module's parameters begin."""
        return self.string.first.tolist()

    @cached_property
    def partner(self) -> list[int]:
        """(n) by bracket: the one that it belongs to; beyond the string's end or before its beginning without one."""
        partners = [-1] * len(self.kinds)
        waiting: list[int] = []
        for place, kind in enumerate(self.kinds):
            if kind == self.open:
                waiting.append(place)
            elif kind == self.close and waiting:
                other = waiting.pop()
                partners[other], partners[place] = place, other
        for place in waiting:
            partners[place] = len(partners)
        return partners

    @cached_property
    def seen_before(self) -> list[int]:
        """(n) the module that contexts see at each place or before it on the path to the root; below 0 for none."""
        kinds, hidden, partner = self.kinds, self.hidden, self.partner
        found: list[int] = []
        for place, kind in enumerate(kinds):
            if kind == self.close:
                before = partner[place] - 1
            elif kind == self.open or (hidden and hidden[kind]):
                before = place - 1
            else:
                found.append(place)
                continue
            found.append(found[before] if before >= 0 else -1)
        return found

    @cached_property
    def seen_behind(self) -> list[int]:
        """(n + 1) the module that contexts see at each place or behind it, over branches; n for none."""
        return self._behind(True)

    @cached_property
    def bracket_behind(self) -> list[int]:
        """(n + 1) the same where the context has a bracket that opens: over no branch."""
        return self._behind(False)

    def _behind(self, over_branches: bool) -> list[int]:
        kinds, hidden, n = self.kinds, self.hidden, len(self.kinds)
        found = [n] * (n + 1)
        for place in range(n - 1, -1, -1):
            kind = kinds[place]
            if hidden and hidden[kind]:
                found[place] = found[place + 1]
            elif kind == self.open and over_branches:
                found[place] = found[min(self.partner[place] + 1, n)]
            else:
                found[place] = place
        return found

    @cached_property
    def branch_end(self) -> list[int]:
        """(n + 1) by place: the bracket that closes the branch that it is in, or the string's end."""
        kinds, n = self.kinds, len(self.kinds)
        found = [n] * (n + 1)
        for place in range(n - 1, -1, -1):
            kind = kinds[place]
            if kind == self.close:
                found[place] = place
            else:
                found[place] = found[min(self.partner[place] + 1, n) if kind == self.open else place + 1]
        return found

    def left(self, context: Sequence[int], place: int) -> Found | None:
        """The modules of a left context, of which the last is at a place or before it; None if it does not fit."""
        kinds, before = self.kinds, self.seen_before
        found: Found = []
        may_wrap = self.ring
        for wanted in reversed(context):
            place = before[place] if place >= 0 else -1
            if place < 0:
                if not may_wrap or not kinds:
                    return None
                may_wrap, place = False, before[-1]
            if place < 0 or kinds[place] != wanted:
                return None
            found.append(place)
            place -= 1
        found.reverse()
        return found

    def right(self, context: Sequence[int], place: int) -> Found | None:
        """The modules of a right context, of which the first is at a place or behind it; None if it does not fit."""
        kinds, n = self.kinds, len(self.kinds)
        found: Found = []
        may_wrap = self.ring
        for wanted in context:
            if wanted == SKIP_BRANCH:
                place = self.branch_end[min(place, n)]
                continue
            behind = self.bracket_behind if wanted == self.open else self.seen_behind
            place = behind[min(place, n)]
            if place >= n:
                if not may_wrap or not n:
                    return None
                may_wrap, place = False, behind[0]
            if place >= n or kinds[place] != wanted:
                return None
            found.append(place)
            place += 1
        return found

    def end_of_cut(self, first: int) -> int:
        """Where what is cut ends whose first module is at a place: with the branch, or before another cut with a
        number, however deep that stands."""
        end = self.branch_end[min(first, len(self.kinds))]
        if not self.stops:
            return end
        return next((place for place in range(first, end) if self.kinds[place] in self.stops), end)


def counts_of(table: SlotTable) -> list[int]:
    """(kinds) number of parameters of each."""
    return [count for _, count in table.kinds]
