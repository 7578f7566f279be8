# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast a plant swings by itself, measured when asked for and remembered until the plant changes."""

from collections.abc import Generator
from dataclasses import dataclass

import bpy
import numpy as np

from ....solver import Damped, SolverError, modal_damping, natural_modes
from ...blender.meanwhile import meanwhile
from ...changes import version
from ...memory import Measured
from ..rig.armature_reader import as_plant_error, read_armature
from ..surroundings.inputs import read_sample
from ..surroundings.samples import under_own_weight
from .damping_ratio import damped_by_ratio


@dataclass(frozen=True)
class Frequencies:
    """hertz: of the lowest modes, ascending; ratio: share of critical damping of the first, without the air's."""

    hertz: tuple[float, ...]
    ratio: float


_measured: Measured[Frequencies] = Measured()


def measure(
    obj: bpy.types.Object, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph, count: int
) -> Generator[float, None, Frequencies]:
    """The lowest modes of the plant about its equilibrium under its own weight, in the world of the present frame, in
    steps.

    Raises PlantError where there is no stable equilibrium.
    """
    settings, asked = obj.plant_dynamics, version(obj)
    plant = read_armature(obj, obj.evaluated_get(depsgraph).matrix_world)
    sample = read_sample(obj, plant, scene, depsgraph)
    start = "keep_shape" if settings.start == "keep_shape" else "settled"
    ratio: float | None = None
    if settings.damping_mode == "RATIO":
        ratio = 0.01 * settings.damping_ratio * settings.damping_factor

    def solve() -> tuple[list[np.ndarray], list[Damped]]:
        each = list(zip(plant.models, under_own_weight(sample, plant), strict=True))
        hertz = [natural_modes(model, own, min(count, 3 * model.body_count), start).frequency for model, own in each]
        if ratio is not None:
            return hertz, damped_by_ratio(plant, ratio, sample, start)
        return hertz, [modal_damping(model, own, start) for model, own in each]

    try:
        hertz, damped = yield from meanwhile(solve)
    except SolverError as error:
        raise as_plant_error(error, obj.name, plant.bones) from error
    first = min(damped, key=lambda one: one.frequency)
    result = Frequencies(tuple(np.sort(np.concatenate(hertz))[:count].tolist()), first.ratio)
    return _measured.keep(obj, result, asked)


def measured(obj: bpy.types.Object) -> Frequencies | None:
    """What was measured of the object, if it has not changed since."""
    return _measured.of(obj)
