# SPDX-License-Identifier: GPL-3.0-or-later
"""What must hold whatever the plant: Newton-Euler's balance, conservation, symmetry, order of bodies, repeatability."""

import numpy as np
import pytest

from solver import Sample, Settings, Simulation, discretize
from solver.data.rows import rows_of
from solver.math.rotations import multiply, rotate
from solver.model.model import Bodies
from tests.oracles.analytic import Motion, spring_energy, spring_moments
from tests.oracles.models import (
    accelerations,
    binary_tree,
    no_panels,
    random_base,
    random_bodies,
    random_joints,
    random_loads,
    random_quaternions,
    random_rods,
    still_base,
)
from tests.oracles.runs.repeated_motions import swing


@pytest.mark.parametrize("seed", range(8))
def test_joint_moments_of_the_solved_motion(seed):
    """Inverse dynamics of the accelerations gives back what springs and dampers supply."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 30))
    bodies, joints, base, loads = random_bodies(rng, n), random_joints(rng, n), random_base(rng), random_loads(rng, n)
    found = accelerations(bodies, joints, base, loads)
    motion = Motion(bodies, joints.q, joints.u, found, base)
    torque = loads.torque + loads.twist[:, None] * motion.R[:, :, 1]
    needed = motion.joint_moments(loads.gravity, loads.force, torque)
    stiffness = bodies.stiffness * loads.stiffness_scale[0]
    damping = bodies.damping_time[:, None] * stiffness + bodies.damping[:, None]
    supplied = spring_moments(stiffness, joints.q) - damping * joints.u
    assert np.abs(needed - supplied).max() < 1e-7 * np.abs(needed).max()  # the gradient is a finite difference


def free_root(rods):
    """The root joint without a spring, so that angular momentum about it is conserved."""
    model = discretize(rods, "double_root")
    model.bodies.stiffness[0] = 0.0
    return model


def conserved(plant):
    """Energy, angular momentum about the root joint, and the sum of the sizes of what makes up that momentum."""
    state, bodies = plant.state, plant.model.bodies
    motion = Motion(bodies, state.q, state.u, state.a, still_base())
    parts = bodies.mass * np.linalg.norm(motion.com, axis=1) * np.linalg.norm(motion.v_com, axis=1)
    energy = motion.kinetic_energy() + spring_energy(bodies, state.q)
    return energy, motion.angular_momentum(np.zeros(3)), parts.sum()


def test_energy_and_angular_momentum():
    """A released, undamped tree on a free root joint keeps both up to an error of second order in the step.

    The order is that of converged solves.
    """
    drifts = []
    for h in (1 / 9600, 1 / 19200, 1 / 38400):
        rng = np.random.default_rng(3)
        plant = Simulation(
            free_root(random_rods(rng, 8, young=1e6)), Settings(max_step=h, tolerance=np.inf, newton_tolerance=1e-8)
        )
        nothing = Sample(gravity=(0.0, 0.0, 0.0))
        plant.start(nothing, initial=rng.normal(size=(8, 3)) * 0.2)
        energy = conserved(plant)[0]
        for _ in range(12):
            plant.advance(nothing, 1 / 24)
        later, momentum, parts = conserved(plant)
        drifts.append((1.0 - later / energy, np.linalg.norm(momentum) / parts))
    print("loss of energy and gained angular momentum, relative, in 0.5 s:", drifts)
    assert 0.0 < drifts[-1][0] < 0.0002  # the scheme may damp a little, but never feeds
    assert drifts[-1][1] < 0.001
    assert drifts[0][0] / drifts[-1][0] > 8.0
    assert drifts[0][1] / drifts[-1][1] > 8.0


@pytest.mark.parametrize("seed", range(5))
def test_rotating_the_scene_rotates_the_answer(seed):
    rng = np.random.default_rng(seed)
    bodies, joints, base, loads = (
        random_bodies(rng, 20),
        random_joints(rng, 20),
        random_base(rng),
        random_loads(rng, 20, 2),
    )
    found = accelerations(bodies, joints, base, loads, 0.01, 0.02)
    turn = random_quaternions(rng, 1)[0]
    for row in (0, 2, 3, 4, 5):
        base[row, :3] = rotate(turn, base[row, :3])
    base[1] = multiply(turn, base[1])
    for vectors in (loads.gravity, loads.force, loads.torque, loads.pull_target):
        vectors[...] = rotate(turn, vectors)
    again = accelerations(bodies, joints, base, loads, 0.01, 0.02)
    assert np.abs(again - found).max() < 1e-10 * np.abs(found).max()


@pytest.mark.parametrize("seed", range(5))
def test_order_of_bodies_does_not_matter(seed):
    rng = np.random.default_rng(seed)
    n = 25
    bodies, joints, base, loads = random_bodies(rng, n), random_joints(rng, n), random_base(rng), random_loads(rng, n)
    found = accelerations(bodies, joints, base, loads, 0.01, 0.02)
    order = another_topological_order(bodies.parent, rng)
    place = np.argsort(order)
    parent = bodies.parent[order]
    shuffled = Bodies(np.where(parent < 0, -1, place[parent]), *(a[order] for a in bodies[1:]))
    for name in ("force", "torque", "twist"):
        getattr(loads, name)[...] = getattr(loads, name)[order].copy()
    again = accelerations(shuffled, type(joints)(*(a[order] for a in joints)), base, loads, 0.01, 0.02)
    assert np.abs(again - found[order]).max() < 1e-9 * np.abs(found).max()


def another_topological_order(parent, rng):
    order, ready = [], [int(i) for i in np.flatnonzero(parent < 0)]
    while ready:
        i = ready.pop(int(rng.integers(len(ready))))
        order.append(i)
        ready += [int(k) for k in np.flatnonzero(parent == i)]
    return np.array(order)


def test_a_used_workspace_changes_nothing():
    rng = np.random.default_rng(7)
    bodies, joints, base, loads = (
        random_bodies(rng, 15),
        random_joints(rng, 15),
        random_base(rng),
        random_loads(rng, 15, 2),
    )
    used = rows_of([(bodies, no_panels(15))])
    accelerations(bodies, random_joints(rng, 15), random_base(rng), random_loads(rng, 15, 3), 0.1, 0.01, rows=used)
    assert np.array_equal(
        accelerations(bodies, joints, base, loads, 0.01, 0.02),
        accelerations(bodies, joints, base, loads, 0.01, 0.02, rows=used),
    )


@pytest.mark.parametrize("layout", ["double_root", "mid"])
def test_repeatable_to_the_bit(layout):
    model = discretize(binary_tree(3, 4, damping_time=0.002), layout)
    paths = []
    reused = Simulation(model)
    for plant in (Simulation(model), Simulation(model), reused, reused):
        plant.start(Sample())
        paths.append(swing(plant))
    for path in paths[1:]:
        assert np.array_equal(path, paths[0])


def test_going_back_to_a_snapshot_repeats_to_the_bit():
    plant = Simulation(discretize(binary_tree(3, 3)))
    plant.start(Sample(), "settled")
    swing(plant, 5)
    snapshot = plant.snapshot()
    there, first = plant.rod_tails(), swing(plant)
    plant.restore(snapshot)
    assert np.array_equal(plant.rod_tails(), there)
    assert np.array_equal(swing(plant), first)
