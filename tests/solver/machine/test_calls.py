# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls of kernels mean the same in every form: what they accept, refuse and never write to."""

import importlib.util
import pickle
import subprocess
import sys

import numpy as np
import pytest

from solver.machine import in_place
from solver.machine import library as kernel_library

needs_numba = pytest.mark.skipif(not kernel_library.has_numba(), reason="numba is not installed")

#: Kernels of this test only: the decorator makes them what the process asks for.
TRIAL = '''
from typing import NamedTuple

from solver.base.arrays import Floats1
from solver.machine.jit import kernel


class Pair(NamedTuple):
    read: Floats1
    written: Floats1


@kernel
def trial_scale(count: int, factor: float, pair: Pair, doubled: bool) -> float:
    """Fill as many numbers; returns their sum."""
    total = 0.0
    for i in range(count):
        pair.written[i] = factor * pair.read[i] * (2.0 if doubled else 1.0)
        total += pair.written[i]
    return total


@kernel
def trial_refuses(number: float) -> float:
    """Raises an error for what is below zero."""
    if number < 0.0:
        raise ValueError("below zero")
    return number


@kernel
def trial_names(count: int, pair: Pair) -> float:
    """Calls another kernel with the names of its parameters."""
    return trial_scale(count, pair=pair, doubled=False, factor=3.0)
'''

#: Translates them, in a process of numba's.
SCRIPT = """
import sys
from pathlib import Path
import trial
from solver.machine import jit, translate
kernels = {name: one for name, one in jit.KERNELS.items() if name.startswith("trial_")}
Path("trial.ll").write_text(translate.translated(kernels))
"""


@pytest.fixture(scope="module", params=["python", pytest.param("compiled", marks=needs_numba)])
def trial(request, tmp_path_factory):
    """The module of these kernels, as plain Python and compiled."""
    folder = tmp_path_factory.mktemp("trial")
    (folder / "trial.py").write_text(TRIAL)
    spec = importlib.util.spec_from_file_location("trial", folder / "trial.py")
    sys.modules["trial"] = module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel_library, "prepare", lambda: None)  # these are of no library
        spec.loader.exec_module(module)
        if request.param == "compiled":
            _, environment = in_place.translation(folder, True)
            subprocess.run([sys.executable, "-c", SCRIPT], cwd=folder, env=environment, check=True)
            from solver.machine.assemble import assemble, host

            (folder / "trial.o").write_bytes(assemble((folder / "trial.ll").read_text(), host()))
            module.engine = in_place.load(folder / "trial.o")
            for name in ("trial_scale", "trial_refuses", "trial_names"):
                getattr(module, name).use(module.engine.get_function_address(f"plant_dynamics_{name}"))
        yield module
    del sys.modules["trial"]


def pair_of(trial, read=(1.0, 2.0, 3.0)):
    return trial.Pair(np.array(read), np.zeros(3))


def unpickled(array: np.ndarray) -> np.ndarray:
    found = pickle.loads(pickle.dumps(array))
    assert found.dtype is not array.dtype, "this is what the tests are about"
    return found


def test_arrays_of_an_equal_type_are_accepted_and_written_to(trial):
    pair = trial.Pair(*map(unpickled, pair_of(trial)))
    assert trial.trial_scale(3, 2.0, pair, False) == 12.0
    assert pair.written.tolist() == [2.0, 4.0, 6.0]


def test_what_is_read_only_is_read_and_never_written_to(trial):
    pair = pair_of(trial)
    pair.read.setflags(write=False)
    assert trial.trial_scale(3, 2.0, pair, True) == 24.0
    assert pair.written.tolist() == [4.0, 8.0, 12.0]
    frozen = pair_of(trial)
    frozen.written.setflags(write=False)
    with pytest.raises(ValueError, match="read-only"):
        trial.trial_scale(3, 2.0, frozen, False)
    assert frozen.written.tolist() == [0.0, 0.0, 0.0]


def test_names_of_parameters_are_accepted(trial):
    assert trial.trial_scale(2, doubled=False, pair=pair_of(trial), factor=2.0) == 6.0
    assert trial.trial_names(count=3, pair=pair_of(trial)) == 18.0


@pytest.mark.parametrize("arguments", [(), (3,), (3, 2.0, None, False, 1)])
def test_too_few_and_too_many_are_refused(trial, arguments):
    with pytest.raises(TypeError):
        trial.trial_scale(*arguments)
    with pytest.raises(TypeError):
        trial.trial_refuses(1.0, number=2.0)


def test_a_whole_number_is_no_real_one(trial):
    for count in (2.0, 2.7, np.float64(3.0), "3", None):
        with pytest.raises(TypeError):
            trial.trial_scale(count, 2.0, pair_of(trial), False)
    for count in (3, np.int64(3), np.int32(3)):
        assert trial.trial_scale(count, 2, pair_of(trial), False) == 12.0


def test_a_kernel_that_raises_is_an_error(trial):
    assert trial.trial_refuses(2.0) == 2.0
    with pytest.raises((ValueError, RuntimeError), match=r"below zero|trial_refuses failed"):
        trial.trial_refuses(-1.0)


def test_what_does_not_fit_is_named(trial):
    if trial.trial_scale.compiled is None:
        pytest.skip("plain Python takes what it can")
    right = pair_of(trial)
    for wrong in (np.zeros((2, 3)), np.zeros(6)[::2], np.zeros(3, np.float32), np.zeros(3, ">f8"), [1.0], None):
        with pytest.raises(TypeError, match=r"pair\.read of trial_scale is .*, expected float64 of 1 dimensions"):
            trial.trial_scale(3, 2.0, right._replace(read=wrong), False)
    with pytest.raises(TypeError, match="count of trial_scale is float, expected int"):
        trial.trial_scale(3.0, 2.0, right, False)
