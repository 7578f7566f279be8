# SPDX-License-Identifier: GPL-3.0-or-later
"""The lists of presets behind the icon in a panel's header, as Blender's own panels have them."""

from bpy.types import Context, Panel, UILayout

from ..plants import active_plant
from ..presets import files
from ..rigging.bone_selection import selected_bones


class _Presets:
    bl_space_type = "VIEW_3D"
    bl_region_type = "HEADER"
    kind = ""
    target = "PLANT"

    def draw(self, context: Context) -> None:
        layout = self.layout
        layout.ui_units_x = 10
        column = layout.column(align=True)
        self.target = self._meant(context)
        if self.target == "SELECTED":
            column.label(text="For the selected bones", icon="BONE_DATA")
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
        chosen.kind, chosen.preset, chosen.target = self.kind, name, self.target

    def _meant(self, context: Context) -> str:
        """For which bones: in Pose Mode for the selected ones, unless these are all that are simulated."""
        plant = active_plant(context)
        if self.kind != "plant" or plant is None or plant.mode != "POSE":
            return "PLANT"
        chosen = sum(bone.plant_dynamics.use_physics for bone in selected_bones(plant))
        every = sum(bone.plant_dynamics.use_physics for bone in plant.data.bones)
        return "SELECTED" if 0 < chosen < every else "PLANT"


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
