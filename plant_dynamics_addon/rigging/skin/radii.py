# SPDX-License-Identifier: GPL-3.0-or-later
"""How thick the skin is about bones, and which bones are no part of what it covers."""

from collections.abc import Iterable
from typing import NamedTuple

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

#: What is open about a bone by more than this share of a turn lies beside it, as eyes and buttons do; flat skins are
#: open by half.
_MOST_OPEN = 0.6

#: What goes along a bone by less than this share of what another skin does is a part of that one's, as rings and ears.
_LEAST_ALONG = 0.5


class _About(NamedTuple):
    """What a skin is about a bone: middle distances about its lower and upper half, in the armature's units, and along
    which share of it the skin goes."""

    radii: tuple[float, float]
    along: float


def skin_radii(obj: bpy.types.Object) -> dict[str, tuple[float, float]]:
    """By the names of the simulated bones the middle distance of the skin about their lower and upper halves, in the
    armature's units; of several skins that of the innermost, for clothes and leaves are no body, but of none that goes
    around no bone, or only about a part of what others cover, as eyes, teeth and buttons do. A bone without any is as
    thick as what bears it ends. Nothing where the armature deforms no mesh.
    """
    skins: dict[str, list[_About]] = {}
    for skin in skins_of(obj):
        for bone, about in _about_bones(obj, skin):
            skins.setdefault(bone, []).append(about)
    found = {bone: _innermost(several) for bone, several in skins.items()}
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


def _innermost(several: list[_About]) -> tuple[float, float]:
    longest = max(one.along for one in several)
    return min(one.radii for one in several if one.along >= _LEAST_ALONG * longest)


def _about_bones(obj: bpy.types.Object, skin: bpy.types.Object) -> Iterable[tuple[str, _About]]:
    """The bones that a skin surrounds, and what it is about each."""
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
    beside = point - head - share[:, None] * way
    away = np.linalg.norm(beside, axis=1)
    order = np.argsort(owner, kind="stable")
    first = np.searchsorted(owner[order], np.arange(len(bones) + 1))
    for i, bone in enumerate(bones):
        own = order[first[i] : first[i + 1]]
        halves = [away[own[(low <= share[own]) & (share[own] <= low + 0.5)]] for low in (0.0, 0.5)]
        told = [float(np.median(half)) for half in halves if len(half) >= _FEW]
        if told and min(told) > 0.0 and _open_about(beside[own], bone) <= _MOST_OPEN:
            yield bone.name, _About((told[0], told[-1]), float(np.ptp(np.clip(share[own], 0.0, 1.0))))


def _open_about(beside: Array, bone: bpy.types.Bone) -> float:
    """The largest share of a turn about the bone in which no point lies; beside (n, 3): from its axis to each point."""
    across, upwards = (beside @ np.array(bone.matrix_local.col[axis].xyz) for axis in (0, 2))
    angle = np.sort(np.arctan2(upwards, across))
    return float(np.diff(angle, append=angle[0] + 2.0 * np.pi).max() / (2.0 * np.pi))


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
