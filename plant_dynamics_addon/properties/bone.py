# SPDX-License-Identifier: GPL-3.0-or-later
"""What one bone overrides. Growing a plant fills these in; they can be edited in the Bone tab."""

from bpy.props import BoolProperty, EnumProperty, FloatProperty, FloatVectorProperty
from bpy.types import Context, PropertyGroup

from ...lsystem import ORGANS
from ..changes import armature_changed, tell_listeners
from ..dynamics.rig.rod_columns import FULL_TURN


def _changed(self: "BonePhysics", context: Context) -> None:
    armature_changed(self.id_data)
    tell_listeners()


class BonePhysics(PropertyGroup):
    """Physics of a bone. Zero (or -1 where zero is a value) means: as the armature object says."""

    use_physics: BoolProperty(
        name="Simulated",
        description="The bone moves by physics. Off: it moves as it is animated and carries the simulated bones on it; "
        "one that sits on a simulated bone rides along",
        default=True,
        update=_changed,
    )
    organ: EnumProperty(
        name="Organ",
        description="What the bone stands for. Growing a plant sets a leaf's blade by it",
        items=[(name, name.capitalize(), "") for name in ORGANS],
        default="stem",
        update=_changed,
    )
    radius_base: FloatProperty(
        name="Radius at Base",
        description="Radius at the bone's head. Bending stiffness grows with its fourth power. 0: from the armature",
        default=0.0, min=0.0, soft_max=0.5, precision=4, unit="LENGTH", update=_changed,
    )  # fmt: skip
    radius_tip: FloatProperty(
        name="Radius at Tip",
        description="Radius at the bone's tail. 0: from the armature",
        default=0.0, min=0.0, soft_max=0.5, precision=4, unit="LENGTH", update=_changed,
    )  # fmt: skip
    young_modulus: FloatProperty(
        name="Young's (MPa)",
        description="Stiffness of the tissue: leaves 1-50, herbs 50-1000, wood 5000-12000. 0: as the armature",
        default=0.0, min=0.0, soft_max=15000.0, update=_changed,
    )  # fmt: skip
    poisson: FloatProperty(
        name="Poisson's",
        description="Larger values twist more easily. -1: as the armature",
        default=-1.0, min=-1.0, max=0.5, update=_changed,
    )  # fmt: skip
    density: FloatProperty(
        name="Density (kg/m³)",
        description="Heavier tissue droops more and swings more slowly. 0: as the armature",
        default=0.0, min=0.0, soft_max=1500.0, update=_changed,
    )  # fmt: skip
    hollow: FloatProperty(
        name="Hollow",
        description="Inner over outer radius: 0 solid, 0.9 a thin wall, lighter and softer. -1: as the armature",
        default=-1.0, min=-1.0, max=0.99, precision=2, update=_changed,
    )  # fmt: skip
    strength: FloatProperty(
        name="Strength (MPa)",
        description="Bending stress at which the tissue breaks: green wood 40-60, dry wood 50-110. Nothing breaks and "
        "the motion is the same; Measure Stress tells which bones would. 0: not known",
        default=0.0, min=0.0, soft_max=150.0, update=_changed,
    )  # fmt: skip
    bend_limit: FloatProperty(
        name="Bend Limit",
        description="How far the bone bends freely; beyond that it stiffens steeply. 0: as the armature, 360: no limit",
        default=0.0, min=0.0, max=FULL_TURN, subtype="ANGLE", update=_changed,
    )  # fmt: skip
    twist_limit: FloatProperty(
        name="Twist Limit",
        description="How far the bone twists freely about its length. 0: as the armature, 360: no limit",
        default=0.0, min=0.0, max=FULL_TURN, subtype="ANGLE", update=_changed,
    )  # fmt: skip
    blade_area: FloatProperty(
        name="Blade Area",
        description="Area of a flat blade along the bone that faces the bone's Z axis: wind catches it, and still air "
        "slows it down. 0: none. About two thirds of length times width of a leaf",
        default=0.0, min=0.0, soft_max=0.1, max=1e6, precision=5, unit="AREA", update=_changed,
    )  # fmt: skip
    drag_factor: FloatProperty(
        name="Air Drag",
        description="Multiplies how strongly the air holds this bone. 0: not at all",
        default=1.0, min=0.0, soft_max=5.0, max=1e4, precision=2, update=_changed,
    )  # fmt: skip
    damping_time: FloatProperty(
        name="Damping Time",
        description="Internal friction in proportion to stiffness. -1: as the armature",
        default=-1.0, min=-1.0, soft_max=1.0, precision=3, unit="TIME_ABSOLUTE", update=_changed,
    )  # fmt: skip
    damping_factor: FloatProperty(
        name="Damping Factor",
        description="Multiplies the damping of this bone: above 1 it comes to rest sooner, below 1 later. Not in the "
        "mode Ratio at First Mode",
        default=1.0, min=0.0, soft_max=10.0, max=1e4, precision=2, update=_changed,
    )  # fmt: skip
    stiffness_factor: FloatProperty(
        name="Joint Factor",
        description="Softens (below 1) or stiffens the joint at the bone's head",
        default=1.0, min=1e-4, soft_max=10.0, update=_changed,
    )  # fmt: skip
    pinned: BoolProperty(
        name="Pinned",
        description="The bone sits rigidly on the end of its parent",
        default=False,
        update=_changed,
    )
    use_body: BoolProperty(
        name="Explicit Body",
        description="Take mass, inertia and spring constants below instead of those of a cylinder",
        default=False,
        update=_changed,
    )
    mass: FloatProperty(name="Mass", default=0.01, min=1e-12, precision=5, unit="MASS", update=_changed)
    center_of_mass: FloatVectorProperty(
        name="Centre of Mass", description="From the bone's head, in its own axes", size=3, subtype="XYZ",
        precision=4, unit="LENGTH", update=_changed,
    )  # fmt: skip
    inertia: FloatVectorProperty(
        name="Inertia (kg m²)", description="Moments of inertia about the bone's head, about its own axes", size=3,
        default=(1e-6, 1e-6, 1e-6), min=0.0, precision=6, subtype="XYZ", update=_changed,
    )  # fmt: skip
    stiffness: FloatVectorProperty(
        name="Spring (N m/rad)", description="Spring constants of the joint about the bone's X, Y (twist) and Z axes",
        size=3, default=(1.0, 1.0, 1.0), min=0.0, precision=4, subtype="XYZ", update=_changed,
    )  # fmt: skip
    initial_rotation: FloatVectorProperty(
        name="Initial Rotation", description="Joint rotation at the start, as a rotation vector in the bone's axes",
        size=3, subtype="AXISANGLE", update=_changed,
    )  # fmt: skip
