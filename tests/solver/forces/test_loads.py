# SPDX-License-Identifier: GPL-3.0-or-later
"""Forces, torques, twist and pulls against closed forms."""

import numpy as np
import pytest

from solver import OK, Sample, Settings, Simulation, discretize
from solver.math.rotations import rotate
from tests.oracles import analytic
from tests.oracles.models import ALONG_X, ALONG_Z, beam, binary_tree, run
from tests.oracles.poses import poses

LAYOUTS = ("base", "double_root", "mid")
WEIGHTLESS = (0.0, 0.0, 0.0)
BENDING = analytic.YOUNG * analytic.SECOND_MOMENT
TWISTING = BENDING / 1.3  # G J = E I / (1 + nu) with nu = 0.3


def settled(rods, layout, **sample):
    plant = Simulation(discretize(rods, layout))
    found = plant.start(Sample(gravity=WEIGHTLESS, **sample), "settled")
    assert found.residual < 1e-9
    return plant


@pytest.mark.parametrize("n", [1, 4, 10, 50])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_tip_force_bends_as_in_closed_form(layout, n):
    """A pull without much stiffness is a constant force at the tip."""
    force, far = 0.1, 1e6
    plant = settled(
        beam(n), layout, pull_rod=[n - 1], pull_along=[1.0], pull_target=[[1.0, 0.0, -far]],
        pull_stiffness=[force / far], pull_damping=[0.0],
    )  # fmt: skip
    expected = force / (3 * BENDING) * analytic.tip_force_ratio(layout, n)
    assert -plant.rod_tails()[-1, 2] == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("n", [1, 4, 50])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("how", ["twist", "torque"])
def test_twisted_rod(layout, n, how):
    moment = 0.4 * TWISTING
    load = np.zeros(n)
    load[-1] = moment
    about = load if how == "twist" else load[:, None] * np.array([1.0, 0.0, 0.0])
    plant = settled(beam(n), layout, **{how: about})
    # The tip's turn is that of the last body; a rod that bends in its middle reports half its own joint's turn.
    turned = rotate(poses(plant.model, plant.state.q)[0][-1], np.array([0.0, 0.0, 1.0]))
    start = rotate(ALONG_X, np.array([0.0, 0.0, 1.0]))
    angle = np.arctan2(np.cross(start, turned)[0], start @ turned)
    assert angle == pytest.approx(moment / TWISTING * analytic.twist_ratio(layout, n), rel=1e-6)
    assert np.abs(plant.rod_tails()[:, 1:]).max() < 1e-9  # stays straight


def test_twist_turns_with_the_body_and_torque_does_not():
    """Twisting an upright stem that leans keeps to the stem's own axis."""
    rods = beam(4, length=0.4, radius=0.004, young=1e9, frame=ALONG_Z)
    lean = {
        "pull_rod": [3],
        "pull_along": [1.0],
        "pull_target": [[0.3, 0.0, 0.2]],
        "pull_stiffness": [20.0],
        "pull_damping": [0.0],
    }
    twist = np.array([0.0, 0.0, 0.0, 0.02])
    followed = settled(rods, "double_root", twist=twist, **lean)
    axis = rotate(poses(followed.model, followed.state.q)[0][-1], np.array([0.0, 1.0, 0.0]))
    fixed = settled(rods, "double_root", torque=twist[:, None] * axis, **lean)
    assert np.abs(followed.rod_tails() - fixed.rod_tails()).max() < 1e-7


def test_force_acts_at_the_centre_of_mass():
    """Gravity given as forces instead."""
    model = discretize(binary_tree(3, 3, radius=0.006), "double_root")
    one, other = Simulation(model), Simulation(model)
    weight = np.zeros((model.rod_count, 3))
    weight[:, 2] = -9.81 * model.bodies.mass
    one.start(Sample(), "settled")
    other.start(Sample(gravity=WEIGHTLESS, force=weight), "settled")
    assert np.abs(one.rod_tails() - other.rod_tails()).max() < 1e-9


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("along", [0.0, 0.3, 0.5, 0.8, 1.0])
@pytest.mark.parametrize("max_step", [1 / 24, 1 / 240])
def test_a_stiff_pull_holds_its_point(max_step, layout, along):
    """1e6 N/m and 1e3 N s/m on a stem of a few grams: seized at once, dragged 10 cm and held."""
    rods = beam(20, length=0.5, radius=0.003, young=5e8, frame=ALONG_Z, damping_time=0.02)
    plant = Simulation(discretize(rods, layout), Settings(max_step=max_step))
    plant.start(Sample(), "settled")
    start = pulled_point(plant, 15, along)
    for k in range(96):
        share = 0.5 - 0.5 * np.cos(np.pi * min(k / 48, 1.0))
        target = start + share * np.array([0.1, 0.0, -0.03])
        report = plant.advance(pull(15, along, target, 1e6, 1e3), 1 / 24)
        assert report.status == OK
        assert np.abs(pulled_point(plant, 15, along) - target).max() < 5e-3
    assert np.abs(pulled_point(plant, 15, along) - target).max() < 2e-5


