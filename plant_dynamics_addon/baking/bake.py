# SPDX-License-Identifier: GPL-3.0-or-later
"""Bake: simulate a range of frames and key the simulated bones. What is the user's stays, and can be had back.

from bl_ext.user_default.plant_dynamics.plant_dynamics_addon.baking.bake import BakeOptions, bake_now, clear_bake

bake_now(bpy.context, [oak, rose], BakeOptions(1, 120, target="NLA", step=2))
clear_bake(oak)
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import bpy
import numpy as np

from ..blender.fcurves import location_path, posed, rotation_path, scale_path
from ..blender.meanwhile import meanwhile, part, result_of
from ..blender.timeline import frame_handler_paused, show_again
from ..blender.versions import has_slots
from ..dynamics.kernels.warm_up import warm_up
from ..dynamics.live import live
from ..dynamics.motion.session import Session
from ..dynamics.motion.sessions import session_of
from ..dynamics.motion.ties import with_others
from ..dynamics.rig.broken_bones import OFF
from ..dynamics.rig.pose_writer import put_back_moved
from ..dynamics.rig.rotation_channels import continuous
from ..errors import PlantError
from .before_bake import actions_before_bake, animation_before_bake, rotations_before_bake
from .decimate import needed_keys
from .loop import closed
from .options import BakeOptions, check_objects
from .record import (
    PLACES,
    baked_points,
    follow_renamed_slots,
    give_bones_back,
    give_names_back,
    is_edited,
    shown_action,
    sign,
    take_bones,
)
from .targets import clear_keys, write
from .things import clear_things, things_points, write_things
from .walk import simulate_range

__all__ = ["BakeOptions", "Baked", "bake", "bake_now", "clear_bake", "is_edited", "simulate_range"]


@dataclass(frozen=True)
class Baked:
    """What became of a plant: its action, how many bones were baked and how many keys each got on the average; how many
    objects that it moves were keyed too."""

    plant: str
    action: str
    bones: int
    keys_each: float
    things: int = 0


def bake_now(
    context: bpy.types.Context, objects: bpy.types.Object | Sequence[bpy.types.Object], options: BakeOptions
) -> list[Baked]:
    """Bake one plant or several, in one simulation, and those that they touch. Raises PlantError; nothing is changed
    then."""
    warm_up()
    return result_of(bake(context, objects, options))


def bake(
    context: bpy.types.Context, objects: bpy.types.Object | Sequence[bpy.types.Object], options: BakeOptions
) -> Generator[float, None, list[Baked]]:
    """The same step by step, yielding progress 0..1.

    Nothing is changed before the last progress below 1, so it can be given up until then: close() puts everything back.
    Then keys are written, which must be brought to its end. What the mouse holds is no part of it and is forgotten,
    unless it was kept as handles.
    """
    plants = [objects] if isinstance(objects, bpy.types.Object) else list(dict.fromkeys(objects))
    plants = with_others(context.scene, plants)
    options.check(context.scene)
    for obj in plants:
        give_names_back(obj)
    _check_edited(plants, options)
    for obj in plants:
        held = session_of(obj)
        if held is not None:
            held.forget_grabs()
    sessions: dict[str, Session] = {}
    with actions_before_bake(plants):
        check_objects(plants, options.target)
    try:
        with animation_before_bake(context.scene, plants):
            walk = simulate_range(context, plants, options.last_frame, allow_stopped=options.allow_stopped)
            for progress, found in walk:
                sessions = found
                yield 0.95 * progress
    except ReferenceError:
        raise PlantError("A plant was deleted while it was baked") from None
    keys = []
    for obj in plants:
        _check_loop(obj, sessions[obj.name_full], options)
        steps = meanwhile(partial(_points, sessions[obj.name_full], options))
        points, places = yield from part(steps, 0.95, 0.95)
        keys.append((points, places, things_points(sessions[obj.name_full], options)))
    shared = _shared_action(plants) if options.target == "SLOT" else None
    baked = []
    with frame_handler_paused():
        for obj, (points, places, things) in zip(plants, keys, strict=True):
            session = sessions[obj.name_full]
            done = yield from _write(obj, session.plant.shown, points, places, options, shared)
            write_things(obj, session, things, options)
            baked.append(replace(done, things=len(things)))
    show_again(context.scene)
    return baked


def _check_edited(plants: list[bpy.types.Object], options: BakeOptions) -> None:
    edited = [f"'{obj.name}'" for obj in plants if options.edited == "REFUSE" and is_edited(obj)]
    if edited:
        raise PlantError(
            "The baked keys of {names} have been edited since. Choose to replace them or to keep a copy of them, "
            "or Clear Bake first",
            names=", ".join(edited),
        )


def _check_loop(obj: bpy.types.Object, session: Session, options: BakeOptions) -> None:
    if options.loop_frames and session.broken_at(options.last_frame) is not None:
        raise PlantError(
            "'{object}' breaks, which no loop undoes. Turn Loop off, or bake the frames before",
            object=obj.name,
        )
    if options.loop_frames and session.plant.things:
        raise PlantError("'{object}' moves objects, which no loop brings back. Turn Loop off", object=obj.name)


def _points(session: Session, options: BakeOptions) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Frames and values of the keys, by paths: of all bones' rotations (4, keys, 2), and of the locations and scales
    (3, keys, 2) of bones that come off or that constraints lead there."""
    frames = range(options.first_frame, options.last_frame + 1)
    channels = continuous(np.stack([session.channels_at(frame) for frame in frames]))
    if options.loop_frames:
        lead = range(options.first_frame - options.loop_frames, options.first_frame + 1)
        channels = closed(channels, np.stack([session.channels_at(frame) for frame in lead]))
    grid = options.frames()
    channels = channels[grid - options.first_frame]
    points = np.empty((channels.shape[1], 4, len(grid), 2), dtype=np.float32)
    points[..., 0] = grid
    points[..., 1] = channels.transpose(1, 2, 0)
    paths = [rotation_path(name) for name in session.plant.shown]
    places = _places(session, grid)
    if not options.max_error:
        return dict(zip(paths, points, strict=True)), places
    needed = needed_keys(grid, channels, options.max_error)
    kept = [np.ascontiguousarray(of_bone[:, needed[:, bone]]) for bone, of_bone in enumerate(points)]
    return dict(zip(paths, kept, strict=True)), places


