# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaves that are curled up at rest: each of a leaf's bones by its share."""

from collections.abc import Sequence

import bpy
import numpy as np

from .....solver import rotations
from ....blender.moving_data import animated_channels

#: The property, as curves name it.
_PATH = "plant_dynamics.leaf_curl"


def curls(obj: bpy.types.Object) -> bool:
    """Whether the plant's leaves are curled at any frame."""
    return obj.plant_dynamics.leaf_curl != 0.0 or (_PATH, 0) in animated_channels(obj)


def shares_of_curl(bones: Sequence[bpy.types.Bone], parent: np.ndarray, has_joint: np.ndarray) -> np.ndarray:
    """(m,) share of its leaf's curl that each bone turns by: leaves' bones in a row, with joints, all alike; others
    none. parent (m,): of each bone, -1 for none; has_joint (m,)."""
    leaf = np.array([float(bone.plant_dynamics.organ == "leaf") for bone in bones]) * has_joint > 0.0
    children = np.bincount(parent[(parent >= 0) & leaf], minlength=len(bones))
    first = np.arange(len(bones))
    for i in np.flatnonzero(leaf).tolist():  # parents first
        below = int(parent[i])
        if below >= 0 and leaf[below] and children[below] == 1 and bones[i].use_connect:
            first[i] = first[below]
    counts = np.bincount(first[leaf], minlength=len(bones))
    return np.where(leaf, 1.0 / np.maximum(counts[first], 1), 0.0)


def curled(shares: np.ndarray, angle: float) -> np.ndarray:
    """(m, 4) rotations of joints, about the bones' X axes, so that leaves curl to the side of their Z axes."""
    turn = np.zeros((len(shares), 3))
    turn[:, 0] = angle * shares
    return rotations.exponential(turn)
