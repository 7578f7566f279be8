# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators at work in slices, without a window."""

import importlib
from types import SimpleNamespace

import bpy

from tests.blender.scenes.busy_plant import module
from tests.blender.scenes.extension import EXTENSION

LAST = 6


class Pressed:
    """An operator at some work as in a window, without one. Each event looks like a slow slice: one step."""

    def __init__(self, operator, work, monkeypatch, **attributes):
        slow = importlib.import_module(f"{EXTENSION}.plant_dynamics_addon.operators.slow_work")
        monkeypatch.setattr(slow, "SLICE", -1.0)
        monkeypatch.setattr(slow, "LONGEST", -1.0)
        monkeypatch.setattr(slow, "bpy", SimpleNamespace(app=SimpleNamespace(background=False)))
        self.ended, self.said, self.progress = False, [], 0.0
        manager = SimpleNamespace(
            event_timer_add=lambda seconds, window: None, event_timer_remove=lambda timer: None,
            modal_handler_add=lambda operator: None, progress_begin=lambda low, high: None,
            progress_update=lambda share: setattr(self, "progress", share), progress_end=lambda: None,
        )  # fmt: skip
        self._context = SimpleNamespace(
            window_manager=manager, workspace=SimpleNamespace(status_text_set=lambda text: None), window=True,
            screen=SimpleNamespace(is_animation_playing=False), scene=bpy.context.scene,
        )  # fmt: skip
        given = {"doing": operator.doing, "given_up": operator.given_up, "uses_solver": False} | attributes
        self._at_work = type("AtWork", (slow.SlowWork,), given | {
            "work": lambda at_work, context: iter(work), "finished": lambda at_work, context: self._finished(),
            "report": lambda at_work, kinds, text: self.said.append(text),
        })()  # fmt: skip
        self._at_work.invoke(self._context, None)

    def _finished(self):
        self.ended = True
        return {"FINISHED"}

    def gets(self, kind, value="PRESS"):
        """What the operator does at an event."""
        return self._at_work.modal(self._context, SimpleNamespace(type=kind, value=value))


def looking_ahead(fresh, patience):
    """The work of Play with so much patience (s)."""
    play = module(fresh, "operators.playing.play").PLANT_DYNAMICS_OT_play
    return play.work(SimpleNamespace(patience=patience), bpy.context)
