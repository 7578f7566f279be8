# SPDX-License-Identifier: GPL-3.0-or-later
"""Rods' ends and orientations from their bodies' poses, and places on rods, in every layout."""

import time

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from solver import LAYOUTS, discretize
from solver.guides.pull_reader import points_on_rods
from solver.math.rotations import conjugate, exponential, logarithm, multiply, rotate
from solver.model.layouts import AT_THE_BASE
from solver.rod_poses import rod_ends, rod_orientations
from tests.oracles.models import beam, binary_tree, random_quaternions, random_rods
from tests.oracles.poses import STILL, poses

Y = np.array([0.0, 1.0, 0.0])


def posed(model, q=None, base=STILL):
    """Arguments of rod_poses' functions for joint rotations q (n, 4)."""
    return model, *base, *poses(model, q, base)


def matrix(q):
    return Rotation.from_quat(np.asarray(q)[..., [1, 2, 3, 0]]).as_matrix()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("segments", [1, 3])
def test_rods_point_from_head_to_tail_and_join(layout, segments):
    rng = np.random.default_rng(4)
    rods = random_rods(rng, 20, pinned=rng.random(20) < 0.2)
    model = discretize(rods, layout, segments)
    base = (rng.normal(size=3), random_quaternions(rng, 1)[0])
    pose = posed(model, exponential(rng.normal(size=(model.body_count, 3)) * 0.3), base)
    heads, tails = rod_ends(*pose)
    for i, k in enumerate(rods.parent_index):
        where = tails[k] if k >= 0 else base[0] + rotate(base[1], rods.array("head")[i])
        assert heads[i] == pytest.approx(where, abs=1e-14)
    chord = tails - heads
    pointing = rotate(multiply(base[1], rod_orientations(*pose)), Y)
    assert np.abs(pointing - chord / np.linalg.norm(chord, axis=1)[:, None]).max() < 1e-12
    rigid = model.joint_count == 0
    assert np.linalg.norm(chord, axis=1)[rigid] == pytest.approx(rods.array("length")[rigid], rel=1e-12)


@pytest.mark.parametrize("layout", AT_THE_BASE)
def test_whole_rods_are_their_bodies(layout):
    rng = np.random.default_rng(6)
    model = discretize(random_rods(rng, 12), layout)
    pose = posed(model, random_quaternions(rng, 12))
    assert np.array_equal(rod_orientations(*pose), pose[3])


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("segments", [1, 2, 5])
@pytest.mark.parametrize("angle", [1e-3, 1.0, 2.5])
def test_an_evenly_twisted_rod_shows_the_twist_of_its_middle(layout, segments, angle):
    """A rod twisted by the angle over its length: parts weighted by their lengths turn by half of it."""
    model = discretize(beam(1), layout, segments)
    q = exponential(model.bend_share[:, None] * angle * Y)
    shown = logarithm(multiply(conjugate(rod_orientations(*posed(model))), rod_orientations(*posed(model, q))))[0]
    sums = np.cumsum(model.bend_share) @ model.length_share  # mean over the length of the share passed
    assert shown == pytest.approx(sums * angle * Y, rel=0.03 if angle > 1.0 else 6e-3, abs=1e-12)
    if layout not in AT_THE_BASE and layout != "prbm3r_hall":
        assert sums == pytest.approx(0.5, abs=1e-3)


def test_every_rod_may_have_a_base_of_its_own():
    """As in plants that are simulated together."""
    rng = np.random.default_rng(11)
    model = discretize(random_rods(rng, 9), "gauss2")
    base = (rng.normal(size=3), random_quaternions(rng, 1)[0])
    pose = posed(model, exponential(rng.normal(size=(model.body_count, 3)) * 0.3), base)
    rows = (model, np.tile(base[0], (9, 1)), np.tile(base[1], (9, 1)), *pose[3:])
    assert np.array_equal(rod_orientations(*rows), rod_orientations(*pose))
    assert np.array_equal(rod_ends(*rows), rod_ends(*pose))


@pytest.mark.parametrize("twist", [0.0, 0.05])
def test_a_rod_bent_in_its_middle_points_half_way(twist):
    rng = np.random.default_rng(7)
    model = discretize(random_rods(rng, 8), "mid")
    phi = rng.normal(size=(8, 3)) * [0.8, 0.0, 0.8] + twist * Y
    pose = posed(model, exponential(phi))
    lower = np.where((model.lower < 0)[:, None], [1.0, 0, 0, 0], pose[3][model.lower])
    half = multiply(multiply(lower, model.rod_rest), exponential(0.5 * phi))
    off = logarithm(multiply(conjugate(half), rod_orientations(*pose)))
    assert np.abs(off).max() < (0.02 if twist else 1e-14)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_orientations_are_smooth_up_to_large_bending(layout):
    """Also where quaternions change sign, and beyond a whole turn of the tip."""
    rng = np.random.default_rng(8)
    model = discretize(random_rods(rng, 5), layout, 4)
    direction = rng.normal(size=(model.body_count, 3))
    direction /= np.linalg.norm(direction, axis=1)[:, None]
    before = None
    for angle in np.linspace(0.0, 1.2, 400):
        now = matrix(rod_orientations(*posed(model, exponential(angle * direction))))
        assert np.isfinite(now).all()
        if before is not None:
            assert np.abs(now - before).max() < 0.15
        before = now


def test_a_ring_has_an_orientation():
    """Head and tail meet, so that there is no chord."""
    model = discretize(beam(1), "gauss2", segments=4)
    turned = exponential(np.tile([2 * np.pi / 8, 0.0, 0.0], (8, 1)))
    assert np.isfinite(rod_orientations(*posed(model, turned))).all()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("segments", [1, 3])
def test_points_on_rods(layout, segments):
    """Places on drawn rods, on the body that carries them, and rigid with it."""
    rng = np.random.default_rng(10)
    rods = random_rods(rng, 8, pinned=[0, 1, 0, 0, 1, 0, 0, 0])
    model = discretize(rods, layout, segments)
    rod = np.repeat(np.arange(8), 5)
    along = np.tile([0.0, 0.2, 0.5, 0.77, 1.0], 8)
    body, point = points_on_rods(model, rod, along)
    pose = posed(model)
    orientation, position = pose[3:]
    on_base = (body < 0)[:, None]
    place = np.where(on_base, point, position[body] + rotate(orientation[body], point))
    drawn = rods.array("head")[rod] + (along * rods.array("length")[rod])[:, None] * rotate(rods.array("frame")[rod], Y)
    assert place == pytest.approx(drawn, abs=1e-14)
    assert np.array_equal(body[along == 1.0], model.upper)
    assert np.array_equal(body[along == 0.5], model.middle)
    at_head = body[along == 0.0]
    assert np.array_equal(at_head, model.lower if layout not in AT_THE_BASE else
                          np.where(model.first_joint < 0, model.lower, model.first_joint))  # fmt: skip


def test_reading_two_hundred_rods_is_quick():
    model = discretize(binary_tree(13, 4))
    pose = posed(model)
    best = np.inf
    for _ in range(50):
        start = time.perf_counter()
        rod_orientations(*pose)
        best = min(best, time.perf_counter() - start)
    print(f"{model.rod_count} rods: {1e3 * best:.3f} ms")
    assert best < 1e-3
