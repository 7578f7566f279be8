# SPDX-License-Identifier: GPL-3.0-or-later
"""The solids of the scene that a plant grows around: meshes as they evaluate at the scene's frame, in its own space."""

from collections.abc import Iterator, Sequence

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ...lsystem import Grammar, Solid, Solids
from ..blender.in_bulk import values_of
from ..blender.view_layers import enabled_objects
from ..errors import PlantError
from .objects.parts import is_part_of

Around = bpy.types.Object | bpy.types.Collection

#: Kinds of objects that have surfaces.
GEOMETRY = ("MESH", "CURVE", "SURFACE", "META", "FONT")
#: More take minutes.
MOST_TRIANGLES = 2_000_000


def solids_for(
    context: bpy.types.Context, grammar: Grammar, around: Around | None, foot: Matrix,
    plant: bpy.types.Object | None = None,
) -> Solids | None:  # fmt: skip
    """What a text grows among, in metres, in the space of a plant whose foot stands so in the world; None where it has
    solids of its own, or sees none. plant: what it is grown in place of. Raises PlantError."""
    if not grammar.sees_solids:
        return None
    if around is None:
        if grammar.asks_for_solids and not grammar.solids:
            raise PlantError("This plant asks where solids are: choose in the Grow panel what it grows around")
        return None
    solids = _read(context, around, foot, plant)
    if grammar.asks_for_solids:
        name, flaw = solids.flaw
        if flaw == "open":
            raise PlantError(
                "'{object}' is open, so that nothing is inside it: close its holes, or add a Solidify modifier",
                object=name,
            )
        if flaw == "twisted":
            raise PlantError(
                "Faces of '{object}' look in beside others that look out: use Mesh > Normals > Recalculate Outside",
                object=name,
            )
    return solids


def foot_of(obj: bpy.types.Object) -> Matrix:
    """Where the foot of a plant stands in the world, below its pot."""
    return obj.matrix_world @ Matrix.Translation((0.0, 0.0, -obj.plant_dynamics.growth.pot_depth))


def foot_at(place: Sequence[float]) -> Matrix:
    """The same of one that is to be grown at a place."""
    return Matrix.Translation(Vector(place))


def _read(
    context: bpy.types.Context, around: Around, foot: Matrix, plant: bpy.types.Object | None
) -> Solids:
    """All meshes, also those that are only instanced. Raises PlantError."""
    if not foot.determinant():
        raise PlantError("The plant has a scale of zero")
    chosen, into = _chosen(context, around, plant), np.array(foot.inverted(), dtype=np.float64)
    solids: list[Solid] = []
    for name, obj, matrix in _evaluated(context, chosen):
        vertices, triangles = _mesh(obj)
        world = into @ np.array(matrix, dtype=np.float64)
        if len(triangles):
            solids.append(Solid(name, vertices @ world[:3, :3].T + world[:3, 3], triangles))
        if sum(len(solid.triangles) for solid in solids) > MOST_TRIANGLES:
            raise PlantError(
                "'{object}' and the others that the plant grows around have more than {most} triangles",
                object=name, most=MOST_TRIANGLES,
            )  # fmt: skip
    if not solids:
        raise PlantError("'{object}' has no faces that a plant could grow around", object=around.name)
    if not all(np.isfinite(solid.vertices).all() for solid in solids):
        raise PlantError("'{object}' has vertices that are nowhere", object=around.name)
    return Solids(solids)


def _chosen(
    context: bpy.types.Context, around: Around, plant: bpy.types.Object | None
) -> list[bpy.types.Object]:
    """The objects, by their names."""
    if isinstance(around, bpy.types.Object):
        if around.name not in context.view_layer.objects:
            raise PlantError("'{object}', which the plant grows around, is not in this view layer", object=around.name)
        return [around]
    found = [obj for obj in enabled_objects(context.view_layer, around) if plant is None or not is_part_of(obj, plant)]
    found = [obj for obj in found if obj.name in context.view_layer.objects]
    return sorted(found, key=lambda obj: obj.name_full)


def _evaluated(
    context: bpy.types.Context, chosen: list[bpy.types.Object]
) -> Iterator[tuple[str, bpy.types.Object, Matrix]]:
    """Names, evaluated objects and matrices of the objects and of what they instance."""
    depsgraph = context.evaluated_depsgraph_get()
    for obj in chosen:
        if obj.type not in GEOMETRY:
            continue
        evaluated = obj.evaluated_get(depsgraph)
        if not evaluated.is_evaluated:
            raise PlantError("'{object}' is hidden: show it, so that the plant can grow around it", object=obj.name)
        yield obj.name, evaluated, evaluated.matrix_world
    for one in depsgraph.object_instances:
        shown_by = one.parent.original if one.is_instance else None
        if shown_by is not None and shown_by in chosen and one.object.type in GEOMETRY:
            yield shown_by.name, one.object, one.matrix_world.copy()


def _mesh(evaluated: bpy.types.Object) -> tuple[np.ndarray, np.ndarray]:
    mesh = evaluated.to_mesh()
    try:
        mesh.calc_loop_triangles()
        vertices = values_of(mesh.vertices, "co", 3).astype(np.float64)
        return vertices, values_of(mesh.loop_triangles, "vertices", 3, np.int32).astype(np.int64)
    finally:
        evaluated.to_mesh_clear()
