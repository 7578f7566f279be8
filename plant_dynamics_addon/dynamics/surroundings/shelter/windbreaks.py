# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants slow the wind of the scene down: each stands in the shelter of all of them, itself too.

They do so where they are drawn, not where they are blown to, so that it does not matter which of them is simulated,
baked, or looked at first.
"""

from collections.abc import Hashable, Iterator
from dataclasses import replace
from typing import Any

import bpy
import numpy as np

from ....blender.evaluation_cache import EvaluationCache
from ....blender.in_bulk import values_of
from ....blender.moving_data import may_move
from ....blender.view_layers import enabled_objects
from ....memory import Measured
from ....plants import dynamic_objects
from ...rig.armature_reader import bones_by_carrier
from ...rig.leaders import POSE, carrying_bones, followed, is_simulated
from ...rig.rod_columns import held_columns
from ..air import SceneWind
from ..influence import Influence, Moment
from .foliage import Foliage, Windbreak

#: Every bone takes its part of the wind at so many places along it.
_PLACES = 4

#: What is known of plants' foliage on each of their carriers, with the session_uid of the armature.
_foliages: Measured[tuple[int, dict[str | None, Foliage]]] = Measured()


def _foliages_of(obj: bpy.types.Object) -> dict[str | None, Foliage]:
    """By the carriers' names, read anew only where the plant has changed."""
    armature = obj.data.session_uid
    known, foliages = _foliages.of(obj) or (-1, {})
    return foliages if known == armature else _foliages.keep(obj, (armature, _read(obj)))[1]


def _read(obj: bpy.types.Object) -> dict[str | None, Foliage]:
    bones = obj.data.bones
    place = {name: i for i, name in enumerate(bones.keys())}
    matrices = values_of(bones, "matrix_local", 16).astype(np.float64).reshape(-1, 4, 4).transpose(0, 2, 1)
    lengths = values_of(bones, "length").astype(np.float64)
    found = {}
    for carrier, group in bones_by_carrier(bones).items():
        rows = [place[bone.name] for bone in group]
        own = matrices[rows] if carrier is None else np.linalg.inv(matrices[place[carrier]]) @ matrices[rows]
        found[carrier] = _foliage(own, lengths[rows], held_columns(group, obj.plant_dynamics), obj)
    return {carrier: foliage for carrier, foliage in found.items() if len(foliage.areas)}


def _foliage(
    matrices: np.ndarray, lengths: np.ndarray, columns: dict[str, np.ndarray], obj: bpy.types.Object
) -> Foliage:
    """Of bones with matrices (n, 4, 4) and lengths (n, 1): stems about their Y axes, and blades across their Z axes."""
    head, along, normal = matrices[:, :3, 3], matrices[:, :3, 1], matrices[:, :3, 2]
    sides = lengths[:, 0] * (np.maximum(columns["radius_base"], 0.0) + np.maximum(columns["radius_tip"], 0.0))
    stems = np.stack([np.pi * columns["drag_along"], columns["drag_across"]], axis=1) * sides[:, None]
    blades = np.stack([columns["blade_drag_normal"], columns["blade_drag_along"]], axis=1)
    blades *= columns["blade_area"][:, None]
    areas = obj.plant_dynamics.air_factor / _PLACES * np.concatenate([stems, blades])
    catching = np.flatnonzero(areas.any(axis=1))
    shares = (np.arange(_PLACES) + 0.5) / _PLACES
    places = [np.tile(head + share * lengths * along, (2, 1))[catching] for share in shares]
    axes = np.concatenate([along, normal])[catching]
    return Foliage(np.concatenate(places), np.tile(axes, (_PLACES, 1)), np.tile(areas[catching], (_PLACES, 1)))


def _is_asked(scene: bpy.types.Scene) -> bool:
    """Whether plants slow gusts of the scene down."""
    return bool(scene.plant_dynamics.wind.shelter > 0.0)


