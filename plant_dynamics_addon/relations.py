# SPDX-License-Identifier: GPL-3.0-or-later
"""How plants stand to each other, as their settings say: which are tied to which, and in what they have to agree."""

from collections.abc import Hashable, Iterator, Sequence

import bpy


def is_to_another(load: bpy.types.PropertyGroup) -> bool:
    """Whether a load ties its bone to one of another object, or to one of an object that is gone."""
    if load.kind != "TIE":
        return False
    other = load.other_object
    return bool(load.other_name) if other is None else other.original != load.id_data.original


def ties_between(obj: bpy.types.Object) -> Iterator[bpy.types.PropertyGroup]:
    """The loads of the plant that tie its bones to those of other objects, which are there."""
    for load in obj.plant_dynamics.loads:
        if load.bone and load.other_bone and is_to_another(load) and load.other_object is not None:
            yield load


def is_tied_by_others(obj: bpy.types.Object) -> bool:
    """Whether loads of other plants tie their bones to those of this one."""
    others = (one for one in bpy.data.objects if one.type == "ARMATURE" and one != obj)
    return any(load.other_object == obj for one in others for load in ties_between(one))


#: In what plants are equal that go together: they stand at the same place of a row, if they are in one, and collide
#: with the same things, under the same gravity.
_OF_CONTACT = ("company", "collide_with", "collection")
_OF_PLANT = ("gravity_factor", "stiffness_factor", "scheme")


def group_of(obj: bpy.types.Object) -> Hashable:
    """Plants can touch each other, and bear each other's weight at ties, where this is equal."""
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


def agree(obj: bpy.types.Object, others: Sequence[bpy.types.Object]) -> None:
    """Let the others be such that the plant can go together with them."""
    own = obj.plant_dynamics
    for one in others:
        theirs = one.plant_dynamics
        for name in _OF_CONTACT:
            setattr(theirs.contact, name, getattr(own.contact, name))
        for name in _OF_PLANT:
            setattr(theirs, name, getattr(own, name))
