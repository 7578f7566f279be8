# SPDX-License-Identifier: GPL-3.0-or-later
"""An armature object from a skeleton: one bone a segment, each exactly in the segment's frame."""

from collections.abc import Generator, Sequence

import bpy
import numpy as np
from mathutils import Quaternion, Vector

from ....lsystem import Skeleton
from ...errors import PlantError
from ...viewport.boxed_bones import set_boxed

# Blender deletes bones that are shorter than about a micrometre when it leaves edit mode.
SHORTEST_BONE = 1e-5
#: So many bones are added in about a tenth of a second.
AT_ONCE = 1000
#: Sticks are easy to pick, but more of them hide the plant that they are drawn in front of; and still more lines
#: blacken it, from afar also those that lie within its leaves.
_MOST_STICKS, _MOST_IN_FRONT = 60, 200


def bone_names(organ: Sequence[int], organs: Sequence[str]) -> list[str]:
    """Names by organ, numbered from 1: Stem.001, Stem.002, Leaf.001 ..."""
    count = [0] * len(organs)
    names = []
    for code in organ:
        count[code] += 1
        names.append(f"{organs[code].capitalize()}.{count[code]:03d}")
    return names


def display_of(count: int) -> str:
    """How so many bones are drawn for plant and bones both to be seen."""
    return "STICK" if count <= _MOST_STICKS else "WIRE"


def are_in_front(count: int) -> bool:
    """Whether so many bones are drawn over the stems that they lie in, for all to be seen and picked; of more there is
    a box to be seen in Object Mode."""
    return count <= _MOST_IN_FRONT


def armature_in_steps(
    context: bpy.types.Context, name: str, skeleton: Skeleton, names: Sequence[str]
) -> Generator[float, None, bpy.types.Object]:
    """Add an armature object to the scene, with bones for the segments, which `check` has passed; yields progress 0..1.

    As Blender's own operators that add an object do: Object Mode afterwards, the new object alone selected and active.
    """
    view_layer = context.view_layer
    if view_layer.objects.active is not None and view_layer.objects.active.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    for selected in list(context.selected_objects):
        selected.select_set(False)

    armature = bpy.data.armatures.new(name)
    armature.display_type = display_of(len(names))
    armature_object = bpy.data.objects.new(name, armature)
    armature_object.show_in_front = are_in_front(len(names))
    set_boxed(armature_object, not are_in_front(len(names)))
    link_visibly(context, armature_object)
    view_layer.objects.active = armature_object
    armature_object.select_set(True)

    for first in range(0, len(names), AT_ONCE):
        if first:
            yield first / len(names)  # in Object Mode: nobody sees another one meanwhile
        bpy.ops.object.mode_set(mode="EDIT")
        try:
            _add_edit_bones(armature, skeleton, names, range(first, min(first + AT_ONCE, len(names))))
        finally:
            bpy.ops.object.mode_set(mode="OBJECT")
    for pose_bone in armature_object.pose.bones:
        pose_bone.rotation_mode = "QUATERNION"
    return armature_object


def link_visibly(context: bpy.types.Context, new_object: bpy.types.Object) -> None:
    """Link to the active collection, or to the scene's own if that one is hidden: edit mode needs to see it."""
    active = context.view_layer.active_layer_collection
    collection = active.collection if active.is_visible and not active.exclude else context.scene.collection
    collection.objects.link(new_object)


def check(skeleton: Skeleton, names: Sequence[str]) -> None:
    """Raise PlantError for bones that Blender cannot have."""
    if not names:
        raise PlantError("This L-system grows nothing: it has no segment to draw")
    numbers = np.column_stack([skeleton.head, skeleton.frame, skeleton.length])
    bad = np.flatnonzero(~np.isfinite(numbers).all(axis=1))
    if len(bad):
        raise PlantError("{name}: its place is not a finite number", name=names[bad[0]])
    short = np.flatnonzero(skeleton.length < SHORTEST_BONE)
    if len(short):
        raise PlantError(
            "{name}: {length:.3g} m is too short for a bone (at least {least:g} m)",
            name=names[short[0]], length=skeleton.length[short[0]], least=SHORTEST_BONE,
        )


def _add_edit_bones(
    armature: bpy.types.Armature, skeleton: Skeleton, names: Sequence[str], segments: Sequence[int]
) -> None:
    """Add bones for some segments, those before which are there."""
    made = {bone.name: bone for bone in armature.edit_bones}
    columns = (values.tolist() for values in (skeleton.parent, skeleton.head, skeleton.frame, skeleton.length))
    rows = list(zip(*columns, strict=True))
    for segment in segments:
        parent, head, frame, length = rows[segment]
        bone = armature.edit_bones.new(names[segment])
        axes = Quaternion(frame).to_matrix()
        bone.head = head
        bone.tail = Vector(head) + length * axes.col[1]
        bone.align_roll(axes.col[2])
        if parent >= 0:
            bone.parent = made[names[parent]]
            # Connecting moves the head onto the parent's tail, so only where it already is there.
            if (bone.head - bone.parent.tail).length < 1e-5 * length + 1e-7:
                bone.use_connect = True
        made[names[segment]] = bone
