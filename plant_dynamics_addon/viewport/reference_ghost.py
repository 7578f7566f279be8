# SPDX-License-Identifier: GPL-3.0-or-later
"""The pose that plants follow, as lines in the 3D views beside the motion."""

from collections.abc import Iterable

import bpy
import numpy as np
from mathutils import Vector

from .lines import SourcedDrawing, draw_lines


def is_wanted(obj: bpy.types.Object) -> bool:
    """Whether the pose that the object follows is to be seen."""
    return obj.type == "ARMATURE" and obj.plant_dynamics.following.show_reference


def draw(context: bpy.types.Context, told: Iterable[np.ndarray]) -> None:
    """Draw the ghosts of plants, of which these (k, 2, 3) m are the ends of bones."""
    lines = [Vector(point) for ends in told for point in ends.reshape(-1, 3).tolist()]
    if lines:
        draw_lines(context, lines)


drawing = SourcedDrawing(draw, is_wanted)
