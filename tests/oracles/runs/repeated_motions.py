# SPDX-License-Identifier: GPL-3.0-or-later
"""Motions that are made in several ways, by other processes too, and compared bit by bit."""

import numpy as np

from solver import STOPPED, GustyWind, Sample, Settings, Simulation, discretize
from tests.oracles.models import binary_tree


def swing(plant, frames=24):
    """A moving base, a load and a pull."""
    m = plant.model.rod_count
    path = []
    for k in range(frames):
        t = (k + 1) / 24
        sample = Sample(
            base_position=(0.1 * np.sin(5 * t), 0.0, 0.02 * t), base_orientation=(np.cos(t), 0.0, np.sin(t), 0.0),
            force=np.tile([0.0, 0.01 * np.cos(t), 0.0], (m, 1)), pull_rod=[m - 1], pull_along=[1.0],
            pull_target=[[0.2, 0.1, 0.3]], pull_stiffness=[0.5 * (k > 8)], pull_damping=[0.01],
        )  # fmt: skip
        plant.advance(sample, 1 / 24)
        path.append(np.concatenate([plant.rod_tails().ravel(), plant.rod_orientations().ravel()]))
    return np.array(path)


def first_pose():
    """Poses of small plants as they are drawn, in two layouts."""
    poses = []
    for layout in ("double_root", "mid"):
        plant = Simulation(discretize(binary_tree(2, 2), layout))
        plant.start(Sample(), "drawn")
        poses.append(np.concatenate([plant.rod_tails().ravel(), plant.rod_orientations().ravel()]))
    return np.array(poses)


def motion():
    paths = []
    for mode, layout in (("settled", "double_root"), ("keep_shape", "mid")):
        plant = Simulation(discretize(binary_tree(2, 2, damping_time=0.01), layout))
        plant.start(Sample(), mode)
        paths.append(swing(plant, 3))
    absurd = Simulation(discretize(binary_tree(2, 2)), Settings(max_step=0.1, halvings=0))
    absurd.start(Sample())
    status = absurd.advance(Sample(gravity=(1e40, 0.0, 0.0)), 0.1).status
    assert status == STOPPED
    assert np.isfinite(absurd.rod_tails()).all()
    return np.array(paths)


def motions() -> dict[str, str]:
    """Poses of small plants in all kinds of loads, as hexadecimal text of their bits."""
    found = {}
    worlds = {
        "weight": lambda frame: Sample(),
        "pushed": lambda frame: Sample(base_position=(0.02 * np.sin(frame), 0.0, 0.0)),
        "gusts": lambda frame: Sample(wind=GustyWind((4.0, 1.0, 0.0), seed=2), time=frame / 24),
        "loads": lambda frame: Sample(force=np.full((9, 3), 0.01 * frame), twist=np.full(9, 0.001)),
        "handle": lambda frame: Sample(
            pull_rod=[8], pull_along=[1.0], pull_target=[(0.1, 0.01 * frame, 0.2)], pull_stiffness=[50.0],
            pull_damping=[0.1],
        ),
        "field": lambda frame: Sample(force_field=lambda points, velocities, time: -20.0 * points - velocities),
        "grows": lambda frame: Sample(stretch=np.full(9, 1.0 + 0.01 * frame)),
        "wilts": lambda frame: Sample(stiffness_scale=1.0 / (1.0 + frame)),
    }  # fmt: skip
    for name, world in worlds.items():
        for limit, mode, young in ((np.inf, "settled", 4e7), (0.05, "keep_shape", 4e9)):
            rods = binary_tree(3, 2, radius=0.003, young=young, damping_time=0.005, bend_limit=limit)
            plant = Simulation(discretize(rods), Settings(threads=1))
            plant.start(world(0), mode)
            for frame in range(1, 4):
                plant.advance(world(frame), 1 / 24)
            found[f"{name}, {mode}"] = np.vstack([plant.rod_heads(), plant.rod_orientations()[:, 1:]]).tobytes().hex()
    return found
