# SPDX-License-Identifier: GPL-3.0-or-later
"""Machine code is loaded where there is any; what is wrong with it is told, and something else runs instead."""

import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import solver
from solver import SolverError, _in_place, _library, _sources
from tests.solver.test_plain_python import motion

LEVELS = {"v2", "v3", "v4", "v8"}

SCRIPT = """
import json
import solver
from tests.solver.test_plain_python import motion
moved = motion().tolist()
print(json.dumps([solver.running().how, moved]))
"""

needs_numba = pytest.mark.skipif(not _library.has_numba(), reason="numba is not installed")


@pytest.fixture
def library(monkeypatch, tmp_path):
    """A place of its own for the library; gives the file, which is not there."""
    monkeypatch.setattr(_library, "_folders", lambda: [tmp_path])
    (tmp_path / "digest.txt").write_text(_sources.digest())
    return tmp_path / _library.library_name(_library.platform_name())


@pytest.mark.skipif("PLANT_DYNAMICS_KERNELS" in os.environ, reason="another way is asked for")
def test_the_library_runs_and_is_ready_at_once():
    begun = time.perf_counter()
    solver.warm_up()
    assert time.perf_counter() - begun < 1.0
    assert solver.kernels_are_ready()
    assert solver.running().how in LEVELS, solver.running().problem
    assert not solver.running().problem


def test_a_library_that_cannot_run_says_why(library):
    assert "no compiled kernels for" in _library._open_library()
    library.write_bytes(b"no library")
    assert "cannot be loaded" in _library._open_library()
    (library.parent / "digest.txt").write_text("another")
    assert "made from other sources" in _library._open_library()


def test_without_a_library_something_else_runs_and_says_why(library, monkeypatch):
    def fails():
        raise SolverError("numba is broken")

    monkeypatch.setattr(_library, "compile_in_place", fails)
    for installed, said in ((True, "numba is broken"), (False, "")):
        monkeypatch.setattr(_library, "has_numba", lambda installed=installed: installed)
        how, problem = _library._prepare("")
        assert how == "python"
        assert "no compiled kernels for" in problem
        assert said in problem
        for wanted in ("numba", "v3"):
            with pytest.raises(SolverError):
                _library._prepare(wanted)


def test_a_level_that_is_none_is_refused():
    opened = _library._open_library()
    if not isinstance(opened, ctypes.CDLL):
        pytest.skip(opened)
    with pytest.raises(SolverError, match="expected one of"):
        _library._use_library(opened, "v9")


@needs_numba
@pytest.mark.slow
def test_what_numba_compiles_here_runs_alike(monkeypatch, tmp_path):
    """Compiled once for these sources and this processor, into the folder that the environment names."""
    if not os.environ.get(solver.CACHE_VARIABLE):
        monkeypatch.setenv(solver.CACHE_VARIABLE, str(tmp_path))
    command, environment = _in_place.process_that_compiles()
    subprocess.run(command, env=environment, cwd=tmp_path, check=True, timeout=280)
    assert _in_place.object_file().exists()
    root = Path(__file__).resolve().parents[2]
    begun = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=root, env=os.environ | {"PLANT_DYNAMICS_KERNELS": "numba"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert time.perf_counter() - begun < 20.0, "it is not compiled again"
    how, moved = json.loads(done.stdout)
    assert how == "numba"
    assert np.array_equal(np.array(moved), motion())


@needs_numba
@pytest.mark.skipif(sys.platform == "win32", reason="processes are ended without a word there")
def test_a_process_that_is_ended_leaves_nothing(monkeypatch, tmp_path):
    monkeypatch.setenv(solver.CACHE_VARIABLE, str(tmp_path / "kernels"))
    command, environment = _in_place.process_that_compiles()
    process = subprocess.Popen(command, env=environment, start_new_session=True)
    while not (tmp_path / "kernels").exists():
        assert process.poll() is None
        time.sleep(0.05)
    assert (tmp_path / "kernels").stat().st_mode & 0o077 == 0, "what is run is the user's own"
    time.sleep(1.0)
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 1
    assert list((tmp_path / "kernels").iterdir()) == []
    with pytest.raises(ProcessLookupError):  # nor does numba's go on
        os.killpg(process.pid, 0)


@needs_numba
def test_code_is_kept_in_the_users_own_folder_only(monkeypatch, tmp_path):
    monkeypatch.setenv("PLANT_DYNAMICS_CACHE_DIR", str(tmp_path / "shared"))
    (tmp_path / "shared").mkdir(mode=0o777)
    (tmp_path / "shared").chmod(0o777)
    with pytest.raises(SolverError, match="others may write"):
        _in_place.compile_in_place()
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PLANT_DYNAMICS_CACHE_DIR", str(tmp_path / "file" / "below"))
    with pytest.raises(SolverError, match="no place"):
        _in_place.compile_in_place()


def test_a_library_without_its_digest_is_not_used(monkeypatch, tmp_path):
    monkeypatch.setattr(_library, "_folders", lambda: [tmp_path])
    (tmp_path / _library.library_name(_library.platform_name())).write_bytes(b"")
    assert "cannot be loaded" in _library._open_library()
