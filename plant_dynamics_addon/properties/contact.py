# SPDX-License-Identifier: GPL-3.0-or-later
"""What a plant touches and moves, and how things are that plants touch or move."""

import bpy
from bpy.props import (
    BoolProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)
from bpy.types import Context, PropertyGroup

from ..changes import all_inputs_changed, inputs_changed, object_changed, tell_listeners
from ..viewport import contact_arrows


def _changed(self: "ContactSettings", context: Context) -> None:
    inputs_changed(self.id_data)


def _itself_changed(self: "ContactSettings", context: Context) -> None:
    object_changed(self.id_data)  # it is simulated as one then
    inputs_changed(self.id_data)


def _with_others(self: "ContactSettings", context: Context) -> None:
    all_inputs_changed()


def _shown(self: "ContactSettings", context: Context) -> None:
    contact_arrows.drawing.refresh()


def _collider_changed(self: "ColliderSettings", context: Context) -> None:
    all_inputs_changed()


class ContactSettings(PropertyGroup):
    """With what a plant collides. company: plants touch each other only where it is equal, as those of one place in a
    comparison's row; rank: their order there, before that of their names."""

    collide_with: EnumProperty(
        name="Collide With",
        description="Which objects with Collision physics the plant touches",
        items=[
            ("NOTHING", "Nothing", "The plant passes through everything"),
            ("SCENE", "Scene", "All of the scene's objects with Collision physics, as cloth does"),
            ("COLLECTION", "Collection", "Those of a collection only"),
        ],
        default="SCENE",
        options=set(),
        update=_changed,
    )
    collection: PointerProperty(
        name="Collection",
        description="Only objects of this collection that have Collision physics are touched",
        type=bpy.types.Collection, update=_changed,
    )  # fmt: skip
    itself: BoolProperty(
        name="Itself",
        description="Bones touch the plant's other bones too: branches, strands of hair, all reeds of a bed. What "
        "overlaps as drawn is left alone until it parts",
        options=set(), update=_itself_changed,
    )  # fmt: skip
    others: BoolProperty(
        name="Others",
        description="The plant touches all other plants with this setting that collide with the same: hair and head, "
        "reeds and shrubs. They are simulated and baked together",
        options=set(), update=_with_others,
    )  # fmt: skip
    push_apart: FloatProperty(
        name="Push Apart",
        description="Bones that overlap as drawn are pushed apart, at most so fast, by Itself and Others. 0: they are "
        "left alone until they part by themselves",
        default=0.0, min=0.0, soft_max=0.5, max=10.0, precision=3, unit="VELOCITY", options=set(), update=_changed,
    )  # fmt: skip
    show_in_viewport: BoolProperty(
        name="Show Contacts",
        description="Draw in 3D views where the plant touches something, and with what force: the longer the arrow, "
        "the larger. As part of the overlays",
        options=set(), update=_shown,
    )  # fmt: skip
    arrow_length: FloatProperty(
        name="Arrow Length",
        description="How long the arrows of Show Contacts are: 1 is as usual, where a force as large as the plant's "
        "weight is 0.4 times as long as the plant",
        default=1.0, min=0.0, soft_min=0.1, soft_max=5.0, max=100.0, precision=2, options=set(), update=_shown,
    )  # fmt: skip
    company: IntProperty(name="Place in a Row", options={"HIDDEN"})
    rank: IntProperty(options={"HIDDEN"})


class ColliderSettings(PropertyGroup):
    """What Blender's Collision physics does not say of an object that plants touch; of a curve, surface or text, which
    Blender gives none, all of it."""

    use: BoolProperty(
        name="Collider",
        description="Plants touch this curve, surface or text as it evaluates. Meshes have Blender's Collision physics "
        "for that",
        options=set(), update=_collider_changed,
    )  # fmt: skip
    thickness_outer: FloatProperty(
        name="Thickness",
        description="So far plants stay away from the surface",
        default=0.001, min=0.0, soft_max=0.1, max=1.0, precision=4, unit="LENGTH", update=_collider_changed,
    )  # fmt: skip
    use_culling: BoolProperty(
        name="Single Sided",
        description="The surface pushes plants out to the side that its normals point to, as a closed one needs it. "
        "Off: it holds them back on the side where they are",
        default=True, update=_collider_changed,
    )  # fmt: skip
    shape: EnumProperty(
        name="Shape",
        description="What plants touch of the object",
        items=[
            ("AUTO", "Automatic", "A ball, a box or a capsule where the mesh is one exactly, else the mesh. Balls, "
             "boxes and capsules are smoother and faster"),
            ("MESH", "Mesh", "The faces of the mesh, as modifiers leave it"),
            ("BALL", "Ball", "A ball as wide as the object, about its middle"),
            ("BOX", "Box", "A box with the object's extents along its own axes"),
            ("CAPSULE", "Capsule", "A capsule along the object's longest side"),
            ("PLANE", "Plane", "An endless plane through the object's origin, whose upper side is that of its Z axis"),
        ],
        default="AUTO",
        options=set(),
        update=_collider_changed,
    )
    friction: FloatProperty(
        name="Friction",
        description="Coulomb's coefficient: the largest force along the surface over that against it. What counts is "
        "the geometric mean of this and the plant's: ice 0.05, skin 0.5, rubber 1",
        default=0.5, min=0.0, soft_max=1.5, max=100.0, precision=2, update=_collider_changed,
    )  # fmt: skip
    bounce: FloatProperty(
        name="Bounce",
        description="How much of the speed is left after an impact, if the plant's own is not larger: 0 none, 1 all",
        default=0.0, min=0.0, max=1.0, precision=2, subtype="FACTOR", update=_collider_changed,
    )  # fmt: skip
    stickiness: FloatProperty(
        name="Stickiness",
        description="Force in N that holds each point of a plant that touches it, until it is drawn off more strongly, "
        "if the plant's own is not larger",
        default=0.0, min=0.0, soft_max=1.0, max=1e6, precision=4, update=_collider_changed,
    )  # fmt: skip


def _listed(self: "MovedThing", context: Context) -> None:
    object_changed(self.id_data)
    tell_listeners()


def _thing_changed(self: "ThingSettings", context: Context) -> None:
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
    last bit where is_kept), and what animated it before its bake."""

    plant: PointerProperty(type=bpy.types.Object, options={"HIDDEN"})
    density: FloatProperty(
        name="Density",
        description="Mass of a cubic metre in kg: an apple 800, wood 600, stone 2500, a ball of rubber 100",
        default=500.0, min=1e-3, soft_max=10000.0, max=1e6, precision=1, unit="NONE", update=_thing_changed,
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
    is_baked: BoolProperty(options={"HIDDEN"})
    action_before: PointerProperty(type=bpy.types.Action)
    slot_before: StringProperty(options={"HIDDEN"})
    had_animation_data: BoolProperty(options={"HIDDEN"})
