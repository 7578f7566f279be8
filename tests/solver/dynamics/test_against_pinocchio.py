# SPDX-License-Identifier: GPL-3.0-or-later
"""Accelerations of random branching trees against Pinocchio's, which shares no code with us."""

import numpy as np
import pytest

from solver import LAYOUTS
from solver.math.rotations import exponential
from tests.oracles.models import (
    accelerations,
    random_base,
    random_bodies,
    random_frames,
    random_joints,
    random_loads,
    still_base,
)

pin = pytest.importorskip("pinocchio")

from tests.oracles.pinocchio_model import Reference, relative  # noqa: E402


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("springs", [0.0, 1.0])
def test_accelerations_on_a_still_base(seed, springs):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 40))
    bodies, joints = random_bodies(rng, n, springs, springs), random_joints(rng, n)
    loads = random_loads(rng, n)
    reference = Reference(bodies, joints, still_base(), loads)
    found = accelerations(bodies, joints, still_base(), loads)
    M, missing = reference.mass_and_bias(np.zeros((n, 3)))
    assert relative(found.ravel(), np.linalg.solve(M, missing)) < 1e-9
    assert relative(found.ravel(), Reference(bodies, joints, None, loads).aba()) < 1e-9


@pytest.mark.parametrize("seed", range(12))
def test_accelerations_with_moving_base_and_pulls(seed):
    rng = np.random.default_rng(100 + seed)
    n = int(rng.integers(2, 40))
    bodies, joints, base = random_bodies(rng, n), random_joints(rng, n), random_base(rng)
    loads = random_loads(rng, n, pulls=3)
    M, missing = Reference(bodies, joints, base, loads).mass_and_bias(np.zeros((n, 3)))
    found = accelerations(bodies, joints, base, loads)
    assert relative(found.ravel(), np.linalg.solve(M, missing)) < 1e-9


@pytest.mark.parametrize("seed", range(12))
def test_implicit_step_against_a_dense_solve(seed):
    """(M + I + c2 T + (c1 d + c2 k) J^T J) da = what is missing; I: implicit parts of joints, T: the stiffness of what
    is stretched, k, d and J: those of pulls."""
    rng = np.random.default_rng(200 + seed)
    n = int(rng.integers(2, 40))
    bodies, joints, base = random_bodies(rng, n), random_joints(rng, n), random_base(rng)
    loads, predicted = random_loads(rng, n, pulls=2), rng.normal(size=(n, 3)) * 5.0
    c1, c2 = 0.02, 0.03
    reference = Reference(bodies, joints, base, loads)
    M, missing = reference.mass_and_bias(predicted)
    A = M + reference.implicit_joints(c1, c2)
    jacobians = list(reference.pull_jacobians())
    A += c2 * reference.tension()
    for k, J in jacobians:
        A += (c1 * loads.pull_damping[k] + c2 * loads.pull_stiffness[k]) * J.T @ J
    found = accelerations(bodies, joints, base, loads, c1, c2, predicted)
    assert relative(found.ravel() - predicted.ravel(), np.linalg.solve(A, missing)) < 1e-9


@pytest.mark.parametrize("seed", range(12))
def test_loose_bodies_have_six_degrees_of_freedom(seed):
    rng = np.random.default_rng(300 + seed)
    n = int(rng.integers(2, 40))
    bodies, frames = random_frames(rng, random_bodies(rng, n), int(rng.integers(1, min(n, 5))))
    joints, loads = random_joints(rng, n), random_loads(rng, n, pulls=2)
    reference = Reference(bodies, joints, None, loads, frames)
    found = accelerations(bodies, joints, still_base(), loads, frames=frames)
    assert relative(found.ravel(), reference.aba()) < 1e-9
    M, missing = reference.mass_and_bias(np.zeros(len(found) * 3))
    assert relative(found.ravel(), np.linalg.solve(M, missing)) < 1e-9
    # And where a step of them ends.
    c1, c2 = 0.02, 0.03
    jacobians = list(reference.pull_jacobians())
    A = M + reference.implicit_joints(c1, c2) + c2 * reference.tension()
    for k, J in jacobians:
        A += (c1 * loads.pull_damping[k] + c2 * loads.pull_stiffness[k]) * J.T @ J
    found = accelerations(bodies, joints, still_base(), loads, c1, c2, frames=frames)
    assert relative(found.ravel(), np.linalg.solve(A, missing)) < 1e-9


def test_long_chain():
    """A chain of 60 short links, where rounding is worst."""
    rng = np.random.default_rng(5)
    n = 60
    bodies = random_bodies(rng, n)
    bodies = bodies._replace(parent=np.arange(n) - 1, offset=np.tile([0.0, 0.01, 0.0], (n, 1)))
    joints = random_joints(rng, n)
    joints.q[:] = exponential(rng.normal(size=(n, 3)) * 0.05)
    loads = random_loads(rng, n)
    M, missing = Reference(bodies, joints, still_base(), loads).mass_and_bias(np.zeros((n, 3)))
    assert relative(accelerations(bodies, joints, still_base(), loads).ravel(), np.linalg.solve(M, missing)) < 1e-9


@pytest.mark.skipif(np.finfo(np.longdouble).eps > 1e-18, reason="no extended precision here")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_trees_of_flat_and_grooved_rods(layout):
    """Beside their equations in extended precision: a short, thin rod that carries heavy ones has little inertia about
    its length beside theirs, up to a millionth."""
    pytest.importorskip("mujoco")  # beside which the same trees are set in motion
    from tests.oracles.runs.flat_trees import off_exact_of, random_tree, varied_tree

    trees = [random_tree(seed, layout) for seed in (0, 1, 2, 3, 19, 57)]
    trees += [varied_tree(seed, layout) for seed in range(6)]
    for tree in trees:
        ours, _, theirs = off_exact_of(*tree)
        assert ours < 1e-9
        assert theirs < 1e-9


@pytest.mark.skipif(np.finfo(np.longdouble).eps > 1e-18, reason="no extended precision here")
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("step", [1e-2, 1e-3, 1e-5])
def test_steps_of_flat_and_grooved_rods(layout, step):
    """Beside their equations in extended precision, where joints resist a turn much more, as much and much less than
    what they carry: what gives way and what holds are computed in two ways."""
    pytest.importorskip("mujoco")  # beside which the same trees are set in motion
    from tests.oracles.runs.flat_trees import off_step_of, random_tree, varied_tree

    for tree in (random_tree(3, layout), random_tree(19, layout), varied_tree(1, layout), varied_tree(4, layout)):
        assert off_step_of(*tree, step) < 1e-10
