# SPDX-License-Identifier: GPL-3.0-or-later
"""An object that plants touch as the solver's collider, wherever it or an instance of it stands."""

from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ....solver import Collider, rotations
from .meshes import Flaw, Solids, stretched_by
from .shapes import Shape

#: Objects that have a mesh as they evaluate but, other than meshes, no Collision physics in Blender.
CURVES = ("CURVE", "SURFACE", "FONT")


def is_collider(obj: bpy.types.Object) -> bool:
    """Whether the object has Blender's Collision physics or, a curve, surface or text, ours in its place."""
    if obj.type == "MESH":
        if obj.collision is None or not obj.collision.use:
            return False
        return any(modifier.type == "COLLISION" and modifier.show_viewport for modifier in obj.modifiers)
    return bool(obj.type in CURVES and obj.plant_dynamics.collider.use)


def is_plane(evaluated: bpy.types.Object) -> bool:
    """Whether it is touched as an endless plane, whatever its mesh is."""
    return bool(evaluated.plant_dynamics.collider.shape == "PLANE")


def flaw_at_sight(obj: bpy.types.Object) -> str:
    """What is wrong with an object as far as that is plain at next to no cost, before it is read: "NOT_NUMBERS" or
    "SCALE" of its place, "NO_FACES" of a mesh that no modifier changes; else an empty string."""
    try:
        stretched_by(obj.matrix_world)
    except Flaw as flaw:
        return str(flaw)
    is_as_drawn = obj.type == "MESH" and all(modifier.type == "COLLISION" for modifier in obj.modifiers)
    return "NO_FACES" if is_as_drawn and not is_plane(obj) and not len(obj.data.polygons) else ""


def shape_at(matrix: Matrix, solids: Solids | None) -> Shape | None:
    """The shape where the matrix puts it; None of a plane, which has no solids. Raises Flaw."""
    if solids is None:
        stretched_by(matrix)
        return None
    return solids.at(matrix)


def traits_of(evaluated: bpy.types.Object) -> dict[str, Any]:
    """What is set of the evaluated object as a collider, by the names of a Collider's fields."""
    own = evaluated.plant_dynamics.collider
    physics = evaluated.collision if evaluated.type == "MESH" else own
    return {
        "friction": own.friction, "bounce": own.bounce, "margin": physics.thickness_outer,
        "one_sided": physics.use_culling, "stickiness": own.stickiness,
    }  # fmt: skip


def collider_of(name: str, traits: dict[str, Any], matrix: Matrix, shape: Shape | None) -> Collider:
    """The collider of this name with this shape, or as a plane, where the matrix puts it."""
    if shape is None:
        return Collider("plane", position=matrix.translation[:], orientation=_facing(matrix), name=name, **traits)
    turned = np.array(matrix.to_quaternion(), dtype=np.float64)
    turned /= np.linalg.norm(turned)
    return Collider(
        shape.kind, shape.size,
        position=tuple((np.array(matrix.translation) + rotations.rotate(turned, np.array(shape.centre))).tolist()),
        orientation=tuple(rotations.multiply(turned, np.array(shape.turn)).tolist()),
        vertices=shape.vertices, triangles=shape.triangles, name=name, anchor=matrix.translation[:], **traits,
    )  # fmt: skip


def _facing(matrix: Matrix) -> tuple[float, ...]:
    """The quaternion of axes whose z is normal to the object's x and y, on the side of its faces that look up."""
    turned = matrix.to_quaternion()
    normal = matrix.to_3x3().inverted().transposed() @ Vector((0.0, 0.0, 1.0))
    return tuple((turned @ Vector((0.0, 0.0, 1.0))).rotation_difference(normal) @ turned)
