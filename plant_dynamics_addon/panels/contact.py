# SPDX-License-Identifier: GPL-3.0-or-later
"""What the plant touches, and how things are that plants touch."""

import bpy
from bpy.app.translations import pgettext_iface as iface_
from bpy.app.translations import pgettext_n as n_
from bpy.types import Context, Panel, UILayout

from ..baking.contact_keys import CONTACT_KEYS
from ..blender.evaluation_cache import EvaluationCache
from ..blender.view_layers import layer_of
from ..comparison.contact_forces import measured
from ..dynamics.motion.contacts import drawn_through
from ..dynamics.motion.sessions import session_of
from ..dynamics.motion.ties import not_together, touched_by
from ..dynamics.rig.moved import mover_of, things_in
from ..dynamics.rig.things import why_not_moved
from ..dynamics.solids.touched import CURVES, flaw_at_sight, is_collider
from ..dynamics.surroundings.colliders import (
    enabled_colliders,
    enabled_instancers,
    why_instances_left_out,
    why_left_out,
)
from ..dynamics.surroundings.instances import left_over
from ..grow.objects.in_pot import untouched_pots
from ..material_columns import plant_columns
from ..relations import differing
from ..rigging.warnings import named
from .base import SubPanel, message
from .presets import draw_icon

#: More colliders, and more things that the plant moves, are counted only.
_MOST_ROWS = 12

_ICONS = {"AUTO": "MOD_PHYSICS", "MESH": "MESH_DATA", "BALL": "MESH_UVSPHERE", "BOX": "MESH_CUBE",
          "CAPSULE": "MESH_CAPSULE", "PLANE": "MESH_PLANE"}  # fmt: skip

#: Colliders that are no thicker (m) than ours need not be told of.
_THIN = 0.002

#: Why a collider is not touched.
_LEFT_OUT = {
    "OWN": n_("hangs on the plant itself"),
    "MOVED": n_("is moved by a plant"),
    "UNPOSED": n_("hangs on a plant that is not baked"),
    "NO_FACES": n_("has no faces"),
    "NOT_NUMBERS": n_("has places that are not numbers"),
    "SCALE": n_("has a scale of zero"),
    "FLAT": n_("is flat: there is nothing of it to be moved"),
    "HIDDEN": n_("is hidden, and with it what it instances"),
    "MADE": n_("shows no instances of colliders; what its nodes make of them is touched if it is a collider itself"),
}

#: What one click does about it.
_MENDED = {
    "NO_FACES": ("REMOVE", n_("Remove Collision")),
    "NOT_NUMBERS": ("REMOVE", n_("Remove Collision")),
    "SCALE": ("SCALE", n_("Mend Scale")),
    "MADE": ("COLLIDE", n_("Make Collider")),
}


class PLANT_DYNAMICS_PT_contact(SubPanel, Panel):
    bl_label = "Contact"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_header_preset(self, context: Context) -> None:
        draw_icon(self.layout, "contact")

    def draw_plant(self, layout: UILayout, obj: bpy.types.Object, settings: bpy.types.PropertyGroup) -> None:
        contact = settings.contact
        layout.prop(contact, "collide_with")
        if contact.collide_with == "COLLECTION":
            layout.prop(contact, "collection")
        layout.prop(contact, "itself")
        layout.prop(contact, "others")
        row = layout.row()
        row.active = contact.itself or contact.others
        row.prop(contact, "push_apart")
        _draw_not_together(layout, obj)
        column = layout.column(align=True)
        column.use_property_decorate = False
        for one in plant_columns("CONTACT"):
            column.prop(settings, one.name)
        row = layout.row(align=True)
        row.operator("plant_dynamics.add_ground", icon="MESH_PLANE")
        row.operator("plant_dynamics.make_collider", icon="MOD_PHYSICS")
        if untouched_pots(obj):
            layout.operator("plant_dynamics.touch_pot", icon="MOD_PHYSICS")
        _draw_things(layout, obj)
        layout.prop(contact, "show_in_viewport")
        if contact.show_in_viewport:
            layout.prop(contact, "arrow_length")
        if contact.collide_with != "NOTHING":
            _draw_colliders(layout, obj)
        _draw_drawn_through(layout, obj)
        _draw_forces(layout, obj)


