# SPDX-License-Identifier: GPL-3.0-or-later
"""Which objects act on a plant, by parents, constraints and drivers followed from one to the next."""

import bpy

from ...blender.evaluation_cache import EvaluationCache
from ...errors import PlantError
from ...relations import ties_between
from ..rig.keyed.constraints import leading_constraints, targets_of
from ..rig.leaders import POSE, deformers_of, followed, is_simulated, pose_bones
from .inputs import INFLUENCES, own_targets


def acting_on(
    plant: bpy.types.Object, scene: bpy.types.Scene, once: EvaluationCache | None = None
) -> set[bpy.types.Object]:
    """All objects by which anything acts on the plant, itself with them, and all that any of them follows."""
    once = once or EvaluationCache()
    starts = {obj for influence in INFLUENCES for obj in influence.objects(plant, scene, once)}
    return set().union(*(once(_moving, obj) for obj in starts))


def _moving(obj: bpy.types.Object) -> set[bpy.types.Object]:
    """All objects that the object or its bones follow, and itself."""
    return {found for found, _ in followed([(obj, POSE)])}


def refuse_unposed(plant: bpy.types.Object) -> None:
    """Raise PlantError where the plant's base, a handle, a posed armature that it is tied to, or a constraint that its
    bones follow, follows a simulated bone that is not baked.

    Such a bone has no pose yet when the plant is looked at.
    """
    leading = leading_constraints(plant)  # which read the plant's own bones without their motion
    acting = [one for bone in pose_bones(plant) for one in bone.constraints if (bone, one) not in leading]
    base = [(plant, ""), *(target for one in acting for target in targets_of(one))]
    starts: list[tuple[list[tuple[bpy.types.Object, str]], str]] = [(base, "its base")]
    for load in own_targets(plant):
        starts.append(([(load.target, ""), *deformers_of(load.target)], f"the handle '{load.target.name}'"))
    for load in ties_between(plant):
        if not is_simulated(load.other_object, load.other_bone):
            starts.append(([(load.other_object, POSE)], f"'{load.other_object.name}', which it is tied to,"))
    for start, what in starts:
        for obj, bone in followed(start):
            if obj == plant and _is_unposed(obj, bone):
                raise PlantError(
                    "'{plant}': {what} follows bone '{bone}' of the plant itself. Take the parent, the "
                    "constraint or the modifier away",
                    plant=plant.name, what=what, bone=bone,
                )
            _refuse(plant, what, obj, bone)
    for _, constraint in leading:
        targets = list(targets_of(constraint))
        for obj, bone in followed([*targets, *(one for target, _ in targets for one in deformers_of(target))]):
            if obj != plant:
                _refuse(plant, f"the constraint '{constraint.name}'", obj, bone)


def _is_unposed(obj: bpy.types.Object, bone: str) -> bool:
    return is_simulated(obj, bone) and not obj.plant_dynamics.is_baked


def _refuse(plant: bpy.types.Object, what: str, obj: bpy.types.Object, bone: str) -> None:
    """Raise PlantError where what acts on the plant follows such a bone."""
    if _is_unposed(obj, bone):
        raise PlantError(
            "'{plant}': {what} follows bone '{bone}' of the plant '{object}', which moves only when it is "
            "baked: bake '{object}' first",
            plant=plant.name, what=what, bone=bone, object=obj.name,
        )
