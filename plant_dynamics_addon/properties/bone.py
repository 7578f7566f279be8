# SPDX-License-Identifier: GPL-3.0-or-later
"""What one bone overrides. Growing a plant fills these in; they can be edited in the Bone tab."""

from bpy.props import BoolProperty, EnumProperty, FloatProperty, FloatVectorProperty
from bpy.types import Context, PropertyGroup

from ...lsystem import ORGANS
from ..changes import armature_changed, tell_listeners
from ..material_columns import properties_of


def _changed(self: "BonePhysics", context: Context) -> None:
    armature_changed(self.id_data)
    tell_listeners()


class BonePhysics(properties_of("of_bone", _changed), PropertyGroup):
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
        description="What the bone stands for, which changes no motion: Make Leaves gives bones blades",
        items=[(name, name.capitalize(), "") for name in ORGANS],
        default="stem",
        update=_changed,
    )
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
