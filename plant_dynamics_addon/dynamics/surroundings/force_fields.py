# SPDX-License-Identifier: GPL-3.0-or-later
"""The scene's force fields as they act on a plant at the depsgraph's frame."""

from collections.abc import Hashable
from functools import lru_cache
from typing import Any

import bpy
import numpy as np

from ...blender.evaluation_cache import EvaluationCache
from ...blender.moving_data import may_move
from ...blender.plain_values import plain_values
from ...blender.view_layers import enabled_objects
from .air import BlownAir
from .field_laws import Field, Forces, Reach, Surface, Winds
from .influence import Influence, Moment

#: Kinds that act on plants, with the names of their weights in FieldWeights.
WEIGHTS = {
    "WIND": "wind", "FORCE": "force", "VORTEX": "vortex", "MAGNET": "magnetic", "HARMONIC": "harmonic",
    "TURBULENCE": "turbulence", "DRAG": "drag",
}  # fmt: skip

#: Why other kinds have no effect.
_WITHOUT_EFFECT = {
    "CHARGE": "plants have no charge",
    "LENNARDJ": "it acts between particles",
    "GUIDE": "curve guides lead particles only",
    "BOID": "boids only",
    "TEXTURE": "texture fields are not supported",
    "FLUID_FLOW": "fluid flow is not supported",
}


def is_field(obj: bpy.types.Object) -> bool:
    """Whether the object is a force field of any kind."""
    return obj.field is not None and obj.field.type != "NONE"


def _fields_in(scene: bpy.types.Scene, collection: bpy.types.Collection | None) -> list[bpy.types.Object]:
    return [obj for obj in (scene.objects if collection is None else collection.all_objects) if is_field(obj)]


def enabled_fields(
    plant: bpy.types.Object, view_layer: bpy.types.ViewLayer, once: EvaluationCache | None = None
) -> list[bpy.types.Object]:
    """The force fields of the scene, or of the collection that the plant asks for, that are neither disabled in
    viewports nor excluded; what only the eye hides is one of them."""
    found = (once or EvaluationCache())(_enabled_in, view_layer, plant.plant_dynamics.fields.collection)
    return [obj for obj in found if obj != plant]


def _enabled_in(view_layer: bpy.types.ViewLayer, asked: bpy.types.Collection | None) -> list[bpy.types.Object]:
    return [obj for obj in enabled_objects(view_layer, asked) if is_field(obj)]


def what_is_left_out(field: bpy.types.Object) -> str:
    """What a force field that acts would also do to particles, or an empty string."""
    if field.field.use_absorption:
        return "colliders do not shade it"
    if field.field.shape == "SURFACE" and field.type != "MESH":
        return "acts from its centre"
    return ""


def _read(obj: bpy.types.Object, depsgraph: bpy.types.Depsgraph, weight: float) -> Field | None:
    """An evaluated force field, or None where it can have no effect."""
    settings = obj.field
    kind, strength = settings.type, settings.strength
    damping = settings.harmonic_damping if kind in ("HARMONIC", "DRAG") else 0.0
    acts = strength != 0.0 or settings.noise > 0.0 or settings.flow != 0.0
    acts = acts or (kind == "VORTEX" and settings.shape != "POINT") or (kind == "DRAG" and damping != 0.0)
    if not acts:
        return None
    matrix = obj.matrix_world
    axis = matrix.col[2].xyz.normalized()
    return Field(
        kind=kind,
        shape=settings.shape,
        falloff=settings.falloff_type,
        side=settings.z_direction,
        position=tuple(matrix.translation),
        axis=tuple(axis),
        strength=strength,
        weight=weight,
        damping=damping,
        flow=settings.flow,
        size=settings.size,
        distance=Reach(
            settings.falloff_power,
            settings.distance_min if settings.use_min_distance else None,
            settings.distance_max if settings.use_max_distance else None,
        ),
        radial=Reach(
            settings.radial_falloff,
            settings.radial_min if settings.use_radial_min else None,
            settings.radial_max if settings.use_radial_max else None,
        ),
        gravity=settings.use_gravity_falloff,
        in_world=settings.use_global_coords,
        noise=settings.noise,
        seed=settings.seed,
        surface=_surface(obj, depsgraph) if settings.shape in ("SURFACE", "POINTS") else None,
    )


