# SPDX-License-Identifier: GPL-3.0-or-later
"""When a bone is cut off, and what it was before a simulation or a bake took it over, kept in the file so that
nothing can lose it."""

from bpy.props import BoolProperty, FloatVectorProperty, StringProperty
from bpy.types import Context, PoseBone, PropertyGroup

from ..changes import inputs_changed, object_changed
from .declared import OVERRIDABLE


def _cut_changed(self: PoseBone, context: Context) -> None:
    object_changed(self.id_data)  # other bones may be cut now
    inputs_changed(self.id_data)


#: Of pose bones themselves: Blender's interface finds no way to keys of what is deeper in them.
CUT = BoolProperty(
    name="Cut",
    description="The bone comes off its parent, and what it bears with it. Key it from the frame on at which that "
    "happens; what has once come off stays so",
    override=OVERRIDABLE, update=_cut_changed,
)  # fmt: skip


class PoseBefore(PropertyGroup):
    """The bone's rotation and rotation mode from before; all its channels, where is_exact, to the last bit. driven:
    the quaternion's channels that have drivers, which would overrule the simulation where they were. location: from
    before the bone came off, where is_moved.
    """

    is_kept: BoolProperty(options={"HIDDEN"})
    rotation: FloatVectorProperty(size=4, default=(1.0, 0.0, 0.0, 0.0), options={"HIDDEN"})
    rotation_mode: StringProperty(options={"HIDDEN"})
    is_exact: BoolProperty(options={"HIDDEN"})
    quaternion: FloatVectorProperty(size=4, options={"HIDDEN"})
    euler: FloatVectorProperty(size=3, options={"HIDDEN"})
    axis_angle: FloatVectorProperty(size=4, options={"HIDDEN"})
    is_moved: BoolProperty(options={"HIDDEN"})
    location: FloatVectorProperty(size=3, options={"HIDDEN"})
    driven: FloatVectorProperty(size=4, options={"HIDDEN", "ANIMATABLE"})
    baked_as: StringProperty(description="The bone's name when it was baked", options={"HIDDEN"})
