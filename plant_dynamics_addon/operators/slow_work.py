# SPDX-License-Identifier: GPL-3.0-or-later
"""What operators share whose work takes a while: progress, Esc, and the solver that may still be compiled."""

from collections.abc import Callable, Iterator
from time import perf_counter

import bpy
from bpy.app.translations import pgettext_iface as iface_
from bpy.types import Context, Event

from ...lsystem import LSystemError
from ...solver import SolverError
from ..dynamics.warm_up import compile_ahead, is_warm, warm_up
from ..errors import PlantError
from .common import tells_of_compiling

#: Blender may draw and look for Esc after so many seconds.
_SLICE = 0.05


class SlowWork:
    """An operator that works on in slices of time. Whoever has this begins with work_on(...) in invoke."""

    doing: str  # such as "Baking"
    given_up: str  # what Esc reports
    finished: Callable[[Context], set[str]]  # reports, and returns how the operator ends

    _work: Iterator[float]
    _timer: bpy.types.Timer | None = None

    def work_on(self, context: Context, work: Iterator[float]) -> set[str]:
        """Take this work, which yields the share that is done and puts everything back when it is closed."""
        if context.screen.is_animation_playing:
            bpy.ops.screen.animation_cancel(restore_frame=False)
        compile_ahead()
        self._work = work
        self._timer = context.window_manager.event_timer_add(0.01, window=context.window)
        context.window_manager.modal_handler_add(self)
        context.window_manager.progress_begin(0.0, 1.0)
        return {"RUNNING_MODAL"}

    def modal(self, context: Context, event: Event) -> set[str]:
        if event.type == "ESC" and event.value == "PRESS":  # its release may be a menu's
            self.cancel(context)
            self.report({"INFO"}, self.given_up)
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"RUNNING_MODAL"}
        goes_on = False
        try:
            goes_on = self._work_a_while(context)
            return {"RUNNING_MODAL"} if goes_on else self.finished(context)
        except (PlantError, LSystemError, SolverError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        finally:
            if not goes_on:
                self.cancel(context)

    def _work_a_while(self, context: Context) -> bool:
        """Whether there is more to do."""
        if not is_warm() and tells_of_compiling(context):
            return True
        warm_up()
        end = perf_counter() + _SLICE
        for progress in self._work:
            if perf_counter() > end:
                context.window_manager.progress_update(progress)
                escape = iface_("Esc: cancel")
                context.workspace.status_text_set(f"{iface_(self.doing)} {100.0 * progress:.0f} %   |   {escape}")
                return True
        return False

    def cancel(self, context: Context) -> None:
        """Stop and leave all as it was; Blender calls this when the file is left."""
        self._work.close()
        context.window_manager.event_timer_remove(self._timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)
