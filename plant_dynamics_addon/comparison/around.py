# SPDX-License-Identifier: GPL-3.0-or-later
"""What the plants of a row touch: repeated beside each of them where it is near, and the ground that is not."""

from collections.abc import Collection, Generator, Mapping, Sequence
from contextlib import closing
from typing import NamedTuple

import bpy
import numpy as np
from mathutils import Matrix

from ...solver import Collider, rotations
from ..blender.evaluation_cache import EvaluationCache
from ..blender.versions import node_inputs
from ..blender.view_layers import depsgraph_of, layer_of
from ..dynamics.surroundings.colliders import enabled_colliders, why_left_out
from ..dynamics.surroundings.instances import Instance, is_instance, seen_in, told
from .animation import looked_through, write_place, write_places
from .variants import belongings

Array = np.ndarray

#: Modifiers whose results lie in caches, which are not another object's.
_CACHED = {"CLOTH", "SOFT_BODY", "FLUID", "DYNAMIC_PAINT", "PARTICLE_SYSTEM", "EXPLODE", "OCEAN", "MESH_SEQUENCE_CACHE"}

#: Corners of a box of the half sizes 1.
_CORNERS = np.array([(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])

#: Vertices of what is flat lie within so much of the plants' size.
_FLAT = 0.05


def colliders_of(company: Sequence[bpy.types.Object], scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """The colliders of the plants that are seen in the scene's renders, but for what is repeated with the plants."""
    own = {one for plant in company for one in (plant, *belongings(plant, scene, company))}
    found: dict[bpy.types.Object, None] = {}
    for plant in company:
        layer = layer_of(plant, scene)
        for one in enabled_colliders(plant, layer):
            if one not in own and not why_left_out(one, plant) and _is_seen(one, layer):
                found[one] = None
    return list(found)


def _is_seen(obj: bpy.types.Object, layer: bpy.types.ViewLayer) -> bool:
    return not obj.hide_render and obj.visible_get(view_layer=layer)


def bends_with_others(obj: bpy.types.Object) -> bool:
    """Whether other objects or a cache say how the object's mesh is bent, so that a copy elsewhere would differ."""
    if obj.parent_type in ("ARMATURE", "LATTICE", "CURVE"):
        return True
    return any(modifier.type in _CACHED or _names_an_object(modifier) for modifier in obj.modifiers)


def _names_an_object(modifier: bpy.types.Modifier) -> bool:
    pointers = [one.identifier for one in modifier.bl_rna.properties if one.type == "POINTER"]
    values = [getattr(modifier, name) for name in pointers] + (
        [value for _, value in node_inputs(modifier)] if modifier.type == "NODES" else []
    )
    return any(isinstance(value, bpy.types.Object) for value in values)


def copy_collider(
    obj: bpy.types.Object, moved: Mapping[bpy.types.Object, list[Matrix]], frames: range
) -> bpy.types.Object:
    """The collider once more, linked to no scene, moving by itself as it does where others move it."""
    copied = obj.copy()
    copied.data = obj.data.copy()
    if obj in moved:
        write_places(copied, moved[obj], frames)
        copied.matrix_parent_inverse = Matrix()
    return copied


class Placed(NamedTuple):
    """An instance: of what object; the mesh that its nodes have made, if they have; its world matrices, by frames."""

    obj: bpy.types.Object
    made: bpy.types.Mesh | None
    matrices: dict[int, Matrix]


def instances_of(
    context: bpy.types.Context, company: Sequence[bpy.types.Object], names: Collection[str], frames: range
) -> Generator[float, None, dict[str, Placed]]:
    """Of colliders of these names the instances that are seen in the scene's renders, but for what is repeated with the
    plants, in steps."""
    plant, scene = company[0], context.scene
    own = {one for each in company for one in belongings(each, scene, company)}
    shown = {told(name) for name in names if is_instance(name)}
    instancers = [one for one in scene.objects if one.name_full in shown and one not in own and not one.hide_render]
    found: dict[str, Placed] = {}
    if not instancers:
        return found
    kept: dict[tuple[int, bpy.types.Object, int], bpy.types.Mesh] = {}
    try:
        with closing(looked_through(context, frames)) as evaluated:
            for frame, current in zip(frames, evaluated, strict=True):
                depsgraph = depsgraph_of(plant, scene, current, EvaluationCache())
                for one in seen_in(depsgraph, instancers):
                    if one.name not in names or one.obj.hide_render:
                        continue
                    if one.name not in found:
                        found[one.name] = Placed(one.obj, _kept(one, frame, kept), {})
                    found[one.name].matrices[frame] = one.matrix
                yield 0.0
    except BaseException:  # given up, too
        bpy.data.batch_remove(list(kept.values()))
        raise
    return found


def _kept(
    one: Instance, frame: int, kept: dict[tuple[int, bpy.types.Object, int], bpy.types.Mesh]
) -> bpy.types.Mesh | None:
    """What nodes have made as a mesh of the file, one for all instances of it at a frame."""
    if one.made is None:
        return None
    number, mesh = one.made
    known = frame, one.obj, number
    if known not in kept:
        kept[known] = copied = mesh.copy()
        for slot, material in enumerate(copied.materials):
            copied.materials[slot] = None if material is None else material.original
    return kept[known]


def copies_of(instanced: Mapping[str, Placed], frames: range) -> dict[str, bpy.types.Object]:
    """The instances as objects, linked to no scene, but for those that bend with others."""
    return {
        name: _copy_instance(one, frames) for name, one in instanced.items()
        if one.made is not None or not bends_with_others(one.obj)
    }  # fmt: skip


def _copy_instance(placed: Placed, frames: range) -> bpy.types.Object:
    """As an object that is seen at the frames at which the instance is there."""
    if placed.made is None:
        copied = placed.obj.copy()
        copied.instance_type = "NONE"  # what it shows are instances of their own
    else:
        copied = bpy.data.objects.new(placed.obj.name, placed.made)
    there, matrices = list(placed.matrices), list(placed.matrices.values())
    if any(one != matrices[0] for one in matrices):
        write_places(copied, matrices, there)
    else:
        write_place(copied, matrices[0])
    if len(there) < len(frames):
        _key_when_seen(copied, [frame in placed.matrices for frame in frames], frames)
    return copied


def _key_when_seen(obj: bpy.types.Object, seen: Sequence[bool], frames: range) -> None:
    for number, frame in enumerate(frames):
        if number == 0 or seen[number] != seen[number - 1]:
            obj.hide_viewport = obj.hide_render = not seen[number]
            for path in ("hide_viewport", "hide_render"):
                obj.keyframe_insert(path, frame=frame)


def is_near(points: Array, shown: Array, size: float) -> bool:
    """Whether points (n, 3) are no farther than this from the box about all that is shown anyway (k, 3)."""
    low, high = shown.min(axis=0) - size, shown.max(axis=0) + size
    return len(points) > 0 and bool((points >= low).all() and (points <= high).all())


def ground_under(colliders: Sequence[Collider], foot: Array, lowest: float, size: float) -> tuple[float, str] | None:
    """Height and name of the highest level ground under the foot (3,), no deeper than a plant's size unless the lowest
    of all points lies on it."""
    found = [(height, one.name) for one in colliders if (height := _level_at(one, foot, size)) is not None]
    deepest = min(foot[2] - size, lowest - _FLAT * size)
    return max((pair for pair in found if deepest < pair[0] < foot[2] + 0.02 * size), default=None)


def _level_at(collider: Collider, foot: Array, size: float) -> float | None:
    """The height of a collider's level upper side at the foot, if it has one there."""
    turn, position = np.array(collider.orientation), np.array(collider.position)
    if collider.kind == "plane":
        return float(position[2]) if rotations.rotate(turn, np.array([0.0, 0.0, 1.0]))[2] > 0.999 else None
    if collider.kind == "box":
        points = _CORNERS * np.array(collider.size)
    elif collider.kind == "mesh":
        points = np.asarray(collider.vertices, dtype=np.float64)
    else:
        return None
    points = rotations.rotate(turn, points) + position
    upper = points[points[:, 2] > points[:, 2].max() - _FLAT * size] if collider.kind == "box" else points
    low, high = upper.min(axis=0), upper.max(axis=0)
    is_level = high[2] - low[2] < _FLAT * size and len(upper) > 2
    return float(high[2]) if is_level and (low[:2] < foot[:2]).all() and (foot[:2] < high[:2]).all() else None
