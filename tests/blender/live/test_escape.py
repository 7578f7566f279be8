# SPDX-License-Identifier: GPL-3.0-or-later
"""Esc while Bake or Compare work: all is as it was, or the work was done already and says so."""

import importlib
from types import SimpleNamespace

import bpy
import pytest

from tests.blender.scenes import plants

ADDON = "bl_ext.user_default.plant_dynamics.plant_dynamics_addon"


def module(name):
    return importlib.import_module(f"{ADDON}.{name}")


class Pressed:
    """The modal part of an operator at work, without a window. Each event looks like a slow slice: one step."""

    plays_on = lets_through = False

    def __init__(self, operator, work, monkeypatch):
        slow = module("operators.slow_work")
        monkeypatch.setattr(slow, "_SLICE", -1.0)
        self._operator, self._steps, self._timer, self.ended = operator, work, None, False
        self.given_up, self.doing, self.said = operator.given_up, operator.doing, []

    def report(self, kinds, text):
        self.said.append(text)

    def finished(self, context):
        self.ended = True
        return {"FINISHED"}

    def cancel(self, context):
        self._operator.cancel(self, context)

    @property
    def waits_aside(self):
        return False

    def _is_waiting(self):
        return False

    _progress = 0.0

    def _tell(self, context):
        self._operator._tell(self, context)

    def _work_a_while(self, context):
        return self._operator._work_a_while(self, context)

    def gets(self, kind, value="PRESS"):
        quiet = SimpleNamespace(
            event_timer_remove=lambda timer: None, progress_end=lambda: None, progress_update=lambda share: None,
            status_text_set=lambda text: None,
        )  # fmt: skip
        context = SimpleNamespace(window_manager=quiet, workspace=quiet)
        return self._operator.modal(self, context, SimpleNamespace(type=kind, value=value))


@pytest.fixture
def chain(fresh, run_operator):
    bpy.context.scene.frame_end = 5
    obj = plants.chain(4)
    run_operator("make_dynamic")
    plants.key_location(obj, {1: (0, 0, 0), 4: (0.05, 0.02, 0)})
    plants.show(1)
    module("dynamics.kernels.warm_up").warm_up()
    return obj


def steps_until(pressed, is_done):
    """How many slices pass until it is done, and what modal said in the last."""
    for number in range(200):
        said = pressed.gets("TIMER")
        if is_done():
            return number + 1, said
    raise AssertionError("it does not end")


@pytest.mark.parametrize("target", ["NEW", "NLA"])
def test_a_bake_whose_keys_are_being_written_goes_on(chain, monkeypatch, target):
    baking, operator = module("baking.bake"), module("operators.results.bake").PLANT_DYNAMICS_OT_bake

    def at_work():
        return Pressed(operator, baking.bake(bpy.context, chain, baking.BakeOptions(1, 5, target)), monkeypatch)

    pressed = at_work()
    before, _ = steps_until(pressed, lambda: pressed._progress == 1.0)
    assert pressed.gets("ESC") == {"RUNNING_MODAL"}
    slices, said = steps_until(pressed, lambda: chain.plant_dynamics.is_baked)
    assert slices >= 4, "bone by bone, not to hold the window"
    assert said == {"FINISHED"}
    assert pressed.ended
    baking.clear_bake(chain)
    pressed = at_work()
    for _ in range(before - 1):
        assert pressed.gets("TIMER") == {"RUNNING_MODAL"}
    assert pressed.gets("ESC", "RELEASE") == {"RUNNING_MODAL"}, "the press has closed a menu"
    assert pressed.gets("ESC") == {"CANCELLED"}
    assert pressed.said == [operator.given_up]
    assert not chain.plant_dynamics.is_baked
    assert not module("blender.timeline").handler_is_paused()


def test_a_comparison_that_is_given_up_leaves_nothing(chain, monkeypatch):
    row, operator = module("comparison.row"), module("operators.results.compare").PLANT_DYNAMICS_OT_compare
    scenes = len(bpy.data.scenes)

    def at_work():
        options = row.CompareOptions("YOUNG", "1x, 2x", 1, 5)
        return Pressed(operator, row.compare(bpy.context, chain, options), monkeypatch)

    def everything():
        kinds = ("scenes", "collections", "objects", "armatures", "curves", "meshes", "actions", "worlds")
        return {kind: [one.name for one in getattr(bpy.data, kind)] for kind in kinds}

    before = everything()
    for slices in range(200):
        pressed = at_work()
        if any(pressed.gets("TIMER") == {"FINISHED"} for _ in range(slices)):
            break
        assert pressed.gets("ESC") == {"CANCELLED"}
        assert everything() == before, f"given up after {slices} slices"
    assert pressed.ended
    assert len(bpy.data.scenes) == scenes + 1
    assert slices > 12
