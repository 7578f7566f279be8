# SPDX-License-Identifier: GPL-3.0-or-later
"""Rates and accelerations from frames, against turns about two axes at once, whose rates are known."""

import importlib

import numpy as np
import pytest

from tests.blender.scenes.collider_scenes import of_addon
from tests.blender.scenes.extension import EXTENSION

# Angles psi about z and then theta about x, with their derivatives: amplitude, rad/s, rad.
PSI, THETA = (4.0, 1.7, 0.3), (1.2, 2.9, 1.0)


def course(kind, times):
    amplitude, rate, phase = kind
    at = rate * times + phase
    return amplitude * np.sin(at), amplitude * rate * np.cos(at), -amplitude * rate**2 * np.sin(at)


def turned(times):
    """Rotations (k, 1, 4), and their rates and accelerations (k, 1, 3) in their own axes."""
    (psi, psi1, psi2), (theta, theta1, theta2) = course(PSI, times), course(THETA, times)
    none, rotations = np.zeros_like(times), importlib.import_module(f"{EXTENSION}.solver").rotations
    about_z = rotations.exponential(np.column_stack([none, none, psi]))
    about_x = rotations.exponential(np.column_stack([theta, none, none]))
    sin, cos = np.sin(theta), np.cos(theta)
    u = np.column_stack([theta1, psi1 * sin, psi1 * cos])
    a = np.column_stack([theta2, psi2 * sin + psi1 * theta1 * cos, psi2 * cos - psi1 * theta1 * sin])
    return rotations.multiply(about_z, about_x)[:, None], u[:, None], a[:, None]


def test_turning_is_of_second_order_inside_and_at_the_ends(fresh):
    rates, off = of_addon(fresh, "effort.rates"), []
    for frames in (50, 100):
        times = np.linspace(0.0, 2.0, frames + 1)
        q, u, a = turned(times)
        q[::3] *= -1.0  # the same rotations
        found = rates.turning(q, times[1])
        off.append([
            np.abs(each - expected)[part].max() / np.abs(expected).max()
            for each, expected in zip(found, (u, a), strict=True) for part in (slice(1, -1), 0, -1)
        ])  # fmt: skip
    coarse, fine = np.array(off)
    assert coarse.max() < 0.05
    assert np.all(coarse / fine > 2.6), "halved frames, a quarter of the error"
    assert (coarse / fine)[[0, 3]] == pytest.approx(4.0, rel=0.1)


def test_a_key_that_eases_in_is_no_peak_at_the_first_frame(fresh):
    rates = of_addon(fresh, "effort.rates")
    place = np.array([0.0, 1.0, 4.0, 7.0, 10.0, 13.0])[:, None, None] * np.ones((1, 1, 3))
    assert rates.accelerations(place, 1.0)[:, 0, 0] == pytest.approx([2.0, 2.0, 0.0, 0.0, 0.0, 0.0])


def test_places_too_and_three_frames_suffice(fresh):
    rates = of_addon(fresh, "effort.rates")
    times = np.arange(3) * 0.1
    place = (0.5 * -9.81 * times**2)[:, None, None] * np.ones((1, 2, 3))
    assert rates.accelerations(place, 0.1) == pytest.approx(np.full((3, 2, 3), -9.81))
    spin = importlib.import_module(f"{EXTENSION}.solver").rotations.exponential(
        np.column_stack([np.zeros(3), 0.5 * 8.0 * times**2 + 2.0 * times, np.zeros(3)])
    )[:, None]
    u, a = rates.turning(spin, 0.1)
    assert a[:, 0, 1] == pytest.approx(np.full(3, 8.0))
    assert u[:, 0, 1] == pytest.approx(2.0 + 8.0 * times)
