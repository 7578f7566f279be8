# SPDX-License-Identifier: GPL-3.0-or-later
"""An armature whose parents are scaled unevenly: the bones take the scale over, and what one sees stays."""

import bpy
from mathutils import Matrix

from ..dynamics.rig.armature_reader import is_evenly_scaled


def has_scale_of_parents(obj: bpy.types.Object) -> bool:
    """Whether what the object hangs on is scaled unevenly or mirrored."""
    return not is_evenly_scaled(obj.matrix_world @ (obj.matrix_parent_inverse @ obj.matrix_basis).inverted())


def take_scale_of_parents(obj: bpy.types.Object) -> None:
    """Scale, and shear, that the object has of its parents goes to its bones; it stays parented and in its place.

    Its children keep theirs too. As Parent with Keep Transform does it, by the matrix between parent and child.
    """
    world = obj.matrix_world.copy()
    location, rotation, _ = world.decompose()
    rigid = Matrix.LocRotScale(location, rotation, None)
    deform = rigid.inverted() @ world
    places = [(child, child.matrix_world.copy()) for child in obj.children]
    obj.matrix_parent_inverse = obj.matrix_parent_inverse @ obj.matrix_basis @ world.inverted()
    obj.matrix_basis = rigid
    obj.data.transform(deform)
    obj.data.update_tag()
    obj.update_tag(refresh={"OBJECT", "DATA"})
    for child, place in places:
        if child.parent_type != "BONE":
            child.matrix_parent_inverse = rigid.inverted() @ place @ child.matrix_basis.inverted()
    bpy.context.view_layer.update()
