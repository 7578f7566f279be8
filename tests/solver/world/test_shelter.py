# SPDX-License-Identifier: GPL-3.0-or-later
"""Shelter against closed forms: the exponential of a canopy's momentum sink, and wakes that keep their momentum."""

import itertools
import math

import numpy as np
import pytest

from solver import GustyWind, Shelter, ShelteredWind, SolverError, UniformWind
from solver.world.shelter import LEAST, MOST_CELLS

DENSITY = 0.5  # C_d a of the block, 1/m
LENGTH, WIDTH, HEIGHT = 4.0, 10.0, 4.0


def lattice(size, counts):
    """(m, 3) m: middles of equal parts of a box."""
    axes = [(np.arange(n) + 0.5) / n * edge for edge, n in zip(size, counts, strict=True)]
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)


def block():
    """Points and drag areas of a box with an even density, from x = 0 on."""
    points = lattice((LENGTH, WIDTH, HEIGHT), (40, 80, 32))
    return points, np.full(len(points), DENSITY * LENGTH * WIDTH * HEIGHT / len(points))


def crown(seed=3, n=600):
    """Points and drag areas of a round crown 3 m across, 2.5 m above the ground."""
    rng = np.random.default_rng(seed)
    ways = rng.normal(size=(n, 3))
    ways *= 1.5 * rng.uniform(size=(n, 1)) ** (1 / 3) / np.linalg.norm(ways, axis=1, keepdims=True)
    return np.array([0.0, 0.0, 2.5]) + ways, np.full(n, 0.01)


def along(x, y, z):
    return np.stack([x, np.full_like(x, y), np.full_like(x, z)], axis=1)


def reed_bed(rows=5, in_a_row=80, between_rows=1.0, between=0.25, height=2.0, width=0.024):
    """Points and drag areas of upright stems of a drag area per length (m), 20 pieces each; rows lie across x."""
    points = [
        (i * between_rows, j * between, (k + 0.5) * height / 20)
        for i in range(rows) for j in range(in_a_row) for k in range(20)
    ]  # fmt: skip
    return np.array(points), np.full(len(points), width * height / 20)


def test_a_block_of_even_density_leaves_the_exponential():
    x = np.linspace(-1.0, LENGTH, 41)
    points = along(x, 0.5 * WIDTH, 0.2 * HEIGHT)
    expected = np.exp(-0.5 * DENSITY * np.maximum(x, 0.0))
    found = [Shelter(*block(), (1, 0, 0), cell, 0.0).factor(points) for cell in (1.0, 0.5, 0.25)]
    errors = [np.abs(one - expected).max() for one in found]
    assert errors[-1] < 0.25 * DENSITY * 0.25, "an area acts half a cell behind it"
    for coarse, fine in itertools.pairwise(errors):  # of first order
        assert fine == pytest.approx(0.5 * coarse, rel=0.2)
    assert (Shelter(*block(), (1, 0, 0), 0.25).factor(points)[x <= 0.0] == 1.0).all()


def test_a_finer_grid_changes_less_and_less():
    points = np.random.default_rng(5).uniform((-2.0, -3.0, 0.0), (8.0, 3.0, 5.0), (400, 3))
    found = [Shelter(*crown(), (1, 0.2, 0), cell).factor(points) for cell in (1.6, 0.8, 0.4, 0.2)]
    changes = [np.abs(fine - coarse).mean() for coarse, fine in itertools.pairwise(found)]
    assert changes[1] < 0.75 * changes[0]
    assert changes[2] < 0.75 * changes[1]
    assert changes[2] < 0.02


def test_it_moves_and_turns_with_the_plants():
    points, areas = crown()
    asked = np.random.default_rng(6).uniform(-4.0, 12.0, (300, 3))
    before = Shelter(points, areas, (1.0, 0.0, 0.0)).factor(asked)
    assert before.min() < 0.8
    shift = np.array([31.7, -12.3, 4.1])
    moved = Shelter(points + shift, areas, (3.0, 0.0, 0.0)).factor(asked + shift)
    assert np.abs(moved - before).max() < 1e-10
    turn = np.array([[math.cos(0.7), -math.sin(0.7), 0.0], [math.sin(0.7), math.cos(0.7), 0.0], [0.0, 0.0, 1.0]])
    turned = Shelter(points @ turn.T, areas, turn[:, 0]).factor(asked @ turn.T)
    assert np.abs(turned - before).max() < 1e-10
    order = np.random.default_rng(7).permutation(len(points))
    assert np.abs(Shelter(points[order], areas[order], (1.0, 0.0, 0.0)).factor(asked) - before).max() < 1e-12


