# SPDX-License-Identifier: GPL-3.0-or-later
"""Select what a message is about, to be found among hundreds of bones."""

import numpy as np
from bpy.props import StringProperty
from bpy.types import Context, Object
from mathutils import Vector

from ..dynamics.live.live import trouble_of
from ..dynamics.motion.contacts import drawn_through
from ..dynamics.motion.sessions import session_of
from ..dynamics.rig.armature_reader import GUIDES
from ..dynamics.surroundings.loads.guiding import holder_of
from ..errors import PlantError
from ..plants import active_armature
from ..rigging.bone_selection import pose_alone, refuse_hidden, select_bones
from ..viewport.in_view import bring_into_view
from .common import needs
from .fixes import FixOperator
from .world.loads import choose

#: Guides that hold by any place of their object, and not by its origin.
_WHOLE = ("WIRE", "SURFACE")


class PLANT_DYNAMICS_OT_select_troubled(FixOperator):
    """Select in Pose Mode the bone at which the motion broke down, and make it active"""

    bl_idname = "plant_dynamics.select_troubled"
    bl_label = "Select Bone"

    @classmethod
    def poll(cls, context: Context) -> bool:
        if not super().poll(context):
            return False
        obj = active_armature(context)
        trouble = trouble_of(obj)
        is_known = trouble is not None and trouble.bone in obj.data.bones
        return needs(cls, is_known, "It is not known which bone it is")

    def act(self, context: Context) -> None:
        obj = active_armature(context)
        bone = trouble_of(obj).bone
        refuse_hidden(obj)
        pose_alone(context, obj)
        select_bones(obj, {bone})
        obj.data.bones.active = obj.data.bones[bone]


class PLANT_DYNAMICS_OT_find_guide(FixOperator):
    """Select and show what should hold the bone, to be moved, or a tie's bones in Pose Mode; Loads has the guide"""

    bl_idname = "plant_dynamics.find_guide"
    bl_label = "Find Guide"

    bone: StringProperty(name="Bone", options={"SKIP_SAVE"})
    holder: StringProperty(name="Holder", options={"SKIP_SAVE"})

    def act(self, context: Context) -> None:
        obj = active_armature(context)
        if self.bone not in obj.data.bones:
            raise PlantError("There is no bone '{bone}'", bone=self.bone)
        target, bones, by_origin = None, {self.bone}, True
        for number, load in enumerate(obj.plant_dynamics.loads):
            if load.kind in GUIDES and (load.bone, holder_of(load)) == (self.bone, self.holder):
                obj.plant_dynamics.active_load = number
                target, by_origin = load.target if load.kind != "TIE" else None, load.kind not in _WHOLE
                bones |= {load.other_bone} if load.kind == "TIE" and not load.other_object else set()
        refuse_hidden(obj)
        place = obj.matrix_world @ obj.pose.bones[self.bone].tail
        if target is not None and target.name in context.view_layer.objects and target.visible_get():
            choose(context, [target])
            place = target.matrix_world.translation if by_origin else _nearest_in(target, place)
        else:
            pose_alone(context, obj)
            select_bones(obj, bones)
        obj.data.bones.active = obj.data.bones[self.bone]
        bring_into_view(context, place)


def _nearest_in(obj: Object, place: Vector) -> Vector:
    """The point of an object's bounding box that is nearest to a place, both in the world."""
    corners, local = np.array(obj.bound_box), np.array(obj.matrix_world.inverted_safe() @ place)
    return obj.matrix_world @ Vector(np.clip(local, corners.min(axis=0), corners.max(axis=0)))


class PLANT_DYNAMICS_OT_select_within(FixOperator):
    """Select in Pose Mode the bones that overlap it as the motion begins, to be drawn apart or not to collide"""

    bl_idname = "plant_dynamics.select_within"
    bl_label = "Select Bones"

    within: StringProperty(name="Within", options={"SKIP_SAVE"})

    def act(self, context: Context) -> None:
        obj = active_armature(context)
        session = session_of(obj)
        overlapping = drawn_through(session).get(self.within, []) if session is not None else []
        bones = {name for name in overlapping if name in obj.data.bones}
        if not bones:
            raise PlantError(
                "'{object}': it is not known that a bone begins within '{within}'. Play it first",
                object=obj.name, within=self.within,
            )
        refuse_hidden(obj)
        pose_alone(context, obj)
        select_bones(obj, bones)
