# SPDX-License-Identifier: GPL-3.0-or-later
"""Play and Reset."""

from collections.abc import Generator
from contextlib import closing
from time import perf_counter

import bpy
from bpy.app.translations import pgettext_rpt as rpt_
from bpy.types import Context, Event, Operator

from ...baking.bake import simulate_range
from ...blender.timeline import frame_handler_paused, show_again
from ...dynamics.live.at_work import interrupt, poll_ends_aside, poll_idle
from ...dynamics.live.live import are_unsettled, forget_problem, go_live, is_live, note_outside, stop_live
from ...dynamics.motion.sessions import session_of
from ...dynamics.surroundings.inputs import is_static
from ...errors import PlantError
from ...plants import dynamic_objects
from ..common import AtOnce, needs
from ..slow_work import SlowWork

#: In the window playing begins after so many seconds, whatever frames are known by then.
_PATIENCE = 1.0


def _playable(context: Context) -> list[bpy.types.Object]:
    return [obj for obj in dynamic_objects(context.scene) if not obj.plant_dynamics.is_baked]


def _knows(obj: bpy.types.Object, frame: int) -> bool:
    """Whether the plant's world is known up to a frame."""
    session = session_of(obj)
    return session is not None and session.recording.end_frame >= frame


class PLANT_DYNAMICS_OT_play(SlowWork, Operator):
    """Play the scene with all plants that are not baked in motion; again to pause"""

    bl_idname = "plant_dynamics.play"
    bl_label = "Play"
    bl_options = {"REGISTER"}

    doing, given_up = "Looking ahead", ""  # what playing next would not be rid of at once
    beginning = "Finding how it stands at first"
    waits_aside = True

    patience = float("inf")
    waiting = False  # of the class: one of them is about to play

    @classmethod
    def poll(cls, context: Context) -> bool:
        return (
            poll_idle(cls)
            and needs(cls, not cls.waiting, "Playing begins when the solver is compiled")
            and needs(cls, dynamic_objects(context.scene), "Grow a plant or make an armature dynamic first")
            and needs(cls, _playable(context), "All plants are baked: clear a bake to simulate again")
        )

    def invoke(self, context: Context, event: Event) -> set[str]:
        if bpy.app.background or context.window is None:
            return self.execute(context)
        if context.screen.is_animation_playing:
            bpy.ops.screen.animation_cancel(restore_frame=False)
            if all(is_live(obj) for obj in _playable(context)):
                return {"FINISHED"}
        self.patience = _PATIENCE
        begun = super().invoke(context, event)
        PLANT_DYNAMICS_OT_play.waiting = begun == {"RUNNING_MODAL"}
        return begun

    def work(self, context: Context) -> Generator[float, None, None]:
        """Know the world of every frame beforehand, so that jumps need no waiting; where that takes long, as much of
        it as there is patience for. The other frames are looked at as they are played."""
        if context.screen and context.screen.is_animation_playing:  # begun while the solver was compiled
            bpy.ops.screen.animation_cancel(restore_frame=False)
        scene, objects = context.scene, _playable(context)
        if not objects:
            raise PlantError("There is no plant to play")
        for obj in objects:
            forget_problem(obj)
        if all(is_live(obj) and _knows(obj, scene.frame_end) for obj in objects):
            return
        unchanging = all(is_static(obj, scene) for obj in objects)
        last, ahead = (scene.frame_start, 0) if unchanging else (scene.frame_end, 1)  # motion blur asks for one more
        end = perf_counter() + self.patience
        with closing(simulate_range(context, objects, last, ahead, allow_stopped=True)) as walk:
            for progress, _ in walk:
                if progress > 0.0 and perf_counter() > end:
                    return
                yield progress

    def cancel(self, context: Context) -> None:
        PLANT_DYNAMICS_OT_play.waiting = False
        super().cancel(context)

    def finished(self, context: Context) -> set[str]:
        scene, objects = context.scene, _playable(context)
        is_first = not all(is_live(obj) for obj in objects)
        if is_first:
            for obj in objects:
                go_live(obj)
            note_outside()
            scene.frame_set(scene.frame_start)
            bpy.ops.ed.undo_push(message="Play")  # else undoing what is changed next would undo Play too
        stands = is_first and are_unsettled(objects)  # asked for again it plays what there is
        if context.screen and not bpy.app.background and not stands:
            with frame_handler_paused():  # what this has changed, in Blender's eyes actions too, is no edit
                bpy.ops.screen.animation_play()
        else:
            show_again(scene)
        self._warn(objects, stands)
        return {"FINISHED"}

    def _warn(self, objects: list[bpy.types.Object], stands: bool) -> None:
        """Of plants that cannot move as they would; stands: whether they have not begun to."""
        for obj in objects:
            session = session_of(obj)
            trouble = session.trouble() if session is not None else None
            if trouble is not None:
                told = trouble.told(obj)
                if stands:
                    told = rpt_("{problem}. Play again shows it all the same").format(problem=told)
                self.report({"WARNING"}, told)


class PLANT_DYNAMICS_OT_reset(AtOnce):
    """Stop, forget the simulation, and give all plants the pose from before Play"""

    bl_idname = "plant_dynamics.reset"
    bl_label = "Reset"

    @classmethod
    def poll(cls, context: Context) -> bool:
        is_live_one = any(obj.plant_dynamics.live for obj in dynamic_objects(context.scene))
        return poll_ends_aside(cls) and needs(cls, is_live_one, "No plant is playing")

    def act(self, context: Context) -> None:
        interrupt()
        if context.screen and context.screen.is_animation_playing:
            bpy.ops.screen.animation_cancel(restore_frame=False)
        for obj in dynamic_objects(context.scene):
            stop_live(obj)
        context.scene.frame_set(context.scene.frame_start)
