# SPDX-License-Identifier: GPL-3.0-or-later
"""Guided plants that go on together move to the last bit as each alone, whatever their shapes are called."""

import numpy as np
import pytest

from solver import Curve, Guide, Sample, SideBySide, Simulation, Surface, discretize, snapshot_arrays
from tests.oracles.guided.meshes import grid
from tests.oracles.models import beam

VERTICES, TRIANGLES = grid(4)


def _guides(k: int, frame: int, name: str) -> list[Guide]:
    """Of plant k: on a wire and a sheet of its own that move, which all have the same names."""
    up = 0.004 * (k + 1) * frame
    wire = Curve([(0.0, 0.1 * k, 0.1 + up), (0.2, 0.0, up), (0.5, 0.1, 0.05 + up)], name=name)
    hills = VERTICES - (0.5, 0.5, 0.0)
    hills[:, 2] = 0.1 * np.sin(3.0 * hills[:, 0] + k) - up
    sheet = Surface(hills + np.array([0.3, 0.0, 0.0]), TRIANGLES, name=name)
    return [Guide(2, by="curve", curve=wire, friction=0.3), Guide(5, by="surface", surface=sheet, friction=0.2)]


def _worlds(frame: int, name: str) -> list[Sample]:
    return [Sample(guides=_guides(k, frame, name), time=frame / 24) for k in range(3)]


def _plants() -> list[Simulation]:
    return [Simulation(discretize(beam(6, 0.4, radius=0.003, young=1e7, damping_time=0.02))) for _ in range(3)]


@pytest.mark.parametrize("name", ["", "wire"])
def test_shapes_of_one_name_are_told_apart(name) -> None:
    alone, beside = _plants(), _plants()
    for one in (alone, beside):
        for plant, world in zip(one, _worlds(0, name), strict=True):
            plant.start(world, "drawn")
    together = SideBySide(beside)
    for frame in range(1, 7):
        worlds = _worlds(frame, name)
        together.advance(worlds, 1 / 24)
        for plant, world in zip(alone, worlds, strict=True):
            plant.advance(world, 1 / 24)
    for one, snapshot in zip(alone, together.snapshots(), strict=True):
        wanted, found = snapshot_arrays(one.snapshot()), snapshot_arrays(snapshot)
        assert wanted.keys() == found.keys()
        for array, value in wanted.items():
            assert np.array_equal(found[array], value), array


def test_plants_may_share_a_shape() -> None:
    alone, beside = _plants(), _plants()
    for one in (alone, beside):
        for plant in one:
            plant.start(Sample(guides=_guides(0, 0, "shared")), "drawn")
    together = SideBySide(beside)
    for frame in range(1, 5):
        shared = _guides(0, frame, "shared")
        worlds = [Sample(guides=shared, time=frame / 24)] * 3
        together.advance(worlds, 1 / 24)
        for plant, world in zip(alone, worlds, strict=True):
            plant.advance(world, 1 / 24)
    for one, snapshot in zip(alone, together.snapshots(), strict=True):
        assert np.array_equal(one.snapshot().state.q, snapshot.state.q)
