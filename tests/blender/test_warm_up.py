# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiling the kernels in a process of its own, for Blender to load."""

import importlib
import json
import subprocess

import pytest

#: Appended to what the process runs: whether a kernel, loaded under the name it has in Blender, had to be compiled.
_ASK = """
import json
stats = sys.modules[package + ".solver.integrate"].advance_plants.stats
print(json.dumps([sum(stats.cache_hits.values()), sum(stats.cache_misses.values())]))
"""


@pytest.fixture(scope="module")
def warm_up(addon):
    return importlib.import_module(f"{addon.__name__}.plant_dynamics_addon.dynamics.warm_up")


def test_what_the_process_compiles_is_what_blender_loads(warm_up, monkeypatch, tmp_path):
    monkeypatch.setenv("PLANT_DYNAMICS_CACHE_DIR", str(tmp_path))
    compilation = warm_up.Compilation()
    assert compilation.is_running()
    monkeypatch.setattr(warm_up, "_compilation", compilation)
    assert 0.0 <= warm_up.compiling_for() <= warm_up.compiling_for()
    compilation.wait()
    assert [folder.name for folder in tmp_path.iterdir()] == [warm_up.solver._jit.cache_folder().name]
    python, option, _, _, *arguments = warm_up.command()
    ask = [python, option, "-c", warm_up._COMPILE + _ASK, *arguments]
    answer = subprocess.run(ask, env=warm_up.environment(), check=True, capture_output=True, text=True).stdout
    assert json.loads(answer.splitlines()[-1]) == [1, 0]


def test_a_process_that_is_stopped_or_fails_is_not_waited_for(warm_up, monkeypatch, tmp_path):
    monkeypatch.setenv("PLANT_DYNAMICS_CACHE_DIR", str(tmp_path))
    compilation = warm_up.Compilation()
    compilation.stop()
    assert not compilation.is_running()
    assert not (tmp_path / warm_up.solver._jit.cache_folder().name / "complete").exists()
    monkeypatch.setattr(warm_up, "_COMPILE", "raise SystemExit(1)")
    monkeypatch.setattr(warm_up, "_compilation", warm_up.Compilation())
    monkeypatch.setattr(warm_up, "_warm", False)
    warm_up.warm_up()
    assert warm_up.is_warm()
    assert warm_up.compiling_for() is None


def test_without_a_window_nothing_is_compiled_ahead(warm_up, monkeypatch, tmp_path):
    monkeypatch.setenv("PLANT_DYNAMICS_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(warm_up, "_warm", False)
    monkeypatch.setattr(warm_up, "_compilation", None)
    warm_up.compile_ahead()
    assert warm_up.compiling_for() is None