@pytest.mark.parametrize("far", [0.0, 30.0])
def test_the_missing_momentum_stays_behind_the_plants(far):
    """Half the drag area, where it is thin: in the grid, which an area of next to nothing makes long, and behind it."""
    points, areas = crown()
    points, areas = np.vstack([points, [1.6 + far, 0.0, 2.5]]), np.append(0.008 * areas, 1e-12)
    shelter = Shelter(points, areas, (1.0, 0.0, 0.0), 0.5)
    y, z = np.arange(-20.0, 20.0, 0.25) + 0.125, np.arange(0.0, 20.0, 0.25) + 0.125 + points[:, 2].min()
    asked = np.stack(np.meshgrid(y, z, indexing="ij"), axis=-1).reshape(-1, 2)
    missing = [(1.0 - shelter.factor(np.insert(asked, 0, x, axis=1))).sum() * 0.25**2 for x in (2.6, 8.0, 16.0, 26.0)]
    assert missing == pytest.approx([0.5 * areas.sum()] * 4, rel=0.02)


def test_a_wake_widens_as_a_gaussian():
    """A thin cloud far above the ground: what is missing behind its middle, and at a standard deviation beside it."""
    size, spread = 0.5, 0.1
    points = np.random.default_rng(9).normal((0.0, 0.0, 30.0), (0.01, size, size), (4000, 3))
    areas = np.full(len(points), 0.05 / len(points))
    points, areas = np.vstack([points, [12.0, 0.0, 26.0]]), np.append(areas, 1e-12)
    cell = 0.25
    shelter = Shelter(points, areas, (1.0, 0.0, 0.0), cell, spread)
    for x in (2.0, 5.0, 10.0):
        variance = size**2 + (spread * x) ** 2 + cell**2 / 3.0  # sharing out and interpolating are a sixth each
        middle = 0.5 * areas.sum() / (2.0 * math.pi * variance)
        side = middle * math.exp(-0.5)
        found = 1.0 - shelter.factor(np.array([(x, 0.0, 30.0), (x, math.sqrt(variance), 30.0)]))
        assert found == pytest.approx([middle, side], rel=0.08)


def test_far_behind_the_wind_has_recovered():
    points, areas = crown()
    x = np.array([2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 1000.0])
    left = Shelter(points, areas, (1.0, 0.0, 0.0)).factor(along(x, 0.0, 2.5))
    assert left[0] < 0.75
    assert (np.diff(left) > 0.0).all()
    assert 1.0 - left[-2] < 0.02
    assert 1.0 - left[-1] == pytest.approx(0.01 * (1.0 - left[-2]), rel=0.35), "with the square of the distance"


def test_five_rows_of_reeds():
    """Behind their middle, where no wind has come in from the sides or above yet, and from row to row."""
    points, areas = reed_bed()
    shelter = Shelter(points, areas, (1.0, 0.0, 0.0))
    per_row = 0.024 / 0.25
    behind = shelter.factor(np.array([(4.5, 10.0, 0.7)]))[0]
    expected = math.exp(-0.5 * 5 * per_row)
    assert expected == pytest.approx(0.787, abs=1e-3)
    assert behind == pytest.approx(expected, abs=0.015)
    rows = shelter.factor(along(np.arange(5.0), 10.0, 0.7))
    assert rows == pytest.approx(np.exp(-0.5 * per_row * np.arange(5)), abs=0.015)
    assert rows[0] == 1.0
    above = shelter.factor(np.array([(4.5, 10.0, 3.0)]))[0]
    assert above > 0.97


def test_one_stem_is_hardly_changed():
    stem = along(np.zeros(20), 0.0, 0.0)
    stem[:, 2] = (np.arange(20) + 0.5) * 0.05
    stem[:, 0] = 0.2 * stem[:, 2] ** 2  # it leans
    for direction in ((1, 0, 0), (-1, 0, 0), (0.3, 0.8, 0.0), (0.6, 0.0, -0.2)):
        assert Shelter(stem, np.full(20, 0.0096 * 0.05), direction).factor(stem).min() > 0.98


def test_it_depends_continuously_on_what_stands_there_and_where_it_is_asked():
    points, areas = reed_bed(rows=3, in_a_row=9)
    asked = np.random.default_rng(2).uniform((-1.0, -1.0, -0.5), (6.0, 4.0, 3.0), (500, 3))
    before = Shelter(points, areas, (1.0, 0.0, 0.0)).factor(asked)
    rng = np.random.default_rng(4)
    for _ in range(10):
        noise = [1e-15 * rng.uniform(-1.0, 1.0, shape) for shape in (points.shape, areas.shape, 3, asked.shape)]
        near = Shelter(points + noise[0], areas + noise[1], np.array([1.0, 0.0, 0.0]) + noise[2])
        assert np.abs(near.factor(asked + noise[3]) - before).max() < 1e-12
    step = 0.001
    for start, way in (((-3.0, 1.1, 0.7), (1.0, 0.0, 0.0)), ((2.2, -4.0, 0.7), (0.0, 1.0, 0.0)),
                       ((1.6, 1.0, -1.0), (0.0, 0.0, 1.0)), ((-1.0, -2.0, -0.5), (0.6, 0.7, 0.3))):  # fmt: skip
        line = np.array(start) + np.arange(0.0, 12.0, step)[:, None] * np.array(way)
        assert np.abs(np.diff(Shelter(points, areas, (1.0, 0.0, 0.0)).factor(line))).max() < 2.0 * step


