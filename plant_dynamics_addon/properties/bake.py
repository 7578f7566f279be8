# SPDX-License-Identifier: GPL-3.0-or-later
"""What to bake, as chosen in the scene and told to the operator, and what an object remembers of its bake."""

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)
from bpy.types import PropertyGroup

_SLOT = ("SLOT", "Own Slot", "A new slot in the action the object has, with a copy of what its present slot animates; "
         "plants without an action share a new one", 1)  # fmt: skip
_TARGETS = [  # the numbers are those in files
    ("NEW", "New Action", "An action of the bake's own: a copy of the one the object has, with the bones' rotations "
     "replaced. The former action is kept", 0),
    *([_SLOT] if "slots" in bpy.types.Action.bl_rna.properties else []),
    ("OVERWRITE", "Present Action", "The bones' rotation keys in the range are replaced in the action the object has; "
     "keys outside the range and all other channels stay. Clear Bake brings the former keys back", 2),
    ("NLA", "NLA Strip", "A strip over the range, on a track of its own above all others, which stay as they are", 3),
]  # fmt: skip


class BakeChoices:
    """Properties that the scene's settings and the operator have in common."""

    plants: EnumProperty(
        name="Plants",
        description="What is baked. Several plants are simulated in one walk through the frames",
        items=[
            ("ACTIVE", "Active", "The active plant"),
            ("SELECTED", "Selected", "All selected plants"),
            ("SCENE", "All", "All plants of the scene"),
        ],
        default="ACTIVE",
    )
    target: EnumProperty(
        name="To", description="Where the keys go. The motion is the same", items=_TARGETS, default="NEW"
    )
    frame_range: EnumProperty(
        name="Range",
        description="Which frames get keys. The simulation always begins at the scene's first frame",
        items=[
            ("SCENE", "Scene", "From the scene's first frame to its last"),
            ("PREVIEW", "Preview", "The timeline's preview range; the scene's, where none is set"),
            ("CUSTOM", "Custom", "The frames below"),
        ],
        default="SCENE",
    )
    frame_start: IntProperty(name="First Frame", description="First frame with keys", default=1)
    frame_end: IntProperty(name="Last Frame", description="Last frame with keys", default=250)
    step: IntProperty(
        name="Step",
        description="A key on every n-th frame, and on the last. The motion between is straight: with 1 it is that of "
        "the preview, larger steps lose quick swings",
        default=1, min=1, soft_max=10, max=1000,
    )  # fmt: skip
    part_only: BoolProperty(
        name="Only This Part",
        description="When baking again: the former bake's keys outside the range stay, so that a part of the shot can "
        "be baked anew. What is cached is not simulated again",
        default=False,
    )
    use_decimation: BoolProperty(
        name="Fewer Keys",
        description="Leave out keys that the motion does not need, within an error",
        default=False,
    )
    max_error: FloatProperty(
        name="Largest Error",
        description="How far each bone's own rotation may be off, at any time in the range, against a key on every "
        "frame. The errors of bones that sit on one another add up: a tip ten bones up may point ten times as far off",
        default=0.001745329, min=1.7453293e-5, soft_max=0.0349066, max=0.5235988, precision=4, subtype="ANGLE",
    )  # fmt: skip
    use_loop: BoolProperty(
        name="Seamless Loop",
        description="The last frame shows the pose of the first, with its velocity: over the frames below, the motion "
        "goes over into the one that leads up to the range's first frame. Before the scene's first frame the plant "
        "is taken to hang still. Loads and the object's own motion are not changed: let them loop too",
        default=False,
    )
    loop_frames: IntProperty(
        name="Blend Frames",
        description="Over how many frames at the end the motion goes over into its beginning. More is gentler; a "
        "swing's length is a good choice",
        default=24, min=2, soft_max=100,
    )  # fmt: skip
    allow_stopped: BoolProperty(
        name="Even If Stopped",
        description="Also take the motion of a plant that did not settle at its first frame or was stopped, though it "
        "is wrong. Measure Stress, Compare, plots and renders from the panel go by this too",
        default=False,
    )


BAKE_CHOICES = tuple(BakeChoices.__annotations__)


class BakeSettings(BakeChoices, PropertyGroup):
    """What the panel's Bake does."""


class BakedBone(PropertyGroup):
    """A bone that was baked, by name, whether its location was baked too, and its rotation from before where give_back
    would only come near it."""

    is_placed: BoolProperty(options={"HIDDEN"})
    is_scaled: BoolProperty(options={"HIDDEN"})
    is_exact: BoolProperty()
    rotation_mode: StringProperty()
    quaternion: FloatVectorProperty(size=4)
    euler: FloatVectorProperty(size=3)
    axis_angle: FloatVectorProperty(size=4)


class BakeState:
    """Of PlantSettings: the bake an object has, and what is needed to take it away again."""

    is_baked: BoolProperty(name="Baked", options={"HIDDEN"})
    baked_action: PointerProperty(type=bpy.types.Action, options={"HIDDEN"})
    action_before: PointerProperty(type=bpy.types.Action, options={"HIDDEN"})
    slot_before: StringProperty(options={"HIDDEN"})
    slot_before_handle: IntProperty(options={"HIDDEN"})
    last_slot_before: StringProperty(options={"HIDDEN"})
    had_animation_data: BoolProperty(default=True, options={"HIDDEN"})
    baked_to: StringProperty(default="NEW", options={"HIDDEN"})
    baked_slot: StringProperty(options={"HIDDEN"})
    baked_slot_handle: IntProperty(options={"HIDDEN"})
    baked_track: StringProperty(options={"HIDDEN"})
    action_meanwhile: PointerProperty(type=bpy.types.Action, options={"HIDDEN"})
    baked_first: IntProperty(options={"HIDDEN"})
    baked_last: IntProperty(options={"HIDDEN"})
    bake_fingerprint: StringProperty(options={"HIDDEN"})
    baked_bones: CollectionProperty(type=BakedBone, options={"HIDDEN"})
