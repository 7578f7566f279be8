# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulated bones that are animated all the same: their springs' rest pose follows the keys."""

import re
from collections.abc import Iterator
from typing import Any

import bpy
import numpy as np

from ..baking.action_writer import curve_lists, slot_of
from .quaternions import from_axis_angles, from_eulers, powers

_PATH = re.compile(r'pose\.bones\["(.+)"\]\.rotation_(?:quaternion|euler|axis_angle)$')


def animated_bones(obj: bpy.types.Object) -> set[str]:
    """Names of the bones whose rotation is keyed, in the action or in NLA strips that are heard, or driven."""
    data = obj.animation_data
    if data is None:
        return set()
    found = (_PATH.match(curve.data_path) for curves in _curve_lists(data) for curve in curves if not curve.mute)
    return {bpy.utils.unescape_identifier(match[1]) for match in found if match}


def _curve_lists(data: bpy.types.AnimData) -> Iterator[Any]:
    yield data.drivers
    if data.action is not None:
        yield from curve_lists(data.action, slot_of(data))
    if not data.use_nla:
        return
    for track in data.nla_tracks:
        for strip in track.strips:
            if strip.action is not None and not (track.mute or strip.mute):
                yield from curve_lists(strip.action, slot_of(strip))


def rotation_modes(obj: bpy.types.Object, bones: list[str]) -> tuple[str, ...]:
    """How the bones are rotated by their keys: the modes from before the simulation took them over."""
    of = [obj.pose.bones[name] for name in bones]
    return tuple(
        bone.plant_dynamics.rotation_mode if bone.plant_dynamics.is_kept else bone.rotation_mode for bone in of
    )


def animated_rotations(
    evaluated: bpy.types.Object, pose_index: np.ndarray, modes: tuple[str, ...], influence: float
) -> np.ndarray:
    """(n, 4) unit quaternions by which keys turn the bones at pose_index (n,), each in its mode, as of the frame.

    influence: 0 for not at all, 1 as keyed, and in between the share of the angle.
    """
    bones, mode = evaluated.pose.bones, np.array(modes)
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (len(modes), 1))
    for kind, chosen in (("quaternion", mode == "QUATERNION"), ("axis_angle", mode == "AXIS_ANGLE")):
        if chosen.any():
            values = _channel(bones, f"rotation_{kind}", 4)[pose_index[chosen]]
            rotations[chosen] = values if kind == "quaternion" else from_axis_angles(values)
    for order in {name for name in modes if name not in ("QUATERNION", "AXIS_ANGLE")}:
        chosen = mode == order
        rotations[chosen] = from_eulers(_channel(bones, "rotation_euler", 3)[pose_index[chosen]], order)
    size = np.linalg.norm(rotations, axis=1, keepdims=True)
    rotations = np.where(size > 1e-9, rotations / np.maximum(size, 1e-9), (1.0, 0.0, 0.0, 0.0))
    return rotations if influence == 1.0 else powers(rotations, influence)


def _channel(bones: bpy.types.bpy_prop_collection, name: str, size: int) -> np.ndarray:
    values = np.empty(size * len(bones), dtype=np.float32)
    bones.foreach_get(name, values)
    return values.reshape(-1, size).astype(np.float64)
