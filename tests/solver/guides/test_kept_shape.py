# SPDX-License-Identifier: GPL-3.0-or-later
"""What guides bear of plants that keep their drawn shape, against the theory of beams."""

import numpy as np
import pytest

from solver import Guide, Sample, Simulation, discretize
from tests.oracles.guided.ropes import arch, two_beams
from tests.oracles.models import beam

DOWN = (0.0, 0.0, -9.81)


def _kept(rods, *guides: Guide) -> tuple[Simulation, Sample]:
    plant = Simulation(discretize(rods, "base"))
    world = Sample(gravity=DOWN, guides=guides)
    plant.start(world, "keep_shape")
    return plant, world


def _moved(plant: Simulation, world: Sample, frames: int) -> float:
    before = plant.rod_tails()
    for _ in range(frames):
        plant.advance(world, 1 / 24)
    return float(np.abs(plant.rod_tails() - before).max())


def test_a_level_beam_rests_on_its_prop_with_three_eighths_of_its_weight() -> None:
    rods = beam(80, 0.4, young=1e7, density=800.0, radius=0.003)
    plant, world = _kept(rods, Guide(79, by="plane", position=(0.4, 0.0, 0.0)))
    weight = 9.81 * float(plant.model.bodies.mass.sum())
    held = plant.snapshot().loads.pulls.held[0]
    assert held[2] == pytest.approx(3.0 / 8.0 * weight, rel=0.02)
    assert np.abs(held[:2]).max() < 1e-9 * weight
    assert _moved(plant, world, 24) < 1e-7


def test_a_drawn_garland_hangs_in_its_nails_and_falls_without() -> None:
    rods, ends = arch(20, 1.0, 0.7, young=1e6)
    plant, world = _kept(rods, Guide(19, position=ends[-1]))
    weight = 9.81 * float(plant.model.bodies.mass.sum())
    assert plant.snapshot().loads.pulls.held[0][2] == pytest.approx(0.5 * weight, rel=0.1)
    assert _moved(plant, world, 24) < 1e-6
    assert _moved(plant, Sample(gravity=DOWN), 12) > 0.3


def test_two_nails_of_one_point_share_what_they_bear() -> None:
    rods = beam(40, 0.4, young=1e7, density=800.0, radius=0.003)
    prop = Guide(39, position=(0.4, 0.0, 0.0))
    one, _ = _kept(rods, prop)
    two, world = _kept(rods, prop, prop)
    single, both = (plant.snapshot().loads.pulls.held for plant in (one, two))
    assert np.allclose(both, 0.5 * single, atol=1e-9)
    assert _moved(two, world, 24) < 1e-7


def test_what_is_drawn_off_its_nail_begins_there_and_is_drawn_in() -> None:
    rods = beam(40, 0.4, young=1e7, density=800.0, radius=0.003)
    plant, world = _kept(rods, Guide(39, position=(0.36, 0.0, 0.05)))
    drawn = plant.rod_tails()[-1]
    assert np.abs(drawn - [0.4, 0.0, 0.0]).max() < 1e-12
    plant.advance(world, 1 / 24)
    assert 0.0 < np.linalg.norm(plant.rod_tails()[-1] - drawn) < 0.03
    for _ in range(23):
        plant.advance(world, 1 / 24)
    assert np.abs(plant.rod_tails()[-1] - [0.36, 0.0, 0.05]).max() < 1e-6


def test_tied_branches_bear_each_other() -> None:
    """Two level beams, tied at their tips, sink by as much under their weights and what the tie bears."""
    n, length, young, density, radius = 60, 0.4, 1e7, 800.0, np.array([0.006, 0.003])
    rods = two_beams(n, length, (0.006, 0.003), np.array([0.0, 0.05, 0.0]), young=young, density=density)
    plant, world = _kept(rods, Guide(n - 1, by="rod", other_rod=2 * n - 1))
    weight, bending = 9.81 * density * np.pi * radius**2, young * np.pi * radius**4 / 4.0
    wanted = 3.0 / 8.0 * length * (weight[0] / bending[0] - weight[1] / bending[1]) / (1.0 / bending).sum()
    assert plant.snapshot().loads.ties.held[0][2] == pytest.approx(wanted, rel=0.03)
    assert _moved(plant, world, 24) < 0.06  # they are not at one place, and drawn together
