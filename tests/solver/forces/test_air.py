# SPDX-License-Identifier: GPL-3.0-or-later
"""Drag, wind and buoyancy in motion against closed forms."""

import numpy as np
import pytest

from solver import LIMITED, Sample, Settings
from solver.math.rotations import exponential
from tests.oracles.runs.in_air.plants_in_air import gust_plant, in_gusts, sag_afloat
from tests.oracles.runs.in_air.sticks_in_air import (
    DRAG,
    FLOWS,
    GRAVITY,
    LENGTH,
    MASS,
    NO_GRAVITY,
    TURN_DRAG,
    hinged_rod,
    off_drift,
    off_fall,
    off_pendulum,
    off_terminal_velocity,
)


@pytest.mark.parametrize("flow", FLOWS)
def test_a_falling_stick(flow):
    speed, distance = off_fall(flow)
    assert abs(speed) < 1e-4
    assert distance < 1e-4


def test_terminal_velocity():
    assert abs(off_terminal_velocity()) < 1e-4


@pytest.mark.parametrize(("wind", "speed"), [(0.0, 3.0), (4.0, 0.0), (2.0, -3.0)])
def test_a_drifting_stick(wind, speed):
    """Its speed relative to the air decays as 1 / (1/v + t drag / m)."""
    assert off_drift(wind, speed) < 1e-4


def test_a_pendulum_in_air_decays():
    off = off_pendulum()
    print(f"at most {np.degrees(off):.3f} degrees off")
    assert off < 0.01


def test_a_driven_hinge_turns_at_its_terminal_rate():
    """T = c w^2 about the vertical."""
    rate = 12.0
    plant = hinged_rod()
    sample = Sample(wind=NO_GRAVITY, gravity=NO_GRAVITY, torque=[[0.0, 0.0, TURN_DRAG * rate**2]])
    plant.start(sample)
    for _ in range(240):
        plant.advance(sample, 1 / 24)
    assert plant.state.u[0] @ plant.state.u[0] == pytest.approx(rate**2, rel=1e-4)


def test_a_hanging_rod_leans_in_the_wind():
    """m g l/2 sin(theta) = drag of W cos(theta) at l/2, which swings until it leans so."""
    wind = 2.5
    down = exponential(np.array([-0.5 * np.pi, 0.0, 0.0]))
    plant = hinged_rod(down)
    sample = Sample(wind=(wind, 0.0, 0.0))
    plant.start(sample)
    for _ in range(600):
        plant.advance(sample, 1 / 24)
    ratio = DRAG * wind**2 / (MASS * GRAVITY)  # sin = ratio cos^2
    sine = (np.sqrt(1.0 + 4.0 * ratio**2) - 1.0) / (2.0 * ratio)
    tip = plant.rod_tails()[0]
    assert tip[0] / LENGTH == pytest.approx(sine, rel=1e-4)


@pytest.mark.parametrize("step", [None, 1 / 24])
def test_a_hundred_bodies_in_a_gust_of_30_metres_a_second(step):
    model = gust_plant()
    assert model.body_count == 100
    settings = None if step is None else Settings(max_step=step, halvings=0, tolerance=np.inf)
    tips, statuses = in_gusts(model, settings=settings)
    assert np.isfinite(tips).all()
    assert (statuses < LIMITED).all() if step is None else True
    # No jumps: between frames nothing moves farther than the wind blows.
    assert np.linalg.norm(np.diff(tips, axis=0), axis=2).max() < 40.0 / 24


@pytest.mark.parametrize("layout", ["double_root", "mid", "gauss2"])
def test_a_rod_as_dense_as_the_fluid_does_not_sag(layout):
    assert sag_afloat(8, layout) < 1e-6
