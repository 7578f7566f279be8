# SPDX-License-Identifier: GPL-3.0-or-later
"""Location and rotation channels of the objects that plants move: taken over, written, and given back."""

from collections.abc import Sequence

import bpy
import numpy as np
from mathutils import Quaternion, Vector

from ...blender.moving_data import animated_channels
from .moved import things_in, things_of
from .things import Thing, as_quaternion, channel_of

#: What is farther (m, of more than a metre a share; rad) from what was shown has been moved by hand.
_BY_HAND = 1e-5

_ROTATIONS = {"rotation_quaternion", "rotation_euler", "rotation_axis_angle"}


def take_over_things(obj: bpy.types.Object) -> None:
    """Turn the objects that the plant moves by quaternions from now on, and remember where they were until
    give_back_things."""
    for one in things_of(obj):
        before = one.plant_dynamics.thing
        if not before.is_kept:
            before.is_kept = True
            before.location, before.rotation_mode = one.location, one.rotation_mode
            before.quaternion, before.euler = one.rotation_quaternion, one.rotation_euler
            before.axis_angle = one.rotation_axis_angle
            one.rotation_mode = "QUATERNION"


def let_copies_stand(obj: bpy.types.Object) -> None:
    """What the copy of a plant moves begins where it stands, not where its original did when that was taken over."""
    for one in things_of(obj):
        let_copy_stand(one)


def let_copy_stand(one: bpy.types.Object) -> None:
    """The same of one object, as the user has put it."""
    before = one.plant_dynamics.thing
    if before.is_kept and not before.is_baked:
        before.is_kept, one.rotation_mode = False, before.rotation_mode


def at_rest(one: bpy.types.Object, evaluated: bpy.types.Object) -> tuple[np.ndarray, np.ndarray]:
    """Location (3,) m and rotation channel (4,) that the object has where nothing but its own animation moves it; to
    the same bits before it is taken over and after, wherever a plant has it stand."""
    before = one.plant_dynamics.thing
    if not before.is_kept or before.is_baked:
        return np.array(evaluated.location, dtype=np.float64), channel_of(evaluated)
    animated = animated_channels(one)

    def of(path: str, kept: Sequence[float]) -> list[float]:
        now = getattr(evaluated, path)
        return [float(now[k] if (path, k) in animated else kept[k]) for k in range(len(kept))]

    channel = as_quaternion(
        before.rotation_mode, of("rotation_euler", before.euler), of("rotation_quaternion", before.quaternion),
        of("rotation_axis_angle", before.axis_angle),
    )  # fmt: skip
    return np.array(of("location", before.location), dtype=np.float64), channel


def take_places(objects: tuple[bpy.types.Object | None, ...], channels: np.ndarray) -> bool:
    """Objects that a plant moves begin where the user has put them by hand, away from the location and rotation (t, 7)
    that they were shown with at the first frame. Whether there are any."""
    found = False
    for one, shown in zip(objects, channels, strict=True):
        if one is not None and one.plant_dynamics.thing.is_kept and not one.plant_dynamics.thing.is_baked:
            found |= _take_place(one, Vector(shown[:3]), Quaternion(shown[3:]))
    return found


def _take_place(one: bpy.types.Object, location: Vector, turn: Quaternion) -> bool:
    before, animated = one.plant_dynamics.thing, animated_channels(one)
    paths = {path for path, _ in animated}
    moved = one.location - location
    moved = Vector(0.0 if ("location", k) in animated else moved[k] for k in range(3))
    turned = one.rotation_quaternion.normalized() @ turn.inverted()
    is_moved = moved.length > _BY_HAND * max(1.0, location.length)
    is_turned = turned.angle > _BY_HAND and one.rotation_mode == "QUATERNION" and not paths & _ROTATIONS
    if is_moved:
        before.location = Vector(before.location) + moved
    if is_turned:
        kept = as_quaternion(before.rotation_mode, before.euler, before.quaternion, before.axis_angle)
        channel = turned @ Quaternion(kept)
        if before.rotation_mode == "QUATERNION":
            before.quaternion = channel
        elif before.rotation_mode == "AXIS_ANGLE":
            axis, angle = channel.to_axis_angle()
            before.axis_angle = (angle, *axis)
        else:
            before.euler = channel.to_euler(before.rotation_mode)
    return is_moved or is_turned


def objects_of(obj: bpy.types.Object, things: tuple[Thing, ...]) -> tuple[bpy.types.Object | None, ...]:
    """The objects of the things that the plant moves; None where one is gone."""
    found = {one.session_uid: one for one in things_of(obj)}
    return tuple(found.get(thing.uid) for thing in things)


def are_there(obj: bpy.types.Object, things: tuple[Thing, ...], scene: bpy.types.Scene) -> bool:
    """Whether none of the things that the plant moves has been deleted."""
    return not things or {thing.uid for thing in things} <= {one.session_uid for one in things_in(scene, obj)}


def write_things(objects: tuple[bpy.types.Object | None, ...], channels: np.ndarray) -> None:
    """Set location and rotation (t, 7) of the objects that a plant moves."""
    for one, values in zip(objects, channels.tolist(), strict=True):
        if one is not None:
            one.location, one.rotation_quaternion = values[:3], values[3:]


def give_back_things(obj: bpy.types.Object) -> None:
    """The objects stand where they did before take_over_things."""
    for one in things_of(obj):
        give_back_thing(one)


def give_back_thing(one: bpy.types.Object) -> None:
    """The object stands where it did before it was taken over."""
    before = one.plant_dynamics.thing
    if before.is_kept:
        before.is_kept = False
        one.rotation_mode = before.rotation_mode
        one.location, one.rotation_quaternion = before.location, before.quaternion
        one.rotation_euler, one.rotation_axis_angle = before.euler, before.axis_angle
