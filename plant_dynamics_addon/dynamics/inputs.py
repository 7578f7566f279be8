# SPDX-License-Identifier: GPL-3.0-or-later
"""What the scene does to a plant at one frame, read from evaluated data in one place."""

from dataclasses import replace

import bpy
import numpy as np
from mathutils import Matrix

from ...solver import Sample
from ..errors import PlantError
from .armature_reader import Plant
from .winds import in_time, read_wind


def evaluated(obj: bpy.types.Object, depsgraph: bpy.types.Depsgraph) -> bpy.types.Object:
    """The object with its animation, constraints and parents applied."""
    return obj.evaluated_get(depsgraph)


def base_pose(matrix: Matrix) -> tuple[np.ndarray, np.ndarray]:
    """Position (m) and orientation of an object's world matrix."""
    location, rotation, _ = matrix.decompose()
    return np.array(location, dtype=np.float64), np.array(rotation, dtype=np.float64)


def read_sample(obj: bpy.types.Object, plant: Plant, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> Sample:
    """The world of this plant at the depsgraph's frame."""
    settings = obj.plant_dynamics  # Blender writes animated settings back to the original object
    position, orientation = base_pose(evaluated(obj, depsgraph).matrix_world)
    scene_gravity = scene.gravity if scene.use_gravity else (0.0, 0.0, 0.0)
    twist, force = np.zeros(plant.model.rod_count), np.zeros((plant.model.rod_count, 3))
    rods, targets, stiffness, damping = [], [], [], []
    for load in settings.loads:
        if not load.bone:
            continue
        rod = plant.rod_of(load.bone)
        if load.kind == "TWIST":
            twist[plant.chain(rod)] += load.torque * load.influence
        elif load.kind == "FORCE":
            force[rod] += np.array(load.force) * load.influence
        elif load.target and scene.objects.get(load.target.name) == load.target:
            _refuse_own_handle(obj, load)
            rods.append(rod)
            targets.append(evaluated(load.target, depsgraph).matrix_world.translation[:])
            stiffness.append(load.stiffness * load.influence)
            damping.append(0.0)
    air = scene.plant_dynamics.wind
    sample = Sample(
        base_position=position,
        base_orientation=orientation,
        gravity=np.array(scene_gravity, dtype=np.float64) * settings.gravity_factor,
        stiffness_scale=settings.stiffness_factor,
        force=force,
        twist=twist,
        wind=read_wind(scene),
        air_density=air.air_density,
        buoyancy=air.buoyancy,
        pull_rod=rods,
        pull_along=[1.0] * len(rods),
        pull_target=targets,
        pull_stiffness=stiffness,
        pull_damping=damping,
    )
    duration = scene.render.fps_base / scene.render.fps
    return in_time(sample, None, (scene.frame_current - scene.frame_start) * duration, duration)


def without_loads(sample: Sample) -> Sample:
    """The plant's own weight only, for what is a property of the plant."""
    return replace(sample, force=None, torque=None, twist=None, wind=None, buoyancy=False, pull_rod=(), pull_along=(),
                   pull_target=(), pull_stiffness=(), pull_damping=())  # fmt: skip


def _refuse_own_handle(obj: bpy.types.Object, load: bpy.types.PropertyGroup) -> None:
    above = load.target
    while above is not None:
        if above == obj:
            raise PlantError(f"'{obj.name}': the handle '{load.target.name}' hangs on the plant that it pulls")
        above = above.parent


def same(a: Sample, b: Sample) -> bool:
    """Whether two samples are equal to the last bit."""
    return all(np.array_equal(x, y) for x, y in zip(vars(a).values(), vars(b).values(), strict=True))


def is_static(obj: bpy.types.Object, scene: bpy.types.Scene) -> bool:
    """Whether nothing that acts on the plant can change with the frame: no animation, drivers, parents, constraints."""
    involved = [obj, scene] + [load.target for load in obj.plant_dynamics.loads if load.target]
    for item in involved:
        data = item.animation_data
        if data and (data.action or data.drivers or data.nla_tracks):
            return False
        if isinstance(item, bpy.types.Object) and (item.parent or item.constraints or item.rigid_body):
            return False
    return True
