# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that a plant moves and that move it: bodies of their own, and the way from these to the objects' channels."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import bmesh
import bpy
import numpy as np
from mathutils import Euler, Matrix, Quaternion

from ....solver import Model, SolverError, rotations, solid
from ...errors import PlantError
from ...memory import Memory
from ..solids.meshes import Flaw, solids_of, stretched_by
from ..solids.shapes import Shape
from .moved import things_in
from .plant import Plant

#: A hull is of no more vertices than these: those that lie farthest in so many directions.
_MOST_VERTICES = 32

#: What was wrong with an object when it was last read.
_flaws: Memory[str] = Memory()


@dataclass(frozen=True)
class Thing:
    """name and uid (session_uid) of the object; model: its body; turn (4,): the body's axes in those of the object's
    matrix; to_channel (4,): by which an orientation of the body becomes the object's rotation channel; signature: bytes
    that change when anything of this does."""

    name: str
    uid: int
    model: Model
    turn: np.ndarray
    to_channel: np.ndarray
    signature: bytes


def with_things(plant: Plant, obj: bpy.types.Object, depsgraph: bpy.types.Depsgraph) -> Plant:
    """The plant with what it moves of the depsgraph's objects; what has a flaw is left in place. Raises PlantError with
    the object's name where something else holds it."""
    evaluated = [(one, one.evaluated_get(depsgraph)) for one in things_in(depsgraph.scene, obj)]
    landing_time = obj.plant_dynamics.landing_time
    read = [_read(one, now, landing_time) for one, now in evaluated if now.is_evaluated]
    things = tuple(one for one in read if one is not None)
    if not things:
        return plant
    return replace(plant, things=things, signature=plant.signature + b"".join(one.signature for one in things))


def why_not_moved(obj: bpy.types.Object) -> str:
    """Why the plant leaves an object in place that it is to move: "NO_FACES", "NOT_NUMBERS", "SCALE" or "FLAT", as it
    was last read; else an empty string."""
    return _flaws.of(obj) or ""


def _read(obj: bpy.types.Object, evaluated: bpy.types.Object, landing_time: float) -> Thing | None:
    _refuse_led(obj)
    try:
        thing = _thing(obj, evaluated, landing_time)
    except Flaw as flaw:
        _flaws.keep(obj, str(flaw))
        return None
    _flaws.forget(obj)
    return thing


def _thing(obj: bpy.types.Object, evaluated: bpy.types.Object, landing_time: float) -> Thing:
    own, body = evaluated.plant_dynamics.collider, evaluated.plant_dynamics.thing
    law = {
        "density": body.density, "friction": own.friction, "bounce": own.bounce, "stickiness": own.stickiness,
        "landing_time": landing_time,
    }  # fmt: skip
    stretched_by(evaluated.matrix_world)  # raises Flaw where it is no place
    scale = _scale_of(evaluated)
    shape = solids_of(evaluated, "AUTO" if own.shape == "PLANE" else own.shape).at(scale)
    turn = np.array(shape.turn)
    centre = rotations.unrotate(turn, np.array(shape.centre))
    try:
        if shape.kind == "mesh":
            vertices, triangles = convex_hull(shape)
            model = solid("hull", vertices=vertices, triangles=triangles, **law)
        else:
            model = solid(shape.kind, shape.size, centre=centre, **law)
    except SolverError:
        raise Flaw("FLAT") from None
    to_channel = rotations.conjugate(rotations.multiply(np.array(scale.to_quaternion(), dtype=np.float64), turn))
    bodies = model.bodies
    parts = [bodies.mass, bodies.com, bodies.inertia, turn, to_channel, *model.shapes]
    signature = repr((obj.name_full, law)).encode() + b"".join(np.asarray(part).tobytes() for part in parts)
    return Thing(obj.name, obj.session_uid, model, turn, to_channel, signature)


