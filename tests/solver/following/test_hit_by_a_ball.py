# SPDX-License-Identifier: GPL-3.0-or-later
"""Kavafoglu's (2018) two cylinders that stand as posed, and a ball of 1 kg that falls on them from 1 m, by contact."""

import numpy as np
import pytest

from tests.oracles.runs.controlled import BALLS_ABOVE, ONE_BALL, Controlled
from tests.oracles.runs.humanoid import Swinging, humanoid, two_cylinders

STILL = np.tile([1.0, 0.0, 0.0, 0.0], (2, 1))


@pytest.mark.parametrize("h", [1.0 / 24.0, 1.0 / 100.0])
def test_they_are_pushed_aside_and_come_back(h):
    """His mean errors are 2.82 degrees and 0.012 m; with damping 1 they do not swing beyond."""
    plant = Controlled(two_cylinders(), "follow", 300.0, ONE_BALL)
    turned, way = map(np.array, zip(*plant.run(lambda _: STILL, lambda _: None, 3.0, h), strict=True))
    off = np.linalg.norm(way, axis=2)
    assert np.degrees(turned).max() > 1.0
    assert np.degrees(turned).mean() < 2.82
    assert off.mean() < 0.012
    assert off[-1].max() < 1e-3 * off.max()
    farthest = way[off[:, 1].argmax(), 1]
    assert (way[off[:, 1].argmax() :, 1] @ farthest).min() > -0.01 * farthest @ farthest


@pytest.mark.parametrize("h", [1.0 / 24.0, 1.0 / 100.0])
def test_a_figure_that_dances_is_hit_by_five_balls(h):
    """His figure, moving: balls are let go one after the other above its head, its shoulders and its forearms."""
    dance = Swinging(16, 0.6, 1.5)
    plant = Controlled(humanoid(), "follow", 300.0, BALLS_ABOVE)
    turned, way = map(np.array, zip(*plant.run(dance.pose, lambda _: None, 4.0, h), strict=True))
    away = np.linalg.norm(way, axis=2)
    aside = np.linalg.norm((plant.plant.rod_tails()[16:] - [ball.place for ball in BALLS_ABOVE])[:, :2], axis=1)
    print(f"1/{1 / h:.0f} s: aside {aside.round(2)} m, {np.degrees(turned.mean()):.3g} deg, {away.mean():.2g} m")
    assert (aside > 0.1).all()  # what has hit nothing falls straight down
    assert np.degrees(turned.max()) > 1.0
    assert np.degrees(turned.mean()) < 2.82
    assert away.mean() < 0.012
