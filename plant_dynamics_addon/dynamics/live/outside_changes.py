# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes of Blender's own data by the user that act on plants: gravity, force fields, colliders, constraints, drivers.

They are known by comparing what can be set there with what was found before, as Blender only tells that something about
an object is new. Where an object merely stands elsewhere it was moved by hand, which acts from that frame on.
"""

from collections.abc import Hashable, Iterable, Iterator

import bpy

from ...blender.evaluation_cache import EvaluationCache
from ...blender.plain_values import plain_values
from ...blender.view_layers import layer_of
from ...memory import Memory
from ..rig.leaders import pose_bones
from ..surroundings.dependencies import acting_on
from ..surroundings.inputs import INFLUENCES

#: What was found last, by the session_uid of objects and scenes; who acts on a plant, by its negative.
_found: Memory[Hashable] = Memory()
#: Where objects stood, by themselves.
_stood: Memory[Hashable] = Memory()


def note(scene: bpy.types.Scene, plants: Iterable[bpy.types.Object]) -> None:
    """Take what acts on these plants of the scene as it is now."""
    once = EvaluationCache()
    _found.keep(scene, _of_scene(scene))
    plants = list(plants)
    for plant in plants:
        _found[-plant.session_uid] = _who_acts(plant, scene, once)
    for obj in {one for plant in plants for one in acting_on(plant, scene, once)}:
        _found[obj.session_uid], _stood[obj.session_uid] = _settings(obj), _place(obj)


def changed(
    scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph, plants: list[bpy.types.Object]
) -> tuple[list[bpy.types.Object], list[bpy.types.Object]]:
    """Those of the plants on which something acts otherwise since this was last asked, and others of them on which
    something acts that has been moved by hand."""
    whole_scene, relinked, others, reshaped = _read(scene, depsgraph)
    if whole_scene:
        return plants, []
    if not relinked and not others:
        return [], []
    relinked = relinked or bool(reshaped)  # a modifier makes an object a collider
    once = EvaluationCache()
    acting = [acting_on(plant, scene, once) for plant in plants]
    relevant: set[bpy.types.Object] = set().union(*acting)
    touched = relevant.intersection(others)
    anew = {obj for obj in (relevant if relinked else touched) if _is_new(_found, obj.session_uid, _settings(obj))}
    if relinked:  # of anything to anything else
        anew.update(plant for plant in plants if _is_new(_found, -plant.session_uid, _who_acts(plant, scene, once)))
    moved = {obj for obj in touched if _is_new(_stood, obj.session_uid, _place(obj)) or obj in reshaped}
    other = [plant for plant, objects in zip(plants, acting, strict=True) if objects & anew]
    shifted = [plant for plant, objects in zip(plants, acting, strict=True) if objects & moved and not objects & anew]
    return other, shifted


def _read(
    scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph
) -> tuple[bool, bool, list[bpy.types.Object], set[bpy.types.Object]]:
    """Whether the scene's own settings have changed; whether relations may have; the objects about which something else
    is new; and those of them whose meshes are."""
    whole_scene = relinked = False
    others: list[bpy.types.Object] = []
    reshaped: set[bpy.types.Object] = set()
    for update in depsgraph.updates:
        original = update.id.original
        if original == scene:
            whole_scene = _is_new(_found, scene.session_uid, _of_scene(scene))
        elif isinstance(original, bpy.types.Object):
            if update.is_updated_transform or update.is_updated_geometry:
                others.append(original)
                if update.is_updated_geometry and original.type != "ARMATURE":
                    reshaped.add(original)
            else:
                relinked = True
        elif isinstance(original, bpy.types.Collection):  # objects instance it
            relinked = True
    return whole_scene, relinked, others, reshaped


def _is_new(known: Memory[Hashable], uid: int, now: Hashable) -> bool:
    before, known[uid] = known.get(uid), now
    return before != now


def _of_scene(scene: bpy.types.Scene) -> Hashable:
    return tuple(influence.of_scene(scene) for influence in INFLUENCES), tuple(_drivers(scene))


def _who_acts(plant: bpy.types.Object, scene: bpy.types.Scene, once: EvaluationCache) -> Hashable:
    layer = layer_of(plant, scene, once)
    enabled = (obj for influence in INFLUENCES for obj in influence.enabled(plant, layer, once))
    return tuple(frozenset(obj.session_uid for obj in objects) for objects in (acting_on(plant, scene, once), enabled))


def _place(obj: bpy.types.Object) -> Hashable:
    """Where the object stands, and the bones of one that is only posed."""
    matrices = [obj.matrix_basis]
    if obj.type == "ARMATURE" and not obj.plant_dynamics.is_dynamic:
        matrices += [bone.matrix_basis for bone in obj.pose.bones]
    return tuple(value for matrix in matrices for row in matrix for value in row)


def _settings(obj: bpy.types.Object) -> Hashable:
    """What the user can set at an object that acts on plants, but not where it stands."""
    stacks = [obj.constraints, *(bone.constraints for bone in pose_bones(obj))]
    constraints = tuple(plain_values(one) for stack in stacks for one in stack)
    acting = tuple(influence.of_object(obj) for influence in INFLUENCES)
    parent = (obj.parent.session_uid, obj.parent_type, obj.parent_bone) if obj.parent else ()
    return parent, acting, constraints, tuple(_drivers(obj))


def _drivers(owner: bpy.types.Object | bpy.types.Scene) -> Iterator[Hashable]:
    for curve in owner.animation_data.drivers if owner.animation_data else ():
        driver = curve.driver
        variables = tuple(
            (variable.name, variable.type, *(plain_values(target) for target in variable.targets))
            for variable in driver.variables
        )
        yield curve.data_path, curve.array_index, driver.type, driver.expression, variables
