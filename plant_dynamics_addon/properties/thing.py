# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that plants move and that move plants."""

import bpy
from bpy.props import BoolProperty, FloatProperty, FloatVectorProperty, PointerProperty, StringProperty
from bpy.types import Context, PropertyGroup

from ..changes import inputs_changed, object_changed, tell_listeners


def _listed(self: "MovedThing", context: Context) -> None:
    object_changed(self.id_data)
    tell_listeners()


def _changed(self: "ThingSettings", context: Context) -> None:
    if self.plant is not None:
        object_changed(self.plant)
        tell_listeners()


def _held_changed(self: "ThingSettings", context: Context) -> None:
    if self.plant is not None:
        inputs_changed(self.plant)


def _is_mesh(self: "MovedThing", obj: bpy.types.Object) -> bool:
    return bool(obj.type == "MESH")


class MovedThing(PropertyGroup):
    """One of the objects that a plant moves."""

    object: PointerProperty(type=bpy.types.Object, poll=_is_mesh, update=_listed)


class ThingSettings(PropertyGroup):
    """Of an object that a plant moves: how heavy it is and whether it is held; what its channels were before (to the
    last bit where is_kept; channel: its rotation as a quaternion), and what animated it before its bake."""

    plant: PointerProperty(type=bpy.types.Object, options={"HIDDEN"})
    density: FloatProperty(
        name="Density",
        description="Mass of a cubic metre in kg: an apple 800, wood 600, stone 2500, a ball of rubber 100",
        default=500.0, min=1e-3, soft_max=10000.0, max=1e6, precision=1, unit="NONE", update=_changed,
    )  # fmt: skip
    is_held: BoolProperty(
        name="Held",
        description="The object follows its own keys and pushes plants away. Key it off at the frame at which it is "
        "let go, with the speed that it has then; what has once been let go stays so",
        update=_held_changed,
    )  # fmt: skip
    is_kept: BoolProperty(options={"HIDDEN"})
    location: FloatVectorProperty(size=3, options={"HIDDEN"})
    rotation_mode: StringProperty(options={"HIDDEN"})
    quaternion: FloatVectorProperty(size=4, options={"HIDDEN"})
    euler: FloatVectorProperty(size=3, options={"HIDDEN"})
    axis_angle: FloatVectorProperty(size=4, options={"HIDDEN"})
    channel: FloatVectorProperty(size=4, default=(1.0, 0.0, 0.0, 0.0), options={"HIDDEN"})
    is_baked: BoolProperty(options={"HIDDEN"})
    action_before: PointerProperty(type=bpy.types.Action)
    slot_before: StringProperty(options={"HIDDEN"})
    had_animation_data: BoolProperty(options={"HIDDEN"})
