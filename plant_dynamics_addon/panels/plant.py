# SPDX-License-Identifier: GPL-3.0-or-later
"""Dynamics: play and start, loads and accuracy."""

import bpy
from bpy.app.translations import pgettext_iface as iface_
from bpy.app.translations import pgettext_n as n_
from bpy.types import Context, Panel, UILayout, UIList

from ..dynamics.kernels.warm_up import kernels
from ..dynamics.motion.sessions import session_of
from ..dynamics.motion.ties import differ_though_tied
from ..dynamics.rig.armature_reader import GUIDES
from ..dynamics.surroundings.loads.kinds import LOADS
from ..plants import active_armature, active_plant, dynamic_objects
from ..translations import CONTEXT
from .base import PlantPanel, SubPanel, compiling, message, play_button, progress
from .fixes import apart_text, draw_problem, draw_trouble
from .presets import draw_icon
from .status import draw_status
from .wind import draw_winds

#: Of so many plants the panel gives the names while none is active.
_MOST_NAMES = 8


class PLANT_DYNAMICS_PT_plant(PlantPanel, Panel):
    bl_label = "Dynamics"

    def draw_header_preset(self, context: Context) -> None:
        if active_plant(context) is not None:
            draw_icon(self.layout, "plant")

    def draw(self, context: Context) -> None:
        layout = self.layout
        obj = active_armature(context)
        draw_kernels(context, layout)
        if obj is None or not obj.plant_dynamics.is_dynamic:
            layout.operator("plant_dynamics.make_dynamic", icon="PHYSICS")
            if obj is not None and obj.mode == "POSE":
                layout.operator("plant_dynamics.make_dynamic", text="Selected Bones Only").bones = "SELECTED"
            if obj is not None:
                draw_problem(context, layout, obj)
            else:
                for plant in dynamic_objects(context.scene)[:_MOST_NAMES]:
                    choose = layout.operator(
                        "plant_dynamics.choose_plant", text=plant.name, icon="OUTLINER_OB_ARMATURE", translate=False
                    )
                    choose.plant = plant.name
            return
        row = layout.row()
        row.label(text=obj.name, icon="OUTLINER_OB_ARMATURE", translate=False)
        if obj.plant_dynamics.growth.is_known:
            row.operator("plant_dynamics.delete_plant", text="", icon="TRASH")
        row.operator("plant_dynamics.remove_dynamics", text="", icon="X")
        draw_winds(context, layout)
        _draw_play(context, layout, obj.plant_dynamics)
        draw_problem(context, layout, obj)
        draw_status(context, layout.box(), obj)
        draw_trouble(context, layout, obj)
        layout.use_property_split = True
        layout.prop(obj.plant_dynamics, "start")
        layout.prop(obj.plant_dynamics, "run_up")
        layout.operator_menu_enum("plant_dynamics.pose_at_rest", "method", icon="ARMATURE_DATA")


def _draw_play(context: Context, layout: UILayout, settings: bpy.types.PropertyGroup) -> None:
    """The buttons, or how far the work has come that they wait for."""
    row = layout.row(align=True)
    row.scale_y = 1.4
    if progress(row) or compiling(row):
        return
    play_button(context, row, settings)
    row.operator("plant_dynamics.reset", icon="LOOP_BACK")
    row.operator("plant_dynamics.grab", icon="VIEW_PAN")


def draw_kernels(context: Context, layout: UILayout) -> None:
    """Why the solver's machine code does not run, and what does instead; nothing where all is well."""
    running = kernels()
    if running is not None and running.how == "python":
        text = iface_("The solver runs as plain Python, very slowly: {problem}")
        message(context, layout, text.format(problem=running.problem))
    elif running is not None and running.problem:
        text = iface_("The solver runs as numba has compiled it: {problem}")
        message(context, layout, text.format(problem=running.problem), "INFO")


class PLANT_DYNAMICS_UL_loads(UIList):
    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0, flt_flag=0):
        kind, row = LOADS[item.kind], layout.split(factor=0.85)
        row.use_property_decorate = False  # for names to have the room
        idle = kind.why_idle(item, data, context.scene)
        row.prop(item, "name", text="", emboss=False, icon="ERROR" if idle else kind.icon)
        row.prop(item, "influence", text="", emboss=False)


