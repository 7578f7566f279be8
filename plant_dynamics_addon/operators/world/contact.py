# SPDX-License-Identifier: GPL-3.0-or-later
"""Things that plants touch: a ground, objects made colliders, and colliders mended."""

import bpy
import numpy as np
from bpy.app.translations import pgettext_rpt as rpt_
from bpy.props import EnumProperty, StringProperty
from bpy.types import Context

from ...blender.in_bulk import values_of
from ...changes import all_inputs_changed
from ...dynamics.motion.ties import not_together
from ...dynamics.solids.touched import CURVES, flaw_at_sight, is_collider
from ...dynamics.surroundings.colliders import look_at, why_left_out
from ...errors import PlantError
from ...grow.objects.in_pot import pots_of, touch_pot, untouched_pots
from ...plants import active_armature, active_plant
from ...relations import agree
from ...rigging.touching import have_touch, make_collider, refuse_linked_collection
from ...rigging.warnings import named
from ..common import AtOnce, needs, poll_plant

#: A ground is so much of the plant's size wide, and at least so much (m).
_WIDTH, _LEAST_WIDTH = 8.0, 1.0


class PLANT_DYNAMICS_OT_add_ground(AtOnce):
    """Add a ground that acts as if it had no end, and have the plant touch it and the pot that it was grown with"""

    bl_idname = "plant_dynamics.add_ground"
    bl_label = "Add Ground"

    poll = classmethod(poll_plant)

    def act(self, context: Context) -> None:
        plant = active_armature(context)
        refuse_linked_collection(plant)
        low, high = _extents(plant)
        half = 0.5 * max(_LEAST_WIDTH, _WIDTH * float((high - low).max()))
        mesh = bpy.data.meshes.new("Ground")
        mesh.from_pydata([(-half, -half, 0), (half, -half, 0), (half, half, 0), (-half, half, 0)], [], [(0, 1, 2, 3)])
        ground = bpy.data.objects.new("Ground", mesh)
        ground.location = (plant.matrix_world.translation.x, plant.matrix_world.translation.y, float(low[2]))
        context.collection.objects.link(ground)
        make_collider(ground)
        ground.plant_dynamics.collider.shape = "PLANE"
        pots = pots_of(plant)
        new = [one for one in pots if not is_collider(one)]
        for obj in new:
            make_collider(obj)
        have_touch(plant, [ground, *pots])
        if new:
            told = rpt_("The plant touches the ground, and what it stands in: {names}")
            self.report({"INFO"}, told.format(names=named([one.name for one in new])))


class PLANT_DYNAMICS_OT_touch_pot(AtOnce):
    """Have the plant touch the pot and the soil that it was grown with, so that no leaf goes through them in a storm. \
It takes two to nine times as long to simulate a storm then"""

    bl_idname = "plant_dynamics.touch_pot"
    bl_label = "Touch Pot"

    @classmethod
    def poll(cls, context: Context) -> bool:
        return poll_plant(cls, context) and needs(
            cls, untouched_pots(active_armature(context)), "The plant has no pot that it does not touch"
        )

    def act(self, context: Context) -> None:
        plant = active_armature(context)
        refuse_linked_collection(plant)
        touch_pot(plant)


