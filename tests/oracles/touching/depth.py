# SPDX-License-Identifier: GPL-3.0-or-later
"""How deep rods are inside colliders, by distances from many of their points, found apart from the solver."""

from collections.abc import Sequence

import numpy as np

from solver import Collider, Simulation, rotations
from tests.oracles.touching.triangles import distance, is_inside, rim_of

#: Distances (m) from meshes are exact to this one.
NEAR = 0.05


def depth(points: np.ndarray, radii: np.ndarray, one: Collider) -> np.ndarray:
    """(k,) m by which balls about points are inside a collider; what is open has no inside, but is touched."""
    return radii - distance_from(points, one)


def distance_from(points: np.ndarray, one: Collider) -> np.ndarray:
    """(k,) m from points to a collider, negative inside."""
    own, size = rotations.unrotate(np.asarray(one.orientation), points - np.asarray(one.position)), np.asarray(one.size)
    if one.kind == "plane":
        return own[:, 2]
    if one.kind == "ball":
        return np.linalg.norm(own, axis=1) - size[0]
    if one.kind == "capsule":
        along = np.clip(own[:, 1], -size[1], size[1])
        return np.linalg.norm(own - along[:, None] * (0.0, 1.0, 0.0), axis=1) - size[0]
    if one.kind == "mesh":
        return _from_mesh(own, np.asarray(one.vertices), np.asarray(one.triangles))
    out = np.abs(own) - size
    return np.linalg.norm(np.maximum(out, 0.0), axis=1) + np.minimum(out.max(axis=1), 0.0)


def _from_mesh(points: np.ndarray, vertices: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """What is not near the mesh is as far as its box."""
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    away = np.linalg.norm(points - np.clip(points, low, high), axis=1)
    near, corners = away <= NEAR, vertices[triangles]
    if not near.any():
        return away
    away[near] = distance(points[near], corners)
    if not len(rim_of(triangles)):
        away[near] *= np.where(is_inside(points[near], corners), -1.0, 1.0)
    return away


def segments(plant: Simulation) -> tuple[np.ndarray, np.ndarray]:
    """(k, 3) m both ends of the shapes' middle lines."""
    shapes, placed = plant.model.shapes, plant.placed()
    orientation, position = placed.orientation[shapes.body], placed.position[shapes.body]
    start, end = (position + rotations.rotate(orientation, ends) for ends in (shapes.start, shapes.end))
    return start, end


def inside(plant: Simulation, colliders: Sequence[Collider], points: int = 21) -> np.ndarray:
    """(m,) by how many of their radii rods are inside colliders, at any of so many points."""
    shapes, (start, end) = plant.model.shapes, segments(plant)
    deepest = np.full(plant.model.rod_count, -np.inf)
    for t in np.linspace(0.0, 1.0, points):
        radii = (1.0 - t) * shapes.radius[:, 0] + t * shapes.radius[:, 1]
        for one in colliders:
            np.maximum.at(deepest, shapes.rod, depth((1.0 - t) * start + t * end, radii, one) / radii)
    return deepest


def held(plant: Simulation, rods: int) -> np.ndarray:
    """(k, 3) m where the joints of the first so many rods are that hang on a base, and so cannot give way."""
    model = plant.model
    places: np.ndarray = plant.placed().position[(model.bodies.parent < 0) & (model.body_rod < rods)]
    return places
