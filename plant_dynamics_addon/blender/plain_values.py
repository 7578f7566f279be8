# SPDX-License-Identifier: GPL-3.0-or-later
"""What is set of a piece of Blender's data, to be compared with what it was before."""

from collections.abc import Hashable

import bpy

#: What Blender sets by itself, or what only the interface shows.
_NOT_SET = {"rna_type", "show_expanded", "active", "is_active", "is_valid", "error_location", "error_rotation",
            "execution_time", "persistent_uid"}  # fmt: skip


def plain_values(data: bpy.types.bpy_struct) -> Hashable:
    """The plain settings of a piece of data and the names of what it refers to."""
    found: list[Hashable] = []
    for prop in data.bl_rna.properties:
        if prop.identifier in _NOT_SET or prop.type == "COLLECTION":
            continue
        value = getattr(data, prop.identifier)
        if prop.type == "POINTER":
            found.append(value.session_uid if isinstance(value, bpy.types.ID) else None)
        elif getattr(prop, "is_array", False):
            found.append(tuple(tuple(row) if hasattr(row, "__len__") else row for row in value))
        else:
            found.append(frozenset(value) if isinstance(value, set) else value)
    return tuple(found)
