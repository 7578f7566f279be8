# SPDX-License-Identifier: GPL-3.0-or-later
"""A flower pot with soil, or a small mound of soil: what a plant stands in, and what moves with its base."""

from dataclasses import dataclass

import bpy
import numpy as np

from ....lsystem import Skeleton
from ..looks import materials

_SIDES = 48
_HIGHEST_RIM = 0.6
"""Radius (m) of the rim up to which a pot grows in height, too."""
_PLANTED = 0.8
"""Share of the rim's radius within which roots stand."""


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
    clay, earth = materials.pot_material(), materials.soil_material()
    pot = _turned_object(collection, f"{armature.name} Pot", outline, clay, sharp_below=0.5)
    reach = np.linspace(0.92 * rim, 0.0, 9)
    slope = np.maximum(reach - size.reach, 0.0) / rim
    mound = 0.035 * rim * np.cos(np.pi * np.minimum(slope, 1.0) / 1.2)
    roughness = 0.012 * min(rim, _HIGHEST_RIM)
    above = 0.004 * rim if size.reach < 0.1 * rim else 2.0 * roughness  # no root stands in the air over a hollow
    surface = zip(reach.tolist(), (mound - mound.max() + above).tolist(), strict=True)
    soil_outline = [(0.0, -0.226 * height), (0.82 * rim, -0.226 * height), *surface]
    soil = _turned_object(collection, f"{armature.name} Soil", soil_outline, earth, roughness=roughness)
    for part in (pot, soil):
        part.parent = armature
    return [pot, soil]


def _turned_object(
    collection: bpy.types.Collection,
    name: str,
    outline: list[tuple[float, float]],
    material: bpy.types.Material,
    sharp_below: float | None = None,
    roughness: float = 0.0,
) -> bpy.types.Object:
    """A mesh object turned about z from an outline of (radius, height) that starts and ends on the axis.

    Edges between outline pieces that meet at less than `sharp_below` (cosine) stay sharp; `roughness` (m) displaces the
    upper points up and down.
    """
    rows = np.array(outline[1:-1])
    angle = 2 * np.pi * np.arange(_SIDES) / _SIDES
    rings = np.stack(
        [
            np.outer(rows[:, 0], np.cos(angle)),
            np.outer(rows[:, 0], np.sin(angle)),
            np.repeat(rows[:, 1:], _SIDES, axis=1),
        ],
        axis=2,
    )
    if roughness:
        rings[3:, :, 2] += roughness * np.random.default_rng(1).normal(size=(len(rows) - 3, _SIDES))
    vertices = np.concatenate([rings.reshape(-1, 3), [[0, 0, outline[0][1]], [0, 0, outline[-1][1]]]])
    corner = np.arange(_SIDES)
    following = (corner + 1) % _SIDES
    last = (len(rows) - 1) * _SIDES
    bottom, top = len(vertices) - 2, len(vertices) - 1
    faces = [
        (row * _SIDES + a, row * _SIDES + b, (row + 1) * _SIDES + b, (row + 1) * _SIDES + a)
        for row in range(len(rows) - 1)
        for a, b in zip(corner.tolist(), following.tolist(), strict=True)
    ]
    faces += [(b, a, bottom) for a, b in zip(corner.tolist(), following.tolist(), strict=True)]
    faces += [(last + a, last + b, top) for a, b in zip(corner.tolist(), following.tolist(), strict=True)]

    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices.tolist(), [], faces)
    mesh.polygons.foreach_set("use_smooth", np.ones(len(faces), dtype=bool))
    if sharp_below is not None:
        mesh.set_sharp_from_angle(angle=float(np.arccos(sharp_below)))
    mesh.materials.append(material)
    new_object = bpy.data.objects.new(name, mesh)
    collection.objects.link(new_object)
    return new_object
