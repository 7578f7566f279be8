# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders that speed up: what lies on them goes along, and what they do not reach they do not push."""

from itertools import pairwise

import numpy as np
import pytest

from solver import Collider, Sample, Simulation, solid
from solver.contact.obstacles import OMEGA, PLACE, ROTATION, VELOCITY, colliders_of, obstacles_at, obstacles_between
from solver.math.rotations import exponential, rotate

G, FRAME = 9.81, 1.0 / 24.0


def frames_of(poses, duration=FRAME):
    """The obstacles of each frame of a box that goes through these poses."""
    told = colliders_of([Collider("box", (0.1, 0.1, 0.1), position=poses[0][0], orientation=poses[0][1])])
    for position, orientation in poses[1:]:
        after = colliders_of([Collider("box", (0.1, 0.1, 0.1), position=position, orientation=orientation)], told)
        yield obstacles_between(told, after, duration, 1)
        told = after


def at(obstacles, s) -> np.ndarray:
    obstacles_at(obstacles, obstacles.now[0], s)
    return obstacles.now[0, 0].copy()


def turned(angle, axis=(0.6, 0.0, 0.8)) -> np.ndarray:
    return exponential(angle * np.array(axis))


def test_an_even_acceleration_is_gone_along_exactly():
    accelerated, spun = np.array((3.0, -1.0, 2.0)), 5.0
    poses = [(0.5 * accelerated * (k * FRAME) ** 2, turned(0.5 * spun * (k * FRAME) ** 2)) for k in range(8)]
    for k, obstacles in enumerate(frames_of(poses)):
        if k < 2:  # it takes two to know of it
            continue
        for s in (0.0, 0.3, 0.8, 1.0):
            t, now = (k + s) * FRAME, at(obstacles, s)
            np.testing.assert_allclose(now[PLACE : PLACE + 3], 0.5 * accelerated * t**2, atol=1e-14)
            np.testing.assert_allclose(now[VELOCITY : VELOCITY + 3], accelerated * t, atol=1e-12)
            np.testing.assert_allclose(now[OMEGA : OMEGA + 3], spun * t * np.array((0.6, 0.0, 0.8)), atol=1e-12)
            x = rotate(turned(0.5 * spun * t**2), np.array((1.0, 0.0, 0.0)))
            np.testing.assert_allclose(now[ROTATION : ROTATION + 9 : 3], x, atol=1e-13)


def test_velocities_do_not_jump_where_it_does_not_stop():
    rng = np.random.default_rng(3)
    poses = [(0.1 * rng.normal(size=3), exponential(0.5 * rng.normal(size=3))) for _ in range(12)]
    frames = list(frames_of(poses))
    for obstacles, then in pairwise(frames):
        np.testing.assert_allclose(at(obstacles, 1.0)[:18], at(then, 0.0)[:18], atol=1e-10)
    for obstacles in frames:  # and are those of the way
        before, now, after = (at(obstacles, s) for s in (0.5 - 1e-6, 0.5, 0.5 + 1e-6))
        way = (after - before)[PLACE : PLACE + 3] / (2e-6 * FRAME)
        np.testing.assert_allclose(now[VELOCITY : VELOCITY + 3], way, atol=1e-6)
        across = np.cross(now[OMEGA : OMEGA + 3], now[ROTATION : ROTATION + 9 : 3])
        turning = (after - before)[ROTATION : ROTATION + 9 : 3] / (2e-6 * FRAME)
        np.testing.assert_allclose(across, turning, atol=1e-5)


def test_what_stops_stands():
    poses = [((0.1 * min(k, 5), 0.0, 0.0), turned(0.3 * min(k, 5))) for k in range(9)]
    *_, last, stopped, still, _ = frames_of(poses)
    assert last.move()
    for obstacles in (stopped, still):
        assert not obstacles.move()
        for s in (0.0, 0.4, 1.0):
            now = at(obstacles, s)
            np.testing.assert_allclose(now[PLACE], 0.5, atol=1e-15)
            assert not now[VELOCITY : VELOCITY + 6].any()