#: The share of a row that its label takes where the field holds a name.
_LABEL = 0.3

#: Labels of what would be cut off with its unit.
_SHORTER = {"largest_force": n_("Largest Force")}


class PLANT_DYNAMICS_PT_loads(SubPanel, Panel):
    bl_label = "Loads"

    def draw_plant(self, layout: UILayout, obj: bpy.types.Object, settings: bpy.types.PropertyGroup) -> None:
        layout.prop(settings, "gravity_factor")
        column = layout.column()
        for guides in (False, True):
            if guides:
                column.label(text="Guides", text_ctxt=CONTEXT)
            buttons = column.grid_flow(row_major=True, columns=2, even_columns=True, align=True)
            for kind in LOADS:
                if (kind in GUIDES) == guides:
                    buttons.operator(f"plant_dynamics.add_{kind.lower()}")
        menu = column.operator_menu_enum
        menu("plant_dynamics.guide_shoot", "arrangement", text="Guide Shoot", icon="CON_FOLLOWPATH")
        if not settings.loads:
            return
        row = layout.row()
        row.template_list("PLANT_DYNAMICS_UL_loads", "", settings, "loads", settings, "active_load", rows=2)
        row.operator("plant_dynamics.remove_load", text="", icon="REMOVE")
        if not 0 <= settings.active_load < len(settings.loads):
            return
        load = settings.loads[settings.active_load]
        column = layout.column()
        _named(column, load, "bone").prop_search(load, "bone", obj.data, "bones", text="")
        kind = LOADS[load.kind]
        for name in kind.properties:
            if name == "other_bone":
                bones = (load.other_object or obj).data
                _named(column, load, name).prop_search(load, name, bones, "bones", text="")
            elif load.bl_rna.properties[name].type == "POINTER":
                _named(column, load, name, kind.labels.get(name, "")).prop(load, name, text="")
            elif name in kind.labels or name in _SHORTER:
                column.prop(load, name, text=kind.labels.get(name, _SHORTER.get(name)))
            else:
                row = column.row()
                row.active = name != "parameter" or load.holds_parameter
                row.prop(load, name)
        idle = kind.why_idle(load, settings, bpy.context.scene)
        if idle:
            message(bpy.context, column, idle)
        elif load.other_object is not None:
            _draw_apart(column, obj, load)
        column.prop(load, "influence")


def _named(layout: UILayout, load: bpy.types.PropertyGroup, name: str, label: str = "") -> UILayout:
    """A row for what is chosen by a name, most of which is the field, so that long names are not cut."""
    row = layout.split(factor=_LABEL)
    row.use_property_split = False
    left = row.row()
    left.alignment = "RIGHT"
    left.label(text=label or load.bl_rna.properties[name].name)
    return row


def _draw_apart(layout: UILayout, obj: bpy.types.Object, load: bpy.types.PropertyGroup) -> None:
    """Why a tie to another plant does not hold, and what mends it."""
    if differ_though_tied(obj, load, bpy.context.scene):
        message(bpy.context, layout, apart_text(obj, load))
        layout.operator("plant_dynamics.agree_with_tied", icon="MODIFIER")


class PLANT_DYNAMICS_PT_accuracy(SubPanel, Panel):
    bl_label = "Accuracy"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_plant(self, layout: UILayout, obj: bpy.types.Object, settings: bpy.types.PropertyGroup) -> None:
        layout.use_property_decorate = False
        layout.prop(settings, "layout")
        session = session_of(obj)
        if session is not None and session.plant.layout != settings.layout:
            message(bpy.context, layout, "Now At Nodes, because bones follow keys or are held", "INFO")
        layout.prop(settings, "segments")
        row = layout.row(align=True, heading="Tip Error (%)")
        row.prop(settings, "use_tip_error", text="")
        column = row.column()
        column.active = settings.use_tip_error
        column.prop(settings, "tip_error", text="")
        column = layout.column()
        column.separator()
        for name in ("scheme", "max_step", "step_error", "halvings", "landing_time"):
            column.prop(settings, name)
