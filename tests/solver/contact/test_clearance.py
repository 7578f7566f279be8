# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants that are far from colliders are not looked at shape by shape; what is found is the same."""

import numpy as np
import pytest

from solver import Collider, Sample, Simulation, discretize
from tests.oracles.models import ALONG_X, beam

FRAME = 1.0 / 24.0

CUBE = np.array([(x, y, z) for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.1, 0.1)])
FACES = np.array([(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6),
                  (0, 6, 4), (1, 5, 7), (1, 7, 3)])  # fmt: skip


def below(kind: str, frame: int) -> Collider:
    at = (0.25, 0.0, -0.8 + 0.01 * frame)  # which comes up
    if kind == "mesh":
        return Collider("mesh", vertices=CUBE, triangles=FACES, position=at)
    return Collider(kind, {"ball": (0.1,), "box": (0.1, 0.1, 0.1), "capsule": (0.1, 0.1), "plane": ()}[kind],
                    position=at)  # fmt: skip


def turning(frame: int) -> Collider:
    """What is far and turns, beside which no distance is relied on."""
    half = 0.05 * frame
    return Collider("ball", (0.1,), "turns", (0.0, 100.0, 0.0), (np.cos(half), 0.0, 0.0, np.sin(half)))


def fallen(kind: str, *, is_always_looked_at: bool) -> np.ndarray:
    """Where the ends of a chain's rods are at frames in which it falls onto something that comes up."""
    plant = Simulation(discretize(beam(12, 0.5, 0.004, frame=ALONG_X, young=1e6, damping_time=0.01)))
    cut, found = np.eye(12)[0], []
    for frame in range(24):
        colliders = [below(kind, frame), *([turning(frame)] if is_always_looked_at else [])]
        sample = Sample(colliders=colliders, cut=cut)
        if frame == 0:
            plant.start(sample)
        else:
            plant.advance(sample, FRAME)
        found.append(plant.rod_tails())
    assert len(plant.contacts().rod) > 0
    return np.array(found)


def lying(*, is_always_looked_at: bool) -> np.ndarray:
    """Where the ends of a chain's rods are while it comes to rest on a still plane, and slides away when that tilts."""
    plant = Simulation(discretize(beam(6, 0.3, 0.004, frame=ALONG_X, young=1e6, damping_time=0.01)))
    cut, found, touching = np.eye(6)[0], [], []
    for frame in range(30):
        half = 0.0 if frame < 24 else 0.02 * (frame - 23)
        ground = Collider("plane", position=(0.0, 0.0, -0.006), orientation=(np.cos(half), 0.0, np.sin(half), 0.0))
        force = np.full((6, 3), 1e-12 * frame)  # by which energy may be added, as by what turns
        colliders = [ground, *([turning(frame)] if is_always_looked_at else [])]
        sample = Sample(colliders=colliders, cut=cut, force=force)
        if frame == 0:
            plant.start(sample)
        else:
            plant.advance(sample, FRAME)
        found.append(plant.rod_tails())
        touching.append(len(plant.contacts().rod))
    assert min(touching[12:24]) > 3
    return np.array(found)


def test_what_lies_is_pushed_at_the_points_that_it_would_be_found_to_have():
    assert np.array_equal(lying(is_always_looked_at=False), lying(is_always_looked_at=True))


@pytest.mark.parametrize("kind", ["plane", "ball", "box", "capsule", "mesh"])
def test_what_is_not_looked_at_could_not_touch(kind):
    assert np.array_equal(fallen(kind, is_always_looked_at=False), fallen(kind, is_always_looked_at=True))
