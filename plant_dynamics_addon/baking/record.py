# SPDX-License-Identifier: GPL-3.0-or-later
"""What an object remembers of its bake: the bones, where the keys are, and whether they are still as baked."""

import hashlib
from collections.abc import Generator, Iterable, Sequence
from typing import Any

import bpy
import numpy as np

from ..blender.fcurves import (
    LINEAR,
    curves_at,
    find_owner,
    handle_of,
    location_path,
    posed,
    read_points,
    rename_bones,
    rotation_path,
    scale_path,
    slot_of,
)
from ..blender.in_bulk import values_of
from ..blender.meanwhile import result_of
from ..dynamics.rig.pose_writer import give_back, keep_location, keep_scale, take_over

_OF_STRIPS = (
    "frame_start", "frame_end", "action_frame_start", "action_frame_end", "scale", "repeat", "influence",
    "blend_type", "extrapolation", "use_reverse", "blend_in", "blend_out",
)  # fmt: skip

#: What is noted of a bone's rotation, and what that is of the pose bone; the mode first, for it changes the others.
_ROTATION = {
    "rotation_mode": "rotation_mode", "quaternion": "rotation_quaternion", "euler": "rotation_euler",
    "axis_angle": "rotation_axis_angle",
}  # fmt: skip

#: What pose bones remember from before.
_BEFORE = (
    "is_kept", "is_exact", "rotation", *_ROTATION, "driven", "baked_as", "is_moved", "location", "is_scaled", "scale",
)  # fmt: skip

#: What is baked of bones besides how they turn, and what it is where it is not led.
PLACES = {"location": 0.0, "scale": 1.0}

#: No fingerprint is this: keys that stayed through a bake of a part after they had been edited are edited for ever.
_EDITED = "edited"


def baked_names(obj: bpy.types.Object) -> tuple[str, ...]:
    """The bones that were baked, as they are called now; of a bake made by an older version all bones."""
    return tuple(present_names(obj).values()) or tuple(bone.name for bone in obj.pose.bones)


def baked_paths(obj: bpy.types.Object) -> list[str]:
    """The paths of what was baked: all bones' rotations, then locations and scales of those that are not where they
    were."""
    now, bones = present_names(obj), obj.plant_dynamics.baked_bones
    placed = [location_path(now[baked.name]) for baked in bones if baked.is_placed]
    scaled = [scale_path(now[baked.name]) for baked in bones if baked.is_scaled]
    return [*map(rotation_path, baked_names(obj)), *placed, *scaled]


def channels_of(path: str) -> int:
    """How many channels there are at a path of what was baked."""
    return 3 if posed(path)[1] in PLACES else 4


def present_names(obj: bpy.types.Object) -> dict[str, str]:
    """What the bones are called now, by their names in the record of the bake; those of deleted bones stay."""
    now: dict[str, str] = {}
    for pose_bone in obj.pose.bones:
        name, baked_as = pose_bone.name, pose_bone.plant_dynamics.baked_as
        if baked_as and (name == baked_as or baked_as not in now):  # a duplicate of the bone has both of it
            now[baked_as] = name
    return {bone.name: now.get(bone.name, bone.name) for bone in obj.plant_dynamics.baked_bones}


def take_bones(obj: bpy.types.Object, names: Sequence[str], places: Iterable[str]) -> None:
    """Note the bones that are baked, and turn them by quaternions from now on. places: the paths of locations and
    scales that are baked too."""
    known = {posed(path) for path in places}
    bones = obj.plant_dynamics.baked_bones
    bones.clear()
    for name in names:
        pose_bone, baked = obj.pose.bones[name], bones.add()
        baked.name = pose_bone.plant_dynamics.baked_as = name
        if (name, "location") in known:
            baked.is_placed = True
            keep_location(pose_bone)
        if (name, "scale") in known:
            baked.is_scaled = True
            keep_scale(pose_bone)
        if pose_bone.rotation_mode != "QUATERNION" and not pose_bone.plant_dynamics.is_kept:
            baked.is_exact = True
            for noted, own in _ROTATION.items():
                setattr(baked, noted, getattr(pose_bone, own))
    take_over(obj)


def give_bones_back(obj: bpy.types.Object) -> None:
    """Rotation modes, rotations and locations as they were before the bake, or before Play if that came first."""
    give_back(obj)
    now = present_names(obj)
    for pose_bone in obj.pose.bones:
        for name in _BEFORE:
            pose_bone.plant_dynamics.property_unset(name)
    for baked in obj.plant_dynamics.baked_bones:
        pose_bone = obj.pose.bones.get(now[baked.name])
        if baked.is_exact and pose_bone is not None:
            for noted, own in _ROTATION.items():
                setattr(pose_bone, own, getattr(baked, noted))
    obj.plant_dynamics.baked_bones.clear()


def baked_strip(obj: bpy.types.Object) -> tuple[bpy.types.NlaTrack, bpy.types.NlaStrip] | None:
    """The bake's NLA strip and its track, if they are still there."""
    data, settings = obj.animation_data, obj.plant_dynamics
    if data is None or settings.baked_to != "NLA":
        return None
    tracks = sorted(data.nla_tracks, key=lambda track: track.name != settings.baked_track)
    pairs = ((track, strip) for track in tracks for strip in track.strips)
    return next((pair for pair in pairs if pair[1].action and pair[1].action == settings.baked_action), None)


