# SPDX-License-Identifier: GPL-3.0-or-later
"""What a bone overrides, as the Bone tab and the sidebar show it."""

import bpy
from bpy.app.translations import pgettext_iface as iface_
from bpy.types import Context, UILayout

from ..material_columns import bone_columns
from .base import message


def draw_bone(context: Context, layout: UILayout, obj: bpy.types.Object, bone: bpy.types.Bone) -> None:
    """All overrides of the bone."""
    layout.use_property_split = True
    layout.use_property_decorate = False
    physics, settings = bone.plant_dynamics, obj.plant_dynamics
    layout.prop(physics, "use_physics")
    layout.operator("plant_dynamics.copy_to_selected", icon="COPYDOWN")
    layout = layout.column()
    layout.active = physics.use_physics
    layout.prop(physics, "organ")
    layout.prop(physics, "pinned")
    menu = layout.operator_menu_enum("plant_dynamics.set_material", "material", text="Measured Material", icon="PRESET")
    menu.target = "ACTIVE"
    message(context, layout, iface_("0, or -1 where 0 would be a value, takes the plant's"), "INFO")
    column = layout.column(align=True)
    column.active = not physics.use_body
    for one in bone_columns("SIZE", "MATERIAL", "SECTION"):
        (column if one.is_of_rods else layout).prop(physics, one.name)
    column = layout.column(align=True)
    for one in sorted(bone_columns("DAMPING"), key=lambda one: one.is_factor):
        row = column.row()
        row.active = one.acts_in(settings.damping_mode)
        row.prop(physics, one.name)
        if not row.active and not one.is_factor:
            mode = settings.bl_rna.properties["damping_mode"].enum_items[settings.damping_mode].name
            message(context, column, iface_("Not used: the plant's mode is {mode}").format(mode=iface_(mode)), "INFO")
    for one in bone_columns("JOINT"):
        column.prop(physics, one.name)
    for group in ("LIMIT", "AIR", "CONTACT", "BREAKING"):
        column = layout.column(align=True)
        for one in bone_columns(group):
            column.prop(physics, one.name)
    layout.prop(physics, "use_body")
    if physics.use_body:
        column = layout.column()
        for name in ("mass", "center_of_mass", "inertia", "stiffness", "initial_rotation"):
            column.prop(physics, name)
