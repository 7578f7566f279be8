# SPDX-License-Identifier: GPL-3.0-or-later
"""What takes a while is done in slices in the window: errors with their buttons, other threads, Esc at any time."""

import threading
from types import SimpleNamespace

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.busy_plant import module
from tests.blender.scenes.slow_work import LAST, Pressed, looking_ahead
from tests.forms import IS_FULL

WORK = {
    "bake": lambda m, obj: m("baking.bake").bake(bpy.context, obj, m("baking.bake").BakeOptions(1, LAST)),
    "measure_stress": lambda m, obj: m("comparison.stresses").measure(bpy.context, obj, LAST),
    "render_shot": lambda m, obj: (share for share, _ in m("baking.walk").simulate_range(bpy.context, [obj], LAST)),
    "play": lambda m, obj: m("operators.playing.play").PLANT_DYNAMICS_OT_play.work(
        SimpleNamespace(patience=float("inf")), bpy.context
    ),
}


@pytest.mark.parametrize("name", WORK)
def test_an_error_in_the_window_comes_with_its_button(fresh, chain, run_operator, monkeypatch, panel, name):
    run_operator("add_pull")
    handle = chain.plant_dynamics.loads[0].target
    handle.parent = chain
    operator = getattr(bpy.types, f"PLANT_DYNAMICS_OT_{name}")
    pressed = Pressed(operator, WORK[name](lambda of: module(fresh, of), chain), monkeypatch)
    said = {"RUNNING_MODAL"}
    while said == {"RUNNING_MODAL"}:
        said = pressed.gets("TIMER", "NOTHING")
    assert said == {"CANCELLED"}
    assert "hangs on the plant" in " ".join(pressed.said)
    assert [button for button, _ in panel(chain)[1]] == ["free_handles"]
    run_operator("free_handles")
    assert panel(chain)[1] == []


def test_errors_of_execute_invoke_and_modal_are_told_alike(fresh):
    common, error = module(fresh, "operators.common"), module(fresh, "errors").PlantError

    class Operator:
        def __init__(self):
            self.said = []

        def report(self, kinds, text):
            self.said.append((kinds, text))

        @common.reports_errors
        def execute(self, context):
            raise error("no")

        @common.reports_errors
        def modal(self, context, event):
            raise error("no")

    operator = Operator()
    assert operator.execute(bpy.context) == operator.modal(bpy.context, None) == {"CANCELLED"}
    assert operator.said == [({"ERROR"}, "no")] * 2


def test_work_on_another_thread_lets_the_window_answer(meanwhile):
    may_end, threads = threading.Event(), []

    def work():
        threads.append(threading.current_thread())
        assert may_end.wait(10.0)
        return 7

    steps = meanwhile.meanwhile(work)
    assert [next(steps) for _ in range(5)] == [0.0] * 5
    may_end.set()
    assert meanwhile.result_of(steps) == 7
    assert threads != [threading.current_thread()]


def test_errors_of_another_thread_are_raised_here(meanwhile):
    def work():
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        meanwhile.result_of(meanwhile.meanwhile(work))


def test_who_gives_up_does_not_wait(meanwhile):
    may_end, has_ended = threading.Event(), threading.Event()

    def work():
        may_end.wait(10.0)
        has_ended.set()

    steps = meanwhile.meanwhile(work)
    next(steps)
    steps.close()
    assert not has_ended.is_set()
    may_end.set()


def test_a_bake_on_another_thread_has_the_same_keys(fresh, chain, run_operator, meanwhile):
    run_operator("bake")
    by_other_thread = plants.curves(chain.animation_data.action)
    run_operator("clear_bake")
    plants.close_sessions(module(fresh, "dynamics.motion.sessions"))
    meanwhile.bpy.app.background = True
    run_operator("bake")
    here = plants.curves(chain.animation_data.action)
    assert by_other_thread.keys() == here.keys()
    assert all(np.array_equal(by_other_thread[key], here[key]) for key in here)


