# SPDX-License-Identifier: GPL-3.0-or-later
"""Breaks by strength: nothing jumps, and loads are those of beam theory to a step's worth."""

from dataclasses import replace

import numpy as np
import pytest

from solver import Sample, Settings, Simulation, discretize
from solver.stress import section_moduli
from tests.oracles.models import beam, binary_tree
from tests.oracles.touching.momenta import momenta

STEP, FRAME = 1.0 / 3840.0, 1.0 / 24.0
FLOATING = Sample(gravity=(0.0, 0.0, 0.0))


@pytest.mark.parametrize("seed", range(4))
def test_momenta_do_not_jump_when_a_tree_in_flight_breaks(seed):
    """It flies and whips, and breaks somewhere; one that is stronger goes the same way up to then."""
    rng = np.random.default_rng(seed)
    rods = binary_tree(2, 3, young=2e7, damping_time=0.003)
    settings = Settings(max_step=STEP, halvings=0)
    force = 0.3 * rng.normal(size=(len(rods), 3))
    off = np.eye(len(rods))[0]
    plants = [Simulation(discretize(replace(rods, strength=strength)), settings) for strength in (4e5, np.inf)]
    for plant in plants:
        plant.start(replace(FLOATING, cut=off))
    for frame in range(800):
        sample = replace(FLOATING, cut=off, force=force if frame < 240 else None)
        reports = [plant.advance(sample, STEP) for plant in plants]
        brittle, strong = plants
        if (brittle.broken()[1:] == 2).any():
            break
    assert [report.steps for report in reports] == [1, 1], "the break is at the frame's end"
    assert (brittle.broken()[1:] == 2).sum() == 1
    assert not (strong.broken()[1:] == 2).any()
    for one, other in zip(momenta(brittle), momenta(strong), strict=True):
        assert np.abs(other).max() > 1e-6
        assert np.abs(one - other).max() < 1e-9 * np.abs(other).max()
    assert np.abs(brittle.placed().velocity - strong.placed().velocity).max() < 1e-9


@pytest.mark.parametrize("weak", [0, 3, 6])
@pytest.mark.parametrize("layout", ["gauss2", "double_root"])
def test_a_beam_breaks_where_and_under_what_theory_says(layout, weak):
    """A clamped uniform beam without weight, drawn down at its tip ever more; where one of its rods is weaker, where
    and when that one's moment is reached. The load of the break is known to 0.05 %."""
    n, length, radius, strength, rate = 8, 1.0, 0.01, 40e6, 20.0
    share = 1.0 if weak == 0 else 0.4 * (1.0 - weak / n)
    strengths = np.full(n, strength)
    strengths[weak] *= share
    rods = beam(n, length, radius, young=5e10, damping_time=2e-3, strength=strengths)
    model = discretize(rods, layout)
    plant = Simulation(model)
    first, carrier = model.first_joint[weak], model.middle[-1]
    at = weak * length / n + model.body_at[first] * length / n
    arm = length * (n - 1) / n + model.body_at[carrier] * length / n + model.bodies.com[carrier, 1] - at
    theory = strengths[weak] * section_moduli(rods, model)[first] / arm
    force, load = np.zeros((n, 3)), 0.97 * theory
    force[-1, 2] = -load
    plant.start(replace(FLOATING, force=force), "settled")
    for _ in range(600):
        load += rate * 0.01 * theory / 400.0
        force[-1, 2] = -load
        plant.advance(replace(FLOATING, force=force.copy()), 0.01)
        if plant.broken().any():
            break
    assert np.flatnonzero(plant.broken()).tolist() == [weak]
    assert load == pytest.approx(theory, rel=0.01)


@pytest.mark.parametrize("cut", [[1], [2], [4], [13], [2, 5, 15]])
def test_what_is_cut_in_flight_flies_on_with_its_neighbours(cut):
    """A tree that touches itself drifts at 2 m/s. What comes off touches with the part below its first joint as well,
    which lies among its neighbours: they are left alone until they part."""
    model = discretize(binary_tree(3, 3, radius=0.01, young=1e7, damping_time=0.02))
    plant, held, free, off = Simulation(model), *(np.zeros(model.rod_count) for _ in range(3))
    free[0] = off[0] = 1.0
    off[cut] = 1.0

    def drifting(frame: int, now: np.ndarray) -> Sample:
        return Sample((2.0 * FRAME * min(frame, 1), 0.0, 0.0), gravity=(0.0, 0.0, 0.0), cut=now, touches_itself=True)

    plant.start(drifting(-4, held))
    for frame in range(-3, 1):
        plant.advance(drifting(frame, held), FRAME)
    for _ in range(6):
        plant.advance(drifting(1, free), FRAME)
    before, _, _ = momenta(plant)
    assert before[0] == pytest.approx(2.0 * model.bodies.mass.sum(), rel=1e-9)
    for _ in range(12):
        plant.advance(drifting(1, off), FRAME)
        assert momenta(plant)[0] == pytest.approx(before, rel=1e-9, abs=1e-9 * before[0])
