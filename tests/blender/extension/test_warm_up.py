# SPDX-License-Identifier: GPL-3.0-or-later
"""Machine code is loaded at once; where only numba has it to give, a process of its own compiles it.

What numba compiles is tested with the solver (tests/solver/machine/test_warm_up.py): Blender's environments lack it.
"""

import importlib
import sys
import time
from pathlib import Path

import pytest


@pytest.fixture
def warm_up(addon, monkeypatch):
    """The module, as before anything was loaded or compiled."""
    module = importlib.import_module(f"{addon.__name__}.plant_dynamics_addon.dynamics.kernels.warm_up")
    monkeypatch.setattr(module, "_compilation", None)
    monkeypatch.setattr(module.in_place, "_failure", "")
    return module


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


def test_a_process_compiles_while_blender_goes_on(warm_up, must_compile):
    compilation = warm_up.Compilation()
    warm_up._compilation = compilation
    assert 0.0 <= warm_up.compiling_for() <= warm_up.compiling_for()
    assert not warm_up.is_warm()
    assert not warm_up.compile_now(), "it is under way"
    warm_up.warm_up()
    assert must_compile.exists(), "waited for"
    assert not compilation.is_running()
    assert warm_up.is_warm()
    assert warm_up.compiling_for() is None


def test_a_process_that_is_stopped_or_fails_is_not_waited_for(warm_up, must_compile, monkeypatch):
    compilation = warm_up._compilation = warm_up.Compilation()
    warm_up.stop_compiling()
    assert not compilation.is_running()
    assert not must_compile.exists()
    fails = [sys.executable, "-c", "raise SystemExit(1)"]
    monkeypatch.setattr(warm_up.in_place, "process_that_compiles", lambda: (fails, {}))
    warm_up._compilation = warm_up.Compilation()
    warm_up.warm_up()
    assert warm_up.is_warm()
    assert warm_up.compiling_for() is None


def test_why_compiling_failed_is_told_and_it_is_not_tried_again(warm_up, monkeypatch):
    library = sys.modules[f"{warm_up.solver.__name__}.machine.library"]
    starts = []

    def process():
        starts.append(1)
        return [sys.executable, "-c", "import sys; print('on the way', file=sys.stderr); sys.exit('it is broken')"], {}

    monkeypatch.setattr(warm_up.in_place, "process_that_compiles", process)
    monkeypatch.setattr(warm_up.in_place, "_compile", lambda: pytest.fail("tried again"))
    monkeypatch.setattr(warm_up.in_place, "object_file", lambda: Path("nowhere"))
    monkeypatch.setattr(library, "_running", None)
    monkeypatch.setattr(library, "_open_library", lambda: "there is no library")
    monkeypatch.setattr(library, "has_numba", lambda: True)
    library._compiles.cache_clear()
    try:
        assert not warm_up.is_warm()
        assert warm_up.compile_now()
        warm_up.compile_ahead()
        assert warm_up.kernels() == ("python", "there is no library; it is broken")
        assert not warm_up.compile_now()
        warm_up.warm_up()
    finally:
        library._compiles.cache_clear()
    assert starts == [1]


def test_asking_whether_the_kernels_are_ready_is_cheap(warm_up, monkeypatch):
    """Timers do so many times a second while they are compiled."""
    library = sys.modules[f"{warm_up.solver.__name__}.machine.library"]
    monkeypatch.setattr(warm_up.in_place, "object_file", lambda: Path("nowhere"))
    monkeypatch.setattr(library, "_running", None)
    monkeypatch.setattr(library, "_open_library", lambda: "there is no library")
    monkeypatch.setattr(library, "has_numba", lambda: True)
    library._compiles.cache_clear()
    try:
        assert not warm_up.is_warm()
        begun = time.perf_counter()
        for _ in range(1000):
            assert not warm_up.is_warm()
        assert time.perf_counter() - begun < 0.1
    finally:
        library._compiles.cache_clear()


def test_without_a_window_nothing_is_compiled_ahead(warm_up, must_compile):
    warm_up.compile_ahead()
    assert warm_up.compiling_for() is None
    assert warm_up.compile_now(), "but on demand, and waited for"
    assert must_compile.exists()
