# SPDX-License-Identifier: GPL-3.0-or-later
"""The same motion at every frame rate."""

import itertools

import numpy as np
import pytest

from solver import OK, Sample, Simulation, discretize
from tests.oracles.models import binary_tree

SECONDS = 4.0


def world(t, tip, rest):
    """A pot that is pushed and turned, and a tip that is drawn aside and let go."""
    push = 0.15 * np.sin(np.pi * min(t, 1.0)) ** 2
    turn = 0.2 * np.sin(0.5 * np.pi * t) ** 2
    strength = 30.0 * np.sin(np.pi * np.clip(t - 1.5, 0.0, 1.0)) ** 2
    return Sample(
        base_position=(push, 0.0, 0.0), base_orientation=(np.cos(turn / 2), 0.0, 0.0, np.sin(turn / 2)),
        pull_rod=[tip], pull_along=[1.0], pull_target=[rest + np.array([0.0, 0.1, 0.0])], pull_stiffness=[strength],
        pull_damping=[0.0],
    )  # fmt: skip


def path(rods, layout, fps):
    """(t, 3) the tip at every twelfth of a second, and the length of its path."""
    plant = Simulation(discretize(rods, layout))
    plant.start(Sample(), "settled")
    tip = len(rods) - 1
    rest = plant.rod_tails()[tip]
    points = [rest]
    for k in range(1, round(SECONDS * fps) + 1):
        assert plant.advance(world(k / fps, tip, rest), 1 / fps).status == OK
        points.append(plant.rod_tails()[tip])
    points = np.array(points)
    return points[:: fps // 6], np.linalg.norm(np.diff(points, axis=0), axis=1).sum()


@pytest.mark.parametrize("layout", ["base", "double_root", "mid"])
@pytest.mark.parametrize("radius", [0.006, 0.01])
def test_24_30_and_60_frames_a_second(layout, radius):
    rods = binary_tree(3, 4, radius=radius, damping_time=0.02)
    paths = {fps: path(rods, layout, fps) for fps in (24, 30, 60)}
    for one, other in itertools.combinations(paths, 2):
        apart = np.linalg.norm(paths[one][0] - paths[other][0], axis=1).max()
        length = min(paths[one][1], paths[other][1])
        print(f"{layout}, {one} and {other} fps: apart {apart * 1000:.2f} mm of a path of {length * 1000:.0f} mm")
        assert apart < 0.01 * length
