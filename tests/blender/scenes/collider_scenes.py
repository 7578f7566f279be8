# SPDX-License-Identifier: GPL-3.0-or-later
"""Things that plants touch, and what is read of them."""

import importlib
from types import ModuleType

import bpy
import numpy as np

from tests.blender.scenes import plants


def of_addon(fresh: ModuleType, name: str) -> ModuleType:
    """A module of the add-on by its name within it."""
    return importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.{name}")


def collide(obj: bpy.types.Object, **settings) -> bpy.types.Object:
    """Give a mesh Collision physics, and our settings of it."""
    obj.modifiers.new("Collision", "COLLISION")
    obj.collision.thickness_outer = 0.001
    for name, value in settings.items():
        setattr(obj.plant_dynamics.collider, name, value)
    return obj


def primitive(kind: str, name: str, **options) -> bpy.types.Object:
    """A mesh from the Add menu."""
    getattr(bpy.ops.mesh, f"primitive_{kind}_add")(**options)
    bpy.context.object.name = name
    return bpy.context.object


def mesh_object(name: str, vertices, faces) -> bpy.types.Object:
    """A mesh object of these vertices and faces."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices, [], faces)
    obj = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(obj)
    return obj


def capsule(radius: float, half: float, rings: int = 8, around: int = 16) -> tuple[list, list]:
    """Vertices and faces of a closed capsule along Z, its caps half balls of rings."""
    upper = [(radius * np.cos(t), half + radius * np.sin(t)) for t in np.linspace(0.0, 1.4, rings)]
    levels = [*((r, -z) for r, z in reversed(upper)), *upper]
    angles = 2.0 * np.pi * np.arange(around) / around
    vertices = [(r * np.cos(a), r * np.sin(a), z) for r, z in levels for a in angles]
    vertices += [(0.0, 0.0, -half - radius), (0.0, 0.0, half + radius)]
    faces = [
        (k * around + i, k * around + (i + 1) % around, (k + 1) * around + (i + 1) % around, (k + 1) * around + i)
        for k in range(len(levels) - 1)
        for i in range(around)
    ]
    top = (len(levels) - 1) * around
    faces += [((i + 1) % around, i, len(vertices) - 2) for i in range(around)]
    faces += [(top + i, top + (i + 1) % around, len(vertices) - 1) for i in range(around)]
    return vertices, faces


def colliders_of(fresh: ModuleType, plant: bpy.types.Object) -> dict:
    """What the plant would touch at the present frame, by names."""
    influence = of_addon(fresh, "dynamics.surroundings.influence")
    once = of_addon(fresh, "blender.evaluation_cache").EvaluationCache()
    colliders = of_addon(fresh, "dynamics.surroundings.colliders").Colliders()
    moment = influence.Moment(plant, None, bpy.context.scene, bpy.context.evaluated_depsgraph_get(), once)
    world: dict = {}
    colliders.read(moment, world)
    return {one.name: one for one in world.get("colliders", ())}


def why(fresh: ModuleType, obj: bpy.types.Object, plant: bpy.types.Object) -> str:
    """Why the plant does not touch the object."""
    return of_addon(fresh, "dynamics.surroundings.colliders").why_left_out(obj, plant)


def world_vertices(collider) -> np.ndarray:
    """(v, 3) m: the vertices of a mesh where it stands."""
    w, x, y, z = collider.orientation
    turn = np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip
    return np.asarray(collider.vertices, dtype=np.float64) @ turn.T + np.asarray(collider.position)


def plant(run_operator, count: int = 4, height: float = 0.3) -> bpy.types.Object:
    """A limp dynamic chain above the ground that is let go as drawn."""
    obj = plants.chain(count)
    obj.location.z = height
    run_operator("make_dynamic")
    obj.plant_dynamics.start, obj.plant_dynamics.stiffness_factor = "drawn", 0.01
    return obj
