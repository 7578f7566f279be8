# SPDX-License-Identifier: GPL-3.0-or-later
"""F-curves of bone rotations, in bulk, in the actions of Blender 4.2 (plain), 4.4 (slots) and 5.0 (slots only)."""

from typing import Any

import bpy
import numpy as np

_LINEAR = 1  # BEZT_IPO_LIN, the number behind interpolation = 'LINEAR'


def has_slots() -> bool:
    """Whether this Blender's actions have slots and channelbags."""
    return "slots" in bpy.types.Action.bl_rna.properties


def curve_owner(obj: bpy.types.Object, action: bpy.types.Action) -> Any:
    """What holds the F-curves (fcurves) and groups by which the action animates the object.

    Makes slot, layer and strip as needed, and assigns action and slot to the object.
    """
    data = obj.animation_data or obj.animation_data_create()
    if not has_slots():
        data.action = action
        return action
    identifier = data.action_slot.identifier if data.action_slot else ""
    data.action = action
    slot = action.slots.get(identifier) or next((s for s in action.slots if s.target_id_type == "OBJECT"), None)
    slot = slot or action.slots.new(id_type="OBJECT", name=obj.name)
    data.action_slot = slot
    layer = action.layers[0] if action.layers else action.layers.new("Layer")
    strip = layer.strips[0] if layer.strips else layer.strips.new(type="KEYFRAME")
    return strip.channelbag(slot, ensure=True)


def rotation_path(bone: str) -> str:
    """Data path of a pose bone's quaternion."""
    return f'pose.bones["{bpy.utils.escape_identifier(bone)}"].rotation_quaternion'


def all_curves(action: bpy.types.Action) -> list[Any]:
    """All F-curves of the action, in all slots."""
    if not has_slots():
        return list(action.fcurves)
    strips = [strip for layer in action.layers for strip in layer.strips]
    return [curve for strip in strips for bag in strip.channelbags for curve in bag.fcurves]


def curve_lists(action: bpy.types.Action, slot: str) -> list[Any]:
    """The collections of F-curves of the action's slot with this identifier; of an action without slots its one."""
    if not has_slots():
        return [action.fcurves]
    strips = [strip for layer in action.layers for strip in layer.strips]
    return [bag.fcurves for strip in strips for bag in strip.channelbags if bag.slot and bag.slot.identifier == slot]


def other_curves(action: bpy.types.Action, bones: tuple[str, ...]) -> list[tuple[str, int, bytes]]:
    """What the action's curves say, without the quaternions of the bones: path, index and keys with their handles."""
    paths = {rotation_path(bone) for bone in bones}
    found = []
    for curve in all_curves(action):
        if curve.data_path not in paths:
            keys = [np.empty(2 * len(curve.keyframe_points), dtype=np.float32) for _ in range(3)]
            for values, name in zip(keys, ("co", "handle_left", "handle_right"), strict=True):
                curve.keyframe_points.foreach_get(name, values)
            found.append((curve.data_path, curve.array_index, b"".join(values.tobytes() for values in keys)))
    return sorted(found)


def remove_rotations(owner: Any, bones: tuple[str, ...]) -> None:
    """Delete the quaternion curves of the bones, and no others."""
    paths = {rotation_path(bone) for bone in bones}
    for curve in [curve for curve in owner.fcurves if curve.data_path in paths]:
        owner.fcurves.remove(curve)


def write_rotations(owner: Any, bones: tuple[str, ...], first_frame: int, channels: np.ndarray) -> None:
    """Add linear keys of quaternions (frames, bones, 4), one a frame from first_frame on, in a group for every bone."""
    curves, groups = owner.fcurves, owner.groups
    count = len(channels)
    frames = np.arange(first_frame, first_frame + count, dtype=np.float32)
    points = np.empty((count, 2), dtype=np.float32)
    points[:, 0] = frames
    interpolation = np.full(count, _LINEAR, dtype=np.intc)
    for number, bone in enumerate(bones):
        path = rotation_path(bone)
        group = groups.get(bone) or groups.new(bone)
        for component in range(4):
            curve = curves.new(path, index=component)
            curve.group = group
            curve.keyframe_points.add(count)
            points[:, 1] = channels[:, number, component]
            curve.keyframe_points.foreach_set("co", points.ravel())
            curve.keyframe_points.foreach_set("interpolation", interpolation)
            curve.update()
