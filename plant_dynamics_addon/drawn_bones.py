# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether an armature's bones are as they were when they were last read.

Blender tells of a changed armature also where a property of its object has been set, whatever that is.
"""

import bpy
import numpy as np

from .blender.in_bulk import values_of
from .memory import Memory

_drawn: Memory[int] = Memory()


def note_bones(armature: bpy.types.Armature) -> None:
    """The bones are read as they are now."""
    _drawn.keep(armature, _digest(armature))


def are_as_noted(armature: bpy.types.Armature) -> bool:
    """Whether the bones are as they were when they were last noted."""
    return _drawn.of(armature) == _digest(armature)


def _digest(armature: bpy.types.Armature) -> int:
    """Of all that is read of bones but what tells of its changes itself."""
    bones = armature.bones
    numbers = (("matrix_local", 16), ("length", 1), ("head_radius", 1), ("tail_radius", 1))
    arrays = [values_of(bones, name, size).tobytes() for name, size in numbers]
    flags = ("use_inherit_rotation", "use_connect", "use_local_location")
    arrays += [values_of(bones, name, kind=np.bool_).tobytes() for name in flags]
    parents = tuple(bone.parent.name if bone.parent else None for bone in bones)
    return hash((armature.pose_position, tuple(bones.keys()), parents, *arrays))
