# SPDX-License-Identifier: GPL-3.0-or-later
"""Machine code is loaded where there is any; what is wrong with it is told, and something else runs instead."""

import ctypes
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import solver
from solver import SolverError
from solver.machine import in_place, jit, sources
from solver.machine import library as kernel_library
from tests.forms import IS_FULL
from tests.oracles.runs import repeated_motions

ROOT = Path(__file__).resolve().parents[3]
LEVELS = {"v2", "v3", "v4", "v8"}

SCRIPT = """
import json
import solver
from tests.oracles.runs import repeated_motions
moved = repeated_motions.{}().tolist()
print(json.dumps([solver.running().how, moved]))
"""

#: Kernels that a plant's first pose needs; the one that moves plants takes longer to compile than all others.
BEGINNING = {"put_bodies_of", "put_panels_of", "place", "fill_points", "fill_orientations"}

needs_numba = pytest.mark.skipif(not kernel_library.has_numba(), reason="numba is not installed")


@pytest.fixture
def library(monkeypatch, tmp_path):
    """A place of its own for the library; gives the file, which is not there."""
    monkeypatch.setattr(kernel_library, "folders", lambda: [tmp_path])
    (tmp_path / "digest.txt").write_text(sources.digest())
    return tmp_path / kernel_library.library_name(kernel_library.platform_name())


def note_hash(library):
    library.with_name(f"{library.name}.sha256").write_text(hashlib.sha256(library.read_bytes()).hexdigest())


@pytest.mark.skipif("PLANT_DYNAMICS_KERNELS" in os.environ, reason="another way is asked for")
def test_the_library_runs_and_is_ready_at_once():
    begun = time.perf_counter()
    solver.warm_up()
    assert time.perf_counter() - begun < 1.0
    assert solver.kernels_are_ready()
    assert solver.running().how in LEVELS, solver.running().problem
    assert not solver.running().problem


def test_a_library_that_cannot_run_says_why(library):
    assert "no compiled kernels for" in kernel_library.open_library()
    library.write_bytes(b"no library")
    assert "cannot be loaded" in kernel_library.open_library()
    note_hash(library)
    assert "cannot be loaded" in kernel_library.open_library()
    (library.parent / "digest.txt").write_bytes(b"\xff another")
    assert "made from other sources" in kernel_library.open_library()


def test_a_library_without_one_of_the_kernels_is_not_used(library, monkeypatch):
    whole = ROOT / "build" / "kernels" / library.name
    if not whole.exists():
        pytest.skip("there is no library")
    shutil.copy(whole, library)
    note_hash(library)
    monkeypatch.setitem(jit.KERNELS, "one_more", jit.KERNELS["place"])
    assert re.search("cannot be loaded: .*one_more", kernel_library.open_library())
    monkeypatch.setattr(kernel_library, "has_numba", lambda: False)
    how, problem = kernel_library.prepared("")
    assert how == "python"
    assert "cannot be loaded" in problem


@pytest.mark.parametrize("damage", ["cut", "half", "one bit", "empty", "no hash"])
def test_a_damaged_library_is_not_loaded(library, monkeypatch, damage):
    """It would end the process, at once or when it is called: that is why the loader itself must not see it."""
    whole = ROOT / "build" / "kernels" / library.name
    data = whole.read_bytes() if whole.exists() else b"a library" * 999
    library.write_bytes(data)
    note_hash(library)
    if damage == "no hash":
        library.with_name(f"{library.name}.sha256").unlink()
    else:
        middle = len(data) // 2
        flipped = data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]
        library.write_bytes({"cut": data[:-1], "half": data[:middle], "one bit": flipped, "empty": b""}[damage])

    def seen(file):
        raise AssertionError("it is loaded")

    monkeypatch.setattr(kernel_library.ctypes, "CDLL", type("CDLL", (), {"__init__": lambda self, file: seen(file)}))
    problem = kernel_library.open_library()
    assert f"'{library.name}' cannot be loaded: " in problem
    assert ("it is damaged" if damage != "no hash" else ".sha256") in problem
    monkeypatch.setattr(kernel_library, "has_numba", lambda: False)
    assert kernel_library.prepared("") == ("python", problem)


