# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of a dynamic armature object."""

from math import tau

from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)
from bpy.types import Context, PropertyGroup

from ..changes import inputs_changed, object_changed, tell_listeners
from ..material_columns import properties_of
from ..viewport import bone_colours
from .bake import BakeState
from .contact import ColliderSettings, ContactSettings, MovedThing, ThingSettings
from .force_fields import FieldWeights
from .growth import Growth
from .load import PlantLoad
from .pose import FollowSettings


def _changed(self: "PlantSettings", context: Context) -> None:
    object_changed(self.id_data)
    tell_listeners()


def _input_changed(self: "PlantSettings", context: Context) -> None:
    inputs_changed(self.id_data)


def _shown(self: "PlantSettings", context: Context) -> None:
    bone_colours.drawing.refresh()


#: What is told of changes to settings that are read at every frame.
INPUTS = _input_changed


class PlantSettings(BakeState, properties_of("of_plant", _changed, _input_changed), PropertyGroup):
    """Material, loads and solver settings of one plant. Values of single bones override the material."""

    fields: PointerProperty(type=FieldWeights)
    contact: PointerProperty(type=ContactSettings)
    following: PointerProperty(type=FollowSettings)
    collider: PointerProperty(type=ColliderSettings)
    thing: PointerProperty(type=ThingSettings)
    growth: PointerProperty(type=Growth)
    grown_part: StringProperty(description="Of a plant's mesh, pot or soil: what of it this is", options={"HIDDEN"})
    is_handle: BoolProperty(description="Made for a load of a plant, with which it is deleted", options={"HIDDEN"})
    is_dynamic: BoolProperty(name="Dynamic", options={"HIDDEN"})
    live: BoolProperty(name="Live", description="Simulate this plant when the frame changes", options={"HIDDEN"})

    bones_have_materials: BoolProperty(options={"HIDDEN"})
    radius_source: EnumProperty(
        name="Radius",
        description="Where bones without a radius of their own take it from",
        items=[
            ("ENVELOPE", "Bone Envelopes", "Head and tail radius of the bones' envelopes"),
            ("FIXED", "One Radius", "The radius below, for all bones"),
        ],
        default="ENVELOPE",
        update=_changed,
    )
    radius: FloatProperty(
        name="Radius",
        description="Stiffness grows with the fourth power of the radius, weight with the second",
        default=0.01, min=1e-5, soft_max=0.5, precision=4, unit="LENGTH", update=_changed,
    )  # fmt: skip
    gravity_factor: FloatProperty(
        name="Gravity",
        description="Multiplies the scene's gravity",
        default=1.0, soft_min=0.0, soft_max=5.0, min=-100.0, max=100.0, update=_input_changed,
    )  # fmt: skip
    follow_animation: BoolProperty(
        name="Use Keys",
        description="Simulated bones with keys swing about their keyed pose: the keys act, physics adds the "
        "follow-through. Bones without keys swing about the drawn shape. All bones then bend at their heads",
        default=True, update=_changed,
    )  # fmt: skip
    animation_influence: FloatProperty(
        name="Influence",
        description="How far the keys move the pose that keyed bones swing about. 0: not at all, 1: as keyed",
        default=1.0, min=0.0, max=1.0, subtype="FACTOR", update=_input_changed,
    )  # fmt: skip
    leaf_curl: FloatProperty(
        name="Leaf Curl",
        description="How far leaves are curled up where nothing bends them, shared out among the bones of a leaf: "
        "whole turns roll them up, below 0 they curl back. With keys leaves unroll, or curl as they dry. All bones "
        "then bend at their heads",
        default=0.0, soft_min=-tau, soft_max=tau, min=-4.0 * tau, max=4.0 * tau, subtype="ANGLE",
        options={"ANIMATABLE"}, update=_changed,
    )  # fmt: skip
    lengths: EnumProperty(
        name="Lengths",
        description="Keys on location and scale of simulated bones are followed: bones get longer and move on their "
        "parents. What becomes of mass and stiffness then",
        items=[
            ("SCALE", "As Scaled", "Bones are as thick as they are scaled across, of the same material: scaled evenly "
             "they are as a larger plant is"),
            ("VOLUME", "Same Volume", "The mass stays. A bone gets thinner as it gets longer, and softer, whatever its "
             "scale across"),
            ("SECTION", "Same Section", "The thickness stays. A bone gets heavier as it gets longer, as what grows, "
             "whatever its scale across"),
        ],
        default="SCALE", update=_input_changed,
    )  # fmt: skip
    let_go: BoolProperty(
        name="Let Go",
        description="The whole plant comes off what it stands on, falls and lies. Key it from the frame on at which "
        "that happens; what has once come off stays so",
        update=_input_changed,
    )  # fmt: skip
    has_moved_bones: BoolProperty(description="Bones that came off are not where they were", options={"HIDDEN"})
    show_effort: BoolProperty(
        name="Show Effort",
        description="Colour the bones in 3D views by their effort at the frame, once it has been measured: blue where "
        "none is needed, yellow as if held out level, red from twice that on. As part of the overlays",
        options=set(), update=_shown,
    )  # fmt: skip
    loads: CollectionProperty(type=PlantLoad)
    things: CollectionProperty(type=MovedThing)
    active_load: IntProperty(options={"HIDDEN"})

    start: EnumProperty(
        name="Start",
        description="The plant at the scene's first frame",
        items=[
            ("settled", "Settled", "The plant hangs where its weight and the loads hold it: no run-up is needed"),
            ("keep_shape", "As Drawn, Held", "The drawn shape carries the loads: it stays until something moves it"),
            ("drawn", "As Drawn, Released", "The drawn shape without loads, then let go at the first frame"),
        ],
        default="settled",
        update=_changed,
    )
    run_up: IntProperty(
        name="Run-up",
        description="So many frames are simulated before the first one, in the first frame's world, which is held: the "
        "plant has been moving for so long. 0: it begins at rest",
        default=0, min=0, soft_max=250, max=10000, update=_changed,
    )  # fmt: skip
    use_disk_cache: BoolProperty(
        name="Save with File",
        description="Saving the .blend also writes the cached frames of this plant to a folder beside it. Opened "
        "again, also by a renderer, the file shows them without simulating anew. The motion stays the same",
        default=False,
    )  # fmt: skip
    layout: EnumProperty(
        name="Joints",
        description="Where bones bend. It decides how true the shape is for a number of bones, and the speed",
        items=[  # the numbers are those in files
            ("gauss2", "Two per Bone", "Two joints inside every bone, where bending is exact for even loads; branching "
             "points are rigid. The most accurate for its number of joints", 3),
            ("prbm3r", "Three per Bone", "Three joints at the places of Hall's element, with stiffnesses that add up "
             "to the bone's. For very few, strongly bent bones", 4),
            ("prbm3r_hall", "Hall 2013", "The same with Hall's own stiffnesses, for comparison", 5),
            ("mid", "Mid Bone", "One joint in the middle of every bone; branching points are rigid. Fast", 1),
            ("double_root", "At Nodes", "At the head of every bone, with the stiffness of the two half bones it joins. "
             "Fast; needed, or Garcia's, for Explicit Bodies", 0),
            ("base", "Garcia 2023", "At the head of every bone, with the averages of the thesis: too soft with few "
             "bones", 2),
        ],
        default="gauss2", update=_changed,
    )  # fmt: skip
    segments: IntProperty(
        name="Segments",
        description="Into how many equal pieces each bone is cut for the simulation, each with the joints above. More "
        "lets long bones sag truly; the bone itself stays straight, from end to end",
        default=1, min=1, soft_max=8, max=64, update=_changed,
    )  # fmt: skip
    use_tip_error: BoolProperty(
        name="Cut Long Bones",
        description="Cut bones into as many segments as the tip's place needs",
        default=False, update=_changed,
    )  # fmt: skip
    tip_error: FloatProperty(
        name="Tip Error (%)",
        description="How far tips may be off because bones are cut into straight pieces, in percent of the way from "
        "the root. Smaller cuts more: truer shapes, slower",
        default=0.1, min=0.001, soft_max=5.0, max=100.0, precision=3, subtype="PERCENTAGE", update=_changed,
    )  # fmt: skip
    scheme: EnumProperty(
        name="Method",
        description="How time advances",
        items=[
            ("bdf2", "Second Order", "Keeps swinging as long as the material does"),
            ("backward_euler", "First Order", "Loses more energy than the material does; calmer"),
        ],
        default="bdf2",
        update=_changed,
    )
    max_step: FloatProperty(
        name="Longest Step",
        description="Time step of the simulation. Shorter steps are more exact; long ones stay stable",
        default=1.0 / 240.0, min=1e-5, max=0.1, precision=4, unit="TIME_ABSOLUTE", update=_changed,
    )  # fmt: skip
    step_error: FloatProperty(
        name="Step Error (%)",
        description="Largest error of one step, in percent of the plant's size. Where fast motion, a whip or a fall, "
        "would exceed it the step is halved. Smaller is truer and slower; 100 never halves for it",
        default=0.003, min=1e-6, soft_max=1.0, max=100.0, precision=4, subtype="PERCENTAGE", update=_changed,
    )  # fmt: skip
    halvings: IntProperty(
        name="Halvings",
        description="How often a step may be halved. With 0 all steps are the same, and fast motion is less true",
        default=8, min=0, max=20, update=_changed,
    )  # fmt: skip
    landing_time: FloatProperty(
        name="Landing Time",
        description="What is about to touch is braked as if it were where it will be so much later. Shorter is harder, "
        "as rigid things land, and may need shorter steps; longer is softer",
        default=0.002, min=0.0001, soft_max=0.01, max=0.1, precision=4, unit="TIME_ABSOLUTE", update=_changed,
    )  # fmt: skip
