# SPDX-License-Identifier: GPL-3.0-or-later
"""The usual controllers, which following is measured beside, do what they are to do."""

import numpy as np
import pytest
from scipy.optimize import brentq

from solver import discretize
from tests.forms import IS_FULL
from tests.oracles.models import beam, binary_tree
from tests.oracles.runs.controlled import Controlled
from tests.oracles.runs.humanoid import Swinging, humanoid

TREES = {"a chain": lambda: beam(6), "a tree": lambda: binary_tree(3, 3), "a figure": humanoid}


#: Until a rod hangs still.
SECONDS = 2.0 if IS_FULL else 1.0


def as_drawn(rods) -> np.ndarray:
    return np.tile([1.0, 0.0, 0.0, 0.0], (len(rods), 1))


@pytest.mark.parametrize("controller", ["SPD and weight", "PD+"])
@pytest.mark.parametrize("name", TREES)
def test_moments_of_the_weight_bear_it(name, controller):
    """Without springs nothing else does: a moment that is not given back to the parent lets all of it fall."""
    rods = TREES[name]()
    plant = Controlled(rods, controller, 0.0)
    off = [turned for turned, _ in plant.run(lambda _: as_drawn(rods), lambda _: None, 0.05, 0.01)]
    assert np.max(off) < 1e-6


@pytest.mark.parametrize("controller", ["PD", "SPD"])
def test_a_level_rod_sags_by_its_weight_alone(controller):
    """Where k I t = m g c cos t."""
    rods, k = beam(1, 0.6, 0.035), 300.0
    *_, (sag, _) = Controlled(rods, controller, k).run(lambda _: as_drawn(rods), lambda _: None, SECONDS, 1.0 / 1000.0)
    bodies = discretize(rods, "base", segments=1).bodies
    moment = 9.81 * bodies.mass[0] * bodies.com[0, 1]
    wanted = brentq(lambda t: k * bodies.inertia[0, 0] * t - moment * np.cos(t), 0.0, 1.0)
    assert sag[0] == pytest.approx(wanted, rel=1e-4)


def test_pd_in_small_steps_is_stable_pd():
    """What is explicit and what is implicit meet where steps are short, and turns are small."""
    rods, motion = beam(2, 0.6, 0.035), Swinging(2, 0.05, 1.0)
    given = motion.pose, lambda _: None, 0.5 * SECONDS, 1.0 / 1000.0
    pd, spd = (
        np.array([off for off, _ in Controlled(rods, name, 100.0).run(*given)]) for name in ("PD", "SPD")
    )
    assert np.abs(pd - spd).max() < 0.01 * spd.max()


def test_bubbled_up_torques_leave_what_bears_a_turning_link_alone():
    """Of two links only the outer one is to turn. The inner one is then pushed by the other's inertia alone."""
    rods = beam(2, 0.6, 0.035)

    def bent(now: float) -> np.ndarray:
        return np.array([[1.0, 0.0, 0.0, 0.0], [np.cos(0.25), 0.0, 0.0, np.sin(0.25)]])

    def farthest_off(controller: str) -> float:
        plant = Controlled(rods, controller, 300.0)
        return max(
            off[0] for off, _ in plant.run(lambda now: bent(now) if now else as_drawn(rods), lambda _: None, 0.1, 1e-3)
        )

    assert farthest_off("PD+") < 0.5 * farthest_off("PD")
