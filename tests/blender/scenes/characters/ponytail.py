# SPDX-License-Identifier: GPL-3.0-or-later
"""A character's head with something that hangs on it: it walks, and turns its head by 70 degrees in half a second."""

from collections.abc import Iterator

import bpy
import numpy as np
from mathutils import Vector

TURN = np.radians(70.0)
FIRST, LAST = 12, 24  # frames of the turn, half a second at 24 frames a second
STEP, BOB = 12, 0.03  # frames of a step, and how far the head goes up and down, m
END = 42

#: Where parts begin in the head (m), and which way they go.
BEHIND = (0.0, 0.11, 0.12), (0.0, 0.45, -1.0)
UP = (0.07, 0.0, 0.2), (0.3, 0.0, 1.0)


def walking_head(
    length: float, radius: float | None, place: tuple[float, ...], way: tuple[float, ...], pieces: int = 6
) -> bpy.types.Object:
    """An armature with the keyed bone "Head" and a chain "Part.0", "Part.1" ... of this length (m) on it, which are
    selected in Pose Mode. radius: of the chain's envelopes (m), else as Blender gives them to new bones."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end, scene.render.fps = 1, END, 24
    bpy.ops.object.armature_add()
    rig = bpy.context.object
    bpy.ops.object.mode_set(mode="EDIT")
    bones = rig.data.edit_bones
    bones[0].name, bones[0].head, bones[0].tail = "Head", (0.0, 0.0, 1.5), (0.0, 0.0, 1.7)
    above, begin, step = bones[0], Vector((0.0, 0.0, 1.5)) + Vector(place), Vector(way).normalized() * length / pieces
    for number in range(pieces):
        bone = bones.new(f"Part.{number}")
        bone.head, bone.tail = begin + number * step, begin + (number + 1) * step
        bone.parent, bone.use_connect = above, number > 0
        if radius is not None:
            bone.head_radius = bone.tail_radius = radius
        above = bone
    bpy.ops.object.mode_set(mode="POSE")
    _key(rig.pose.bones["Head"])
    for bone in rig.pose.bones:
        (bone if hasattr(bone, "select") else bone.bone).select = bone.name != "Head"
    return rig


def _key(head: bpy.types.PoseBone) -> None:
    """Steps up and down, of which the first is begun before the scene, and the turn."""
    head.rotation_mode = "XYZ"
    for frame in range(1 - STEP, END + STEP, STEP // 2):
        head.location = (0.0, BOB * ((frame - 1) // (STEP // 2) % 2), 0.0)
        head.keyframe_insert("location", frame=frame)
    for frame, angle in ((FIRST, 0.0), (LAST, TURN)):
        head.rotation_euler = (0.0, angle, 0.0)  # about the bone, which is upright
        head.keyframe_insert("rotation_euler", frame=frame)


def deviations(rig: bpy.types.Object, length: float) -> np.ndarray:
    """(frames) how far the tip is from where the head alone would carry it from the first frame on, in lengths."""
    found = [tip - head @ held for tip, head, held in _tips(rig)]
    return np.linalg.norm(np.array(found), axis=1) / length


def _tips(rig: bpy.types.Object) -> Iterator[tuple[Vector, object, Vector]]:
    last = [bone.name for bone in rig.pose.bones][-1]
    held = None
    for frame in range(1, END + 1):
        bpy.context.scene.frame_set(frame)
        bones = rig.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
        if held is None:
            held = bones["Head"].matrix.inverted() @ bones[last].tail
        yield bones[last].tail, bones["Head"].matrix, held
