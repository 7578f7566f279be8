# SPDX-License-Identifier: GPL-3.0-or-later
"""A bone's own physics, in the Bone tab."""

from bpy.types import Context, Panel

from .base import message


class PLANT_DYNAMICS_PT_bone(Panel):
    bl_label = "Plant Dynamics"
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "bone"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        obj = context.object
        return context.bone is not None and obj is not None and obj.plant_dynamics.is_dynamic

    def draw(self, context: Context) -> None:
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        physics = context.bone.plant_dynamics
        layout.prop(physics, "use_physics")
        layout.operator("plant_dynamics.copy_to_selected", icon="COPYDOWN")
        layout = layout.column()
        layout.active = physics.use_physics
        layout.prop(physics, "organ")
        layout.prop(physics, "pinned")
        menu = layout.operator_menu_enum("plant_dynamics.set_material", "material", text="Preset", icon="PRESET")
        menu.target = "ACTIVE"
        column = layout.column(align=True)
        column.active = not physics.use_body
        for name in ("radius_base", "radius_tip", "hollow", "young_modulus", "poisson", "density"):
            column.prop(physics, name)
        column = layout.column(align=True)
        row = column.row()
        settings = context.object.plant_dynamics
        row.active = settings.damping_mode == "TIME"
        row.prop(physics, "damping_time")
        if not row.active:
            mode = settings.bl_rna.properties["damping_mode"].enum_items[settings.damping_mode].name
            message(context, column, f"Not used: the plant's mode is {mode}", "INFO")
        column.prop(physics, "stiffness_factor")
        column = layout.column(align=True)
        column.prop(physics, "bend_limit")
        column.prop(physics, "twist_limit")
        column = layout.column(align=True)
        column.prop(physics, "blade_area")
        column.prop(physics, "drag_factor")
        layout.prop(physics, "use_body")
        if physics.use_body:
            column = layout.column()
            for name in ("mass", "center_of_mass", "inertia", "stiffness", "initial_rotation"):
                column.prop(physics, name)
