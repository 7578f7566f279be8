# SPDX-License-Identifier: GPL-3.0-or-later
"""An armature object as the solver's rods."""

import bpy
import numpy as np
from mathutils import Matrix

from ....solver import AT_THE_BASE, Rods, SolverError, discretize, join
from ...errors import Fix, PlantError
from .bone_animation import animated_bones, rotation_modes
from .plant import Plant
from .quaternions import conjugate, from_matrices, multiply
from .rod_columns import rod_columns, segments_of
from .short_bones import least_length

#: Bones that follow keys turn at their heads, as the keys turn them.
FOLLOWING_LAYOUT = "double_root"


def is_evenly_scaled(matrix: Matrix) -> bool:
    """Whether the matrix scales all directions alike and mirrors none."""
    lengths = [matrix.col[i].xyz.length for i in range(3)]
    return bool(matrix.determinant() > 0.0 and max(lengths) <= min(lengths) * 1.001)


def uniform_scale(matrix: Matrix, name: str, fix: Fix | None = None) -> float:
    """The scale of an object's world matrix, or PlantError when lengths would depend on direction.

    To five digits: more change with the object's orientation, and with them the motion, by the frame it was read at.
    """
    lengths = [matrix.col[i].xyz.length for i in range(3)]
    if matrix.determinant() <= 0.0:
        raise PlantError(f"'{name}' is mirrored or has zero scale. Apply its scale (Ctrl+A > Scale)", fix)
    if max(lengths) > min(lengths) * 1.001:
        raise PlantError(f"'{name}' is scaled unevenly. Apply its scale (Ctrl+A > Scale)", fix)
    return float(f"{sum(lengths) / 3.0:.5g}")


def read_armature(obj: bpy.types.Object, matrix_world: Matrix) -> Plant:
    """The simulated bones of the armature object, placed in a world where its matrix is matrix_world.

    Raises PlantError with the bone's name for anything that cannot be simulated.
    """
    settings = obj.plant_dynamics
    uid = obj.session_uid
    scale = uniform_scale(matrix_world, obj.name, Fix("SCALE", uid))
    if not obj.data.bones:
        raise PlantError(f"'{obj.name}' has no bones")
    if obj.data.pose_position == "REST":
        raise PlantError(f"'{obj.name}' is shown in Rest Position. Choose Pose Position in its Pose panel",
                         Fix("REST_POSITION", uid))  # fmt: skip
    groups = bones_by_carrier(obj.data.bones)
    if not groups:
        raise PlantError(f"None of the bones of '{obj.name}' is simulated. Turn on Simulated in the Bone tab",
                         Fix("NONE_SIMULATED", uid))  # fmt: skip
    bones = [bone for group in groups.values() for bone in group]
    names = tuple(bone.name for bone in bones)
    stiff = tuple(bone.name for bone in bones if bone.parent and not bone.use_inherit_rotation)
    if stiff:
        raise PlantError(f"Bone '{stiff[0]}' does not inherit rotation. Turn on Inherit Rotation in its Relations",
                         Fix("INHERIT_ROTATION", uid, stiff))  # fmt: skip
    tip_error = 0.01 * settings.tip_error if settings.use_tip_error else None
    keyed = animated_bones(obj) if settings.follow_animation else {}
    animated = [i for i, bone in enumerate(bones) if bone.name in keyed and is_jointed(bone)]
    layout = settings.layout if not animated or settings.layout in AT_THE_BASE else FOLLOWING_LAYOUT
    parts, models, first = [], [], 0
    for carrier, group in groups.items():
        try:
            rods = _rods(obj, carrier, group, scale)
            models.append(discretize(rods, layout, segments_of(group, settings), tip_error))
        except SolverError as error:
            raise as_plant_error(error, obj.name, names[first:], _fix_of(obj, group)) from error
        parts.append(rods)
        first += len(group)
    rod_of = {name: i for i, name in enumerate(names)}
    parent = _parents(bones, rod_of)
    frame = np.concatenate([part.frame for part in parts])
    of_parent = np.where((parent < 0)[:, None], (1.0, 0.0, 0.0, 0.0), frame[parent])
    turned = np.array([bone.plant_dynamics.initial_rotation for bone in bones], dtype=np.float64)
    starts = np.split(turned, np.cumsum([len(group) for group in groups.values()])[:-1])
    moving = np.flatnonzero([bone.plant_dynamics.use_physics for bone in bones])
    pose_index = {bone.name: i for i, bone in enumerate(obj.pose.bones)}
    modes = rotation_modes(obj, [names[i] for i in animated])
    sources = [keyed[names[i]] for i in animated]
    plain = repr(
        (names, tuple(groups), moving.tolist(), layout, tip_error, settings.segments, animated, modes, sources)
    )
    arrays = [np.ascontiguousarray(value) for part in parts for value in vars(part).values()]
    return Plant(
        names=tuple(names[i] for i in moving),
        pose_index=np.array([pose_index[names[i]] for i in moving]),
        moving=moving,
        bones=names,
        parent=parent,
        rest=multiply(conjugate(of_parent), frame),
        carriers=tuple(groups),
        parts=tuple(parts),
        models=tuple(models),
        model=join(models),
        initial=np.concatenate([model.share_out(start) for model, start in zip(models, starts, strict=True)]),
        animated=np.array(animated, dtype=np.int64),
        animated_index=np.array([pose_index[names[i]] for i in animated], dtype=np.int64),
        animated_modes=modes,
        animated_sources=np.array(sources, dtype=np.int64).reshape(-1, 4),
        layout=layout,
        signature=b"".join([plain.encode(), turned.tobytes()] + [array.tobytes() for array in arrays]),
    )


