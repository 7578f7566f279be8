# SPDX-License-Identifier: GPL-3.0-or-later
"""A plant in the middle of a derivation step: sizes and turns between those of the module and of what replaces it.

What comes from one module is a group. On the group's axis lengths and turns have together, at a fraction f of the
step, (1 - f) times what the module had and f times what the step gives; so the plant is, at the step's beginning, the
one before it, and at its end the one after it. Branches that the step makes grow from nothing.
"""

from dataclasses import dataclass, replace

import numpy as np

from ..base.arrays import Flags, Floats, Integers
from ..derivation.branches import steps_of
from ..derivation.derivation import Derived
from .commands import COLOUR, MOVE, ORGAN, STEP, STEP_UNSEEN, TURN, WIDTH, Actions

_NUMBERS = ("length", "size", "thickness", "bend", "blend", "grown")
_NAMED = ("@organ", "@pin")
"""Settings that have nothing between two values."""
_AHEAD = (ORGAN, STEP, STEP_UNSEEN, MOVE)


@dataclass(frozen=True)
class _Groups:
    """Actions of one string by group."""

    group: Integers
    """(actions) number of the group each is in."""
    on_axis: Flags
    """(actions) not in a bracket that the group itself has opened."""

    def sums(self, chosen: Flags, values: np.ndarray, count: int) -> Floats:
        """Sums of values over the chosen actions of each group."""
        return np.bincount(self.group[chosen], values[chosen], minlength=count).astype(np.float64)

    def last(self, chosen: Flags, values: np.ndarray, count: int) -> Floats:
        """The last of the chosen values of each group, NaN where there is none."""
        result = np.full(count, np.nan)
        result[self.group[chosen]] = values[chosen]
        return result


def partly_grown(before: Actions, after: Actions, derived: Derived) -> Actions:
    """The actions after the step, with sizes and turns as they are at the fraction of it that has passed."""
    fraction = derived.fraction
    if fraction >= 1.0:
        return after
    count = 1 + int(max(derived.group_before.max(initial=0), derived.group_after.max(initial=0)))
    old = _groups(before, derived.group_before[before.uncut])
    new = _groups(after, derived.group_after[after.uncut])
    result = replace(after, **{name: getattr(after, name).copy() for name in _NUMBERS})
    length, value, blend = result.length, result.size, result.blend
    same, source = _alike(before, after, old, new, count)
    named = (after.action == COLOUR) | after.string.flags(_NAMED)[after.module]
    between = same & ~named
    for name in _NUMBERS[:-2]:
        values, values_before = getattr(result, name), getattr(before, name)[source[between]]
        values[between] = (1.0 - fraction) * values_before + fraction * values[between]
    changed = ~same

    ahead = np.isin(after.action, _AHEAD)
    had = old.sums(np.isin(before.action, _AHEAD) & old.on_axis, before.length, count)
    has = new.sums(ahead & new.on_axis, after.length, count)
    factor = _share(had, has, fraction)
    rows = ahead & changed
    length[rows] *= np.where(new.on_axis[rows], factor[new.group[rows]], fraction)

    # as many segments as the module had are there from the beginning: the last ones, at whose end the axis goes on
    segments = np.isin(after.action, (ORGAN, STEP, STEP_UNSEEN))
    old_segments = np.isin(before.action, (ORGAN, STEP, STEP_UNSEEN)) & old.on_axis
    had = old.sums(old_segments, np.ones(len(before.action)), count)
    counted = np.cumsum(segments & new.on_axis)
    until = new.last(segments & new.on_axis, counted, count)
    there = new.on_axis & (until[new.group] - counted < had[new.group])
    rows = segments & changed
    result.grown[rows] = np.where(there[rows], 1.0, fraction)
    result.bend[rows] *= fraction

    # radii and widths: from what the module had, or from nothing
    old_sized = np.isin(before.action, (ORGAN, STEP, STEP_UNSEEN)) & old.on_axis
    had_size = old.last(old_sized & np.isfinite(before.size), before.size, count)
    rows = np.isin(after.action, (ORGAN, STEP, STEP_UNSEEN)) & changed & np.isfinite(value)
    start = np.where(new.on_axis[rows], np.nan_to_num(had_size[new.group[rows]]), 0.0)
    value[rows] = (1.0 - fraction) * start + fraction * value[rows]

    for axis in range(3):
        old_turns = (before.action == TURN) & (before.axis == axis) & old.on_axis
        turns = (after.action == TURN) & (after.axis == axis) & new.on_axis
        had = old.sums(old_turns, before.size, count)
        has = new.sums(turns, after.size, count)
        factor = np.where(had != 0.0, _share(had, has, fraction), fraction)
        rows = turns & changed
        value[rows] *= factor[new.group[rows]]

    had_width = old.last((before.action == WIDTH) & old.on_axis, before.size, count)
    rows = (after.action == WIDTH) & changed & new.on_axis
    start = had_width[new.group[rows]]
    both = np.isfinite(start) & np.isfinite(value[rows])
    blend[rows] = np.where(both, 1.0, fraction)
    value[rows] = np.where(both, (1.0 - fraction) * start + fraction * value[rows], value[rows])
    return result


def _share(had: Floats, has: Floats, fraction: float) -> Floats:
    """What to multiply what groups have by, so that in sum it goes from what they had to what they have."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(has != 0.0, ((1.0 - fraction) * had + fraction * has) / has, fraction)


def _groups(actions: Actions, group: Integers) -> _Groups:
    """Groups of the actions of a string whose modules have these groups."""
    steps = steps_of(actions.string)
    depth = np.cumsum(steps) - (steps > 0)
    first = np.flatnonzero(np.diff(group, prepend=-1))
    start = np.repeat(depth[first], np.diff(first, append=len(group)))
    on_axis = depth == start
    return _Groups(group[actions.module], on_axis[actions.module])


def _alike(before: Actions, after: Actions, old: _Groups, new: _Groups, count: int) -> tuple[Flags, Integers]:
    """Which actions belong to groups that do the same things before and after, and for these the action before."""
    old_counts, new_counts = (np.bincount(groups.group, minlength=count) for groups in (old, new))
    # groups follow one another along the string
    old_first, new_first = np.cumsum(old_counts) - old_counts, np.cumsum(new_counts) - new_counts
    source = old_first[new.group] + np.arange(len(new.group)) - new_first[new.group]
    equal = (old_counts == new_counts)[new.group]
    matching = np.zeros(len(new.group), dtype=np.bool_)
    matching[equal] = True
    for name in ("action", "axis", "organ", "pieces"):
        matching[equal] &= getattr(after, name)[equal] == getattr(before, name)[source[equal]]
    matching[equal] &= np.isnan(after.size[equal]) == np.isnan(before.size[source[equal]])
    different = np.bincount(new.group, ~matching, minlength=count) > 0
    same = ~different[new.group]
    return same, source
