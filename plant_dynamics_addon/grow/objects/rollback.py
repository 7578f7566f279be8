# SPDX-License-Identifier: GPL-3.0-or-later
"""What is put back after growing: the selection, and all else where it is given up on the way."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import bpy

#: What growing adds, objects before their data.
_KINDS = ("objects", "armatures", "meshes", "materials", "node_groups", "collections")


@contextmanager
def selection_kept(context: bpy.types.Context) -> Iterator[None]:
    """Selection, active object and its mode are afterwards as before."""
    put_back = _selection(context)
    try:
        yield
    finally:
        put_back()


@contextmanager
def taken_away_unless_finished(context: bpy.types.Context) -> Iterator[None]:
    """Remove what is added meanwhile if it ends with an error or is given up; the selection is then as before."""
    put_back = _selection(context)
    before = {kind: {one.session_uid for one in getattr(bpy.data, kind)} for kind in _KINDS}
    is_finished = False
    try:
        yield
        is_finished = True
    finally:
        if not is_finished:
            for kind in _KINDS:
                items = getattr(bpy.data, kind)
                for one in [one for one in items if one.session_uid not in before[kind]]:
                    items.remove(one)
            put_back()


def _selection(context: bpy.types.Context) -> Callable[[], None]:
    """A function that gives selection, active object and its mode back as they are now."""
    layer = context.view_layer
    active, selected = layer.objects.active, list(context.selected_objects)
    mode = active.mode if active else "OBJECT"

    def put_back() -> None:
        for obj in list(context.selected_objects):
            obj.select_set(obj in selected)
        for obj in selected:
            obj.select_set(True)
        layer.objects.active = active
        if active and active.mode != mode:
            bpy.ops.object.mode_set(mode=mode)

    return put_back
