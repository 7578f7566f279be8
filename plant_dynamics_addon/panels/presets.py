# SPDX-License-Identifier: GPL-3.0-or-later
"""The lists of presets behind the icon in a panel's header, as Blender's own panels have them."""

from bpy.types import Context, Panel, UILayout

from ..presets import files


class _Presets:
    bl_space_type = "VIEW_3D"
    bl_region_type = "HEADER"
    kind = ""

    def draw(self, context: Context) -> None:
        layout = self.layout
        layout.ui_units_x = 10
        column = layout.column(align=True)
        for name in files.shipped(self.kind):
            self._row(column, name, True)
        for name in files.own(self.kind):
            row = column.row(align=True)
            self._row(row, name, False)
            remove = row.operator("plant_dynamics.preset_remove", text="", icon="REMOVE")
            remove.kind, remove.preset = self.kind, name
        row = layout.row(align=True)
        row.prop(context.window_manager, "preset_name", text="")
        add = row.operator("plant_dynamics.preset_add", text="", icon="ADD")
        add.kind, add.preset = self.kind, context.window_manager.preset_name

    def _row(self, layout: UILayout, name: str, translate: bool) -> None:
        chosen = layout.operator("plant_dynamics.preset_apply", text=name, translate=translate)
        chosen.kind, chosen.preset = self.kind, name


class PLANT_DYNAMICS_PT_plant_presets(_Presets, Panel):
    bl_label = "Plant Presets"
    kind = "plant"


class PLANT_DYNAMICS_PT_contact_presets(_Presets, Panel):
    bl_label = "Contact Presets"
    kind = "contact"


class PLANT_DYNAMICS_PT_follow_presets(_Presets, Panel):
    bl_label = "Follow Presets"
    kind = "follow"


class PLANT_DYNAMICS_PT_wind_presets(_Presets, Panel):
    bl_label = "Wind Presets"
    kind = "wind"


class PLANT_DYNAMICS_PT_bake_presets(_Presets, Panel):
    bl_label = "Bake Presets"
    kind = "bake"


def draw_icon(layout: UILayout, kind: str) -> None:
    """The icon in a header that opens the list."""
    layout.emboss = "NONE"
    layout.popover(f"PLANT_DYNAMICS_PT_{kind}_presets", icon="PRESET", text="")
