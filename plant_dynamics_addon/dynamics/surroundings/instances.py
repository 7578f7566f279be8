# SPDX-License-Identifier: GPL-3.0-or-later
"""Things that plants touch and that are in the scene as instances only: each is a collider of its own."""

from collections.abc import Hashable, Iterable, Iterator
from typing import Any, NamedTuple

import bpy
import numpy as np
from mathutils import Matrix

from ....solver import Collider
from ...blender.evaluation_cache import EvaluationCache
from ...blender.in_bulk import values_of
from ...blender.instancers import may_instance, shown_by
from ...blender.view_layers import enabled_objects, is_shown
from ...memory import Memory
from ...plants import dynamic_objects
from ..solids.meshes import Flaw, Solids, solids_of, solids_of_mesh
from ..solids.shapes import Shape
from ..solids.touched import collider_of, is_collider, is_plane, shape_at, traits_of

#: So many instances, and triangles of such as are meshes, are touched at most.
MOST, MOST_TRIANGLES = 500, 500_000

#: No instance is so far away (m).
_EVERYWHERE = 1e30

#: Blender has it in place of numbers that an instance has not.
_NO_NUMBER = 2**31 - 1


class _Made(NamedTuple):
    """A collider and what it was made of."""

    solids: Solids | None
    traits: dict[str, Any]
    matrix: Matrix
    shape: Shape | None
    collider: Collider


class _Found:
    """What was found when the instances of an instancer were last read. count: of instances; flaws: by the names of
    instanced objects; made: colliders by their names, before: those of the time before."""

    def __init__(self, before: dict[str, _Made]) -> None:
        self.count = 0
        self.flaws: dict[str, str] = {}
        self.made: dict[str, _Made] = {}
        self.before = before


_found: Memory[_Found] = Memory()
#: How many instances the plant does not touch, as they are too many, and of which instancers.
_left_over: Memory[tuple[int, list[str]]] = Memory()


class Instance:
    """One of them at a frame. obj: the object that is instanced; numbers: by which it is known again; made: number and
    mesh of what geometry nodes have made beside the object's own, else None."""

    def __init__(
        self, instancer: bpy.types.Object, obj: bpy.types.Object, numbers: tuple[int, ...], matrix: Matrix,
        made: tuple[int, bpy.types.Mesh] | None,
    ) -> None:  # fmt: skip
        self.instancer, self.obj, self.matrix, self.made = instancer, obj, matrix, made
        self.place = instancer.name_full, obj.name_full, numbers

    @property
    def name(self) -> str:
        """Its collider's. The first line is the instancer's."""
        instancer, obj, numbers = self.place
        return f"{instancer}\n{obj} {' '.join(map(str, numbers))}"


def is_instance(name: str) -> bool:
    """Whether a collider of this name is one."""
    return "\n" in name


def told(name: str) -> str:
    """What a collider of this name is called where the user reads it."""
    return name.partition("\n")[0]


def instancers_in(
    layer: bpy.types.ViewLayer, asked: bpy.types.Collection | None, once: EvaluationCache
) -> list[bpy.types.Object]:
    """Those that may show instances of colliders, enabled as colliders are, by their names."""
    return once(_enabled_in, layer, asked, once)


def _enabled_in(
    layer: bpy.types.ViewLayer, asked: bpy.types.Collection | None, once: EvaluationCache
) -> list[bpy.types.Object]:
    found = [obj for obj in once(enabled_objects, layer, asked) if may_instance(obj) and once(instanced_by, obj)]
    return sorted(found, key=lambda obj: obj.name_full)


def instanced_by(obj: bpy.types.Object) -> frozenset[bpy.types.Object]:
    """The colliders of which the object may show instances."""
    return frozenset(one for one in shown_by(obj).instanced if is_collider(one))


def placed_by(obj: bpy.types.Object) -> frozenset[bpy.types.Object]:
    """By which objects it is known where its instances are, itself with them."""
    return shown_by(obj).shaping | {obj}


def unseen_in(scene: bpy.types.Scene) -> Hashable:
    """Which instancers of colliders the eye hides, so that Blender does not show what they instance, in which view
    layers."""
    found = [obj for obj in scene.objects if may_instance(obj) and instanced_by(obj)]
    return tuple(frozenset(one.session_uid for one in found if not is_shown(one, layer)) for layer in scene.view_layers)


def read_instances(depsgraph: bpy.types.Depsgraph, instancers: tuple[bpy.types.Object, ...]) -> list[Instance]:
    """All instances that these show of colliders, in an order that does not depend on Blender's."""
    for one in instancers:
        before = _found.of(one)
        _found.keep(one, _Found({} if before is None else before.made))
    seen = sorted(seen_in(depsgraph, instancers), key=lambda one: one.place)
    for instance in seen:
        _found[instance.instancer.session_uid].count += 1
    return seen


def seen_in(depsgraph: bpy.types.Depsgraph, instancers: Iterable[bpy.types.Object]) -> Iterator[Instance]:
    """Look at all instances of the scene as it is evaluated."""
    wanted = {one: instanced_by(one) for one in instancers}
    made: dict[bpy.types.Object, dict[int, int]] = {}
    for one in depsgraph.object_instances:
        if not one.is_instance:
            continue
        instancer, obj = one.parent.original, one.instance_object.original
        if obj not in wanted.get(instancer, ()):
            continue
        numbers = tuple(number for number in one.persistent_id if number != _NO_NUMBER)
        shape = None
        if one.object.data != one.instance_object.data:
            if one.object.type != "MESH":
                continue
            numbers_of = made.setdefault(obj, {})
            number = numbers_of.setdefault(one.object.data.as_pointer(), len(numbers_of) + 1)
            shape = number, one.object.data
        elif obj == instancer:
            continue
        yield Instance(instancer, obj, numbers, one.matrix_world.copy(), shape)


