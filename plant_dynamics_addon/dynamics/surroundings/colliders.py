# SPDX-License-Identifier: GPL-3.0-or-later
"""What a plant touches: objects with Blender's Collision physics, as they are at the depsgraph's frame, and itself."""

from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ....solver import Collider, rotations
from ...blender.evaluation_cache import EvaluationCache
from ...blender.moving_data import is_animated, may_move
from ...blender.plain_values import plain_values
from ...blender.view_layers import enabled_objects
from ...memory import Memory
from ..rig.leaders import followed, is_simulated
from ..rig.moved import mover_of
from ..solids.meshes import Flaw, drawn_as, shape_of, stretched_by
from .influence import Influence, Moment
from .samples import equal

#: Objects that have a mesh as they evaluate but, other than meshes, no Collision physics in Blender.
CURVES = ("CURVE", "SURFACE", "FONT")

#: Modifiers that give the same at every frame as long as nothing of them is animated.
_STILL = {"COLLISION", "SUBSURF", "BEVEL", "SOLIDIFY", "TRIANGULATE", "EDGE_SPLIT", "WELD", "REMESH", "DECIMATE",
          "MULTIRES", "WEIGHTED_NORMAL"}  # fmt: skip

#: Why an object's place is not known at a frame.
_ELSEWHERE = ("OWN", "UNPOSED", "MOVED")

#: What was wrong with an object when it was last read.
_flaws: Memory[str] = Memory()
#: The collider that was last made of an object.
_made: Memory[Collider] = Memory()
#: session_uid of plants that count as not baked.
_repeated: set[int] = set()


def is_collider(obj: bpy.types.Object) -> bool:
    """Whether the object has Blender's Collision physics or, a curve, surface or text, ours in its place."""
    if obj.type == "MESH":
        if obj.collision is None or not obj.collision.use:
            return False
        return any(modifier.type == "COLLISION" and modifier.show_viewport for modifier in obj.modifiers)
    return bool(obj.type in CURVES and obj.plant_dynamics.collider.use)


def enabled_colliders(
    plant: bpy.types.Object, layer: bpy.types.ViewLayer, once: EvaluationCache | None = None
) -> list[bpy.types.Object]:
    """Those of the scene, or of the collection that the plant asks for, that are neither disabled in viewports nor
    excluded, by their names. What hangs on the plant is one of them."""
    contact = plant.plant_dynamics.contact
    if contact.collide_with == "NOTHING":
        return []
    asked = contact.collection if contact.collide_with == "COLLECTION" else None
    if contact.collide_with == "COLLECTION" and asked is None:
        return []
    return (once or EvaluationCache())(_enabled_in, layer, asked)


def _enabled_in(layer: bpy.types.ViewLayer, asked: bpy.types.Collection | None) -> list[bpy.types.Object]:
    return sorted((obj for obj in enabled_objects(layer, asked) if is_collider(obj)), key=lambda obj: obj.name_full)


def _colliders_in(scene: bpy.types.Scene, asked: bpy.types.Collection | None) -> list[bpy.types.Object]:
    return [obj for obj in (scene.objects if asked is None else asked.all_objects) if is_collider(obj)]


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
    if mover is not None and not _is_baked(mover):
        return "MOVED"
    if plant in carriers:
        return "OWN"
    if not all(map(_is_baked, carriers)):
        return "UNPOSED"
    return _flaws.of(obj) or ""


def _carriers(obj: bpy.types.Object) -> Iterator[bpy.types.Object]:
    """The plants by whose simulated bones the object, or anything that it follows, is moved or deformed. A body that
    has no vertex group of the hair on it is not."""
    for one, bone in followed([(obj, "")]):
        if is_simulated(one, bone):
            yield one
        deforming = {modifier.object for modifier in one.modifiers if modifier.type == "ARMATURE" and modifier.object}
        deforming |= {one.parent} if one.parent_type == "ARMATURE" else set()
        groups = [group.name for group in one.vertex_groups]
        yield from (plant for plant in deforming if any(is_simulated(plant, name) for name in groups))


def _read(obj: bpy.types.Object, evaluated: bpy.types.Object) -> Collider | None:
    """The collider that an object is, the same as before where it is equal; None where it has a flaw."""
    try:
        now = _collider(obj, evaluated)
    except Flaw as flaw:
        _flaws.keep(obj, str(flaw))
        return None
    _flaws.forget(obj)
    before = _made.of(obj)
    return before if equal(before, now) else _made.keep(obj, now)


