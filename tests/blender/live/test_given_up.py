# SPDX-License-Identifier: GPL-3.0-or-later
"""Work in the window that is given up while the solver is busy: nobody waits for the thread that does it."""

import importlib
import subprocess
import sys
import threading
from time import perf_counter
from types import SimpleNamespace

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.busy_plant import module
from tests.blender.scenes.extension import REPOSITORY
from tests.blender.scenes.slow_work import LAST, looking_ahead

#: The window does not wait for what takes so long (s), or several seconds at least.
STUCK, SOON = 20.0, 2.0

#: It answers at least within this share of what the whole work takes.
PART = 0.1

_grown: list[tuple[list[float], float]] = []


@pytest.fixture
def stuck(fresh, monkeypatch):
    """The solver's first start takes until the event is set."""
    simulation = importlib.import_module(f"{fresh.__name__}.solver").Simulation
    may_end, start, starts = threading.Event(), simulation.start, []

    def slow(*arguments, **named):
        starts.append(True)
        if len(starts) == 1:
            assert may_end.wait(STUCK)
        return start(*arguments, **named)

    monkeypatch.setattr(simulation, "start", slow)
    yield may_end
    may_end.set()


def seconds_for(work):
    begun = perf_counter()
    work()
    return perf_counter() - begun


def test_esc_while_the_plant_settles_takes_no_time(fresh, chain, meanwhile, stuck):
    work = looking_ahead(fresh, 10.0)
    next(work)
    assert seconds_for(work.close) < SOON


def test_the_next_work_does_not_queue_behind_what_was_given_up(fresh, chain, meanwhile, stuck, run_operator):
    work = looking_ahead(fresh, 10.0)
    next(work)
    work.close()
    begun = perf_counter()
    assert len(list(looking_ahead(fresh, 10.0))) > LAST
    assert perf_counter() - begun < 5.0, "it waited"
    module(fresh, "dynamics.live.live").go_live(chain)
    motion = plants.played(chain, range(1, LAST + 1))
    stuck.set()
    meanwhile.bpy.app.background = True
    run_operator("reset")
    run_operator("play")
    assert np.array_equal(plants.played(chain, range(1, LAST + 1)), motion)


def test_a_live_plant_that_is_left_keeps_its_frames(fresh, chain, meanwhile, monkeypatch, run_operator):
    meanwhile.bpy.app.background = True
    run_operator("play")
    motion = plants.played(chain, range(1, LAST + 1))
    meanwhile.bpy.app.background = False
    sessions = module(fresh, "dynamics.motion.sessions")
    session = sessions.session_of(chain)
    with session.held():
        other = threading.Thread(target=lambda: sessions.leave_busy([session]))
        other.start()
        other.join()
        left = sessions.session_of(chain)
        assert left is not session
        assert left.end_frame == LAST
        shown = []
        other = threading.Thread(target=lambda: shown.extend(left.channels_at(f) for f in range(1, LAST + 2)))
        other.start()
        other.join()
    assert np.array_equal(shown[:LAST], [session.channels_at(frame) for frame in range(1, LAST + 1)])
    assert np.array_equal(plants.played(chain, range(1, LAST + 1)), motion)


def test_a_long_run_up_ends_when_it_is_given_up(fresh, chain, meanwhile, monkeypatch):
    chain.plant_dynamics.run_up = 1000
    simulation = importlib.import_module(f"{fresh.__name__}.solver").Simulation
    advance, count, reached = simulation.advance, [], threading.Event()

    def slow(*arguments, **named):
        count.append(True)
        reached.set()
        threading.Event().wait(0.01)
        return advance(*arguments, **named)

    monkeypatch.setattr(simulation, "advance", slow)
    work = looking_ahead(fresh, 10.0)
    next(work)
    assert reached.wait(20.0)
    assert seconds_for(work.close) < SOON
    threading.Event().wait(0.1)
    so_far = len(count)
    threading.Event().wait(0.2)
    assert len(count) == so_far < 1000