def _draw_not_together(layout: UILayout, obj: bpy.types.Object) -> None:
    """With whom the plant does not touch, though both ask for it; and whether nobody else asks."""
    scene = bpy.context.scene
    apart = not_together(obj, scene)
    if obj.plant_dynamics.contact.others and not apart and not touched_by(obj, scene):
        message(bpy.context, layout, iface_("No other plant has Others ticked: it takes both"), "INFO")
    if apart:
        settings = ", ".join(iface_(name) for name in differing(obj, apart))
        text = iface_("Does not touch {plants}, for they differ in {settings}")
        names = named([one.name for one in apart])
        message(bpy.context, layout, text.format(plants=names, settings=settings), "ERROR")
        layout.operator("plant_dynamics.touch_together", icon="MODIFIER")


def _draw_why(layout: UILayout, obj: bpy.types.Object, text: str, why: str) -> None:
    """Why plants do not touch or move an object, in as many lines as it takes, above what mends it."""
    message(bpy.context, layout, f"{obj.name}: {text}", "ERROR")
    if why in _MENDED and obj.type in ("MESH", *CURVES):
        action, name = _MENDED[why]
        button = layout.operator("plant_dynamics.mend_collider", text=name, icon="MODIFIER")
        button.collider, button.action = obj.name, action


def _draw_things(layout: UILayout, obj: bpy.types.Object) -> None:
    layout.operator("plant_dynamics.move_with_plant", icon="RIGID_BODY")
    column = layout.column(align=True)
    things = things_in(bpy.context.scene, obj)
    for one in things[:_MOST_ROWS]:
        row = column.row()
        why = why_not_moved(one) or flaw_at_sight(one)
        row.label(text=one.name, icon="ERROR" if why else "RIGID_BODY", translate=False)
        row.operator("plant_dynamics.leave_in_place", text="", icon="X").thing = one.name
        if why:
            message(bpy.context, column, iface_(_LEFT_OUT[why]), "BLANK1")
    if len(things) > _MOST_ROWS:
        column.label(text=iface_("and {count} more").format(count=len(things) - _MOST_ROWS))


def _draw_colliders(layout: UILayout, obj: bpy.types.Object) -> None:
    layer, once = layer_of(obj, bpy.context.scene), EvaluationCache()
    instancers = enabled_instancers(obj, layer, once)
    colliders = [one for one in enabled_colliders(obj, layer, once) if not _is_carrier_only(one, obj, instancers)]
    column = layout.column()
    for collider in colliders[:_MOST_ROWS]:
        why = _why(collider, obj)
        if why:
            _draw_why(column, collider, iface_(_LEFT_OUT[why]), why)
        else:
            column.label(text=collider.name, icon=_ICONS[collider.plant_dynamics.collider.shape], translate=False)
    if len(colliders) > _MOST_ROWS:
        column.label(text=iface_("and {count} more").format(count=len(colliders) - _MOST_ROWS))
    elif not colliders and not instancers:
        touches = obj.plant_dynamics.contact.itself or touched_by(obj, bpy.context.scene)
        column.label(text="No object to touch yet" if touches else "Nothing to touch yet", icon="INFO")
    _draw_instancers(layout, obj, instancers)


def _why(one: bpy.types.Object, obj: bpy.types.Object) -> str:
    """Why the plant does not touch a collider, also where that is plain before anything is looked at."""
    return why_left_out(one, obj) or flaw_at_sight(one)


def _is_carrier_only(one: bpy.types.Object, obj: bpy.types.Object, instancers: list[bpy.types.Object]) -> bool:
    """Whether only the instances that the collider shows have faces."""
    return one in instancers and _why(one, obj) == "NO_FACES"


