# SPDX-License-Identifier: GPL-3.0-or-later
"""What the scene does to a plant at one frame, read from evaluated data in one place."""

from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix

from ....solver import Sample
from ...blender.evaluation_cache import Once
from ...blender.timeline import others_handle
from ...blender.view_layers import at_frame
from ...errors import Fix, PlantError
from ..rig.bone_animation import animated_rotations
from ..rig.plant import Plant
from .dependencies import carrying_bones
from .force_fields import fields_of, is_deformed, with_fields
from .moving_data import is_animated
from .winds import read_wind, wind_in_time


def evaluated(obj: bpy.types.Object, depsgraph: bpy.types.Depsgraph) -> bpy.types.Object:
    """The object with its animation, constraints and parents applied."""
    return obj.evaluated_get(depsgraph)


def base_pose(matrix: Matrix) -> tuple[np.ndarray, np.ndarray]:
    """Position (m) and orientation of an object's world matrix."""
    location, rotation, _ = matrix.decompose()
    return np.array(location[:]), np.array(rotation[:])


def base_poses(
    obj: bpy.types.Object, carriers: tuple[str | None, ...], depsgraph: bpy.types.Depsgraph
) -> tuple[np.ndarray, np.ndarray]:
    """World positions (k, 3) and orientations (k, 4) of the carriers, bones of the object or None for itself."""
    evaluated_obj = evaluated(obj, depsgraph)
    world, bones = evaluated_obj.matrix_world, evaluated_obj.pose.bones
    if world.determinant() < 0.0:
        raise PlantError(f"'{obj.name}' becomes mirrored: its scale or that of what it hangs on is animated to below "
                         "zero. Keep it above")  # fmt: skip
    poses = [base_pose(world if name is None else world @ bones[name].matrix) for name in carriers]
    return np.array([position for position, _ in poses]), np.array([orientation for _, orientation in poses])


@dataclass(frozen=True)
class Surroundings:
    """What the scene says to all plants at its frame: gravity (m/s2), air density (kg/m3) and buoyancy, time (s) since
    the first frame, and a frame's duration (s)."""

    gravity: np.ndarray
    air_density: float
    buoyancy: bool
    time: float
    duration: float


def _surroundings(scene: bpy.types.Scene, now: bpy.types.Scene) -> Surroundings:
    air, duration = now.plant_dynamics.wind, scene.render.fps_base / scene.render.fps
    return Surroundings(
        np.array(now.gravity[:] if now.use_gravity else (0.0, 0.0, 0.0)), air.air_density, air.buoyancy,
        (scene.frame_current - scene.frame_start) * duration, duration,
    )  # fmt: skip


def read_sample(
    obj: bpy.types.Object,
    plant: Plant,
    scene: bpy.types.Scene,
    depsgraph: bpy.types.Depsgraph,
    once: Once | None = None,
) -> Sample:
    """The world of this plant at the depsgraph's frame. once: what has been read at this frame for other plants."""
    once = once or Once()
    settings = at_frame(obj, scene, depsgraph).plant_dynamics
    position, orientation = base_poses(obj, plant.carriers, depsgraph)
    twist = force = None
    rods, along, targets, stiffness, damping = [], [], [], [], []
    for load in settings.loads:
        if not load.bone:
            continue
        rod = _rod_of(obj, plant, load)
        if load.kind != "PULL" and load.influence == 0.0:
            continue
        if load.kind == "TWIST":
            twist = np.zeros(plant.model.rod_count) if twist is None else twist
            twist[plant.chain(rod)] += load.torque * load.influence
        elif load.kind == "FORCE":
            force = np.zeros((plant.model.rod_count, 3)) if force is None else force
            force[rod] += np.array(load.force) * load.influence
        elif load.target and scene.objects.get(load.target.name) == load.target.original:
            _refuse_own_handle(obj, load)
            rods.append(rod)
            along.append(load.along)
            targets.append(evaluated(load.target.original, depsgraph).matrix_world.translation[:])
            stiffness.append(load.stiffness * load.influence)
            damping.append(load.damping * load.influence)
    now = at_frame(scene, scene, depsgraph)
    around = once(_surroundings, scene, now)
    wind, force_field = with_fields(obj, depsgraph, once(read_wind, now), once)
    wind, time = wind_in_time(wind, None, around.time, around.duration)
    return Sample(
        base_position=position,
        base_orientation=orientation,
        gravity=around.gravity * settings.gravity_factor,
        stiffness_scale=settings.stiffness_factor,
        pose=_pose(obj, evaluated(obj, depsgraph), plant),
        force=force,
        twist=twist,
        wind=wind,
        force_field=force_field,
        air_density=around.air_density,
        buoyancy=around.buoyancy,
        time=time,
        pull_rod=rods,
        pull_along=along,
        pull_target=targets,
        pull_stiffness=stiffness,
        pull_damping=damping,
    )


def _pose(obj: bpy.types.Object, evaluated_obj: bpy.types.Object, plant: Plant) -> np.ndarray | None:
    """(m, 4) how keys turn the rods, or None where there are none."""
    if not len(plant.animated):
        return None
    pose = np.tile([1.0, 0.0, 0.0, 0.0], (plant.model.rod_count, 1))
    influence = evaluated_obj.plant_dynamics.animation_influence
    how = plant.animated_index, plant.animated_modes, plant.animated_sources
    pose[plant.animated] = animated_rotations(obj, evaluated_obj, *how, influence)
    return pose


def _rod_of(obj: bpy.types.Object, plant: Plant, load: bpy.types.PropertyGroup) -> int:
    try:
        return plant.rod_of(load.bone)
    except PlantError as error:
        raise PlantError(str(error), Fix("LOST_LOAD", obj.session_uid)) from None


def _refuse_own_handle(obj: bpy.types.Object, load: bpy.types.PropertyGroup) -> None:
    above = load.target.original
    while above is not None:
        if above == obj:
            raise PlantError(f"'{obj.name}': the handle '{load.target.name}' hangs on the plant that it pulls",
                             Fix("HANDLE", obj.session_uid))  # fmt: skip
        above = above.parent


def is_static(obj: bpy.types.Object, scene: bpy.types.Scene, once: Once | None = None) -> bool:
    """Whether nothing that acts on the plant can change with the frame: no animation, drivers, parents, constraints,
    and nobody else's code that may move it then."""
    if _may_move(obj) or is_animated(scene):  # the commonest case, asked for first
        return False
    once = once or Once()
    if once(others_handle, "frame_change_pre") or once(others_handle, "frame_change_post"):
        return False
    if any(obj.pose.bones[name].constraints for name in carrying_bones(obj)):
        return False
    fields = fields_of(obj, scene, once)
    targets = (load.target for load in obj.plant_dynamics.loads if load.target)
    return not (any(map(is_deformed, fields)) or any(map(_may_move, (*fields, *targets))))


def is_read_moving(obj: bpy.types.Object, scene: bpy.types.Scene, once: Once | None = None) -> bool:
    """Whether what is read of the plant only once, its size and its bones, may be other at other frames."""
    return is_animated(obj.data) or not is_static(obj, scene, once)


def _may_move(obj: bpy.types.Object) -> bool:
    return bool(is_animated(obj) or obj.parent or obj.constraints or obj.rigid_body)
