# SPDX-License-Identifier: GPL-3.0-or-later
"""Pose channels from arrays, in bulk."""

import bpy
import numpy as np


def read_rotations(obj: bpy.types.Object) -> np.ndarray:
    """(bones, 4) rotation_quaternion of all pose bones."""
    values = np.empty(4 * len(obj.pose.bones), dtype=np.float32)
    obj.pose.bones.foreach_get("rotation_quaternion", values)
    return values.reshape(-1, 4)


def write_rotations(obj: bpy.types.Object, pose_index: np.ndarray, channels: np.ndarray) -> None:
    """Set rotation_quaternion of the bones at pose_index; other bones keep theirs."""
    values = read_rotations(obj)
    values[pose_index] = channels
    obj.pose.bones.foreach_set("rotation_quaternion", values.ravel())
    obj.update_tag(refresh={"OBJECT", "DATA"})


def use_quaternions(obj: bpy.types.Object, bones: tuple[str, ...]) -> None:
    """Rotate the bones by quaternions from now on, remembering how they were rotated before."""
    for name in bones:
        pose_bone = obj.pose.bones[name]
        if pose_bone.rotation_mode != "QUATERNION":
            pose_bone.bone.plant_dynamics.previous_rotation_mode = pose_bone.rotation_mode
            pose_bone.rotation_mode = "QUATERNION"


def restore_rotation_modes(obj: bpy.types.Object) -> None:
    """Undo use_quaternions."""
    for pose_bone in obj.pose.bones:
        physics = pose_bone.bone.plant_dynamics
        if physics.previous_rotation_mode:
            pose_bone.rotation_mode = physics.previous_rotation_mode
            physics.previous_rotation_mode = ""
