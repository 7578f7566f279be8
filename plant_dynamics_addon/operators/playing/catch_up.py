# SPDX-License-Identifier: GPL-3.0-or-later
"""Catch Up."""

from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager

import bpy
from bpy.types import Context, Operator

from ...baking.walk import simulate_range
from ...blender.timeline import frame_handler_paused, is_playing, show_again
from ...changes import object_changed, take_changed
from ...dynamics.live.at_work import poll_idle
from ...dynamics.live.lagging import catch_up_soon, play_on, rest
from ...dynamics.live.live import are_unsettled, live_plants, show_now, stopping_on_error
from ...dynamics.live.showing import go_on, lagging_starts
from ..common import needs
from ..slow_work import SlowWork

#: Seconds of work between two looks at what the user does.
SLICE = 0.1


class PLANT_DYNAMICS_OT_catch_up(SlowWork, Operator):
    """Simulate live plants up to the frame that the scene stands at. Begins by itself after a jump over many frames"""

    bl_idname = "plant_dynamics.catch_up"
    bl_label = "Catch Up"
    bl_options = {"INTERNAL"}

    doing, given_up = "Simulating", "The plants stand as they stood before: Catch Up goes on"
    beginning = "Finding how it stands at first"
    lets_through = True

    @classmethod
    def poll(cls, context: Context) -> bool:
        return poll_idle(cls) and needs(cls, live_plants(context.scene), "No plant is playing")

    def work(self, context: Context) -> Generator[float, None, None]:
        """The scene stays at its frame, or goes to another: that is the one to be reached then."""
        share = 0.0
        while share < 1.0 and not is_playing():
            if bpy.app.is_job_running("RENDER"):  # it counts its frames in the scene
                yield share
                continue
            for obj in lagging_starts(context.scene):  # also of those whose settings are changed meanwhile
                with _keeping_problems(context.scene), stopping_on_error(obj):
                    yield from _started(context, obj)
            with _keeping_problems(context.scene):
                share = go_on(context.scene, context.evaluated_depsgraph_get(), SLICE)
            yield min(share, 0.99)

    def give_up(self, context: Context) -> None:
        super().give_up(context)
        rest()

    def finished(self, context: Context) -> set[str]:
        show_now()
        play_on(None if are_unsettled(live_plants(context.scene)) else context.screen)
        catch_up_soon()  # in other windows
        return {"FINISHED"}


def _started(context: Context, obj: bpy.types.Object) -> Iterator[float]:
    """Read and settle a plant; the rest is done from frame to frame."""
    take_changed(obj)
    try:
        with closing(simulate_range(context, [obj], context.scene.frame_start, allow_stopped=True)) as walk:
            uid = obj.session_uid
            for _ in walk:
                if all(one.session_uid != uid for one in context.scene.objects):  # deleted meanwhile
                    return
                yield 0.0
    except GeneratorExit:
        object_changed(obj)
        raise


@contextmanager
def _keeping_problems(scene: bpy.types.Scene) -> Iterator[None]:
    """Who is stopped meanwhile gets its bones back. That this is no edit, which would end what is said of the problem,
    Blender knows only where it goes to a frame."""
    before = len(live_plants(scene))
    yield
    if len(live_plants(scene)) < before:
        with frame_handler_paused():
            show_again(scene)
