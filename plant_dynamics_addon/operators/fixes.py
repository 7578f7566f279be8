# SPDX-License-Identifier: GPL-3.0-or-later
"""One click that mends what was refused: which operator for which kind of error, and those made for nothing else."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import bpy
from bpy.app.translations import pgettext_rpt as rpt_
from bpy.props import EnumProperty
from bpy.types import Context

from ..dynamics.live.live import is_live, stop_live
from ..dynamics.rig.armature_reader import AT_THE_BASE, bones_by_carrier, is_evenly_scaled, uniform_scale
from ..dynamics.rig.coming_off import disconnect, is_fastened
from ..dynamics.rig.keyed.constraints import stretched_bones
from ..dynamics.rig.keyed.lengths import SHEARED
from ..dynamics.rig.natural import natural_radius
from ..dynamics.rig.rod_columns import held_columns
from ..dynamics.rig.short_bones import delete, lengthen, short_bones
from ..dynamics.surroundings.loads.targeted import hangs_on
from ..errors import Fix
from ..plants import active_armature, is_linked
from ..relations import is_to_another
from ..rigging.edit_mode import edit_mode_bones
from ..rigging.limpness import make_limp
from ..rigging.warnings import locked_bones, roots_apart
from .common import AtOnce, described, needs
from .world.loads import remove_load


@dataclass(frozen=True)
class Button:
    """What the panel shows: an operator with these properties."""

    operator: str
    text: str
    properties: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Mending:
    """still: whether what the fix is about is still so, at little cost; buttons: each of them mends it."""

    still: Callable[[bpy.types.Object, Fix], bool]
    buttons: tuple[Button, ...]


def _any_bone(test: Callable[[bpy.types.Object, bpy.types.Bone], bool]) -> Callable[[bpy.types.Object, Fix], bool]:
    def still(obj: bpy.types.Object, fix: Fix) -> bool:
        bones = obj.data.bones
        return any(test(obj, bones[name]) for name in fix.bones if name in bones)

    return still


def _is_thin(obj: bpy.types.Object, bone: bpy.types.Bone) -> bool:
    held = held_columns([bone], obj.plant_dynamics)
    return bool(held["radius_base"][0] <= 0.0 and held["radius_tip"][0] <= 0.0)


def _is_pinned(obj: bpy.types.Object) -> bool:
    simulated = [bone.plant_dynamics for bone in obj.data.bones if bone.plant_dynamics.use_physics]
    return all(own.pinned for own in simulated)


def _own_handles(obj: bpy.types.Object) -> list[bpy.types.Object]:
    """Handles of the plant's loads that hang on the plant itself."""
    return [load.target for load in obj.plant_dynamics.loads if load.target and hangs_on(load.target, obj)]


def _lost_loads(obj: bpy.types.Object) -> list[int]:
    """Numbers of the loads whose bones are not there or not simulated."""
    simulated = {bone.name for bones in bones_by_carrier(obj.data.bones).values() for bone in bones}
    loads = obj.plant_dynamics.loads
    tied = [load.kind == "TIE" and not is_to_another(load) for load in loads]
    named = [[load.bone, load.other_bone if own else ""] for load, own in zip(loads, tied, strict=True)]
    return [i for i, bones in enumerate(named) if {bone for bone in bones if bone} - simulated]


#: To find the bone among hundreds.
_SELECT = Button("plant_dynamics.select_troubled", "Select Bone")

_START_AS_DRAWN = Button("plant_dynamics.choose_start", "Start As Drawn", {"start": "drawn"})

