# SPDX-License-Identifier: GPL-3.0-or-later
"""The physical numbers of a grown skeleton, written to its bones."""

import bpy
import numpy as np

from ....lsystem import ORGANS, Skeleton
from ...material_columns import COLUMNS

#: A flower touches as if it were so much of its width thick, from its middle.
_FLOWER = 0.45


def write_bone_data(armature: bpy.types.Object, skeleton: Skeleton, names: list[str]) -> None:
    """Write radius, organ and material of every segment to `Bone.plant_dynamics` of the bone of that name.

    What the text says nothing about (NaN) is left at the property's default: inherited from the armature's material.
    """
    bones = armature.data.bones
    grown = [column for column in COLUMNS.values() if column.grown]
    columns = {column.name: getattr(skeleton, column.grown) / column.unit for column in grown}
    known = {attribute: np.isfinite(values).tolist() for attribute, values in columns.items()}
    values = {attribute: np.asarray(values, dtype=float).tolist() for attribute, values in columns.items()}
    for index, name in enumerate(names):
        data = bones[name].plant_dynamics
        data.organ = ORGANS[skeleton.organ[index]]
        for attribute in columns:
            if known[attribute][index]:
                setattr(data, attribute, values[attribute][index])
    for index in np.flatnonzero(skeleton.joint != 1.0).tolist():
        bones[names[index]].plant_dynamics.stiffness_factor = float(skeleton.joint[index])
    for index in np.flatnonzero(skeleton.pinned).tolist():
        bones[names[index]].plant_dynamics.pinned = True


def write_air_data(armature: bpy.types.Object, skeleton: Skeleton, names: list[str], area: np.ndarray) -> None:
    """Write what the air takes hold of: the area (n, m2) of leaves; of flowers the diameter instead of their rod's. It
    is as thick as they touch."""
    bones = armature.data.bones
    for index in np.flatnonzero(area > 0.0).tolist():
        bones[names[index]].plant_dynamics.blade_area = float(area[index])
    flowers = (skeleton.organ == ORGANS.index("flower")) & (skeleton.width > 0.0)
    for index in np.flatnonzero(flowers).tolist():
        diameter = float(skeleton.radius_base[index] + skeleton.radius_tip[index])
        bones[names[index]].plant_dynamics.drag_factor = float(skeleton.width[index]) / diameter
        bones[names[index]].plant_dynamics.margin = max(0.0, _FLOWER * float(skeleton.width[index]) - 0.5 * diameter)