def _places(session: Session, grid: np.ndarray) -> dict[str, np.ndarray]:
    """Keys (3, keys, 2) of the locations of the bones that are off at any of the frames, and of what constraints lead,
    by their paths."""
    frames = [session.shown_at(int(frame)) for frame in grid]
    found, names = dict[str, np.ndarray](), session.plant.shown
    led = [frame.led for frame in frames if frame.led is not None]
    for row, bone in enumerate(led[0].bone.tolist() if led else ()):
        if led[0].moves[row]:
            found[location_path(names[bone])] = _keys(grid, [one.location[row] for one in led])
        if led[0].scales[row]:
            found[scale_path(names[bone])] = _keys(grid, [one.scale[row] for one in led])
    broken = [frame.broken for frame in frames]
    for bone, name in enumerate(names):
        if any(one is not None and one.state[bone] == OFF for one in broken):
            path = location_path(name)
            before = found[path][..., 1].T if path in found else np.zeros((len(grid), 3))
            is_off = [one is not None and one.state[bone] == OFF for one in broken]
            places = zip(broken, before, is_off, strict=True)
            found[path] = _keys(grid, [one.location[bone] if off else place for one, place, off in places])
    return found


def _keys(grid: np.ndarray, values: Sequence[np.ndarray]) -> np.ndarray:
    """(3, keys, 2) keys at these frames."""
    points = np.empty((3, len(grid), 2), dtype=np.float32)
    points[..., 0], points[..., 1] = grid, np.array(values).T
    return points


def _shared_action(plants: list[bpy.types.Object]) -> bpy.types.Action | None:
    """The new action of all plants that have none to make a slot in."""
    with actions_before_bake(plants):
        wanting = [obj for obj in plants if not (obj.animation_data and obj.animation_data.action)]
    return bpy.data.actions.new("Plant Motion") if wanting and has_slots() else None