#: By the kind that an error's or a caution's Fix names.
FIXES = {
    "SCALE": Mending(
        lambda obj, fix: not is_evenly_scaled(obj.matrix_world),
        (Button("plant_dynamics.apply_scale", "Apply Scale"),),
    ),
    "REST_POSITION": Mending(
        lambda obj, fix: obj.data.pose_position == "REST",
        (Button("plant_dynamics.show_pose", "Pose Position"),),
    ),
    "NONE_SIMULATED": Mending(
        lambda obj, fix: not any(bone.plant_dynamics.use_physics for bone in obj.data.bones),
        (Button("plant_dynamics.simulate_bones", "Simulate All Bones", {"bones": "ALL"}),),
    ),
    "INHERIT_ROTATION": Mending(
        _any_bone(lambda obj, bone: not bone.use_inherit_rotation),
        (Button("plant_dynamics.inherit_rotation", "Inherit Rotation"),),
    ),
    "INHERIT_SCALE": Mending(
        _any_bone(lambda obj, bone: bone.inherit_scale in SHEARED),
        (Button("plant_dynamics.align_scale", "Inherit Aligned Scale"),),
    ),
    "RADIUS": Mending(_any_bone(_is_thin), (Button("plant_dynamics.natural_radius", "One Radius"),)),
    "HANDLE": Mending(
        lambda obj, fix: bool(_own_handles(obj)),
        (Button("plant_dynamics.free_handles", "Clear Handle's Parent"),),
    ),
    "LOST_LOAD": Mending(
        lambda obj, fix: bool(_lost_loads(obj)),
        (Button("plant_dynamics.remove_lost_loads", "Remove Load"),),
    ),
    "ALL_PINNED": Mending(
        lambda obj, fix: _is_pinned(obj),
        (Button("plant_dynamics.unpin_bones", "Unpin All"),),
    ),
    "LAYOUT": Mending(
        lambda obj, fix: obj.plant_dynamics.layout not in AT_THE_BASE,
        (Button("plant_dynamics.joints_at_nodes", "Joints At Nodes"),),
    ),
    "UNSETTLED": Mending(
        lambda obj, fix: obj.plant_dynamics.start != "drawn",
        (_START_AS_DRAWN, _SELECT),
    ),
    "HELD": Mending(
        lambda obj, fix: obj.plant_dynamics.start == "keep_shape",
        (Button("plant_dynamics.choose_start", "Start Settled", {"start": "settled"}), _START_AS_DRAWN),
    ),
    "FASTENED": Mending(
        _any_bone(lambda obj, bone: is_fastened(bone)),
        (Button("plant_dynamics.disconnect_bones", "Disconnect"),),
    ),
    "STOPPED": Mending(lambda obj, fix: bool(fix.bones), (_SELECT,)),
    "LOCKED": Mending(lambda obj, fix: True, (Button("plant_dynamics.pin_bones", "Pin", {"which": "LOCKED"}),)),
    "ROOT": Mending(lambda obj, fix: True, (Button("plant_dynamics.pin_bones", "Pin", {"which": "ROOT"}),)),
    "NOT_FOLLOWED": Mending(lambda obj, fix: True, (Button("plant_dynamics.follow_constraints", "Follow Them"),)),
    "STIFF": Mending(lambda obj, fix: True, (Button("plant_dynamics.make_limp", "Make Limp"),)),
    "SHORT": Mending(
        lambda obj, fix: True,
        (
            Button("plant_dynamics.mend_short_bones", "Lengthen", {"action": "LENGTHEN"}),
            Button("plant_dynamics.mend_short_bones", "Delete", {"action": "DELETE"}),
        ),
    ),
}


def mending(obj: bpy.types.Object, fix: Fix | None) -> tuple[Button, ...]:
    """The buttons that mend it, none when it has been mended."""
    if fix is None or not FIXES[fix.kind].still(obj, fix):
        return ()
    return FIXES[fix.kind].buttons


class FixOperator(AtOnce):
    """An operator on the active armature, dynamic or not."""

    @classmethod
    def poll(cls, context: Context) -> bool:
        obj = active_armature(context)
        is_own = obj is not None and not is_linked(obj) and not is_linked(obj.data)
        return needs(cls, is_own, "Needs an armature of this file") and needs(
            cls, obj.mode != "EDIT", "Leave Edit Mode first"
        )

    def act(self, context: Context) -> None:
        self.mend(active_armature(context))

    def mend(self, obj: bpy.types.Object) -> None:
        """What it does to the armature."""


