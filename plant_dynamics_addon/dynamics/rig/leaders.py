# SPDX-License-Identifier: GPL-3.0-or-later
"""What moves what: objects and bones followed by parents, constraints and drivers from one to the next."""

from collections.abc import Iterable, Iterator
from functools import cache

import bpy

from ...memory import Measured
from .armature_reader import bones_by_carrier
from .keyed.constraints import targets_of

#: In place of a bone's name, and longer than any: all bones that carry something.
POSE = "*" * 100

#: Modifiers that take from other objects what does not change the shape.
_SHAPELESS = {"DATA_TRANSFER", "NORMAL_EDIT", "UV_PROJECT", "UV_WARP"}

_carrying: Measured[list[str]] = Measured()


def carrying_bones(obj: bpy.types.Object) -> list[str]:
    """Names of the bones that carry simulated ones or carry such bones."""
    names = _carrying.of(obj)
    if names is None:
        names = _carrying.keep(obj, [])
        for carrier in bones_by_carrier(obj.data.bones):
            bone = obj.data.bones[carrier] if carrier is not None else None
            while bone is not None:
                names.append(bone.name)
                bone = bone.parent
    return names


def pose_bones(obj: bpy.types.Object) -> Iterator[bpy.types.PoseBone]:
    """Bones whose constraints can act on what the object carries."""
    if obj.type != "ARMATURE" or obj.pose is None:
        return
    names = carrying_bones(obj) if obj.plant_dynamics.is_dynamic else obj.pose.bones.keys()
    yield from (obj.pose.bones[name] for name in names if name in obj.pose.bones)


def is_simulated(obj: bpy.types.Object, name: str) -> bool:
    """Whether this is a bone of a plant that moves by physics, or rides on one that does."""
    if obj.type != "ARMATURE" or not obj.plant_dynamics.is_dynamic:
        return False
    bone = obj.data.bones.get(name)
    return bone is not None and any(one.plant_dynamics.use_physics for one in (bone, *bone.parent_recursive))


def followed(starts: Iterable[tuple[bpy.types.Object, str]]) -> set[tuple[bpy.types.Object, str]]:
    """These and all that they follow, however far away: objects, each with a bone's name or an empty string."""
    found: set[tuple[bpy.types.Object, str]] = set()
    waiting = list(starts)
    while waiting:
        obj, bone = waiting.pop()
        if (obj, bone) not in found:
            found.add((obj, bone))
            waiting.extend(_leaders(obj, with_bones=bool(bone)))
    return found


def follows(obj: bpy.types.Object) -> set[bpy.types.Object]:
    """All objects that the object or any of its pose bones follows, however far away, and itself."""
    own = obj.pose.bones if obj.pose is not None else ()
    targets = [target for bone in own for constraint in bone.constraints for target in targets_of(constraint)]
    return {found for found, _ in followed([(obj, POSE), *targets])}


def _leaders(obj: bpy.types.Object, with_bones: bool) -> Iterator[tuple[bpy.types.Object, str]]:
    if obj.parent:
        yield obj.parent, obj.parent_bone if obj.parent_type == "BONE" else ""
        yield from deformers_of(obj.parent) if obj.parent_type.startswith("VERTEX") else ()
    stacks = [obj.constraints, *(bone.constraints for bone in (pose_bones(obj) if with_bones else ()))]
    for constraint in (constraint for stack in stacks for constraint in stack):
        yield from targets_of(constraint)
    for curve in obj.animation_data.drivers if obj.animation_data else ():
        for target in (target for variable in curve.driver.variables for target in variable.targets):
            if isinstance(target.id, bpy.types.Object):
                yield target.id, target.bone_target


def deformers_of(obj: bpy.types.Object) -> Iterator[tuple[bpy.types.Object, str]]:
    """What deforms the object by its modifiers, each with a bone's name or an empty string; of armatures a simulated
    bone, if there is one."""
    shaping = shaped_by(obj)
    for modifier in (modifier for one in (obj, *(one for one, _ in shaping)) for modifier in one.modifiers):
        armature = modifier.object if modifier.type == "ARMATURE" else None
        if armature is not None:
            simulated = (bone.name for bone in armature.data.bones if is_simulated(armature, bone.name))
            yield armature, next(simulated, POSE)
    yield from shaping


def shaped_by(obj: bpy.types.Object) -> list[tuple[bpy.types.Object, str]]:
    """The objects by which its modifiers shape the object, from one to the next, each with a bone's name or an empty
    string; without armatures that deform them."""
    found: list[tuple[bpy.types.Object, str]] = []
    waiting = [obj]
    while waiting:
        for modifier in waiting.pop().modifiers:
            if modifier.type == "ARMATURE" or not modifier.show_viewport:
                continue
            named = (getattr(modifier, name) for name in _objects_in(modifier.type, type(modifier)))
            shaping = ((one, getattr(modifier, "subtarget", "")) for one in named if one is not None)
            new = [one for one in shaping if one not in found]
            found += new
            waiting += [one for one, _ in new]
    return found


@cache
def _objects_in(kind: str, modifier: type[bpy.types.Modifier]) -> tuple[str, ...]:
    """The properties by which modifiers of a kind name objects that shape."""
    named = (prop for prop in modifier.bl_rna.properties if prop.type == "POINTER")
    return tuple(prop.identifier for prop in named if prop.fixed_type.identifier == "Object" and kind not in _SHAPELESS)
