# SPDX-License-Identifier: GPL-3.0-or-later
"""What a pose bone was before a simulation or a bake took it over, kept in the file so that nothing can lose it."""

from bpy.props import BoolProperty, FloatVectorProperty, StringProperty
from bpy.types import PropertyGroup


class PoseBefore(PropertyGroup):
    """The bone's rotation and rotation mode from before; all its channels, where is_exact, to the last bit. driven:
    the quaternion's channels that have drivers, which would overrule the simulation where they were.
    """

    is_kept: BoolProperty(options={"HIDDEN"})
    rotation: FloatVectorProperty(size=4, default=(1.0, 0.0, 0.0, 0.0), options={"HIDDEN"})
    rotation_mode: StringProperty(options={"HIDDEN"})
    is_exact: BoolProperty(options={"HIDDEN"})
    quaternion: FloatVectorProperty(size=4, options={"HIDDEN"})
    euler: FloatVectorProperty(size=3, options={"HIDDEN"})
    axis_angle: FloatVectorProperty(size=4, options={"HIDDEN"})
    driven: FloatVectorProperty(size=4, options={"HIDDEN", "ANIMATABLE"})
    baked_as: StringProperty(description="The bone's name when it was baked", options={"HIDDEN"})
