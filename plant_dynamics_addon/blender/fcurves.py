# SPDX-License-Identifier: GPL-3.0-or-later
"""F-curves in bulk, in the actions of Blender 4.2 (plain), 4.4 (slots) and 5.0 (slots only)."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import bpy
import numpy as np

from .in_bulk import values_of
from .versions import has_slots

LINEAR = 1  # BEZT_IPO_LIN, the number behind interpolation = 'LINEAR'

#: What there is to read of a key, with the size and type of its numbers.
_OF_KEYS = {
    "co": (2, np.float32), "handle_left": (2, np.float32), "handle_right": (2, np.float32),
    "handle_left_type": (1, np.intc), "handle_right_type": (1, np.intc), "interpolation": (1, np.intc),
    "easing": (1, np.intc), "type": (1, np.intc), "back": (1, np.float32), "amplitude": (1, np.float32),
    "period": (1, np.float32), "select_control_point": (1, bool), "select_left_handle": (1, bool),
    "select_right_handle": (1, bool),
}  # fmt: skip

#: Keys of a curve: arrays (keys, size) by the names above.
Keys = dict[str, np.ndarray]


def slot_of(data: bpy.types.AnimData | bpy.types.NlaStrip | None) -> str:
    """Identifier of the slot the data, or a strip, are animated by, or an empty string."""
    return data.action_slot.identifier if data is not None and has_slots() and data.action_slot else ""


def handle_of(data: bpy.types.AnimData | None) -> int:
    """Number of the slot the data are animated by, which stays when the slot is renamed, or 0."""
    return int(data.action_slot.handle) if data is not None and has_slots() and data.action_slot else 0


def actions_of(data: bpy.types.AnimData | None) -> list[tuple[bpy.types.Action, str]]:
    """The actions that data have and that are in strips of their NLA, muted or not, each with its slot, once."""
    users = [data, *(strip for track in data.nla_tracks for strip in track.strips)] if data is not None else []
    return list(dict.fromkeys((user.action, slot_of(user)) for user in users if user.action is not None))


def assign(data: bpy.types.AnimData, action: bpy.types.Action | None, slot: str) -> None:
    """Animate by this slot of the action, or by none of its slots."""
    data.action = action
    if action is not None and has_slots():
        data.action_slot = action.slots.get(slot) if slot else None


def curve_owner(obj: bpy.types.Object, action: bpy.types.Action) -> Any:
    """What holds the F-curves (fcurves) and groups by which the action animates the object.

    Makes slot, layer and strip as needed, and assigns action and slot to the object.
    """
    data = obj.animation_data or obj.animation_data_create()
    if not has_slots():
        data.action = action
        return action
    identifier = slot_of(data)
    data.action = action
    slot = action.slots.get(identifier) or next((s for s in action.slots if s.target_id_type == "OBJECT"), None)
    slot = slot or action.slots.new(id_type="OBJECT", name=obj.name)
    data.action_slot = slot
    return channelbag(action, slot)


def channelbag(action: bpy.types.Action, slot: Any) -> Any:
    """The slot's channels in the action, with layer and strip made as needed."""
    layer = action.layers[0] if action.layers else action.layers.new("Layer")
    strip = layer.strips[0] if layer.strips else layer.strips.new(type="KEYFRAME")
    return strip.channelbag(slot, ensure=True)


def find_owner(action: bpy.types.Action | None, slot: str) -> Any:
    """What holds the F-curves of the action's slot, or None. Makes nothing."""
    if action is None or not has_slots():
        return action
    return next(iter(_channelbags(action, slot)), None)


def _channelbags(action: bpy.types.Action, slot: str | None = None) -> list[Any]:
    """What holds the F-curves in each of the action's strips, of the slot with this identifier or of all."""
    strips = [strip for layer in action.layers for strip in layer.strips]
    bags = [bag for strip in strips for bag in strip.channelbags]
    return [bag for bag in bags if slot is None or (bag.slot and bag.slot.identifier == slot)]