def shown_action(obj: bpy.types.Object) -> bpy.types.Action | None:
    """The action with the baked keys, if it still animates the object. A copied object may have a copy of it."""
    settings, data = obj.plant_dynamics, obj.animation_data
    if not settings.is_baked or data is None:
        return None
    if settings.baked_to == "NLA":
        return settings.baked_action if baked_strip(obj) else None
    if data.action is None:
        return None
    if data.action == settings.baked_action:
        slot, handle = settings.baked_slot, settings.baked_slot_handle
        is_same = handle == handle_of(data) if handle else not slot or slot == slot_of(data)
        return data.action if is_same else None
    owner = find_owner(data.action, slot_of(data))
    known = settings.bake_fingerprint
    return data.action if known and fingerprint(obj, owner) == known else None


def follow_renamed_slots(obj: bpy.types.Object) -> None:
    """The slots of the bake and from before it are called what they are called now."""
    settings = obj.plant_dynamics
    for name, action in (("baked_slot", settings.baked_action), ("slot_before", settings.action_before)):
        handle = getattr(settings, f"{name}_handle")
        for slot in action.slots if handle and action is not None else ():
            if slot.handle == handle:
                setattr(settings, name, slot.identifier)


def baked_owner(obj: bpy.types.Object) -> Any:
    """What holds the baked curves, or None."""
    action = shown_action(obj)
    if action is None:
        return None
    found = baked_strip(obj)
    return find_owner(action, slot_of(found[1] if found else obj.animation_data))


def fingerprint(obj: bpy.types.Object, owner: Any) -> str:
    """A hash of the baked keys as they are, or an empty string where some are gone, muted or no longer linear."""
    return result_of(_fingerprinting(obj, owner))


def _fingerprinting(obj: bpy.types.Object, owner: Any) -> Generator[float, None, str]:
    """The same, yielding progress 0..1."""
    settings, paths = obj.plant_dynamics, baked_paths(obj)
    if owner is None:
        return ""
    curves = curves_at(owner, paths)
    digest = hashlib.blake2b(digest_size=16)
    for done, path in enumerate(paths):
        yield done / len(paths)
        for component in range(channels_of(path)):
            curve = curves.get((path, component))
            if curve is None or curve.mute or any(not modifier.mute for modifier in curve.modifiers):
                return ""
            points = read_points(curve)
            inside = (points[:, 0] >= settings.baked_first) & (points[:, 0] <= settings.baked_last)
            how = values_of(curve.keyframe_points, "interpolation", kind=np.intc)
            if (how[inside] != LINEAR).any():
                return ""
            digest.update(points[inside].tobytes())
    return _with_strip(digest, obj)


def _with_strip(digest: Any, obj: bpy.types.Object) -> str:
    found = baked_strip(obj)
    if found:
        digest.update(repr([getattr(found[1], name) for name in _OF_STRIPS]).encode())
    return str(digest.hexdigest())


def give_names_back(obj: bpy.types.Object) -> None:
    """Where another plant shares the action: Blender has renamed its bones in this one's slots, too."""
    settings, data = obj.plant_dynamics, obj.animation_data
    if settings.baked_to != "SLOT" or data is None or data.action is None or data.action != settings.baked_action:
        return
    owner = find_owner(data.action, slot_of(data))
    keyed = dict.fromkeys(name for curve in (owner.fcurves if owner is not None else ())
                          if (name := posed(curve.data_path)[0]))  # fmt: skip
    strange = [name for name in keyed if name not in obj.pose.bones]
    missing = [name for name in baked_names(obj) if name not in keyed]
    if not strange or len(strange) != len(missing):
        return
    own = dict(zip(strange, missing, strict=True))  # both in the order in which they were baked
    for one in (owner, find_owner(data.action, settings.slot_before) if settings.slot_before else None):
        if one is not None:
            rename_bones(one, own)


def is_edited(obj: bpy.types.Object) -> bool:
    """Whether baked keys that animate the object are no longer those that were baked, or may not be."""
    return result_of(finding_edits(obj))


def finding_edits(obj: bpy.types.Object) -> Generator[float, None, bool]:
    """The same, yielding progress 0..1."""
    follow_renamed_slots(obj)
    give_names_back(obj)
    if shown_action(obj) is None:
        return False
    known = obj.plant_dynamics.bake_fingerprint
    return not known or (yield from _fingerprinting(obj, baked_owner(obj))) != known


def sign(obj: bpy.types.Object, points: dict[str, np.ndarray], with_edits: bool) -> None:
    """Remember the keys that have been written, (channels, keys, 2) for each of baked_paths, or that some of them are
    somebody's own."""
    digest = hashlib.blake2b(digest_size=16)
    for path in baked_paths(obj):
        digest.update(np.ascontiguousarray(points[path]).tobytes())
    obj.plant_dynamics.bake_fingerprint = _EDITED if with_edits else _with_strip(digest, obj)


def baked_points(obj: bpy.types.Object) -> dict[str, np.ndarray]:
    """Points (channels, keys, 2) of the present bake's keys in its range, by path. Where the channels of a bone have
    been edited to have keys at different frames, they are looked up at all of them."""
    owner, settings = baked_owner(obj), obj.plant_dynamics
    if owner is None:
        return {}
    paths, found = baked_paths(obj), {}
    curves = curves_at(owner, paths)
    for path in paths:
        all_channels = [curves.get((path, component)) for component in range(channels_of(path))]
        if any(curve is None or not len(curve.keyframe_points) for curve in all_channels):
            continue
        points = [read_points(curve) for curve in all_channels]
        frames = np.unique(np.concatenate([of_one[:, 0] for of_one in points]))
        frames = frames[(frames >= settings.baked_first) & (frames <= settings.baked_last)]
        values = [np.interp(frames, of_one[:, 0], of_one[:, 1]) for of_one in points]
        found[path] = np.stack([np.stack([frames, value], axis=1) for value in values]).astype(np.float32)
    return found
