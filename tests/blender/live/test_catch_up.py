# SPDX-License-Identifier: GPL-3.0-or-later
"""A jump over many frames, or a changed setting, does not hold the window: an operator simulates them in slices."""

import importlib
import math
import sys
from itertools import islice
from types import SimpleNamespace

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.slow_work import Pressed

ADDON = "bl_ext.user_default.plant_dynamics.plant_dynamics_addon"
FAR = 40


def module(name):
    return importlib.import_module(f"{ADDON}.{name}")


def pose(obj):
    return np.array([bone.rotation_quaternion for bone in obj.pose.bones])


def hurried(scene, patience=0.0):
    """The present frame is shown as when it is gone to in the window, by somebody who waits for so long."""
    module("dynamics.live.showing").update_live(scene, bpy.context.evaluated_depsgraph_get(), patience)


def jump(scene, frame):
    """Go to a frame as the timeline does, with no patience."""
    with module("blender.timeline").frame_handler_paused():
        scene.frame_set(frame)
    hurried(scene)


@pytest.fixture
def playing(fresh, run_operator):
    """A chain that is swayed by its moving object, live, and where it stands at frame FAR."""
    obj = plants.chain(4)
    run_operator("make_dynamic")
    plants.key_location(obj, {1: (0.0, 0.0, 0.0), 10: (0.4, 0.0, 0.0), 20: (-0.3, 0.0, 0.0)})
    run_operator("play")
    scene = bpy.context.scene
    scene.frame_set(FAR)
    there = pose(obj)
    scene.frame_set(1)
    plants.close_sessions(module("dynamics.motion.sessions"))
    scene.frame_set(1)
    return obj, there


def test_a_jump_leaves_the_pose_until_all_frames_are_simulated(playing):
    obj, there = playing
    scene, lagging = bpy.context.scene, module("dynamics.live.lagging")
    stood = pose(obj)
    jump(scene, FAR)
    assert lagging.lags(obj)
    assert np.array_equal(pose(obj), stood)
    assert scene.frame_current == FAR
    shares = []
    while not shares or shares[-1] < 1.0:
        shares.append(module("dynamics.live.showing").go_on(scene, bpy.context.evaluated_depsgraph_get(), 0.0))
        assert scene.frame_current == FAR
    assert shares == sorted(shares)
    assert len(shares) > 20  # it did go on slice by slice
    assert not lagging.lags(obj)
    assert np.array_equal(pose(obj), there)


def test_one_frame_more_is_shown_at_once(playing):
    obj, _ = playing
    scene = bpy.context.scene
    for frame in (2, 3, 4):
        jump(scene, frame)
        assert not module("dynamics.live.lagging").lags(obj)


def test_the_operator_catches_up_at_once_for_scripts(playing, run_operator):
    obj, there = playing
    jump(bpy.context.scene, FAR)
    run_operator("catch_up")
    assert np.array_equal(pose(obj), there)
    assert not module("dynamics.live.lagging").lags(obj)


def test_going_elsewhere_meanwhile_catches_up_there(playing, run_operator):
    obj, there = playing
    scene = bpy.context.scene
    jump(scene, FAR + 60)
    for _ in range(3):
        module("dynamics.live.showing").go_on(scene, bpy.context.evaluated_depsgraph_get(), 0.0)
    jump(scene, FAR)
    run_operator("catch_up")
    assert np.array_equal(pose(obj), there)


def test_given_up_it_goes_on_from_there(playing, run_operator, monkeypatch):
    obj, there = playing
    monkeypatch.setattr(module("operators.playing.catch_up"), "SLICE", 0.0)
    scene, operator = bpy.context.scene, module("operators.playing.catch_up").PLANT_DYNAMICS_OT_catch_up
    jump(scene, FAR)
    steps = operator.work(None, bpy.context)
    for _ in range(3):
        next(steps)
    steps.close()
    session = module("dynamics.motion.sessions").session_of(obj)
    reached = session.recording.end_frame
    assert 1 < reached < FAR
    assert module("dynamics.live.lagging").lags(obj)
    run_operator("catch_up")
    assert np.array_equal(pose(obj), there)


@pytest.fixture
def slow_to_start(monkeypatch):
    monkeypatch.setattr(module("dynamics.live.showing"), "SLOW_TO_START", 2)


