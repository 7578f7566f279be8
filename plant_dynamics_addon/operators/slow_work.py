# SPDX-License-Identifier: GPL-3.0-or-later
"""What operators share whose work takes a while: progress, Esc, and the solver that may still be compiled."""

from collections.abc import Callable, Generator, Iterator
from functools import partial
from time import perf_counter
from typing import Any

import bpy
from bpy.app.translations import pgettext_iface as iface_
from bpy.app.translations import pgettext_rpt as rpt_
from bpy.types import Context, Event

from ..blender.meanwhile import meanwhile, result_of
from ..blender.redraw import redraw_status_bars_soon
from ..blender.timeline import OutOfSight
from ..dynamics.kernels.warm_up import compile_ahead, compiling_for, is_warm, stop_compiling, warm_up
from ..dynamics.live import at_work
from .common import reports_errors, tell_of_compiling

#: Blender may draw and look for Esc after so many seconds, and so many times what it takes to show the user's frame. It
#: draws for at most this share of the time, as long as that leaves Esc unseen for no more than so many seconds.
SLICE, _TIMES = 0.05, 4.0
DRAWING, LONGEST = 0.2, 1.0


class SlowWork:
    """An operator that does its work in slices of time in the window, and at once for scripts."""

    doing: str  # such as "Baking"
    beginning = ""  # what is done until there is a share of it, if that is something else
    given_up: str  # what Esc reports, if anything
    #: The work, which yields the share that is done and puts everything back when it is closed; from 1 on it cannot be
    #: given up any more. Domain errors are told. What it gives is the result when it is finished.
    work: Callable[[Context], Generator[float, None, Any]]
    finished: Callable[[Context], set[str]]  # reports, and returns how the operator ends
    uses_solver = True
    #: Whether what was playing plays on when it is done.
    plays_on = False
    #: Whether other work may be done in the window while the solver is compiled.
    waits_aside = False
    #: Whether the user may go on with everything else meanwhile.
    lets_through = False

    _steps: Generator[float, None, Any]
    _frames: OutOfSight
    result: Any
    _progress = 0.0
    _was_playing = False
    _told = -1  # s that compiling takes already
    _left: float | None = None  # when the last slice ended, s
    _warming: Iterator[float] | None = None
    _timer: bpy.types.Timer | None = None
    _is_over = False

    @reports_errors
    def execute(self, context: Context) -> set[str]:
        if self.uses_solver:
            warm_up()
        self.result = result_of(self.work(context))
        return self.finished(context)

    @reports_errors
    def invoke(self, context: Context, event: Event) -> set[str]:
        if bpy.app.background or context.window is None:
            return self.execute(context)
        self._steps, self._frames = self.work(context), OutOfSight(context.scene)
        self._was_playing = context.screen.is_animation_playing
        if self._was_playing:
            bpy.ops.screen.animation_cancel(restore_frame=False)
        if self.uses_solver:
            compile_ahead()
        self._timer = context.window_manager.event_timer_add(0.01, window=context.window)
        context.window_manager.modal_handler_add(self)
        context.window_manager.progress_begin(0.0, 1.0)
        at_work.begin(partial(self.cancel, context), self.lets_through)
        return {"RUNNING_MODAL"}

    @reports_errors
    def modal(self, context: Context, event: Event) -> set[str]:
        if self._is_over:
            return {"CANCELLED"}
        is_pressed = event.value == "PRESS"  # its release may be a menu's
        if event.type == "ESC" and is_pressed and self._progress < 1.0:
            if self._is_waiting():
                stop_compiling()
            self.give_up(context)
            return {"CANCELLED"}
        if event.type != "TIMER":
            through = self.lets_through or (self.waits_aside and self._is_waiting())
            return {"PASS_THROUGH"} if through else {"RUNNING_MODAL"}
        goes_on = False
        try:
            goes_on = self._work_a_while(context)
        finally:
            if not goes_on:
                self.cancel(context)
        if goes_on:
            return {"RUNNING_MODAL"}
        result = self.finished(context)
        if self.plays_on and self._was_playing and not context.screen.is_animation_playing:
            bpy.ops.screen.animation_play()
        return result

    def _is_waiting(self) -> bool:
        return self.uses_solver and not is_warm()

    def _work_a_while(self, context: Context) -> bool:
        """Whether there is more to do."""
        if self._is_waiting():
            seconds = compiling_for()
            if seconds is None:
                self._warming = self._warming or meanwhile(warm_up)
                next(self._warming, None)
            elif int(seconds) != self._told:
                self._told = int(seconds)
                tell_of_compiling(context, seconds)
            return True
        slice_ = self._slice()
        try:
            with self._frames.at_work():
                end = perf_counter() + slice_
                self._progress = next(self._steps)
                while perf_counter() <= end:
                    self._progress = next(self._steps)
        except StopIteration as done:
            self.result = done.value
            return False
        self._tell(context)
        self._left = perf_counter()
        return True

    def _slice(self) -> float:
        """How long (s) to work until Blender may draw again, which it has done since the last slice. Who works on in
        the window meanwhile is not kept waiting for that."""
        drawn = 0.0 if self._left is None or self.lets_through else perf_counter() - self._left
        return max(SLICE + _TIMES * self._frames.cost, min(LONGEST, drawn * (1.0 / DRAWING - 1.0)))

    def _tell(self, context: Context) -> None:
        doing = self.beginning if self.beginning and self._progress == 0.0 else self.doing
        at_work.tell(doing, self._progress)
        context.window_manager.progress_update(self._progress)
        escape = iface_("Esc: cancel")
        context.workspace.status_text_set(f"{at_work.how_far(doing, self._progress)}   |   {escape}")

    def give_up(self, context: Context) -> None:
        """Esc: stop and leave all as it was, and say so."""
        self.cancel(context)
        if self.given_up:
            self.report({"INFO"}, rpt_(self.given_up))

    def cancel(self, context: Context) -> None:
        """Stop and leave all as it was; Blender calls this when the file is left."""
        if self._is_over:
            return
        self._is_over = True
        try:
            with self._frames.at_work(goes_on=False):
                self._steps.close()
        finally:
            context.window_manager.event_timer_remove(self._timer)
            context.window_manager.progress_end()
            context.workspace.status_text_set(None)
            redraw_status_bars_soon()  # for what is told now
            at_work.end()