def test_a_search_for_rest_ends_when_it_is_given_up(fresh, chain, meanwhile, monkeypatch):
    """Also in the middle, where the solver alone could look whether anybody waits."""
    chain.plant_dynamics.start = "settled"
    equilibrium = importlib.import_module(f"{fresh.__name__}.solver.statics.equilibrium")
    interruption = importlib.import_module(f"{fresh.__name__}.solver.base.interruption")
    sink, begun, ended = equilibrium.sink, threading.Event(), threading.Event()

    def long(*arguments):
        begun.set()
        try:
            for _ in range(2000):
                if arguments[-1][0]:
                    break
                threading.Event().wait(0.01)
            assert arguments[-1] is interruption.interruption()
            return sink(*arguments)
        finally:
            ended.set()

    monkeypatch.setattr(equilibrium, "sink", long)
    work = looking_ahead(fresh, 10.0)
    next(work)
    assert begun.wait(20.0)
    assert not ended.is_set()
    work.close()
    assert ended.wait(10.0)
    for thread in threading.enumerate():
        if thread.name == "plant_dynamics":
            thread.join(10.0)
            assert not thread.is_alive()


def test_going_back_after_a_walk_calls_nobody(fresh, chain, meanwhile, monkeypatch, run_operator):
    meanwhile.bpy.app.background = True
    run_operator("play")
    plants.show(3)
    live = module(fresh, "dynamics.live.live")
    shown, updated = [], []
    monkeypatch.setattr(live, "bpy", SimpleNamespace(app=SimpleNamespace(background=False, timers=SimpleNamespace(
        is_registered=lambda _: False, register=lambda function, first_interval: shown.append(function)))))  # fmt: skip
    monkeypatch.setattr(module(fresh, "dynamics.live.handlers"), "update_live", lambda *_: updated.append(True))
    list(module(fresh, "baking.walk").simulate_range(bpy.context, [chain], LAST))
    assert (shown, updated, bpy.context.scene.frame_current) == ([live.show_now], [], 3)


def test_work_that_ends_its_thread_keeps_nobody_waiting(fresh, monkeypatch):
    """Whatever it raises comes out where it is waited for."""
    module_of = module(fresh, "blender.meanwhile")
    monkeypatch.setattr(module_of, "bpy", SimpleNamespace(app=SimpleNamespace(background=False)))

    def leave():
        raise SystemExit(3)

    with pytest.raises(SystemExit, match="3"):
        list(module_of.meanwhile(leave))


def test_blender_ends_without_waiting_for_work(tmp_path):
    code = (
        "import sys, types, time\n"
        "bpy = types.ModuleType('bpy'); bpy.app = types.SimpleNamespace(background=False); sys.modules['bpy'] = bpy\n"
        f"whole = types.ModuleType('whole'); whole.__path__ = [{str(REPOSITORY)!r}]; sys.modules['whole'] = whole\n"
        "from whole.plant_dynamics_addon.blender import meanwhile\n"
        "steps = meanwhile.meanwhile(lambda: time.sleep(60.0)); next(steps); steps.close()\n"
    )
    assert seconds_for(lambda: subprocess.run([sys.executable, "-c", code], check=True, timeout=30)) < 10.0


def growing(fresh, name):
    recipe, presets = module(fresh, "grow.recipe").Recipe, module(fresh, "commands").presets
    preset = next(one for one in presets() if one.name == name)
    return module(fresh, "grow.from_text").grown_in_steps(bpy.context, recipe(preset.text, preset.title))


@pytest.fixture
def grown(fresh, meanwhile):
    """What a large plant tells while it grows, and how long (s) that takes in all; grown once."""
    if not _grown:
        begun = perf_counter()
        told = list(growing(fresh, "young_oak"))
        _grown.append((told, perf_counter() - begun))
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    return _grown[0]


def test_growing_tells_steadily_how_far_it_is(grown):
    told, _ = grown
    assert told == sorted(told)
    assert len({round(share, 2) for share in told}) > 20
    assert sum(0.06 < share < 0.69 for share in told) > 10, "also while the skin is shaped, which takes longest"


@pytest.mark.parametrize("share", [0.0, 0.1, 0.3, 0.8, 0.9])
def test_growing_can_be_given_up_at_any_time(fresh, meanwhile, grown, share):
    before = [(obj.name, obj.data) for obj in bpy.data.objects]
    work = growing(fresh, "young_oak")
    while next(work) < share:
        pass
    assert seconds_for(work.close) < PART * grown[1]
    assert [(obj.name, obj.data) for obj in bpy.data.objects] == before
    assert not len(bpy.data.meshes)
    assert not len(bpy.data.armatures)
    for thread in threading.enumerate():
        if thread.name == "plant_dynamics":
            thread.join(5.0)
            assert not thread.is_alive(), "it goes on though nobody waits"
