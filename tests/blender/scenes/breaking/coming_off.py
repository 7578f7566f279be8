# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones that come off, and where the solver has them."""

import importlib
from types import ModuleType

import bpy
import numpy as np
from mathutils import Quaternion

from tests.blender.scenes import plants

LAST = 20


def module(addon: ModuleType, name: str) -> ModuleType:
    """A module of the add-on by its name within it."""
    return importlib.import_module(f"{addon.__name__}.plant_dynamics_addon.{name}")


def key_cut(obj: bpy.types.Object, bone: str, frame: int) -> None:
    """Cut the bone from this frame on."""
    for at, cut in ((1, False), (frame, True)):
        obj.pose.bones[bone].plant_dynamics_cut = cut
        obj.pose.bones[bone].keyframe_insert("plant_dynamics_cut", frame=at)


def key_let_go(obj: bpy.types.Object, frame: int) -> None:
    """Let the whole plant go from this frame on."""
    for at, free in ((1, False), (frame, True)):
        obj.plant_dynamics.let_go = free
        obj.keyframe_insert("plant_dynamics.let_go", frame=at)


def farthest(addon: ModuleType, obj: bpy.types.Object, frame: int) -> float:
    """How far (m) the head or the tail of a bone that is off, as the frame is shown, is from where the solver has
    it."""
    session = module(addon, "dynamics.motion.sessions").session_of(obj)
    simulation = session.brought_to(session.recording.index(frame))
    world = session.recording.worlds[session.recording.index(frame)]
    shown, bones, off = plants.matrices(obj), [bone.name for bone in obj.pose.bones], simulation.broken() == 2
    heads, turns, base = simulation.rod_heads(), simulation.rod_orientations(), Quaternion(world.base_orientation[0])
    errors = []
    for rod in np.flatnonzero(off):
        at = shown[bones.index(session.plant.bones[rod])]
        length = obj.data.bones[session.plant.bones[rod]].length
        axes = np.array((base @ Quaternion(turns[rod])).to_matrix()) * obj.matrix_world.median_scale
        errors += [np.abs(at[:3, 3] - heads[rod]).max(), length * np.abs(at[:3, :3] - axes).max()]
    return max(errors, default=0.0)
