# SPDX-License-Identifier: GPL-3.0-or-later
"""How thick the skin is about bones, and which bones are no part of what it covers."""

from collections.abc import Iterable

import bpy
import numpy as np
from numpy.typing import NDArray

from ...blender.in_bulk import values_of
from ...changes import armature_changed, tell_listeners, unheard
from .parted_skin import skins_of
from .weights import Index, Weights, read_weights

Array = NDArray[np.float64]

#: So many points about half a bone tell how thick it is there.
_FEW = 4


def skin_radii(obj: bpy.types.Object) -> dict[str, tuple[float, float]]:
    """By the names of the simulated bones the middle distance of the skin about their lower and upper halves, in the
    armature's units; of several skins that of the innermost, for clothes and leaves are no body. A bone without any is
    as thick as what bears it ends. Nothing where the armature deforms no mesh.
    """
    found: dict[str, tuple[float, float]] = {}
    for skin in skins_of(obj):
        for bone, radii in _about_bones(obj, skin):
            found[bone] = min(found.get(bone, radii), radii)
    if not found:
        return {}
    usual = float(np.median(list(found.values())))
    every: dict[str, tuple[float, float]] = {}
    for bone in _parents_first(obj.data.bones):
        borne = every[bone.parent.name][1] if bone.parent else usual
        every[bone.name] = found.get(bone.name, (borne, borne))
    return {name: radii for name, radii in every.items() if obj.data.bones[name].plant_dynamics.use_physics}


def take_skin_radii(obj: bpy.types.Object) -> int:
    """Give the simulated bones these radii as their own; gives how many have got them."""
    found = skin_radii(obj)
    with unheard():  # each of a thousand bones would be told of
        for name, (base, tip) in found.items():
            own = obj.data.bones[name].plant_dynamics
            own.radius_base, own.radius_tip = base, tip
    armature_changed(obj.data)
    tell_listeners()
    return len(found)


def control_bones(obj: bpy.types.Object) -> list[bpy.types.Bone]:
    """The bones that lead the body and are none of it: those that deform nothing by their own setting while others do,
    and, where the armature deforms meshes, that constraints aim at; but none that moves a mesh."""
    skins = skins_of(obj)
    moved = {group.name for skin in skins for group in skin.vertex_groups}
    aims = {aim for bone in obj.pose.bones for one in bone.constraints for aim in _aims(one, obj)}
    if not any(bone.use_deform for bone in obj.data.bones):
        return []
    spare = [bone for bone in obj.data.bones if bone.name not in moved]
    return [bone for bone in spare if not bone.use_deform or (skins and bone.name in aims)]


def _aims(constraint: bpy.types.Constraint, obj: bpy.types.Object) -> Iterable[str]:
    """The bones of the object at which a constraint aims."""
    for target, bone in (("target", "subtarget"), ("pole_target", "pole_subtarget")):
        if getattr(constraint, target, None) == obj:
            yield getattr(constraint, bone, "")


def _parents_first(bones: Iterable[bpy.types.Bone]) -> list[bpy.types.Bone]:
    return sorted(bones, key=lambda bone: len(bone.parent_recursive))


def _about_bones(obj: bpy.types.Object, skin: bpy.types.Object) -> Iterable[tuple[str, tuple[float, float]]]:
    """The bones that a skin surrounds, and how thick it is about each."""
    bones = [one for one in obj.data.bones if one.name in skin.vertex_groups and one.length > 0.0]
    if not bones:
        return
    number = {skin.vertex_groups[bone.name].index: i for i, bone in enumerate(bones)}
    owner, point = _points(skin.data, _owners(read_weights(skin.data), number))
    placed = np.array(obj.matrix_world.inverted_safe() @ skin.matrix_world)
    point = point @ placed[:3, :3].T + placed[:3, 3]
    head = np.array([bone.head_local for bone in bones])[owner]
    way = np.array([bone.tail_local - bone.head_local for bone in bones])[owner]
    share = ((point - head) * way).sum(1) / (way * way).sum(1)
    away = np.linalg.norm(point - head - share[:, None] * way, axis=1)
    order = np.argsort(owner, kind="stable")
    first = np.searchsorted(owner[order], np.arange(len(bones) + 1))
    for i, bone in enumerate(bones):
        own = order[first[i] : first[i + 1]]
        halves = [away[own[(low <= share[own]) & (share[own] <= low + 0.5)]] for low in (0.0, 0.5)]
        told = [float(np.median(half)) for half in halves if len(half) >= _FEW]
        if told and min(told) > 0.0:
            yield bone.name, (told[0], told[-1])


def _owners(weights: Weights, number: dict[int, int]) -> Index:
    """(n,) of each vertex the bone that moves it most, by its number; -1 of those that none moves. number: of the
    bones' groups."""
    numbers = np.full(int(weights.group.max(initial=-1)) + 1, -1)
    for group, bone in number.items():
        if group < len(numbers):
            numbers[group] = bone
    of = numbers[weights.group]
    order = np.lexsort((weights.weight, weights.vertex))
    order = order[of[order] >= 0]
    owner = np.full(weights.count, -1)
    owner[weights.vertex[order]] = of[order]  # the last of a vertex is the heaviest
    return owner


def _points(mesh: bpy.types.Mesh, owner: Index) -> tuple[Index, Array]:
    """Points of the mesh that bones own: vertices, and middles of edges, which corners alone are farther off than."""
    corner = values_of(mesh.vertices, "co", 3)
    ends = values_of(mesh.edges, "vertices", 2, np.int32)
    ends = ends[owner[ends[:, 0]] == owner[ends[:, 1]]]
    owners = np.concatenate([owner, owner[ends[:, 0]]])
    points = np.concatenate([corner, corner[ends].mean(1)])
    return owners[owners >= 0], points[owners >= 0]
