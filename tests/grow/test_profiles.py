# SPDX-License-Identifier: GPL-3.0-or-later
"""Tubes with contours: their rings are the contours, closed, and go along with the bones that they belong to."""

import numpy as np
import pytest

from lsystem import ORGANS, blades_in_few_rods, derive, divided_leaves, interpret, open_object, parse
from plant_dynamics_addon.grow.mesh.detail import HIGH, LOW, MEDIUM, Detail
from plant_dynamics_addon.grow.mesh.skeleton import bare
from plant_dynamics_addon.grow.mesh.skin import build_skin
from plant_dynamics_addon.grow.mesh.stems.profiles import Profile
from plant_dynamics_addon.grow.mesh.surface import PARTS
from tests.grow.geometry import UNWELDED
from tests.grow.skins import directed_edges

# a channel, open, twelve times as wide along cpfg's U as it is deep
CONTOUR = "cver 1 3\nname: c\npoints: 5 9\ntype: or\nsamples: 8\n-12 -1 0 3\n-6 1 0 1\n0 -1 0 1\n6 1 0 1\n12 -1 0 3\n"
STRING = "F(3)!(0.05)@#(1)@Gs+(20)f(10)!(0.2)@Gc(4)+(20)f(10)!(0.1)@Gc(4)+(20)f(10)!(0)@Ge(4)"
LEAF = f"Lsystem: 1\naxiom: {STRING}\nendlsystem\n"


@pytest.fixture
def plant(tmp_path):
    (tmp_path / "leaf.l").write_text(LEAF)
    (tmp_path / "leaf.v").write_text("contour: 1 c.con\ninitial line width: 0.5\n")
    (tmp_path / "c.con").write_text(CONTOUR)
    grammar = parse(open_object(tmp_path).text)
    return interpret(derive(grammar), grammar)


def skin_of(skeleton, detail: Detail):
    profiles = [Profile(one.segment, one.points, one.places) for one in skeleton.contours]
    return build_skin(bare(skeleton), ORGANS, UNWELDED, detail=detail, profiles=profiles)


@pytest.mark.parametrize("detail", [HIGH, MEDIUM, LOW])
def test_a_leaf_is_a_closed_tube_as_wide_as_its_contour(plant, detail: Detail):
    skin = skin_of(plant, detail)
    surface = skin.surface
    leaf = np.flatnonzero(plant.organ == ORGANS.index("leaf"))
    assert len(leaf) >= 9
    own = np.isin(surface.segment, leaf)
    edges = directed_edges(surface)
    edges = edges[own[edges[:, 0]]]
    assert len(np.unique(edges, axis=0)) == len(edges)
    assert {tuple(edge) for edge in edges.tolist()} == {tuple(edge[::-1]) for edge in edges.tolist()}
    corners = np.concatenate([surface.triangles, surface.quads[:, :3], surface.quads[:, [0, 2, 3]]])
    a, b, c = (surface.vertices[corners[own[corners[:, 0]]][:, one]] for one in range(3))
    assert np.einsum("ij,ij->", a, np.cross(b, c)) > 0.0, "outwards"
    # across, where it is widest, by U, which is our y: 24 radii of 0.1, and a little less by the spline's ends
    assert np.ptp(surface.vertices[own][:, 1]) / 0.01 == pytest.approx(0.1 * 24.0, rel=0.03)
    assert set(surface.quad_part[own[surface.quads[:, 0]]]) == {PARTS.index("leaf")}
    assert skin.blade_area[leaf] == pytest.approx(plant.width[leaf] * plant.length[leaf])


def test_corners_follow_the_pieces_they_lie_along(plant):
    """None is further from the bones that move it than its contour is wide; each follows its own or those beside."""
    surface = skin_of(plant, MEDIUM).surface
    leaf = np.flatnonzero(plant.organ == ORGANS.index("leaf"))
    own = np.flatnonzero(np.isin(surface.segment, leaf))
    assert surface.weights[own].sum(axis=1) == pytest.approx(1.0)
    apart = np.abs(surface.bones[own] - surface.segment[own, None])
    assert apart[surface.weights[own] > 0.0].max() <= 1
    heads, direction = plant.head, plant.direction()
    for column in range(surface.bones.shape[1]):
        moved = surface.weights[own, column] > 0.25
        bone = surface.bones[own[moved], column]
        reach = surface.vertices[own[moved]] - heads[bone]
        along = (reach * direction[bone]).sum(axis=1)
        away = np.linalg.norm(reach - np.clip(along, 0.0, plant.length[bone])[:, None] * direction[bone], axis=1)
        assert away.max(initial=0.0) < 0.02


@pytest.mark.parametrize("detail", [HIGH, LOW])
def test_a_leaf_of_few_rods_looks_as_before(plant, detail: Detail):
    """Rings lie where the contours are that the text draws, however few rods there are."""
    leaf = plant.organ == ORGANS.index("leaf")
    few = blades_in_few_rods(plant, 2)
    assert len(few) < len(plant) - 4
    surface = skin_of(few, detail).surface
    own = surface.vertices[few.organ[surface.segment] == ORGANS.index("leaf")]
    drawn = skin_of(plant, detail).surface
    before = drawn.vertices[leaf[drawn.segment]]
    away = np.linalg.norm(own[:, None] - before, axis=2).min(axis=1)
    assert away.max() < 5e-4
    assert np.ptp(own, axis=0) == pytest.approx(np.ptp(before, axis=0), rel=0.03, abs=1e-4)
    assert few.tail()[-1] == pytest.approx(plant.tail()[-1], abs=1e-12)


def test_tubes_with_contours_are_not_cut_again(plant):
    assert divided_leaves(plant, 5) is plant
