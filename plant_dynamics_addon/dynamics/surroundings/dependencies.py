# SPDX-License-Identifier: GPL-3.0-or-later
"""Which objects act on a plant, by parents, constraints and drivers followed from one to the next."""

import bpy

from ...blender.evaluation_cache import EvaluationCache
from ...errors import PlantError
from ..rig.leaders import POSE, followed, is_simulated
from .inputs import INFLUENCES, own_targets


def acting_on(
    plant: bpy.types.Object, scene: bpy.types.Scene, once: EvaluationCache | None = None
) -> set[bpy.types.Object]:
    """All objects by which anything acts on the plant, itself with them, and all that any of them follows."""
    once = once or EvaluationCache()
    starts = [obj for influence in INFLUENCES for obj in influence.objects(plant, scene, once)]
    return {obj for obj, _ in followed((obj, POSE) for obj in starts)}


def refuse_unposed(plant: bpy.types.Object) -> None:
    """Raise PlantError where the plant's base or a handle follows a simulated bone that is not baked.

    Such a bone has no pose yet when the plant is looked at.
    """
    for start in [plant, *(load.target for load in own_targets(plant))]:
        for obj, bone in followed([(start, POSE if start == plant else "")]):
            if not is_simulated(obj, bone) or obj.plant_dynamics.is_baked:
                continue
            what = "its base" if start == plant else f"the handle '{start.name}'"
            if obj == plant:
                raise PlantError(f"'{plant.name}': {what} follows bone '{bone}' of the plant itself. Take the parent "
                                 "or the constraint away")  # fmt: skip
            raise PlantError(f"'{plant.name}': {what} follows bone '{bone}' of the plant '{obj.name}', which moves "
                             f"only when it is baked: bake '{obj.name}' first")  # fmt: skip
