# SPDX-License-Identifier: GPL-3.0-or-later
"""Play and Reset."""

import bpy
from bpy.types import Context, Event, Operator

from ..baking.bake import simulate_range
from ..dynamics.frames import show_again
from ..dynamics.inputs import is_static
from ..dynamics.live import dynamic_objects, forget_problem, go_live, is_live, note_outside, stop_live
from ..dynamics.warm_up import compile_ahead, is_warm, warm_up
from ..viewport.redraw import redraw_views
from .common import reports_errors, tells_of_compiling


def _playable(context: Context) -> list[bpy.types.Object]:
    return [obj for obj in dynamic_objects(context.scene) if not obj.plant_dynamics.is_baked]


class PLANT_DYNAMICS_OT_play(Operator):
    """Play the scene with all plants that are not baked in motion; again to pause"""

    bl_idname = "plant_dynamics.play"
    bl_label = "Play"
    bl_options = {"REGISTER"}

    _timer: bpy.types.Timer | None = None
    _waiting = False  # one of them, for the solver

    @classmethod
    def poll(cls, context: Context) -> bool:
        if not dynamic_objects(context.scene):
            cls.poll_message_set("Grow a plant or make an armature dynamic first")
            return False
        if not _playable(context):
            cls.poll_message_set("All plants are baked: clear a bake to simulate again")
            return False
        return True

    def invoke(self, context: Context, event: Event) -> set[str]:
        if self._waiting:
            self.report({"INFO"}, "Playing begins when the solver is compiled")
            return {"CANCELLED"}
        if context.screen.is_animation_playing:
            bpy.ops.screen.animation_cancel(restore_frame=False)
            if all(is_live(obj) for obj in _playable(context)):
                return {"FINISHED"}
        if is_warm():
            return self.execute(context)
        compile_ahead()
        PLANT_DYNAMICS_OT_play._waiting = True
        self._timer = context.window_manager.event_timer_add(0.1, window=context.window)
        context.window_manager.modal_handler_add(self)
        redraw_views()
        return {"RUNNING_MODAL"}

    def modal(self, context: Context, event: Event) -> set[str]:
        if event.type == "ESC" and event.value == "PRESS":  # its release may be a menu's
            self.cancel(context)
            self.report({"INFO"}, "Play cancelled; the solver goes on being compiled")
            return {"CANCELLED"}
        if event.type != "TIMER" or tells_of_compiling(context):
            return {"PASS_THROUGH"}
        self.cancel(context)
        return self.execute(context) if self.poll(context) else {"CANCELLED"}

    def cancel(self, context: Context) -> None:
        """Stop waiting for the solver; Blender calls this when the file is left."""
        PLANT_DYNAMICS_OT_play._waiting = False
        context.window_manager.event_timer_remove(self._timer)
        context.workspace.status_text_set(None)
        redraw_views()

    @reports_errors
    def execute(self, context: Context) -> set[str]:
        scene = context.scene
        warm_up()
        objects = _playable(context)
        for obj in objects:
            forget_problem(obj)
        self._look_ahead(context, objects)
        if not all(is_live(obj) for obj in objects):
            for obj in objects:
                go_live(obj)
            note_outside()
            scene.frame_set(scene.frame_start)
            bpy.ops.ed.undo_push(message="Play")  # else undoing what is changed next would undo Play too
        if context.screen and not bpy.app.background:
            bpy.ops.screen.animation_play()
        else:
            show_again(scene)
        return {"FINISHED"}

    def _look_ahead(self, context: Context, objects: list[bpy.types.Object]) -> None:
        """Know the world of every frame beforehand, so that jumps need no waiting."""
        scene = context.scene
        unchanging = all(is_static(obj, scene) for obj in objects)
        last, ahead = (scene.frame_start, 0) if unchanging else (scene.frame_end, 1)  # motion blur asks for one more
        window_manager = context.window_manager
        window_manager.progress_begin(0.0, 1.0)
        try:
            for progress, _ in simulate_range(context, objects, last, ahead):
                window_manager.progress_update(progress)
        finally:
            window_manager.progress_end()


class PLANT_DYNAMICS_OT_reset(Operator):
    """Stop, forget the simulation, and give all plants the pose from before Play"""

    bl_idname = "plant_dynamics.reset"
    bl_label = "Reset"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        if not any(obj.plant_dynamics.live for obj in dynamic_objects(context.scene)):
            cls.poll_message_set("No plant is playing")
            return False
        return True

    def execute(self, context: Context) -> set[str]:
        if context.screen and context.screen.is_animation_playing:
            bpy.ops.screen.animation_cancel(restore_frame=False)
        for obj in dynamic_objects(context.scene):
            stop_live(obj)
        context.scene.frame_set(context.scene.frame_start)
        return {"FINISHED"}
