# SPDX-License-Identifier: GPL-3.0-or-later
"""What is broken of a plant's bones at a frame, and where in their pose channels those lie that came off."""

from typing import NamedTuple

import numpy as np

from ....solver import Sample, rotations
from .plant import Plant

#: What becomes of a bone's joint, as Simulation.broken() tells it.
WHOLE, HANGS, OFF = range(3)


class BrokenBones(NamedTuple):
    """Of the n bones that are shown: state (n,), WHOLE, HANGS or OFF; location (n, 3), channels of the bones that are
    off, and zero for others."""

    state: np.ndarray
    location: np.ndarray


def broken_bones(
    plant: Plant, state: np.ndarray, orientation: np.ndarray, head: np.ndarray, world: Sample,
    parents_scale: np.ndarray | None,
) -> BrokenBones:  # fmt: skip
    """Of rods in these states (m,), with these orientations (m, 4) in their carriers' frames and heads (m, 3) m in the
    world, where the carriers stand as the sample says. parents_scale (m, 3): as of Surroundings.

    Blender puts a bone's head where it is at rest in its parent's frame, and from there by the location channel, which
    is along the bone's axes at rest in that frame; both are scaled with the parent.
    """
    scale, moved = np.ones_like(plant.offset), np.zeros_like(plant.offset)
    if parents_scale is not None:
        scale, moved = parents_scale, plant.offsets_in(world) - parents_scale * plant.offset
    carrier = np.repeat(np.arange(len(plant.models)), [model.rod_count for model in plant.models])
    position, turn = np.array(world.base_position)[carrier], np.array(world.base_orientation)[carrier]
    place = rotations.unrotate(turn, head - position)
    shown, location = np.empty_like(place), np.zeros_like(place)
    for rods in plant.levels:
        below = plant.parent[rods]
        is_root = (below < 0)[:, None]
        frame = np.where(is_root, (1.0, 0.0, 0.0, 0.0), orientation[below])
        start = np.where(is_root, 0.0, shown[below]) + rotations.rotate(frame, scale[rods] * plant.offset[rods])
        is_off = (state[rods] == OFF)[:, None]
        here = start if parents_scale is None else start + rotations.rotate(frame, moved[rods])
        shown[rods] = np.where(is_off, place[rods], here)
        away = np.where(is_off, place[rods] - start, 0.0)
        if parents_scale is not None:
            away = rotations.rotate(frame, rotations.unrotate(frame, away) / scale[rods])
        axes = rotations.multiply(frame, plant.rest[rods])
        location[rods] = rotations.unrotate(axes, away) / plant.scale
    along = len(plant.along.names)
    return BrokenBones(np.pad(state[plant.moving], (0, along)), np.pad(location[plant.moving], ((0, along), (0, 0))))


def broken_between(a: BrokenBones | None, b: BrokenBones | None, share: float) -> BrokenBones | None:
    """From one frame this share of the way to the next, as linear keys go."""
    if b is None:
        return a
    before = np.zeros_like(b.location) if a is None else a.location
    return BrokenBones(b.state, (1.0 - share) * before + share * b.location)
