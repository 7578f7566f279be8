# SPDX-License-Identifier: GPL-3.0-or-later
"""Which objects act on a plant, by parents, constraints and drivers followed from one to the next."""

from collections.abc import Iterable, Iterator

import bpy

from ...blender.evaluation_cache import EvaluationCache
from ...errors import PlantError
from .inputs import INFLUENCES, own_targets
from .moving_base import carrying_bones

#: In place of a bone's name, and longer than any: all bones that carry something.
_POSE = "*" * 100


def acting_on(
    plant: bpy.types.Object, scene: bpy.types.Scene, once: EvaluationCache | None = None
) -> set[bpy.types.Object]:
    """All objects by which anything acts on the plant, itself with them, and all that any of them follows."""
    once = once or EvaluationCache()
    starts = [obj for influence in INFLUENCES for obj in influence.objects(plant, scene, once)]
    return {obj for obj, _ in _followed((obj, _POSE) for obj in starts)}


def refuse_unposed(plant: bpy.types.Object) -> None:
    """Raise PlantError where the plant's base or a handle follows a simulated bone that is not baked.

    Such a bone has no pose yet when the plant is looked at.
    """
    for start in [plant, *(load.target for load in own_targets(plant))]:
        for obj, bone in _followed([(start, _POSE if start == plant else "")]):
            if not _is_unposed(obj, bone):
                continue
            what = "its base" if start == plant else f"the handle '{start.name}'"
            if obj == plant:
                raise PlantError(f"'{plant.name}': {what} follows bone '{bone}' of the plant itself. Take the parent "
                                 "or the constraint away")  # fmt: skip
            raise PlantError(f"'{plant.name}': {what} follows bone '{bone}' of the plant '{obj.name}', which moves "
                             f"only when it is baked: bake '{obj.name}' first")  # fmt: skip


def pose_bones(obj: bpy.types.Object) -> Iterator[bpy.types.PoseBone]:
    """Bones whose constraints can act on what the object carries."""
    if obj.type != "ARMATURE" or obj.pose is None:
        return
    names = carrying_bones(obj) if obj.plant_dynamics.is_dynamic else obj.pose.bones.keys()
    yield from (obj.pose.bones[name] for name in names if name in obj.pose.bones)


def _is_unposed(obj: bpy.types.Object, name: str) -> bool:
    if obj.type != "ARMATURE" or not obj.plant_dynamics.is_dynamic or obj.plant_dynamics.is_baked:
        return False
    bone = obj.data.bones.get(name)
    return bone is not None and any(one.plant_dynamics.use_physics for one in (bone, *bone.parent_recursive))


def _followed(starts: Iterable[tuple[bpy.types.Object, str]]) -> set[tuple[bpy.types.Object, str]]:
    """These and all that they follow, however far away: objects, each with a bone's name or an empty string."""
    found: set[tuple[bpy.types.Object, str]] = set()
    waiting = list(starts)
    while waiting:
        obj, bone = waiting.pop()
        if (obj, bone) not in found:
            found.add((obj, bone))
            waiting.extend(_leaders(obj, with_bones=bool(bone)))
    return found


def _leaders(obj: bpy.types.Object, with_bones: bool) -> Iterator[tuple[bpy.types.Object, str]]:
    if obj.parent:
        yield obj.parent, obj.parent_bone if obj.parent_type == "BONE" else ""
    stacks = [obj.constraints, *(bone.constraints for bone in (pose_bones(obj) if with_bones else ()))]
    for constraint in (constraint for stack in stacks for constraint in stack):
        yield from _targets(constraint)
    for curve in obj.animation_data.drivers if obj.animation_data else ():
        for target in (target for variable in curve.driver.variables for target in variable.targets):
            if isinstance(target.id, bpy.types.Object):
                yield target.id, target.bone_target


def _targets(constraint: bpy.types.Constraint) -> Iterator[tuple[bpy.types.Object, str]]:
    one, pole = getattr(constraint, "target", None), getattr(constraint, "pole_target", None)
    if one is not None:
        yield one, getattr(constraint, "subtarget", "")
    if pole is not None:
        yield pole, constraint.pole_subtarget
    for target in getattr(constraint, "targets", ()):
        if target.target is not None:
            yield target.target, target.subtarget