def test_play_begins_when_patience_ends_and_moves_as_ever(fresh, chain, run_operator):
    session = module(fresh, "dynamics.motion.sessions")
    assert len(list(looking_ahead(fresh, 0.0))) == 0
    assert session.session_of(chain).recording.end_frame == 1, "the start is there, which takes longest"
    module(fresh, "dynamics.live.live").go_live(chain)
    recorded = plants.played(chain, range(1, LAST + 1))
    assert session.session_of(chain).recording.end_frame == LAST, "as they are played"
    run_operator("reset")
    run_operator("play")
    assert session.session_of(chain).recording.end_frame == LAST + 1
    assert np.array_equal(plants.played(chain, range(1, LAST + 1)), recorded)


def test_play_looks_ahead_once(fresh, chain, run_operator):
    run_operator("play")
    plants.show(3)
    assert list(looking_ahead(fresh, 10.0)) == []
    bpy.context.scene.frame_end = LAST + 2
    assert len(list(looking_ahead(fresh, 10.0))) == LAST + 3


@pytest.mark.parametrize("steps", [1, 3])
def test_esc_while_play_looks_ahead_leaves_all_as_it_was(fresh, chain, steps):
    plants.show(4)
    before, frame = plants.matrices(chain), bpy.context.scene.frame_current
    work = looking_ahead(fresh, 10.0)
    for _ in range(steps):
        next(work)
    work.close()
    assert bpy.context.scene.frame_current == frame
    assert not chain.plant_dynamics.live
    assert np.array_equal(plants.matrices(chain), before)
    assert not module(fresh, "blender.timeline").handler_is_paused()


@pytest.mark.parametrize("name", ["play", "bake", "measure_stress", "pose_at_rest", "measure_frequencies"])
def test_without_a_window_invoked_operators_finish(fresh, chain, name):
    assert getattr(bpy.ops.plant_dynamics, name)("INVOKE_DEFAULT") == {"FINISHED"}
    assert not bpy.types.PLANT_DYNAMICS_OT_play.waiting


def everything():
    kinds = ("objects", "armatures", "meshes", "materials", "node_groups", "collections", "texts")
    return {kind: [one.name for one in getattr(bpy.data, kind)] for kind in kinds}


@pytest.mark.parametrize("mode", ["OBJECT", "POSE"])
def test_growing_that_is_given_up_leaves_all_as_it_was(fresh, monkeypatch, mode):
    """After any number of steps; in the short form after every third."""
    monkeypatch.setattr(module(fresh, "grow.objects.armature"), "AT_ONCE", 10)
    obj = plants.chain(2)
    bpy.ops.object.mode_set(mode=mode)
    before = everything()
    from_text, presets = module(fresh, "grow.from_text"), module(fresh, "commands").presets
    text = next(one for one in presets() if one.name == "rose").text
    recipe = module(fresh, "grow.recipe").Recipe(text, "rose", pot=True, instanced=True)
    steps = 0
    while True:
        work = from_text.grown_in_steps(bpy.context, recipe)
        done = sum(1 for _, _ in zip(range(steps + 1), work, strict=False))
        if done <= steps:
            break
        work.close()
        assert everything() == before, f"given up after {done} steps"
        assert (bpy.context.object, obj.mode, bpy.context.selected_objects) == (obj, mode, [obj])
        steps += 1 if IS_FULL else 3
    assert steps > 5
    assert "Rose" in bpy.context.object.name


@pytest.mark.parametrize("method", ["SETTLED", "HALL"])
def test_a_pose_at_rest_that_is_given_up_poses_nothing(fresh, chain, meanwhile, method):
    operator = module(fresh, "operators.setup.equilibrium").PLANT_DYNAMICS_OT_pose_at_rest
    before = plants.matrices(chain)
    options = {"element": "3R", "form": "fast", "step": "cautious", "segments": 64, "increments": 5, "iterations": 99}
    work = operator.work(SimpleNamespace(method=method, **options), bpy.context)
    next(work, None)
    work.close()
    assert np.array_equal(plants.matrices(chain), before)


