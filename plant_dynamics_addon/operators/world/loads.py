# SPDX-License-Identifier: GPL-3.0-or-later
"""Loads added and removed."""

from collections.abc import Sequence
from functools import partial

import bpy
from bpy.app.translations import pgettext_rpt as rpt_
from bpy.types import Context

from ....solver import Simulation, SolverError
from ...changes import inputs_changed, object_changed
from ...dynamics.kernels.warm_up import is_warm
from ...dynamics.rig.armature_reader import GUIDES, read_armature
from ...dynamics.rig.plant import Plant
from ...dynamics.surroundings.inputs import read_sample
from ...dynamics.surroundings.loads.animation import remove_animation
from ...dynamics.surroundings.loads.guiding import holder_of
from ...dynamics.surroundings.loads.kinds import LOADS
from ...dynamics.surroundings.loads.load import Load, NewLoad
from ...errors import PlantError
from ...plants import active_armature
from ...relations import agree
from ..common import AtOnce, needs, poll_plant


def _shown_tip(obj: bpy.types.Object, bone: bpy.types.Bone) -> tuple[float, float, float]:
    """World position of the bone's tail as it is seen."""
    tail = obj.matrix_world @ obj.pose.bones[bone.name].tail
    return tail.x, tail.y, tail.z


def _tip_at_start(
    context: Context, obj: bpy.types.Object, plant: Plant, bone: bpy.types.Bone
) -> tuple[float, float, float]:
    """World position of the bone's tail as the plant is now, or will be when it starts to play.

    Finding the settled pose needs the solver; while that is being compiled the drawn pose is taken, not to wait for it.
    """
    drawn = _shown_tip(obj, bone)
    if obj.plant_dynamics.live or obj.plant_dynamics.is_baked or not is_warm():
        return drawn
    simulation = Simulation(plant.models)
    try:
        sample = read_sample(obj, plant, context.scene, context.evaluated_depsgraph_get())
        simulation.start(sample, obj.plant_dynamics.start, plant.initial)
    except (SolverError, PlantError):
        return drawn  # Play will report it
    return tuple(simulation.rod_tails()[plant.rod_of(bone.name)])


class _AddLoad(AtOnce):
    """What the buttons of all kinds share."""

    poll = classmethod(poll_plant)
    kind: Load

    def act(self, context: Context) -> None:
        obj, kind = active_armature(context), self.kind
        if not len(obj.data.bones):
            raise PlantError("'{object}' has no bones", object=obj.name)
        plant = read_armature(obj, obj.matrix_world)
        bone = obj.data.bones.active or kind.bone_of(obj, plant)
        rod, load = plant.rod_of(bone.name), append_load(obj, kind, bone)
        at_start = partial(_tip_at_start, context, obj, plant, bone)
        kind.begin(NewLoad(load, obj, bone, plant, rod, at_start, partial(_shown_tip, obj, bone)))
        if load.target and link_beside(context, obj, load.target):
            choose(context, [load.target])
        self.report({"INFO"}, _told(load))


def _told(load: bpy.types.PropertyGroup) -> str:
    """Which bone a load acts on, by what."""
    told = {"bone": load.bone, "load": load.name, "holder": holder_of(load)}
    if load.kind not in GUIDES or not told["holder"]:
        return rpt_("'{load}' acts on bone '{bone}'").format(**told)
    if load.kind == "TIE":
        return rpt_("Bone '{bone}' is tied to '{holder}'").format(**told)
    return rpt_("'{holder}' holds bone '{bone}'. Another one: Bone, in Loads").format(**told)


def append_load(obj: bpy.types.Object, kind: Load, bone: bpy.types.Bone) -> bpy.types.PropertyGroup:
    """A new load at the end of the list, for a bone, which is the one that is shown."""
    settings = obj.plant_dynamics
    load = settings.loads.add()
    load.kind, load.bone = kind.kind, bone.name
    settings.active_load = len(settings.loads) - 1
    return load


def link_beside(context: Context, obj: bpy.types.Object, handle: bpy.types.Object) -> bool:
    """Put a handle into the plant's collection, if it is new. Whether it is."""
    if handle.users_collection:
        return False
    handle.plant_dynamics.is_handle = True
    (obj.users_collection[0] if obj.users_collection else context.collection).objects.link(handle)
    return True


def choose(context: Context, handles: Sequence[bpy.types.Object]) -> None:
    """Have handles selected and the last of them active, in Object Mode, to be moved."""
    if context.object is not None and context.object.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    for selected in context.selected_objects:
        selected.select_set(False)
    for handle in handles:
        handle.select_set(True)
    context.view_layer.objects.active = handles[-1]


def _button(kind: Load) -> type:
    name = kind.kind.lower()
    of_class = {
        "bl_idname": f"plant_dynamics.add_{name}", "bl_label": kind.button.label, "__doc__": kind.button.tooltip,
        "kind": kind, "__module__": __name__,
    }  # fmt: skip
    return type(f"PLANT_DYNAMICS_OT_add_{name}", (_AddLoad,), of_class)


#: What adds loads, for each kind.
BUTTONS = tuple(map(_button, LOADS.values()))


def remove_load(obj: bpy.types.Object, number: int) -> None:
    """Take a load off the list, with its keys and drivers."""
    settings = obj.plant_dynamics
    other = settings.loads[number].other_object
    if other is not None:
        object_changed(other)  # it may be tied no more
    remove_animation(obj, number)
    settings.loads.remove(number)
    settings.active_load = max(0, number - 1)
    object_changed(obj)  # what holds bones decides where these bend
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
            raise PlantError("'{load}' comes from the library: set its Influence to 0 instead", load=loads[number].name)
        handle = loads[number].target
        remove_load(obj, number)
        objects = context.view_layer.objects
        still_pulls = any(load.target == handle for load in loads)
        if handle and handle == objects.active and not still_pulls and objects.get(obj.name) == obj:
            handle.select_set(False)
            obj.select_set(True)
            objects.active = obj


class PLANT_DYNAMICS_OT_agree_with_tied(AtOnce):
    """Give the other plant Collide With, Gravity, Stiffness and Method of this one, so that both bear what ties them"""

    bl_idname = "plant_dynamics.agree_with_tied"
    bl_label = "Make It Like This One"

    @classmethod
    def poll(cls, context: Context) -> bool:
        return poll_plant(cls, context) and needs(cls, _tied_to(context), "The active load ties to no other plant")

    def act(self, context: Context) -> None:
        other = _tied_to(context)
        assert other is not None, "asked for by poll"
        if not other.is_editable:
            raise PlantError("'{other}' is linked: make it local or a library override", other=other.name)
        agree(active_armature(context), [other])


def _tied_to(context: Context) -> bpy.types.Object | None:
    settings = active_armature(context).plant_dynamics
    active = settings.loads[settings.active_load : settings.active_load + 1]
    return next((one.other_object for one in active if one.kind == "TIE"), None)
