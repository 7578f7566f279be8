# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones by selection and by branch level."""

from collections.abc import Sequence

import bpy

from ..errors import PlantError


def selected_bones(obj: bpy.types.Object) -> list[bpy.types.Bone]:
    """The bones that are selected in Pose Mode."""
    return [bone.bone for bone in obj.pose.bones if _selectable(bone).select]


def select_bones(obj: bpy.types.Object, names: set[str]) -> None:
    """Select the bones of these names and no others."""
    for bone in obj.pose.bones:
        _selectable(bone).select = bone.name in names


def pose_alone(context: bpy.types.Context, obj: bpy.types.Object) -> None:
    """Make the armature the active object, in Pose Mode."""
    if obj.mode != "POSE":
        if context.object is not None and context.object.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")
        context.view_layer.objects.active = obj
        bpy.ops.object.mode_set(mode="POSE")


def refuse_hidden(obj: bpy.types.Object) -> None:
    """Raise PlantError where the armature cannot be seen, so that nothing of it can be selected."""
    if not obj.visible_get():
        raise PlantError("'{object}' is hidden: show it to select its bones", object=obj.name)


def _selectable(bone: bpy.types.PoseBone) -> bpy.types.PoseBone | bpy.types.Bone:
    """From Blender 5.0 on it is the pose bone that is selected."""
    return bone if "select" in bpy.types.PoseBone.bl_rna.properties else bone.bone


def branch_levels(bones: bpy.types.ArmatureBones) -> dict[str, int]:
    """How often one must turn off to get to a bone from its root, by the bones' names.

    At a branching point the child that goes on straightest is of its parent's level, the others of the next. What
    begins beside the middle of its parent does not go on from it, nor does what is apart when another is joined to it.
    """
    levels: dict[str, int] = {}
    waiting = [(bone, 0) for bone in bones if bone.parent is None]
    while waiting:
        bone, level = waiting.pop()
        levels[bone.name] = level
        main = _continuation(bone, bone.children)
        waiting.extend((child, level + (child != main)) for child in bone.children)
    return levels


def shoot_of(bone: bpy.types.Bone) -> list[bpy.types.Bone]:
    """The bones from where the one's shoot turns off, or from its root, to the shoot's tip. Leaves, flowers and fruits
    are none of a shoot but where the bone is of them."""
    shoot = [bone]
    while (below := shoot[0].parent) is not None and _continuation(below, _borne_by(below)) == shoot[0]:
        shoot.insert(0, below)
    while (after := _continuation(shoot[-1], _borne_by(shoot[-1]))) is not None:
        shoot.append(after)
    return shoot


def _borne_by(bone: bpy.types.Bone) -> list[bpy.types.Bone]:
    """The bone's children of which its shoot may go on."""
    children = list(bone.children)
    if bone.plant_dynamics.organ not in _STEMS:
        return children
    return [child for child in children if child.plant_dynamics.organ in _STEMS]


#: What shoots consist of, as bones that were drawn by hand do.
_STEMS = ("stem", "bud")

#: Ends nearer than this share of the bone's length are at the same place.
_TOGETHER = 0.02


def _continuation(bone: bpy.types.Bone, among: Sequence[bpy.types.Bone]) -> bpy.types.Bone | None:
    """The one of its children that goes on from the bone."""
    along = bone.tail_local - bone.head_local
    near = _TOGETHER * max(along.length, 1e-9)
    children = [child for child in among if not _is_beside(bone, child)]
    joined = [child for child in children if (child.head_local - bone.tail_local).length <= near]
    straight = [along.normalized().dot((one.tail_local - one.head_local).normalized()) for one in joined or children]
    return (joined or children)[straight.index(max(straight))] if straight else None


def _is_beside(bone: bpy.types.Bone, child: bpy.types.Bone) -> bool:
    """Whether the child begins on the bone, but before its end."""
    along, there = bone.tail_local - bone.head_local, child.head_local - bone.head_local
    length = max(along.length, 1e-9)
    share = there.dot(along) / length**2
    return _TOGETHER < share < 1.0 - _TOGETHER and (there - share * along).length < 0.1 * length
