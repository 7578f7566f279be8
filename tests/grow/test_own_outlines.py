# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaves that are drawn with outlines of their own: as large as these, closed, on the bone of their segment."""

import numpy as np
import pytest

from lsystem import ORGANS, grow
from plant_dynamics_addon.grow.mesh.detail import LOW
from plant_dynamics_addon.grow.mesh.leaves.own_outlines import Outline, ear_triangles
from plant_dynamics_addon.grow.mesh.skeleton import bare
from plant_dynamics_addon.grow.mesh.skin import Skin, build_skin
from tests.grow.geometry import UNWELDED
from tests.grow.skins import directed_edges

# an arrow, whose tail is cut in, and the same the other way round; a leaf; a square that is bent
TEXT = """
axiom: F(0.1)[+(90){ . f(0.02) . +(120) f(0.06) . +(120) f(0.06) . +(120) f(0.02) +(60) G(0.01) . }]
    [-(90){ . f(0.03) -(90) f(0.03) -(90) f(0.03) . }][&(60) ~Leaf(0.05, 0.03)]
    [^(50){ . f(0.02) +(90) f(0.02) &(30) f(0.01) . }]F(0.1)
"""


def skin_of(**options: bool) -> tuple[Skin, list[Outline]]:
    skeleton = grow(TEXT)
    outlines = [Outline(one.segment, one.vertices) for one in skeleton.polygons]
    return build_skin(bare(skeleton), ORGANS, UNWELDED, detail=LOW, outlines=outlines, **options), outlines


def area_of(places: np.ndarray) -> float:
    return 0.5 * float(np.linalg.norm(np.cross(places, np.roll(places, -1, axis=0)).sum(axis=0)))


@pytest.mark.parametrize("instanced", [False, True])
def test_plates_have_the_outlines_and_are_closed(instanced: bool):
    skin, outlines = skin_of(instanced=instanced)
    assert len(outlines) == 3
    surface = skin.surface
    for outline in outlines:
        own = np.flatnonzero(surface.segment == outline.segment)
        assert len(own) == 2 * len(outline.vertices)
        middle = 0.5 * (surface.vertices[own[: len(own) // 2]] + surface.vertices[own[len(own) // 2 :]])
        assert middle == pytest.approx(outline.vertices, abs=1e-12)
        assert skin.blade_area[outline.segment] == pytest.approx(area_of(outline.vertices))
        assert (surface.bones[own, 0] == outline.segment).all()
        edges = directed_edges(surface)
        edges = edges[np.isin(edges[:, 0], own)]
        assert {tuple(edge) for edge in edges.tolist()} == {tuple(edge[::-1]) for edge in edges.tolist()}
        assert len(np.unique(edges, axis=0)) == len(edges), "each edge is once of one face and once of another"
    assert sum(len(one.segment) for one in skin.copies) == instanced, "only the leaf is a copy"


def test_upper_sides_look_up():
    """Outwards all around: the volume is above 0."""
    surface = skin_of()[0].surface
    corners = np.concatenate([surface.triangles, surface.quads[:, :3], surface.quads[:, [0, 2, 3]]])
    for segment in {one.segment for one in skin_of()[1]}:
        a, b, c = (surface.vertices[corners[surface.segment[corners[:, 0]] == segment][:, one]] for one in range(3))
        assert np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0 > 0.0


@pytest.mark.parametrize("turn", [1, -1])
def test_ears_cover_a_polygon_once(turn: int):
    star = [[(2.0 + (k % 2)) * np.cos(0.4 * k) * turn, (2.0 + (k % 2)) * np.sin(0.4 * k)] for k in range(15)]
    comb = [[0, 0], [6, 0], [6, 3], [5, 3], [5, 1], [4, 1], [4, 3], [3, 3], [3, 1], [2, 1], [2, 3], [0, 3]]
    for places in (star, [[x * turn, y] for x, y in comb]):
        flat = np.array(places, dtype=float)
        triangles = ear_triangles(flat.tolist())
        assert len(triangles) == len(flat) - 2
        x, y = flat[np.array(triangles)].transpose(2, 0, 1)
        areas = 0.5 * ((x[:, 1] - x[:, 0]) * (y[:, 2] - y[:, 0]) - (y[:, 1] - y[:, 0]) * (x[:, 2] - x[:, 0]))
        assert (areas > 0.0).all()
        whole = 0.5 * abs(flat[:, 0] @ np.roll(flat[:, 1], -1) - flat[:, 1] @ np.roll(flat[:, 0], -1))
        assert areas.sum() == pytest.approx(whole)


def test_what_crosses_itself_has_all_its_corners():
    eight = [[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0]]
    assert {corner for one in ear_triangles(eight) for corner in one} == {0, 1, 2, 3}
