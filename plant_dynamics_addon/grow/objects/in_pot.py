# SPDX-License-Identifier: GPL-3.0-or-later
"""The pot that a plant stands in: whether it is touched, and whether bones have gone through it."""

import bpy
import numpy as np

from ...blender.in_bulk import values_of
from ...dynamics.solids.touched import is_collider
from ...rigging.touching import have_touch, make_collider
from .parts import parts_of

#: Above the soil a pot is solid beyond so much of its outer radius; deeper in the wall (m) bones are through it.
_WALL, _DEEP = 0.88, 0.002
#: Where along a bone it is looked at.
_PLACES = (0.0, 0.25, 0.5, 0.75, 1.0)


def pots_of(obj: bpy.types.Object) -> list[bpy.types.Object]:
    """Pot and soil of the plant."""
    return [part for role in ("POT", "SOIL") for part in parts_of(obj, role) if part.is_editable]


def untouched_pots(obj: bpy.types.Object) -> list[bpy.types.Object]:
    """Pot and soil of the plant that it does not touch."""
    is_blind = obj.plant_dynamics.contact.collide_with == "NOTHING"
    return [part for part in pots_of(obj) if is_blind or not is_collider(part)]


def touch_pot(obj: bpy.types.Object) -> None:
    """Have the plant touch its pot and soil."""
    pots = pots_of(obj)
    for part in pots:
        make_collider(part)
    have_touch(obj, pots)


def through_pot(obj: bpy.types.Object) -> list[str]:
    """Names of the bones that are somewhere inside the plant's pot or soil as it is posed, and nowhere as drawn."""
    pot = next(iter(parts_of(obj, "POT")), None)
    bones = obj.data.bones
    if pot is None or not len(bones) or not len(pot.data.vertices):
        return []
    outline = _outline(pot.data)
    to_pot = np.array(pot.matrix_world.inverted_safe() @ obj.matrix_world)
    posed = [values_of(obj.pose.bones, end, 3) for end in ("head", "tail")]
    drawn = [values_of(bones, end, 3) for end in ("head_local", "tail_local")]
    inside = _are_inside(outline, to_pot, *posed) & ~_are_inside(outline, to_pot, *drawn)
    return [bones[number].name for number in np.flatnonzero(inside).tolist()]


def _outline(mesh: bpy.types.Mesh) -> tuple[np.ndarray, np.ndarray]:
    """Heights, upwards, and the pot's outer radius at them (m)."""
    place = values_of(mesh.vertices, "co", 3)
    height, at = np.unique(place[:, 2].round(6), return_inverse=True)
    radius = np.zeros(len(height))
    np.maximum.at(radius, at.ravel(), np.hypot(place[:, 0], place[:, 1]))
    # What the inner side has of heights between those of the outer one is no outline.
    outer = radius >= np.interp(height, height[[0, -1]], radius[[0, -1]]) * _WALL
    return height[outer], radius[outer]


def _are_inside(
    outline: tuple[np.ndarray, np.ndarray], to_pot: np.ndarray, head: np.ndarray, tail: np.ndarray
) -> np.ndarray:
    """(bones) whether any of some points along them is."""
    places = [_is_inside(outline, to_pot, head + share * (tail - head)) for share in _PLACES]
    return np.asarray(np.any(places, axis=0))


def _is_inside(outline: tuple[np.ndarray, np.ndarray], to_pot: np.ndarray, points: np.ndarray) -> np.ndarray:
    heights, radii = outline
    x, y, z = (points @ to_pot[:3, :3].T + to_pot[:3, 3]).T
    away, radius = np.hypot(x, y), np.interp(z, heights, radii)
    solid = (z < -_DEEP) | (away > _WALL * radius)  # the soil's surface is at the origin
    return np.asarray(solid & (away < radius - _DEEP) & (z > heights[0] + _DEEP) & (z < heights[-1] - _DEEP))
