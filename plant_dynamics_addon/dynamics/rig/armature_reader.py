# SPDX-License-Identifier: GPL-3.0-or-later
"""An armature object as the solver's rods."""

import bpy
import numpy as np
from mathutils import Matrix

from ....solver import AT_THE_BASE, Model, Rods, SolverError, discretize, join, rotations
from ...blender.in_bulk import values_of
from ...blender.moving_data import animated_channels
from ...drawn_bones import note_bones
from ...errors import Fix, PlantError
from ...relations import is_tied_by_others
from .bone_animation import UNKEYED, animated_bones, keyed_bones, posed_bones, rotation_mode
from .coming_off import LET_GO, bones_to_cut, coming_off, fastened_bones, refuse_fastened, standing_rods
from .keyed.constraints import led_as, may_follow
from .keyed.leaf_curl import curls, shares_of_curl
from .keyed.led_bones import bones_along
from .keyed.lengths import channels_of
from .plant import Plant
from .rod_columns import rod_columns, segments_of
from .short_bones import least_length

#: Bones that only their carrier joins to others are simulated on their own, unless they are fewer than this, and in at
#: most so many models on a carrier: what one touches costs the others nothing.
LEAST_BONES, MOST_MODELS = 16, 64

#: Bones that follow keys turn at their heads, as the keys turn them.
FOLLOWING_LAYOUT = "double_root"

#: Kinds of loads that hold points of bones where they are drawn, which bend at their nodes then.
GUIDES = ("HOLD", "WIRE", "PLANE", "SURFACE", "TIE")


def is_evenly_scaled(matrix: Matrix) -> bool:
    """Whether the matrix scales all directions alike and mirrors none."""
    lengths = _lengths(matrix)
    return bool(matrix.determinant() > 0.0 and max(lengths) <= min(lengths) * 1.001)


def uniform_scale(matrix: Matrix, name: str, fix: Fix | None = None) -> float:
    """The scale of an object's world matrix, or PlantError when lengths would depend on direction.

    To five digits: more change with the object's orientation, and with them the motion, by the frame it was read at.
    """
    if matrix.determinant() <= 0.0:
        raise PlantError("'{name}' is mirrored or has zero scale. Apply its scale (Ctrl+A > Scale)", fix, name=name)
    if not is_evenly_scaled(matrix):
        raise PlantError("'{name}' is scaled unevenly. Apply its scale (Ctrl+A > Scale)", fix, name=name)
    return float(f"{sum(_lengths(matrix)) / 3.0:.5g}")


def _lengths(matrix: Matrix) -> list[float]:
    """Of the object's axes."""
    return [matrix.col[i].xyz.length for i in range(3)]