def _draw_instancers(layout: UILayout, obj: bpy.types.Object, instancers: list[bpy.types.Object]) -> None:
    """What shows instances of colliders, and why some are not touched."""
    column = layout.column()
    for one in instancers[:_MOST_ROWS]:
        instanced, why = why_instances_left_out(one, obj)
        if why:
            text = f"'{instanced}' {iface_(_LEFT_OUT[why])}" if instanced else iface_(_LEFT_OUT[why])
            _draw_why(column, one, text, "" if instanced else why)
        else:
            column.label(text=one.name, icon="OUTLINER_OB_GROUP_INSTANCE", translate=False)
    if len(instancers) > _MOST_ROWS:
        column.label(text=iface_("and {count} more").format(count=len(instancers) - _MOST_ROWS))
    count, names = left_over(obj)
    if count:
        text = iface_("More instances than can be touched: the {count} farthest are let through, of {instancers}")
        message(bpy.context, layout, text.format(count=count, instancers=named(names)), "ERROR")


def _draw_drawn_through(layout: UILayout, obj: bpy.types.Object) -> None:
    """What is left alone until it parts, for it overlaps at the start."""
    session = session_of(obj)
    for name, bones in drawn_through(session).items() if session is not None else ():
        thick = 0.0
        text = iface_("Begins within '{collider}' and is left alone until they part: {bones}")
        if name == session.name:
            text = iface_("Begin within each other and are left alone until they part: {bones}")
        elif (thick := _thickness_of(name)) > _THIN:
            text = iface_("Begins within '{collider}' or its Outer Thickness of {thickness:.3g} mm and is left alone "
                          "until they part: {bones}")  # fmt: skip
        message(bpy.context, layout, text.format(collider=name, bones=named(bones), thickness=1e3 * thick), "INFO")
        layout.operator("plant_dynamics.select_within", icon="RESTRICT_SELECT_OFF").within = name


def _thickness_of(name: str) -> float:
    """How far (m) plants stay away from the collider of this name."""
    obj = bpy.data.objects.get(name)
    return float(obj.collision.thickness_outer) if obj is not None and obj.collision is not None else 0.0


def _draw_forces(layout: UILayout, obj: bpy.types.Object) -> None:
    """How hard bones are pushed."""
    row = layout.row(align=True)
    row.operator("plant_dynamics.key_contact_forces", icon="KEYTYPE_KEYFRAME_VEC")
    if CONTACT_KEYS.are_there(obj):
        row.operator("plant_dynamics.clear_contact_forces", text="", icon="X")
    found = measured(obj)
    if found is not None:
        message(bpy.context, layout, found.told(), "INFO")


class PLANT_DYNAMICS_PT_collider(Panel):
    """In the Physics tab, below Blender's own panel."""

    bl_label = "Plants Touch It"
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "physics"

    @classmethod
    def poll(cls, context: Context) -> bool:
        obj = context.object
        return obj is not None and (obj.type in CURVES or is_collider(obj))

    def draw_header(self, context: Context) -> None:
        if context.object.type in CURVES:
            self.layout.prop(context.object.plant_dynamics.collider, "use", text="")

    def draw(self, context: Context) -> None:
        layout, obj = self.layout, context.object
        own = obj.plant_dynamics.collider
        layout.use_property_split = True
        layout.active = is_collider(obj)
        for name in ("thickness_outer", "use_culling") if obj.type in CURVES else ():
            layout.prop(own, name)
        for name in ("shape", "friction", "bounce", "stickiness"):
            layout.prop(own, name)


class PLANT_DYNAMICS_PT_thing(Panel):
    """In the Physics tab of an object that a plant moves."""

    bl_label = "Moved by Plants"
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "physics"

    @classmethod
    def poll(cls, context: Context) -> bool:
        return context.object is not None and mover_of(context.object) is not None

    def draw(self, context: Context) -> None:
        layout, obj = self.layout, context.object
        layout.use_property_split = True
        mover = mover_of(obj)
        layout.label(text=iface_("Moves with '{plant}'").format(plant=mover.name), icon="ARMATURE_DATA")
        layout.prop(obj.plant_dynamics.thing, "density")
        layout.prop(obj.plant_dynamics.thing, "is_held")
        if not is_collider(obj):
            for name in ("shape", "friction", "bounce", "stickiness"):
                layout.prop(obj.plant_dynamics.collider, name)
        layout.operator("plant_dynamics.leave_in_place", icon="X").thing = obj.name