def test_a_large_plant_is_not_read_and_settled_in_a_frame(playing, slow_to_start, run_operator):
    obj, there = playing
    scene = bpy.context.scene
    scene.frame_set(FAR)
    obj.plant_dynamics.stiffness_factor = 0.5
    scene.frame_set(FAR)
    softer = pose(obj)
    obj.plant_dynamics.stiffness_factor = 1.0
    hurried(scene, 1000.0)
    assert module("dynamics.live.lagging").lags(obj)
    assert np.array_equal(pose(obj), softer)
    run_operator("catch_up")
    assert np.array_equal(pose(obj), there)
    assert not np.array_equal(softer, there)


@pytest.fixture
def settles_slowly(monkeypatch):
    """Whatever has been settled took long."""
    monkeypatch.setattr(module("dynamics.live.showing"), "LONG_START", 0.0)


@pytest.mark.parametrize("change", ["a setting", "the weight"])
def test_what_took_long_to_settle_is_not_settled_again_in_a_frame(playing, settles_slowly, run_operator, change):
    """Neither where its own settings change nor where what acts on it does, for which it is not read anew."""
    obj, _ = playing
    scene = bpy.context.scene
    stood = pose(obj)
    if change == "a setting":
        obj.plant_dynamics.stiffness_factor = 0.5
    else:
        scene.gravity = (0.0, 3.0, -9.81)
    hurried(scene, 1000.0)
    assert module("dynamics.live.lagging").lags(obj)
    assert np.array_equal(pose(obj), stood)
    run_operator("catch_up")
    assert not module("dynamics.live.lagging").lags(obj)
    there = pose(obj)
    assert not np.array_equal(there, stood)
    plants.close_sessions(module("dynamics.motion.sessions"))
    scene.frame_set(1)
    assert np.array_equal(pose(obj), there)


def test_a_plant_that_settled_at_once_does_so_again(playing):
    obj, _ = playing
    obj.plant_dynamics.stiffness_factor = 0.5
    hurried(bpy.context.scene, 1000.0)
    assert not module("dynamics.live.lagging").lags(obj)


def test_after_esc_it_does_not_begin_again_by_itself(playing, monkeypatch):
    """What was put back is shown again, and lags behind: that is no wish of the user's."""
    obj, _ = playing
    lagging, registered = module("dynamics.live.lagging"), []
    timers = SimpleNamespace(is_registered=lambda call: False, register=lambda call, **_: registered.append(call))
    monkeypatch.setattr(lagging, "bpy", SimpleNamespace(app=SimpleNamespace(background=False, timers=timers)))
    lagging.note([obj], [obj])
    assert len(registered) == 1
    lagging.rest()
    lagging.note([obj], [obj])
    assert len(registered) == 1
    monkeypatch.setattr(lagging, "AFTER_ESC", 0.0)
    lagging.rest()
    lagging.note([obj], [obj])
    assert len(registered) == 2


def test_what_may_settle_on_things_is_not_settled_in_a_frame(playing, run_operator):
    """However fast it settled before: a limp one may take a hundred times as long."""
    obj, _ = playing
    run_operator("add_ground")
    bpy.context.view_layer.objects.active = obj
    run_operator("catch_up")
    stood = pose(obj)
    obj.plant_dynamics.stiffness_factor = 0.5
    hurried(bpy.context.scene, 1000.0)
    assert module("dynamics.live.lagging").lags(obj)
    assert np.array_equal(pose(obj), stood)
    run_operator("catch_up")
    assert not module("dynamics.live.lagging").lags(obj)
    assert not np.array_equal(pose(obj), stood)


def test_a_large_plant_that_is_changed_meanwhile_is_read_again(playing, slow_to_start, monkeypatch):
    obj, there = playing
    monkeypatch.setattr(module("operators.playing.catch_up"), "SLICE", 0.0)
    scene = bpy.context.scene
    obj.plant_dynamics.stiffness_factor = 0.5
    jump(scene, FAR)
    steps = module("operators.playing.catch_up").PLANT_DYNAMICS_OT_catch_up.work(None, bpy.context)
    for _ in range(8):
        next(steps)
    obj.plant_dynamics.stiffness_factor = 1.0
    assert len(list(steps)) < 200
    assert np.array_equal(pose(obj), there)


