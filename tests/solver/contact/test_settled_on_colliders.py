# SPDX-License-Identifier: GPL-3.0-or-later
"""Settled starts among colliders: forces in balance, nothing moves afterwards, nothing jumps through."""

import numpy as np
import pytest

from solver import Collider, Equilibrium, Rods, Sample, Simulation, discretize, solid
from tests.oracles.models import binary_tree

G, ALONG_X = 9.81, (0.5**0.5, 0.0, 0.0, -(0.5**0.5))
RADIUS = 0.005

SHEET = {
    "vertices": [(-2.0, -1.9, 0.0), (2.1, -2.0, 0.0), (2.0, 2.0, 0.0), (-2.0, 2.0, 0.0)],
    "triangles": [(0, 1, 2), (0, 2, 3)],
}

#: Obstacles below a chain that is drawn 0.2 m above the origin.
OBSTACLES = {
    "plane": Collider("plane"),
    "slope": Collider("plane", orientation=(np.cos(0.1), np.sin(0.07), np.sin(0.0714), 0.0)),
    "sheet": Collider("mesh", **SHEET),
    "plate": Collider("box", size=(1.5, 1.0, 0.001)),
    "capsule": Collider("capsule", size=(0.05, 0.3), position=(0.5, 0.0, 0.0)),
}


def chain(n=12, length=1.0, height=0.2, young=1e6, layout="base", **given):
    """A soft horizontal chain along x."""
    each = length / n
    values = {
        "parent": list(range(-1, n - 1)), "head": [(i * each, 0.0, height) for i in range(n)], "frame": [ALONG_X] * n,
        "length": each, "radius_base": RADIUS, "radius_tip": RADIUS, "young": young, "density": 500.0,
        "friction": 0.5, "joint_damping": 0.5,
    }  # fmt: skip
    return discretize(Rods(**values | given), layout)


def weights(model) -> np.ndarray:
    """(n,) N."""
    return model.bodies.mass * G


def settled(model, *colliders, **given) -> tuple[Simulation, Equilibrium, Sample]:
    sample = Sample(colliders=list(colliders), gravity=(0.0, 0.0, -G), **given)
    plant = Simulation(model)
    found = plant.start(sample, "settled")
    assert found is not None
    assert found.balanced
    assert found.stable
    return plant, found, sample


def moved(plant: Simulation, sample: Sample, seconds: float = 2.0) -> float:
    """Farthest (m) that a rod's end is from where it was, at any frame."""
    before, farthest = plant.rod_tails().copy(), 0.0
    for _ in range(round(24 * seconds)):
        plant.advance(sample, 1 / 24)
        farthest = max(farthest, float(np.abs(plant.rod_tails() - before).max()))
    return farthest


@pytest.mark.parametrize("tilt", [0.0, 0.2])
def test_a_hinged_rod_is_carried_as_its_moments_say(tilt):
    model = chain(1, height=0.3, stiffness=np.zeros((1, 3)))
    normal = np.array([-np.sin(tilt), 0.0, np.cos(tilt)])
    ground = Collider("plane", orientation=(np.cos(0.5 * tilt), 0.0, -np.sin(0.5 * tilt), 0.0))
    plant, _, _ = settled(model, ground)
    arm = plant.rod_tails()[0] - (0.0, 0.0, 0.3)
    push = 0.5 * np.cross(arm, (0.0, 0.0, weights(model)[0]))[1] / np.cross(arm, normal)[1]
    assert plant.contacts().force.sum(axis=0) == pytest.approx(push * normal, rel=1e-6, abs=1e-9)


def test_a_lying_chain_of_hinges_weighs_on_the_table_what_lies_there():
    model = chain(6, height=0.1, stiffness=np.zeros((6, 3)))
    plant, _, _ = settled(model, Collider("plane"))
    assert plant.rod_tails()[:, 2] == pytest.approx(RADIUS, abs=0.02 * RADIUS)
    w = weights(model)
    assert plant.contacts().force[:, 2].sum() == pytest.approx(w[1:].sum() + 0.5 * w[0], rel=1e-6)


def propped(n: int) -> float:
    """By how much the reaction of a support near a cantilever's tip, as a share of its weight, is not that of beam
    theory: w (6 L^2 - 4 L a + a^2) / 8 a of one at a, which is 3/8 at the tip."""
    model = chain(n, height=0.0, young=1e9, layout="gauss2", friction=0.0)
    support = Collider("ball", size=2.0, position=(1.0, 0.0, -2.0 - RADIUS - 1e-9))  # it does not slide off
    plant, _, _ = settled(model, support)
    touched = plant.contacts()
    up = touched.force[:, 2]
    a = float((up * touched.point[:, 0]).sum() / up.sum())
    return abs(float(up.sum() / weights(model).sum()) - (6.0 - 4.0 * a + a * a) / (8.0 * a))


def test_a_propped_cantilever_leans_as_beam_theory_says():
    errors = [propped(n) for n in (8, 16, 32)]
    assert errors[0] > errors[1] > errors[2]
    assert errors[2] < 3e-3


@pytest.mark.parametrize("name", OBSTACLES)
def test_what_has_settled_stays(name):
    plant, _, sample = settled(chain(), OBSTACLES[name])
    assert len(plant.contacts().force)
    assert moved(plant, sample) < 0.01 * RADIUS


