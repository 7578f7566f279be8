# SPDX-License-Identifier: GPL-3.0-or-later
"""Wires with corners hold at and behind these too, and what cannot come to its wire hangs still."""

import math
from dataclasses import replace

import numpy as np
import pytest

from solver import Curve, Guide, Sample, Simulation, discretize
from solver.math.rotations import from_matrices
from tests.oracles.guided.beads import slide
from tests.oracles.models import beam

#: A wire with corners of up to 123 degrees.
ZIGZAG = np.array([(0.2, 0.0, 0.2), (0.3, 0.1, 0.0), (0.4, 0.0, -0.2), (0.2, -0.2, -0.1), (0.35, -0.1, 0.15)])

SQUARE = np.array([(0.2, 0.1, 0.1), (0.4, 0.1, 0.1), (0.4, -0.1, 0.1), (0.2, -0.1, 0.1)])

#: One out of reach, two parts of which are about as far away.
BOWL = np.array([(-0.4, 0.0, 1.15), (-0.15, 0.0, 0.95), (0.0, 0.0, 0.9), (0.2, 0.0, 0.95), (0.5, 0.0, 1.1)])


def off(points: np.ndarray, x: np.ndarray) -> float:
    """How far (m) x is from straight lines through points."""
    start, way = points[:-1], np.diff(points, axis=0)
    along = np.clip(((x - start) * way).sum(axis=1) / (way**2).sum(axis=1), 0.0, 1.0)
    return float(np.linalg.norm(x - start - along[:, None] * way, axis=1).min())


@pytest.mark.parametrize("turn", [30.0, 89.0, 91.0, 105.0, 120.0, 150.0])
def test_a_bead_slides_into_a_corner_and_out_of_it(turn: float) -> None:
    half = 0.5 * math.radians(turn)
    wire = 0.3 * np.array([(-math.cos(half), 0.0, math.sin(half)), (0, 0, 0), (math.cos(half), 0.0, math.sin(half))])
    places = slide(Guide(0, by="curve", curve=Curve(wire, smooth=False)), 0.8 * wire[0], 120, 1 / 24)
    assert max(off(wire, x) for x in places) < 1e-6
    assert places[:, 2].max() < places[0, 2] + 1e-6
    assert places[:, 2].min() < 1e-3


@pytest.mark.parametrize("n", [5, 8])
@pytest.mark.parametrize("wire", [ZIGZAG, ZIGZAG[::-1] * (1.0, -1.0, 0.7), SQUARE], ids=["zigzag", "mirrored", "ring"])
def test_a_rope_rests_and_sways_on_a_wire_with_corners(wire: np.ndarray, n: int) -> None:
    """Where it is thrown into a corner it comes off by less than 0.1 mm for a moment."""
    plant, is_ring = Simulation(discretize(beam(n, 0.6, 0.004, 1e6, 900.0, damping_time=0.02), "base")), wire is SQUARE
    still = Sample(guides=[Guide(n - 1, by="curve", curve=Curve(wire, closed=is_ring, smooth=False))])
    lines = np.concatenate([wire, wire[:1]]) if is_ring else wire
    assert plant.start(still, "settled").balanced
    assert off(lines, plant.rod_tails()[-1]) < 1e-9
    for frame in range(48):
        plant.advance(replace(still, wind=np.array([0.0, 6.0 * math.sin(0.3 * frame), 2.0])), 1 / 24)
        assert off(lines, plant.rod_tails()[-1]) < 1e-4
    for _ in range(24):
        plant.advance(still, 1 / 24)
    assert off(lines, plant.rod_tails()[-1]) < 1e-6


@pytest.mark.parametrize("young", [1e5, 6.4e6])
@pytest.mark.parametrize("turned", [0.0, 1.1031, 3.8583, 5.1733])
def test_what_cannot_come_to_its_wire_hangs_still(turned: float, young: float) -> None:
    """It begins where the motion leaves it. Turned: about its own axis, which is all the same but for rounding."""
    down, x = np.array([0.0, 0.0, -1.0]), np.array([math.cos(turned), math.sin(turned), 0.0])
    frame = from_matrices(np.column_stack([x, down, np.cross(x, down)])[None])[0]
    plant = Simulation(discretize(beam(8, 0.8, 0.0079, young, 800.0, frame, damping_time=0.06), "double_root"))
    wire = Curve(BOWL - (0.0, 0.0, 1.7), smooth=False)
    world = Sample(guides=[Guide(0, by="curve", curve=wire)])
    assert plant.start(world, "settled").balanced
    begins = plant.rod_tails()
    for _ in range(24):
        plant.advance(world, 1 / 24)
        assert np.abs(plant.rod_tails() - begins).max() < 1e-4
