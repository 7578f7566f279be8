# SPDX-License-Identifier: GPL-3.0-or-later
"""A plant in the middle of a derivation step: sizes and turns between those of the module and of what replaces it.

What comes from one module is a group. On the group's axis lengths and turns have together, at a fraction f of the
step, (1 - f) times what the module had and f times what the step gives; so the plant is, at the step's beginning, the
one before it, and at its end the one after it. Branches that the step makes grow from nothing.
"""

from dataclasses import dataclass, replace

import numpy as np

from ..base.arrays import Flags, Floats, Integers
from ..base.between_steps import Derived
from ..base.brackets import bracket_signs
from .commands import (
    AIM,
    BEND,
    COLOUR,
    FACE,
    LEAN,
    MOVE,
    ORGAN,
    PULL,
    ROLL,
    SHEET,
    STEP,
    STEP_UNSEEN,
    TUBE,
    TURN,
    WIDTH,
    Actions,
)

_SIZES = ("length", "size", "thickness", "bend")
_NAMED = ("@organ", "@pin")
"""Settings that have nothing between two values."""
_SEGMENTS = (ORGAN, STEP, STEP_UNSEEN)
_AHEAD = (*_SEGMENTS, MOVE)


@dataclass(frozen=True)
class _Groups:
    """Actions of one string by group."""

    actions: Actions
    count: int
    """Of groups."""
    group: Integers
    """(actions) number of the group each is in."""
    on_axis: Flags
    """(actions) not in a bracket that the group itself has opened."""

    def does(self, *kinds: int) -> Flags:
        """(actions) which are of these kinds."""
        return np.isin(self.actions.action, kinds)

    def sums(self, chosen: Flags, values: Floats) -> Floats:
        """Sums of values over the chosen actions on the axis of each group."""
        chosen = chosen & self.on_axis
        return np.bincount(self.group[chosen], values[chosen], minlength=self.count).astype(np.float64)

    def last(self, chosen: Flags, values: np.ndarray) -> Floats:
        """The last of the chosen values on the axis of each group, NaN where there is none."""
        chosen = chosen & self.on_axis
        result = np.full(self.count, np.nan)
        result[self.group[chosen]] = values[chosen]
        return result


def partly_grown(before: Actions, after: Actions, derived: Derived) -> Actions:
    """The actions after the step, with sizes and turns as they are at the fraction of it that has passed."""
    fraction = derived.fraction
    if fraction >= 1.0:
        return after
    count = 1 + int(max(derived.group_before.max(initial=0), derived.group_after.max(initial=0)))
    after = replace(after, **{name: getattr(after, name).copy() for name in (*_SIZES, "blend", "grown")})
    old, new = _groups(before, derived.group_before, count), _groups(after, derived.group_after, count)
    same, source = _alike(old, new)
    named = (after.action == COLOUR) | after.string.flags(_NAMED)[after.module]
    between = same & ~named
    for name in _SIZES:
        values = getattr(after, name)
        values[between] = _between(getattr(before, name)[source[between]], values[between], fraction)
    for grow in (_grow_lengths, _grow_segments, _grow_radii, _grow_turns, _grow_widths, _grow_directions,
                 _grow_surfaces):  # fmt: skip
        grow(old, new, ~same, fraction)
    return after


def _grow_lengths(old: _Groups, new: _Groups, changed: Flags, fraction: float) -> None:
    ahead = new.does(*_AHEAD)
    length = new.actions.length
    factor = _share(old.sums(old.does(*_AHEAD), old.actions.length), new.sums(ahead, length), fraction)
    rows = ahead & changed
    length[rows] *= np.where(new.on_axis[rows], factor[new.group[rows]], fraction)


def _grow_segments(old: _Groups, new: _Groups, changed: Flags, fraction: float) -> None:
    """As many as the module had are there from the beginning: the last ones, at whose end the axis goes on."""
    segments = new.does(*_SEGMENTS)
    had = old.sums(old.does(*_SEGMENTS), np.ones(len(old.group)))
    counted = np.cumsum(segments & new.on_axis)
    there = new.on_axis & (new.last(segments, counted)[new.group] - counted < had[new.group])
    rows = segments & changed
    new.actions.grown[rows] = np.where(there[rows], 1.0, fraction)
    new.actions.bend[rows] *= fraction