def _extents(plant: bpy.types.Object) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest corner (3,) m of the plant as it is drawn, its origin and its pot with it."""
    bones = plant.data.bones
    ends = [values_of(bones, "head_local", 3), values_of(bones, "tail_local", 3), np.zeros((1, 3))]
    points = [_in_world(plant, np.concatenate(ends))]
    carried = [one for one in plant.children if one.type == "MESH" and not any(
        modifier.type == "ARMATURE" for modifier in one.modifiers)]  # fmt: skip
    points += [_in_world(one, np.array(one.bound_box)) for one in carried]
    everything = np.concatenate(points)
    return everything.min(axis=0), everything.max(axis=0)


def _in_world(obj: bpy.types.Object, points: np.ndarray) -> np.ndarray:
    matrix = np.array(obj.matrix_world)
    return points @ matrix[:3, :3].T + matrix[:3, 3]


class PLANT_DYNAMICS_OT_make_collider(AtOnce):
    """Give the selected objects Collision physics, thin enough for plants: a pot, a wall, a character"""

    bl_idname = "plant_dynamics.make_collider"
    bl_label = "Make Collider"

    @classmethod
    def poll(cls, context: Context) -> bool:
        return poll_plant(cls, context) and needs(
            cls, _chosen(context), "Select meshes, curves, surfaces or texts that plants shall touch"
        )

    def act(self, context: Context) -> None:
        plant, chosen = active_plant(context), _chosen(context)
        hanging = [obj.name for obj in chosen if why_left_out(obj, plant) == "OWN"]
        if hanging:
            raise PlantError("'{object}' hangs on the plant itself, which cannot touch it", object=hanging[0])
        refuse_linked_collection(plant)
        new = [obj for obj in chosen if not is_collider(obj)]
        for obj in new:
            make_collider(obj)
        have_touch(plant, chosen)
        depsgraph = context.evaluated_depsgraph_get()
        for obj in chosen:
            look_at(obj, depsgraph)
        text = rpt_("Colliders now: {names}") if new else rpt_("Colliders already: {names}")
        told = text.format(names=named([obj.name for obj in new or chosen]))
        faceless = [obj.name for obj in chosen if flaw_at_sight(obj) == "NO_FACES"]
        if faceless:
            told += rpt_(". Nothing touches what has no faces: {names}").format(names=named(faceless))
        self.report({"WARNING"} if faceless else {"INFO"}, told)


def _chosen(context: Context) -> list[bpy.types.Object]:
    return [obj for obj in context.selected_objects if obj.type in ("MESH", *CURVES) and obj.is_editable]


class PLANT_DYNAMICS_OT_mend_collider(AtOnce):
    """Mend what keeps plants from touching the object, or let it be no collider"""

    bl_idname = "plant_dynamics.mend_collider"
    bl_label = "Mend Collider"

    collider: StringProperty(name="Collider", options={"SKIP_SAVE"})
    action: EnumProperty(
        name="Action",
        items=[
            ("REMOVE", "Remove Collision", "Take its Collision physics away"),
            ("SCALE", "Mend Scale", "Where it has no scale give it that of its other axes, or 1"),
            ("COLLIDE", "Make Collider", "Give it Collision physics, for what its geometry nodes make"),
        ],
    )  # fmt: skip

    def act(self, context: Context) -> None:
        obj = context.scene.objects.get(self.collider)
        if obj is None or not obj.is_editable:
            raise PlantError("'{collider}' is not an object of this scene that can be changed", collider=self.collider)
        if self.action == "SCALE":
            others = [abs(one) for one in obj.scale if abs(one) > 1e-6]
            mean = sum(others) / len(others) if others else 1.0
            obj.scale = [one if abs(one) > 1e-6 else mean for one in obj.scale]
        elif self.action == "COLLIDE":
            make_collider(obj)
        elif obj.type in CURVES:
            obj.plant_dynamics.collider.use = False
        else:
            obj.collision.use = False
        look_at(obj, context.evaluated_depsgraph_get())
        all_inputs_changed()
        if self.action == "SCALE" and why_left_out(obj, active_plant(context)) == "SCALE":
            raise PlantError(
                "'{object}' still has a scale of zero: look at its delta scale and its parent",
                object=obj.name,
            )


class PLANT_DYNAMICS_OT_touch_together(AtOnce):
    """Give the plants that are named Collide With, Gravity, Stiffness and Method of this one, which so touches them"""

    bl_idname = "plant_dynamics.touch_together"
    bl_label = "Make Them Like This One"

    poll = classmethod(poll_plant)

    def act(self, context: Context) -> None:
        plant = active_armature(context)
        others = not_together(plant, context.scene)
        if not others:
            raise PlantError("All plants that ask for it touch this one")
        linked = [one.name for one in others if not one.is_editable]
        if linked:
            raise PlantError("'{object}' is linked: make it local or a library override", object=linked[0])
        agree(plant, others)
