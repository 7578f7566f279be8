# SPDX-License-Identifier: GPL-3.0-or-later
"""How hard the bones' joints work, as colours along the bones in the 3D views."""

from collections.abc import Iterable, Mapping

import bpy
import numpy as np
from mathutils import Vector

from .lines import Colour, SourcedDrawing, draw_lines

#: Blue where nothing is to be done, yellow where a bone is held out level, red from twice that on: told apart also by
#: those who see few colours.
_EFFORTS = (0.0, 1.0, 2.0)
_COLOURS = ((0.02, 0.12, 0.9), (1.0, 0.7, 0.02), (0.8, 0.02, 0.01))


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


def is_wanted(obj: bpy.types.Object) -> bool:
    """Whether the object's efforts are to be seen."""
    return obj.type == "ARMATURE" and obj.plant_dynamics.show_effort


def draw(context: bpy.types.Context, told: Iterable[tuple[bpy.types.Object, Mapping[str, float]]]) -> None:
    """Draw the bones of armatures by their efforts at the present frame, by the bones' names."""
    for obj, efforts in told:
        lines, colours = lines_of(obj, efforts)
        if lines and obj.visible_get():
            draw_lines(context, lines, colours)


drawing = SourcedDrawing(draw, is_wanted)