def test_plants_that_move_change_it_without_a_jump():
    points, areas = crown(n=60)
    asked = np.random.default_rng(8).uniform((-2.0, -2.0, 1.0), (6.0, 2.0, 4.0), (200, 3))
    found = []
    for way in np.arange(0.0, 1.0, 0.01):
        swayed = points.copy()
        swayed[:10] += [0.3 * way, way, 0.1 * way]
        found.append(Shelter(swayed, 2.0 * areas, (1.0, 0.0, 0.0), 0.25).factor(asked))
    assert np.abs(np.diff(found, axis=0)).max() < 0.02


def test_equal_arguments_give_equal_bits_in_any_order():
    shelter = Shelter(*crown(), (1.0, 0.3, 0.1))
    asked = np.random.default_rng(3).uniform(-3.0, 9.0, (101, 3))
    whole = shelter.factor(asked)
    order = np.random.default_rng(4).permutation(101)
    assert np.array_equal(shelter.factor(asked[order]), whole[order])
    assert np.array_equal(np.concatenate([shelter.factor(one[None]) for one in asked]), whole)
    assert np.array_equal(Shelter(*crown(), (1.0, 0.3, 0.1)).factor(asked), whole)


def test_without_plants_the_wind_is_as_it_was():
    asked = np.random.default_rng(1).normal(size=(5, 3))
    for points, areas in (((), ()), (np.zeros((0, 3)), np.zeros(0)), ([[0.0, 0.0, 1.0]], [0.0])):
        assert (Shelter(points, areas, (1.0, 0.0, 0.0)).factor(asked) == 1.0).all()
    assert Shelter(*crown(), (1.0, 0.0, 0.0)).factor(np.zeros((0, 3))).shape == (0,)


@pytest.mark.filterwarnings("error")
def test_points_that_are_nowhere_have_some_wind():
    places = (math.nan, math.inf, -math.inf, 1e300)
    asked = [np.roll((x, 0.0, 1.0), axis) for x in places for axis in range(3)]
    left = Shelter(*crown(), (1.0, 0.5, 0.0)).factor(asked)
    assert ((left > 0.0) & (left <= 1.0)).all()


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("area", [1e-300, 1.0, 1e6])
def test_any_plants_leave_some_wind_in_bounded_time(size, area):
    points = size * np.random.default_rng(1).uniform(size=(50, 3))
    for cell in (None, 1e-6, 1e6):
        left = Shelter(points, np.full(50, area), (1.0, 2.0, -0.5), cell).factor(points)
        assert (left >= LEAST).all()
        assert (left <= 1.0).all()
    assert MOST_CELLS <= 1_000_000


def test_a_sheltered_wind_is_the_wind_times_what_is_left():
    shelter, wind = Shelter(*crown(), (1.0, 0.0, 0.0)), GustyWind((6.0, 0.0, 0.0), seed=2)
    asked = np.random.default_rng(3).uniform(-3.0, 9.0, (50, 3))
    left, whole = shelter.factor(asked)[:, None], wind(asked, 1.3)
    assert np.array_equal(ShelteredWind(wind, shelter)(asked, 1.3), left * whole)
    assert np.array_equal(ShelteredWind(wind, shelter, 0.0)(asked, 1.3), whole)
    assert ShelteredWind(wind, shelter, 0.5)(asked, 1.3) == pytest.approx(0.5 * (1.0 + left) * whole)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[0.0, 0.0]], [1.0], (1, 0, 0)), "points of the shelter has shape"),
        (([[0.0, 0.0, math.nan]], [1.0], (1, 0, 0)), "points of the shelter"),
        (([[0.0, 0.0, 0.0]], [-1.0], (1, 0, 0)), "drag_areas"),
        (([[0.0, 0.0, 0.0]], [1.0, 2.0], (1, 0, 0)), "points of the shelter has shape"),
        (([[0.0, 0.0, 0.0]], [1.0], (0, 0, 0)), "direction of the wind has no length"),
        (([[0.0, 0.0, 0.0]], [1.0], "east"), "direction of the wind must be numbers"),
        (([[0.0, 0.0, 0.0]], [1.0], (1, 0, 0), 0.0), "cell of the shelter"),
        (([[0.0, 0.0, 0.0]], [1.0], (1, 0, 0), 1.0, 2.0), "spread of wakes"),
    ],
)
def test_what_is_no_shelter_is_refused(arguments, message):
    with pytest.raises(SolverError, match=message):
        Shelter(*arguments)


def test_what_is_no_place_or_share_is_refused():
    shelter = Shelter(*crown(), (1.0, 0.0, 0.0))
    with pytest.raises(SolverError, match="asked for at points of shape"):
        shelter.factor([0.0, 0.0, 0.0])
    with pytest.raises(SolverError, match="share of the shelter"):
        ShelteredWind(UniformWind((1.0, 0.0, 0.0)), shelter, 1.5)