def _refuse_led(obj: bpy.types.Object) -> None:
    if obj.parent is not None or any(constraint.enabled for constraint in obj.constraints):
        raise PlantError(
            "'{object}', which the plant moves, has a parent or constraints, which would hold it. Clear them "
            "(Alt+P with Keep Transformation)",
            object=obj.name,
        )
    if is_rigid_body(obj):
        raise PlantError(
            "'{object}', which the plant moves, is an active rigid body, which would move it too. Remove that, or tick "
            "its Animated",
            object=obj.name,
        )
    if any(obj.delta_location) or any(obj.delta_rotation_euler) or tuple(obj.delta_rotation_quaternion) != (1, 0, 0, 0):
        raise PlantError(
            "'{object}', which the plant moves, has delta transforms. Apply or clear them",
            object=obj.name,
        )


def is_rigid_body(obj: bpy.types.Object) -> bool:
    """Whether Blender's rigid bodies move the object, whatever its channels say."""
    body = obj.rigid_body
    return body is not None and body.type == "ACTIVE" and not body.kinematic


def _scale_of(evaluated: bpy.types.Object) -> Matrix:
    """What its matrix does beside turning and moving. Not read from that, whose rounding depends on how the object is
    turned, so that it would be another body wherever it is looked at."""
    scales = zip(evaluated.scale[:], evaluated.delta_scale[:], strict=True)
    return Matrix.Diagonal([one * other for one, other in scales]).to_4x4()


def channel_of(obj: bpy.types.Object) -> np.ndarray:
    """The object's rotation channel as a unit quaternion (4,)."""
    return as_quaternion(obj.rotation_mode, obj.rotation_euler, obj.rotation_quaternion, obj.rotation_axis_angle)


def as_quaternion(
    mode: str, euler: Sequence[float], quaternion: Sequence[float], axis_angle: Sequence[float]
) -> np.ndarray:
    """What channels of a rotation mean, as a unit quaternion (4,)."""
    if mode == "QUATERNION":
        turn = Quaternion(quaternion)
    elif mode == "AXIS_ANGLE":
        turn = Quaternion(axis_angle[1:], axis_angle[0])
    else:
        turn = Euler(euler, mode).to_quaternion()
    found = np.array(turn, dtype=np.float64)
    return found / max(float(np.linalg.norm(found)), 1e-12)


def convex_hull(shape: Shape) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (v, 3) m and triangles (t, 3) of the hull of a mesh, of few of its vertices where it has many."""
    vertices = np.asarray(shape.vertices, dtype=np.float64)
    if len(vertices) > _MOST_VERTICES:
        vertices = vertices[np.unique((_directions(_MOST_VERTICES) @ vertices.T).argmax(axis=1))]
    mesh = bmesh.new()
    try:
        for place in vertices.tolist():
            mesh.verts.new(place)
        bmesh.ops.convex_hull(mesh, input=mesh.verts, use_existing_faces=False)
        bmesh.ops.triangulate(mesh, faces=mesh.faces)
        bmesh.ops.recalc_face_normals(mesh, faces=mesh.faces)
        bmesh.ops.delete(mesh, geom=[one for one in mesh.verts if not one.link_faces], context="VERTS")
        mesh.verts.index_update()
        places = np.array([one.co[:] for one in mesh.verts], dtype=np.float64).reshape(-1, 3)
        corners = np.array([[one.index for one in face.verts] for face in mesh.faces], dtype=np.int64).reshape(-1, 3)
    finally:
        mesh.free()
    return places, corners


def _directions(count: int) -> np.ndarray:
    """(count, 3) unit vectors that are spread evenly (a Fibonacci lattice)."""
    k = np.arange(count) + 0.5
    height, angle = 1.0 - 2.0 * k / count, np.pi * (1.0 + 5.0**0.5) * k
    across = np.sqrt(1.0 - height**2)
    return np.stack([across * np.cos(angle), across * np.sin(angle), height], axis=1)
