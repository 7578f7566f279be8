# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders that speed up: what lies on them goes along, and what they do not reach they do not push."""

from itertools import pairwise

import numpy as np
import pytest

from solver import Collider, Sample, Simulation, solid
from solver.contact.obstacles import (
    OMEGA,
    PLACE,
    ROTATION,
    VELOCITY,
    colliders_of,
    obstacles_at,
    obstacles_between,
    own_velocity,
    vertex_then,
)
from solver.math.rotations import exponential, rotate
from solver.world.collider_path import largest_way

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


def swaying(seed, size) -> list[np.ndarray]:
    """Vectors that sway as slowly as twelve frames in a swing, each coordinate in another way."""
    rng = np.random.default_rng(seed)
    swing, phase, wide = 12.0 + 24.0 * rng.random(size), 2.0 * np.pi * rng.random(size), rng.normal(size=size)
    return [wide * np.sin(2.0 * np.pi * k / swing + phase) for k in range(40)]


def test_velocities_do_not_jump_where_it_sways():
    poses = [(0.1 * x[:3], exponential(0.5 * x[3:])) for x in swaying(3, 6)]
    frames = list(frames_of(poses))[2:]
    for obstacles, then in pairwise(frames):
        np.testing.assert_allclose(at(obstacles, 1.0)[:18], at(then, 0.0)[:18], atol=1e-10)
    for obstacles in frames:  # and are those of the way
        before, now, after = (at(obstacles, s) for s in (0.5 - 1e-6, 0.5, 0.5 + 1e-6))
        way = (after - before)[PLACE : PLACE + 3] / (2e-6 * FRAME)
        np.testing.assert_allclose(now[VELOCITY : VELOCITY + 3], way, atol=1e-6)
        across = np.cross(now[OMEGA : OMEGA + 3], now[ROTATION : ROTATION + 9 : 3])
        turning = (after - before)[ROTATION : ROTATION + 9 : 3] / (2e-6 * FRAME)
        np.testing.assert_allclose(across, turning, atol=1e-5)


def deforming(shapes):
    """The obstacles of each frame of a mesh that takes these shapes (v, 3)."""
    faces = np.arange(len(shapes[0])).reshape(-1, 3)
    told = colliders_of([Collider("mesh", name="skin", vertices=shapes[0], triangles=faces)])
    for vertices in shapes[1:]:
        after = colliders_of([Collider("mesh", name="skin", vertices=vertices, triangles=faces)], told)
        yield obstacles_between(told, after, FRAME, 1)
        told = after


def test_vertices_go_along_with_even_accelerations_exactly():
    rng = np.random.default_rng(1)
    start, accelerated = rng.normal(size=(9, 3)), rng.normal(size=(9, 3))
    shapes = [start + 0.5 * accelerated * (k * FRAME) ** 2 for k in range(8)]
    for k, obstacles in enumerate(deforming(shapes)):
        assert obstacles.move()
        for i in range(9 if k > 1 else 0):
            for s in (0.0, 0.3, 0.8, 1.0):
                t, a = (k + s) * FRAME, accelerated[i]
                np.testing.assert_allclose(vertex_then(obstacles, s, i), start[i] + 0.5 * a * t**2, atol=1e-14)
                np.testing.assert_allclose(own_velocity(obstacles, s, i), a * t, atol=1e-12)


def test_velocities_of_vertices_do_not_jump_where_they_sway():
    frames = list(deforming([0.1 * x for x in swaying(3, (6, 3))]))[2:]
    for obstacles, then in pairwise(frames):
        for i in range(6):
            np.testing.assert_allclose(vertex_then(obstacles, 1.0, i), vertex_then(then, 0.0, i), atol=1e-13)
            np.testing.assert_allclose(own_velocity(obstacles, 1.0, i), own_velocity(then, 0.0, i), atol=1e-10)
    for obstacles in frames:  # are those of the way, and no larger than is told
        far = largest_way(obstacles.after - obstacles.before, obstacles.bends)
        assert far == obstacles.fastest[0]
        for s in np.linspace(0.0, 1.0, 21):
            way = np.subtract(vertex_then(obstacles, s + 1e-6, 0), vertex_then(obstacles, s - 1e-6, 0)) / 2e-6
            np.testing.assert_allclose(own_velocity(obstacles, s, 0), way / FRAME, atol=1e-5)
            assert max(np.linalg.norm(own_velocity(obstacles, s, i)) for i in range(6)) * FRAME < far + 1e-12


def test_vertices_that_stop_stand():
    rng = np.random.default_rng(4)
    start, way = rng.normal(size=(6, 3)), rng.normal(size=(6, 3))
    way[3:] = 0.0  # and what never moves stands
    *_, last, stopped, still = deforming([start + min(k, 5) * way for k in range(8)])
    assert last.move()
    assert last.bends[:3].any()
    assert not last.bends[3:].any()
    for obstacles in (stopped, still):
        assert not obstacles.move()
        for s in (0.0, 0.4, 1.0):
            np.testing.assert_array_equal([vertex_then(obstacles, s, i) for i in range(6)], start + 5.0 * way)
            assert not any(any(own_velocity(obstacles, s, i)) for i in range(6))


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