@pytest.fixture
def told(fresh, chain, monkeypatch):
    """What the status bar says in a window in which the scene is played, and how often views are drawn again."""
    telling, texts, drawn = module(fresh, "dynamics.live.telling"), [], []
    window = SimpleNamespace(
        app=SimpleNamespace(background=False),
        context=SimpleNamespace(
            screen=SimpleNamespace(is_animation_playing=True), workspace=SimpleNamespace(status_text_set=texts.append)
        ),
    )
    monkeypatch.setattr(telling, "bpy", window)
    monkeypatch.setattr(telling, "redraw_views", lambda: drawn.append(True))
    yield texts, drawn, window.context.screen
    telling.end_telling()


def test_the_status_bar_tells_how_far_the_motion_is_recorded(fresh, chain, told):
    texts, _, screen = told
    module(fresh, "dynamics.live.live").go_live(chain)
    plants.show(3)
    assert texts[-1] == "Simulating while it plays: 50 % done. Once through, it plays faster   |   Esc: stop"
    for frame in range(4, LAST + 1):
        plants.show(frame)
    assert texts[-1] is None, "all is known"
    said = len(texts)
    plants.show(2)
    assert len(texts) == said
    bpy.context.scene.frame_end = LAST + 3
    plants.show(LAST + 1)
    assert texts[-1] is not None
    screen.is_animation_playing = False
    plants.show(LAST + 2)
    assert texts[-1] is None


def test_the_panels_are_drawn_when_trouble_begins(fresh, chain, told, monkeypatch):
    drawn = told[1]
    session, trouble = (
        module(fresh, "dynamics.motion.sessions").Session,
        module(fresh, "dynamics.motion.trouble").Trouble,
    )
    module(fresh, "dynamics.live.live").go_live(chain)
    plants.show(1)
    before = len(drawn)
    plants.show(2)
    assert len(drawn) == before, "nothing is new"
    monkeypatch.setattr(session, "trouble", lambda self: trouble("STOPPED", 3))
    plants.show(3)
    plants.show(4)
    assert len(drawn) == before + 1


def test_esc_comes_too_late_once_keys_are_being_written(fresh, chain, run_operator, monkeypatch):
    other = plants.chain(3, name="Other")
    run_operator("make_dynamic")
    baking, operator = module(fresh, "baking.bake"), module(fresh, "operators.results.bake").PLANT_DYNAMICS_OT_bake
    pressed = Pressed(operator, baking.bake(bpy.context, [chain, other], baking.BakeOptions(1, LAST)), monkeypatch)
    while not chain.plant_dynamics.is_baked:
        assert pressed.gets("TIMER") == {"RUNNING_MODAL"}
    assert not other.plant_dynamics.is_baked
    assert pressed.gets("ESC") == {"RUNNING_MODAL"}
    while pressed.gets("TIMER") == {"RUNNING_MODAL"}:
        assert pressed.gets("ESC") == {"RUNNING_MODAL"}
    assert pressed.ended
    assert other.plant_dynamics.is_baked


@pytest.mark.parametrize("way", ["undo", "redo", "new file"])
def test_work_ends_before_what_it_works_on_is_taken_away(fresh, chain, monkeypatch, way):
    """Though it lets everything through: what it holds of the scene is still there then, and the buttons are free."""
    at_work, timeline = module(fresh, "dynamics.live.at_work"), module(fresh, "blender.timeline")
    scene, seen = bpy.context.scene, []
    bpy.ops.ed.undo_push(message="Before")
    scene.frame_end += 1
    bpy.ops.ed.undo_push(message="After")
    if way == "redo":
        bpy.ops.ed.undo()
        scene = bpy.context.scene

    def work():
        try:
            with timeline.frame_handler_paused():
                while True:
                    yield 0.5
        finally:
            seen.append(scene.name)

    pressed = Pressed(bpy.types.PLANT_DYNAMICS_OT_catch_up, work(), monkeypatch, lets_through=True)
    assert pressed.gets("TIMER") == {"RUNNING_MODAL"}
    assert at_work.is_going_on()
    moves = {"undo": bpy.ops.ed.undo, "redo": bpy.ops.ed.redo, "new file": bpy.ops.wm.read_homefile}
    moves[way]()
    assert seen == ["Scene"]
    assert not at_work.is_going_on()
    assert not timeline.handler_is_paused()
    assert pressed.gets("TIMER") == {"CANCELLED"}
    assert not pressed.ended


