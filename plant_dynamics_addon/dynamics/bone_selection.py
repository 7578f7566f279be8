# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones by selection and by branch level."""

import bpy


def selected_bones(obj: bpy.types.Object) -> list[bpy.types.Bone]:
    """The bones that are selected in Pose Mode."""
    return [bone.bone for bone in obj.pose.bones if _selectable(bone).select]


def select_bones(obj: bpy.types.Object, names: set[str]) -> None:
    """Select the bones of these names and no others."""
    for bone in obj.pose.bones:
        _selectable(bone).select = bone.name in names


def _selectable(bone: bpy.types.PoseBone) -> bpy.types.PoseBone | bpy.types.Bone:
    """From Blender 5.0 on it is the pose bone that is selected."""
    return bone if "select" in bpy.types.PoseBone.bl_rna.properties else bone.bone


def branch_levels(bones: bpy.types.ArmatureBones) -> dict[str, int]:
    """How often one must turn off to get to a bone from its root, by the bones' names.

    At a branching point the child that goes on straightest is of its parent's level, the others of the next.
    """
    levels: dict[str, int] = {}
    waiting = [(bone, 0) for bone in bones if bone.parent is None]
    while waiting:
        bone, level = waiting.pop()
        levels[bone.name] = level
        if bone.children:
            along = (bone.tail_local - bone.head_local).normalized()
            ahead = [along.dot((child.tail_local - child.head_local).normalized()) for child in bone.children]
            main = ahead.index(max(ahead))
            waiting.extend((child, level + (k != main)) for k, child in enumerate(bone.children))
    return levels
