# SPDX-License-Identifier: GPL-3.0-or-later
"""Values that have keys and have been edited since: Blender keeps an edit that is not keyed until the frame changes."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import bpy

from ..baking.action_writer import curve_lists, slot_of
from .registry import unheard


@contextmanager
def edits_kept() -> Iterator[None]:
    """Scenes are evaluated again meanwhile, each at the frame where it stands in the end: what that takes back of the
    user's edits is put in again, and nobody is told, as it is no new edit."""
    before = [(item, path, _value(item, path)) for item, path in _keyed()]
    yield
    with unheard():
        for item, path, value in before:
            if value is not None and _value(item, path) != value:
                owner, name = item.path_resolve(path, False).data, path.rpartition(".")[2]
                if name.endswith("]"):  # a custom property
                    owner[name[name.rindex("[") + 2 : -2]] = value
                else:
                    setattr(owner, name, value)


def _value(item: bpy.types.ID, path: str) -> Any:
    """A copy of the value, or None where there is none or where a simulation writes it."""
    try:
        prop = item.path_resolve(path, False)
    except ValueError:  # the curve of what is no longer there
        return None
    owner = prop.data
    if isinstance(owner, bpy.types.PoseBone) and item.plant_dynamics.live and owner.plant_dynamics.is_kept:
        return None
    value = item.path_resolve(path)
    return value if isinstance(value, str | set) or not hasattr(value, "__len__") else tuple(value)


def _keyed() -> Iterator[tuple[bpy.types.ID, str]]:
    """All of this file that has F-curves, with their paths."""
    for item in _items():
        data = getattr(item, "animation_data", None)
        if data is None or item.library:
            continue
        strips = [strip for track in data.nla_tracks for strip in track.strips if strip.action]
        lists = [curves for strip in strips for curves in curve_lists(strip.action, slot_of(strip))]
        if data.action is not None:
            lists += curve_lists(data.action, slot_of(data))
        for path in {curve.data_path for curves in lists for curve in curves}:
            yield item, path


def _items() -> Iterator[bpy.types.ID]:
    for prop in bpy.data.bl_rna.properties:
        if prop.type == "COLLECTION":
            for item in getattr(bpy.data, prop.identifier):
                yield item
                if isinstance(getattr(item, "node_tree", None), bpy.types.NodeTree):  # of materials, worlds, lights
                    yield item.node_tree
