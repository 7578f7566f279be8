# SPDX-License-Identifier: GPL-3.0-or-later
"""Linked plants as library overrides: what of their settings a file may have of its own, which is everything."""

from bpy.props import CollectionProperty
from bpy.types import PropertyGroup

OVERRIDABLE = {"LIBRARY_OVERRIDABLE"}


def make_overridable(group: type[PropertyGroup]) -> None:
    """Let overrides keep values of their own of all properties of the group. To be called before it is registered."""
    for cls in group.__mro__:
        for declared in vars(cls).get("__annotations__", {}).values():
            rows = {"USE_INSERTION"} if declared.function is CollectionProperty else set()
            declared.keywords["override"] = OVERRIDABLE | rows