def test_while_the_solver_is_compiled_the_panel_has_a_bar_and_esc_ends_it(fresh, chain, monkeypatch):
    slow, base = module(fresh, "operators.slow_work"), module(fresh, "panels.base")
    stopped, drawn = [], []
    monkeypatch.setattr(slow, "is_warm", lambda: False)
    monkeypatch.setattr(slow, "compile_ahead", lambda: None)
    monkeypatch.setattr(slow, "stop_compiling", lambda: stopped.append(True))
    for one in (slow, base):
        monkeypatch.setattr(one, "compiling_for", lambda: 60.0)
    layout = SimpleNamespace(progress=lambda factor, text: drawn.append((factor, text)))
    assert not base.compiling(layout), "nobody waits for it"
    pressed = Pressed(bpy.types.PLANT_DYNAMICS_OT_bake, (share for share in [0.5]), monkeypatch, uses_solver=True)
    assert pressed.gets("TIMER", "NOTHING") == {"RUNNING_MODAL"}
    assert base.compiling(layout)
    assert drawn == [(0.5, "Compiling the solver: 60 s")]
    assert pressed.gets("ESC") == {"CANCELLED"}
    assert stopped == [True]
    assert not base.compiling(layout)


@pytest.mark.parametrize(("event", "end"), [("TIMER", "FINISHED"), ("ESC", "CANCELLED")])
def test_status_bars_are_drawn_again_after_the_end(fresh, monkeypatch, event, end):
    """For Blender draws a report there only within a second, and a large plant may be drawn for longer."""
    redraw = module(fresh, "blender.redraw").redraw_status_bars
    pressed = Pressed(bpy.types.PLANT_DYNAMICS_OT_grow, (share for share in [0.5]), monkeypatch)
    assert pressed.gets("TIMER", "NOTHING") == {"RUNNING_MODAL"}
    assert not bpy.app.timers.is_registered(redraw)
    assert pressed.gets(event) == {end}
    assert bpy.app.timers.is_registered(redraw)
    bpy.app.timers.unregister(redraw)


class Clock:
    """Seconds that pass as work and drawing say."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now

    def passes(self, seconds):
        self.now += seconds
        return 0.5


def slices(fresh, monkeypatch, drawing, **attributes):
    """Seconds of work between two drawings that take so long, and the share of the time that drawing takes."""
    slow, clock = module(fresh, "operators.slow_work"), Clock()
    ours = {"perf_counter": clock, "SLICE": slow.SLICE, "LONGEST": slow.LONGEST}
    work = (clock.passes(0.01) for _ in range(1000))
    pressed, found = Pressed(bpy.types.PLANT_DYNAMICS_OT_grow, work, monkeypatch, **attributes), []
    for name, value in ours.items():
        monkeypatch.setattr(slow, name, value)
    begun = clock.now
    while pressed.gets("TIMER", "NOTHING") == {"RUNNING_MODAL"}:
        found.append(clock.now - begun)
        clock.passes(drawing)
        begun = clock.now
    return found, len(found) * drawing / clock.now


@pytest.mark.parametrize(("drawing", "at_most"), [(0.001, 0.05), (0.1, 0.23), (0.25, 0.23), (1.0, 0.53)])
def test_a_window_that_draws_slowly_draws_seldom(fresh, monkeypatch, drawing, at_most):
    """Drawing takes about a fifth of the time, where Esc need not wait for more than a second for that."""
    found, share = slices(fresh, monkeypatch, drawing)
    assert share < at_most
    assert max(found) < 1.02 * module(fresh, "operators.slow_work").LONGEST


def test_who_works_on_in_a_slow_window_is_not_kept_waiting(fresh, monkeypatch):
    found, _ = slices(fresh, monkeypatch, 0.5, lets_through=True)
    assert max(found) < 0.1
