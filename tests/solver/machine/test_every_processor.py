# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernels for every level of processors, and as plain Python, give the same bits; and rounding stops no plant.

The full forms: python -m tests.surveys.wide_plants 10000, and the same for every level, compared; CONTRIBUTING.md.
"""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from solver import STOPPED, Sample, Settings, Simulation, discretize
from tests.forms import IS_FULL
from tests.oracles.models import ALONG_X, beam, binary_tree
from tests.oracles.processor_levels import levels
from tests.oracles.runs.repeated_motions import motions
from tests.surveys import wide_plants
from tests.surveys.wide_plants import DISTURBANCE, problem_of

ROOT = Path(__file__).resolve().parents[3]

#: Prints hashes of motions of many kinds, made by whatever PLANT_DYNAMICS_KERNELS says.
SCRIPT = """
import json, sys
from tests.oracles.runs.repeated_motions import motions
json.dump(motions(), sys.stdout)
"""


def motions_of(kernels: str, **environment: str) -> dict[str, str]:
    asked = os.environ | {"PLANT_DYNAMICS_KERNELS": kernels} | environment
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=ROOT, env=asked, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def here() -> dict[str, str]:
    return motions()


@pytest.mark.parametrize("kernels", [*levels(), "python"])
def test_the_same_bits_on_every_processor(kernels, here):
    found = motions_of(kernels)
    assert [name for name in here if found[name] != here[name]] == []


def test_other_vector_units_of_numpy_change_rounding_only(here):
    """What NumPy prepares, as masses and the wind, may differ in the last digit from processor to processor."""
    less = {"NPY_DISABLE_CPU_FEATURES": "AVX512F AVX512CD AVX512_SKX AVX2 FMA3", "OPENBLAS_CORETYPE": "Nehalem"}
    found = motions_of("", **less)
    for name, bits in here.items():
        one, other = (np.frombuffer(bytes.fromhex(text)) for text in (bits, found[name]))
        assert np.abs(one - other).max() < 1e-9, name


@pytest.mark.parametrize("radius", [0.15, 0.17, 0.18, 0.2, 0.25, 0.5, 2.0])
@pytest.mark.parametrize("limit", [np.inf, 0.5])
def test_stiff_rods_settle_and_move(radius, limit):
    """EI/L from 6e5 to 2e10 N m, where a guard against dividing by zero once overflowed."""
    rods = beam(1, length=5.0, radius=radius, young=8e9, density=900.0, frame=ALONG_X, bend_limit=limit)
    plant = Simulation(discretize(rods))
    found = plant.start(Sample(), "settled")
    assert found.balanced
    assert found.stable
    assert found.rod == -1
    sag = -plant.rod_tails()[0, 2]
    weight = 900.0 * np.pi * radius**2 * 9.81
    assert sag == pytest.approx(weight * 5.0**4 / (8.0 * 8e9 * 0.25 * np.pi * radius**4), rel=2e-3)
    highest = 0.0
    for _ in range(12):
        assert plant.advance(Sample(gravity=(0.0, 0.0, 0.0)), 1 / 24).status != STOPPED
        highest = max(highest, plant.rod_tails()[0, 2])
    assert highest > -0.5 * sag, "without weight it rises"


CASES, CHUNK = 60 if IS_FULL else 20, 20
run = cache(wide_plants.run)  # some runs are asked for twice


@pytest.mark.parametrize("first", range(0, CASES, CHUNK))
def test_rounding_and_the_order_of_sums_stop_no_plant(first):
    problems = {}
    for case in range(first, first + CHUNK):
        plain = run(case)
        problems[case] = problem_of(case, plain, run(case, DISTURBANCE))
        problems[case, "another order"] = problem_of(case, plain, run(case, in_another_order=True))
    assert {case: problem for case, problem in problems.items() if problem} == {}


def test_the_order_of_rods_changes_the_order_of_sums():
    """Else the check above would say nothing."""
    several = [case for case in range(CASES) if not run(case).refused]
    assert sum(run(case).bits != run(case, in_another_order=True).bits for case in several) > CASES / 4


@pytest.mark.parametrize("case", [824, 5528, 5716, 7248, 8084, 9064])
def test_threads_whose_spin_rounding_would_lose_are_not_stopped(case):
    """Kilometres long and microns thin: see THINNEST in model/mass_properties.py."""
    one, other = run(case), run(case, DISTURBANCE)
    assert (one.stopped, other.stopped) == (0, 0)
    assert problem_of(case, one, other) == ""


def test_what_was_stopped_is_said_with_its_rod():
    plant = Simulation(discretize(binary_tree(2, 2)), Settings(max_step=0.1, halvings=0))
    plant.start(Sample())
    report = plant.advance(Sample(gravity=(1e40, 0.0, 0.0)), 0.1)
    assert report.status == STOPPED
    assert 0 <= report.rod < 6
    assert plant.advance(Sample(), 1 / 24).rod == -1
