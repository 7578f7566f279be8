# SPDX-License-Identifier: GPL-3.0-or-later
"""Where constraints lead simulated bones, as Blender evaluates them from the bones' own keys and not from the motion.

A plant that a simulation has taken over shows the motion, so its bones are given back for one evaluation.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import bpy
import numpy as np
from mathutils import Matrix

from .....solver import rotations
from ....blender.fcurves import posed
from ....blender.timeline import frame_handler_paused
from ..bone_drivers import ASIDE
from ..plant import Plant
from .constraints import put_back, set_aside

#: Decimals of scales, which evaluation leaves beyond what anybody has set.
_DIGITS = 6

#: Cosine of what the angles between a bone's axes may be off from right ones by rounding.
_SQUARE = 1e-5

#: What turns a bone.
_CHANNELS = ("rotation_quaternion", "rotation_euler", "rotation_axis_angle")


class LedPose(NamedTuple):
    """turns (k, 4): unit quaternions by which a plant's animated rods are turned from their rest, in their own axes;
    places (l, 6): location and scale that the rods of Led would have of their own."""

    turns: np.ndarray
    places: np.ndarray


def led_pose(obj: bpy.types.Object, plant: Plant, depsgraph: bpy.types.Depsgraph) -> LedPose:
    """Where the plant is led at the depsgraph's frame."""
    with _given_back(obj, depsgraph):
        evaluated = obj.evaluated_get(depsgraph)
        bones = evaluated.pose.bones
        own = [bones[place] for place in plant.scaling.index.tolist()]  # by place, for names may change
        placed = [own[rod] for rod in plant.scaling.led.rods.tolist()]
        local = [_local(evaluated, one) for one in placed]
        led = np.array([bone.matrix.to_quaternion() for bone in own])
        below = [(1.0, 0.0, 0.0, 0.0) if name is None else bones[name].matrix.to_quaternion()[:]
                 for name in plant.carriers]  # fmt: skip
        sheared = _sheared(plant, own, [None if name is None else bones[name] for name in plant.carriers])
        alone = np.array([_local(evaluated, own[rod]).to_quaternion() for rod in sheared.tolist()]).reshape(-1, 4)
    on = np.repeat(np.array(below), [len(part) for part in plant.parts], axis=0)
    of_parent = np.where((plant.parent < 0)[:, None], on, led[plant.parent])
    turned = rotations.multiply(rotations.conjugate(of_parent), led)
    found = rotations.multiply(rotations.conjugate(plant.rest), turned)
    found[sheared] = alone  # axes that are not square have no quaternion; of the bone's own turn there is one
    found = found[plant.animated]
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    places = np.array([[*one.translation, *one.to_scale()] for one in local]).reshape(-1, 6)
    places[:, 3:] = np.round(places[:, 3:], _DIGITS)
    return LedPose(found, places)


def _local(evaluated: bpy.types.Object, bone: bpy.types.PoseBone) -> Matrix:
    """What the bone's channels would have to make, for it to stand on its own where it is evaluated."""
    return evaluated.convert_space(pose_bone=bone, matrix=bone.matrix, from_space="POSE", to_space="LOCAL")


def _sheared(
    plant: Plant, own: Sequence[bpy.types.PoseBone], carriers: Sequence[bpy.types.PoseBone | None]
) -> np.ndarray:
    """Rods whose bones are sheared by an uneven scale, or sit on such. carriers: what the plant's parts sit on."""
    first = np.cumsum([len(part) for part in plant.parts])
    below = np.where(plant.parent < 0, len(own) + np.searchsorted(first, np.arange(len(own)), "right"), plant.parent)
    axes = np.array([np.eye(3) if bone is None else bone.matrix.to_3x3() for bone in (*own, *carriers)])
    axes /= np.maximum(np.linalg.norm(axes, axis=1, keepdims=True), np.finfo(float).tiny)
    between = np.swapaxes(axes, 1, 2) @ axes - np.eye(3)
    is_sheared = np.abs(between).max(axis=(1, 2)) > _SQUARE
    return np.flatnonzero(is_sheared[: len(own)] | is_sheared[below])


def channels_along(plant: Plant, evaluated: bpy.types.Object) -> np.ndarray:
    """(a, 10) rotations, locations and scales by which the bones of Along would stand on their own where the evaluated
    object has them."""
    bones = [evaluated.pose.bones[place] for place in plant.along.index.tolist()]
    local = [_local(evaluated, one).decompose() for one in bones]
    found = np.array([[*turn, *place, *scale] for place, turn, scale in local]).reshape(-1, 10)
    found[:, 7:] = np.round(found[:, 7:], _DIGITS)
    return found


@contextmanager
def _given_back(obj: bpy.types.Object, depsgraph: bpy.types.Depsgraph) -> Iterator[None]:
    """The bones are as they were before a simulation took them over, with their keys and constraints, and evaluated so.
    """
    taken = [bone for bone in obj.pose.bones if bone.plant_dynamics.is_kept]
    if not taken:
        yield
        return
    driven = {bone.name: bone.plant_dynamics.driven[:] for bone in obj.evaluated_get(depsgraph).pose.bones}
    shown = [(bone.rotation_mode, *_values(bone)) for bone in taken]
    led = [(bone, tuple(bone.location), tuple(bone.scale)) for bone in taken if _is_moved(bone)]
    aside = _driven_channels(obj)
    with frame_handler_paused():
        try:
            for bone in taken:
                before = bone.plant_dynamics
                _turn(bone, before.rotation_mode, before.quaternion, before.euler, before.axis_angle)
                for channel in aside.get(bone.name, ()):
                    bone.rotation_quaternion[channel] = driven[bone.name][channel]
            for bone, *_ in led:
                before = bone.plant_dynamics
                bone.location = before.location if before.is_moved else bone.location
                bone.scale = before.scale if before.is_scaled else bone.scale
            put_back(obj)
            obj.update_tag(refresh={"OBJECT", "DATA", "TIME"})
            depsgraph.update()
            yield
        finally:
            set_aside(obj)
            for bone, values in zip(taken, shown, strict=True):
                _turn(bone, *values)
            for bone, location, scale in led:
                bone.location, bone.scale = location, scale
            obj.update_tag(refresh={"OBJECT", "DATA"})


def _values(bone: bpy.types.PoseBone) -> list[Any]:
    return [tuple(getattr(bone, name)) for name in _CHANNELS]


def _is_moved(bone: bpy.types.PoseBone) -> bool:
    """Whether the simulation has moved or scaled the bone."""
    return bool(bone.plant_dynamics.is_moved or bone.plant_dynamics.is_scaled)


def _turn(bone: bpy.types.PoseBone, mode: str, *values: Any) -> None:
    if bone.rotation_mode != mode:
        bone.rotation_mode = mode  # which converts channels
    for name, value in zip(_CHANNELS, values, strict=True):
        setattr(bone, name, value)


def _driven_channels(obj: bpy.types.Object) -> dict[str, list[int]]:
    """Channels of bones' quaternions whose drivers are turned aside."""
    found: dict[str, list[int]] = {}
    for curve in obj.animation_data.drivers if obj.animation_data else ():
        name, channel = posed(curve.data_path)
        if channel == ASIDE:
            found.setdefault(name, []).append(curve.array_index)
    return found
