# SPDX-License-Identifier: GPL-3.0-or-later
"""What a plant touches: objects with Blender's Collision physics, as they are at the depsgraph's frame, and itself."""

from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import bpy

from ....solver import Collider
from ...blender.evaluation_cache import EvaluationCache
from ...blender.instancers import instancing_of, may_instance
from ...blender.moving_data import may_deform, may_move
from ...blender.plain_values import plain_values
from ...blender.versions import node_inputs
from ...blender.view_layers import enabled_objects, is_shown
from ...memory import Memory
from ..rig.leaders import followed, is_simulated, shaped_by
from ..rig.moved import mover_of
from ..solids.meshes import Flaw, Solids, drawn_as, solids_of
from ..solids.shapes import Shape
from ..solids.touched import collider_of, is_collider, is_plane, shape_at, traits_of
from .influence import Influence, Moment
from .instances import (
    flaws_of,
    instanced_by,
    instancers_in,
    makes_only,
    placed_by,
    read_instances,
    touched_of,
    unseen_in,
)
from .samples import equal

#: Why an object's place is not known at a frame.
_ELSEWHERE = ("OWN", "UNPOSED", "MOVED")

#: What was wrong with an object when it was last read.
_flaws: Memory[str] = Memory()


class _Made(NamedTuple):
    """What was last made of an object, of its solids and shape, None of a plane, its name, traits and matrix. The shape
    is held because its solids know it only as long as anybody has it."""

    solids: Solids | None
    shape: Shape | None
    of_it: tuple[Any, ...]
    collider: Collider


_made: Memory[_Made] = Memory()
#: session_uid of plants that count as not baked.
_repeated: set[int] = set()


def _is_asked(plant: bpy.types.Object) -> bool:
    """Whether the plant touches objects at all."""
    contact = plant.plant_dynamics.contact
    return contact.collide_with == "SCENE" or (contact.collide_with == "COLLECTION" and contact.collection is not None)


def _asked_by(plant: bpy.types.Object) -> bpy.types.Collection | None:
    contact = plant.plant_dynamics.contact
    return contact.collection if contact.collide_with == "COLLECTION" else None


def enabled_colliders(
    plant: bpy.types.Object, layer: bpy.types.ViewLayer, once: EvaluationCache | None = None
) -> list[bpy.types.Object]:
    """Those of the scene, or of the collection that the plant asks for, that are neither disabled in viewports nor
    excluded, by their names. What hangs on the plant is one of them."""
    once = once or EvaluationCache()
    return once(_enabled_in, layer, _asked_by(plant), once) if _is_asked(plant) else []


def enabled_instancers(
    plant: bpy.types.Object, layer: bpy.types.ViewLayer, once: EvaluationCache | None = None
) -> list[bpy.types.Object]:
    """The same of those that may show instances of colliders."""
    return instancers_in(layer, _asked_by(plant), once or EvaluationCache()) if _is_asked(plant) else []


def _enabled_in(
    layer: bpy.types.ViewLayer, asked: bpy.types.Collection | None, once: EvaluationCache
) -> list[bpy.types.Object]:
    found = (obj for obj in once(enabled_objects, layer, asked) if is_collider(obj))
    return sorted(found, key=lambda obj: obj.name_full)


def _colliders_in(
    scene: bpy.types.Scene, asked: bpy.types.Collection | None, once: EvaluationCache
) -> list[bpy.types.Object]:
    """Also such as are there as instances only, with what shows these."""
    found = {}
    for obj in scene.objects if asked is None else asked.all_objects:
        if is_collider(obj):
            found[obj.session_uid] = obj
        instanced = once(instanced_by, obj) if may_instance(obj) else ()
        if instanced:
            found |= {one.session_uid: one for one in (*placed_by(obj), *instanced)}
    return list(found.values())


@contextmanager
def simulated_anew(plants: Iterable[bpy.types.Object]) -> Iterator[None]:
    """Copies of the plants are simulated meanwhile: what these move, and what hangs on them, is touched as little as if
    they were not baked."""
    added = {one.session_uid for one in plants} - _repeated
    _repeated.update(added)
    try:
        yield
    finally:
        _repeated.difference_update(added)


def _is_baked(plant: bpy.types.Object) -> bool:
    return bool(plant.plant_dynamics.is_baked and plant.session_uid not in _repeated)


def why_left_out(obj: bpy.types.Object, plant: bpy.types.Object) -> str:
    """Why the plant does not touch a collider: "MOVED" where a plant that is not baked moves it, "OWN" or "UNPOSED"
    where it hangs on the plant or on another one that is not baked; "NO_FACES", "NOT_NUMBERS" or "SCALE" as it was last
    read; else an empty string."""
    carriers = set(_carriers(obj))
    mover = mover_of(obj)
    if mover is not None and _is_simulated(mover):
        return "MOVED"
    if plant in carriers:
        return "OWN"
    if not all(map(_is_baked, carriers)):
        return "UNPOSED"
    return _flaws.of(obj) or ""


def why_instances_left_out(instancer: bpy.types.Object, plant: bpy.types.Object) -> tuple[str, str]:
    """Why the plant does not touch all instances that the instancer shows, as of why_left_out, with the name of the
    object that is instanced where it is about that alone; "HIDDEN" where the eye hides them; "MADE" where there are
    none, but what geometry nodes make of them."""
    why = _why_nowhere(instancer, plant)
    if why:
        return "", why
    if not any(is_shown(instancer, layer) for scene in instancer.users_scene for layer in scene.view_layers):
        return "", "HIDDEN"
    for obj in sorted(instanced_by(instancer), key=lambda one: one.name_full):
        why = why_left_out(obj, plant)
        if why in _ELSEWHERE:
            return obj.name, why
    return next(iter(flaws_of(instancer).items()), ("", "MADE" if makes_only(instancer) else ""))


