# SPDX-License-Identifier: GPL-3.0-or-later
"""Settled starts in wind that nothing comes to rest in: blades that flutter, and eddies."""

import numpy as np
import pytest

from solver import STOPPED, Collider, GustyWind, Sample, Simulation, discretize, sections
from solver.statics.equilibrium import BALANCED
from tests.oracles.models import binary_tree

GUSTS = GustyWind((6.0, 0.0, 0.0), turbulence_intensity=0.2, length_scale=5.0, seed=3)
EDDYING = GustyWind((6.0, 0.0, 0.0), turbulence_intensity=0.2, length_scale=5.0, seed=3, eddies=0.25)


def leafy(lift: float) -> Simulation:
    """A tree whose thinnest rods bear soft leaves."""
    rods = binary_tree(2, 4)
    n = len(rods.array("length"))
    tip = np.isin(np.arange(n), rods.parent_index, invert=True)
    twist = sections.measured(bend=1.0, twist_ratio=8.0)
    leaves = binary_tree(
        2, 4, young=np.where(tip, 1e6, 1e8), blade_area=np.where(tip, 2e-3, 0.0),
        blade_lift=np.where(tip, lift, 0.0), section=np.where(tip[:, None], np.array(twist), np.array(sections.ROUND)),
    )  # fmt: skip
    return Simulation(discretize(leaves))


@pytest.mark.parametrize("lift", [0.0, 3.0])
def test_eddies_do_not_act_on_the_start(lift):
    """It is that in the gusts alone, to the bit; in motion they act at once."""
    found = []
    for wind in (GUSTS, EDDYING):
        plant = leafy(lift)
        start = plant.start(Sample(wind=wind), "settled")
        assert start.balanced
        found.append(plant.state.q.copy())
        plant.advance(Sample(wind=wind), 1 / 24)
        found.append(plant.state.q.copy())
    np.testing.assert_array_equal(found[0], found[2])
    assert np.abs(found[1] - found[3]).max() > 1e-4


@pytest.mark.parametrize("disturbance", [0.0, 1e-15])
@pytest.mark.parametrize("speed", [3.0, 6.0, 12.0, 25.0])
def test_leaves_that_flutter_begin_near_where_drag_holds_them(speed, disturbance):
    plant, dragged = leafy(4.0), leafy(0.0)
    sample = Sample(wind=np.array([speed * (1.0 + disturbance), 0.0, 0.0]))
    start = plant.start(sample, "settled")
    assert start.balanced
    assert not (start.sways and start.stable)
    if start.sways:
        assert dragged.start(sample, "settled").stable
        np.testing.assert_allclose(plant.rod_tails(), dragged.rod_tails(), atol=1e-6)
    for _ in range(24):
        assert plant.advance(sample, 1 / 24).status < STOPPED
    assert np.isfinite(plant.rod_tails()).all()


@pytest.mark.parametrize(("speed", "softness"), [(0.0, 0.03), (0.0, 0.01), (2.0, 0.01)])
def test_what_sinks_onto_the_ground_rests_there_though_its_leaves_rise_in_wind(speed, softness):
    plant, ground = leafy(3.0), Collider("plane", position=(0.0, 0.0, -0.05))
    sample = Sample(wind=np.array([speed, 0.0, 0.0]), colliders=[ground], stiffness_scale=softness)
    start = plant.start(sample, "settled")
    assert start.residual <= BALANCED
    assert not start.sways
    before = plant.rod_tails()
    plant.advance(sample, 0.5)
    np.testing.assert_allclose(plant.rod_tails(), before, atol=1e-3)


def test_drawn_starts_are_in_the_whole_wind():
    plant = leafy(3.0)
    assert plant.start(Sample(wind=EDDYING)) is None
    plant.advance(Sample(wind=EDDYING), 1 / 24)
    other = leafy(3.0)
    other.start(Sample(wind=GUSTS))
    other.advance(Sample(wind=EDDYING), 1 / 24)
    assert np.abs(plant.state.q - other.state.q).max() > 1e-6
