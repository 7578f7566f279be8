# SPDX-License-Identifier: GPL-3.0-or-later
"""Dynamics: start, play and what happened, loads and accuracy."""

import bpy
from bpy.app.translations import pgettext_iface as iface_
from bpy.app.translations import pgettext_n as n_
from bpy.types import Context, Panel, UILayout, UIList

from ..dynamics.kernels.warm_up import kernels
from ..dynamics.live.lagging import lags
from ..dynamics.live.live import is_live
from ..dynamics.motion.session import Session
from ..dynamics.motion.sessions import session_of
from ..dynamics.motion.ties import differ_though_tied
from ..dynamics.rig.armature_reader import GUIDES
from ..dynamics.surroundings.loads.kinds import LOADS
from ..plants import active_armature, active_plant, dynamic_objects
from .base import PlantPanel, SubPanel, message
from .fixes import apart_text, draw_problem, draw_rig_warnings
from .presets import draw_icon

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
        settings = obj.plant_dynamics
        row = layout.row()
        row.label(text=obj.name, icon="OUTLINER_OB_ARMATURE")
        row.operator("plant_dynamics.remove_dynamics", text="", icon="X")
        layout.use_property_split = True
        row = layout.row(align=True)
        row.prop(settings, "start")
        row.operator_menu_enum("plant_dynamics.pose_at_rest", "method", text="", icon="ARMATURE_DATA")
        layout.prop(settings, "run_up")
        playing = context.screen.is_animation_playing and settings.live
        row = layout.row(align=True)
        row.scale_y = 1.4
        row.operator("plant_dynamics.play", text="Pause" if playing else "Play", icon="PAUSE" if playing else "PLAY")
        row.operator("plant_dynamics.reset", icon="LOOP_BACK")
        row.operator("plant_dynamics.grab", icon="VIEW_PAN")
        draw_problem(context, layout, obj)


def draw_kernels(context: Context, layout: UILayout) -> None:
    """Why the solver's machine code does not run, and what does instead; nothing where all is well."""
    running = kernels()
    if running is not None and running.how == "python":
        text = iface_("The solver runs as plain Python, very slowly: {problem}")
        message(context, layout, text.format(problem=running.problem))
    elif running is not None and running.problem:
        text = iface_("The solver runs as numba has compiled it: {problem}")
        message(context, layout, text.format(problem=running.problem), "INFO")


#: Share of frames that may be less exact than asked for before the panel says so.
_OFTEN = 0.2


class PLANT_DYNAMICS_PT_status(SubPanel, Panel):
    """Below all settings, so that lines which come and go move no button."""

    bl_label = "Status"

    def draw_plant(self, layout: UILayout, obj: bpy.types.Object, settings: bpy.types.PropertyGroup) -> None:
        session = session_of(obj)
        if settings.is_baked:
            layout.label(text="Baked", icon="CHECKMARK")
            layout.label(text="Changes show after Bake Again")
        elif not settings.live:
            layout.label(text="Not live: Play shows the motion")
        elif not is_live(obj):
            message(bpy.context, layout, "A copy of a live plant: it follows after Play", "INFO")
        elif lags(obj):
            message(bpy.context, layout, "Stands as it stood before: not simulated up to this frame", "INFO")
            layout.operator("plant_dynamics.catch_up", icon="TIME")
        elif session is None or session.end_frame < session.recording.start_frame:
            layout.label(text="Live, not in the cache yet", icon="TIME")
        elif bpy.context.screen.is_animation_playing:
            # The sidebar is not redrawn while playing, so a number would be stale.
            layout.label(text="Playing", icon="PLAY")
        else:
            layout.label(text=f"Cached: frames {session.recording.start_frame} to {session.end_frame}", icon="TIME")
            for text, icon in notes(session):
                message(bpy.context, layout, text, icon)
        draw_rig_warnings(bpy.context, layout, obj)


def notes(session: Session) -> list[tuple[str, str]]:
    """What there is to say about the start and the frames of a session, with icons."""
    found = []
    slowed, crowded = session.first_slowed(), session.first_crowded()
    if slowed is not None:
        found.append((_slowed_text(*slowed), "ERROR"))
    if crowded is not None:
        text = iface_("Frame {frame}: more bones are near each other than it can take; some go through others. Switch "
                      "Collides off for bones that matter less, or Itself or Others")  # fmt: skip
        found.append((text.format(frame=crowded), "ERROR"))
    elif slowed is None and session.known.coarse_share() > _OFTEN:
        found.append((f"{100.0 * session.known.coarse_share():.0f} % of frames less exact than asked for", "INFO"))
    start = session.known.equilibrium
    if start is None:
        return found
    kept = session.manner.start == "keep_shape"
    if start.sways:
        found.append(("Leaves flutter: begins where the wind drags it to", "INFO"))
        return found
    if not start.balanced:  # which stands above all panels
        return found
    if not (kept or start.stable):  # a plant that came to rest in no pose is not stable
        found.append(("Not quite settled at the start", "INFO"))
    else:
        found.append((f"{'Shape held' if kept else 'Settled'}, residual {start.residual:.0e}", "CHECKMARK"))
        if not start.stable:
            found.append(("Not stable: a touch topples it", "INFO"))
    if start.fell and not kept:
        found.append(("Toppled or bent over: other equilibria are likely", "INFO"))
    return found


def _slowed_text(frame: int, bone: str) -> str:
    if bone:
        return iface_("Frame {frame}, bone '{bone}': too fast, slowed down").format(frame=frame, bone=bone)
    return iface_("Frame {frame}: too fast, slowed down").format(frame=frame)


class PLANT_DYNAMICS_UL_loads(UIList):
    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0, flt_flag=0):
        kind, row = LOADS[item.kind], layout.split(factor=0.77)
        idle = kind.why_idle(item, data, context.scene)
        row.prop(item, "name", text="", emboss=False, icon="ERROR" if idle else kind.icon)
        row.prop(item, "influence", text="", emboss=False)


#: Labels of what would be cut off with its unit.
_SHORTER = {"largest_force": n_("Largest Force")}


class PLANT_DYNAMICS_PT_loads(SubPanel, Panel):
    bl_label = "Loads"

    def draw_plant(self, layout: UILayout, obj: bpy.types.Object, settings: bpy.types.PropertyGroup) -> None:
        layout.prop(settings, "gravity_factor")
        column = layout.column()
        for guides in (False, True):
            if guides:
                column.label(text="Guides")
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
        column.prop_search(load, "bone", obj.data, "bones")
        kind = LOADS[load.kind]
        for name in kind.properties:
            if name == "other_bone":
                column.prop_search(load, name, (load.other_object or obj).data, "bones")
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
        for name in ("scheme", "max_step", "step_error", "halvings"):
            column.prop(settings, name)