def rotation_path(bone: str) -> str:
    """Data path of a pose bone's quaternion."""
    return f'pose.bones["{bpy.utils.escape_identifier(bone)}"].rotation_quaternion'


def location_path(bone: str) -> str:
    """Data path of a pose bone's location."""
    return f'pose.bones["{bpy.utils.escape_identifier(bone)}"].location'


def scale_path(bone: str) -> str:
    """Data path of a pose bone's scale."""
    return f'pose.bones["{bpy.utils.escape_identifier(bone)}"].scale'


def property_path(name: str, bone: str = "") -> str:
    """Data path of a custom property of the object, or of a pose bone."""
    own = f'["{bpy.utils.escape_identifier(name)}"]'
    return f'pose.bones["{bpy.utils.escape_identifier(bone)}"]{own}' if bone else own


_POSED = re.compile(r'pose\.bones\["((?:[^"\\]|\\.)*)"\]\.?(.*)')


def posed(path: str) -> tuple[str, str]:
    """Name of the bone and what of it a data path of poses leads to; two empty texts for any other path."""
    match = _POSED.match(path)
    return (bpy.utils.unescape_identifier(match[1]), match[2]) if match else ("", "")


def rename_bones(owner: Any, names: Mapping[str, str]) -> None:
    """Have the curves and groups of bones be those of others. names: new ones by old ones, all at once."""
    for curve in owner.fcurves:
        match = _POSED.match(curve.data_path)
        new = names.get(bpy.utils.unescape_identifier(match[1])) if match else None
        if match and new is not None:
            before, after = match.string[: match.start(1)], match.string[match.end(1) :]
            curve.data_path = before + bpy.utils.escape_identifier(new) + after
    for group in owner.groups:
        group.name = names.get(group.name, group.name)


def all_curves(action: bpy.types.Action) -> list[Any]:
    """All F-curves of the action, in all slots."""
    return [curve for owner in (_channelbags(action) if has_slots() else [action]) for curve in owner.fcurves]


def curves_at(owner: Any, paths: Iterable[str]) -> dict[tuple[str, int], Any]:
    """The curves at the paths that there are, by path and index."""
    asked = set(paths)
    return {(curve.data_path, curve.array_index): curve for curve in owner.fcurves if curve.data_path in asked}


def curve_lists(action: bpy.types.Action, slot: str) -> list[Any]:
    """The collections of F-curves of the action's slot with this identifier; of an action without slots its one."""
    return [owner.fcurves for owner in (_channelbags(action, slot) if has_slots() else [action])]


def other_curves(owner: Any, paths: Iterable[str]) -> list[tuple[str, int, bytes]]:
    """What the owner's curves say, without those at the paths: path, index and keys with their handles."""
    left_out, found = set(paths), []
    for curve in owner.fcurves if owner is not None else ():
        if curve.data_path not in left_out:
            keys = read_keys(curve)
            said = b"".join(keys[name].tobytes() for name in _OF_KEYS if not name.startswith("select"))
            found.append((curve.data_path, curve.array_index, said))
    return sorted(found)


def remove_curves(owner: Any, paths: Iterable[str]) -> None:
    """Delete the curves at the paths, and no others."""
    for curve in curves_at(owner, paths).values():
        owner.fcurves.remove(curve)


def restore_curves(owner: Any, before_bake: Any, paths: Iterable[str]) -> None:
    """Replace the curves at the paths by those of the owner from before the bake, which may be None."""
    asked = set(paths)
    remove_curves(owner, asked)
    for curve in curves_at(before_bake, asked).values() if before_bake is not None else ():
        _copy_curve(curve, owner.fcurves)


def _copy_curve(curve: Any, curves: Any) -> None:
    new = curves.new(curve.data_path, index=curve.array_index)
    new.extrapolation, new.mute = curve.extrapolation, curve.mute
    replace_keys(new, read_keys(curve), exactly=True)
    for modifier in curve.modifiers:
        copied = new.modifiers.new(modifier.type)
        for known in modifier.bl_rna.properties:
            if not known.is_readonly:
                value = getattr(modifier, known.identifier)
                setattr(copied, known.identifier, tuple(value) if getattr(known, "is_array", False) else value)
        for point in modifier.control_points if modifier.type == "ENVELOPE" else ():
            added = copied.control_points.add(point.frame)
            added.min, added.max = point.min, point.max


