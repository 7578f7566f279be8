# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of a dynamic armature object."""

import bpy
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

from ..dynamics.registry import inputs_changed, object_changed
from .load import PlantLoad


def _changed(self: "PlantSettings", context: Context) -> None:
    object_changed(self.id_data)


def _input_changed(self: "PlantSettings", context: Context) -> None:
    inputs_changed(self.id_data)


class PlantSettings(PropertyGroup):
    """Material, loads and solver settings of one plant. Values of single bones override the material."""

    is_dynamic: BoolProperty(name="Dynamic", options={"HIDDEN"})
    live: BoolProperty(name="Live", description="Simulate this plant when the frame changes", options={"HIDDEN"})

    bones_have_materials: BoolProperty(options={"HIDDEN"})
    young_modulus: FloatProperty(
        name="Young's (MPa)",
        description="Young's modulus, the stiffness of the tissue: leaves 1-50, herbs 50-1000, wood 5000-12000",
        default=300.0, min=1e-4, max=1e6, soft_min=1.0, soft_max=15000.0, update=_changed,
    )  # fmt: skip
    poisson: FloatProperty(
        name="Poisson's",
        description="Larger values twist more easily; 0.2 to 0.3 for herbaceous stems",
        default=0.3, min=-0.9, max=0.5, update=_changed,
    )  # fmt: skip
    density: FloatProperty(
        name="Density (kg/m³)",
        description="Heavier tissue droops more and swings more slowly",
        default=900.0, min=1.0, max=20000.0, soft_min=100.0, soft_max=1500.0, update=_changed,
    )  # fmt: skip
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
    stiffness_factor: FloatProperty(
        name="Stiffness",
        description="Multiplies the stiffness of the whole plant. Key it downwards to let the plant wilt",
        default=1.0, min=0.0, soft_max=4.0, max=1e4, precision=3, update=_input_changed,
    )  # fmt: skip
    damping_factor: FloatProperty(
        name="Damping",
        description="Multiplies the damping of the whole plant",
        default=1.0, min=0.0, soft_max=10.0, max=1e4, precision=3, update=_changed,
    )  # fmt: skip
    damping_time: FloatProperty(
        name="Damping Time",
        description="Internal friction: larger values let the plant come to rest sooner, quick shivers first",
        default=0.05, min=0.0, soft_max=1.0, max=100.0, precision=3, unit="TIME_ABSOLUTE", update=_changed,
    )  # fmt: skip
    joint_damping: FloatProperty(
        name="Joint (N m s)",
        description="The same friction in every joint, thin or thick",
        default=0.0, min=0.0, soft_max=0.1, max=1e6, precision=6, update=_changed,
    )  # fmt: skip
    gravity_factor: FloatProperty(
        name="Gravity",
        description="Multiplies the scene's gravity",
        default=1.0, soft_min=0.0, soft_max=5.0, min=-100.0, max=100.0, update=_input_changed,
    )  # fmt: skip
    loads: CollectionProperty(type=PlantLoad)
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
    layout: EnumProperty(
        name="Joints",
        description="Where bones bend",
        items=[
            ("double_root", "At Nodes", "At the head of every bone, with the stiffness of the two half bones it joins"),
            ("mid", "Mid Bone", "In the middle of every bone; branching points are rigid. Most accurate for few bones"),
            ("base", "Garcia 2023", "At the head of every bone, with the averages of the thesis"),
        ],
        default="double_root",
        update=_changed,
    )
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

    is_baked: BoolProperty(name="Baked", options={"HIDDEN"})
    baked_action: PointerProperty(type=bpy.types.Action, options={"HIDDEN"})
    action_before: PointerProperty(type=bpy.types.Action, options={"HIDDEN"})
    slot_before: StringProperty(options={"HIDDEN"})
