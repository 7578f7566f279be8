# SPDX-License-Identifier: GPL-3.0-or-later
"""How deep rods are inside colliders, by distances from many of their points, found apart from the solver."""

from collections.abc import Sequence

import numpy as np

from solver import Collider, Simulation, rotations


def depth(points: np.ndarray, radii: np.ndarray, one: Collider) -> np.ndarray:
    """(k,) m by which balls about points are inside a collider that is no mesh."""
    own, size = rotations.unrotate(np.asarray(one.orientation), points - np.asarray(one.position)), np.asarray(one.size)
    if one.kind == "plane":
        away = own[:, 2]
    elif one.kind == "ball":
        away = np.linalg.norm(own, axis=1) - size[0]
    elif one.kind == "capsule":
        along = np.clip(own[:, 1], -size[1], size[1])
        away = np.linalg.norm(own - along[:, None] * (0.0, 1.0, 0.0), axis=1) - size[0]
    else:
        out = np.abs(own) - size
        away = np.linalg.norm(np.maximum(out, 0.0), axis=1) + np.minimum(out.max(axis=1), 0.0)
    return radii - away


def inside(plant: Simulation, colliders: Sequence[Collider], points: int = 21) -> np.ndarray:
    """(m,) by how many of their radii rods are inside colliders, at any of so many points."""
    shapes, placed = plant.model.shapes, plant.placed()
    orientation, position = placed.orientation[shapes.body], placed.position[shapes.body]
    start, end = (position + rotations.rotate(orientation, ends) for ends in (shapes.start, shapes.end))
    deepest = np.full(plant.model.rod_count, -np.inf)
    for t in np.linspace(0.0, 1.0, points):
        radii = (1.0 - t) * shapes.radius[:, 0] + t * shapes.radius[:, 1]
        for one in colliders:
            np.maximum.at(deepest, shapes.rod, depth((1.0 - t) * start + t * end, radii, one) / radii)
    return deepest
