# SPDX-License-Identifier: GPL-3.0-or-later
"""How a plant breaks, and from which frame on its bones are cut off or all of it is let go."""

import bpy
import numpy as np
from bpy.app.translations import pgettext_rpt as rpt_
from bpy.props import EnumProperty
from bpy.types import Context

from ....solver import MATERIALS
from ...dynamics.motion.sessions import session_of
from ...dynamics.rig.armature_reader import is_jointed
from ...dynamics.rig.broken_bones import OFF
from ...dynamics.rig.coming_off import bones_to_cut, coming_off
from ...errors import PlantError
from ...material_columns import COLUMNS
from ...plants import active_armature
from ...rigging.bone_selection import selected_bones
from ...rigging.edit_mode import free_to_come_off
from ...rigging.skin.parted_skin import part_skin, parts_of, skins_of
from ...rigging.skin.whole_skins import look_at_skins
from ...rigging.warnings import named
from ..common import AtOnce, described, poll_plant

#: Share of the stiffness by which a broken bone hangs on, an estimate.
_FIBRES = {"GREEN": 0.05, "DRY": 0.0}


def strength_of(wood: str) -> float:
    """Mean strength (MPa) of the measured woods that are "GREEN" or "DRY"."""
    ending = f"_{wood.lower()}"
    known = [one.strength for name, one in MATERIALS.items() if name.endswith(ending) and one.strength is not None]
    return float(np.mean(known)) / COLUMNS["strength"].unit


class PLANT_DYNAMICS_OT_break_as(AtOnce):
    """Take the mean strength of such woods, for all stems or for the bones that are selected in Pose Mode"""

    bl_idname = "plant_dynamics.break_as"
    bl_label = "Break As"

    wood: EnumProperty(
        name="Wood",
        items=[
            ("GREEN", "Green Wood", "It bends far and then hangs on its fibres"),
            ("DRY", "Dry Wood", "It snaps, and what was above comes off"),
        ],
    )

    poll = classmethod(poll_plant)

    @classmethod
    def description(cls, context: Context, properties: bpy.types.OperatorProperties) -> str:
        return described(cls, properties, "wood")

    def act(self, context: Context) -> None:
        obj = active_armature(context)
        stems = [bone for bone in obj.data.bones if bone.plant_dynamics.organ == "stem"]
        chosen = (selected_bones(obj) if obj.mode == "POSE" else []) or stems
        for bone in chosen:
            bone.plant_dynamics.strength = strength_of(self.wood)
        settings = obj.plant_dynamics
        settings.breaks, settings.fibres = True, _FIBRES[self.wood]
        text = rpt_("{count} bones break at {strength:.3g} MPa")
        told = text.format(count=len(chosen), strength=strength_of(self.wood)) + free_to_come_off(obj)
        look_at_skins(obj)
        self.report({"INFO"}, told)


class PLANT_DYNAMICS_OT_cut_here(AtOnce):
    """Key that the bones that are selected in Pose Mode come off at this frame, with all that they bear"""

    bl_idname = "plant_dynamics.cut_here"
    bl_label = "Cut at This Frame"

    poll = classmethod(poll_plant)

    def act(self, context: Context) -> None:
        obj = active_armature(context)
        chosen = [bone for bone in selected_bones(obj) if is_jointed(bone)] if obj.mode == "POSE" else []
        if not chosen:
            raise PlantError("Select the bones to cut in Pose Mode; pinned ones have no joint that could be cut")
        for bone in chosen:
            _key_on(obj.pose.bones[bone.name], "plant_dynamics_cut", context.scene.frame_current)
        told = rpt_("Cut at frame {frame}: {names}").format(
            frame=context.scene.frame_current, names=named([bone.name for bone in chosen])
        )
        pinned = [bone.name for bone in selected_bones(obj) if not is_jointed(bone)]
        if pinned:
            told += rpt_(". Pinned ones have no joint that could be cut: {names}").format(names=named(pinned))
        told += free_to_come_off(obj)
        if not obj.plant_dynamics.contact.itself:
            told += rpt_(". It touches the rest of its plant where Itself is on in Contact")
        look_at_skins(obj)
        self.report({"INFO"}, told)


class PLANT_DYNAMICS_OT_let_go_here(AtOnce):
    """Key that the plant comes off what it stands on at this frame: it falls and lies"""

    bl_idname = "plant_dynamics.let_go_here"
    bl_label = "Let Go at This Frame"

    poll = classmethod(poll_plant)

    def act(self, context: Context) -> None:
        _key_on(active_armature(context), "plant_dynamics.let_go", context.scene.frame_current)


class PLANT_DYNAMICS_OT_part_skin(AtOnce):
    """Split the skin where bones come off, else wherever they may, close both sides, and let each follow its bones"""

    bl_idname = "plant_dynamics.part_skin"
    bl_label = "Part Skin"

    poll = classmethod(poll_plant)

    def act(self, context: Context) -> None:
        obj = active_armature(context)
        may = [bone.name for bone in coming_off(obj, list(obj.data.bones))]
        skins = skins_of(obj)
        if not may or not skins:
            raise PlantError("'{object}' has no bone that may come off, or no skin", object=obj.name)
        for skin in skins:
            if skin.library or skin.data.library or skin.mode == "EDIT":
                raise PlantError("'{skin}' is linked or in Edit Mode, so that it cannot be parted", skin=skin.name)
        does = bones_to_cut(obj) | _came_off(obj)
        chosen = [name for name in may if name in does]
        part = parts_of(obj.data.bones, set(chosen or may))
        weights = {skin.name: part_skin(skin, obj.data.bones, part) for skin in skins}
        look_at_skins(obj, read=weights)
        if chosen:
            told = rpt_("The skin is parted where bones come off: {names}")
            self.report({"INFO"}, told.format(names=named(chosen)))
        else:
            told = rpt_("The skin is parted at each bone that may come off ({count}); in the known frames none has")
            self.report({"INFO"}, told.format(count=len(may)))


def _came_off(obj: bpy.types.Object) -> set[str]:
    """The bones that have come off in the frames that are known."""
    session = session_of(obj)
    return {bone for _, bone, state in session.breaks() if state == OFF} if session is not None else set()


def _key_on(owner: bpy.types.Object | bpy.types.PoseBone, path: str, frame: int) -> None:
    """Key that it is off up to the frame before, and on from this frame on."""
    group, name = (owner.plant_dynamics, "let_go") if path.startswith("plant_dynamics.") else (owner, path)
    for at, is_on in ((frame - 1, False), (frame, True)):
        setattr(group, name, is_on)
        owner.keyframe_insert(path, frame=at)
