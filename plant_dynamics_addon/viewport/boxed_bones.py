# SPDX-License-Identifier: GPL-3.0-or-later
"""Armatures of so many bones that they are drawn as a box, and as bones while they are in Pose Mode.

From 4.4 on Blender draws no bones of an object that is displayed as its bounds, not even in Pose Mode.
"""

import bpy

from ..memory import Memory

_BOX, _BONES = "BOUNDS", "TEXTURED"

#: Of those whose bones are shown meanwhile, whether these were in front before.
_opened: Memory[bool] = Memory()


def set_boxed(armature: bpy.types.Object, boxed: bool) -> None:
    """Draw a box in place of the bones, or the bones."""
    armature.display_type = _BOX if boxed else _BONES


def is_boxed(armature: bpy.types.Object) -> bool:
    """Whether it is drawn as a box out of Pose Mode."""
    return armature.display_type == _BOX or _opened.of(armature) is not None


def follow_mode(armature: bpy.types.Object) -> None:
    """Show the bones of a plant in a box that has gone to Pose Mode, in front of its skin, and the box again when it
    has left it. Armatures that were not grown are drawn as their owners say."""
    if armature.mode == "POSE":
        is_grown = armature.plant_dynamics.growth.is_known
        if is_grown and armature.display_type == _BOX and armature.is_editable:
            set_boxed(armature, False)
            _opened.keep(armature, armature.show_in_front)
            armature.show_in_front = True
    elif (was_in_front := _opened.of(armature)) is not None:
        _opened.forget(armature)
        if armature.display_type == _BONES:  # the user has chosen no other
            set_boxed(armature, True)
            armature.show_in_front = was_in_front