def _company(plant: bpy.types.Object) -> int:
    """The place in a row that is compared, where plants shelter those at the same one only."""
    return int(plant.plant_dynamics.contact.company)


def _plants_in(scene: bpy.types.Scene, company: int) -> list[bpy.types.Object]:
    """By their names, so that sums over them are the same in every file."""
    return sorted((obj for obj in dynamic_objects(scene) if _company(obj) == company), key=lambda obj: obj.name_full)


def _is_placed(plant: bpy.types.Object) -> bool:
    """Whether it is known where the plant is: it hangs on none that is yet to be simulated."""
    leaders = followed([(plant, POSE)])
    return not any(is_simulated(obj, bone) and not obj.plant_dynamics.is_baked for obj, bone in leaders)


def _carried(plant: bpy.types.Object, depsgraph: bpy.types.Depsgraph) -> Iterator[tuple[Foliage, np.ndarray]]:
    """What the plant takes its part of the wind with, and the matrices (4, 4) of its carriers."""
    evaluated = plant.evaluated_get(depsgraph)
    if not evaluated.is_evaluated:
        return
    world = evaluated.matrix_world
    for carrier, foliage in _foliages_of(plant).items():
        matrix = world if carrier is None else world @ evaluated.pose.bones[carrier].matrix
        if matrix.determinant() != 0.0:  # else it is shrunk to nothing
            yield foliage, np.array(matrix, dtype=np.float64)


def _windbreak(depsgraph: bpy.types.Depsgraph, scene: bpy.types.Scene, company: int) -> Windbreak | None:
    """The plants of the depsgraph's view layer, at its frame, that are neither disabled in viewports nor excluded."""
    enabled = {obj.session_uid for obj in enabled_objects(depsgraph.view_layer, None)}
    plants = [one for one in _plants_in(scene, company) if one.session_uid in enabled and _is_placed(one)]
    pairs = [pair for one in plants for pair in _carried(one, depsgraph)]
    if not pairs:
        return None
    foliages, matrices = zip(*pairs, strict=True)
    return Windbreak(foliages, np.array(matrices).tobytes())


def _any_may_move(scene: bpy.types.Scene, company: int) -> bool:
    return any(
        may_move(one) or any(one.pose.bones[name].constraints for name in carrying_bones(one))
        for one in _plants_in(scene, company)
    )


class InShelter(Influence):
    """Of the gusts of the scene, which are read before. What a script or a force field blows is as it was."""

    def read(self, moment: Moment, world: dict[str, Any]) -> None:
        wind, scene = world["wind"], moment.scene
        if isinstance(wind, SceneWind) and _is_asked(scene):
            windbreak = moment.once(_windbreak, moment.depsgraph, scene, _company(moment.obj))
            if windbreak is not None:
                world["wind"] = replace(wind, windbreak=windbreak, share=scene.plant_dynamics.wind.shelter)

    def objects(self, plant: bpy.types.Object, scene: bpy.types.Scene, once: EvaluationCache) -> list[bpy.types.Object]:
        return once(_plants_in, scene, _company(plant)) if _is_asked(scene) else []

    def enabled(
        self, plant: bpy.types.Object, layer: bpy.types.ViewLayer, once: EvaluationCache
    ) -> list[bpy.types.Object]:
        plants = self.objects(plant, layer.id_data, once)
        there = {obj.session_uid for obj in once(enabled_objects, layer, None)} if plants else ()
        return [obj for obj in plants if obj.session_uid in there]

    def of_object(self, obj: bpy.types.Object) -> Hashable:
        is_plant = obj.type == "ARMATURE" and obj.plant_dynamics.is_dynamic
        return tuple(_foliages_of(obj).items()) if is_plant and any(map(_is_asked, obj.users_scene)) else ()

    def may_move(self, plant: bpy.types.Object, scene: bpy.types.Scene, once: EvaluationCache) -> bool:
        return _is_asked(scene) and once(_any_may_move, scene, _company(plant))
