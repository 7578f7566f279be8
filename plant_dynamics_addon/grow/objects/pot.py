# SPDX-License-Identifier: GPL-3.0-or-later
"""A flower pot with soil, or a small mound of soil: what a plant stands in, and what moves with its base."""

from dataclasses import dataclass

import bpy
import numpy as np

from ....lsystem import Skeleton
from ...blender.mesh_objects import add_smooth_object
from ..looks import materials
from ..mesh.surface import fans, grid_faces

_SIDES = 48
_SHARP = np.arccos(0.5)  # rad; edges of a pot between faces that meet at more than this stay sharp
_HIGHEST_RIM = 0.6  # m; radius of the rim up to which a pot grows in height, too
_PLANTED = 0.8  # share of the rim's radius within which roots stand


@dataclass(frozen=True)
class PotSize:
    """Metres. The soil's surface at the middle is the plant's origin."""

    rim_radius: float
    height: float
    reach: float = 0.0
    """How far from the middle roots stand; so far the soil is level."""

    @property
    def depth(self) -> float:
        """From the soil's surface down to the bottom."""
        return 0.86 * self.height


def fitting_pot(skeleton: Skeleton) -> PotSize:
    """A pot that looks right for a plant of this size and of this thickness at the ground, and that holds all roots."""
    size = float(np.ptp(np.concatenate([skeleton.head, skeleton.tail()]), axis=0).max())
    is_root = np.asarray(skeleton.parent) < 0
    root_radius = float(skeleton.radius_base[is_root].max())
    reach = float(np.linalg.norm(skeleton.head[is_root, :2], axis=1).max())
    looks_right = min(max(0.19 * size, 6.0 * root_radius, 0.02), _HIGHEST_RIM)
    rim = max(looks_right, (reach + root_radius) / _PLANTED)
    return PotSize(rim_radius=rim, height=1.55 * min(rim, _HIGHEST_RIM), reach=reach)


def add_pot(armature: bpy.types.Object, size: PotSize) -> list[bpy.types.Object]:
    """A pot and its soil as two objects parented to the armature object."""
    rim, height = size.rim_radius, size.height
    low, high, wall = -size.depth, height - size.depth, 0.07 * rim
    collar = 0.28 * height
    # Outline from the middle of the bottom, up the outside, over the rim and down the inside to below the soil.
    outline = [
        (0.0, low),
        (0.60 * rim, low),
        (0.64 * rim, low + 0.02 * height),
        (0.86 * rim, high - collar),
        (0.965 * rim, high - collar),
        (0.985 * rim, high - 0.92 * collar),
        (rim, high - 0.06 * collar),
        (rim - 0.3 * wall, high),
        (rim - wall, high),
        (rim - 1.3 * wall, high - 0.08 * collar),
        (0.80 * rim, high - 1.1 * collar),
        (0.0, high - 1.3 * collar),
    ]
    collection = armature.users_collection[0]
    pot = _turned_object(collection, f"{armature.name} Pot", np.array(outline), materials.pot_material())
    pot.data.set_sharp_from_angle(angle=_SHARP)
    reach = np.linspace(0.92 * rim, 0.0, 9)
    slope = np.maximum(reach - size.reach, 0.0) / rim
    mound = 0.035 * rim * np.cos(np.pi * np.minimum(slope, 1.0) / 1.2)
    roughness = 0.012 * min(rim, _HIGHEST_RIM)
    above = 0.004 * rim if size.reach < 0.1 * rim else 2.0 * roughness  # no root stands in the air over a hollow
    below = [(0.0, -0.226 * height), (0.82 * rim, -0.226 * height)]
    surface = np.stack([reach, mound - mound.max() + above], axis=1)
    earth = materials.soil_material()
    soil = _turned_object(collection, f"{armature.name} Soil", np.concatenate([below, surface]), earth, roughness)
    for part in (pot, soil):
        part.parent = armature
    return [pot, soil]


def _turned_object(
    collection: bpy.types.Collection,
    name: str,
    outline: np.ndarray,
    material: bpy.types.Material,
    roughness: float = 0.0,
) -> bpy.types.Object:
    """A mesh object turned about z from an outline of (radius, height) that starts and ends on the axis; `roughness`
    (m) displaces the upper points up and down."""
    radius, height = outline[1:-1].T
    angle = 2 * np.pi * np.arange(_SIDES) / _SIDES
    level = np.repeat(height[:, None], _SIDES, axis=1)
    if roughness:
        level[3:] += roughness * np.random.default_rng(1).normal(size=level[3:].shape)
    rings = np.stack([np.outer(radius, np.cos(angle)), np.outer(radius, np.sin(angle)), level], axis=2)
    vertices = np.concatenate([rings.reshape(-1, 3), [[0, 0, outline[0, 1]], [0, 0, outline[-1, 1]]]])
    faces = [*grid_faces(len(radius), _SIDES, closed=True)[0].tolist(), *fans(len(radius), _SIDES).tolist()]
    return add_smooth_object(collection, name, vertices.tolist(), faces, material)
