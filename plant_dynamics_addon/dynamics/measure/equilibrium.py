# SPDX-License-Identifier: GPL-3.0-or-later
"""A plant's pose at rest, by the solver's statics or by Hall's chain algorithm, as pose channels."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ....solver import Simulation, SolverError, hall_chain
from ...blender.meanwhile import meanwhile
from ...errors import PlantError
from ..rig.armature_reader import as_plant_error, read_armature
from ..rig.plant import Plant
from ..rig.quaternions import conjugate, multiply
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
    residual = f"residual {found.residual:.1e} of the weight's moment"
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
        raise PlantError(f"'{obj.name}': Hall's chain takes bones on one carrier only. Use Settled")
    sample = read_sample(obj, plant, scene, depsgraph)
    rods, base = plant.parts[0], np.array(sample.base_orientation, dtype=np.float64)[0]
    gravity = _unrotated(base, np.array(sample.gravity, dtype=np.float64)[None] * _over_stiffness(sample))[0]
    middle = np.zeros((len(plant.parent), 3)) if sample.force is None else np.array(sample.force, dtype=np.float64)
    force = _at_tips(plant, _unrotated(base, middle) * _over_stiffness(sample))
    try:
        found = yield from meanwhile(lambda: hall_chain(rods, gravity, force, **options))
    except SolverError as error:
        raise as_plant_error(error, obj.name, plant.bones) from error
    chord = found.tail - found.head
    same_side = np.where((found.frame * found.tip_frame).sum(axis=1) < 0.0, -1.0, 1.0)[:, None]
    mean = found.frame + same_side * found.tip_frame
    mean /= np.linalg.norm(mean, axis=1)[:, None]
    warning = "" if found.converged else "It did not converge: take more Segments, more Increments, or Cautious steps"
    if not warning and (sample.wind is not None or np.size(sample.pull_rod) or np.any(sample.twist)):
        warning = "Weight and forces only: wind, handles and twists are not part of this method"
    residual = f"residual {found.residual:.1e} rad, path error {found.path_error:.1e} rad"
    channels = plant.channels(_pointing(mean, chord))
    return AtRest(plant.pose_index, channels, found.iterations, residual, found.converged, warning)


def _over_stiffness(sample: Any) -> float:
    """Factor on the loads that stands for a factor on the stiffness: balance depends on their ratio only."""
    return 1.0 / max(float(sample.stiffness_scale), 1e-9)


def _at_tips(plant: Plant, middle: np.ndarray) -> np.ndarray:
    """Forces (n, 3) on the bones' middles as forces on the tips: half at the tip, half at the head."""
    force = 0.5 * middle
    above = np.flatnonzero(plant.parent >= 0)
    np.add.at(force, plant.parent[above], 0.5 * middle[above])
    return force


def _unrotated(orientation: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """World vectors (n, 3) in the axes of a base with this orientation (4,)."""
    pure = np.concatenate([np.zeros((len(vectors), 1)), vectors], axis=1)
    base = np.broadcast_to(orientation, pure.shape)
    return multiply(multiply(conjugate(base), pure), base)[:, 1:]


def _pointing(orientation: np.ndarray, direction: np.ndarray) -> np.ndarray:
    """The frames (n, 4), each turned the shortest way until its Y axis has the direction (n, 3)."""
    y = np.zeros_like(orientation)
    y[:, 2] = 1.0
    axis = multiply(multiply(orientation, y), conjugate(orientation))[:, 1:]
    turn = np.empty_like(orientation)
    turn[:, 0] = np.linalg.norm(direction, axis=1) + (axis * direction).sum(axis=1)
    turn[:, 1:] = np.cross(axis, direction)
    size = np.linalg.norm(turn, axis=1)[:, None]
    unit = np.where(size > 1e-12, turn / np.maximum(size, 1e-12), (1.0, 0.0, 0.0, 0.0))
    return multiply(unit, orientation)
