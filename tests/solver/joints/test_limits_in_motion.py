# SPDX-License-Identifier: GPL-3.0-or-later
"""Cone and twist limits while plants move: how far they give way, that they take and give no energy, stability."""

import numpy as np
import pytest
from scipy.optimize import brentq

from solver import LAYOUTS, LIMITED, OK, Rods, Sample, Settings, Simulation, discretize
from tests.forms import IS_FULL
from tests.oracles.energies import beyond_limit, energy_of
from tests.oracles.models import beam, binary_tree, random_rods
from tests.oracles.runs.limited_joints import (
    LIMIT,
    MOST_BEYOND,
    bending_rod,
    bends_and_twists,
    beyond_under_three_weights,
    energy_while_bouncing,
    twisting_stem,
)


@pytest.mark.parametrize("kind", ["bend", "twist"])
def test_three_times_the_weight_pushes_a_joint_at_most_two_degrees_beyond(kind):
    beyond = beyond_under_three_weights(kind)
    print(f"{kind}: {np.degrees(beyond):.2f} degrees beyond the limit under three times the weight")
    assert 0.0 < beyond < MOST_BEYOND


@pytest.mark.parametrize("make", [bending_rod, twisting_stem])
def test_bouncing_gains_no_energy(make):
    gained = energy_while_bouncing(make())
    print(f"{make.__name__}: energy gained {gained.max():.2g}, lost {-gained.min():.2g} of the fall's in 10 s")
    assert gained.max() < 0.01


@pytest.mark.parametrize("damping_time", [0.0, 0.02])
def test_a_soft_tree_with_limits_is_stable_at_24_frames(damping_time):
    """It falls into its limits and hangs in them."""
    rods = binary_tree(3, 3, young=1e6, damping_time=damping_time, bend_limit=0.25, twist_limit=0.1)
    plant = Simulation(discretize(rods))
    plant.start(Sample())
    start = energy_of(plant).total
    for _ in range(72):
        report = plant.advance(Sample(), 1 / 24)
        assert report.status == OK
        assert energy_of(plant).total < 1.01 * start


def test_a_soft_tree_hangs_in_its_limits():
    plant = Simulation(discretize(binary_tree(3, 3, young=1e6, bend_limit=0.25, twist_limit=0.1)))
    plant.start(Sample(), "settled")
    limits = plant.model.bodies
    bend, twist = bends_and_twists(plant)
    assert 0.0 < (bend - limits.bend_limit).max() < MOST_BEYOND
    assert (twist - limits.twist_limit).max() < MOST_BEYOND


@pytest.mark.parametrize("kind", ["bend", "twist"])
def test_a_fall_goes_as_far_beyond_a_limit_as_its_energy(kind):
    """A level body on a hinge with hardly a spring falls onto its limit: what the weight gives, the limit takes."""
    mass, lever, inertia, spring = 0.02, 0.15, 6e-4, 1e-4
    com = (0.0, lever, 0.0) if kind == "bend" else (lever, 0.0, 0.0)
    rods = beam(
        1, length=0.3, radius=0.005, mass=[mass], com=[com], inertia=[[inertia] * 3], stiffness=[[spring] * 3],
        **{f"{kind}_limit": LIMIT},
    )  # fmt: skip
    plant = Simulation(discretize(rods, "base"))
    hard = plant.model.bodies.limit_stiffness[0]

    def left(beyond):
        turn = LIMIT + beyond
        return mass * 9.81 * lever * np.sin(turn) - 0.5 * spring * turn**2 - hard * beyond_limit(beyond)

    expected = brentq(left, 1e-3, 1.0)
    plant.start(Sample())
    most = 0.0
    for _ in range(240):  # the first bounce; a sample every 1/960 s misses less than 0.5 % of it
        assert plant.advance(Sample(), 1 / 960).status == OK
        bend, twist = bends_and_twists(plant)
        most = max(most, float((bend if kind == "bend" else twist)[0]) - LIMIT)
    print(f"{kind}: {most:.5f} rad beyond, from the energies {expected:.5f}")
    assert most == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize(("start", "newtons"), [("settled", 10.0), ("drawn", 1.0)])