def test_without_a_library_something_else_runs_and_says_why(library, monkeypatch):
    def fails():
        raise SolverError("numba is broken")

    monkeypatch.setattr(kernel_library, "compile_in_place", fails)
    for installed, said in ((True, "numba is broken"), (False, "")):
        monkeypatch.setattr(kernel_library, "has_numba", lambda installed=installed: installed)
        how, problem = kernel_library.prepared("")
        assert how == "python"
        assert "no compiled kernels for" in problem
        assert said in problem
        for wanted in ("numba", "v3"):
            with pytest.raises(SolverError):
                kernel_library.prepared(wanted)


class OldProcessors(ctypes.CDLL):
    """A library as one finds it on a processor that can nothing of what it is made for."""

    def __init__(self) -> None:
        pass

    def plant_dynamics_level(self) -> int:
        return 0


TOO_OLD = "this processor is older than those the library is made for"


def test_a_level_that_is_none_is_refused():
    with pytest.raises(SolverError, match="expected one of"):
        kernel_library.use_library(OldProcessors(), "v9", ["v2"])


def test_on_a_processor_that_is_too_old_something_else_runs(monkeypatch):
    monkeypatch.setattr(kernel_library, "open_library", OldProcessors)
    monkeypatch.setattr(kernel_library, "has_numba", lambda: False)
    assert kernel_library.prepared("") == solver.Running("python", TOO_OLD)
    with pytest.raises(SolverError, match=f"asks for v2: {TOO_OLD}"):
        kernel_library.prepared("v2")


@pytest.fixture
def compiler(monkeypatch, tmp_path):
    """A place of its own for what numba compiles, which takes no time and is not right; counts how often it does."""
    monkeypatch.setenv(solver.CACHE_VARIABLE, str(tmp_path / "kernels"))
    in_place.give_up("")  # it may have failed before
    runs = tmp_path / "runs"
    program = f"import sys, pathlib; pathlib.Path({str(runs)!r}).open('a').write('1'); "
    text = "define i32 @plant_dynamics_one(ptr %words, ptr %out) { ret i32 0 }"

    def translation(out, heaviest):
        write = f"import pathlib; pathlib.Path({str(out)!r}).write_text({text if heaviest else ''!r}); "
        begins, ends = (program, compiler.ends) if heaviest else ("import sys; ", "")
        return [sys.executable, "-c", begins + write + ends], os.environ | {}

    compiler = SimpleNamespace(runs=lambda: len(runs.read_text()) if runs.exists() else 0, ends="")
    monkeypatch.setattr(in_place, "translation", translation)
    yield compiler
    in_place.give_up("")


@needs_numba
def test_what_is_damaged_is_compiled_anew(compiler):
    assert not in_place.is_settled()
    file = in_place.compile_in_place()
    assert in_place.is_settled()
    whole = file.read_bytes()
    assert in_place.load(file).get_function_address("plant_dynamics_one")
    for damaged in (whole[:-1], whole[:100] + bytes([whole[100] ^ 1]) + whole[101:], b""):
        file.write_bytes(damaged)
        assert not in_place.is_settled()
        assert in_place.compile_in_place().read_bytes() == whole
    assert compiler.runs() == 4
    assert in_place.compile_in_place() == file
    assert compiler.runs() == 4


@needs_numba
def test_machine_code_without_the_kernels_is_not_run(compiler, library):
    how, problem = kernel_library.prepared("")
    assert how == "python"
    assert "lacks" in problem


@needs_numba
def test_what_fails_is_tried_once_and_says_why(compiler):
    compiler.ends = "print('on the way', file=sys.stderr); sys.exit('it is broken')"
    for _ in range(3):
        with pytest.raises(SolverError, match="could not compile the kernels: it is broken"):
            in_place.compile_in_place()
    assert compiler.runs() == 1
    assert in_place.is_settled()
    assert list(in_place.object_folder().iterdir()) == []


@needs_numba
def test_sources_that_are_edited_while_they_are_compiled_are_refused(compiler, monkeypatch):
    digests = iter(["before", "after"])
    monkeypatch.setattr(in_place, "object_file", lambda: in_place.object_folder() / "kernels-0.o")
    monkeypatch.setattr(in_place, "digest", lambda: next(digests))
    with pytest.raises(SolverError, match="changed while they were compiled"):
        in_place.compile_in_place()


#: A function of the intermediate representation: its head, its name, or else that of the kernel.
FUNCTION = re.compile(
    r"^(define [^@]*@((?:plant_dynamics_(\w+))|[\w.$]+|\"[^\"]*\")\([^{]*\{).*?^\}", re.MULTILINE | re.DOTALL
)


