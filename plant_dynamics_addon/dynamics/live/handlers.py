# SPDX-License-Identifier: GPL-3.0-or-later
"""Where Blender calls the add-on by itself."""

from collections.abc import Iterable

import bpy
from bpy.app.handlers import persistent

from ... import changes
from ...blender.instancers import forget_nodes
from ...blender.redraw import redraw_views
from ...blender.timeline import handler_is_paused, scene_returns
from ...drawn_bones import are_as_noted
from ...errors import PlantError
from ...viewport.boxed_bones import follow_mode
from ..cache import disk_cache
from ..kernels.warm_up import compile_ahead, stop_compiling
from ..motion.standing import note_edits
from ..rig.pose_writer import forget_pose, keep_pose
from . import at_work, cache_saving, live, rendering
from .edited_curves import are_curves_edited
from .lagging import lags
from .patience import frame_shown, patience_of_caller
from .showing import update_live
from .telling import end_telling, tell

_render_begun = False
_drawing = False  # a frame of it


def _is_rendered(depsgraph: bpy.types.Depsgraph) -> bool:
    """Whether this is evaluated to be rendered; of a scene in a sequencer only the time tells."""
    return depsgraph.mode == "RENDER" or _drawing


def _render_goes_on() -> bool:
    """Whether a render runs on another thread. One that could not begin, as its file cannot be written, never says
    that it has ended."""
    return _render_begun and bool(bpy.app.is_job_running("RENDER"))


@persistent
def _frame_changes(scene: bpy.types.Scene, *_: object) -> None:
    if _drawing or _render_goes_on():
        problems = rendering.show_cached(scene, evaluated=False, tell=_drawing)
        if problems and _drawing and bpy.app.background:
            rendering.give_up(problems[0])


@persistent
def _frame_changed(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    note_edits(depsgraph)
    rendering.end_showing(scene)
    if _drawing or _render_goes_on():
        return
    if depsgraph.mode == "RENDER":  # an exporter's
        rendering.show_cached(scene, evaluated=True)
    elif handler_is_paused():
        if scene_returns() and at_work.has_begun():  # and somebody looks on
            _keep_poses(live.live_plants(scene))
    else:
        _look_at_curves(scene, depsgraph)
        patience = patience_of_caller(scene)
        with rendering.from_the_first_frame(scene):
            update_live(scene, depsgraph, patience)
        _keep_poses(obj for obj in live.live_plants(scene) if lags(obj))
        frame_shown(scene)
        tell(scene)


def _look_at_curves(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    if live.live_plants(scene) and are_curves_edited(depsgraph):
        live.forget_samples()


def _keep_poses(plants: Iterable[bpy.types.Object]) -> None:
    """Their motion is not known here, or is not looked at."""
    for obj in plants:
        keep_pose(obj)


@persistent
def _data_changed(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    note_edits(depsgraph)
    if handler_is_paused() or _is_rendered(depsgraph) or _render_goes_on():
        return
    _look_at_curves(scene, depsgraph)
    for update in depsgraph.updates:
        if isinstance(update.id, bpy.types.Armature) and update.is_updated_geometry:
            tell_of = changes.armature_touched if are_as_noted(update.id.original) else changes.armature_changed
            tell_of(update.id.original)
        elif isinstance(update.id, bpy.types.Object):
            if update.id.type == "ARMATURE":
                follow_mode(update.id.original)
        elif isinstance(update.id, bpy.types.Action):
            live.forget_samples()
        elif isinstance(update.id, bpy.types.NodeTree):
            forget_nodes(update.id.original)
    live.look_outside(scene, depsgraph)


@persistent
def _playing_ended(*_: object) -> None:
    end_telling()
    redraw_views()


@persistent
def _history_moves(*_: object) -> None:
    at_work.interrupt()


@persistent
def _history_moved(*_: object) -> None:
    live.find_live_again()
    live.note_outside()
    live.forget_ended_grabs()
    for obj in bpy.data.objects:
        if obj.type == "ARMATURE" and obj.plant_dynamics.is_dynamic:
            changes.object_changed(obj)
            changes.inputs_changed(obj)
            follow_mode(obj)
            if not live.is_live(obj):
                forget_pose(obj)
    live.show_after_undo()


@persistent
def _file_loaded(*_: object) -> None:
    _render_ended()  # one that broke down tells nobody
    at_work.end()
    live.forget_all()
    live.find_live()
    live.note_outside()
    rendering.note_first_frames()
    disk_cache.read_all(bpy.data.filepath)
    if any(obj.type == "ARMATURE" and obj.plant_dynamics.is_dynamic for obj in bpy.data.objects):
        compile_ahead()


@persistent
def _file_saved(blend: str, *_: object) -> None:
    cache_saving.save_all(blend or bpy.data.filepath)
    redraw_views()


@persistent
def _render_began(*_: object) -> None:
    global _render_begun
    _render_begun = True


@persistent
def _drawing_begins(scene: bpy.types.Scene, *_: object) -> None:
    global _drawing
    try:
        rendering.look_ahead_of_frame(scene)
    except PlantError as error:
        if bpy.app.background:  # in a window the panel tells it
            rendering.give_up(str(error))
    _drawing = True


@persistent
def _drawing_ended(*_: object) -> None:
    global _drawing
    _drawing = False


@persistent
def _render_ended(*_: object) -> None:
    global _render_begun
    _render_begun = False
    _drawing_ended()


_HANDLERS = {
    "frame_change_pre": _frame_changes,
    "frame_change_post": _frame_changed,
    "depsgraph_update_post": _data_changed,
    "animation_playback_post": _playing_ended,
    "undo_pre": _history_moves,
    "redo_pre": _history_moves,
    "load_pre": _history_moves,
    "undo_post": _history_moved,
    "redo_post": _history_moved,
    "load_post": _file_loaded,
    "save_post": _file_saved,
    "render_init": _render_began,
    "render_pre": _drawing_begins,
    "render_post": _drawing_ended,
    "render_complete": _render_ended,
    "render_cancel": _render_ended,
}


def register() -> None:
    """Add all handlers."""
    for name, function in _HANDLERS.items():
        getattr(bpy.app.handlers, name).append(function)
    changes.listen_to_inputs(live.show_soon)
    live.forget_all()


def unregister() -> None:
    """Remove all handlers and everything in memory."""
    for name, function in _HANDLERS.items():
        getattr(bpy.app.handlers, name).remove(function)
    changes.stop_listening()
    stop_compiling()
    live.forget_all()