class PLANT_DYNAMICS_OT_show_pose(FixOperator):
    """Show the armature in Pose Position, so that its bones can move"""

    bl_idname = "plant_dynamics.show_pose"
    bl_label = "Pose Position"

    def mend(self, obj: bpy.types.Object) -> None:
        obj.data.pose_position = "POSE"


class PLANT_DYNAMICS_OT_inherit_rotation(FixOperator):
    """Turn on Inherit Rotation for all simulated bones that lack it: they are carried round by their parents"""

    bl_idname = "plant_dynamics.inherit_rotation"
    bl_label = "Inherit Rotation"

    def mend(self, obj: bpy.types.Object) -> None:
        bones = obj.data.bones
        chosen = [bone for bone in bones if bone.plant_dynamics.use_physics and not bone.use_inherit_rotation]
        for bone in chosen:
            bone.use_inherit_rotation = True
        self.report({"INFO"}, rpt_("{count} bones inherit rotation").format(count=len(chosen)))


def _align_scale(obj: bpy.types.Object) -> int:
    """So many simulated bones inherit scale along their own axes now that did not."""
    simulated = [bone for bones in bones_by_carrier(obj.data.bones).values() for bone in bones]
    chosen = [bone for bone in simulated if bone.inherit_scale in SHEARED]
    for bone in chosen:
        bone.inherit_scale = "ALIGNED"
    return len(chosen)


class PLANT_DYNAMICS_OT_align_scale(FixOperator):
    """Have simulated bones inherit scale along their own axes, so that an uneven one does not shear them"""

    bl_idname = "plant_dynamics.align_scale"
    bl_label = "Inherit Aligned Scale"

    def mend(self, obj: bpy.types.Object) -> None:
        self.report({"INFO"}, rpt_("{count} bones inherit aligned scale").format(count=_align_scale(obj)))


class PLANT_DYNAMICS_OT_natural_radius(FixOperator):
    """Take one radius for all bones, with which the plant sags and swings as one of its size and material does"""

    bl_idname = "plant_dynamics.natural_radius"
    bl_label = "Natural Radius"

    def mend(self, obj: bpy.types.Object) -> None:
        settings = obj.plant_dynamics
        settings.radius = natural_radius(obj, uniform_scale(obj.matrix_world, obj.name, Fix("SCALE", obj.session_uid)))
        settings.radius_source = "FIXED"


class PLANT_DYNAMICS_OT_free_handles(FixOperator):
    """Take handles that hang on this plant off it; they stay where they are"""

    bl_idname = "plant_dynamics.free_handles"
    bl_label = "Clear Handle's Parent"

    def mend(self, obj: bpy.types.Object) -> None:
        for handle in _own_handles(obj):
            place = handle.matrix_world.copy()
            handle.parent = None
            handle.matrix_world = place


class PLANT_DYNAMICS_OT_remove_lost_loads(FixOperator):
    """Remove the loads whose bones were renamed, deleted or are not simulated, with their keys and drivers"""

    bl_idname = "plant_dynamics.remove_lost_loads"
    bl_label = "Remove Lost Loads"

    def mend(self, obj: bpy.types.Object) -> None:
        for number in reversed(_lost_loads(obj)):
            remove_load(obj, number)


class PLANT_DYNAMICS_OT_unpin_bones(FixOperator):
    """Unpin all bones, so that they can move"""

    bl_idname = "plant_dynamics.unpin_bones"
    bl_label = "Unpin All"

    def mend(self, obj: bpy.types.Object) -> None:
        for bone in obj.data.bones:
            bone.plant_dynamics.pinned = False


class PLANT_DYNAMICS_OT_joints_at_nodes(FixOperator):
    """Let bones bend where they meet, as bones with a mass of their own need it"""

    bl_idname = "plant_dynamics.joints_at_nodes"
    bl_label = "Joints At Nodes"

    def mend(self, obj: bpy.types.Object) -> None:
        obj.plant_dynamics.layout = AT_THE_BASE[0]


