# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces that a text draws itself: where Bezier's patches are, in one piece, and along with the bones of leaves."""

import numpy as np
import pytest

from lsystem import ORGANS, Polygon, divided_leaves, grow
from plant_dynamics_addon.grow.mesh.axes import find_axes
from plant_dynamics_addon.grow.mesh.detail import HIGH, LOW, MEDIUM, Detail
from plant_dynamics_addon.grow.mesh.leaves.own_outlines import Outline
from plant_dynamics_addon.grow.mesh.leaves.own_sheets import build_sheets
from plant_dynamics_addon.grow.mesh.skeleton import bare
from plant_dynamics_addon.grow.mesh.skin import build_skin
from tests.grow.geometry import UNWELDED

SIZE = 0.1
# a kite as long as the patches that take its place
TEXT = "axiom: F(0.1)[{ . +(20) f(0.0532089) . -(40) f(0.0532089) . -(140) f(0.0532089) . }]"


def dome(patches: int = 1, raised: float = 0.6) -> np.ndarray:
    """Patches beside one another, of a square each, in units of their side."""
    x, y = np.meshgrid(np.linspace(0, 1, 4), np.linspace(0, 1, 4))
    high = np.zeros((4, 4))
    high[1:3, 1:3] = raised
    return np.stack([np.stack([x + number, y, high], axis=2) for number in range(patches)])


def plant(patches: np.ndarray, pieces: int = 1):
    """The plant with its polygon's leaf, on which the patches are put: x across, y along, z up."""
    skeleton = grow(TEXT)
    leaf = skeleton.polygons[0].segment
    axes = find_axes(bare(skeleton), ORGANS)
    placed = (patches - [0.5 * len(patches), 0.0, 0.0]) * SIZE @ axes.frame[leaf].T + axes.head[leaf]
    cut = divided_leaves(skeleton, pieces)
    polygon = Polygon(placed.reshape(-1, 3), cut.polygons[0].segment, 0, placed)
    return cut, Outline(polygon.segment, polygon.vertices, polygon.patches)


def built(patches: np.ndarray, detail: Detail, pieces: int = 1):
    skeleton, outline = plant(patches, pieces)
    axes = find_axes(bare(skeleton), ORGANS)
    surface = build_sheets(axes, [outline], detail)
    local = (surface.vertices - axes.head[outline.segment]) @ axes.frame[outline.segment] / SIZE
    return skeleton, surface, local


@pytest.mark.parametrize("detail", [HIGH, MEDIUM, LOW])
def test_the_inside_of_a_patch_is_raised(detail: Detail):
    _, surface, local = built(dome(), detail)
    # Bernstein's weights of the four inner points sum up to (2 * 3/8)^2 in the middle
    away = np.linalg.norm(local[:, :2] - [0.0, 0.5], axis=1)
    middle = local[np.argmin(away)]
    t = np.array([middle[0] + 0.5, middle[1]])
    inner = np.prod(3 * t * (1 - t))
    assert middle[2] == pytest.approx(0.6 * inner, abs=1e-9)
    assert middle[2] > 0.25
    squares = detail.blade_rows // 2
    assert (len(surface.quads), len(surface.vertices)) == (squares**2, (squares + 1) ** 2)
    corners = surface.vertices[surface.quads]
    normal = np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])
    assert (normal @ find_axes(bare(plant(dome())[0]), ORGANS).frame[1][:, 2] > 0.0).all(), "faces look up"
    assert surface.quad_uv.min() == 0.0
    assert surface.quad_uv.max() == 1.0


def test_patches_share_the_points_of_their_edge():
    _, surface, local = built(dome(3), LOW)
    squares = LOW.blade_rows // 2
    assert len(surface.quads) == 3 * squares**2
    assert len(surface.vertices) == (3 * squares + 1) * (squares + 1)
    assert len(np.unique(local.round(9), axis=0)) == len(local)


def test_a_side_that_is_a_point_leaves_triangles():
    patches = dome()
    patches[:, 0, :] = patches[:, 0, :1]
    _, surface, _ = built(patches, LOW)
    squares = LOW.blade_rows // 2
    assert (len(surface.triangles), len(surface.quads)) == (squares, squares * (squares - 1))
    assert (np.diff(np.sort(surface.triangles, axis=1), axis=1) > 0).all()


def test_surfaces_follow_the_bones_that_they_lie_along():
    skeleton, surface, local = built(dome(), MEDIUM, pieces=4)
    pieces = np.flatnonzero(skeleton.divided)
    assert len(pieces) == 4
    assert surface.weights.sum(axis=1) == pytest.approx(1.0)
    # a point in the middle of a bone mostly follows that one, and none follows one two bones away
    far = np.clip((local[:, 1] / 0.25 + 1e-6).astype(int), 0, 3)
    assert (np.abs(np.searchsorted(pieces, surface.bones) - far[:, None])[surface.weights > 0.0] <= 1).all()
    assert surface.segment.tolist() == pieces[far].tolist()


@pytest.mark.parametrize("pieces", [1, 4])
def test_areas_are_those_that_are_seen_and_the_same_in_all_details(pieces: int):
    areas = []
    for detail in (LOW, HIGH):
        skeleton, outline = plant(dome(), pieces)
        areas.append(build_skin(bare(skeleton), ORGANS, UNWELDED, detail=detail, outlines=[outline]).blade_area)
    assert areas[0].tolist() == areas[1].tolist()
    assert areas[0].sum() == pytest.approx(SIZE**2, rel=1e-6)
    leaf = areas[0][areas[0] > 0.0]
    assert leaf == pytest.approx(SIZE**2 / pieces, rel=1e-6)