def is_jointed(bone: bpy.types.Bone) -> bool:
    """Whether the bone bends where it sits on its parent."""
    return bool(bone.plant_dynamics.use_physics and not bone.plant_dynamics.pinned)


def bones_by_carrier(bones: bpy.types.ArmatureBones) -> dict[str | None, list[bpy.types.Bone]]:
    """The bones that are simulated or ride on such, parents first, by the bone that carries them: the nearest above all
    of them, which moves as it is animated, or None for the armature object."""
    carrier_of: dict[str, str | None] = {}
    groups: dict[str | None, list[bpy.types.Bone]] = {}
    for bone in _parents_first(bones):
        above = bone.parent.name if bone.parent else None
        if above in carrier_of:
            carrier_of[bone.name] = carrier_of[above]
        elif bone.plant_dynamics.use_physics:
            carrier_of[bone.name] = above
        else:
            continue
        groups.setdefault(carrier_of[bone.name], []).append(bone)
    return groups


def _rods(obj: bpy.types.Object, carrier: str | None, bones: list[bpy.types.Bone], scale: float) -> Rods:
    """The bones as the solver takes them, in the frame of their carrier at rest, whose unit is the metre."""
    place = {name: i for i, name in enumerate(obj.data.bones.keys())}
    index = np.array([place[bone.name] for bone in bones])
    matrices = _of_all(obj.data.bones, "matrix_local", 16).reshape(-1, 4, 4).transpose(0, 2, 1)[index]
    if carrier is not None:
        matrices = np.linalg.inv(np.array(obj.data.bones[carrier].matrix_local, dtype=np.float64)) @ matrices
    rod_of = {bone.name: i for i, bone in enumerate(bones)}
    columns = rod_columns(bones, obj.plant_dynamics, scale)
    thin = np.flatnonzero((columns["radius_base"] <= 0.0) & (columns["radius_tip"] <= 0.0))
    if thin.size:
        raise PlantError(f"Bone '{bones[thin[0]].name}' has no radius. Set one, or choose One Radius",
                         Fix("RADIUS", obj.session_uid, (bones[thin[0]].name,)))  # fmt: skip
    length = _of_all(obj.data.bones, "length", 1)[index] * scale
    least = least_length(length)
    rides = [not bone.plant_dynamics.use_physics for bone in bones] | (length < least)
    columns["pinned"] = np.maximum(columns["pinned"], rides)
    return Rods(
        parent=_parents(bones, rod_of),
        head=matrices[:, :3, 3] * scale,
        frame=from_matrices(matrices[:, :3, :3]),
        length=np.maximum(length, least),
        **columns,
    )


def _parents(bones: list[bpy.types.Bone], index: dict[str, int]) -> np.ndarray:
    """(n,) index of each bone's parent by its name, -1 for none."""
    above = [bone.parent for bone in bones]
    return np.array([-1 if parent is None else index.get(parent.name, -1) for parent in above])


def _of_all(bones: bpy.types.ArmatureBones, name: str, width: int) -> np.ndarray:
    """So many numbers of each bone, in a row."""
    values = np.empty(width * len(bones), dtype=np.float32)
    bones.foreach_get(name, values)
    return values.astype(np.float64)


def as_plant_error(error: SolverError, obj: str, names: tuple[str, ...], fix: Fix | None = None) -> PlantError:
    """The same error with the bone's name instead of the rod's number."""
    if error.rod is None:
        return PlantError(f"'{obj}': {error.message}", fix)
    return PlantError(f"'{obj}', bone '{names[error.rod]}': {error.message}", fix)


def _fix_of(obj: bpy.types.Object, bones: list[bpy.types.Bone]) -> Fix | None:
    """What would mend settings that the solver cannot accept."""
    loose = [bone for bone in bones if bone.plant_dynamics.use_physics and not bone.plant_dynamics.pinned]
    if not loose:
        return Fix("ALL_PINNED", obj.session_uid)
    if obj.plant_dynamics.layout not in AT_THE_BASE and any(bone.plant_dynamics.use_body for bone in loose):
        return Fix("LAYOUT", obj.session_uid, tuple(bone.name for bone in loose if bone.plant_dynamics.use_body))
    return None


def _parents_first(bones: bpy.types.ArmatureBones) -> list[bpy.types.Bone]:
    ordered: list[bpy.types.Bone] = []
    waiting = [bone for bone in bones.values() if bone.parent is None][::-1]  # backwards Blender is slow
    while waiting:
        bone = waiting.pop()
        ordered.append(bone)
        waiting.extend(reversed(bone.children))
    return ordered
