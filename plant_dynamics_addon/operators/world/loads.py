# SPDX-License-Identifier: GPL-3.0-or-later
"""Pull handles, forces and twists."""

import bpy
import numpy as np
from bpy.types import Context
from mathutils import Vector

from ....solver import Simulation, SolverError
from ...changes import inputs_changed
from ...dynamics.kernels.warm_up import is_warm
from ...dynamics.rig.armature_reader import read_armature
from ...dynamics.rig.plant import Plant
from ...dynamics.surroundings.inputs import read_sample
from ...dynamics.surroundings.load_animation import remove_animation
from ...errors import PlantError
from ...plants import active_armature
from ..common import AtOnce, needs, poll_plant


def _chosen_bone(context: Context, obj: bpy.types.Object) -> bpy.types.Bone:
    """The active bone, else the tip that is farthest from the plant's base."""
    bones = obj.data.bones
    if not bones:
        raise PlantError(f"'{obj.name}' has no bones")
    if bones.active is not None:
        return bones.active
    return max(bones, key=lambda bone: bone.tail_local.length)


def _tip_at_start(
    context: Context, obj: bpy.types.Object, plant: Plant, bone: bpy.types.Bone
) -> tuple[float, float, float]:
    """World position of the bone's tail as the plant is now, or will be when it starts to play.

    Finding the settled pose needs the solver; while that is being compiled the drawn pose is taken, not to wait for it.
    """
    drawn = tuple(obj.matrix_world @ obj.pose.bones[bone.name].tail)
    if obj.plant_dynamics.live or obj.plant_dynamics.is_baked or not is_warm():
        return drawn
    simulation = Simulation(plant.models)
    try:
        sample = read_sample(obj, plant, context.scene, context.evaluated_depsgraph_get())
        simulation.start(sample, obj.plant_dynamics.start, plant.initial)
    except (SolverError, PlantError):
        return drawn  # Play will report it
    return tuple(simulation.rod_tails()[plant.rod_of(bone.name)])


def _end_of_stem(obj: bpy.types.Object) -> bpy.types.Bone:
    """The active bone, else the end of the way from the first root that always goes on as straight as possible."""
    if obj.data.bones.active is not None:
        return obj.data.bones.active
    bone = next((b for b in obj.data.bones if b.parent is None), None)
    if bone is None:
        raise PlantError(f"'{obj.name}' has no bones")
    while bone.children:
        bone = max(bone.children, key=lambda child: _direction(child).dot(_direction(child.parent)))
    return bone


def _direction(bone: bpy.types.Bone) -> Vector:
    return (bone.tail_local - bone.head_local).normalized()


class _AddLoad(AtOnce):
    """What all kinds of load share."""

    poll = classmethod(poll_plant)
    kind: str

    def _add(self, obj: bpy.types.Object, bone: bpy.types.Bone) -> bpy.types.PropertyGroup:
        settings = obj.plant_dynamics
        load = settings.loads.add()
        load.name = f"{bone.name} {self.kind.capitalize()}"
        load.kind = self.kind
        load.bone = bone.name
        settings.active_load = len(settings.loads) - 1
        return load


class PLANT_DYNAMICS_OT_add_pull(_AddLoad):
    """Add an Empty at the active bone's tip (or the farthest tip) that draws it along while its influence is above 0"""

    bl_idname = "plant_dynamics.add_pull"
    bl_label = "Pull Handle"
    kind = "PULL"

    def act(self, context: Context) -> None:
        obj = active_armature(context)
        bone = _chosen_bone(context, obj)
        if obj.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")
        plant = read_armature(obj, obj.matrix_world)
        handle = bpy.data.objects.new(f"{bone.name} Handle", None)
        handle.empty_display_type = "SPHERE"
        handle.empty_display_size = max(0.02, 0.05 * max(obj.dimensions))
        handle.location = _tip_at_start(context, obj, plant, bone)
        (obj.users_collection[0] if obj.users_collection else context.collection).objects.link(handle)
        load = self._add(obj, bone)
        load.target = handle
        for selected in context.selected_objects:
            selected.select_set(False)
        handle.select_set(True)
        context.view_layer.objects.active = handle
        load.stiffness = plant.handle_stiffness(plant.rod_of(bone.name))


class PLANT_DYNAMICS_OT_add_force(_AddLoad):
    """Add a force on the active bone (or on the one at the plant's farthest tip), strong enough to be seen"""

    bl_idname = "plant_dynamics.add_force"
    bl_label = "Force"
    kind = "FORCE"

    def act(self, context: Context) -> None:
        obj = active_armature(context)
        bone = _chosen_bone(context, obj)
        plant = read_armature(obj, obj.matrix_world)
        rod = plant.rod_of(bone.name)
        compliance = plant.compliance_at(rod)
        load = self._add(obj, bone)
        if compliance > 0.0:
            load.force = (0.2 * plant.reach(rod) / compliance, 0.0, 0.0)


class PLANT_DYNAMICS_OT_add_twist(_AddLoad):
    """Add a torque that twists the stem from the root to the active bone (or to the end of the stem)"""

    bl_idname = "plant_dynamics.add_twist"
    bl_label = "Twist"
    kind = "TWIST"

    def act(self, context: Context) -> None:
        obj = active_armature(context)
        bone = _end_of_stem(obj)
        plant = read_armature(obj, obj.matrix_world)
        load = self._add(obj, bone)
        load.torque = plant.torque_for_twist(plant.rod_of(bone.name), np.pi / 2.0)


def remove_load(obj: bpy.types.Object, number: int) -> None:
    """Take a load off the list, with its keys and drivers."""
    settings = obj.plant_dynamics
    remove_animation(obj, number)
    settings.loads.remove(number)
    settings.active_load = max(0, number - 1)
    inputs_changed(obj)


class PLANT_DYNAMICS_OT_remove_load(AtOnce):
    """Remove the load from the list, with its keys and drivers; its handle stays in the scene"""

    bl_idname = "plant_dynamics.remove_load"
    bl_label = "Remove Load"

    @classmethod
    def poll(cls, context: Context) -> bool:
        if not poll_plant(cls, context):
            return False
        settings = active_armature(context).plant_dynamics
        return needs(cls, 0 <= settings.active_load < len(settings.loads), "There is no load to remove")

    def act(self, context: Context) -> None:
        obj = active_armature(context)
        loads, number, library = obj.plant_dynamics.loads, obj.plant_dynamics.active_load, obj.override_library
        if library and number < len(library.reference.plant_dynamics.loads):
            raise PlantError(f"'{loads[number].name}' comes from the library: set its Influence to 0 instead")
        handle = loads[number].target
        remove_load(obj, number)
        objects = context.view_layer.objects
        still_pulls = any(load.target == handle for load in loads)
        if handle and handle == objects.active and not still_pulls and objects.get(obj.name) == obj:
            handle.select_set(False)
            obj.select_set(True)
            objects.active = obj
