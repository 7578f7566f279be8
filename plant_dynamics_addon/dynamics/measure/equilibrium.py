# SPDX-License-Identifier: GPL-3.0-or-later
"""A plant's pose at rest, by the solver's statics or by Hall's chain algorithm, as pose channels."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ....solver import ChainEquilibrium, Sample, Simulation, SolverError, hall_chain, rotations
from ...blender.meanwhile import meanwhile
from ...errors import PlantError
from ..rig.armature_reader import as_plant_error, read_armature
from ..rig.plant import Plant
from ..surroundings.inputs import read_sample


@dataclass(frozen=True)
class AtRest:
    """pose_index (n,), channels (n, 4): the bones' rotations; residual: in words, as the method defines it."""

    pose_index: np.ndarray
    channels: np.ndarray
    iterations: int
    residual: str
    is_balanced: bool
    warning: str


def settled(
    obj: bpy.types.Object, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph
) -> Generator[float, None, AtRest]:
    """Where the plant sinks to under all that acts on it at the present frame, in steps. Raises PlantError."""
    plant = read_armature(obj, obj.evaluated_get(depsgraph).matrix_world)
    simulation = Simulation(plant.models)
    try:
        sample = read_sample(obj, plant, scene, depsgraph)
        found = yield from meanwhile(lambda: simulation.start(sample, "settled", plant.initial))
    except SolverError as error:
        raise as_plant_error(error, obj.name, plant.bones) from error
    assert found is not None
    warning = (
        "It toppled or bent over: several equilibria are likely"
        if found.fell
        else ""
        if found.stable
        else "It did not come to rest in a stable pose"
    )
    channels = plant.channels(simulation.rod_orientations())
    residual = f"out of balance by {found.residual:.1e} of the weight's moment"
    return AtRest(plant.pose_index, channels, found.iterations, residual, found.balanced, warning)


def by_hall(
    obj: bpy.types.Object, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph, **options: Any
) -> Generator[float, None, AtRest]:
    """Where Hall's chain algorithm brings the plant under its weight and the forces on its bones, in steps. Raises
    PlantError.

    options: element, form, step, segments, increments and iterations of `hall_chain`. Handles, twists, and air are
    not part of it.
    """
    plant = read_armature(obj, obj.evaluated_get(depsgraph).matrix_world)
    if len(plant.parts) > 1:
        raise PlantError("'{object}': Hall's chain takes bones on one carrier only. Use Settled", object=obj.name)
    sample, rods = read_sample(obj, plant, scene, depsgraph), plant.parts[0]
    gravity, force = _loads_in_base(plant, sample)
    try:
        found = yield from meanwhile(lambda: hall_chain(rods, gravity, force, **options))
    except SolverError as error:
        raise as_plant_error(error, obj.name, plant.bones) from error
    warning = "" if found.converged else "It did not converge: take more Segments, more Increments, or Cautious steps"
    if not warning and (sample.wind is not None or np.size(sample.pull_rod) or np.any(sample.twist)):
        warning = "Weight and forces only: wind, handles and twists are not part of this method"
    residual = f"angles off by {found.residual:.1e} rad, the path by {found.path_error:.1e} rad"
    channels = plant.channels(_mean_frames(found))
    return AtRest(plant.pose_index, channels, found.iterations, residual, found.converged, warning)


def _loads_in_base(plant: Plant, sample: Sample) -> tuple[np.ndarray, np.ndarray]:
    """Gravity (3,) m/s2 and forces (m, 3) N on the rods' tips in the base's axes, over the factor on the stiffness,
    which they stand for: balance depends on their ratio only."""
    to_base = rotations.conjugate(np.array(sample.base_orientation, dtype=np.float64)[0])
    factor = 1.0 / max(float(np.asarray(sample.stiffness_scale)), 1e-9)
    gravity = _turned(to_base, np.array(sample.gravity, dtype=np.float64)[None] * factor)[0]
    middle = np.zeros((len(plant.parent), 3)) if sample.force is None else np.array(sample.force, dtype=np.float64)
    halves = 0.5 * (_turned(to_base, middle) * factor)
    force, above = halves.copy(), np.flatnonzero(plant.parent >= 0)  # half at the tip, half at the head
    np.add.at(force, plant.parent[above], halves[above])
    return gravity, force


def _mean_frames(found: ChainEquilibrium) -> np.ndarray:
    """(m, 4) the mean of each rod's frames at its ends, turned the shortest way until its Y axis is along the rod."""
    same_side = np.where((found.frame * found.tip_frame).sum(axis=1) < 0.0, -1.0, 1.0)[:, None]
    mean = found.frame + same_side * found.tip_frame
    mean /= np.linalg.norm(mean, axis=1)[:, None]
    chord = found.tail - found.head
    axis = _turned(mean, np.broadcast_to((0.0, 1.0, 0.0), chord.shape))
    turn = np.empty_like(mean)
    turn[:, 0] = np.linalg.norm(chord, axis=1) + (axis * chord).sum(axis=1)
    turn[:, 1:] = np.cross(axis, chord)
    size = np.linalg.norm(turn, axis=1)[:, None]
    unit = np.where(size > 1e-12, turn / np.maximum(size, 1e-12), (1.0, 0.0, 0.0, 0.0))
    return rotations.multiply(unit, mean)


def _turned(orientation: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Vectors (n, 3) in frames (n, 4) or (4,), in what these are given in. By two products: `rotations.rotate` has
    other last bits, and with them would poses that users have keyed."""
    pure = np.concatenate([np.zeros((len(vectors), 1)), vectors], axis=1)
    turned = rotations.multiply(rotations.multiply(orientation, pure), rotations.conjugate(orientation))
    return turned[:, 1:]
