# SPDX-License-Identifier: GPL-3.0-or-later
"""Render stills or a movie of a scene to its folder."""

from collections.abc import Generator
from pathlib import Path

import bpy
from bpy.app.translations import pgettext_rpt as rpt_
from bpy.props import EnumProperty
from bpy.types import Context, Event, Operator

from ...baking.walk import simulate_range
from ...comparison.output import frames_of, output_folder, render_shot, shot
from ...dynamics.live.at_work import poll_idle
from ...dynamics.live.live import is_live
from ...errors import PlantError
from ...plants import dynamic_objects
from ...studio.output import Rendering, begin_to_render
from ..common import needs, reports_errors
from ..slow_work import SlowWork


def _live_plants(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    return [obj for obj in dynamic_objects(scene) if is_live(obj) and not obj.plant_dynamics.is_baked]


class PLANT_DYNAMICS_OT_render_shot(SlowWork, Operator):
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

    doing, given_up = "Looking ahead", "Rendering stopped"

    _rendering: Rendering[list[Path]] | None = None  # after looking ahead
    _rendering_timer: bpy.types.Timer
    _in_window = False
    _stopped = False
    _running = False  # of the class

    @classmethod
    def poll(cls, context: Context) -> bool:
        is_rendering = cls._running or bpy.app.is_job_running("RENDER")
        return (
            poll_idle(cls)
            and needs(cls, context.scene.camera or context.scene.sequence_editor, "The scene has no camera")
            and needs(cls, not is_rendering, "Something is being rendered")
        )

    @property
    def uses_solver(self) -> bool:
        return bool(_live_plants(bpy.context.scene))

    def invoke(self, context: Context, event: Event) -> set[str]:
        """In the window Blender renders beside its other work, as by its own Render Animation."""
        self._in_window = not bpy.app.background and context.window is not None
        return super().invoke(context, event)

    def work(self, context: Context) -> Generator[float, None, None]:
        """Know the motion of live plants, for a render cannot look at frames itself."""
        scene = context.scene
        output_folder(scene)  # an error comes before the work
        last, plants = max(self._frames(context) or [scene.frame_end]), _live_plants(scene)
        allow_stopped = scene.plant_dynamics_bake.allow_stopped
        # Motion blur asks for one more.
        for progress, _ in simulate_range(context, plants, last, 1, allow_stopped) if plants else ():
            yield progress

    def finished(self, context: Context) -> set[str]:
        scene = context.scene
        if not self._in_window:
            return self._told(render_shot(scene, output_folder(scene), self._frames(context)))
        self._rendering = shot(scene, output_folder(scene), self._frames(context))
        PLANT_DYNAMICS_OT_render_shot._running = True
        bpy.app.handlers.render_cancel.append(self._stop)
        self._rendering_timer = context.window_manager.event_timer_add(0.2, window=context.window)
        return {"RUNNING_MODAL"}

    def modal(self, context: Context, event: Event) -> set[str]:
        return super().modal(context, event) if self._rendering is None else self._render_on(context, event)

    @reports_errors
    def _render_on(self, context: Context, event: Event) -> set[str]:
        if event.type != "TIMER" or bpy.app.is_job_running("RENDER"):
            return {"PASS_THROUGH"}
        if self._stopped:
            self.cancel(context)
            self.report({"INFO"}, self.given_up)
            return {"CANCELLED"}
        try:
            begin_to_render(next(self._rendering))
        except StopIteration as end:
            self.cancel(context)
            return self._told(end.value)
        except PlantError:
            self.cancel(context)
            raise
        return {"PASS_THROUGH"}

    def cancel(self, context: Context) -> None:
        """Put the scene's settings back; Blender calls this when the file is left."""
        if self._rendering is None:
            super().cancel(context)
            return
        PLANT_DYNAMICS_OT_render_shot._running = False
        self._rendering.close()
        bpy.app.handlers.render_cancel.remove(self._stop)
        context.window_manager.event_timer_remove(self._rendering_timer)

    def _frames(self, context: Context) -> list[int] | None:
        return None if self.kind == "MOVIE" else frames_of(context.scene)

    def _stop(self, *_: object) -> None:
        self._stopped = True

    def _told(self, paths: list[Path]) -> set[str]:
        self.report({"INFO"}, rpt_("Rendered to {path}").format(path=paths[-1]))
        return {"FINISHED"}