CORNERS = np.array([(x, y, z) for z in (-0.1, 0.1) for y in (-1.0, 1.0) for x in (-4.0, 4.0)])
FACES = [(0, 2, 3), (0, 3, 1), (4, 5, 7), (4, 7, 6), (0, 1, 5), (0, 5, 4), (2, 6, 7), (2, 7, 3), (0, 4, 6), (0, 6, 2),
         (1, 3, 7), (1, 7, 5)]  # fmt: skip


def plate(kind, place, **traits):
    """A collider .2 m thick at a place (m), of a kind, or a mesh that is deformed to be there."""
    if kind == "box":
        return Collider("box", (4.0, 1.0, 0.1), "plate", place, **traits)
    if kind == "mesh":
        return Collider("mesh", name="plate", position=place, vertices=CORNERS, triangles=FACES, **traits)
    return Collider("mesh", name="plate", vertices=CORNERS + place, triangles=FACES, **traits)


@pytest.mark.parametrize("kind", ["box", "deformed"])
@pytest.mark.parametrize("fps", [24, 60])
@pytest.mark.parametrize("noise", [0.0, 1e-15])
def test_what_lies_on_a_cart_that_speeds_up_stays_where_it_lies(fps, noise, kind):
    """At .9 of what friction holds, from rest: it may slip a little while that is not known yet."""
    friction, a = 0.5, 0.9 * 0.5 * G
    plant = Simulation(solid("box", (0.04, 0.04, 0.03), friction=friction))

    def sample(t: float) -> Sample:
        x = 0.5 * a * t * t + noise
        cart = plate(kind, (x, 0.0, 0.0), friction=friction)
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


@pytest.mark.parametrize("kind", ["box", "mesh", "deformed"])
@pytest.mark.parametrize("bounce", [0.0, 0.9])
def test_a_ball_on_a_lift_stays_on_it(kind, bounce):
    """It goes up and down with .79 g: the ball is never off it, and is pushed with m (g + a), a as is known of the way
    at a frame's end, which is that of two frames ago."""
    w, height, radius = 2.0 * np.pi * 1.4, 0.1, 0.05
    plant = Simulation(solid("ball", [radius], bounce=bounce))

    def sample(t: float) -> Sample:
        lift = plate(kind, (0.0, 0.0, height * (1.0 - np.cos(w * t))), bounce=bounce)
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


#: Keys of a way: how it comes for ten frames, and goes on, by m a frame.
SUDDEN = {
    "jumps and goes on": (0.0, 5.0, 0.01), "jumps and creeps": (0.0, 5.0, 1e-6), "turns round": (-0.25, 0.0, 0.25),
    "stops and creeps": (-0.4, 0.0, 1e-8), "jumps back": (0.01, -3.0, 0.01), "starts": (0.0, 0.0, 0.25),
}  # fmt: skip


@pytest.mark.parametrize("turns", [False, True])
@pytest.mark.parametrize("way", SUDDEN)
def test_what_moves_suddenly_does_not_go_past_where_it_is_at_frames(way, turns):
    """It is between its keys at all times, and what is deformed so too."""
    comes, jumps, goes = SUDDEN[way]
    places = np.cumsum([0.0] + [comes] * 10 + [jumps] + [goes] * 10)
    if turns:
        frames = frames_of([((0.0, 0.0, 0.0), turned(0.3 * x, (0.0, 0.0, 1.0))) for x in places])
    else:
        frames = frames_of([((0.0, x, 0.0), (1.0, 0.0, 0.0, 0.0)) for x in places])
    skins = deforming([np.array([(0.0, x, 0.0), (1.0, x, 0.0), (0.0, x, 1.0)]) for x in places])
    for obstacles, skin, start, end in zip(frames, skins, places, places[1:], strict=False):
        for s in np.linspace(0.0, 1.0, 33):
            now = at(obstacles, s)
            along = np.arctan2(now[ROTATION + 3], now[ROTATION]) / 0.3 if turns else now[PLACE + 1]
            for x in (along, vertex_then(skin, s, 0)[1]):
                assert min(start, end) - 1e-14 < x < max(start, end) + 1e-14


@pytest.mark.parametrize("noise", [0.0, 1e-15])
@pytest.mark.parametrize("creeps", [0.0, 1e-8])
def test_a_lid_that_comes_fast_does_not_touch_what_it_stops_above(creeps, noise):
    ball = Simulation(solid("ball", [0.02]))
    x = np.cumsum([-0.4] + [0.1] * 4 + [creeps] * 6) + noise

    def sample(k: int) -> Sample:
        wall = Collider("box", (0.05, 0.5, 0.5), "wall", (x[k], 0.0, 0.0))
        return Sample((0.1, 0.0, 0.0), colliders=[wall], cut=[1.0], gravity=(0.0, 0.0, 0.0))  # 3 cm before its end

    ball.start(sample(0))
    for k in range(1, len(x)):
        ball.advance(sample(k), FRAME)
    assert not ball.placed().velocity.any()


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
