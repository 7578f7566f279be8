# SPDX-License-Identifier: GPL-3.0-or-later
"""Which plants go together: those that touch each other, and those that are tied to each other."""

from collections.abc import Callable, Hashable, Iterator, Sequence

import bpy

from ...relations import group_of, ties_between
from ..rig.leaders import is_simulated

Asks = Callable[[bpy.types.Object], bool]


class Groups:
    """Plants in groups of those that go together.

    asks: whether a plant touches others
    """

    def __init__(self, plants: Sequence[bpy.types.Object], asks: Asks):
        self._touching = {obj: group_of(obj) if asks(obj) else obj.session_uid for obj in plants}
        self._first: dict[bpy.types.Object, bpy.types.Object] = {}  # of the group that each is of
        of_key: dict[Hashable, bpy.types.Object] = {}
        for obj, key in self._touching.items():
            self._first[obj] = of_key.setdefault(key, obj)
        for obj, other in tied(plants):
            if group_of(obj) == group_of(other):
                one, joined = self._first[obj], self._first[other]
                self._first |= {each: one for each, first in self._first.items() if first == joined}

    def all(self) -> list[list[bpy.types.Object]]:
        """The groups."""
        found: dict[bpy.types.Object, list[bpy.types.Object]] = {}
        for obj, first in self._first.items():
            found.setdefault(first, []).append(obj)
        return list(found.values())

    def of(self, obj: bpy.types.Object) -> list[bpy.types.Object]:
        """Those of a plant's group, itself with them."""
        return [one for one, first in self._first.items() if first == self._first[obj]]

    def touching(self, group: Sequence[bpy.types.Object]) -> list[int]:
        """A number for each of a group: those of one number touch each other."""
        numbers: dict[Hashable, int] = {}
        return [numbers.setdefault(self._touching[obj], len(numbers)) for obj in group]


def tied(plants: Sequence[bpy.types.Object]) -> Iterator[tuple[bpy.types.Object, bpy.types.Object]]:
    """Which of the plants are tied to simulated bones of which others of them."""
    there = set(plants)
    for obj in plants:
        for load in ties_between(obj):
            if load.other_object in there and is_simulated(load.other_object, load.other_bone):
                yield obj, load.other_object
