# SPDX-License-Identifier: GPL-3.0-or-later
"""Motions with points that are held, against closed forms, an independent formulation and the same motion by joints."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from solver import Curve, Guide, Sample, Settings, Simulation, discretize
from solver.guides.curves import curves_through, nearest_on_curve
from tests.oracles.guided.beads import GRAVITY, bead, slide
from tests.oracles.guided.ropes import FOUR_BARS, bars
from tests.oracles.models import beam


def _slide(curve: Curve, start: np.ndarray, times: int, step: float, **guide: float) -> np.ndarray:
    return slide(Guide(0, by="curve", curve=curve, **guide), start, times, step)


def _ring(radius: float, points: int) -> Curve:
    angle = np.linspace(0.0, 2.0 * np.pi, points, endpoint=False)
    return Curve(radius * np.stack([np.sin(angle), np.zeros(points), -np.cos(angle)], axis=1), closed=True)


def test_a_bead_on_a_ring_swings_as_a_pendulum() -> None:
    radius, start = 0.2, 1.2
    at = radius * np.array([math.sin(start), 0.0, -math.cos(start)])
    places = _slide(_ring(radius, 256), at, 48, 1 / 24)
    found = np.arctan2(places[:, 0], -places[:, 2])
    wanted = solve_ivp(
        lambda _, y: [y[1], -GRAVITY / radius * math.sin(y[0])], (0.0, 2.0), [start, 0.0],
        t_eval=np.arange(49) / 24.0, rtol=1e-10, atol=1e-10,
    ).y[0]  # fmt: skip
    assert np.abs(found - wanted).max() < 0.02 * start
    assert np.abs(np.linalg.norm(places, axis=1) - radius).max() < 1e-6


def test_a_bead_stays_on_its_wire_for_half_a_minute() -> None:
    """Guenter and Lee 2009, figure 8: with steps of 1/30 s."""
    angle = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
    wire = Curve(np.stack([0.3 * np.cos(angle), 0.2 * np.sin(angle), 0.1 * np.sin(2.0 * angle)], axis=1), closed=True)
    places = _slide(wire, np.array([0.3, 0.0, 0.0]), 900, 1 / 30)
    curves = curves_through([wire.checked()])
    off = [np.linalg.norm(np.array(nearest_on_curve(curves, curves, 0.0, 0, tuple(x))[0]) - x) for x in places]
    assert max(off) < 1e-6
    assert places[:, 2].max() < 1e-3


@pytest.mark.parametrize(("steep", "moves"), [(0.4, False), (0.7, True)])
def test_friction_on_a_straight_wire_is_coulombs(steep: float, moves: bool) -> None:
    wire = Curve([[-5.0, 0.0, 5.0 * math.tan(steep)], [5.0, 0.0, -5.0 * math.tan(steep)]])
    friction, t = 0.5, 0.5
    places = _slide(wire, np.zeros(3), 12, 1 / 24, friction=friction)
    gone = np.linalg.norm(places[-1])
    wanted = 0.5 * GRAVITY * (math.sin(steep) - friction * math.cos(steep)) * t * t if moves else 0.0
    assert gone == pytest.approx(wanted, rel=2e-3, abs=2e-6)


def test_a_bead_stops_at_a_free_end() -> None:
    """And is not thrown back by it."""
    wire = Curve([[-0.2, 0.0, 0.1], [0.0, 0.0, 0.0], [0.2, 0.0, -0.1]])
    places = _slide(wire, np.zeros(3), 48, 1 / 24)
    there = np.flatnonzero(np.abs(places[:, 0] - 0.2) < 1e-3)
    assert np.abs(places[there[0] :, 0] - 0.2).max() < 1e-3
    assert np.abs(places[-1] - [0.2, 0.0, -0.1]).max() < 1e-6
    assert places[:, 0].max() < 0.21


def test_what_is_held_in_a_plane_slides_in_it() -> None:
    plant, normal = bead(), np.array([1.0, 2.0, 4.0]) / math.sqrt(21.0)
    world = Sample(cut=[1.0], gravity=(0.0, 0.0, -GRAVITY), guides=[Guide(0, 0.0, "plane", normal=3.0 * normal)])
    plant.start(world)
    for _ in range(24):
        plant.advance(world, 1 / 24)
    down = np.array([0.0, 0.0, -GRAVITY])
    wanted = 0.5 * (down - (down @ normal) * normal)
    assert np.abs(plant.rod_heads()[0] - wanted).max() < 1e-3 * np.linalg.norm(wanted)
    assert abs(plant.rod_heads()[0] @ normal) < 1e-7


def test_what_is_held_at_its_base_moves_as_by_its_joint() -> None:
    """A loose rod that is held where its joint was, against the rod with its joint."""
    soft = {"young": 1.0, "density": 900.0, "radius": 0.004}
    hung = Simulation(discretize(beam(1, 0.3, **soft), "base"))
    held = Simulation(discretize(beam(1, 0.3, **soft), "base"))
    world = Sample(gravity=(1.0, 2.0, -GRAVITY))
    cut = Sample(gravity=world.gravity, cut=[1.0], guides=[Guide(0, 0.0)])
    hung.start(world)
    held.start(cut)
    for _ in range(24):
        hung.advance(world, 1 / 24)
        held.advance(cut, 1 / 24)
        assert np.abs(hung.rod_tails() - held.rod_tails()).max() < 1e-4
        assert np.abs(held.rod_heads()).max() < 1e-7


class _Bars:
    """Bars in a plane, joined one after the other, whose last end stays where it is: Lagrange's equations with
    multipliers, of the angles from the x axis."""

    def __init__(self, lengths: np.ndarray, masses: np.ndarray):
        self.length, self.m = lengths, masses
        k = len(lengths)
        # Of the middle of bar i, and of the end: how much of each bar's length is on the way.
        self.way = np.tril(np.ones((k, k)), -1) + 0.5 * np.eye(k)

    def accelerations(self, theta: np.ndarray, rate: np.ndarray) -> np.ndarray:
        m, k, length = self.m, len(self.m), self.length
        along, across = np.stack([np.cos(theta), np.sin(theta)]), np.stack([-np.sin(theta), np.cos(theta)])
        M, Q = np.diag(m * length**2 / 12.0), np.zeros(k)
        for i in range(k):
            J = self.way[i] * length * across
            bent = -(self.way[i] * length * rate**2 * along).sum(axis=1)
            M = M + m[i] * J.T @ J
            Q += J.T @ (m[i] * (np.array([0.0, -GRAVITY]) - bent))
        J, bent = length * across, (length * rate**2 * along).sum(axis=1)
        full = np.block([[M, J.T], [J, np.zeros((2, 2))]])
        return np.linalg.solve(full, np.concatenate([Q, bent]))[:k]

    def swing(self, theta: np.ndarray, times: np.ndarray) -> np.ndarray:
        k = len(theta)
        found = solve_ivp(
            lambda _, y: np.concatenate([y[k:], self.accelerations(y[:k], y[k:])]), (0.0, times[-1]),
            np.concatenate([theta, np.zeros(k)]), t_eval=times, rtol=1e-11, atol=1e-11, method="DOP853",
        )  # fmt: skip
        return found.y[:k].T


def _swung(step: float, frames: int) -> tuple[np.ndarray, np.ndarray]:
    """Ends of the first two bars of a four-bar linkage after frames of 1/24 s, and how far its last end is off."""
    rods, ends = bars(*FOUR_BARS)
    plant = Simulation(discretize(rods, "base"), Settings(max_step=step))
    world = Sample(gravity=(0.0, 0.0, -GRAVITY), guides=[Guide(2, position=ends[-1])])
    plant.start(world)
    found, off = [], []
    for _ in range(frames):
        plant.advance(world, 1 / 24)
        found.append(plant.rod_tails()[:2, [0, 2]])
        off.append(np.abs(plant.rod_tails()[2] - ends[-1]).max())
    return np.array(found), np.array(off)


def _wanted(frames: int) -> np.ndarray:
    theta, lengths = FOUR_BARS
    masses = lengths * math.pi * 0.002**2 * 1000.0
    theta = _Bars(lengths, masses).swing(theta, np.arange(1, frames + 1) / 24.0)
    steps = lengths * np.stack([np.cos(theta), np.sin(theta)])
    return np.moveaxis(np.cumsum(steps, axis=2), 0, 2)[:, :2]


def test_a_four_bar_linkage_swings_as_lagranges_equations_say() -> None:
    found, off = _swung(1.0 / 960.0, 12)
    wanted = _wanted(12)
    assert np.abs(found - wanted).max() < 2e-3 * np.ptp(wanted, axis=0).max()
    assert off.max() < 1e-6


def test_a_four_bar_linkage_is_of_second_order() -> None:
    wanted = _wanted(6)
    errors = [np.abs(_swung(1.0 / (24.0 * k), 6)[0] - wanted).max() for k in (10, 40)]
    assert math.log2(errors[0] / errors[1]) / 2.0 > 1.7


@pytest.mark.parametrize(("length", "radius", "young"), [(1.0, 0.02, 3e8), (5.0, 0.05, 1e9)])
def test_a_nail_holds_a_heavy_beam_where_it_is(length, radius, young) -> None:
    """Also with what it gives the rest of the second, for what is rigid is a spring."""
    plant = Simulation(discretize(beam(10, length, radius, young, 700.0), "base"))
    nail = np.array([0.7 * length, 0.0, 0.2 * length])
    still = Sample(guides=[Guide(9, position=nail)])
    plant.start(still, "settled")
    for _ in range(24):
        plant.advance(still, 1 / 24)
        assert np.abs(plant.rod_tails()[9] - nail).max() < 1e-9
    for frame in range(1, 49):
        moved = nail + 0.05 * length * math.sin(frame / 4.0) * np.array([0.0, 0.0, 1.0])
        plant.advance(Sample(guides=[Guide(9, position=moved)]), 1 / 24)
        assert np.abs(plant.rod_tails()[9] - moved).max() < 1e-6


@pytest.mark.parametrize("times", [1.0, 3.0])
def test_a_nail_that_is_shaken_by_a_metre_holds_its_rope(times: float) -> None:
    """So many times a second; what gives way elsewhere brakes nothing here."""
    plant = Simulation(discretize(beam(20, 2.0, 0.004, 1e6, 900.0, damping_time=0.05), "base"))

    def nail(time: float) -> np.ndarray:
        return np.array([1.4, 0.0, 0.5 * math.sin(2.0 * math.pi * times * time)])

    plant.start(Sample(guides=[Guide(19, position=nail(0.0))]), "settled")
    off = []
    for frame in range(1, 73):
        assert plant.advance(Sample(guides=[Guide(19, position=nail(frame / 24))]), 1 / 24).status == 0
        off.append(np.linalg.norm(plant.rod_tails()[-1] - nail(frame / 24)))
    assert max(off) < 1e-4
    assert np.mean(off) < 5e-6


@pytest.mark.parametrize("back", [2, 3, 4, 6])
def test_a_bone_that_is_tied_to_one_near_it_stays_there(back):
    """What is rigid is measured by the joints that bend for it: those between the two, which are far stiffer than all
    the way to the base is."""
    plant = Simulation(discretize(beam(10, 1.0, 0.01, 1e9, 800.0, damping_time=0.05)))
    tied = Sample(guides=[Guide(9, by="rod", other_rod=9 - back)])
    plant.start(tied, "settled")
    for _ in range(24):
        plant.advance(tied, 1.0 / 24.0)
        assert np.linalg.norm(plant.rod_tails()[9] - plant.rod_tails()[9 - back]) < 1e-6
