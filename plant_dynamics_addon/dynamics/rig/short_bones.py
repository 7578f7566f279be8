# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones without a length to speak of, which importers leave at the ends of chains. Their parents carry them."""

from collections.abc import Sequence

import bpy
import numpy as np

from ...blender.in_bulk import values_of

_SHORTEST = 1e-6  # m
_SHORTEST_SHARE = 5e-5  # of the longest bone: Blender gives bones that were drawn without a length a tiny one


def least_length(lengths: np.ndarray) -> float:
    """Below this (m) a bone counts as one without a length, among bones of these lengths (m)."""
    return max(_SHORTEST, _SHORTEST_SHARE * float(lengths.max(initial=0.0)))


def short_bones(bones: bpy.types.ArmatureBones, scale: float) -> list[str]:
    """Names of the simulated bones that have no length, in an armature of this scale."""
    lengths = values_of(bones, "length")[:, 0] * scale
    few = [bones[i] for i in np.flatnonzero(lengths < least_length(lengths)).tolist()]
    return [bone.name for bone in few if bone.plant_dynamics.use_physics]


def lengthen(armature: bpy.types.Armature, names: Sequence[str]) -> None:
    """In Edit Mode: make the bones a quarter as long as their parents, or as the mean bone, and as thick as its end."""
    bones = armature.edit_bones
    others = [bone.length for bone in bones if bone.name not in names]
    mean = sum(others) / len(others) if others else 1.0
    for name in names:
        bone = bones[name]
        above = bone.parent
        length = 0.25 * (above.length if above and above.name not in names else mean)
        along = bone.vector if bone.vector.length > 1e-4 * length else above.vector if above else bone.z_axis
        bone.tail = bone.head + along.normalized() * length


def delete(armature: bpy.types.Armature, names: Sequence[str]) -> None:
    """In Edit Mode: remove the bones; their children become those of their parents."""
    for name in names:
        bone = armature.edit_bones[name]
        for child in bone.children:
            child.use_connect = False
            child.parent = bone.parent
        armature.edit_bones.remove(bone)
