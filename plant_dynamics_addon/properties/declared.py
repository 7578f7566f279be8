# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said of all properties of a group at once, before it is registered: which can have keys and drivers, those
that are read at every frame and no others; and that a library override of a linked plant may have all of its own."""

from collections.abc import Callable
from typing import Any

from bpy.props import CollectionProperty
from bpy.types import PropertyGroup


def read_once(group: type[PropertyGroup], but: Callable[..., Any] | None = None) -> None:
    """Let the group's properties have no keys, other than those whose changes this function is told. To be called
    before the group is registered.

    What is read when the simulation begins would otherwise be what the keys say at some frame or other.
    """
    for cls in group.__mro__:
        for declared in vars(cls).get("__annotations__", {}).values():
            if but is None or declared.keywords.get("update") is not but:
                declared.keywords.setdefault("options", set())


OVERRIDABLE = {"LIBRARY_OVERRIDABLE"}


def make_overridable(group: type[PropertyGroup]) -> None:
    """Let overrides keep values of their own of all properties of the group. To be called before it is registered."""
    for cls in group.__mro__:
        for declared in vars(cls).get("__annotations__", {}).values():
            rows = {"USE_INSERTION"} if declared.function is CollectionProperty else set()
            declared.keywords["override"] = OVERRIDABLE | rows