def _surface(obj: bpy.types.Object, depsgraph: bpy.types.Depsgraph) -> Surface | None:
    """The evaluated mesh in world axes, or None of an object without faces."""
    if obj.type != "MESH":
        return None
    mesh = obj.data
    mesh.calc_loop_triangles()
    if not len(mesh.loop_triangles):
        return None
    corners = np.empty(3 * len(mesh.vertices))
    normals = np.empty_like(corners)
    triangles = np.empty(3 * len(mesh.loop_triangles), dtype=np.int32)
    mesh.vertices.foreach_get("co", corners)
    mesh.vertices.foreach_get("normal", normals)
    mesh.loop_triangles.foreach_get("vertices", triangles)
    matrix = np.array(obj.matrix_world)
    corners = corners.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]
    normals = normals.reshape(-1, 3) @ matrix[:3, :3].T
    normals /= np.maximum(np.linalg.norm(normals, axis=1), 1e-30)[:, None]
    return _kept(Surface(corners.tobytes(), normals.tobytes(), triangles.tobytes()))


@lru_cache(maxsize=16)
def _kept(surface: Surface) -> Surface:
    """The same surface as before if it is equal, so that a still one is held once and not for every frame."""
    return surface


def _is_deformed(field: bpy.types.Object) -> bool:
    """Whether the shape that a force field has from its mesh may change with the frame."""
    if field.type != "MESH" or not is_field(field) or field.field.shape not in ("SURFACE", "POINTS"):
        return False
    data = field.data
    deforms = any(modifier.type != "SURFACE" for modifier in field.modifiers)
    return deforms or data.shape_keys is not None or data.animation_data is not None


class ForceFields(Influence):
    """Fields of type Wind blow in the scene's air, which is read before, where the plant has it so; all others are
    forces."""

    def read(self, moment: Moment, world: dict[str, Any]) -> None:
        weights, depsgraph, once = moment.settings.fields, moment.depsgraph, moment.once
        as_air = weights.wind_fields == "AIR" and world["wind"] is not None
        blown: list[Field] = []
        forces: list[Field] = []
        for obj in enabled_fields(moment.obj, depsgraph.view_layer, once):
            evaluated = obj.evaluated_get(depsgraph)
            if not evaluated.is_evaluated or self.why_idle(evaluated, moment.settings, moment.scene):
                continue
            weight = weights.all * getattr(weights, WEIGHTS[obj.field.type])
            field = once(_read, evaluated, depsgraph, weight)
            if field is not None:
                (blown if as_air and field.kind == "WIND" else forces).append(field)
        if blown:
            world["wind"] = BlownAir(world["wind"], Winds(tuple(blown)))
        if forces:
            world["force_field"] = Forces(tuple(forces))

    def objects(self, plant: bpy.types.Object, scene: bpy.types.Scene, once: EvaluationCache) -> list[bpy.types.Object]:
        """The force fields of the scene, or of the collection that the plant asks for."""
        return [obj for obj in once(_fields_in, scene, plant.plant_dynamics.fields.collection) if obj != plant]

    def enabled(
        self, plant: bpy.types.Object, layer: bpy.types.ViewLayer, once: EvaluationCache
    ) -> list[bpy.types.Object]:
        return enabled_fields(plant, layer, once)

    def of_object(self, obj: bpy.types.Object) -> Hashable:
        return plain_values(obj.field) if is_field(obj) else ()

    def why_idle(self, item: Any, settings: bpy.types.PropertyGroup, scene: bpy.types.Scene) -> str:
        field, weights = item.field, settings.fields
        if field.type not in WEIGHTS:
            return _WITHOUT_EFFECT.get(field.type, "not supported")
        if weights.all == 0.0 or getattr(weights, WEIGHTS[field.type]) == 0.0:
            return "the plant's weight is 0"
        if not field.apply_to_location:
            return "Affect Location is off"
        if field.type == "HARMONIC" and field.shape == "POINTS":
            return "Every Point of a harmonic field is for particles"
        return ""

    def may_move(self, plant: bpy.types.Object, scene: bpy.types.Scene, once: EvaluationCache) -> bool:
        return any(_is_deformed(field) or may_move(field) for field in self.objects(plant, scene, once))


FORCE_FIELDS = ForceFields()
