# SPDX-License-Identifier: GPL-3.0-or-later
"""Settled starts of what rests on itself and on other plants: forces in balance, nothing moves afterwards."""

from dataclasses import replace

import numpy as np
import pytest

from solver import Collider, Equilibrium, Rods, Sample, Settings, Simulation, discretize
from solver.math.rotations import from_matrices

G, RADIUS = 9.81, 0.005
SAMPLE = Sample(gravity=(0.0, 0.0, -G), touches_itself=True, touches_others=True)


def along(way) -> np.ndarray:
    """Frame (4,) of a rod that points this way."""
    y = np.asarray(way) / np.linalg.norm(way)
    x = np.cross(y, (0.0, 0.0, 1.0) if abs(y[2]) < 0.9 else (0.0, 1.0, 0.0))
    x /= np.linalg.norm(x)
    return from_matrices(np.column_stack([x, y, np.cross(x, y)])[None])[0]


def straight(head, way, n, first=-1, **given):
    """Columns of n rods from head (3,) m by way (3,) m; first: the rod on which they stand, those before which are
    another's."""
    head, way = np.asarray(head), np.asarray(way)
    columns = {
        "head": [head + i * way / n for i in range(n)], "frame": [along(way)] * n,
        "length": [float(np.linalg.norm(way)) / n] * n, "radius_base": [RADIUS] * n, "radius_tip": [RADIUS] * n,
    }  # fmt: skip
    return columns | {name: [value] * n for name, value in given.items()}


def model_of(*parts, parent, layout="gauss2", **given):
    columns = {name: [value for part in parts for value in part[name]] for name in parts[0]}
    values = {"density": 600.0, "friction": 0.5, "damping_time": 0.05} | given
    return discretize(Rods(parent=parent, **columns, **values), layout)


def beam(head, way, n=6, young=1e9, **given):
    return model_of(straight(head, way, n, young=young), parent=list(range(-1, n - 1)), **given)


def crossing(n=6, height=0.012, **given):
    """A stiff beam along x, and 0.2 m before its end a soft one along y, of which the middle is above it."""
    return [beam((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), n, young=1e10, **given),
            beam((0.8, -0.8, height), (0.0, 1.0, 0.0), n, **given)]  # fmt: skip


def reeds(n=6, **given):
    """Two reeds that are drawn to each other, and of which the first hits the other beside its axis."""
    models = [beam((0.0, 0.0, 0.0), (0.05, 0.0, 1.0), n, young=3e9, **given),
              beam((0.11, 0.001, 0.0), (-0.05, 0.0, 1.0), n, young=4e9, **given)]  # fmt: skip
    force = np.zeros((2 * n, 3))
    force[n - 1, 0], force[2 * n - 1, 0] = 0.05, -0.05
    return models, replace(SAMPLE, force=force)


def forked(n=5, **given):
    """A stem with two branches, of which the soft upper one comes down on the other where they cross."""
    stem = straight((0.0, 0.0, 0.0), (0.0, 0.0, 0.5), 1, young=5e10)
    upper = straight((0.0, 0.0, 0.5), (0.7, 0.0, 0.0), n, young=3e8)
    lower = straight((0.0, -0.1, 0.47), (0.7, 0.175, 0.0), n, young=2e10)
    chain = list(range(n - 1))
    parent = [-1, 0, *(1 + i for i in chain), 0, *(1 + n + i for i in chain)]
    return model_of(stem, upper, lower, parent=parent, **given)


def settled(models, sample=SAMPLE) -> tuple[Simulation, Equilibrium]:
    plants = Simulation(models, together=True)
    found = plants.start(sample, "settled")
    assert found is not None
    assert found.balanced
    assert found.stable
    return plants, found


def moved(plants: Simulation, sample: Sample, seconds: float = 1.0) -> float:
    """Farthest (m) that a rod's end is from where it was, at any frame."""
    before, farthest = plants.rod_tails().copy(), 0.0
    for _ in range(round(24 * seconds)):
        plants.advance(sample, 1 / 24)
        farthest = max(farthest, float(np.abs(plants.rod_tails() - before).max()))
    return farthest


CASES = {
    "crossing": (crossing(), SAMPLE),
    "reeds": reeds(),
    "branches": ([forked()], SAMPLE),
}


@pytest.mark.parametrize("name", CASES)
def test_what_has_settled_on_each_other_stays(name):
    plants, found = settled(*CASES[name])
    assert found.residual <= 1e-9
    touched = plants.contacts()
    assert len(touched.force)
    assert np.abs(touched.force.sum(axis=0)).max() < 1e-12 * np.abs(touched.force).max()
    assert (touched.gap <= 0.0).all()
    assert moved(plants, CASES[name][1]) < 1e-9  # of sizes of about a metre


@pytest.mark.parametrize("name", CASES)
def test_they_settle_where_damped_motion_without_friction_ends(name):
    make = {"crossing": lambda: crossing(friction=0.0), "reeds": lambda: reeds(friction=0.0)[0],
            "branches": lambda: [forked(friction=0.0)]}[name]  # fmt: skip
    models, sample = make(), CASES[name][1]
    still, _ = settled(models, sample)
    moving = Simulation(models, Settings(max_step=1 / 96), together=True)
    thick = replace(sample, wind=(0.0, 0.0, 0.0), air_density=200.0)
    moving.start(thick)
    for _ in range(20 * 24):
        moving.advance(thick, 1 / 24)
    for _ in range(20 * 24):
        moving.advance(sample, 1 / 24)
    assert np.abs(moving.rod_tails() - still.rod_tails()).max() < 1e-8