def _grow_radii(old: _Groups, new: _Groups, changed: Flags, fraction: float) -> None:
    """Radii and widths of segments: from what the module had, or from nothing."""
    had = old.last(old.does(*_SEGMENTS) & np.isfinite(old.actions.size), old.actions.size)
    size = new.actions.size
    rows = new.does(*_SEGMENTS) & changed & np.isfinite(size)
    start = np.where(new.on_axis[rows], np.nan_to_num(had[new.group[rows]]), 0.0)
    size[rows] = _between(start, size[rows], fraction)


def _grow_turns(old: _Groups, new: _Groups, changed: Flags, fraction: float) -> None:
    angle = new.actions.size
    for axis in range(3):
        turns = new.does(TURN) & (new.actions.axis == axis)
        had = old.sums(old.does(TURN) & (old.actions.axis == axis), old.actions.size)
        factor = np.where(had != 0.0, _share(had, new.sums(turns, angle), fraction), fraction)
        rows = turns & new.on_axis & changed
        angle[rows] *= factor[new.group[rows]]


def _grow_widths(old: _Groups, new: _Groups, changed: Flags, fraction: float) -> None:
    had = old.last(old.does(WIDTH), old.actions.size)
    rows = new.does(WIDTH) & changed & new.on_axis
    start, end = had[new.group[rows]], new.actions.size[rows]
    both = np.isfinite(start) & np.isfinite(end)
    new.actions.blend[rows] = np.where(both, 1.0, fraction)
    new.actions.size[rows] = np.where(both, _between(start, end, fraction), end)


def _grow_directions(old: _Groups, new: _Groups, changed: Flags, fraction: float) -> None:
    """The turtle turns a part of the way to a direction of the world."""
    rows = new.does(AIM, FACE, LEAN, PULL, ROLL, BEND) & changed & new.on_axis
    new.actions.blend[rows] = fraction


def _grow_surfaces(old: _Groups, new: _Groups, changed: Flags, fraction: float) -> None:
    """New surfaces and tubes become as large and as wide as they are from nothing; tubes go on from those before."""
    sheets, tubes = (new.does(kind) & changed for kind in (SHEET, TUBE))
    for name in ("size", "length", "thickness"):
        getattr(new.actions, name)[sheets] *= fraction
    had = old.last(old.does(TUBE), old.actions.size)
    start = np.where(new.on_axis[tubes], np.nan_to_num(had[new.group[tubes]]), 0.0)
    new.actions.size[tubes] = _between(start, new.actions.size[tubes], fraction)


def _between(start: Floats, end: Floats, fraction: float) -> Floats:
    return (1.0 - fraction) * start + fraction * end


def _share(had: Floats, has: Floats, fraction: float) -> Floats:
    """What to multiply what groups have by, so that in sum it goes from what they had to what they have."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(has != 0.0, _between(had, has, fraction) / has, fraction)


def _groups(actions: Actions, group_of: Integers, count: int) -> _Groups:
    """Groups of the actions of a string, by those of all its modules."""
    group = group_of[actions.uncut]
    signs = bracket_signs(actions.string)
    depth = np.cumsum(signs) - (signs > 0)
    first = np.flatnonzero(np.diff(group, prepend=-1))
    on_axis = depth == np.repeat(depth[first], np.diff(first, append=len(group)))
    return _Groups(actions, count, group[actions.module], on_axis[actions.module])


def _alike(old: _Groups, new: _Groups) -> tuple[Flags, Integers]:
    """Which actions belong to groups that do the same things before and after, and for these the action before."""
    old_counts, new_counts = (np.bincount(groups.group, minlength=new.count) for groups in (old, new))
    # groups follow one another along the string
    old_first, new_first = np.cumsum(old_counts) - old_counts, np.cumsum(new_counts) - new_counts
    source = old_first[new.group] + np.arange(len(new.group)) - new_first[new.group]
    matching = (old_counts == new_counts)[new.group]
    rows = np.flatnonzero(matching)
    for name in ("action", "axis", "organ", "pieces"):
        matching[rows] &= getattr(new.actions, name)[rows] == getattr(old.actions, name)[source[rows]]
    matching[rows] &= np.isnan(new.actions.size[rows]) == np.isnan(old.actions.size[source[rows]])
    different = np.bincount(new.group, ~matching, minlength=new.count) > 0
    return ~different[new.group], source