def test_limits_hold_loads_as_well_as_weight(start, newtons):
    """A thin stem whose tip is drawn aside by 10 N, 500 times its weight, and at once by a tenth of it."""
    rods = beam(4, length=0.3, radius=0.0015, young=5e8, bend_limit=0.1, damping_time=0.02)
    plant = Simulation(discretize(rods))
    force = np.zeros((4, 3))
    force[-1] = (0.0, newtons, 0.0)
    sample = Sample(force=force)
    plant.start(sample, start)
    for _ in range(0 if start == "settled" else 48):
        assert plant.advance(sample, 1 / 24).status <= LIMITED
    bend, _ = bends_and_twists(plant)
    assert newtons > 45.0 * 9.81 * plant.model.bodies.mass.sum()
    assert np.degrees((bend - plant.model.bodies.bend_limit).max()) < 8.0


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("weights", "least", "most"), [(100, 3.5, 6.0), (1000, 7.5, 12.5)])
def test_loads_of_many_times_the_weight_go_so_far_beyond(layout, weights, least, most):
    """Degrees; a stem of one rod or of six, bent aside at its tip: a spring that does not stiffen gives 50 of 100."""
    for count in (1, 6):
        rods = beam(count, length=0.3, radius=0.001, young=1e6, density=900.0, bend_limit=0.5)
        plant = Simulation(discretize(rods, layout))
        force = np.zeros((count, 3))
        force[-1] = (0.0, weights * 9.81 * plant.model.bodies.mass.sum(), 0.0)
        assert plant.start(Sample(force=force), "settled").balanced
        bend, _ = bends_and_twists(plant)
        assert least < np.degrees((bend - plant.model.bodies.bend_limit).max()) < most


#: At steps that may not be halved (s), how far (rad) a soft tree's joints may go beyond limits seen late.
STEPS = {1 / 24: 0.1, 1 / 60: 0.1, 1 / 240: 0.15}
DAMPING_TIMES = (0.0, 0.002, 0.02)


def let_go(rods: Rods, settings: Settings, layout: str, seconds: float) -> tuple[float, float, float]:
    """Released as drawn under its weight: largest gain of energy over what the fall set free, the latter (J), and how
    far (rad) a joint went beyond its limit."""
    plant = Simulation(discretize(rods, layout), settings)
    plant.start(Sample())
    limits, start = plant.model.bodies, energy_of(plant)
    gain, lowest, beyond = 0.0, start.weight, 0.0
    for _ in range(round(seconds * 12)):
        plant.advance(Sample(), 1 / 12)
        assert np.isfinite(plant.rod_tails()).all()
        energy = energy_of(plant)
        gain, lowest = max(gain, energy.total - start.total), min(lowest, energy.weight)
        bend, twist = bends_and_twists(plant)
        beyond = max(beyond, (bend - limits.bend_limit).max(), (twist - limits.twist_limit).max())
    fall = start.weight - lowest
    return gain / fall, fall, beyond


def fixed(step: float) -> Settings:
    return Settings(max_step=step, halvings=0, tolerance=np.inf)


@pytest.mark.parametrize("damping_time", DAMPING_TIMES)
@pytest.mark.parametrize("step", STEPS)
def test_limits_are_stable_at_fixed_steps(step, damping_time):
    """Limits that are hit within a step are seen late: joints go far into them, but that must not feed energy."""
    rods = binary_tree(3, 3, young=1e6, damping_time=damping_time, bend_limit=0.25, twist_limit=0.1)
    gain, _, beyond = let_go(rods, fixed(step), "gauss2", 3.0)
    print(f"step 1/{1 / step:.0f} s, damping time {damping_time}: gain {gain:.2g}, {beyond:.3f} rad beyond")
    assert gain < 0.01
    assert beyond < STEPS[step]


#: In the short form one of them for each tree.
TREES = [(k, damping) for k in range(6) for i, damping in enumerate(DAMPING_TIMES) if IS_FULL or i == k % 3]


@pytest.mark.parametrize(("seed", "damping_time"), TREES)
def test_random_trees_with_limits_at_fixed_steps(seed, damping_time):
    """They gain no energy, and do fall, as far as at steps that resolve what happens, or nearly so."""
    rng = np.random.default_rng(seed)
    limits = {f"{kind}_limit": 10.0 ** rng.uniform(-2.0, 0.0, 20) for kind in ("bend", "twist")}
    rods = random_rods(rng, 20, young=10.0 ** rng.uniform(5.0, 8.0), damping_time=damping_time, **limits)
    layout = LAYOUTS[seed % len(LAYOUTS)]
    _, fall, _ = let_go(rods, Settings(), layout, 2.0)
    for step in STEPS:
        gain, fixed_fall, beyond = let_go(rods, fixed(step), layout, 2.0)
        print(f"step 1/{1 / step:.0f} s: gain {gain:.2g}, falls {fixed_fall / fall:.2f}, {beyond:.3f} rad beyond")
        assert gain < 0.01
        assert fixed_fall > 0.5 * fall