def _write(
    obj: bpy.types.Object,
    names: tuple[str, ...],
    points: dict[str, np.ndarray],
    places: dict[str, np.ndarray],
    options: BakeOptions,
    shared: bpy.types.Action | None,
) -> Generator[float, None, Baked]:
    settings = obj.plant_dynamics
    edited = settings.is_baked and options.edited != "REFUSE" and is_edited(obj)
    if edited and options.edited == "KEEP":
        _keep_copy(obj)
    kept = False
    if settings.is_baked:
        if options.part_only:
            present = baked_points(obj)
            kept = edited and bool(present)
            points = {path: _joined(present.get(path), new) for path, new in points.items()}
            placed = {path: one for path, one in present.items() if posed(path)[0] in names}
            places = _joined_places(placed, places, options)
            points, places = _same_range(points, places)
        with rotations_before_bake(obj):
            clear_bake(obj)
    put_back_moved(obj)
    take_bones(obj, names, places)
    live.retire(obj)
    action = yield from write(obj, options.target, points | places, shared)
    settings.is_baked = True
    sign(obj, points | places, with_edits=kept)
    return Baked(obj.name, action.name, len(names), sum(one.shape[1] for one in points.values()) / len(points))


def _keep_copy(obj: bpy.types.Object) -> None:
    """A copy of the edited action stays in the file."""
    action = shown_action(obj)
    if action is not None:
        copy = action.copy()
        copy.name = f"{action.name} Edited"
        copy.use_fake_user = True


def _joined(present: np.ndarray | None, new: np.ndarray) -> np.ndarray:
    """The present keys outside the range of the new ones, and the new ones, with signs that fit."""
    if present is None:
        return new
    first, last = new[0, 0, 0], new[0, -1, 0]
    early, late = present[:, present[0, :, 0] < first].copy(), present[:, present[0, :, 0] > last].copy()
    new = new.copy()
    if new.shape[0] == 4:  # quaternions
        if early.shape[1] and (early[:, -1, 1] * new[:, 0, 1]).sum() < 0.0:
            new[:, :, 1] *= -1.0
        if late.shape[1] and (late[:, 0, 1] * new[:, -1, 1]).sum() < 0.0:
            late[:, :, 1] *= -1.0
    return np.concatenate([early, new, late], axis=1)


def _joined_places(
    present: dict[str, np.ndarray], new: dict[str, np.ndarray], options: BakeOptions
) -> dict[str, np.ndarray]:
    """The same of locations and scales, of bones that have them in either bake; where one has none they are as drawn.
    """
    kept = {path: points for path, points in present.items() if posed(path)[1] in PLACES}
    frames = np.unique([points[0, [0, -1], 0] for points in present.values()])
    first, last = (int(frames[0]), int(frames[-1])) if len(frames) else (options.first_frame, options.last_frame)
    before, now = np.arange(first, last + 1), options.frames()
    return {
        path: _joined(kept.get(path, _as_drawn(path, before)), new.get(path, _as_drawn(path, now)))
        for path in kept | new
    }


def _as_drawn(path: str, frames: np.ndarray) -> np.ndarray:
    """(3, keys, 2) keys of a bone that is where it was, and as large."""
    return _keys(frames, np.full((len(frames), 3), PLACES[posed(path)[1]]))


def _same_range(*points: dict[str, np.ndarray]) -> list[dict[str, np.ndarray]]:
    """All bones' keys from the same first frame to the same last, for bones that the present bake has not."""
    every = [one for some in points for one in some.values()]
    first, last = min(one[0, 0, 0] for one in every), max(one[0, -1, 0] for one in every)
    return [{path: _extended(one, first, last) for path, one in some.items()} for some in points]


def _extended(points: np.ndarray, first: float, last: float) -> np.ndarray:
    """The keys, with the first and the last once more at these frames, if they begin later or end before."""
    head, tail = points[:, :1].copy(), points[:, -1:].copy()
    head[..., 0], tail[..., 0] = first, last
    parts = [head] * bool(points[0, 0, 0] > first) + [points] + [tail] * bool(points[0, -1, 0] < last)
    return np.concatenate(parts, axis=1)


def clear_bake(obj: bpy.types.Object) -> None:
    """Take the baked keys away and give action, slot, NLA tracks, rotation modes and pose back as they were.

    Where the user has gone on animating in the baked action or slot, that stays in use, without the bones' rotations,
    and the action from before is kept in the file.
    """
    settings = obj.plant_dynamics
    follow_renamed_slots(obj)
    clear_keys(obj)
    give_bones_back(obj)
    clear_things(obj)
    settings.property_unset("is_baked")
    for name in ("slot_before", "slot_before_handle", "last_slot_before", "had_animation_data", "baked_to",
                 "baked_slot", "baked_slot_handle", "baked_track", "baked_first", "baked_last",
                 "bake_fingerprint"):  # fmt: skip
        settings.property_unset(name)
