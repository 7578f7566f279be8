# SPDX-License-Identifier: GPL-3.0-or-later
"""Machine code is loaded at once; where only numba has it to give, a process of its own compiles it.

What numba compiles is tested with the solver (tests/solver/test_warm_up.py): it is not in Blender's environments.
"""

import importlib
import sys
import time

import pytest


@pytest.fixture
def warm_up(addon, monkeypatch):
    """The module, as before anything was loaded or compiled."""
    module = importlib.import_module(f"{addon.__name__}.plant_dynamics_addon.dynamics.warm_up")
    monkeypatch.setattr(module, "_kernels", None)
    monkeypatch.setattr(module, "_compilation", None)
    return module


@pytest.fixture
def must_compile(warm_up, monkeypatch, tmp_path):
    """There is nothing but a process that makes a file, which is all of numba here; gives the file."""
    made = tmp_path / "made"
    program = f"import pathlib, time; time.sleep(0.5); pathlib.Path({str(made)!r}).touch()"
    monkeypatch.setattr(warm_up._in_place, "process_that_compiles", lambda: ([sys.executable, "-c", program], {}))
    monkeypatch.setattr(warm_up.solver, "kernels_are_ready", made.exists)
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
    monkeypatch.setattr(warm_up._in_place, "process_that_compiles", lambda: (fails, {}))
    warm_up._compilation = warm_up.Compilation()
    warm_up.warm_up()
    assert warm_up.is_warm()
    assert warm_up.compiling_for() is None


def test_without_a_window_nothing_is_compiled_ahead(warm_up, must_compile):
    warm_up.compile_ahead()
    assert warm_up.compiling_for() is None
    assert warm_up.compile_now(), "but on demand, and waited for"
    assert must_compile.exists()
