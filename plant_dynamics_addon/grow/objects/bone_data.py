# SPDX-License-Identifier: GPL-3.0-or-later
"""The physical numbers of a grown skeleton, written to its bones."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager

import bpy
import numpy as np

from ....lsystem import ORGANS, Skeleton
from ....solver import AIR_DENSITY
from ...changes import armature_changed, unheard
from ...material_columns import COLUMNS

#: So many bones are written in a few hundredths of a second.
AT_ONCE = 500
#: Flowers and buds touch as if they were so much of their width thick, from their middle. A bud's sepals stand out.
_THICK = {"flower": 0.45, "bud": 0.465}
#: Wind (m/s) in which the widest leaves of a plant face it with 0.7 of their width, as broad ones roll up between 10
#: and 20 m/s (Vogel 1989); and the rigidity (N mm) that small ones have at least.
_ROLLS_AT, _THIN = 10.0, 1.0


def bone_data_in_steps(
    armature: bpy.types.Object, skeleton: Skeleton, names: list[str]
) -> Generator[float, None, None]:
    """Write radius, organ and material of every segment to `Bone.plant_dynamics` of the bone of that name; yields
    progress 0..1.

    What the text says nothing about (NaN) is left at the property's default: inherited from the armature's material.
    """
    bones = armature.data.bones
    grown = [column for column in COLUMNS.values() if column.grown]
    columns = {column.name: getattr(skeleton, column.grown) / column.unit for column in grown}
    choices = {column.name: column.choices for column in grown}
    known = {attribute: np.isfinite(values).tolist() for attribute, values in columns.items()}
    values = {attribute: np.asarray(values, dtype=float).tolist() for attribute, values in columns.items()}
    for first in range(0, len(names), AT_ONCE):
        with _told_once(armature):
            for index in range(first, min(first + AT_ONCE, len(names))):
                data = bones[names[index]].plant_dynamics
                data.organ = ORGANS[skeleton.organ[index]]
                for attribute in columns:
                    if known[attribute][index]:
                        value = values[attribute][index]
                        setattr(data, attribute, choices[attribute][int(value)] if choices[attribute] else value)
        yield first / len(names)
    with _told_once(armature):
        for index in np.flatnonzero(skeleton.joint != 1.0).tolist():
            bones[names[index]].plant_dynamics.stiffness_factor = float(skeleton.joint[index])
        for index in np.flatnonzero(skeleton.pinned).tolist():
            bones[names[index]].plant_dynamics.pinned = True


@contextmanager
def _told_once(armature: bpy.types.Object) -> Iterator[None]:
    """Numbers of many bones are set meanwhile, which is one change."""
    with unheard():
        yield
    armature_changed(armature.data)


def write_air_data(armature: bpy.types.Object, skeleton: Skeleton, names: list[str], area: np.ndarray) -> None:
    """Write what the air takes hold of: the area (n, m2) of leaves, and how hard they are to roll up; of flowers
    the diameter instead of their rod's. And how wide flowers and buds touch, which are drawn wider than their rods."""
    bones, settings = armature.data.bones, armature.plant_dynamics
    widest = float((area / skeleton.length).max(initial=0.0))
    rigid = AIR_DENSITY * settings.blade_drag_normal * (0.5 * widest) ** 3 * _ROLLS_AT**2 / 16.0  # N m
    settings.blade_rigidity = max(_THIN, float(f"{1e3 * rigid:.2g}"))
    with _told_once(armature):
        for index in np.flatnonzero(area > 0.0).tolist():
            bones[names[index]].plant_dynamics.blade_area = float(area[index])
        for organ, thick in _THICK.items():
            chosen = (skeleton.organ == ORGANS.index(organ)) & (skeleton.width > 0.0)
            for index in np.flatnonzero(chosen).tolist():
                data, width = bones[names[index]].plant_dynamics, float(skeleton.width[index])
                diameter = float(skeleton.radius_base[index] + skeleton.radius_tip[index])
                data.margin = max(0.0, thick * width - 0.5 * diameter)
                if organ == "flower":
                    data.drag_factor = width / diameter
