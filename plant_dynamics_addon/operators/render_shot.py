# SPDX-License-Identifier: GPL-3.0-or-later
"""Render stills or a movie of a scene to its folder."""

from pathlib import Path

import bpy
from bpy.app.translations import pgettext_rpt as rpt_
from bpy.props import EnumProperty
from bpy.types import Context, Event, Operator

from ..comparison.output import frames_of, output_folder, render_shot, shot
from ..errors import PlantError
from ..studio.output import Rendering, begin_to_render
from .common import reports_errors


class PLANT_DYNAMICS_OT_render_shot(Operator):
    """Render this scene to the folder below. Esc in the render's window stops it"""

    bl_idname = "plant_dynamics.render_shot"
    bl_label = "Render"
    bl_options = {"REGISTER"}

    kind: EnumProperty(
        name="To",
        items=[
            ("STILLS", "Stills", "The frames chosen, as PNG files and together on one sheet"),
            ("MOVIE", "Movie", "All frames, as an H.264 movie; as PNG files where Blender has no FFmpeg"),
        ],
    )

    _work: Rendering[list[Path]]
    _timer: bpy.types.Timer
    _stopped = False
    _running = False  # of the class

    @classmethod
    def poll(cls, context: Context) -> bool:
        if context.scene.camera is None and not context.scene.sequence_editor:
            cls.poll_message_set("The scene has no camera")
            return False
        if cls._running or bpy.app.is_job_running("RENDER"):
            cls.poll_message_set("Something is being rendered")
            return False
        return True

    def invoke(self, context: Context, event: Event) -> set[str]:
        """In the window Blender renders beside its other work, as by its own Render Animation."""
        return self.execute(context) if bpy.app.background or context.window is None else self._begin(context)

    @reports_errors
    def _begin(self, context: Context) -> set[str]:
        self._work = shot(context.scene, output_folder(context.scene), self._frames(context))
        PLANT_DYNAMICS_OT_render_shot._running = True
        bpy.app.handlers.render_cancel.append(self._stop)
        self._timer = context.window_manager.event_timer_add(0.2, window=context.window)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: Context, event: Event) -> set[str]:
        if event.type != "TIMER" or bpy.app.is_job_running("RENDER"):
            return {"PASS_THROUGH"}
        if self._stopped:
            self.cancel(context)
            self.report({"INFO"}, "Rendering stopped")
            return {"CANCELLED"}
        try:
            begin_to_render(next(self._work))
        except StopIteration as end:
            self.cancel(context)
            return self._finished(end.value)
        except PlantError as error:
            self.cancel(context)
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"PASS_THROUGH"}

    def cancel(self, context: Context) -> None:
        """Put the scene's settings back; Blender calls this when the file is left."""
        PLANT_DYNAMICS_OT_render_shot._running = False
        self._work.close()
        bpy.app.handlers.render_cancel.remove(self._stop)
        context.window_manager.event_timer_remove(self._timer)

    @reports_errors
    def execute(self, context: Context) -> set[str]:
        scene = context.scene
        return self._finished(render_shot(scene, output_folder(scene), self._frames(context)))

    def _frames(self, context: Context) -> list[int] | None:
        return None if self.kind == "MOVIE" else frames_of(context.scene)

    def _stop(self, *_: object) -> None:
        self._stopped = True

    def _finished(self, paths: list[Path]) -> set[str]:
        self.report({"INFO"}, rpt_("Rendered to {path}").format(path=paths[-1]))
        return {"FINISHED"}
