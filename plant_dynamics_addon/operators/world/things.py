# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that plants move: marked, and left in place again."""

import bpy
from bpy.app.translations import pgettext_rpt as rpt_
from bpy.props import StringProperty
from bpy.types import Context

from ...baking.things import clear_thing
from ...changes import object_changed, tell_listeners
from ...dynamics.live.live import is_live
from ...dynamics.rig.moved import mover_of
from ...dynamics.rig.thing_channels import let_copy_stand, take_over_things
from ...dynamics.rig.things import is_rigid_body
from ...dynamics.surroundings.colliders import why_left_out
from ...errors import PlantError
from ...grow.objects.in_pot import pots_of
from ...plants import active_plant
from ...rigging.warnings import named
from ..common import AtOnce, needs, poll_plant


class PLANT_DYNAMICS_OT_move_with_plant(AtOnce):
    """Have the plant move the selected meshes and be moved by them. They fall, roll and lie, and are baked as keys"""

    bl_idname = "plant_dynamics.move_with_plant"
    bl_label = "Moved by Plants"

    @classmethod
    def poll(cls, context: Context) -> bool:
        return poll_plant(cls, context) and needs(cls, _chosen(context), "Select meshes that the plant shall move")

    def act(self, context: Context) -> None:
        plant, chosen = active_plant(context), _chosen(context)
        if plant.plant_dynamics.is_baked:
            raise PlantError("'{plant}' is baked: clear its bake first", plant=plant.name)
        carries = {*_parents(plant), *pots_of(plant)}
        led: dict[bpy.types.Object, PlantError] = {}
        for one in chosen:
            try:
                _refuse_led(one, plant, carries)
            except PlantError as error:
                led[one] = error
        if len(led) == len(chosen):
            raise led[chosen[0]]
        free = [one for one in chosen if one not in led]
        for obj in free:
            _leave(obj)
            plant.plant_dynamics.things.add().object = obj
            obj.plant_dynamics.thing.plant = plant
        if is_live(plant):
            take_over_things(plant)
        _tell(plant)
        text = rpt_("'{plant}' moves {names}").format(plant=plant.name, names=named([one.name for one in free]))
        if led:
            refused = rpt_(", but not {names}").format(names=named([one.name for one in led]))
            text += f"{refused}. {next(iter(led.values()))}"
        self.report({"WARNING" if led else "INFO"}, text)


def _refuse_led(obj: bpy.types.Object, plant: bpy.types.Object, carries: set[bpy.types.Object]) -> None:
    """Raise PlantError where something else than the plant would move the object or hold it. carries: what carries the
    plant."""
    if obj in carries:
        raise PlantError("'{thing}' carries the plant, which cannot move it: move the plant instead", thing=obj.name)
    if obj.parent is not None or len(obj.constraints) > 0:
        raise PlantError(
            "'{thing}' has a parent or constraints, which would hold it. Clear them (Alt+P with Keep Transformation)",
            thing=obj.name,
        )
    if why_left_out(obj, plant) == "OWN":
        raise PlantError("'{thing}' hangs on the plant, which cannot move it besides", thing=obj.name)
    if is_rigid_body(obj):
        raise PlantError(
            "'{thing}' is an active rigid body, which would move it too. Take its Rigid Body physics away, or tick "
            "Animated there",
            thing=obj.name,
        )


def _parents(obj: bpy.types.Object) -> list[bpy.types.Object]:
    """What it is parented to, and so on upwards."""
    return [] if obj.parent is None else [obj.parent, *_parents(obj.parent)]


def _chosen(context: Context) -> list[bpy.types.Object]:
    plant = active_plant(context)
    if plant is None:
        return []
    meshes = [obj for obj in context.selected_objects if obj.type == "MESH" and obj.is_editable]
    return [obj for obj in meshes if mover_of(obj) != plant]


def _tell(plant: bpy.types.Object) -> None:
    object_changed(plant)
    tell_listeners()


def _leave(obj: bpy.types.Object) -> None:
    """Nobody moves the object any more."""
    mover = mover_of(obj)
    if mover is None:
        let_copy_stand(obj)
    clear_thing(obj)
    if mover is not None:
        rows = mover.plant_dynamics.things
        for i in [i for i, one in enumerate(rows) if one.object == obj][::-1]:
            rows.remove(i)
        _tell(mover)
    obj.plant_dynamics.thing.plant = None


class PLANT_DYNAMICS_OT_leave_in_place(AtOnce):
    """Let the object stand where it is drawn: plants do not move it any more"""

    bl_idname = "plant_dynamics.leave_in_place"
    bl_label = "Leave in Place"

    thing: StringProperty(name="Object", options={"SKIP_SAVE"})

    def act(self, context: Context) -> None:
        obj = context.scene.objects.get(self.thing)
        if obj is None or not obj.is_editable or mover_of(obj) is None:
            raise PlantError("'{thing}' is not an object that a plant moves", thing=self.thing)
        _leave(obj)