def touched_of(
    instances: list[Instance], plant: bpy.types.Object, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph,
    once: EvaluationCache,
) -> list[Collider]:  # fmt: skip
    """Their colliders; of too many those that are nearest to the plant, and to those that it touches."""
    chosen, enough = _until_enough(instances, depsgraph, once)
    if not enough:
        chosen, _ = _until_enough(_nearest_first(instances, plant, scene, depsgraph), depsgraph, once)
    taken = {id(one) for one, _ in chosen}
    rest = [one for one in instances if id(one) not in taken]
    _left_over.keep(plant, (len(rest), sorted({one.instancer.name for one in rest})))
    return [made for _, made in sorted(chosen, key=lambda pair: pair[0].place) if made is not None]


def left_over(plant: bpy.types.Object) -> tuple[int, list[str]]:
    """How many instances the plant does not touch, as they are too many, and the names of their instancers."""
    return _left_over.of(plant) or (0, [])


def flaws_of(instancer: bpy.types.Object) -> dict[str, str]:
    """Why instances that it shows are not touched, by the names of their objects."""
    found = _found.of(instancer)
    return {} if found is None else found.flaws


def makes_only(instancer: bpy.types.Object) -> bool:
    """Whether geometry nodes showed no instance of a collider when they were last read, so that what they make, if they
    do, belongs to the instancer, which is no collider."""
    found = _found.of(instancer)
    by_nodes = any(one.type == "NODES" and one.show_viewport for one in instancer.modifiers)
    return by_nodes and found is not None and not found.count and not is_collider(instancer)


def _until_enough(
    instances: list[Instance], depsgraph: bpy.types.Depsgraph, once: EvaluationCache
) -> tuple[list[tuple[Instance, Collider | None]], bool]:
    """The first of them with their colliders, as many as can be touched, and whether these are all."""
    chosen: list[tuple[Instance, Collider | None]] = []
    count = triangles = 0
    for one in instances:
        made = once(_made, one, depsgraph, once)
        if made is not None:
            count, triangles = count + 1, triangles + len(np.atleast_1d(made.triangles))
            if count > MOST or triangles > MOST_TRIANGLES:
                return chosen, False
        chosen.append((one, made))
    return chosen, True


def _made(one: Instance, depsgraph: bpy.types.Depsgraph, once: EvaluationCache) -> Collider | None:
    """The collider, the same as before where it is of the same; None where it has a flaw."""
    found, name = _found[one.instancer.session_uid], one.name
    evaluated = one.obj.evaluated_get(depsgraph)
    try:
        solids, traits = _solids(one, evaluated, once), once(traits_of, evaluated)
        made = found.before.get(name)
        if made is None or made.solids is not solids or (made.traits, made.matrix) != (traits, one.matrix):
            shape = shape_at(one.matrix, solids)
            made = _Made(solids, traits, one.matrix, shape, collider_of(name, traits, one.matrix, shape))
    except Flaw as flaw:
        found.flaws.setdefault(one.obj.name, str(flaw))
        return None
    found.made[name] = made
    return made.collider


def _solids(one: Instance, evaluated: bpy.types.Object, once: EvaluationCache) -> Solids | None:
    if is_plane(evaluated):
        return None
    asked = evaluated.plant_dynamics.collider.shape
    if one.made is None:
        return once(solids_of, evaluated, asked)
    return once(solids_of_mesh, evaluated, *one.made, asked)


def _nearest_first(
    instances: list[Instance], plant: bpy.types.Object, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph
) -> list[Instance]:
    """By the room between each and the ball about the plant at rest, or about another that it touches."""
    places = np.array([one.matrix.translation[:] for one in instances])
    radii = {one.obj: 0.0 for one in instances}
    for obj in radii:
        radii[obj] = _radius(obj.evaluated_get(depsgraph))
    reaches = np.array([one.matrix.median_scale * radii[one.obj] for one in instances])
    together = [plant]
    if plant.plant_dynamics.contact.others:
        together += [one for one in dynamic_objects(scene) if one.plant_dynamics.contact.others]
    rooms = []
    for one in dict.fromkeys(together):
        matrix = np.array(one.evaluated_get(depsgraph).matrix_world, dtype=np.float64)
        ends = np.concatenate([values_of(one.data.bones, name, 3) for name in ("head_local", "tail_local")])
        points = ends.astype(np.float64) @ matrix[:3, :3].T + matrix[:3, 3]
        middle = points.mean(axis=0)
        radius = np.linalg.norm(points - middle, axis=1).max()
        rooms.append(np.linalg.norm(places - middle, axis=1) - radius)
    return [instances[i] for i in np.argsort(np.min(rooms, axis=0) - reaches, kind="stable").tolist()]


def _radius(evaluated: bpy.types.Object) -> float:
    """From its origin to the farthest corner of its box; a plane is everywhere."""
    if is_plane(evaluated):
        return _EVERYWHERE
    return float(np.linalg.norm(np.array(evaluated.bound_box), axis=1).max())
