# SPDX-License-Identifier: GPL-3.0-or-later
"""Pose channels from arrays, in bulk."""

import bpy
import numpy as np

from ...blender.in_bulk import values_of
from ...memory import Memory
from .bone_animation import unanimated_modes
from .bone_drivers import turn_aside, turn_back
from .broken_bones import OFF, BrokenBones
from .keyed.constraints import is_led, led_along, put_back, set_aside
from .keyed.led_bones import LedBones

#: Bones' modes of rotation from before write_against_keys.
_modes: Memory[np.ndarray] = Memory()

#: What write_pose wrote last, and of how many bones.
_last: Memory[tuple[int, np.ndarray, np.ndarray, BrokenBones | None, LedBones | None]] = Memory()


def write_rotations(obj: bpy.types.Object, pose_index: np.ndarray, channels: np.ndarray) -> None:
    """Set rotation_quaternion of the bones at pose_index; other bones keep theirs."""
    bones = obj.pose.bones
    if obj.library or obj.override_library:  # Blender drops what foreach_set writes there
        for index, rotation in zip(pose_index.tolist(), channels.tolist(), strict=True):
            bones[index].rotation_quaternion = rotation
    else:
        count = len(bones)
        values = np.empty((count, 4), dtype=np.float32)
        if len(pose_index) < count:
            bones.foreach_get("rotation_quaternion", values.reshape(-1))
        values[pose_index] = channels
        bones.foreach_set("rotation_quaternion", values.reshape(-1))
    obj.update_tag(refresh={"OBJECT", "DATA"})


def write_pose(
    obj: bpy.types.Object, pose_index: np.ndarray, channels: np.ndarray, broken: BrokenBones | None,
    led: LedBones | None,
) -> None:  # fmt: skip
    """Set the rotations of the bones at pose_index, the locations of those that are off, and what constraints lead;
    what came off at another frame only is where it was."""
    _last.keep(obj, (len(obj.pose.bones), pose_index, channels, broken, led))
    _write(obj, pose_index, channels, broken, led)


def keep_pose(obj: bpy.types.Object) -> None:
    """Set again what write_pose set last: Blender gives bones to their keys whenever it goes to a frame."""
    last = _last.of(obj) if obj.animation_data is not None else None
    if last is not None and last[0] == len(obj.pose.bones):
        _write(obj, *last[1:])


def forget_pose(obj: bpy.types.Object) -> None:
    """Let keep_pose do nothing until write_pose has set another pose."""
    _last.forget(obj)


def _write(
    obj: bpy.types.Object, pose_index: np.ndarray, channels: np.ndarray, broken: BrokenBones | None,
    led: LedBones | None,
) -> None:  # fmt: skip
    write_rotations(obj, pose_index, channels)
    if broken is None and led is None and not obj.plant_dynamics.has_moved_bones:
        return
    bones, location, scale = obj.pose.bones, dict[int, list[float]](), dict[int, list[float]]()
    if led is not None:
        places = pose_index[led.bone].tolist()
        location = _chosen(places, led.moves, led.location)
        scale = _chosen(places, led.scales, led.scale)
    if broken is not None:
        location |= _chosen(pose_index.tolist(), broken.state == OFF, broken.location)
    for index in pose_index.tolist():
        bone = bones[index]
        if index in location:
            keep_location(bone)
            bone.location = location[index]
        else:
            _put_location_back(bone)
        if index in scale:
            keep_scale(bone)
            bone.scale = scale[index]
        else:
            _put_scale_back(bone)
    obj.plant_dynamics.has_moved_bones = bool(location or scale)


def _chosen(places: list[int], chosen: np.ndarray, values: np.ndarray) -> dict[int, list[float]]:
    """The values of those that are chosen, by their places."""
    rows = zip(places, chosen.tolist(), values.tolist(), strict=True)
    return {place: value for place, is_chosen, value in rows if is_chosen}


def keep_location(pose_bone: bpy.types.PoseBone) -> None:
    """Remember where the bone is, before it is moved from there."""
    before = pose_bone.plant_dynamics
    if not before.is_moved:
        before.is_moved, before.location = True, pose_bone.location


def keep_scale(pose_bone: bpy.types.PoseBone) -> None:
    """Remember how large the bone is, before it is scaled."""
    before = pose_bone.plant_dynamics
    if not before.is_scaled:
        before.is_scaled, before.scale = True, pose_bone.scale


def _put_location_back(pose_bone: bpy.types.PoseBone) -> None:
    """The bone is where it was."""
    if pose_bone.plant_dynamics.is_moved:
        pose_bone.location, pose_bone.plant_dynamics.is_moved = pose_bone.plant_dynamics.location, False


def _put_scale_back(pose_bone: bpy.types.PoseBone) -> None:
    """The bone is as large as it was."""
    if pose_bone.plant_dynamics.is_scaled:
        pose_bone.scale, pose_bone.plant_dynamics.is_scaled = pose_bone.plant_dynamics.scale, False