@pytest.mark.parametrize("fps", [24, 60])
@pytest.mark.parametrize("noise", [0.0, 1e-15])
def test_what_lies_on_a_cart_that_speeds_up_stays_where_it_lies(fps, noise):
    """At .9 of what friction holds, from rest: it may slip a little while that is not known yet."""
    friction, a = 0.5, 0.9 * 0.5 * G
    plant = Simulation(solid("box", (0.04, 0.04, 0.03), friction=friction))

    def sample(t: float) -> Sample:
        x = 0.5 * a * t * t + noise
        cart = Collider("box", (4.0, 1.0, 0.1), "cart", (x, 0.0, 0.0), friction=friction)
        return Sample((0.0, 0.0, 0.13), colliders=[cart], cut=[1.0])

    plant.start(sample(0.0))
    for _ in range(fps // 2):
        plant.advance(sample(0.0), 1.0 / fps)
    slid = []
    for k in range(1, fps + 1):
        plant.advance(sample(k / fps), 1.0 / fps)
        slid.append(plant.placed().position[0, 0] - 0.5 * a * (k / fps) ** 2)
    early = max(map(abs, slid[: fps // 6]))
    assert early < 2e-3 * (24.0 / fps) ** 1.5 + 2e-3
    assert abs(slid[-1] - slid[fps // 6]) < 1e-6
    force = plant.contacts().force.sum(axis=0) / plant.model.bodies.mass.sum()
    np.testing.assert_allclose(force, (a, 0.0, G), rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("kind", ["box", "mesh"])
@pytest.mark.parametrize("bounce", [0.0, 0.9])
def test_a_ball_on_a_lift_stays_on_it(kind, bounce):
    """It goes up and down with .79 g: the ball is never off it, and is pushed with m (g + a), a as is known of the way
    at a frame's end, which is that of two frames ago."""
    w, height, radius = 2.0 * np.pi * 1.4, 0.1, 0.05
    corners = np.array([(x, y, z) for z in (-0.1, 0.1) for y in (-1.0, 1.0) for x in (-1.0, 1.0)])
    faces = [(0, 2, 3), (0, 3, 1), (4, 5, 7), (4, 7, 6), (0, 1, 5), (0, 5, 4), (2, 6, 7), (2, 7, 3), (0, 4, 6),
             (0, 6, 2), (1, 3, 7), (1, 7, 5)]  # fmt: skip
    shape = {"vertices": corners, "triangles": faces} if kind == "mesh" else {"size": (1.0, 1.0, 0.1)}
    plant = Simulation(solid("ball", [radius], bounce=bounce))

    def sample(t: float) -> Sample:
        lift = Collider(kind, name="lift", position=(0.0, 0.0, height * (1.0 - np.cos(w * t))), bounce=bounce, **shape)
        return Sample((0.0, 0.0, 0.1 + radius), colliders=[lift], cut=[1.0])

    plant.start(sample(0.0))
    for _ in range(12):
        plant.advance(sample(0.0), FRAME)
    weight = plant.model.bodies.mass[0] * G
    for k in range(1, 73):
        plant.advance(sample(k * FRAME), FRAME)
        pushed = plant.contacts().force[:, 2].sum() / weight
        expected = 1.0 + height * w * w * np.cos(w * (k - 2) * FRAME) / G
        assert pushed > 0.2
        assert k < 4 or pushed == pytest.approx(expected, abs=0.03)


def test_what_stops_suddenly_does_not_push_what_it_does_not_reach():
    ball = Simulation(solid("ball", [0.02]))
    x = [-0.4 + 0.1 * min(k, 4) for k in range(8)]

    def sample(k: int) -> Sample:
        wall = Collider("box", (0.05, 0.5, 0.5), "wall", (x[k], 0.0, 0.0))
        return Sample((0.075, 0.0, 0.0), colliders=[wall], cut=[1.0], gravity=(0.0, 0.0, 0.0))  # 5 mm before its end

    ball.start(sample(0))
    for k in range(1, 8):
        ball.advance(sample(k), FRAME)
    assert not ball.placed().velocity.any()
