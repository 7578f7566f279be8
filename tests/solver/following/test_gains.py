# SPDX-License-Identifier: GPL-3.0-or-later
"""What becomes of a sine that is followed, against Kavafoglu's law in closed form, for what is known of the reference.

a = k (r - x) + 2 sqrt(k) (r' - x') + r'': without r' and r'' the gain at the frequency w is k / (k + w^2), without r''
sqrt(k^2 + 4 k w^2) / (k + w^2), with both 1. On a joint that follows a still pose, r and r' are torques.
"""

import math
from dataclasses import replace

import numpy as np
import pytest

from solver import Rods, Sample, Simulation, discretize
from solver.math.rotations import exponential, logarithm
from tests.oracles.models import beam

SWING = 0.01

#: Frames for each period of what is quicker, the sine or the recovery.
FRAMES = 160.0
WEIGHTLESS = (0.0, 0.0, 0.0)


def amplitudes(sample_at, frequency: float, recovery: float) -> np.ndarray:
    """Amplitudes (rad) about x of three rods that stand alone, in these worlds, after what began them has died away to
    1e-5."""
    fps = FRAMES * max(frequency, recovery)
    plant = Simulation(discretize(three_alone(), "base", segments=1))
    plant.start(sample_at(0.0))
    period, before = round(fps / frequency), math.ceil(2.0 * frequency / recovery)
    angles = []
    for frame in range(1, (before + 2) * period + 1):
        plant.advance(sample_at(frame / fps), 1.0 / fps)
        angles.append(logarithm(plant.state.q)[:, 0])
    last = np.array(angles[-2 * period :])
    waves = np.exp(-2j * np.pi * np.arange(len(last)) / period)
    return 2.0 * np.abs(waves @ last / len(last))


@pytest.mark.parametrize("frequency", [0.5, 1.0, 3.0])
@pytest.mark.parametrize("recovery", [0.7, 2.0])
def test_gain_of_a_sine(frequency, recovery):
    model = discretize(three_alone(), "base", segments=1)
    inertia = float(model.bodies.inertia[0, 0])
    w, k = 2.0 * np.pi * frequency, (2.0 * np.pi * recovery) ** 2
    axis = about_x(model)

    def sample(now: float) -> Sample:
        """The first two are moved by torques, the third by its pose."""
        place = k * np.sin(w * now)
        torques = [place, place + 2.0 * np.sqrt(k) * w * np.cos(w * now), 0.0]
        turned = np.zeros((3, 3))
        turned[2, 0] = SWING * np.sin(w * now)
        return Sample(
            gravity=WEIGHTLESS, follow=np.ones(3), recovery=np.full(3, recovery), pose=exponential(turned),
            torque=inertia * SWING * np.outer(torques, axis),
        )  # fmt: skip

    by_place, by_rate_too, by_all = amplitudes(sample, frequency, recovery)
    assert by_place == pytest.approx(SWING * k / (k + w**2), rel=0.01)
    assert by_rate_too == pytest.approx(SWING * np.sqrt(k**2 + 4.0 * k * w**2) / (k + w**2), rel=0.01)
    assert by_all == pytest.approx(SWING, rel=0.01)


def three_alone() -> Rods:
    """Three times the same rod, none on another."""
    return replace(beam(1), parent=[-1, -1, -1], head=np.zeros((3, 3)))


def about_x(model) -> np.ndarray:
    """The x axis of every body, in world axes."""
    w, x, y, z = model.bodies.rest[0]
    return np.array([1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)])