def only_beginning(intermediate):
    """The kernels' intermediate representation, in which those that no first pose needs do nothing but fail, without
    the functions that nobody calls then."""
    bodies = {found[2]: found[0] for found in FUNCTION.finditer(intermediate)}
    called, ahead = set(), [f"plant_dynamics_{name}" for name in BEGINNING]
    while ahead:
        name = ahead.pop()
        if name in bodies and name not in called:
            called.add(name)
            ahead += re.findall(r"@([\w.$]+|\"[^\"]*\")", bodies[name])
    return FUNCTION.sub(
        lambda found: found[0] if found[2] in called else f"{found[1]}\n  ret i32 1\n}}" if found[3] else "",
        intermediate,
    )


@needs_numba
@pytest.mark.slow
def test_what_is_compiled_here_runs_alike(monkeypatch, tmp_path):
    """For this processor, of what the libraries are made of as well: so it need not be translated once more."""
    translated, asked = ROOT / "build" / "kernels" / "kernels.ll", "motion"
    if translated.exists() and (translated.parent / "digest.txt").read_text().strip() == sources.digest():
        used = tmp_path / "used.ll"
        text = translated.read_text(encoding="utf-8")
        used.write_text(text if IS_FULL else only_beginning(text), encoding="utf-8")
        asked = "motion" if IS_FULL else "first_pose"

        def translation(out, heaviest):
            copy = f"import shutil; shutil.copy({str(used)!r}, {str(out)!r})"
            nothing = f"open({str(out)!r}, 'w')"
            return [sys.executable, "-c", copy if heaviest else nothing], dict(os.environ)

        monkeypatch.setattr(in_place, "translation", translation)
    monkeypatch.setenv(solver.CACHE_VARIABLE, str(tmp_path))
    in_place.give_up("")
    compiled = in_place.compile_in_place()
    written = compiled.stat().st_mtime_ns
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(asked)], cwd=ROOT, env=os.environ | {"PLANT_DYNAMICS_KERNELS": "numba"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert compiled.stat().st_mtime_ns == written, "it is not compiled again"
    how, moved = json.loads(done.stdout)
    assert how == "numba"
    assert np.array_equal(np.array(moved), getattr(repeated_motions, asked)())


@needs_numba
@pytest.mark.skipif(sys.platform == "win32", reason="processes are ended without a word there")
def test_a_process_that_is_ended_leaves_nothing(monkeypatch, tmp_path):
    monkeypatch.setenv(solver.CACHE_VARIABLE, str(tmp_path / "kernels"))
    command, environment = in_place.process_that_compiles()
    process = subprocess.Popen(command, env=environment, start_new_session=True)
    while not (tmp_path / "kernels").exists():
        assert process.poll() is None
        time.sleep(0.05)
    assert (tmp_path / "kernels").stat().st_mode & 0o077 == 0, "what is run is the user's own"
    time.sleep(1.0)
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 1
    assert list((tmp_path / "kernels").iterdir()) == []
    until = time.monotonic() + 30.0
    while goes_on(process.pid) and time.monotonic() < until:
        time.sleep(0.05)
    assert not goes_on(process.pid), "nor does numba's go on"


def goes_on(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@needs_numba
def test_code_is_kept_in_the_users_own_folder_only(monkeypatch, tmp_path):
    in_place.give_up("")
    monkeypatch.setenv("PLANT_DYNAMICS_CACHE_DIR", str(tmp_path / "shared"))
    (tmp_path / "shared").mkdir(mode=0o777)
    (tmp_path / "shared").chmod(0o777)
    with pytest.raises(SolverError, match="others may write"):
        in_place.compile_in_place()
    in_place.give_up("")
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PLANT_DYNAMICS_CACHE_DIR", str(tmp_path / "file" / "below"))
    with pytest.raises(SolverError, match="no place"):
        in_place.compile_in_place()
    in_place.give_up("")


def test_a_library_without_its_digest_is_not_used(monkeypatch, tmp_path):
    monkeypatch.setattr(kernel_library, "folders", lambda: [tmp_path])
    (tmp_path / kernel_library.library_name(kernel_library.platform_name())).write_bytes(b"")
    assert "cannot be loaded" in kernel_library.open_library()
