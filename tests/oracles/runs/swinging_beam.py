# SPDX-License-Identifier: GPL-3.0-or-later
"""Beams let go in the shape of a mode: their frequency and decay, measured from the motion."""

import numpy as np
from scipy.optimize import curve_fit

from solver import Model, Sample, Settings, Simulation, discretize, natural_modes
from solver.math.rotations import logarithm
from tests.oracles.elastica import FREQUENCIES
from tests.oracles.models import beam

WEIGHTLESS = Sample(gravity=(0.0, 0.0, 0.0))
#: Hz of the first three modes when the first is at 1 Hz.
EXPECTED = FREQUENCIES / FREQUENCIES[0]
MOST_OFF = (0.005, 0.01, 0.03)
PERIODS = 10


def beam_at_one_hertz(internodes=8) -> Model:
    """1 m long and 1 mm in radius, so thin that the turning of its sections, which the closed form leaves out, is
    nothing."""
    radius, density = 0.001, 900.0
    young = 4.0 * density / radius**2 * (2.0 * np.pi / FREQUENCIES[0]) ** 2
    return discretize(beam(internodes, radius=radius, young=young, density=density))


def swing(model: Model, mode: int, step: float) -> tuple[np.ndarray, np.ndarray]:
    """Times (s) and places of the tip (m) of a beam let go in a mode's shape, bent by a thousandth of a radian."""
    shape = natural_modes(model, WEIGHTLESS, 2 * len(EXPECTED)).shape[2 * mode]  # every mode in two planes
    plant = Simulation(model, Settings(max_step=step))
    plant.start(WEIGHTLESS, "drawn", initial=1e-3 * shape / np.abs(shape).max())
    interval = max(1, round(1.0 / (16.0 * EXPECTED[mode] * step))) * step
    places = [plant.rod_tails()[-1]]
    for _ in range(round(PERIODS / EXPECTED[mode] / interval)):
        plant.advance(WEIGHTLESS, interval)
        places.append(plant.rod_tails()[-1])
    path = np.array(places) - np.array([1.0, 0.0, 0.0])
    return np.arange(len(path)) * interval, path @ (path[0] / np.linalg.norm(path[0]))


def measured(model: Model, mode: int, step: float) -> float:
    """Hz, of the damped sine that fits the tip's motion over ten periods best."""

    def sine(t, cosine, sine, decay, omega):
        return np.exp(-decay * t) * (cosine * np.cos(omega * t) + sine * np.sin(omega * t))

    t, y = swing(model, mode, step)
    fit, _ = curve_fit(sine, t, y, p0=[y[0], 0.0, 0.0, 2.0 * np.pi * EXPECTED[mode]])
    assert np.abs(sine(t, *fit) - y).max() < 0.02 * np.abs(y).max()  # it is a sine
    return float(fit[3] / (2.0 * np.pi))


def decay(model, mode, frequency, seconds, h=1 / 240):
    """Swing of the first mode, from its shape at rest: times and sizes of the extremes of its coordinate."""
    plant = Simulation(model, Settings(max_step=h))
    plant.start(WEIGHTLESS, "drawn", initial=1e-3 * mode / np.abs(mode).max())
    swing = []
    for _ in range(round(seconds / h)):
        plant.advance(WEIGHTLESS, h)
        swing.append((logarithm(plant.state.q) * mode).sum())
    swing = np.array(swing)
    peaks = np.flatnonzero((np.abs(swing[1:-1]) > np.abs(swing[:-2])) & (np.abs(swing[1:-1]) >= np.abs(swing[2:]))) + 1
    left, top, right = np.abs(swing[peaks - 1]), np.abs(swing[peaks]), np.abs(swing[peaks + 1])
    return top + (right - left) ** 2 / (8 * (2 * top - left - right))
