# SPDX-License-Identifier: GPL-3.0-or-later
"""Which plants go one course together, for they touch each other or are tied to each other."""

from collections.abc import Sequence

import bpy

from ...changes import object_changed
from ...plants import dynamic_objects
from ...relations import group_of, is_to_another, ties_between
from ..cache import disk_cache
from ..rig.leaders import is_simulated
from .course import Course
from .session import Session
from .together import Groups


def touching_others(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Plants of the scene that are to touch each other: they ask for it and are not baked."""
    return [obj for obj in dynamic_objects(scene) if _asks(obj)]


def with_others(scene: bpy.types.Scene, plants: Sequence[bpy.types.Object]) -> list[bpy.types.Object]:
    """The plants, and all that have to be simulated with them because they touch or are tied to each other; the plants
    may be baked."""
    asked = set(plants)
    there = [one for one in dynamic_objects(scene) if one in asked or not one.plant_dynamics.is_baked]
    groups = Groups(in_order(there), lambda obj: _asks(obj) or (obj in asked and _touches_others(obj)))
    others = [one for group in groups.all() if not asked.isdisjoint(group) for one in group]
    return list(dict.fromkeys([*plants, *others]))


def going_with(obj: bpy.types.Object, scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """The other plants of the scene that are simulated with the plant because they touch or are tied to each other.
    Where it is baked these may be baked too, as they are when all were baked together."""
    baked = obj.plant_dynamics.is_baked
    there = [one for one in dynamic_objects(scene) if one == obj or baked or not one.plant_dynamics.is_baked]
    return [one for one in Groups(in_order(there), _touches_others).of(obj) if one != obj]


def touched_by(obj: bpy.types.Object, scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """The other plants of the scene that are simulated with the plant because they touch it. Where it is baked these
    may be baked too, as they are when all were baked together."""
    others = [one for one in dynamic_objects(scene) if one != obj and one.plant_dynamics.contact.others]
    if not obj.plant_dynamics.contact.others:
        return []
    there = [one for one in others if obj.plant_dynamics.is_baked or not one.plant_dynamics.is_baked]
    return [one for one in there if group_of(one) == group_of(obj)]


def _asks(obj: bpy.types.Object) -> bool:
    return _touches_others(obj) and not obj.plant_dynamics.is_baked


def _touches_others(obj: bpy.types.Object) -> bool:
    return bool(obj.plant_dynamics.contact.others)


def in_order(plants: Sequence[bpy.types.Object]) -> list[bpy.types.Object]:
    """The plants as they follow each other where they are simulated together."""
    return sorted(plants, key=_place_in_order)


def _place_in_order(obj: bpy.types.Object) -> tuple[int, str]:
    return obj.plant_dynamics.contact.rank, obj.name


def not_together(obj: bpy.types.Object, scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Plants that the plant does not touch, though both ask for it; in the row of a comparison only of its own place.
    """
    own = obj.plant_dynamics.contact
    if not own.others:
        return []
    apart = [one for one in touching_others(scene) if group_of(one) != group_of(obj)]
    if not scene.plant_dynamics_compare.holds_comparison:
        return apart
    return [one for one in apart if one.plant_dynamics.contact.company == own.company]


def differ_though_tied(obj: bpy.types.Object, load: bpy.types.PropertyGroup, scene: bpy.types.Scene) -> bool:
    """Whether plants that a load of the first ties to each other do not go together, because their settings differ."""
    other = load.other_object
    if load not in ties_between(obj) or other not in dynamic_objects(scene) or not is_simulated(other, load.other_bone):
        return False
    return not (obj.plant_dynamics.is_baked or other.plant_dynamics.is_baked) and group_of(obj) != group_of(other)


def tie(pairs: Sequence[tuple[bpy.types.Object, Session]], also: Sequence[bpy.types.Object] = ()) -> None:
    """Have the sessions of plants that touch or are tied to each other go one course, and the others each its own.
    also: plants that count as asking for it, though they are baked."""
    if len(pairs) == 1 and pairs[0][1].course.sessions == (pairs[0][1],):
        return  # it goes alone already
    session_of, object_of = dict(pairs), {session: obj for obj, session in pairs}
    groups = Groups(in_order(list(session_of)), lambda obj: _asks(obj) or (obj in also and _touches_others(obj)))
    for group in groups.all():
        members = [session_of[obj] for obj in group]
        before = members[0].course
        if all(one.course is before for one in members) and len(before.sessions) == len(members):
            as_before = [object_of[one] for one in before.sessions]
            if before.touching == tuple(groups.touching(as_before)):
                continue
        course = Course(members, groups.touching(group))
        for obj, one in zip(group, members, strict=True):
            left = set(one.course.sessions) - set(members)
            if left and one.plant.layout != obj.plant_dynamics.layout:
                object_changed(obj)  # it may have bent at its nodes for a tie that is gone
            for other in left - object_of.keys():
                other.go_with(Course([other]))
            one.go_with(course)
            if any(map(is_to_another, obj.plant_dynamics.loads)):  # it may be tied otherwise now
                one.recording.worlds.clear()
        for obj, one in zip(group, members, strict=True):
            if not one.known.remembered.frames:
                one.known.remembered = disk_cache.frames_of(obj, one.key(), course.motion.simulation)
        course.recall()
