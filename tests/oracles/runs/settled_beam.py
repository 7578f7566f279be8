# SPDX-License-Identifier: GPL-3.0-or-later
"""Settled cantilevers beside the exact elastica."""

import numpy as np

from solver import Sample, Simulation, discretize
from tests.oracles import elastica
from tests.oracles.models import beam

#: m: so far away is what pulls the tip, so that the pull is a constant force to 1e-7.
FAR = 1e7


def settled_tip(alpha, beta, internodes, layout, radius_tip=0.001, **options):
    """Tip (along, down) of a settled cantilever of length 1 whose E I is 1 at the base."""
    radius = 0.001
    young = 4.0 / (np.pi * radius**4)
    density = max(beta, 1.0) / (np.pi * radius**2 * 9.81)
    rods = beam(internodes, radius=radius, young=young, density=density)
    shares = np.arange(internodes + 1) / internodes
    radii = radius + (radius_tip - radius) * shares
    rods.radius_base, rods.radius_tip = radii[:-1], radii[1:]
    plant = Simulation(discretize(rods, layout, **options))
    load = {
        "pull_rod": [internodes - 1], "pull_along": [1.0], "pull_target": [[0.0, 0.0, -FAR]],
        "pull_stiffness": [alpha / FAR], "pull_damping": [0.0],
    }  # fmt: skip
    gravity = (0.0, 0.0, -9.81 if beta > 0.0 else 0.0)
    found = plant.start(Sample(gravity=gravity, **load), "settled")
    assert found.residual < 1e-8
    tail = plant.rod_tails()[-1]
    assert abs(tail[1]) < 1e-6
    return np.array([tail[0], -tail[2]])


def tip_error(case, internodes, layout, thin=1.0, **options):
    found = settled_tip(*case, internodes, layout, 0.001 * thin, **options)
    return np.linalg.norm(found - elastica.tip(*case, thin)[:2])
