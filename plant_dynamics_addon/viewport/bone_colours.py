# SPDX-License-Identifier: GPL-3.0-or-later
"""How hard the bones' joints work, as colours along the bones in the 3D views.

Blender calls the function that draws only while an armature of the file wants it, and never without a window.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import bpy
import numpy as np
from bpy.app.handlers import persistent
from mathutils import Vector

from .lines import Colour, Drawing, draw_lines, redraw_3d

#: Blue where nothing is to be done, yellow where a bone is held out level, red from twice that on: told apart also by
#: those who see few colours.
_EFFORTS = (0.0, 1.0, 2.0)
_COLOURS = ((0.02, 0.12, 0.9), (1.0, 0.7, 0.02), (0.8, 0.02, 0.01))

#: Armatures of a scene whose efforts are to be seen, and these at the present frame by the bones' names.
Source = Callable[[bpy.types.Scene], Iterable[tuple[bpy.types.Object, Mapping[str, float]]]]

_source: Source | None = None


def colour_of(effort: float) -> Colour:
    """Red, green, blue and alpha, 0 to 1."""
    r, g, b = (float(np.interp(effort, _EFFORTS, channel)) for channel in zip(*_COLOURS, strict=True))
    return r, g, b, 1.0


def lines_of(obj: bpy.types.Object, efforts: Mapping[str, float]) -> tuple[list[Vector], list[Colour]]:
    """Ends of lines along the bones as they are posed, two by two, and the colours there."""
    lines: list[Vector] = []
    colours: list[Colour] = []
    for name, effort in efforts.items():
        bone = obj.pose.bones.get(name)
        if bone is not None:
            lines += [obj.matrix_world @ bone.head, obj.matrix_world @ bone.tail]
            colours += 2 * [colour_of(effort)]
    return lines, colours


def refresh() -> None:
    """Begin to draw, or stop, as the file's armatures want it."""
    objects = () if bpy.app.background else getattr(bpy.data, "objects", ())  # no data while add-ons are enabled
    _drawing.switch(any(obj.plant_dynamics.show_effort for obj in objects if obj.type == "ARMATURE"))
    redraw_3d()


def draw() -> None:
    """Draw the bones in the view that Blender draws."""
    context = bpy.context
    scene, space = context.scene, context.space_data
    if _source is None or any(part is None for part in (scene, space, context.region, context.region_data)):
        return
    if not space.overlay.show_overlays:
        return
    for obj, efforts in _source(scene):
        lines, colours = lines_of(obj, efforts)
        if lines and obj.visible_get():
            draw_lines(context, lines, colours)


_drawing = Drawing(draw)


@persistent
def _file_changed(*_: Any) -> None:
    refresh()


_HANDLERS = ("load_post", "undo_post", "redo_post")


def register(source: Source) -> None:
    """Draw from now on what the source tells, where it is wanted, also after loading and undo."""
    global _source
    _source = source
    for name in _HANDLERS:
        getattr(bpy.app.handlers, name).append(_file_changed)
    refresh()


def unregister() -> None:
    """Stop drawing."""
    for name in _HANDLERS:
        getattr(bpy.app.handlers, name).remove(_file_changed)
    _drawing.switch(False)
