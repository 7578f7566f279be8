# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole falls of chains and trees onto things and each other against MuJoCo's at fine steps.

All scenes, those that are short too, are in `benchmarks/run.py --only contact`."""

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("mujoco")

from solver import Collider
from solver.model.rods import LANDING_TIME
from tests.forms import IS_FULL
from tests.oracles.touching.falling import (
    INTERVAL,
    TIMES,
    distances,
    distances_as_usual,
    distances_by_law,
    scene,
)
from tests.oracles.touching.in_mujoco import our_path
from tests.oracles.touching.loose_in_mujoco import Loose, our_places, their_places

#: A chain and a tree, without and with friction; the full form has another tree, and two chains.
CLOSE = [("a chain onto a plane", 0.0), ("a chain onto a ball's side", 0.1), ("a tree onto a box", 0.0)]
if IS_FULL:
    CLOSE += [("a tree onto a plane", 0.0), ("a chain onto a chain", 0.5)]


@pytest.mark.parametrize(("name", "friction"), CLOSE)
def test_falls_are_those_of_mujoco(name, friction):
    away = distances(name, friction, 2e-5)
    assert away.soft < 0.01, "it is not chaotic"
    assert away.off.max() < 0.01


@pytest.mark.full
def test_a_fall_that_hangs_on_friction_in_its_hits_is_that_of_mujoco():
    """Contacts ten times as soft lead elsewhere, and so does friction that comes to what hits too late."""
    away = distances("a chain onto a ball's side", 0.5, 2e-5)
    assert away.soft > 0.01
    assert away.off.max() < 0.01


#: Onto a ball, a plane and each other; the full form has those again that are above.
USUAL = [("a chain onto a ball", 0.5), ("a tree onto a plane", 0.1), ("a chain onto a chain", 0.5)]
if IS_FULL:
    USUAL += [("a chain onto a ball's side", 0.1), ("a tree onto a box", 0.0)]


@pytest.mark.parametrize(("name", "friction"), USUAL)
def test_falls_that_land_as_usual_are_those_of_mujoco_as_it_is(name, friction):
    off, soft = distances_as_usual(name, friction, 2e-5)
    assert soft < 0.01, "it is not chaotic"
    assert off.max() < 0.01


#: In the full form a tree too.
FAR = ["a chain onto a ball's side", *(["a tree onto a plane"] if IS_FULL else [])]


@pytest.mark.parametrize("name", FAR)
def test_falls_far_from_mujocos_are_those_of_the_law(name):
    """Where contacts that land as usual lead elsewhere than MuJoCo's their law alone, on its bodies, does so too."""
    assert distances_by_law(name, 0.5).max() < 0.01


@pytest.mark.parametrize("name", ["a chain onto a ball", "a tree onto a plane", "a chain onto a chain"])
def test_what_is_compared_touches(name):
    """Without what is in the way it goes far beyond what is called close."""
    models, things = scene(name, 0.0, LANDING_TIME)
    touching = our_path(models, things, INTERVAL, TIMES)
    alone = np.concatenate([our_path([model], [], INTERVAL, TIMES) for model in models], axis=1)
    assert np.abs(touching - alone).max() > 0.05


GROUND = Collider("plane")
BOX = Collider("box", size=[0.1, 0.2, 0.05], position=(0.0, 0.0, -0.05))
ASLANT, LEVEL, AS_DRAWN = (0.9, 0.3, 0.3, 0.1), (1.0, 0.0, 0.0, 1.0), (1.0, 0.0, 0.0, 0.0)
LOOSE = {
    "a ball slides and rolls": ([Loose("ball", (0.05,), 500.0, (0.0, 0.0, 0.06), AS_DRAWN)], GROUND),
    "a capsule falls aslant": ([Loose("capsule", (0.03, 0.1), 500.0, (0.0, 0.0, 0.15), ASLANT)], GROUND),
    "a capsule falls over the edge of a box": (
        [Loose("capsule", (0.03, 0.1), 500.0, (0.08, 0.0, 0.05), LEVEL)], BOX
    ),
    "a ball falls onto a capsule": (
        [
            Loose("capsule", (0.03, 0.1), 500.0, (0.0, 0.0, 0.0301), LEVEL),
            Loose("ball", (0.04,), 800.0, (0.02, 0.015, 0.12), AS_DRAWN),
        ], GROUND,
    ),
}  # fmt: skip


@pytest.mark.parametrize("friction", [0.0, 0.1, 0.5] if IS_FULL else [0.0, 0.5])
@pytest.mark.parametrize("name", LOOSE)
def test_what_nothing_holds_goes_as_in_mujoco(name, friction):
    loose, thing = LOOSE[name]
    given = loose, [replace(thing, friction=friction)], friction, 1.0 / 60.0, 24
    ours, theirs = our_places(*given), their_places(*given)
    assert np.linalg.norm(ours - theirs, axis=2).max() < 0.01 * lengths(theirs).max()


def lengths(path: np.ndarray) -> np.ndarray:
    """(m,) m of the ways of m points."""
    return np.linalg.norm(np.diff(path, axis=0), axis=2).sum(axis=0)
