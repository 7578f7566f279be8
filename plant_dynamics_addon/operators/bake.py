# SPDX-License-Identifier: GPL-3.0-or-later
"""Bake and Clear Bake."""

from collections.abc import Iterator
from time import perf_counter

import bpy
from bpy.props import BoolProperty, IntProperty
from bpy.types import Context, Event, Operator

from ..baking.bake import BakeOptions, bake, clear_bake
from ..dynamics.warm_up import compile_ahead, is_warm, warm_up
from ..errors import PlantError
from .common import active_armature, poll_plant, reports_errors, tells_of_compiling

_SLICE = 0.05  # s of work between two looks at the keyboard


class PLANT_DYNAMICS_OT_bake(Operator):
    """Write the motion to keyframes of the bones, in an action of their own. Esc stops and leaves all as it was"""

    bl_idname = "plant_dynamics.bake"
    bl_label = "Bake"
    bl_options = {"REGISTER", "UNDO"}

    use_scene_range: BoolProperty(
        name="Scene Range", description="From the scene's first frame to its last", default=True
    )
    frame_start: IntProperty(name="First Frame", default=1)
    frame_end: IntProperty(name="Last Frame", default=250)

    poll = classmethod(poll_plant)

    _work: Iterator[float]
    _timer: bpy.types.Timer | None = None

    def _options(self, context: Context) -> BakeOptions:
        if self.use_scene_range:
            return BakeOptions(context.scene.frame_start, context.scene.frame_end)
        return BakeOptions(self.frame_start, self.frame_end)

    @reports_errors
    def execute(self, context: Context) -> set[str]:
        warm_up()
        obj = active_armature(context)
        for _ in bake(context, obj, self._options(context)):
            pass
        return self._finished(context)

    def invoke(self, context: Context, event: Event) -> set[str]:
        if context.screen.is_animation_playing:
            bpy.ops.screen.animation_cancel(restore_frame=False)
        compile_ahead()
        self._work = bake(context, active_armature(context), self._options(context))
        self._timer = context.window_manager.event_timer_add(0.01, window=context.window)
        context.window_manager.modal_handler_add(self)
        context.window_manager.progress_begin(0.0, 1.0)
        return {"RUNNING_MODAL"}

    def modal(self, context: Context, event: Event) -> set[str]:
        if event.type == "ESC":
            self._stop(context)
            self.report({"INFO"}, "Bake cancelled, nothing was changed")
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"RUNNING_MODAL"}
        goes_on = False
        try:
            goes_on = self._work_a_while(context)
        except PlantError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        finally:
            if not goes_on:
                self._stop(context)
        return {"RUNNING_MODAL"} if goes_on else self._finished(context)

    def _work_a_while(self, context: Context) -> bool:
        """Whether there is more to do."""
        if not is_warm() and tells_of_compiling(context):
            return True
        warm_up()
        end = perf_counter() + _SLICE
        for progress in self._work:
            if perf_counter() > end:
                context.window_manager.progress_update(progress)
                context.workspace.status_text_set(f"Baking {100.0 * progress:.0f} %   |   Esc: cancel")
                return True
        return False

    def _finished(self, context: Context) -> set[str]:
        obj = active_armature(context)
        self.report({"INFO"}, f"Baked {len(obj.pose.bones)} bones to '{obj.plant_dynamics.baked_action.name}'")
        return {"FINISHED"}

    def _stop(self, context: Context) -> None:
        self._work.close()
        context.window_manager.event_timer_remove(self._timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)


class PLANT_DYNAMICS_OT_clear_bake(Operator):
    """Remove the baked keys and go back to the action from before the bake"""

    bl_idname = "plant_dynamics.clear_bake"
    bl_label = "Clear Bake"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        if not poll_plant(cls, context):
            return False
        if not active_armature(context).plant_dynamics.is_baked:
            cls.poll_message_set("The plant is not baked")
            return False
        return True

    def execute(self, context: Context) -> set[str]:
        obj = active_armature(context)
        clear_bake(obj)
        context.scene.frame_set(context.scene.frame_current)
        return {"FINISHED"}
