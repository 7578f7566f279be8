# SPDX-License-Identifier: GPL-3.0-or-later
"""Points that slide on surfaces, against closed forms and equations of motion."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from solver import Curve, Guide, Sample, Simulation, Surface, discretize
from solver.guides.on_surface import MOVES, nearest_on_surface
from solver.guides.surfaces import surfaces_of
from tests.forms import IS_FULL
from tests.oracles.guided.beads import GRAVITY, bead, slide
from tests.oracles.guided.meshes import ball, grid
from tests.oracles.models import beam


def _slide(surface: Surface, start: np.ndarray, times: int, step: float, **guide: float) -> np.ndarray:
    return slide(Guide(0, by="surface", surface=surface, **guide), start, times, step)


def test_where_on_a_shape_a_point_is_makes_no_force_along_it() -> None:
    """Rounding there would be seen as a force of the spring, which is as good as rigid, and steps would be refused."""
    vertices, triangles = grid(1)
    sheet = 4.0 * (vertices - (0.5, 0.5, 0.0))
    sheet[:, 2] = -0.3 * sheet[:, 0]
    wire = Curve([[-2.0, 0.0, 0.6], [2.0, 0.0, -0.6]])
    for guide in (Guide(0, 0.0, "curve", curve=wire), Guide(0, 0.0, "surface", surface=Surface(sheet, triangles))):
        plant = bead()
        world = Sample(gravity=(0.0, 0.0, -GRAVITY), cut=[1.0], guides=[guide])
        plant.start(world)
        plant.advance(world, 1 / 30)
        report = plant.advance(world, 1 / 30)
        assert report.steps == 8
        assert report.solves < 20


def _off(surface: Surface, places: np.ndarray) -> np.ndarray:
    found = surfaces_of([surface.checked()])
    return np.array([np.linalg.norm(nearest_on_surface(found, found, 0.0, 0, tuple(x), MOVES)[0] - x) for x in places])


def test_a_bead_on_a_ball_swings_as_a_pendulum_does() -> None:
    radius, turn = 0.2, 1.2
    vertices, triangles = ball(radius, 24)
    surface = Surface(vertices, triangles, normals=(vertices / radius)[triangles])
    start = radius * np.array([math.sin(turn) * math.cos(0.4), math.sin(turn) * math.sin(0.4), -math.cos(turn)])
    places = _slide(surface, start, 48, 1 / 24)
    wanted = solve_ivp(
        lambda _, y: [y[1], -GRAVITY / radius * math.sin(y[0])], (0.0, 2.0), [turn, 0.0], t_eval=np.arange(49) / 24.0,
        rtol=1e-10, atol=1e-10,
    ).y[0]  # fmt: skip
    found = np.arctan2(places[:, :2] @ [math.cos(0.4), math.sin(0.4)], -places[:, 2])
    assert np.abs(found - wanted).max() < 0.02 * turn
    assert np.abs(places[:, :2] @ [-math.sin(0.4), math.cos(0.4)]).max() < 1e-3 * radius
    assert np.abs(np.linalg.norm(places, axis=1) - radius).max() < 1e-4 * radius


def test_a_bead_stays_on_its_surface_for_half_a_minute() -> None:
    """For a third of it in the short form."""
    vertices, triangles = ball(1.0, 6)
    surface = Surface(vertices * (0.3, 0.2, 0.1) * (1.0 + 0.2 * vertices[:, :1] * vertices[:, 1:2]), triangles)
    start = np.array([0.1, 0.15, 0.08])
    found = surfaces_of([surface.checked()])
    start = np.array(nearest_on_surface(found, found, 0.0, 0, tuple(start), MOVES)[0])
    places = _slide(surface, start, 900 if IS_FULL else 300, 1 / 30)
    assert _off(surface, places).max() < 1e-6
    assert places[:, 2].max() < start[2] + 1e-3


@pytest.mark.parametrize(("steep", "moves"), [(0.4, False), (0.7, True)])
def test_friction_on_a_slope_is_coulombs(steep: float, moves: bool) -> None:
    vertices, triangles = grid(7)
    turned = 4.0 * (vertices - 0.5 * np.array([1.0, 1.0, 0.0])) @ np.array(
        [[math.cos(steep), 0.0, -math.sin(steep)], [0.0, 1.0, 0.0], [math.sin(steep), 0.0, math.cos(steep)]]
    )
    friction, t = 0.5, 0.5
    places = _slide(Surface(turned, triangles), np.zeros(3), 12, 1 / 24, friction=friction)
    wanted = 0.5 * GRAVITY * (math.sin(steep) - friction * math.cos(steep)) * t * t if moves else 0.0
    assert np.linalg.norm(places[-1]) == pytest.approx(wanted, rel=1e-3, abs=1e-6)
    assert np.abs(places[:, 1]).max() < 1e-5 * np.linalg.norm(places[-1])


def test_a_bead_comes_to_rest_at_the_lowest_corner_of_a_rim() -> None:
    """Of a sheet that leans two ways. The rim throws it back a little, but never higher than it was."""
    vertices, triangles = grid(5)
    leans = vertices - 0.5 * np.array([1.0, 1.0, 0.0])
    leans[:, 2] = -0.8 * leans[:, 0] - 0.3 * leans[:, 1]
    places = _slide(Surface(leans, triangles), np.array([0.2, -0.4, -0.04]), 192, 1 / 24, friction=0.1)
    assert np.abs(places[-1] - [0.5, 0.5, -0.55]).max() < 1e-6
    assert places[:, 2].max() <= -0.04
    assert places[:, :2].max() < 0.5 + 1e-6


def test_a_surface_that_rises_and_bulges_takes_its_point_along() -> None:
    plant = Simulation(discretize(beam(4, 0.4, young=1e6, density=500.0, radius=0.003), "base"))
    vertices, triangles = grid(6)
    tip = plant.rod_tails()[-1]

    def world(height: float) -> Sample:
        sheet = vertices - (0.5, 0.5, 0.0) + tip
        sheet[:, 2] += height * (1.0 - (sheet[:, 0] - tip[0]) ** 2)
        slides = Guide(3, by="surface", surface=Surface(sheet, triangles, name="sheet"))
        return Sample(gravity=(0.0, 0.0, -GRAVITY), guides=[slides])

    plant.start(world(0.0))
    for frame in range(1, 13):
        now = world(0.01 * frame)
        plant.advance(now, 1 / 24)
        assert _off(now.guides[0].surface, plant.rod_tails()[-1:])[0] < 1e-6


def test_what_is_settled_on_a_surface_is_at_rest_there() -> None:
    """A rope whose end lies on a ball: what holds it is along the normal."""
    rope = Simulation(discretize(beam(12, 0.6, young=1e5, density=900.0, radius=0.004), "base"))
    vertices, triangles = ball(0.25, 10)
    surface = Surface(vertices + np.array([0.3, 0.1, -0.3]), triangles)
    world = Sample(gravity=(0.0, 0.0, -GRAVITY), guides=[Guide(11, by="surface", surface=surface)])
    found = rope.start(world, mode="settled")
    assert found.residual < 1e-8
    first = rope.rod_tails()
    assert _off(surface, first[-1:])[0] < 1e-6
    for _ in range(24):
        rope.advance(world, 1 / 24)
    assert np.abs(rope.rod_tails() - first).max() < 1e-5


@pytest.mark.parametrize("smooth", [True, False])
@pytest.mark.parametrize("seed", range(5))
def test_a_rope_settles_on_facets_edges_and_corners(seed: int, smooth: bool) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 16))
    vertices, triangles = ball(0.25, 4)
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    place = np.array([0.3, 0.1, -0.3]) + 0.1 * rng.normal(size=3)
    surface = Surface(vertices @ turn.T + place, triangles, smooth=smooth)
    young = 10.0 ** rng.uniform(4.5, 7.0)
    rope = Simulation(discretize(beam(n, 0.6, young=young, density=900.0, radius=0.004), "base"))
    world = Sample(gravity=(0.0, 0.0, -GRAVITY), guides=[Guide(n - 1, by="surface", surface=surface)])
    found = rope.start(world, mode="settled")
    assert found.balanced
    assert found.stable
    first = rope.rod_tails()
    assert _off(surface, first[-1:])[0] < 1e-8
    for _ in range(12):
        rope.advance(world, 1 / 24)
    assert np.abs(rope.rod_tails() - first).max() < 1e-4 * 0.6
