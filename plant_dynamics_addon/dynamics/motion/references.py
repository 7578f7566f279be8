# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the pose that plants follow has their bones, in the frames that have been looked at."""

from collections.abc import Iterator

import bpy
import numpy as np

from ....solver import Sample, rotations
from ...blender.in_bulk import values_of
from ...plants import dynamic_objects
from ..rig.plant import Plant
from .sessions import session_of


def reference_ends(plant: Plant, world: Sample) -> np.ndarray:
    """(m, 2, 3) m: heads and tails of the plant's rods in world axes where their springs are relaxed."""
    m = len(plant.bones)
    pose = np.tile([1.0, 0.0, 0.0, 0.0], (m, 1)) if world.pose is None else np.array(world.pose)
    on = np.repeat(np.arange(len(plant.parts)), [len(part) for part in plant.parts])
    turned, head = np.array(world.base_orientation)[on], np.array(world.base_position)[on]
    length = np.concatenate([part.array("length") for part in plant.parts])
    if world.stretch is not None:
        length = length * np.array(world.stretch)
    offset = plant.offsets_in(world)
    own = rotations.multiply(plant.rest, pose)
    for rods in plant.levels:
        below = plant.parent[rods]
        inner = below >= 0
        at = np.where(inner[:, None], head[below], head[rods])
        by = np.where(inner[:, None], turned[below], turned[rods])
        head[rods] = at + rotations.rotate(by, offset[rods])
        turned[rods] = rotations.multiply(by, own[rods])
    along = np.zeros((m, 3))
    along[:, 1] = length
    return np.stack([head, head + rotations.rotate(turned, along)], axis=1)


def shown_references(scene: bpy.types.Scene) -> Iterator[np.ndarray]:
    """(m, 2, 3) m for each plant whose ghost is to be seen, at the scene's frame, if that has been looked at."""
    for obj in dynamic_objects(scene):
        session = session_of(obj) if obj.plant_dynamics.following.show_reference else None
        if session is not None:
            index, worlds = session.recording.index(scene.frame_current), session.recording.worlds
            if 0 <= index < len(worlds):
                yield reference_ends(session.plant, worlds[index])[_leads(session.plant, worlds[index], obj)]


def _leads(plant: Plant, world: Sample, obj: bpy.types.Object) -> np.ndarray:
    """(m,) which of the plant's rods follow their pose or, where none does now, may follow it at another frame."""
    count = len(plant.bones)
    share = np.zeros(count) if world.follow is None else np.broadcast_to(world.follow, count)
    if (share > 0.0).any():
        return share > 0.0
    may = np.ones(count, dtype=bool)
    may[plant.moving] = values_of(obj.pose.bones, "plant_dynamics_follow")[plant.pose_index, 0] > 0.0
    return may
