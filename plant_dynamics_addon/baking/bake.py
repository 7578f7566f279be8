# SPDX-License-Identifier: GPL-3.0-or-later
"""Bake: simulate a frame range and write it to an action of its own, which also keeps the user's other curves."""

from collections.abc import Iterator
from dataclasses import dataclass

import bpy
import numpy as np

from ..dynamics import live
from ..dynamics.frames import frame_handler_paused
from ..dynamics.pose_writer import give_back, take_over
from ..dynamics.quaternions import continuous
from ..dynamics.registry import take_inputs_changed
from ..dynamics.session import Session, clear_sessions, open_session
from ..errors import PlantError
from .action_writer import curve_owner, has_slots, other_curves, remove_rotations, write_rotations


@dataclass(frozen=True)
class BakeOptions:
    """first_frame, last_frame: keys are written on every frame from the first to the last, both included. The
    simulation always begins at the scene's first frame."""

    first_frame: int
    last_frame: int


def simulate_range(
    context: bpy.types.Context, objects: list[bpy.types.Object], last_frame: int
) -> Iterator[tuple[float, dict[str, Session]]]:
    """Sample the scene and simulate up to last_frame, yielding (progress 0..1, sessions by object name) per frame.

    The scene's frame is put back at the end, also when the iteration is given up. Raises PlantError.
    """
    scene = context.scene
    frame_before, subframe_before = scene.frame_current, scene.frame_subframe
    sessions: dict[str, Session] = {}
    clear_sessions(take_inputs_changed())
    try:
        with frame_handler_paused():
            first = scene.frame_start
            for frame in range(first, last_frame + 1):
                scene.frame_set(frame)
                depsgraph = context.evaluated_depsgraph_get()
                for obj in objects:
                    if obj.name not in sessions:
                        sessions[obj.name] = open_session(obj, scene, depsgraph)
                    session = sessions[obj.name]
                    session.see(obj, scene, depsgraph, frame)
                    session.channels_at(frame)
                yield (frame - first + 1) / (last_frame - first + 1), sessions
    finally:
        scene.frame_set(frame_before, subframe=subframe_before)


def bake(context: bpy.types.Context, obj: bpy.types.Object, options: BakeOptions) -> Iterator[float]:
    """Bake one plant, yielding progress 0..1. Nothing is changed until the last step, so it can be given up before."""
    if options.first_frame < context.scene.frame_start:
        raise PlantError(f"The bake begins at frame {options.first_frame}, before the scene's first frame")
    if options.last_frame <= options.first_frame:
        raise PlantError("The bake's last frame must come after its first")
    if obj.animation_data and obj.animation_data.use_tweak_mode:
        raise PlantError(f"'{obj.name}' is in the tweak mode of the NLA editor. Leave it (Tab) and bake again")
    session: Session | None = None
    for progress, sessions in simulate_range(context, [obj], options.last_frame):
        session = sessions[obj.name]
        yield 0.95 * progress
    assert session is not None
    frames = range(options.first_frame, options.last_frame + 1)
    channels = continuous(np.stack([session.channels_at(frame) for frame in frames]))
    if obj.plant_dynamics.is_baked:
        clear_bake(obj)
    take_over(obj)
    live.retire(obj)
    _write(obj, session.plant.names, options.first_frame, channels)
    context.scene.frame_set(context.scene.frame_current)
    yield 1.0


def _write(obj: bpy.types.Object, bones: tuple[str, ...], first_frame: int, channels: np.ndarray) -> None:
    settings = obj.plant_dynamics
    data = obj.animation_data or obj.animation_data_create()
    before = data.action
    settings.action_before = before
    settings.slot_before = data.action_slot.identifier if has_slots() and data.action_slot else ""
    action = before.copy() if before else bpy.data.actions.new("")
    action.name = f"{obj.name} Plant Motion"
    owner = curve_owner(obj, action)
    remove_rotations(owner, bones)
    write_rotations(owner, bones, first_frame, channels)
    settings.baked_action = action
    settings.is_baked = True


def clear_bake(obj: bpy.types.Object) -> None:
    """Take the baked keys away and give the bones' former curves back.

    The action from before the bake is assigned again, unless the baked one has been edited since: then only the baked
    curves are removed from it, and the former action is kept in the file.
    """
    settings = obj.plant_dynamics
    baked, before, slot_before = settings.baked_action, settings.action_before, settings.slot_before
    bones = tuple(bone.name for bone in obj.pose.bones)
    settings.baked_action = settings.action_before = None
    settings.slot_before = ""
    settings.is_baked = False
    give_back(obj)
    data = obj.animation_data
    if not baked or not data or data.action != baked:
        return
    edited = other_curves(baked, bones) != (other_curves(before, bones) if before else [])
    if edited:
        remove_rotations(curve_owner(obj, baked), bones)
        if before:
            before.use_fake_user = True
        return
    data.action = before
    if before and has_slots() and slot_before in before.slots:
        data.action_slot = before.slots[slot_before]
    if baked.users == 0:  # a copy of the object may have the same bake
        bpy.data.actions.remove(baked)
