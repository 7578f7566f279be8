# SPDX-License-Identifier: GPL-3.0-or-later
"""What a bone overrides, as the Bone tab and the sidebar show it."""

from bpy.app.translations import pgettext_iface as iface_
from bpy.app.translations import pgettext_n as n_
from bpy.types import Bone, Context, Object, PropertyGroup, UILayout

from ..material_columns import Column, bone_columns
from .base import message

#: Below each other, each closed until it is opened: the groups of columns and their name.
_SECTIONS = (
    (n_("Size and Material"), ("SIZE", "MATERIAL", "SECTION")), (n_("Damping and Joint"), ("DAMPING", "JOINT")),
    (n_("Limits"), ("LIMIT",)), (n_("Air"), ("AIR",)), (n_("Contact"), ("CONTACT",)), (n_("Breaking"), ("BREAKING",)),
)  # fmt: skip


def draw_bone(context: Context, layout: UILayout, obj: Object, bone: Bone) -> None:
    """All overrides of the bone: how many there are of a kind, and in what opens below that which."""
    layout.use_property_split = True
    layout.use_property_decorate = False
    physics = bone.plant_dynamics
    layout.prop(physics, "use_physics")
    layout.operator("plant_dynamics.copy_to_selected", icon="COPYDOWN")
    column = layout.column()
    column.active = physics.use_physics
    column.prop(physics, "organ")
    column.prop(physics, "pinned")
    menu = column.operator_menu_enum("plant_dynamics.set_material", "material", text="Measured Material", icon="PRESET")
    menu.target = "ACTIVE"
    message(context, column, iface_("0, or -1 where 0 would be a value, takes the plant's"), "INFO")
    for name, groups in _SECTIONS:
        columns = bone_columns(*groups)
        header, body = layout.panel(f"plant_dynamics_bone_{groups[0].lower()}", default_closed=True)
        count = sum(_is_set(physics, one.name) for one in columns)
        text = iface_("{section}: {count} of its own") if count else "{section}"
        header.label(text=text.format(section=iface_(name), count=count), translate=False)
        if body is not None:
            body.active = physics.use_physics
            _draw_columns(context, body, obj.plant_dynamics, physics, columns)
    column = layout.column()
    column.active = physics.use_physics
    column.prop(physics, "use_body")
    if physics.use_body:
        for name in ("mass", "center_of_mass", "inertia", "stiffness", "initial_rotation"):
            column.prop(physics, name)


def _is_set(physics: PropertyGroup, name: str) -> bool:
    """Whether a value is another than bones have at first."""
    prop = physics.bl_rna.properties[name]
    if getattr(prop, "is_array", False):
        return tuple(getattr(physics, name)) != tuple(prop.default_array)
    return bool(getattr(physics, name) != prop.default)


def _draw_columns(
    context: Context, layout: UILayout, settings: PropertyGroup, physics: PropertyGroup, columns: list[Column]
) -> None:
    """The values, those dimmed that have no effect."""
    shared = layout.column(align=True)
    for one in sorted(columns, key=lambda one: one.group == "DAMPING" and one.is_factor):
        row = shared.row()
        acts = one.acts_in(settings.damping_mode)
        row.active = acts and not (physics.use_body and one.is_of_rods and one.group in ("SIZE", "MATERIAL", "SECTION"))
        row.prop(physics, one.name)
        if not acts and not one.is_factor:
            mode = settings.bl_rna.properties["damping_mode"].enum_items[settings.damping_mode].name
            message(context, shared, iface_("Not used: the plant's mode is {mode}").format(mode=iface_(mode)), "INFO")