@pytest.mark.parametrize("name", ["plane", "sheet", "capsule"])
def test_it_settles_where_damped_motion_without_friction_ends(name):
    model = chain(6, friction=0.0, joint_damping=0.01)
    still, _, sample = settled(model, OBSTACLES[name])
    moving = Simulation(model)
    moving.start(sample)
    for _ in range(60 * 24):
        moving.advance(sample, 1 / 24)
    assert np.abs(moving.rod_tails() - still.rod_tails()).max() < 0.01 * RADIUS


def test_a_sheet_carries_as_a_plane_does():
    on_plane, _, _ = settled(chain(), OBSTACLES["plane"])
    on_sheet, _, _ = settled(chain(), OBSTACLES["sheet"])
    assert on_sheet.rod_tails() == pytest.approx(on_plane.rod_tails(), abs=1e-6 * RADIUS)


@pytest.mark.parametrize("young", [1e4, 1e7])
def test_nothing_falls_through_a_thin_plate(young):
    plant, _, _ = settled(chain(height=0.4, young=young), Collider("mesh", **SHEET))
    assert plant.rod_tails()[:, 2].min() > 0.9 * RADIUS


def test_what_overlaps_as_drawn_is_left_alone():
    model = chain(4)
    around = Collider("box", size=(3.0, 3.0, 3.0))
    among, _, _ = settled(model, around)
    alone, _, _ = settled(model)
    assert among.rod_tails() == pytest.approx(alone.rod_tails(), abs=1e-9)
    assert not len(among.contacts().force)


def test_friction_knows_the_push_from_the_first_frame():
    plant, _, sample = settled(chain(), OBSTACLES["plane"])
    before = plant.contacts().force[:, 2].sum()
    plant.advance(sample, 1 / 24)
    assert plant.contacts().force[:, 2].sum() == pytest.approx(before, rel=1e-3)


def test_plants_side_by_side_settle_as_alone():
    models, ground = [chain(5), chain(7, young=1e5)], OBSTACLES["plane"]
    both, _, _ = settled(models, ground)
    alone = [settled(one, ground)[0] for one in models]
    assert both.rod_tails().tobytes() == np.concatenate([one.rod_tails() for one in alone]).tobytes()


def test_rounding_of_the_input_changes_no_more_than_rounding():
    here, _, _ = settled(chain(), OBSTACLES["plane"])
    there, _, _ = settled(chain(height=0.2 * (1.0 + 1e-15)), OBSTACLES["plane"])
    assert np.abs(here.rod_tails() - there.rod_tails()).max() < 1e-4 * RADIUS


def test_a_kept_shape_that_touches_a_table_as_drawn_carries_itself():
    model, ground = chain(height=RADIUS, young=1e9), OBSTACLES["plane"]
    sample = Sample(colliders=[ground], gravity=(0.0, 0.0, -G))
    plant = Simulation(model)
    drawn = plant.rod_tails().copy()
    plant.start(sample, "keep_shape")
    assert np.abs(plant.rod_tails() - drawn).max() < 1e-12
    assert moved(plant, sample) < 1e-6 * RADIUS


@pytest.mark.parametrize("seed", [5, 8, 9, 13])
def test_leaves_settle_among_balls(seed):
    """Where a blade touches a ball slides along and across it as it turns."""
    rng = np.random.default_rng(seed)
    young = 10.0 ** rng.uniform(7.0, 8.5)
    model = discretize(binary_tree(3, 4, 0.003, young, damping_time=0.02, blade_area=2e-3))
    plant = Simulation(model)
    plant.start(Sample())
    tails = plant.rod_tails()
    places = rng.uniform(tails.min(axis=0) - 0.02, tails.max(axis=0) + 0.02, size=(20, 3))
    balls = [Collider("ball", (0.03,), str(k), position=place) for k, place in enumerate(places)]
    found = plant.start(Sample(colliders=balls), "settled")
    assert found.residual < 1e-8
    before = plant.rod_tails()
    for _ in range(24):
        plant.advance(Sample(colliders=balls), 1.0 / 24.0)
    assert np.abs(plant.rod_tails() - before).max() < 1e-6


def test_what_is_far_away_does_not_move_what_has_settled():
    """A limp plant lies on the ground, and a heavy ball that goes along in the same steps falls beside it."""
    model = discretize(
        binary_tree(3, 4, radius=0.003, young=3e5, damping_time=0.05, friction=0.5, blade_area=2e-3)
    )
    plant = Simulation([model, solid("ball", [0.05])], together=True)
    sample = Sample(
        [(0.0, 0.0, 0.0), (3.0, 0.0, 0.6)], colliders=[Collider("plane", position=(0.0, 0.0, -0.01), friction=0.5)],
        touches_others=True, cut=[0.0] * model.rod_count + [1.0],
    )  # fmt: skip
    plant.start(sample, ["settled", "drawn"])
    settled = plant.rod_tails()[:-1]
    for _ in range(6):
        assert plant.advance(sample, 1.0 / 24.0).status == 0
    assert np.abs(plant.rod_tails()[:-1] - settled).max() < 1e-6
    assert plant.rod_heads()[-1, 2] == pytest.approx(0.6 - 0.5 * G * 0.25**2, abs=0.005)
