# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulated bones that are animated all the same: their springs' rest pose follows the keys."""

from collections.abc import Iterable, Iterator
from typing import Any

import bpy
import numpy as np

from ...blender.fcurves import curve_lists, posed, slot_of
from ...blender.in_bulk import values_of
from .bone_drivers import ASIDE
from .rotation_channels import from_axis_angles, from_eulers, powers

#: What turns a bone in each mode of rotation; in all others, orders of Euler angles, it is these.
_TURNED_BY = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}
_EULER = "rotation_euler"

#: What gives a channel of a quaternion its value: the user, keys or a driver, a driver that was turned aside.
KEPT, ANIMATED, DRIVEN = range(3)

#: These, of the four channels of a bone.
Sources = tuple[int, int, int, int]
UNKEYED: Sources = (KEPT, KEPT, KEPT, KEPT)


def animated_bones(obj: bpy.types.Object) -> dict[str, Sources]:
    """The bones whose rotation, in the mode it has, is keyed in the action or in NLA strips that are heard, or driven;
    with what gives each channel of a quaternion its value."""
    found: dict[str, list[int]] = {}
    for name, turned_by, channels in _animated_channels(obj):
        is_aside = turned_by == ASIDE
        own = _TURNED_BY.get(rotation_mode(obj.pose.bones[name]), _EULER)
        if own == (_TURNED_BY["QUATERNION"] if is_aside else turned_by):
            sources = found.setdefault(name, [KEPT] * 4)
            for channel in channels:
                sources[channel] = DRIVEN if is_aside else ANIMATED
    return {name: (w, x, y, z) for name, (w, x, y, z) in found.items()}


def unanimated_modes(obj: bpy.types.Object) -> dict[str, str]:
    """The bones whose quaternion channels themselves are animated, with a mode of rotation in which the bone is not."""
    turned_by: dict[str, set[str]] = {}
    for name, channel, _ in _animated_channels(obj):
        turned_by.setdefault(name, set()).add(channel)
    return {
        name: "AXIS_ANGLE" if _TURNED_BY["AXIS_ANGLE"] not in animated else "XYZ"
        for name, animated in turned_by.items()
        if _TURNED_BY["QUATERNION"] in animated
    }


def _animated_channels(obj: bpy.types.Object) -> Iterator[tuple[str, str, Iterable[int]]]:
    """The bone, what turns it, and the channels of each curve that acts; also of drivers that were turned aside."""
    for curves, as_a_whole in _curve_lists(obj.animation_data) if obj.animation_data else ():
        for curve in curves:
            name, turned_by = ("", "") if curve.mute or curve.is_empty else posed(curve.data_path)
            if turned_by in {*_TURNED_BY.values(), _EULER, ASIDE} and name in obj.pose.bones:
                yield name, turned_by, range(4) if as_a_whole else (curve.array_index,)


def keyed_bones(obj: bpy.types.Object, channel: str) -> set[str]:
    """The bones of which this is keyed or driven, by its path from the pose bone on."""
    found = set()
    for curves, _ in _curve_lists(obj.animation_data) if obj.animation_data else ():
        found |= {name for curve in curves if not (curve.mute or curve.is_empty)
                  for name, path in [posed(curve.data_path)] if path == channel}  # fmt: skip
    return found


def _curve_lists(data: bpy.types.AnimData) -> Iterator[tuple[Any, bool]]:
    """The curves that act, drivers last as they have the last word, and whether Blender takes quaternions as a whole,
    which it does in the NLA: one channel that is keyed animates all four."""
    tracks = list(data.nla_tracks) if data.use_nla else []
    solo = [track for track in tracks if track.is_solo]
    heard = solo or [track for track in tracks if not track.mute]
    strips = [strip for track in heard for strip in _heard(track.strips)]
    for strip in strips:
        for curves in curve_lists(strip.action, slot_of(strip)):
            yield curves, True
    if data.action is not None and not solo:
        for curves in curve_lists(data.action, slot_of(data)):
            yield curves, bool(strips)
    yield data.drivers, False


def _heard(strips: Iterable[Any]) -> Iterator[Any]:
    for strip in strips:
        if not strip.mute:
            if strip.action is not None:
                yield strip
            yield from _heard(strip.strips)


def posed_bones(obj: bpy.types.Object) -> set[str]:
    """The bones that are turned from their rest, by hand or otherwise; of those of a simulation as they were before."""
    return {bone.name for bone in obj.pose.bones if _is_turned(bone)}


def _is_turned(bone: bpy.types.PoseBone) -> bool:
    mode, before = rotation_mode(bone), bone.plant_dynamics
    if mode == "QUATERNION":
        return bool((_own_quaternion(bone)[1:] != 0.0).any())
    is_exact = before.is_kept and before.is_exact
    if mode == "AXIS_ANGLE":
        return bool((before.axis_angle if is_exact else bone.rotation_axis_angle)[0] != 0.0)
    return any(before.euler if is_exact else bone.rotation_euler)


def rotation_mode(bone: bpy.types.PoseBone) -> str:
    """How the bone is rotated by its keys: the mode from before the simulation took it over."""
    before = bone.plant_dynamics
    return str(before.rotation_mode if before.is_kept else bone.rotation_mode)


def animated_rotations(
    obj: bpy.types.Object,
    evaluated: bpy.types.Object,
    pose_index: np.ndarray,
    modes: tuple[str, ...],
    sources: np.ndarray,
    influence: float,
) -> np.ndarray:
    """(n, 4) unit quaternions by which keys turn the bones at pose_index (n,), each in its mode, as of the frame.

    sources (n, 4): what gives quaternions' channels their values; influence: 0 for not at all, 1 as keyed, and in
    between the share of the angle.
    """
    bones, mode = evaluated.pose.bones, np.array(modes)
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (len(modes), 1))
    for order in set(modes):
        chosen, turned_by = mode == order, _TURNED_BY.get(order, _EULER)
        values = values_of(bones, turned_by, 3 if turned_by == _EULER else 4)[pose_index[chosen]].astype(np.float64)
        if turned_by == _EULER:
            values = from_eulers(values, order)
        rotations[chosen] = from_axis_angles(values) if order == "AXIS_ANGLE" else values
    for i in np.flatnonzero((mode == "QUATERNION") & (sources != ANIMATED).any(axis=1)).tolist():
        # There the evaluated channel is what the simulation has written.
        index = int(pose_index[i])
        own, driven = _own_quaternion(obj.pose.bones[index]), bones[index].plant_dynamics.driven
        rotations[i] = np.choose(sources[i], [own, rotations[i], np.array(driven)])
    size = np.linalg.norm(rotations, axis=1, keepdims=True)
    rotations = np.where(size > 1e-9, rotations / np.maximum(size, 1e-9), (1.0, 0.0, 0.0, 0.0))
    return rotations if influence == 1.0 else powers(rotations, influence)


def _own_quaternion(bone: bpy.types.PoseBone) -> np.ndarray:
    """The bone's quaternion from before the simulation took it over."""
    before = bone.plant_dynamics
    if not before.is_kept:
        return np.array(bone.rotation_quaternion)
    return np.array(before.quaternion if before.is_exact else before.rotation)