def read_armature(obj: bpy.types.Object, matrix_world: Matrix) -> Plant:
    """The simulated bones of the armature object, placed in a world where its matrix is matrix_world.

    Raises PlantError with the bone's name for anything that cannot be simulated.
    """
    settings = obj.plant_dynamics
    note_bones(obj.data)
    scale = uniform_scale(matrix_world, obj.name, Fix("SCALE", obj.session_uid))
    groups = _simulated_bones(obj)
    bones = [bone for _, group in groups for bone in group]
    names = tuple(bone.name for bone in bones)
    refuse_fastened(obj, fastened_bones(obj, bones))
    keyed = animated_bones(obj) if settings.follow_animation else {}
    led, moved_by, stretched_by, beside = led_as(obj)
    posed = posed_bones(obj) if settings.follow_animation and may_follow(obj) else set()
    turned = [led or bone.name in keyed or bone.name in posed for bone in bones]
    animated = np.flatnonzero([one and is_jointed(bone) for one, bone in zip(turned, bones, strict=True)])
    modes = tuple(rotation_mode(obj.pose.bones[names[i]]) for i in animated)
    sources = [keyed.get(names[i], UNKEYED) for i in animated]
    guided = any(load.kind in GUIDES for load in settings.loads) or is_tied_by_others(obj)
    leaves_curl = curls(obj)
    at_nodes = animated.size > 0 or guided or leaves_curl
    layout = FOLLOWING_LAYOUT if at_nodes and settings.layout not in AT_THE_BASE else settings.layout
    tip_error = 0.01 * settings.tip_error if settings.use_tip_error else None
    made = [_rods_and_model(obj, carrier, group, scale, layout, tip_error) for carrier, group in groups]
    parts, models = zip(*made, strict=True)
    parent, pose_index = _parents(bones), _places(bones, obj.pose.bones)
    turned = np.array([bone.plant_dynamics.initial_rotation for bone in bones], dtype=np.float64)
    starts = np.split(turned, np.cumsum([len(group) for _, group in groups])[:-1])
    moving = np.flatnonzero([bone.plant_dynamics.use_physics for bone in bones])
    model = join(models)
    curl_share = shares_of_curl(bones, parent, model.first_joint >= 0) if leaves_curl else np.zeros(len(bones))
    to_cut, standing = bones_to_cut(obj), standing_rods(parent, model.first_joint)
    moved, stretched = list(moved_by), list(stretched_by)
    along = bones_along(obj.pose.bones.keys(), beside, moved, stretched)
    moved += _keyed_off(obj, bones, standing)
    scaling = channels_of(obj, bones, pose_index, moved, stretched)
    cuttable = np.flatnonzero([bone.name in to_cut for bone in bones] & (model.first_joint >= 0))
    plain = repr((
        names, [carrier for carrier, _ in groups], moving.tolist(), layout, tip_error, settings.segments,
        animated.tolist(), modes, sources, led, cuttable.tolist(), along.names,
    ))  # fmt: skip
    arrays = [turned, curl_share, *(column for part in parts for column in vars(part).values())]
    arrays += [scaling.inherits, scaling.moves, scaling.is_local, np.array(scaling.is_animated)]
    arrays += [*vars(scaling.led).values(), along.index, along.moves, along.scales]
    return Plant(
        names=tuple(names[i] for i in moving),
        pose_index=pose_index[moving],
        moving=moving,
        along=along,
        bones=names,
        parent=parent,
        rest=_in_parents(parent, np.concatenate([part.frame for part in parts])),
        carriers=tuple(carrier for carrier, _ in groups),
        parts=parts,
        models=models,
        model=model,
        initial=np.concatenate([model.share_out(start) for model, start in zip(models, starts, strict=True)]),
        animated=animated,
        animated_index=pose_index[animated],
        animated_modes=modes,
        animated_sources=np.array(sources, dtype=np.int64).reshape(-1, 4),
        is_led=led,
        led_as=(led, moved_by, stretched_by, beside),
        curl_share=curl_share,
        cuttable=cuttable,
        cuttable_index=pose_index[cuttable],
        standing=standing,
        layout=layout,
        scale=scale,
        offset=_from_parents(parent, *(np.concatenate([getattr(part, name) for part in parts])
                                       for name in ("head", "frame"))),
        scaling=scaling,
        signature=b"".join([plain.encode(), *(array.tobytes() for array in arrays)]),
    )


def _keyed_off(obj: bpy.types.Object, bones: list[bpy.types.Bone], standing: np.ndarray) -> list[str]:
    """The bones with keys on their location that may come off: until then they are where these lead them."""
    keyed = keyed_bones(obj, "location")
    falls = obj.plant_dynamics.let_go or any(path == LET_GO for path, _ in animated_channels(obj))
    may = [*coming_off(obj, bones), *(bones[rod] for rod in standing.tolist() if falls)]
    return list(dict.fromkeys(bone.name for bone in may if bone.name in keyed))


def _simulated_bones(obj: bpy.types.Object) -> list[tuple[str | None, list[bpy.types.Bone]]]:
    """Carriers and the bones of a model on each. Raises PlantError where there are none, or some that cannot be
    simulated."""
    uid = obj.session_uid
    if not obj.data.bones:
        raise PlantError("'{object}' has no bones", object=obj.name)
    if obj.data.pose_position == "REST":
        raise PlantError(
            "'{object}' is shown in Rest Position. Choose Pose Position in its Pose panel",
            Fix('REST_POSITION', uid), object=obj.name,
        )
    groups = bones_by_carrier(obj.data.bones)
    if not groups:
        raise PlantError(
            "None of the bones of '{object}' is simulated. Turn on Simulated in the Bone tab",
            Fix('NONE_SIMULATED', uid), object=obj.name,
        )
    bones = (bone for group in groups.values() for bone in group)
    stiff = tuple(bone.name for bone in bones if bone.parent and not bone.use_inherit_rotation)
    if stiff:
        raise PlantError(
            "Bone '{bone}' does not inherit rotation. Turn on Inherit Rotation in its Relations",
            Fix('INHERIT_ROTATION', uid, stiff), bone=stiff[0],
        )
    return [(carrier, own) for carrier, group in groups.items() for own in _apart(group)]


