# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys of the objects that plants move: location and rotation, in actions of their own."""

import bpy
import numpy as np

from ..blender.fcurves import assign, curve_owner, curves_at, plain_keys, read_points, replace_keys, slot_of
from ..dynamics.motion.session import Session
from ..dynamics.rig.moved import things_of
from ..dynamics.rig.rotation_channels import continuous
from ..dynamics.rig.thing_channels import give_back_thing, objects_of, take_over_things
from .options import BakeOptions

#: What is keyed, and all that would move the object besides.
_KEYED = {"location": 3, "rotation_quaternion": 4}
_MOVING = (*_KEYED, "rotation_euler", "rotation_axis_angle")


def things_points(session: Session, options: BakeOptions) -> list[dict[str, np.ndarray]]:
    """Of each object that the plant moves the keys (channels, keys, 2), by their paths."""
    grid = options.frames()
    moved = np.stack([session.shown_at(int(frame)).things for frame in grid])
    moved[..., 3:] = continuous(moved[..., 3:])
    found = []
    for thing in range(moved.shape[1]):
        points, first = {}, 0
        for path, count in _KEYED.items():
            points[path] = np.empty((count, len(grid), 2), dtype=np.float32)
            points[path][..., 0] = grid
            points[path][..., 1] = moved[:, thing, first : first + count].T
            first += count
        found.append(points)
    return found


def write_things(
    obj: bpy.types.Object, session: Session, points: list[dict[str, np.ndarray]], options: BakeOptions
) -> None:
    """Key the objects that the plant moves; of a bake of a part, keys outside of it stay."""
    present = [_present(one) if options.part_only else {} for one in objects_of(obj, session.plant.things)]
    clear_things(obj)
    take_over_things(obj)
    for one, own, before in zip(objects_of(obj, session.plant.things), points, present, strict=True):
        if one is not None:
            _write(one, {path: _joined(before.get(path), new) for path, new in own.items()})


def _write(one: bpy.types.Object, points: dict[str, np.ndarray]) -> None:
    settings, data = one.plant_dynamics.thing, one.animation_data
    settings.had_animation_data = data is not None
    settings.action_before, settings.slot_before = data.action if data else None, slot_of(data)
    before = settings.action_before
    action = before.copy() if before else bpy.data.actions.new("")
    action.name = f"{one.name} Plant Motion"
    owner = curve_owner(one, action)
    for curve in curves_at(owner, _MOVING).values():
        owner.fcurves.remove(curve)
    for path, of_path in points.items():
        for channel, of_channel in enumerate(of_path):
            replace_keys(owner.fcurves.new(path, index=channel), plain_keys(of_channel))
    settings.is_baked = True


def _present(one: bpy.types.Object | None) -> dict[str, np.ndarray]:
    """The keys of its bake, by their paths."""
    if one is None or not one.plant_dynamics.thing.is_baked or not (one.animation_data and one.animation_data.action):
        return {}
    curves = curves_at(curve_owner(one, one.animation_data.action), _KEYED)
    if any((path, channel) not in curves for path, count in _KEYED.items() for channel in range(count)):
        return {}
    return {path: np.stack([read_points(curves[path, k]) for k in range(count)]) for path, count in _KEYED.items()}


def _joined(present: np.ndarray | None, new: np.ndarray) -> np.ndarray:
    if present is None:
        return new
    first, last = new[0, 0, 0], new[0, -1, 0]
    parts = [present[:, present[0, :, 0] < first], new, present[:, present[0, :, 0] > last]]
    return np.concatenate(parts, axis=1)


def clear_things(obj: bpy.types.Object) -> None:
    """Take the keys of what the plant moves away, and have it stand and move as before."""
    for one in things_of(obj):
        clear_thing(one)


def clear_thing(one: bpy.types.Object) -> None:
    """Take the baked keys of an object away, and have it stand and move as before."""
    settings, data = one.plant_dynamics.thing, one.animation_data
    if settings.is_baked:
        baked = data.action if data else None
        if data is not None:
            assign(data, settings.action_before, settings.slot_before)
        if baked is not None and baked.users == 0:
            bpy.data.actions.remove(baked)
        if data is not None and not settings.had_animation_data and not (data.drivers or data.nla_tracks):
            one.animation_data_clear()
        settings.is_baked, settings.action_before = False, None
    give_back_thing(one)