def remove_empty_groups(owner: Any, names: set[str]) -> None:
    """Delete the groups of these names that have no curves."""
    for group in [group for group in owner.groups if group.name in names and not group.channels]:
        owner.groups.remove(group)


def read_points(curve: Any) -> np.ndarray:
    """(keys, 2) frames and values."""
    return values_of(curve.keyframe_points, "co", 2)


def read_keys(curve: Any) -> Keys:
    """Everything about the curve's keys."""
    return {name: values_of(curve.keyframe_points, name, *how) for name, how in _OF_KEYS.items()}


def replace_keys(curve: Any, keys: Keys, exactly: bool = False) -> None:
    """Give the curve these keys, in the order of their frames, and no others. Automatic handles are found anew, unless
    all is to be exactly as it was read."""
    points = curve.keyframe_points
    points.clear()
    points.add(len(keys["co"]))
    for name, values in keys.items():
        points.foreach_set(name, values.ravel())
    curve.update()
    if exactly:
        for name in ("handle_left", "handle_right"):
            points.foreach_set(name, keys[name].ravel())


def merged(keys: Keys, inside: Keys, first: float, last: float) -> Keys:
    """The keys outside of the frames from first to last, and the others' inside."""
    frame, theirs = keys["co"][:, 0], inside["co"][:, 0]
    own, between = (frame < first) | (frame > last), (theirs >= first) & (theirs <= last)
    order = np.argsort(np.concatenate([frame[own], theirs[between]]), kind="stable")
    return {name: np.concatenate([keys[name][own], inside[name][between]])[order] for name in keys}


def plain_keys(points: np.ndarray) -> Keys:
    """Linear keys at these points (n, 2), everything else as Blender makes it."""
    count = len(points)
    keys: Keys = {name: np.zeros((count, size), dtype=kind) for name, (size, kind) in _OF_KEYS.items()}
    for name in ("co", "handle_left", "handle_right"):
        keys[name] = np.array(points, dtype=np.float32)
    keys["handle_left_type"][:] = keys["handle_right_type"][:] = 1  # HD_AUTO
    keys["interpolation"][:] = LINEAR
    keys["back"][:], keys["amplitude"][:], keys["period"][:] = 1.70158, 0.8, 4.1
    return keys


def key_linearly(owner: Any, keys: Mapping[str, np.ndarray]) -> Iterator[float]:
    """Add linear keys, for each path of a bone's channels points (channels, keys, 2), in a group for every bone.

    Path by path, yielding 1: it is too late to give a bake up.
    """
    curves, groups = owner.fcurves, owner.groups
    present = curves_at(owner, keys)
    there = {group.name for group in groups}  # looking up one by one would take as long as all the rest
    for path, points in keys.items():
        bone, count = posed(path)[0], points.shape[1]
        group = groups[bone] if bone in there else groups.new(bone)
        there.add(bone)
        interpolation = np.full(count, LINEAR, dtype=np.intc)
        for component, of_channel in enumerate(points):
            curve = present.get((path, component))
            if curve is not None:
                _overwrite(curve, of_channel)
                continue
            curve = curves.new(path, index=component)
            curve.group = group
            curve.keyframe_points.add(count)
            curve.keyframe_points.foreach_set("co", of_channel.ravel())
            curve.keyframe_points.foreach_set("interpolation", interpolation)
            curve.update()
        yield 1.0


def _overwrite(curve: Any, points: np.ndarray) -> None:
    """Put the points in place of the curve's keys in their range, and let nothing else change what it says there."""
    keys = merged(read_keys(curve), plain_keys(points), points[0, 0], points[-1, 0])
    curve.mute = False
    for modifier in curve.modifiers:
        modifier.mute = True
    replace_keys(curve, keys)