def pull(rod, along, target, stiffness, damping):
    return Sample(
        pull_rod=[rod], pull_along=[along], pull_target=[target], pull_stiffness=[stiffness], pull_damping=[damping]
    )


def pulled_point(plant, rod, along):
    """World position of a place on a rod, as the solver pulls it."""
    other = Simulation(plant.model)
    other.start(pull(rod, along, np.zeros(3), 1.0, 0.0))
    pulls = other.at_rest()[2].loads.pulls
    orientation, position = poses(plant.model, plant.state.q)
    body = pulls.body[0]
    return position[body] + rotate(orientation[body], pulls.point[0])


def test_pull_points_on_both_halves_of_a_mid_rod():
    """At rest as drawn the pulled point is where it was asked for, whichever half it is on."""
    rods = beam(3, length=0.3, frame=ALONG_Z)
    for layout in LAYOUTS:
        plant = Simulation(discretize(rods, layout))
        plant.start(Sample())
        for along in (0.0, 0.25, 0.5, 0.75, 1.0):
            assert pulled_point(plant, 1, along) == pytest.approx([0.0, 0.0, 0.1 + 0.1 * along], abs=1e-15)


def test_pull_and_let_go_swings_back():
    rods = binary_tree(3, 3, radius=0.008, damping_time=0.03)
    plant = Simulation(discretize(rods))
    plant.start(Sample(), "settled")
    rest, tip = plant.rod_tails(), len(rods) - 1
    target = rest[tip] + [0.1, 0.05, 0.0]
    for k in range(24):
        plant.advance(pull(tip, 1.0, target, 200.0 * min(1.0, k / 12), 0.0), 1 / 24)
    assert np.linalg.norm(plant.rod_tails()[tip] - target) < 0.03
    run(plant, 6.0)
    assert np.abs(plant.rod_tails() - rest).max() < 1e-4


def test_wilting_by_the_stiffness_scale():
    rods = binary_tree(3, 3, radius=0.006, damping_time=0.05)
    plant, softer = Simulation(discretize(rods)), Simulation(discretize(binary_tree(3, 3, radius=0.006, young=3e7)))
    plant.start(Sample(), "settled")
    for k in range(24):
        plant.advance(Sample(stiffness_scale=1.0 - 0.7 * (k + 1) / 24), 1 / 24)
    run(plant, 20.0, sample=Sample(stiffness_scale=0.3))
    softer.start(Sample(), "settled")
    assert np.abs(plant.rod_tails() - softer.rod_tails()).max() < 1e-4


def test_handles_at_one_point_pull_as_one_between_them():
    """Two springs k to a and b are one of 2 k to the middle of a and b, while all move."""
    model, k = discretize(beam(6, radius=0.002, young=1e8)), 3.0
    two, one = (Simulation(model, Settings(newton_tolerance=1e-12)) for _ in range(2))
    for frame in range(13):
        ends = np.array([[0.9, 0.02 * frame, 0.0], [0.9, 0.0, -0.01 * frame]])
        for plant, target, stiffness in ((two, ends, k), (one, ends.mean(axis=0, keepdims=True), 2.0 * k)):
            same = np.ones(len(target))
            sample = Sample(
                pull_rod=5 * same, pull_along=same, pull_target=target, pull_stiffness=stiffness * same,
                pull_damping=0.0 * same,
            )  # fmt: skip
            if frame == 0:
                plant.start(sample, "settled")
            else:
                plant.advance(sample, 1 / 24)
        assert np.abs(two.rod_tails() - one.rod_tails()).max() < 1e-8
