# SPDX-License-Identifier: GPL-3.0-or-later
"""When a bone is cut off, how bones follow their pose, and what a bone was before a simulation or a bake took it over,
kept in the file so that nothing can lose it."""

from bpy.props import BoolProperty, FloatProperty, FloatVectorProperty, StringProperty
from bpy.types import Context, PoseBone, PropertyGroup

from ..changes import inputs_changed, object_changed
from ..viewport import reference_ghost
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


def _following_changed(self: "PoseBone | FollowSettings", context: Context) -> None:
    object_changed(self.id_data)  # other constraints may be followed now
    inputs_changed(self.id_data)


def _ghost_changed(self: "FollowSettings", context: Context) -> None:
    reference_ghost.drawing.refresh()


#: How a bone follows its pose, by the names of pose bones.
FOLLOWING = {
    "plant_dynamics_follow": FloatProperty(
        name="Follow",
        description="Multiplies the armature's Follow for this bone. 0: the bone has its springs only, as hair and "
        "skirts do, which are soft: select them and choose the preset Hair, Tail or Skirt of Dynamics",
        default=1.0, min=0.0, max=1.0, subtype="FACTOR", override=OVERRIDABLE, update=_following_changed,
    ),
    "plant_dynamics_recovery": FloatProperty(
        name="Recovery (Hz)",
        description="How fast the bone comes back after what disturbs it. 0: as the armature",
        default=0.0, min=0.0, soft_max=20.0, max=1e3, precision=2, override=OVERRIDABLE, update=_following_changed,
    ),
    "plant_dynamics_damping_ratio": FloatProperty(
        name="Damping Ratio",
        description="1: the bone comes back without swinging beyond, less: it swings, more: it creeps. 0: as the "
        "armature",
        default=0.0, min=0.0, soft_max=2.0, max=1e4, precision=2, override=OVERRIDABLE, update=_following_changed,
    ),
    "plant_dynamics_largest_moment": FloatProperty(
        name="Max Moment (N m)",
        description="The most that the bone's joint gives to follow; beyond it the motion gives way. 0: as the "
        "armature",
        default=0.0, min=0.0, soft_max=200.0, max=1e9, precision=3, override=OVERRIDABLE, update=_following_changed,
    ),
}  # fmt: skip


class FollowSettings(PropertyGroup):
    """How a plant's bones follow their pose, as keys, the NLA, drivers and constraints lead them."""

    share: FloatProperty(
        name="Follow",
        description="How far bones move as they are keyed or led by constraints, unless something disturbs them. 0: "
        "springs of the material about the keyed pose, which lag and sag. 1: the keyed motion itself; wind, contact "
        "and what pulls still move them off it, and they come back",
        default=0.0, min=0.0, max=1.0, subtype="FACTOR", update=_following_changed,
    )  # fmt: skip
    recovery: FloatProperty(
        name="Recovery (Hz)",
        description="How fast bones come back after what disturbs them, whatever they weigh: with 2 within about half "
        "a second. More also gives way less",
        default=2.0, min=0.0, soft_max=20.0, max=1e3, precision=2, update=_following_changed,
    )  # fmt: skip
    damping_ratio: FloatProperty(
        name="Damping Ratio",
        description="1: bones come back without swinging beyond, less: they swing, more: they creep",
        default=1.0, min=0.0, soft_max=2.0, max=1e4, precision=2, update=_following_changed,
    )  # fmt: skip
    largest_moment: FloatProperty(
        name="Max Moment (N m)",
        description="The most that a joint gives to follow; beyond it the motion gives way, as that of somebody who is "
        "too weak. Measure Effort tells what the motion needs. 0: no limit",
        default=0.0, min=0.0, soft_max=200.0, max=1e9, precision=3, update=_following_changed,
    )  # fmt: skip
    show_reference: BoolProperty(
        name="Show Ghost",
        description="Draw the pose of the bones that follow one as lines in 3D views, beside the motion. As part of "
        "the overlays",
        options=set(), update=_ghost_changed,
    )  # fmt: skip


class PoseBefore(PropertyGroup):
    """The bone's rotation and rotation mode from before; all its channels, where is_exact, to the last bit. driven:
    the quaternion's channels that have drivers, which would overrule the simulation where they were. location: from
    before the bone came off or was led elsewhere, where is_moved; scale: from before it was scaled, where is_scaled.
    """

    is_kept: BoolProperty(options={"HIDDEN"})
    rotation: FloatVectorProperty(size=4, default=(1.0, 0.0, 0.0, 0.0), options={"HIDDEN"})
    rotation_mode: StringProperty(options={"HIDDEN"})
    is_exact: BoolProperty(options={"HIDDEN"})
    quaternion: FloatVectorProperty(size=4, options={"HIDDEN"})
    euler: FloatVectorProperty(size=3, options={"HIDDEN"})
    axis_angle: FloatVectorProperty(size=4, options={"HIDDEN"})
    is_moved: BoolProperty(options={"HIDDEN"})
    is_scaled: BoolProperty(options={"HIDDEN"})
    scale: FloatVectorProperty(size=3, default=(1.0, 1.0, 1.0), options={"HIDDEN"})
    location: FloatVectorProperty(size=3, options={"HIDDEN"})
    driven: FloatVectorProperty(size=4, options={"HIDDEN", "ANIMATABLE"})
    aside: StringProperty(description="Names of constraints that are muted while bones follow them", options={"HIDDEN"})
    baked_as: StringProperty(description="The bone's name when it was baked", options={"HIDDEN"})
