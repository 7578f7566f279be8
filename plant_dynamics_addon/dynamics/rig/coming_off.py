# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones that come off: which ones may be cut, and which ones Blender would hold fast."""

from collections.abc import Iterable, Sequence

import bpy
import numpy as np

from ...errors import Fix, PlantError
from .bone_animation import keyed_bones
from .rod_columns import held_columns

#: From the object on, whether the plant is let go.
LET_GO = "plant_dynamics.let_go"


def bones_to_cut(obj: bpy.types.Object) -> set[str]:
    """The bones that are cut, at any frame."""
    cut = {bone.name for bone in obj.pose.bones if bone.plant_dynamics_cut}
    return cut | keyed_bones(obj, "plant_dynamics_cut")


def standing_rods(parent: np.ndarray, first_joint: np.ndarray) -> np.ndarray:
    """The rods with a joint that have none below them: what a plant stands on."""
    is_held = np.zeros(len(parent), dtype=bool)  # by a joint, its own or one below
    found = []
    for rod, below in enumerate(parent.tolist()):
        held_below = below >= 0 and is_held[below]
        is_held[rod] = held_below or first_joint[rod] >= 0
        if is_held[rod] and not held_below:
            found.append(rod)
    return np.array(found, dtype=np.int64)


def is_fastened(bone: bpy.types.Bone) -> bool:
    """Whether the bone cannot be moved from its parent along its own axes."""
    return bool(bone.parent and (bone.use_connect or not bone.use_local_location))


def coming_off(obj: bpy.types.Object, bones: Sequence[bpy.types.Bone]) -> list[bpy.types.Bone]:
    """Those of the bones that may come off, by a cut or where they break."""
    to_cut, held = bones_to_cut(obj), held_columns(bones, obj.plant_dynamics)
    snaps = bool(obj.plant_dynamics.breaks) & (held["strength"] > 0.0) & (held["fibres"] == 0.0)
    return [bone for bone, does_snap in zip(bones, snaps.tolist(), strict=True)
            if (does_snap or bone.name in to_cut) and not bone.plant_dynamics.pinned]  # fmt: skip


def fastened_bones(obj: bpy.types.Object, bones: Sequence[bpy.types.Bone]) -> list[str]:
    """The names of those that may come off and that Blender would hold fast."""
    return [bone.name for bone in coming_off(obj, bones) if is_fastened(bone)]


def refuse_fastened(obj: bpy.types.Object, bones: Sequence[str]) -> None:
    """Raise PlantError where there are such bones."""
    if bones:
        raise PlantError(
            "'{object}': bone '{bone}' may come off, but Blender holds it on its parent. Disconnect such bones; "
            "they stay where they are",
            Fix('FASTENED', obj.session_uid, tuple(bones)), object=obj.name, bone=bones[0],
        )


def disconnect(armature: bpy.types.Armature, names: Iterable[str]) -> None:
    """In Edit Mode: let the bones be moved from their parents, along their own axes."""
    for name in names:
        bone = armature.edit_bones[name]
        bone.use_connect, bone.use_local_location = False, True