def test_a_large_plant_that_cannot_start_stops_being_live_and_says_why(playing, slow_to_start, run_operator):
    obj, _ = playing
    scene = bpy.context.scene
    obj.scale = (1.0, 2.0, 1.0)
    obj.plant_dynamics.stiffness_factor = 0.5
    hurried(scene, 1000.0)
    run_operator("catch_up")
    live = module("dynamics.live.live")
    bpy.context.view_layer.update()
    assert not live.is_live(obj)
    assert "scale" in live.problem_of(obj)


def test_it_lets_the_user_go_on(playing, monkeypatch):
    slow, operator = module("operators.slow_work"), module("operators.playing.catch_up").PLANT_DYNAMICS_OT_catch_up
    assert operator.lets_through
    assert not slow.SlowWork.lets_through
    for lets_through, does in ((True, "PASS_THROUGH"), (False, "RUNNING_MODAL")):
        pressed = Pressed(operator, iter([0.5, 0.7]), monkeypatch, lets_through=lets_through)
        assert pressed.gets("TIMER") == {"RUNNING_MODAL"}
        assert pressed.gets("MOUSEMOVE", "NOTHING") == {does}


def test_a_plant_that_leaves_the_view_meanwhile_does_not_keep_it_going(playing, monkeypatch):
    obj, _ = playing
    monkeypatch.setattr(module("operators.playing.catch_up"), "SLICE", 0.0)
    scene, folder = bpy.context.scene, bpy.data.collections.new("Folder")
    scene.collection.children.link(folder)
    scene.view_layers.new("Other")
    for collection in list(obj.users_collection):
        collection.objects.unlink(obj)
    folder.objects.link(obj)
    scene.frame_set(1)
    jump(scene, FAR)
    bpy.context.view_layer.layer_collection.children["Folder"].exclude = True
    steps = module("operators.playing.catch_up").PLANT_DYNAMICS_OT_catch_up.work(None, bpy.context)
    assert len(list(islice(steps, 200))) < 10


def test_it_waits_while_a_render_counts_its_frames_in_the_scene(playing, monkeypatch):
    obj, there = playing
    operator = module("operators.playing.catch_up")
    monkeypatch.setattr(operator, "SLICE", 0.0)
    jump(bpy.context.scene, FAR)
    rendering = [True]
    app = SimpleNamespace(is_job_running=lambda job: rendering[0])
    monkeypatch.setattr(operator, "bpy", SimpleNamespace(app=app, types=bpy.types))
    seen = []
    bpy.app.handlers.frame_change_pre.append(lambda scene, *_: seen.append(scene.frame_current))
    steps = operator.PLANT_DYNAMICS_OT_catch_up.work(None, bpy.context)
    for _ in range(5):
        next(steps)
    assert not seen
    rendering[0] = False
    assert len(list(steps)) > 20
    bpy.app.handlers.frame_change_pre.pop()
    assert np.array_equal(pose(obj), there)


def test_the_frame_is_shown_once_more_when_the_pose_is_right(playing, run_operator, monkeypatch):
    """For what others do at a frame."""
    obj, there = playing
    shown = []
    monkeypatch.setattr(module("operators.playing.catch_up"), "show_now", lambda: shown.append(pose(obj)))
    jump(bpy.context.scene, FAR)
    run_operator("catch_up")
    assert np.array_equal(shown, [there])


def begun(monkeypatch, scenes, *, playing=False, rendering=False):
    """In which scenes the operator begins, and whether it is to be asked again."""
    lagging, found = module("dynamics.live.lagging"), []

    class Operator:
        def __call__(self, how):
            found.append(here[0])

        def poll(self):
            return True

    here = [None]

    class Override:
        def __init__(self, window, screen, scene):
            here[0] = scene

        __enter__ = __exit__ = lambda *_: None

    windows = [SimpleNamespace(scene=scene, screen=None) for scene in scenes]
    context = SimpleNamespace(window_manager=SimpleNamespace(windows=windows), temp_override=Override)
    app = SimpleNamespace(is_job_running=lambda job: rendering)
    ops = SimpleNamespace(plant_dynamics=SimpleNamespace(catch_up=Operator()))
    monkeypatch.setattr(lagging, "bpy", SimpleNamespace(context=context, app=app, ops=ops, types=bpy.types))
    monkeypatch.setattr(lagging, "is_playing", lambda: playing)
    return lagging.begin(), found