def _why_nowhere(instancer: bpy.types.Object, plant: bpy.types.Object) -> str:
    """Why it is not known where any of its instances is."""
    whys = {why_left_out(one, plant) for one in placed_by(instancer)}
    return next((why for why in _ELSEWHERE if why in whys), "")


def _is_simulated(plant: bpy.types.Object) -> bool:
    """Whether the plant moves anything but by keys; it is in no scene once Blender's Delete has deleted it."""
    return bool(plant.plant_dynamics.is_dynamic and plant.users_scene) and not _is_baked(plant)


def _carriers(obj: bpy.types.Object) -> Iterator[bpy.types.Object]:
    """The plants by whose simulated bones the object, or anything that it follows or is shaped by, is moved or
    deformed. A body that has no vertex group of the hair on it is not."""
    for one, bone in followed([(obj, ""), *shaped_by(obj)]):
        if is_simulated(one, bone):
            yield one
        deforming = {modifier.object for modifier in one.modifiers if modifier.type == "ARMATURE" and modifier.object}
        deforming |= {one.parent} if one.parent_type == "ARMATURE" else set()
        groups = [group.name for group in one.vertex_groups]
        yield from (plant for plant in deforming if any(is_simulated(plant, name) for name in groups))


def _read(obj: bpy.types.Object, evaluated: bpy.types.Object, once: EvaluationCache) -> Collider | None:
    """The collider that an object is, the same as before where it is equal; None where it has a flaw."""
    asked = evaluated.plant_dynamics.collider.shape
    name, matrix, traits, known = obj.name_full, evaluated.matrix_world, traits_of(evaluated), _made.of(obj)
    of_it = name, *traits.values(), *(value for row in matrix for value in row)
    try:
        solids = None if is_plane(evaluated) else once(solids_of, evaluated, asked)
        if known is None or known.solids is not solids or known.of_it != of_it:
            shape = shape_at(matrix, solids)
            now = collider_of(name, traits, matrix, shape)
            same = known is not None and equal(known.collider, now)
            known = _Made(solids, shape, of_it, known.collider if same else now)
    except Flaw as flaw:
        _flaws.keep(obj, str(flaw))
        return None
    _flaws.forget(obj)
    return _made.keep(obj, known).collider


def look_at(obj: bpy.types.Object, depsgraph: bpy.types.Depsgraph) -> None:
    """Find out whether anything is wrong with a collider."""
    _read(obj, obj.evaluated_get(depsgraph), EvaluationCache())


class Colliders(Influence):
    """What cannot be touched is left out, and the panel says why; all else is as it would be without it."""

    def read(self, moment: Moment, world: dict[str, Any]) -> None:
        found = []
        for obj in enabled_colliders(moment.obj, moment.depsgraph.view_layer, moment.once):
            evaluated = obj.evaluated_get(moment.depsgraph)
            if evaluated.is_evaluated and moment.once(why_left_out, obj, moment.obj) not in _ELSEWHERE:
                found.append(moment.once(_read, obj, evaluated, moment.once))
        colliders = (*(one for one in found if one is not None), *_read_instances(moment))
        if colliders:
            world["colliders"] = colliders
        if moment.obj.plant_dynamics.contact.itself:
            world["touches_itself"] = True
        world["parting_speed"] = moment.obj.plant_dynamics.contact.push_apart

    def objects(self, plant: bpy.types.Object, scene: bpy.types.Scene, once: EvaluationCache) -> list[bpy.types.Object]:
        if not _is_asked(plant):
            return []
        found = once(_colliders_in, scene, _asked_by(plant), once)
        return [obj for obj in found if once(why_left_out, obj, plant) not in _ELSEWHERE]

    def enabled(
        self, plant: bpy.types.Object, layer: bpy.types.ViewLayer, once: EvaluationCache
    ) -> list[bpy.types.Object]:
        return enabled_colliders(plant, layer, once) + enabled_instancers(plant, layer, once)

    def of_scene(self, scene: bpy.types.Scene) -> Hashable:
        return unseen_in(scene)

    def of_object(self, obj: bpy.types.Object) -> Hashable:
        instancing = instancing_of(obj) if may_instance(obj) else ()
        if not is_collider(obj):
            return instancing, drawn_as(obj) if instancing and obj.data is not None else ()
        physics = plain_values(obj.collision) if obj.type == "MESH" else ()
        nodes = [one for one in obj.modifiers if one.type == "NODES"]
        inputs = tuple((name, str(value)) for one in nodes for name, value in node_inputs(one))
        return instancing, physics, tuple(map(plain_values, obj.modifiers)), inputs, drawn_as(obj)

    def may_move(self, plant: bpy.types.Object, scene: bpy.types.Scene, once: EvaluationCache) -> bool:
        return any(may_deform(obj) or may_move(obj) for obj in self.objects(plant, scene, once))


def _read_instances(moment: Moment) -> list[Collider]:
    """The colliders that are there as instances; none is looked at where no enabled object may show such."""
    plant, once = moment.obj, moment.once
    layer = moment.depsgraph.view_layer
    # What is evaluated learns only later that a collection's eye is closed.
    instancers = [one for one in enabled_instancers(plant, layer, once) if once(is_shown, one, layer)]
    known = {one for one in instancers if not once(_why_nowhere, one, plant)}
    found = [
        one for one in (once(read_instances, moment.depsgraph, tuple(instancers)) if known else ())
        if one.instancer in known and once(why_left_out, one.obj, plant) not in _ELSEWHERE
    ]  # fmt: skip
    return touched_of(found, plant, moment.scene, moment.depsgraph, once)
