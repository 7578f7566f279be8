# SPDX-License-Identifier: GPL-3.0-or-later
"""What ends work. Esc while Bake or Compare work: all is as it was, or the work was done already and says so."""

import importlib

import bpy
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.slow_work import Pressed

ADDON = "bl_ext.user_default.plant_dynamics.plant_dynamics_addon"


def module(name):
    return importlib.import_module(f"{ADDON}.{name}")


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
    before, _ = steps_until(pressed, lambda: pressed.progress == 1.0)
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


def test_a_plant_that_is_deleted_meanwhile_is_not_settled_on(chain, run_operator, monkeypatch):
    run_operator("play")
    catch_up = module("operators.playing.catch_up")
    seen = []

    def walk(*arguments, **named):
        for _ in range(1000):
            seen.append(True)
            yield 0.0, {}

    monkeypatch.setattr(catch_up, "simulate_range", walk)
    monkeypatch.setattr(catch_up, "lagging_starts", lambda scene: live_plants(scene))
    live_plants = module("dynamics.live.live").live_plants
    steps = catch_up.PLANT_DYNAMICS_OT_catch_up.work(None, bpy.context)
    assert [next(steps), next(steps)] == [0.0, 0.0]
    bpy.data.objects.remove(chain)
    assert len(list(steps)) < 3
    assert len(seen) == 3


@pytest.mark.parametrize("name", ["reset", "delete_plant"])
def test_what_takes_plants_away_ends_it_and_need_not_wait(fresh, run_operator, monkeypatch, name):
    obj = plants.grow("fern")
    run_operator("play")
    at_work, closed = module("dynamics.live.at_work"), []

    def work():
        try:
            while True:
                yield 0.5
        finally:
            closed.append(obj.name)

    pressed = Pressed(module("operators.playing.catch_up").PLANT_DYNAMICS_OT_catch_up, work(), monkeypatch,
                      lets_through=True)  # fmt: skip
    assert pressed.gets("TIMER") == {"RUNNING_MODAL"}
    assert at_work.is_going_on()
    assert not bpy.ops.plant_dynamics.bake.poll()
    told = obj.name
    run_operator(name)
    assert closed == [told], "before the plant was"
    assert not at_work.is_going_on()
    assert pressed.gets("TIMER") == {"CANCELLED"}
    assert not bpy.ops.plant_dynamics.reset.poll()