def look_at(obj: bpy.types.Object, depsgraph: bpy.types.Depsgraph) -> None:
    """Find out whether anything is wrong with a collider."""
    _read(obj, obj.evaluated_get(depsgraph))


def _collider(obj: bpy.types.Object, evaluated: bpy.types.Object) -> Collider:
    matrix, own = evaluated.matrix_world, evaluated.plant_dynamics.collider
    physics = evaluated.collision if obj.type == "MESH" else own
    common = {
        "name": obj.name_full, "friction": own.friction, "bounce": own.bounce, "margin": physics.thickness_outer,
        "one_sided": physics.use_culling, "stickiness": own.stickiness,
    }  # fmt: skip
    if own.shape == "PLANE":
        stretched_by(matrix)
        return Collider("plane", position=matrix.translation[:], orientation=_facing(matrix), **common)
    shape = shape_of(evaluated, own.shape)
    turned = np.array(matrix.to_quaternion(), dtype=np.float64)
    turned /= np.linalg.norm(turned)
    return Collider(
        shape.kind, shape.size,
        position=tuple((np.array(matrix.translation) + rotations.rotate(turned, np.array(shape.centre))).tolist()),
        orientation=tuple(rotations.multiply(turned, np.array(shape.turn)).tolist()),
        vertices=shape.vertices, triangles=shape.triangles, **common,
    )  # fmt: skip


def _facing(matrix: Matrix) -> tuple[float, ...]:
    """The quaternion of axes whose z is normal to the object's x and y, on the side of its faces that look up."""
    turned = matrix.to_quaternion()
    normal = matrix.to_3x3().inverted().transposed() @ Vector((0.0, 0.0, 1.0))
    return tuple((turned @ Vector((0.0, 0.0, 1.0))).rotation_difference(normal) @ turned)


def _is_deformed(obj: bpy.types.Object) -> bool:
    """Whether the object's mesh may change with the frame."""
    data = obj.data
    keys = getattr(data, "shape_keys", None)
    follows = any(getattr(data, name, None) for name in ("bevel_object", "taper_object", "follow_curve"))
    return (
        any(modifier.type not in _STILL for modifier in obj.modifiers)
        or is_animated(data)
        or follows
        or (keys is not None and is_animated(keys))
    )


class Colliders(Influence):
    """What cannot be touched is left out, and the panel says why; all else is as it would be without it."""

    def read(self, moment: Moment, world: dict[str, Any]) -> None:
        found = []
        for obj in enabled_colliders(moment.obj, moment.depsgraph.view_layer, moment.once):
            evaluated = obj.evaluated_get(moment.depsgraph)
            if evaluated.is_evaluated and moment.once(why_left_out, obj, moment.obj) not in _ELSEWHERE:
                found.append(moment.once(_read, obj, evaluated))
        colliders = tuple(one for one in found if one is not None)
        if colliders:
            world["colliders"] = colliders
        if moment.obj.plant_dynamics.contact.itself:
            world["touches_itself"] = True
        world["parting_speed"] = moment.obj.plant_dynamics.contact.push_apart

    def objects(self, plant: bpy.types.Object, scene: bpy.types.Scene, once: EvaluationCache) -> list[bpy.types.Object]:
        contact = plant.plant_dynamics.contact
        if contact.collide_with == "NOTHING" or (contact.collide_with == "COLLECTION" and contact.collection is None):
            return []
        asked = contact.collection if contact.collide_with == "COLLECTION" else None
        found = once(_colliders_in, scene, asked)
        return [obj for obj in found if why_left_out(obj, plant) not in _ELSEWHERE]

    def enabled(
        self, plant: bpy.types.Object, layer: bpy.types.ViewLayer, once: EvaluationCache
    ) -> list[bpy.types.Object]:
        return enabled_colliders(plant, layer, once)

    def of_object(self, obj: bpy.types.Object) -> Hashable:
        if not is_collider(obj):
            return ()
        physics = plain_values(obj.collision) if obj.type == "MESH" else ()
        nodes = [one for one in obj.modifiers if one.type == "NODES"]
        inputs = tuple((name, str(value)) for one in nodes for name, value in one.items())
        return physics, tuple(map(plain_values, obj.modifiers)), inputs, drawn_as(obj)

    def may_move(self, plant: bpy.types.Object, scene: bpy.types.Scene, once: EvaluationCache) -> bool:
        return any(_is_deformed(obj) or may_move(obj) for obj in self.objects(plant, scene, once))
