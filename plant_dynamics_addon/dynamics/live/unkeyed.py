# SPDX-License-Identifier: GPL-3.0-or-later
"""Values that have keys and have been edited since: Blender keeps an edit that is not keyed until the frame changes."""

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import bpy

from ...blender.fcurves import actions_of, curve_lists
from ...changes import unheard

#: The parts of a path: names, keys in quotes, which may hold everything else, and indices.
_PART = re.compile(r'\["(?P<key>(?:[^"\\]|\\.)*)"\]|\[(?P<index>-?\d+)\]|(?P<name>\w+)', re.DOTALL)

#: What is said of what is not there any more, is not to be animated, or does not take its own value.
_ERRORS = (ArithmeticError, AttributeError, LookupError, ReferenceError, RuntimeError, TypeError, ValueError)


@contextmanager
def edits_kept() -> Iterator[None]:
    """Scenes are evaluated again meanwhile, each at the frame where it stands in the end: what that takes back of the
    user's edits is put in again, and nobody is told, as it is no new edit. What cannot be put in is left as it is."""
    before = [(item, path, _value(item, path)) for item, path in _keyed()]
    yield
    with unheard():
        for item, path, value in before:
            if value is not None and _value(item, path) not in (None, value):
                with suppress(*_ERRORS):
                    _set(item, path, value)


def _value(item: bpy.types.ID, path: str) -> Any:
    """A copy of the value, or None where there is none or where a simulation writes it."""
    try:
        owner, name, is_custom = _place(item, path)
        if is_custom:
            value = owner[name]
        elif isinstance(owner, bpy.types.PoseBone) and item.plant_dynamics.live and owner.plant_dynamics.is_kept:
            return None
        else:
            value = getattr(owner, name)
        return value if isinstance(value, str | set) or not hasattr(value, "__len__") else tuple(value)
    except _ERRORS:
        return None


def _set(item: bpy.types.ID, path: str, value: Any) -> None:
    """Give what is there already the value, which was read from it."""
    owner, name, is_custom = _place(item, path)
    if not is_custom:
        setattr(owner, name, value)
    elif isinstance(value, tuple):
        owner[name][:] = value
    else:
        owner[name] = value


def _place(item: bpy.types.ID, path: str) -> tuple[Any, str, bool]:
    """What has the property at the path, the property's name there, and whether it is a custom one. A number of an
    array stands for the whole.

    Raises ValueError where the path leads to no property with a value.
    """
    parts = list(_PART.finditer(path))
    if len(parts) > 1 and parts[-1]["index"]:
        path = path[: parts.pop().start()]
    prop = item.path_resolve(path, False)
    if not isinstance(prop, bpy.types.bpy_prop) or isinstance(prop, bpy.types.bpy_prop_collection):
        raise ValueError(f"{path} is no property with a value")
    key = parts[-1]["key"]
    if key is None:
        return prop.data, parts[-1]["name"], False
    return prop.data, bpy.utils.unescape_identifier(key), True


def _keyed() -> Iterator[tuple[bpy.types.ID, str]]:
    """All of this file that has F-curves, with their paths."""
    for item in _items():
        data = getattr(item, "animation_data", None)
        lists = [curves for action in actions_of(data) for curves in curve_lists(*action)] if not item.library else []
        for path in {curve.data_path for curves in lists for curve in curves}:
            yield item, path


def _items() -> Iterator[bpy.types.ID]:
    for prop in bpy.data.bl_rna.properties:
        if prop.type == "COLLECTION":
            for item in getattr(bpy.data, prop.identifier):
                yield item
                if isinstance(getattr(item, "node_tree", None), bpy.types.NodeTree):  # of materials, worlds, lights
                    yield item.node_tree
