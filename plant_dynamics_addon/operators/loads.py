# SPDX-License-Identifier: GPL-3.0-or-later
"""Pull handles, forces and twists."""

import bpy
import numpy as np
from bpy.types import Context, Operator

from ..dynamics.armature_reader import read_armature
from ..errors import PlantError
from .common import active_armature, poll_plant, reports_errors

#: A new handle's spring is this much stiffer than the plant is where it is pulled.
_HANDLE_OVER_PLANT = 30.0


def _chosen_bone(context: Context, obj: bpy.types.Object) -> bpy.types.Bone:
    """The active bone, else the tip that is farthest from the plant's base."""
    bones = obj.data.bones
    if not bones:
        raise PlantError(f"'{obj.name}' has no bones")
    if bones.active is not None:
        return bones.active
    return max(bones, key=lambda bone: bone.tail_local.length)


class _AddLoad:
    """What both kinds of load share."""

    bl_options = {"REGISTER", "UNDO"}
    poll = classmethod(poll_plant)
    kind: str

    def _add(self, obj: bpy.types.Object, bone: bpy.types.Bone) -> bpy.types.PropertyGroup:
        settings = obj.plant_dynamics
        load = settings.loads.add()
        load.name = f"{self.kind.capitalize()} {bone.name}"
        load.kind = self.kind
        load.bone = bone.name
        settings.active_load = len(settings.loads) - 1
        return load


class PLANT_DYNAMICS_OT_add_pull(_AddLoad, Operator):
    """Add an Empty at the active bone's tip (or the farthest tip) that draws it along while its influence is above 0"""

    bl_idname = "plant_dynamics.add_pull"
    bl_label = "Pull Handle"
    kind = "PULL"

    @reports_errors
    def execute(self, context: Context) -> set[str]:
        obj = active_armature(context)
        bone = _chosen_bone(context, obj)
        if obj.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")
        plant = read_armature(obj, obj.matrix_world)
        compliance = plant.compliance_at(plant.rod_of(bone.name))
        handle = bpy.data.objects.new(f"Pull {bone.name}", None)
        handle.empty_display_type = "SPHERE"
        handle.empty_display_size = max(0.02, 0.05 * max(obj.dimensions))
        tip = obj.pose.bones[bone.name].tail
        handle.location = obj.matrix_world @ tip
        (obj.users_collection[0] if obj.users_collection else context.collection).objects.link(handle)
        load = self._add(obj, bone)
        load.target = handle
        for selected in context.selected_objects:
            selected.select_set(False)
        handle.select_set(True)
        context.view_layer.objects.active = handle
        load.stiffness = float(np.clip(_HANDLE_OVER_PLANT / compliance, 1e-3, 1e9)) if compliance > 0.0 else 100.0
        return {"FINISHED"}


class PLANT_DYNAMICS_OT_add_force(_AddLoad, Operator):
    """Add a force on the active bone (or on the one at the plant's farthest tip), strong enough to be seen"""

    bl_idname = "plant_dynamics.add_force"
    bl_label = "Force"
    kind = "FORCE"

    @reports_errors
    def execute(self, context: Context) -> set[str]:
        obj = active_armature(context)
        bone = _chosen_bone(context, obj)
        plant = read_armature(obj, obj.matrix_world)
        rod = plant.rod_of(bone.name)
        compliance = plant.compliance_at(rod)
        load = self._add(obj, bone)
        if compliance > 0.0:
            load.force = (0.2 * plant.reach(rod) / compliance, 0.0, 0.0)
        return {"FINISHED"}


class PLANT_DYNAMICS_OT_add_twist(_AddLoad, Operator):
    """Add a torque that twists the stem from the root to the active bone (or to the plant's farthest tip)"""

    bl_idname = "plant_dynamics.add_twist"
    bl_label = "Twist"
    kind = "TWIST"

    @reports_errors
    def execute(self, context: Context) -> set[str]:
        obj = active_armature(context)
        bone = _chosen_bone(context, obj)
        plant = read_armature(obj, obj.matrix_world)
        load = self._add(obj, bone)
        load.torque = plant.torque_for_twist(plant.rod_of(bone.name), np.pi / 2.0)
        return {"FINISHED"}


class PLANT_DYNAMICS_OT_remove_load(Operator):
    """Remove the load from the list; its handle stays in the scene"""

    bl_idname = "plant_dynamics.remove_load"
    bl_label = "Remove Load"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        if not poll_plant(cls, context):
            return False
        settings = active_armature(context).plant_dynamics
        if not 0 <= settings.active_load < len(settings.loads):
            cls.poll_message_set("There is no load to remove")
            return False
        return True

    def execute(self, context: Context) -> set[str]:
        settings = active_armature(context).plant_dynamics
        settings.loads.remove(settings.active_load)
        settings.active_load = max(0, settings.active_load - 1)
        return {"FINISHED"}
