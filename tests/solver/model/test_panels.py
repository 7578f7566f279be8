# SPDX-License-Identifier: GPL-3.0-or-later
"""Panels: areas, places, and the drag of rods and blades that turn about their base, against integrals."""

import numpy as np
import pytest
from scipy.integrate import quad

from solver import LAYOUTS, Rods, discretize
from solver.math.rotations import rotate
from tests.oracles.models import ALONG_Z, beam, random_rods
from tests.oracles.poses import poses


def in_world(model):
    """Body, place and axis of every panel where the plant is drawn."""
    orientation, position = poses(model)
    panels = model.panels
    body = np.repeat(np.arange(model.body_count), np.diff(panels.start))
    place = position[body] + rotate(orientation[body], panels.center)
    return body, place, rotate(orientation[body], panels.axis)


def pinned_on_a_moving_rod(**columns):
    """A rod welded across the tip of another, so that all of its panels are kept."""
    return Rods(
        [-1, 0], [[0, 0, 0], [0, 0, 0.1]], [ALONG_Z, [1.0, 0.0, 0.0, 0.0]], [0.1, 0.3], 0.01, [0.01, 0.004], 1e9, 900.0,
        pinned=[0, 1], **columns,
    )  # fmt: skip


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("segments", [1, 2])
def test_areas_places_and_axes(layout, segments):
    rng = np.random.default_rng(5)
    area = np.where(rng.random(9) < 0.5, 0.0, rng.uniform(1e-3, 1e-2, 9))
    rods = random_rods(rng, 9, blade_area=area, drag_across=1.1, drag_along=0.03, pinned=rng.random(9) < 0.3)
    model = discretize(rods, layout, segments)
    panels = model.panels
    body, place, axis = in_world(model)
    frame, length = rods.array("frame"), rods.array("length")
    assert panels.start[0] == 0
    assert panels.start[-1] == len(panels.rod)
    along = rotate(frame, np.array([0.0, 1.0, 0.0]))[panels.rod]
    normal = rotate(frame, np.array([0.0, 0.0, 1.0]))[panels.rod]
    way = place - rods.array("head")[panels.rod]
    share = (way * along).sum(axis=1) / length[panels.rod]
    assert np.abs(way - (share * length[panels.rod])[:, None] * along).max() < 1e-14
    assert ((share > 0.0) & (share < 1.0)).all()
    for i in range(9):
        own = panels.rod == i
        blade = own & (panels.along > panels.across)
        cylinder = own & ~blade
        side = (rods.array("radius_base")[i] + rods.array("radius_tip")[i]) * length[i]
        if model.lower[i] >= 0:  # nothing is lost on the base
            assert panels.across[cylinder].sum() == pytest.approx(1.1 * side, rel=1e-12)
            assert panels.along[cylinder].sum() == pytest.approx(0.03 * np.pi * side, rel=1e-12)
            assert panels.along[blade].sum() == pytest.approx(1.17 * area[i], rel=1e-12)
            assert panels.across[blade].sum() == pytest.approx(0.04 * area[i], rel=1e-12)
        assert np.abs(axis[cylinder] - along[cylinder]).max(initial=0.0) < 1e-14
        assert np.abs(axis[blade] - normal[blade]).max(initial=0.0) < 1e-14
        for k in np.flatnonzero(own):
            joints = [model.first_joint[i] + j for j in range(model.joint_count[i])]
            carrier = [j for j in joints if model.body_at[j] <= share[k] + 1e-9]
            assert body[k] == (carrier[-1] if carrier else model.lower[i])


@pytest.mark.parametrize("layout", LAYOUTS)
def test_drag_of_a_rod_that_turns_about_its_base(layout):
    """Force and moment grow with the square and the cube of the distance; exact also for tapered rods and blades."""
    model = discretize(pinned_on_a_moving_rod(drag_across=1.0, blade_area=[0.0, 0.02]), layout)
    panels = model.panels
    _, place, _ = in_world(model)
    distance = place[:, 1]

    def width(y):
        return 2 * (0.01 + (0.004 - 0.01) * y / 0.3)

    cylinder = (panels.rod == 1) & (panels.across > panels.along)
    blade = (panels.rod == 1) & ~cylinder
    for power in (2, 3):
        exact = quad(lambda y, p=power: width(y) * y**p, 0, 0.3)[0]
        assert (panels.across[cylinder] * distance[cylinder] ** power).sum() == pytest.approx(exact, rel=1e-12)
        exact = 1.17 * 0.02 / 0.3 * 0.3 ** (power + 1) / (power + 1)
        assert (panels.along[blade] * distance[blade] ** power).sum() == pytest.approx(exact, rel=1e-12)


def test_panels_of_uniform_rods_are_on_the_joints_of_the_default_layout():
    panels = discretize(beam(5), segments=2).panels
    assert len(panels.rod) == 20
    assert np.array_equal(panels.start, np.arange(21))
    assert not panels.center.any()


def test_what_has_no_drag_has_no_panel():
    panels = discretize(beam(3, drag_across=[0.0, 1.0, 0.0], drag_along=[0.0, 0.0, 0.1])).panels
    assert set(panels.rod.tolist()) == {1, 2}
    none = discretize(beam(3, drag_across=0.0, drag_along=0.0)).panels
    assert none.center.shape == none.axis.shape == (0, 3)
    assert not none.start.any()