def crossing_force(n: int) -> float:
    """Force (N) between two beams of which one carries the other, over that of beam theory."""
    rigid, young = 2e11, 1e11
    models = [beam((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), n, young=rigid),
              beam((0.8, -0.6, 2.0 * RADIUS + 1e-9), (0.0, 1.0, 0.0), n, young=young)]  # fmt: skip
    plants, _ = settled(models)
    touched = plants.contacts()
    force = float(touched.force[touched.force[:, 2] > 0.0][:, 2].sum())
    second = np.pi / 4.0 * RADIUS**4
    weight = 600.0 * np.pi * RADIUS**2 * G

    def sag(at, stiffness):
        return weight * at**2 * (6.0 - 4.0 * at + at**2) / (24.0 * stiffness)

    lower, upper = rigid * second, young * second
    compliance = 0.8**3 / (3.0 * lower) + 0.6**3 / (3.0 * upper)
    pressed = float(-touched.gap.min())
    return force * compliance / (sag(0.6, upper) - sag(0.8, lower) - pressed)


def test_crossing_beams_press_on_each_other_as_beam_theory_says():
    assert crossing_force(8) == pytest.approx(1.0, abs=5e-3)
    assert crossing_force(32) == pytest.approx(1.0, abs=3e-4)


def test_what_lies_on_the_ground_bears_what_lies_on_it():
    """Rods on soft joints that lie on the ground, and one across them."""
    hinge = {"stiffness": np.full((1, 3), 0.3), "layout": "base"}
    models = [beam((0.0, 0.1 * i, 0.3), (1.0, 0.05 * (i - 1), 0.0), 1, **hinge) for i in range(3)]
    across = beam((0.7, -0.4, 0.2), (0.0, 1.2, 0.1), 1, **hinge)
    ground = replace(SAMPLE, colliders=[Collider("plane")])
    plants, _ = settled([*models, across], ground)
    touched = plants.contacts()
    between = touched.force[touched.collider < 0]
    assert len(between) >= 2
    assert np.abs(between.sum(axis=0)).max() < 1e-12
    assert moved(plants, ground) < 1e-4


def test_a_soft_clump_comes_down_on_the_ground_and_on_itself():
    rng = np.random.default_rng(1)
    ways = np.column_stack([0.2 * rng.normal(size=(5, 2)), np.ones(5)])
    models = [beam((0.1 * i, 0.0, 0.02), way, young=3e7) for i, way in enumerate(ways)]
    ground = replace(SAMPLE, colliders=[Collider("plane")])
    plants, found = settled(models, ground)
    touched = plants.contacts()
    assert found.turn > 1.0
    assert (touched.collider < 0).any()
    assert (touched.collider == 0).any()
    assert moved(plants, ground) < 1e-8


def test_in_wind_they_lean_on_each_other_too():
    models, sample = reeds()
    blown = replace(sample, wind=(3.0, 1.0, 0.0))
    plants, _ = settled(models, blown)
    assert len(plants.contacts().force)
    assert moved(plants, blown) < 1e-8


def test_plants_of_which_one_starts_as_drawn_settle_as_if_they_did_not_touch():
    models = crossing()
    plants, alone = Simulation(models, together=True), Simulation(models[0])
    plants.start(SAMPLE, ["settled", "drawn"])
    alone.start(Sample(gravity=(0.0, 0.0, -G)), "settled")
    assert (plants.rod_tails()[:6] == alone.rod_tails()).all()


def test_what_they_lean_with_is_part_of_a_snapshot():
    plants, _ = settled(*reeds())
    start, ends = plants.snapshot(), []
    for _ in range(2):
        plants.restore(start)
        plants.advance(reeds()[1], 1 / 24)
        ends.append(plants.rod_tails())
    assert (ends[0] == ends[1]).all()
    assert len(plants.contacts().force)


def test_plants_that_are_not_to_touch_settle_to_the_same_bits():
    models = crossing()
    alone = Simulation(models)
    alone.start(Sample(gravity=(0.0, 0.0, -G)), "settled")
    for touching in (False, True):
        far = [(0.0, 0.0, 0.0), (9.0, 0.0, 0.0)]
        plants = Simulation(models, together=True)
        plants.start(Sample(gravity=(0.0, 0.0, -G), base_position=far, touches_others=touching), "settled")
        error = np.abs(plants.rod_tails() - alone.rod_tails() - np.repeat(far, 6, axis=0)).max()
        assert error == 0.0 if not touching else error < 1e-8


def test_what_overlaps_as_drawn_is_left_alone():
    models = crossing(height=0.004)
    plants, _ = settled(models)
    alone = Simulation(models, together=True)
    alone.start(Sample(gravity=(0.0, 0.0, -G)), "settled")
    assert len(plants.contacts().force) == 0
    assert np.abs(plants.rod_tails() - alone.rod_tails()).max() < 1e-9


def test_keeping_the_shape_counts_what_touches_as_drawn():
    models = crossing(height=2.0 * RADIUS - 1e-7)
    plants = Simulation(models, together=True)
    drawn = plants.rod_tails()
    found = plants.start(SAMPLE, "keep_shape")
    assert found is not None
    assert found.stable
    assert np.abs(plants.rod_tails() - drawn).max() < 1e-12
    assert np.abs(plants.contacts().force).max() > 0.0
    assert moved(plants, SAMPLE) < 1e-6
