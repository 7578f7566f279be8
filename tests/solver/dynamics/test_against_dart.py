# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole trajectories against DART's, an implicit articulated-body algorithm of first order, extrapolated to h = 0."""

import numpy as np
import pytest

from tests.oracles.motions import kick, root_mean_square, soft_cantilever, standing_tree, straight, tip_path

pytest.importorskip("dartpy")

from tests.oracles.dart_model import DartPlant

TIMES, INTERVAL = 45, 1.0 / 60.0


def kicked_tree():
    model = standing_tree(3, 4, 1e8, 2e-3)
    return model, kick(model, 1.0)


def released_cantilever():
    model = soft_cantilever(2e-3)
    return model, np.zeros((model.body_count, 3))


def dart_path(model, rates, step):
    plant = DartPlant(model.bodies, step)
    plant.put(straight(model), rates)
    path = []
    for _ in range(TIMES):
        plant.run(round(INTERVAL / step))
        path.append(plant.point(int(model.upper[-1]), model.tail[-1]))
    return np.array(path)


@pytest.mark.parametrize("motion", [kicked_tree, released_cantilever])
def test_both_paths_converge_to_the_same(motion):
    """2 x(h/2) - x(h) takes DART's first-order error out; ours is second order by itself."""
    model, rates = motion()
    coarse, middle, fine = (dart_path(model, rates, 1 / k) for k in (1920, 3840, 7680))
    extrapolated = 2.0 * fine - middle
    scale = np.linalg.norm(np.diff(fine, axis=0), axis=1).sum()
    assert scale > 1.0  # m
    # What the extrapolation itself is still off by.
    rest = root_mean_square(extrapolated - (2.0 * middle - coarse)) / 3.0
    ours = tip_path(model, rates, 1 / 7680, TIMES, INTERVAL)
    assert rest < 1e-5 * scale
    assert root_mean_square(ours - extrapolated) < 2e-5 * scale
    assert root_mean_square(fine - extrapolated) > 10 * root_mean_square(ours - extrapolated)
