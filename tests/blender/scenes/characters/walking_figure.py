# SPDX-License-Identifier: GPL-3.0-or-later
"""A figure of fifteen bones, 1.7 m tall, that walks along Y by keys, above ground."""

from itertools import combinations

import bpy
import numpy as np
from mathutils import Quaternion, Vector

from tests.blender.scenes import plants

#: Head and tail (m), radius (m), and the bone that bears it.
_MIDDLE = {
    "Hips": ((0.0, 0.0, 0.95), (0.0, 0.0, 1.08), 0.11, None),
    "Spine": ((0.0, 0.0, 1.08), (0.0, 0.0, 1.42), 0.12, "Hips"),
    "Neck": ((0.0, 0.0, 1.42), (0.0, 0.0, 1.5), 0.05, "Spine"),
    "Head": ((0.0, 0.0, 1.5), (0.0, 0.0, 1.68), 0.09, "Neck"),
}
_SIDE = {
    "Thigh": ((0.1, 0.0, 0.93), (0.1, 0.01, 0.5), 0.065, "Hips"),
    "Shin": ((0.1, 0.01, 0.5), (0.1, 0.0, 0.08), 0.045, "Thigh"),
    "Foot": ((0.1, 0.0, 0.08), (0.1, 0.16, 0.04), 0.035, "Shin"),
    "Arm": ((0.19, 0.0, 1.38), (0.27, 0.0, 1.1), 0.04, "Spine"),
    "Forearm": ((0.27, 0.0, 1.1), (0.29, 0.02, 0.85), 0.035, "Arm"),
}

#: Frames of a step, and how far it leads (m).
STEP, STRIDE = 12, 0.6

#: How far limbs are swung to and fro (rad), about the axis across the walk; how far knees bend at most.
_SWING, _KNEE = {"Thigh": 0.45, "Arm": -0.35, "Forearm": -0.3}, 0.7


def bones() -> dict[str, tuple[tuple[float, ...], tuple[float, ...], float, str | None]]:
    """All bones, both sides, those that bear others first."""
    found = dict(_MIDDLE)
    for side, sign in (("L", 1.0), ("R", -1.0)):
        for name, (head, tail, radius, above) in _SIDE.items():
            ends = [(sign * x, y, z) for x, y, z in (head, tail)]
            found[f"{name}.{side}"] = (*ends, radius, f"{above}.{side}" if above in _SIDE else above)
    return found


def walking_figure(frames: int = 72) -> bpy.types.Object:
    """The armature, selected and active, in Object Mode; the scene has so many frames at 24 a second."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end, scene.render.fps = 1, frames, 24
    bpy.ops.object.armature_add()
    rig = bpy.context.object
    rig.name = "Figure"
    bpy.ops.object.mode_set(mode="EDIT")
    made = rig.data.edit_bones
    made.remove(made[0])
    for name, (head, tail, radius, above) in bones().items():
        bone = made.new(name)
        bone.head, bone.tail, bone.roll = head, tail, 0.0
        bone.head_radius = bone.tail_radius = radius
        bone.parent = made[above] if above else None
    bpy.ops.object.mode_set(mode="OBJECT")
    for frame in range(1, frames + STEP, STEP):
        _key_step(rig, frame)
    return rig


def _key_step(rig: bpy.types.Object, frame: int) -> None:
    """The pose at the middle of a step, one leg forward."""
    phase = 1.0 if (frame - 1) // STEP % 2 else -1.0
    hips = rig.pose.bones["Hips"]
    hips.location = hips.bone.matrix_local.to_3x3().inverted() @ Vector((0.0, STRIDE * (frame - 1) / STEP, 0.0))
    hips.keyframe_insert("location", frame=frame)
    for side, sign in (("L", 1.0), ("R", -1.0)):
        for name, angle in _SWING.items():
            _turn(rig.pose.bones[f"{name}.{side}"], sign * phase * angle if name != "Forearm" else angle, frame)
        _turn(rig.pose.bones[f"Shin.{side}"], -0.1 - (0.3 if sign * phase < 0.0 else 0.0), frame)
        _turn(rig.pose.bones[f"Shin.{side}"], -_KNEE, frame + STEP // 2)


def _turn(bone: bpy.types.PoseBone, angle: float, frame: int) -> None:
    """Key a turn (rad) about X."""
    own = bone.bone.matrix_local.to_quaternion()
    bone.rotation_quaternion = own.inverted() @ Quaternion((1.0, 0.0, 0.0), angle) @ own
    bone.keyframe_insert("rotation_quaternion", frame=frame)


def ground() -> bpy.types.Object:
    """A level floor that plants touch."""
    bpy.ops.mesh.primitive_plane_add(size=20.0)
    floor = bpy.context.object
    floor.name = "Ground"
    floor.modifiers.new("Collision", "COLLISION")
    return floor


def overlaps(rig: bpy.types.Object) -> np.ndarray:
    """(pairs) m: how deep bones of the figure as it is shown are within others that they are not joined to."""
    along, made = np.linspace(0.0, 1.0, 21)[:, None], bones()
    points = {}
    for name, matrix in zip(rig.pose.bones.keys(), plants.matrices(rig), strict=True):
        head, tail = made[name][:2]
        points[name] = matrix[:3, 3] + along * np.linalg.norm(np.subtract(tail, head)) * matrix[:3, 1]
    pairs = [
        (one, other) for one, other in combinations(made, 2)
        if made[one][3] != other and made[other][3] != one and made[one][3] != made[other][3]
    ]  # fmt: skip
    far = [np.linalg.norm(points[one][:, None] - points[other][None], axis=2).min() for one, other in pairs]
    return np.maximum(0.0, [made[a][2] + made[b][2] - away for (a, b), away in zip(pairs, far, strict=True)])
