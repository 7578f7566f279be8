# SPDX-License-Identifier: GPL-3.0-or-later
"""The pose that plants follow, as lines in the 3D views beside the motion."""

from collections.abc import Callable, Iterable

import bpy
import numpy as np
from mathutils import Vector

from .lines import WantedDrawing, draw_lines, view_drawn

#: Ends (k, 2, 3) m of the bones of each plant of a scene whose ghost is to be seen.
Source = Callable[[bpy.types.Scene], Iterable[np.ndarray]]

_source: Source | None = None


def is_wanted(obj: bpy.types.Object) -> bool:
    """Whether the pose that the object follows is to be seen."""
    return obj.type == "ARMATURE" and obj.plant_dynamics.following.show_reference


def draw() -> None:
    """Draw the ghosts in the view that Blender draws."""
    context = view_drawn()
    if _source is None or context is None:
        return
    lines = [Vector(point) for ends in _source(context.scene) for point in ends.reshape(-1, 3).tolist()]
    if lines:
        draw_lines(context, lines)


drawing = WantedDrawing(draw, "objects", is_wanted)


def register(source: Source) -> None:
    """Draw from now on what the source tells, where it is wanted."""
    global _source
    _source = source
    drawing.register()
