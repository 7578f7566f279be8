# SPDX-License-Identifier: GPL-3.0-or-later
"""Machine code is loaded at once; where only numba has it to give, a process of its own compiles it.

What numba compiles is tested with the solver (tests/solver/machine/test_warm_up.py): Blender's environments lack it.
"""

import importlib
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.oracles.fresh_copy import fresh_copy


@pytest.fixture
def warm_up(addon):
    """The module, as before anything was loaded or compiled."""
    module = fresh_copy(importlib.import_module(f"{addon.__name__}.plant_dynamics_addon.dynamics.kernels.warm_up"))
    module.in_place = fresh_copy(module.in_place)
    module.solver = SimpleNamespace(**vars(module.solver))
    return module


@pytest.fixture
def with_a_window(warm_up):
    """Compiling is not waited for."""
    warm_up.bpy = SimpleNamespace(app=SimpleNamespace(background=False))


@pytest.fixture
def no_library(warm_up):
    """Numba would have to compile, and nothing is there yet."""
    library = fresh_copy(sys.modules[f"{warm_up.solver.__name__}.machine.library"])
    library.open_library, library.has_numba = lambda: "there is no library", lambda: True
    library.compile_in_place, library.is_settled = warm_up.in_place.compile_in_place, warm_up.in_place.is_settled
    warm_up.in_place.object_file = lambda: Path("nowhere")
    warm_up.solver.running, warm_up.solver.kernels_are_ready = library.running, library.is_ready


@pytest.fixture
def must_compile(warm_up, monkeypatch, tmp_path):
    """There is nothing but a process that makes a file, which is all of numba here; gives the file."""
    made = tmp_path / "made"
    program = f"import pathlib, time; time.sleep(0.5); pathlib.Path({str(made)!r}).touch()"
    monkeypatch.setattr(warm_up.in_place, "process_that_compiles", lambda: ([sys.executable, "-c", program], {}))
    running, loaded = warm_up.solver.running, []
    monkeypatch.setattr(warm_up.solver, "running", lambda: loaded.append(running()) or loaded[0])
    monkeypatch.setattr(warm_up.solver, "kernels_are_ready", lambda: bool(loaded) or made.exists())
    return made


def test_the_library_is_ready_at_once(warm_up):
    begun = time.perf_counter()
    assert warm_up.is_warm()
    assert time.perf_counter() - begun < 1.0
    assert warm_up.kernels().how in ("v2", "v3", "v4", "v8")
    assert not warm_up.kernels().problem
    assert not warm_up.compile_now()
    assert warm_up.compiling_for() is None


def test_a_process_compiles_while_blender_goes_on(warm_up, must_compile, with_a_window):
    assert warm_up.compile_now()
    assert 0.0 <= warm_up.compiling_for() <= warm_up.compiling_for()
    assert not warm_up.is_warm()
    assert not warm_up.compile_now(), "it is under way"
    warm_up.warm_up()
    assert must_compile.exists(), "waited for"
    assert warm_up.is_warm()
    assert warm_up.compiling_for() is None


def test_a_process_that_is_stopped_or_fails_is_not_waited_for(warm_up, must_compile, with_a_window, monkeypatch):
    warm_up.compile_ahead()
    warm_up.stop_compiling()
    assert warm_up.compiling_for() is None
    time.sleep(1.0)  # twice as long as it would take
    assert not must_compile.exists()
    fails = [sys.executable, "-c", "raise SystemExit(1)"]
    monkeypatch.setattr(warm_up.in_place, "process_that_compiles", lambda: (fails, {}))
    warm_up.compile_ahead()
    warm_up.warm_up()
    assert warm_up.is_warm()
    assert warm_up.compiling_for() is None


def test_a_process_that_does_not_listen_is_killed(warm_up, must_compile, with_a_window, monkeypatch):
    deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(60)"
    monkeypatch.setattr(warm_up.in_place, "process_that_compiles", lambda: ([sys.executable, "-c", deaf], {}))
    warm_up.compile_ahead()
    time.sleep(0.5)  # for it to begin
    begun = time.perf_counter()
    warm_up.stop_compiling()
    assert time.perf_counter() - begun < 5.0
    assert warm_up.compiling_for() is None


def test_why_compiling_failed_is_told_and_it_is_not_tried_again(warm_up, no_library, monkeypatch):
    starts = []

    def process():
        starts.append(1)
        return [sys.executable, "-c", "import sys; print('on the way', file=sys.stderr); sys.exit('it is broken')"], {}

    monkeypatch.setattr(warm_up.in_place, "process_that_compiles", process)
    monkeypatch.setattr(warm_up.in_place, "translation", lambda out: pytest.fail("tried again"))
    assert not warm_up.is_warm()
    assert warm_up.compile_now()
    warm_up.compile_ahead()
    assert warm_up.kernels() == ("python", "there is no library; it is broken")
    assert not warm_up.compile_now()
    warm_up.warm_up()
    assert starts == [1]


def test_asking_whether_the_kernels_are_ready_is_cheap(warm_up, no_library):
    """Timers do so many times a second while they are compiled."""
    assert not warm_up.is_warm()
    begun = time.perf_counter()
    for _ in range(1000):
        assert not warm_up.is_warm()
    assert time.perf_counter() - begun < 0.1


def test_without_a_window_nothing_is_compiled_ahead(warm_up, must_compile):
    warm_up.compile_ahead()
    assert warm_up.compiling_for() is None
    assert warm_up.compile_now(), "but on demand, and waited for"
    assert must_compile.exists()
