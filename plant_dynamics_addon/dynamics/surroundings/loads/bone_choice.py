# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bone a new load acts on where none is chosen."""

from collections.abc import Sequence

import bpy
import numpy as np

from .....solver import Curve, Surface
from .....solver.guides.distances import DistanceFrom
from ...rig.plant import Plant

#: What differs by less than this share of itself is alike.
_ALIKE = 1e-4


def end_bone(obj: bpy.types.Object, plant: Plant) -> bpy.types.Bone:
    """The end of the longest way along simulated bones; of equally long ones that which is farthest from its root."""
    ends, ways = _ends(plant), _ways(plant)
    return _farthest(obj, plant, [rod for rod in ends if ways[rod] >= (1.0 - _ALIKE) * ways[ends].max()])


def farthest_bone(obj: bpy.types.Object, plant: Plant) -> bpy.types.Bone:
    """The simulated bone at whose end the plant is farthest, as the crow flies, from its root."""
    return _farthest(obj, plant, _ends(plant))


def nearest_bone(obj: bpy.types.Object, plant: Plant, shape: Curve | Surface) -> bpy.types.Bone:
    """The simulated bone whose tip, as it is seen, is nearest to a curve or a surface (m, world axes); of equally near
    ones that at the end of the longest way."""
    names, ways = [plant.bones[rod] for rod in plant.moving], _ways(plant)[plant.moving]
    tips = np.array([obj.matrix_world @ obj.pose.bones[name].tail for name in names])
    off = DistanceFrom(shape)(tips)
    near = off <= off.min() + _ALIKE * ways.max()
    return obj.data.bones[names[int(np.argmax(np.where(near, ways, -1.0)))]]


def _ends(plant: Plant) -> list[int]:
    """The rods that are simulated and bear none that is."""
    bearing = set(plant.parent[plant.moving].tolist())
    return [rod for rod in plant.moving.tolist() if rod not in bearing]


def _farthest(obj: bpy.types.Object, plant: Plant, rods: Sequence[int]) -> bpy.types.Bone:
    """The bone of these rods whose tip is drawn farthest from its root; the first of those that are as far."""
    bones = [obj.data.bones[plant.bones[rod]] for rod in rods]
    roots = [obj.data.bones[plant.bones[plant.chain(rod)[-1]]] for rod in rods]
    far = [(bone.tail_local - root.head_local).length for bone, root in zip(bones, roots, strict=True)]
    return next(bone for bone, away in zip(bones, far, strict=True) if away >= (1.0 - _ALIKE) * max(far))


def _ways(plant: Plant) -> np.ndarray:
    """(m,) m: from their roots along the bones to the rods' tips, as they are drawn."""
    heads = np.linalg.norm(plant.offset, axis=1)
    for rod, below in enumerate(plant.parent.tolist()):
        heads[rod] = heads[rod] + heads[below] if below >= 0 else 0.0
    ways: np.ndarray = heads + plant.model.length
    return ways
