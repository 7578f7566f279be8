# SPDX-License-Identifier: GPL-3.0-or-later
"""Who touches whom of plants that are simulated together: some only because they are tied. Needs no Blender.

The solver knows groups: what is of one group touches where it touches itself, and whether groups touch each other is
one answer for all of them. Not everything that one may wish can be said so.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple


class Member(NamedTuple):
    """Of a plant: whether its bones touch each other, and whether it moves things, which touch it."""

    itself: bool
    has_things: bool


class Meeting(NamedTuple):
    """The group of a plant's bones, and whether what is of that group touches."""

    group: int
    itself: bool


class Meetings(NamedTuple):
    """Those of each plant, and whether groups touch each other; if not, things are of their plant's group."""

    each: list[Meeting]
    others: bool


def meetings_of(members: Sequence[Member], touching: Sequence[int]) -> Meetings:
    """Who touches whom where plants of one number of touching touch each other; each itself only, as it asks for it,
    where that cannot be had."""
    found = found_meetings(members, touching)
    return found or Meetings([Meeting(number, one.itself) for number, one in enumerate(members)], False)


def found_meetings(members: Sequence[Member], touching: Sequence[int]) -> Meetings | None:
    """The same, None where it cannot be had.

    With the things of some plant the other plants may touch too, though they are only tied to that one.
    """
    alike = Counter(touching)
    if len(alike) <= 1:
        return Meetings([Meeting(number, one.itself) for number, one in enumerate(members)], True)
    busy = [one for one, number in zip(members, touching, strict=True) if one.has_things or alike[number] > 1]
    if all(one.itself for one in busy):
        return Meetings([Meeting(n, one.itself) for n, one in zip(touching, members, strict=True)], False)
    if max(alike.values()) == 1 and not any(one.itself for one in members):
        return Meetings([Meeting(0, False) for _ in members], True)
    return None
