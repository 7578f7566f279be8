# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole falls of chains and trees onto things and each other against MuJoCo's at fine steps.

All scenes, those that are short too, are in `benchmarks/run.py --only contact`."""

import numpy as np
import pytest

pytest.importorskip("mujoco")

from tests.oracles.touching.falling import INTERVAL, SCENES, TIMES, distances, distances_by_law
from tests.oracles.touching.in_mujoco import our_path

CLOSE = (
    ("a chain onto a ball", 0.0), ("a chain onto a ball", 0.5), ("a chain onto a ball's side", 0.1),
    ("a tree onto a plane", 0.1), ("a tree onto a ball", 0.1), ("a tree onto a box", 0.0),
    ("a chain onto a chain", 0.0), ("a chain onto a chain", 0.5),
)  # fmt: skip


@pytest.mark.parametrize(("name", "friction"), CLOSE)
def test_falls_are_those_of_mujoco(name, friction):
    off, own = distances(name, friction, 2e-5)
    assert own < 0.01, "it is not chaotic"
    assert off.max() < 0.01


@pytest.mark.parametrize("name", ["a chain onto a ball's side", "a tree onto a plane"])
def test_falls_far_from_mujocos_are_those_of_the_law(name):
    """Where MuJoCo's contacts lead elsewhere, by 5 and 11 %, the law alone, on its bodies, leads to where they are."""
    assert distances_by_law(name, 0.5).max() < 0.01


@pytest.mark.parametrize("name", ["a chain onto a ball", "a tree onto a plane", "a chain onto a chain"])
def test_what_is_compared_touches(name):
    """Without what is in the way it goes far beyond what is called close."""
    models, things = SCENES[name](0.0)
    touching = our_path(models, things, INTERVAL, TIMES)
    alone = np.concatenate([our_path([model], [], INTERVAL, TIMES) for model in models], axis=1)
    assert np.abs(touching - alone).max() > 0.05