def _apart(bones: list[bpy.types.Bone]) -> list[list[bpy.types.Bone]]:
    """The bones on one carrier, parents first and roots one after the other, by what goes in steps of its own, in each
    of which something bends."""
    least, among = max(LEAST_BONES, len(bones) // MOST_MODELS), set()
    found: list[list[bpy.types.Bone]] = [[]]
    bends = False
    for bone in bones:
        if bone.parent not in among and len(found[-1]) >= least and bends:
            found.append([])
            bends = False
        among.add(bone)
        found[-1].append(bone)
        bends = bends or is_jointed(bone)
    if len(found) > 1 and (len(found[-1]) < least or not bends):
        few = found.pop()
        found[-1] += few
    return found


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


def _rods_and_model(
    obj: bpy.types.Object, carrier: str | None, bones: list[bpy.types.Bone], scale: float, layout: str,
    tip_error: float | None,
) -> tuple[Rods, Model]:  # fmt: skip
    """What is simulated of the bones on one carrier."""
    try:
        rods = _rods(obj, carrier, bones, scale)
        return rods, discretize(rods, layout, segments_of(bones, obj.plant_dynamics), tip_error)
    except SolverError as error:
        names = tuple(bone.name for bone in bones)
        raise as_plant_error(error, obj.name, names, _fix_of(obj, bones)) from error


def _rods(obj: bpy.types.Object, carrier: str | None, bones: list[bpy.types.Bone], scale: float) -> Rods:
    """The bones as the solver takes them, in the frame of their carrier at rest, whose unit is the metre."""
    index = _places(bones, obj.data.bones)
    columns_of_all = values_of(obj.data.bones, "matrix_local", 16).astype(np.float64).reshape(-1, 4, 4)
    matrices = columns_of_all.transpose(0, 2, 1)[index]
    if carrier is not None:
        matrices = np.linalg.inv(np.array(obj.data.bones[carrier].matrix_local, dtype=np.float64)) @ matrices
    columns = rod_columns(bones, obj.plant_dynamics, scale)
    thin = np.flatnonzero((columns["radius_base"] <= 0.0) & (columns["radius_tip"] <= 0.0))
    if thin.size:
        raise PlantError(
            "Bone '{bone}' has no radius. Set one, or choose One Radius",
            Fix('RADIUS', obj.session_uid, (bones[thin[0]].name,)), bone=bones[thin[0]].name,
        )
    length = values_of(obj.data.bones, "length")[index, 0].astype(np.float64) * scale
    least = least_length(length)
    rides = [not bone.plant_dynamics.use_physics for bone in bones] | (length < least)
    columns["pinned"] = np.maximum(columns["pinned"], rides)
    return Rods(
        parent=_parents(bones),
        head=matrices[:, :3, 3] * scale,
        frame=rotations.from_matrices(matrices[:, :3, :3]),
        length=np.maximum(length, least),
        landing_time=obj.plant_dynamics.landing_time,
        **columns,
    )


def _parents(bones: list[bpy.types.Bone]) -> np.ndarray:
    """(n,) index of each bone's parent among the bones, -1 for none."""
    index = {bone.name: i for i, bone in enumerate(bones)}
    above = [bone.parent for bone in bones]
    return np.array([-1 if parent is None else index.get(parent.name, -1) for parent in above])


def _places(bones: list[bpy.types.Bone], among: bpy.types.bpy_prop_collection) -> np.ndarray:
    """(n,) where the bones are among all of the armature or of its object."""
    place = {name: i for i, name in enumerate(among.keys())}
    return np.array([place[bone.name] for bone in bones])


def _in_parents(parent: np.ndarray, frame: np.ndarray) -> np.ndarray:
    """(m, 4) the rods' frames in those of their parents, of roots as they are."""
    of_parent = np.where((parent < 0)[:, None], (1.0, 0.0, 0.0, 0.0), frame[parent])
    return rotations.multiply(rotations.conjugate(of_parent), frame)


def _from_parents(parent: np.ndarray, head: np.ndarray, frame: np.ndarray) -> np.ndarray:
    """(m, 3) m the rods' heads in the frames of their parents, of roots as they are."""
    is_root = (parent < 0)[:, None]
    of_parent = np.where(is_root, (1.0, 0.0, 0.0, 0.0), frame[parent])
    return rotations.unrotate(of_parent, head - np.where(is_root, 0.0, head[parent]))


def as_plant_error(error: SolverError, obj: str, names: tuple[str, ...], fix: Fix | None = None) -> PlantError:
    """The same error with the bone's name instead of the rod's number."""
    if error.rod is None:
        return PlantError(f"'{obj}': {error.message}", fix)
    return PlantError(
        "'{object}', bone '{name}': {problem}",
        fix, object=obj, name=names[error.rod], problem=error.message,
    )


def _fix_of(obj: bpy.types.Object, bones: list[bpy.types.Bone]) -> Fix | None:
    """What would mend settings that the solver cannot accept."""
    loose = [bone for bone in bones if is_jointed(bone)]
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
