# SPDX-License-Identifier: GPL-3.0-or-later
"""Which plants touch each other, and go one course together therefore."""

from collections.abc import Hashable, Sequence

import bpy

from ...plants import dynamic_objects
from ..cache import disk_cache
from .course import Course
from .session import Session


def touching_others(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Plants of the scene that are to touch each other: they ask for it and are not baked."""
    return [obj for obj in dynamic_objects(scene) if _asks(obj)]


def with_others(scene: bpy.types.Scene, plants: Sequence[bpy.types.Object]) -> list[bpy.types.Object]:
    """The plants, and all that have to be simulated with them because they touch each other; those may be baked."""
    groups = {group_of(obj) for obj in plants if obj.plant_dynamics.contact.others}
    others = [obj for obj in touching_others(scene) if group_of(obj) in groups]
    return list(dict.fromkeys([*plants, *others]))


def touched_by(obj: bpy.types.Object, scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """The other plants of the scene that are simulated with the plant because they touch it. Where it is baked these
    may be baked too, as they are when all were baked together."""
    others = [one for one in dynamic_objects(scene) if one != obj and one.plant_dynamics.contact.others]
    if not obj.plant_dynamics.contact.others:
        return []
    there = [one for one in others if obj.plant_dynamics.is_baked or not one.plant_dynamics.is_baked]
    return [one for one in there if group_of(one) == group_of(obj)]


def _asks(obj: bpy.types.Object) -> bool:
    return bool(obj.plant_dynamics.contact.others and not obj.plant_dynamics.is_baked)


#: In what plants are equal that touch each other: they stand at the same place of a row, if they are in one, and
#: collide with the same things, under the same gravity.
_OF_CONTACT = ("company", "collide_with", "collection")
_OF_PLANT = ("gravity_factor", "stiffness_factor", "scheme")


def group_of(obj: bpy.types.Object) -> Hashable:
    """Plants can touch each other where this is equal."""
    settings = obj.plant_dynamics
    of_contact = tuple(getattr(settings.contact, name) for name in _OF_CONTACT)
    return (*of_contact, *(getattr(settings, name) for name in _OF_PLANT))


def differing(obj: bpy.types.Object, others: Sequence[bpy.types.Object]) -> list[str]:
    """The names in the panels of the settings in which one of the others is not like the plant."""
    own, found = obj.plant_dynamics, []
    for holder, names in (("contact", _OF_CONTACT), ("", _OF_PLANT)):
        settings = [getattr(one, holder) if holder else one for one in (own, *(one.plant_dynamics for one in others))]
        for name in names:
            if len({getattr(one, name) for one in settings}) > 1:
                found.append(settings[0].bl_rna.properties[name].name)
    return found


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


def agree(obj: bpy.types.Object, others: Sequence[bpy.types.Object]) -> None:
    """Let the others be such that the plant can touch them."""
    own = obj.plant_dynamics
    for one in others:
        theirs = one.plant_dynamics
        for name in _OF_CONTACT:
            setattr(theirs.contact, name, getattr(own.contact, name))
        for name in _OF_PLANT:
            setattr(theirs, name, getattr(own, name))


def tie(pairs: Sequence[tuple[bpy.types.Object, Session]], also: Sequence[bpy.types.Object] = ()) -> None:
    """Have the sessions of plants that touch each other go one course, and the others each its own. also: plants that
    count as asking for it, though they are baked."""
    groups: dict[Hashable, list[tuple[bpy.types.Object, Session]]] = {}
    for obj, session in pairs:
        asks = _asks(obj) or (obj in also and obj.plant_dynamics.contact.others)
        key = (group_of(obj), session.recording.time_base) if asks else obj.session_uid
        groups.setdefault(key, []).append((obj, session))
    for group in groups.values():
        members = [session for _, session in sorted(group, key=lambda pair: _place_in_order(pair[0]))]
        if all(one.course is members[0].course for one in members) and len(members[0].course.sessions) == len(members):
            continue
        course = Course(members)
        for one in members:
            one.go_with(course)
        for obj, one in group:
            if not one.known.remembered.frames:
                one.known.remembered = disk_cache.frames_of(obj, one.key(), course.motion.simulation)
        course.recall()