def put_back_moved(obj: bpy.types.Object) -> None:
    """All bones that came off or were led elsewhere are where they were, and as large."""
    for pose_bone in obj.pose.bones:
        _put_location_back(pose_bone)
        _put_scale_back(pose_bone)
    obj.plant_dynamics.has_moved_bones = False


def write_against_keys(
    obj: bpy.types.Object, pose_index: np.ndarray, channels: np.ndarray, broken: BrokenBones | None,
    led: LedBones | None,
) -> None:  # fmt: skip
    """The same before Blender evaluates a frame. Keys that would overwrite it then do not count until end_against_keys:
    bones whose quaternions are keyed are turned in another mode. Those on the location of bones that come off do, of
    which the panel tells."""
    _write(obj, pose_index, channels, broken, led)
    names, written = obj.pose.bones.keys(), set(pose_index.tolist())
    others = {name: mode for name, mode in unanimated_modes(obj).items() if names.index(name) in written}
    if others:
        modes = values_of(obj.pose.bones, "rotation_mode", kind=np.int32)[:, 0]
        _modes.setdefault(obj.session_uid, modes.copy())
        for name, mode in others.items():
            modes[names.index(name)] = _mode_items()[mode].value
        _set_modes(obj, modes)


def end_against_keys(obj: bpy.types.Object) -> None:
    """The bones' modes of rotation as before. Blender is not told, so that it does not evaluate them again."""
    modes = _modes.pop(obj.session_uid, None)
    if modes is not None and len(modes) == len(obj.pose.bones):
        _set_modes(obj, modes)


def _set_modes(obj: bpy.types.Object, modes: np.ndarray) -> None:
    if obj.library or obj.override_library:
        names = {item.value: item.identifier for item in _mode_items()}
        for bone, mode in zip(obj.pose.bones, modes.tolist(), strict=True):
            if bone.rotation_mode != names[mode]:
                bone.rotation_mode = names[mode]
    else:
        obj.pose.bones.foreach_set("rotation_mode", modes)


def _mode_items() -> bpy.types.bpy_prop_collection:
    return bpy.types.PoseBone.bl_rna.properties["rotation_mode"].enum_items


def take_over(obj: bpy.types.Object) -> None:
    """Rotate the simulated bones, and those that are led along, by quaternions from now on, and remember their pose
    from before until give_back. Constraints that they follow act no more by themselves."""
    along = led_along(obj)
    for pose_bone in obj.pose.bones:
        before = pose_bone.plant_dynamics
        if (pose_bone.bone.plant_dynamics.use_physics or pose_bone.name in along) and not before.is_kept:
            before.is_kept = True
            before.rotation_mode = pose_bone.rotation_mode
            before.is_exact = True
            before.quaternion = pose_bone.rotation_quaternion
            before.euler = pose_bone.rotation_euler
            before.axis_angle = pose_bone.rotation_axis_angle
            pose_bone.rotation_mode = "QUATERNION"
            before.rotation = pose_bone.rotation_quaternion
    turn_aside(obj)
    set_aside(obj)


def give_back(obj: bpy.types.Object) -> None:
    """Pose and rotation modes as they were before take_over."""
    put_back(obj)
    _give_bones_back(obj, list(obj.pose.bones))
    obj.plant_dynamics.has_moved_bones = False
    obj.update_tag(refresh={"OBJECT", "DATA"})


def arrange(obj: bpy.types.Object) -> None:
    """The settings or constraints of a plant that shows the motion have changed: its bones may follow other constraints
    now, or none."""
    if not is_led(obj):
        put_back(obj)
    along = led_along(obj)
    others = [bone for bone in obj.pose.bones if not bone.bone.plant_dynamics.use_physics and bone.name not in along]
    _give_bones_back(obj, others)
    take_over(obj)


def _give_bones_back(obj: bpy.types.Object, bones: list[bpy.types.PoseBone]) -> None:
    turn_back(obj, {bone.name for bone in bones})
    for pose_bone in bones:
        _put_location_back(pose_bone)
        _put_scale_back(pose_bone)
        before = pose_bone.plant_dynamics
        if not before.is_kept:
            continue
        forget_pose(obj)
        if not before.is_exact:
            _turn_to(pose_bone, "QUATERNION")
            pose_bone.rotation_quaternion = before.rotation
        _turn_to(pose_bone, before.rotation_mode)
        if before.is_exact:  # changing the mode has converted the other channels
            pose_bone.rotation_quaternion = before.quaternion
            pose_bone.rotation_euler = before.euler
            pose_bone.rotation_axis_angle = before.axis_angle
        before.is_kept = before.is_exact = False


def _turn_to(pose_bone: bpy.types.PoseBone, mode: str) -> None:
    if pose_bone.rotation_mode != mode:  # setting it takes long
        pose_bone.rotation_mode = mode
