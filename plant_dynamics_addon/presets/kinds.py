# SPDX-License-Identifier: GPL-3.0-or-later
"""What there are presets of: whose settings, and which of them a preset holds."""

from collections.abc import Callable
from dataclasses import dataclass

import bpy

from ..errors import PlantError
from ..material_columns import COLUMNS, plant_columns
from ..plants import active_plant


@dataclass(frozen=True)
class Kind:
    """name: also that of the folder; owner: what has the settings; names: the properties a preset holds."""

    name: str
    label: str
    owner: Callable[[bpy.types.Context], bpy.types.PropertyGroup]
    names: tuple[str, ...]


def _plant(context: bpy.types.Context) -> bpy.types.PropertyGroup:
    plant = active_plant(context)
    if plant is None:
        raise PlantError("Make the armature dynamic first")
    return plant.plant_dynamics


KINDS = {
    kind.name: kind
    for kind in (
        Kind("plant", "Plant Presets", _plant,
             (*(column.name for column in COLUMNS.values() if column.of_plant), "gravity_factor", "start")),
        Kind("contact", "Contact Presets", _plant, tuple(column.name for column in plant_columns("CONTACT"))),
        Kind("follow", "Follow Presets", lambda context: _plant(context).following,
             ("share", "recovery", "damping_ratio", "largest_moment")),
        Kind("wind", "Wind Presets", lambda context: context.scene.plant_dynamics.wind, (
            "use_air", "source", "speed", "turbulence_intensity", "length_scale", "shelter", "spectrum",
            "use_loop", "loop_frames", "height_exponent", "reference_height", "custom", "air_density", "buoyancy",
        )),
        Kind("bake", "Bake Presets", lambda context: context.scene.plant_dynamics_bake, (
            "target", "frame_range", "step", "part_only", "use_decimation", "max_error", "use_loop", "loop_frames",
        )),
    )
}  # fmt: skip