class PLANT_DYNAMICS_OT_pin_bones(FixOperator):
    """Pin bones: they stay in line with their parents, or with the armature"""

    bl_idname = "plant_dynamics.pin_bones"
    bl_label = "Pin Bones"

    which: EnumProperty(
        name="Bones",
        items=[
            ("LOCKED", "Locked", "Simulated bones whose rotation is locked"),
            ("ROOT", "Root", "Simulated bones without a parent that what they carry does not sit on"),
        ],
    )

    def mend(self, obj: bpy.types.Object) -> None:
        for name in locked_bones(obj) if self.which == "LOCKED" else roots_apart(obj):
            obj.data.bones[name].plant_dynamics.pinned = True


class PLANT_DYNAMICS_OT_follow_constraints(FixOperator):
    """Have bones follow their keys and constraints exactly, until something disturbs them"""

    bl_idname = "plant_dynamics.follow_constraints"
    bl_label = "Follow Constraints"

    def mend(self, obj: bpy.types.Object) -> None:
        obj.plant_dynamics.follow_animation = True
        obj.plant_dynamics.following.share = 1.0
        told = rpt_("Follow is 1 now: bones go where keys and constraints lead")
        if stretched_bones(obj):  # what they bear would be sheared, which no constraint undoes any more
            count = _align_scale(obj)
            if count:
                told += rpt_(". {count} bones inherit aligned scale").format(count=count)
        self.report({"INFO"}, told)


class PLANT_DYNAMICS_OT_make_limp(FixOperator):
    """Give bones the softness of the preset Ragdoll, and have them touch each other (Itself). Follow stays as it is"""

    bl_idname = "plant_dynamics.make_limp"
    bl_label = "Make Limp"

    def mend(self, obj: bpy.types.Object) -> None:
        make_limp(obj)
        self.report({"INFO"}, "Bones are limp where they do not follow, and touch each other")


class PLANT_DYNAMICS_OT_choose_start(FixOperator):
    """Have the plant start in another way"""

    bl_idname = "plant_dynamics.choose_start"
    bl_label = "Choose Start"

    start: EnumProperty(
        name="Start",
        items=[
            ("settled", "Settled", "Where its springs hold its weight, which bends it"),
            ("drawn", "As Drawn", "As it is drawn, from where it falls into motion"),
        ],
    )

    @classmethod
    def description(cls, context: Context, properties: bpy.types.OperatorProperties) -> str:
        return described(cls, properties, "start")

    def mend(self, obj: bpy.types.Object) -> None:
        obj.plant_dynamics.start = self.start


class PLANT_DYNAMICS_OT_disconnect_bones(FixOperator):
    """Disconnect all simulated bones from their parents, so that they can come off; they stay where they are"""

    bl_idname = "plant_dynamics.disconnect_bones"
    bl_label = "Disconnect Bones"

    def mend(self, obj: bpy.types.Object) -> None:
        fast = [bone for bone in obj.data.bones if bone.plant_dynamics.use_physics and is_fastened(bone)]
        edit_mode_bones(obj, disconnect, [bone.name for bone in fast])
        self.report({"INFO"}, rpt_("{count} bones are disconnected").format(count=len(fast)))


class PLANT_DYNAMICS_OT_mend_short_bones(FixOperator):
    """Give simulated bones without a length one, or delete them"""

    bl_idname = "plant_dynamics.mend_short_bones"
    bl_label = "Bones Without Length"

    action: EnumProperty(
        name="Action",
        items=[
            ("LENGTHEN", "Lengthen", "A quarter of the parent's length, in the parent's direction; they then bend too"),
            ("DELETE", "Delete", "Remove them; their children go to their parents. Vertex groups stay"),
        ],
    )

    def execute(self, context: Context) -> set[str]:
        obj = active_armature(context)
        names = short_bones(obj.data.bones, obj.matrix_world.median_scale)
        if not names:
            self.report({"INFO"}, "All bones have a length")
            return {"CANCELLED"}
        if is_live(obj):
            stop_live(obj)
            self.report({"INFO"}, "The plant is no longer live, for it has other bones now: Play shows the motion")
        edit_mode_bones(obj, lengthen if self.action == "LENGTHEN" else delete, names)
        return {"FINISHED"}
