# SPDX-License-Identifier: GPL-3.0-or-later
"""Recorded calls of kernels: what is written is what was called and what it left, and one bit more or less is seen."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from solver import Sample, Settings, Simulation, discretize, running, turns_from_rest
from solver.machine.jit import VARIABLE
from tests.oracles.models import beam
from tools.kernel_calls import Recorder, compare, read_calls

REPOSITORY = Path(__file__).resolve().parents[3]

#: Records calls of every kernel, into a folder.
SCRIPT = """
import sys
from pathlib import Path
from solver import Sample, Simulation, discretize, hall_chain, natural_modes
from tests.oracles.models import beam, binary_tree
from tools.kernel_calls import Recorder
from tools.kernel_scenes import ONE_THREAD, advance, storm
folder = Path(sys.argv[1])
with Recorder(folder / "calls", folder / "found"):
    for mode in ("settled", "keep_shape"):
        rods = binary_tree(2, 2, young=4e7, damping_time=0.02, bend_limit=0.2, blade_area=1e-3)
        plant = Simulation(discretize(rods), ONE_THREAD)
        plant.start(Sample(), mode)
        advance(plant, 2, storm)
    hall_chain(beam(3, young=1e8))
    natural_modes(discretize(beam(3)), count=2)
"""


def record(folder: Path) -> tuple[Path, Path, Recorder]:
    calls, found = folder / "calls", folder / "found"
    with Recorder(calls, found) as recorder:
        plant = Simulation(discretize(beam(2)), Settings(threads=1))
        plant.start(Sample())
        plant.advance(Sample(), 0.01)
    return calls, found, recorder


def test_every_call_is_written(tmp_path: Path) -> None:
    calls, found, recorder = record(tmp_path)
    written = [call.kernel for call in read_calls(calls)]
    assert {name: written.count(name) for name in written} == dict(recorder.counts)
    assert written.count("advance_plants") == 1
    compared = compare(calls, found, found)
    assert (compared.calls, compared.different, compared.largest) == (len(written), 0, 0.0)
    assert compared.numbers > 1000


def test_what_a_call_left_is_written(tmp_path: Path) -> None:
    turns = np.array([[0.6, 0.8, 0.0, 0.0]])
    rest = np.array([[1.0, 0.0, 0.0, 0.0]])
    with Recorder(tmp_path / "calls", tmp_path / "found"):
        result = turns_from_rest(np.array([-1]), rest, turns)
    (call,) = read_calls(tmp_path / "calls")
    assert (call.kernel, call.results, sorted(call.sizes)) == ("fill_turns", 0, [8, 32, 32, 32])
    words = (tmp_path / "found").read_bytes()[8:]
    changed = [0] * 4
    numbers = None
    at = 8  # behind what the function returned
    for k, size in enumerate(call.sizes):
        changed[k] = int.from_bytes(words[at : at + 8], "little")
        at += 8
        if changed[k]:
            numbers, at = np.frombuffer(words[at : at + size]), at + size
    assert sum(changed) == 1
    assert at == len(words)
    assert numbers is not None
    assert (numbers == result[0]).all()


def test_a_bit_is_seen(tmp_path: Path) -> None:
    calls, found, _ = record(tmp_path)
    data = bytearray(found.read_bytes())
    numbers = np.frombuffer(data, dtype=np.float64)  # of which some are whole
    place = int(np.flatnonzero((numbers > 1e-3) & (numbers < 1e3))[-1])
    data[8 * place] ^= 1
    other = tmp_path / "other"
    other.write_bytes(data)
    compared = compare(calls, found, other)
    assert compared.different == 1
    assert 0.0 < compared.largest < 1e-12


def test_parts_of_one_array_are_one_block(tmp_path: Path) -> None:
    """A kernel that writes to one of them is read through the other."""
    whole = np.array([[1.0, 0.0, 0.0, 0.0], [0.6, 0.8, 0.0, 0.0]])
    with Recorder(tmp_path / "calls", tmp_path / "found"):
        turns_from_rest(np.array([-1]), whole[:1], whole)
    (call,) = read_calls(tmp_path / "calls")
    assert sorted(call.sizes) == [8, 32, 64]


def test_plain_python_gives_the_same_bits(tmp_path: Path) -> None:
    if running().how == "python":
        pytest.skip("there are no compiled kernels")
    for how in ("", "python"):
        (tmp_path / f"as {how}").mkdir()
        command = [sys.executable, "-c", SCRIPT, str(tmp_path / f"as {how}")]
        environment = os.environ | ({VARIABLE: how} if how else {}) | {"PYTHONPATH": str(REPOSITORY)}
        done = subprocess.run(command, cwd=REPOSITORY, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    compared = compare(tmp_path / "as " / "calls", tmp_path / "as " / "found", tmp_path / "as python" / "found")
    assert compared.calls > 100
    assert (compared.different, compared.not_numbers) == (0, 0), compared