def test_it_begins_in_the_window_of_the_scene_that_lags(playing, monkeypatch):
    scene = bpy.context.scene
    jump(scene, FAR)
    other = bpy.data.scenes.new("Other")
    assert begun(monkeypatch, [other, scene]) == (None, [scene])
    assert begun(monkeypatch, [other]) == (None, [])
    for busy in ({"playing": True}, {"rendering": True}):
        again, found = begun(monkeypatch, [other, scene], **busy)
        assert again > 0.0
        assert not found


def asked(*, background=False, playing=False, script=False, own=False, walker="", frame=90):
    """The patience that a handler has: Blender calls it, or a script makes Blender call it."""
    patience = module("dynamics.live.patience")
    scene = SimpleNamespace(session_uid=7, frame_current=frame, frame_step=1)
    window = SimpleNamespace(modal_operators=[SimpleNamespace(bl_idname=walker)] * bool(walker))
    windows = SimpleNamespace(window_manager=SimpleNamespace(windows=[window]))
    calls = SimpleNamespace(f_back=object() if script else None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(patience, "bpy", SimpleNamespace(app=SimpleNamespace(background=background), context=windows))
        patch.setattr(patience, "is_playing", lambda: playing)
        patch.setattr(patience, "sys", SimpleNamespace(_getframe=lambda depth: calls))
        if own:
            with patience.nobody_waits():
                return patience.patience_of_caller(scene)
        return patience.patience_of_caller(scene)


def test_scripts_renders_and_playing_get_every_frame_at_once(fresh):
    longest = module("dynamics.live.patience").LONGEST
    assert asked() == longest
    assert asked(script=True, own=True) == longest
    for told in ({"script": True}, {"playing": True}, {"background": True}, {"walker": "RENDER_OT_opengl"}):
        assert asked(**told) == math.inf, told
    assert asked(walker="ANIM_OT_change_frame") == longest


def test_who_goes_from_frame_to_frame_gets_each(fresh, monkeypatch):
    """Blender's exporters and caches, which no Python runs."""
    patience = module("dynamics.live.patience")
    clock = [100.0]
    monkeypatch.setattr(patience, "perf_counter", lambda: clock[0])
    patience.frame_shown(SimpleNamespace(session_uid=7, frame_current=20))
    clock[0] += 0.01
    assert asked(frame=21) == math.inf
    assert asked(frame=25) == patience.LONGEST
    clock[0] += 1.0
    assert asked(frame=21) == patience.LONGEST


def test_a_script_is_seen_by_the_handler(fresh):
    """What frame_set calls has Python behind it."""
    seen = []
    bpy.app.handlers.frame_change_post.append(lambda *_: seen.append(sys._getframe().f_back is not None))
    bpy.context.scene.frame_set(3)
    bpy.app.handlers.frame_change_post.pop()
    assert seen == [True]


def test_dragging_through_the_timeline_is_not_playing(fresh, monkeypatch):
    timeline = module("blender.timeline")
    for plays, drags, expected in ((True, False, True), (True, True, False), (False, False, False)):
        screens = [SimpleNamespace(is_animation_playing=plays, is_scrubbing=drags),
                   SimpleNamespace(is_animation_playing=plays, is_scrubbing=False)]  # fmt: skip
        manager = SimpleNamespace(windows=[SimpleNamespace(screen=screen) for screen in screens])
        monkeypatch.setattr(timeline, "bpy", SimpleNamespace(context=SimpleNamespace(window_manager=manager)))
        assert timeline.is_playing() == expected


def test_a_handler_that_is_of_no_module(playing):
    """As what a script defines that was run from a text without a name."""
    obj, there = playing

    def nothing(*_):
        pass

    nothing.__module__ = None
    bpy.app.handlers.frame_change_post.append(nothing)
    bpy.context.scene.frame_set(FAR)
    bpy.app.handlers.frame_change_post.pop()
    assert np.array_equal(pose(obj), there)
