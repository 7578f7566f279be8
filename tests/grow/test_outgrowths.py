# SPDX-License-Identifier: GPL-3.0-or-later
"""What makes stems of one kind other than those of another: roots that stand out, prickles, buds."""

import numpy as np
import pytest

import lsystem
from plant_dynamics_addon.grow.mesh import detail
from plant_dynamics_addon.grow.mesh.axes import find_axes
from plant_dynamics_addon.grow.mesh.skeleton import bare
from plant_dynamics_addon.grow.mesh.skin import build_skin
from plant_dynamics_addon.grow.mesh.stems.shape import Buds, Flare, Nodes, Prickles, StemShape, Twiglets
from plant_dynamics_addon.grow.mesh.stems.tubes import build_tubes
from plant_dynamics_addon.grow.mesh.surface import PARTS
from tests.grow.geometry import UNWELDED
from tests.grow.skins import check_edges, components, directed_edges, signed_volume

WOOD = "material stem young=6e9 poisson=0.3 density=900 damping=0.01\n"
TRUNK = WOOD + "axiom: F(0.3, 0.06) F(0.3, 0.055)\n"
TWIG = WOOD + (
    "axiom: F(0.1, 0.003) F(0.1, 0.003) [ &(60) ~Petiole(0.02, 0.001) &(10) ~Leaf(0.05, 0.03) ] F(0.1, 0.003)\n"
)
LEVELS = pytest.mark.parametrize("level", [detail.LOW, detail.MEDIUM, detail.HIGH], ids=["low", "medium", "high"])


def skin_of(text: str, shape: StemShape, level=detail.HIGH):
    skeleton = lsystem.grow(text)
    return skeleton, build_skin(bare(skeleton), lsystem.ORGANS, UNWELDED, detail=level, stem=shape).surface


def pieces_of(surface, part: str):
    """Vertices of each piece of the surface that is of this part."""
    edges = directed_edges(surface)
    label = np.arange(len(surface.vertices))
    while (label[edges[:, 0]] != label[edges[:, 1]]).any():
        np.minimum.at(label, edges[:, 0], label[edges[:, 1]])
        np.minimum.at(label, edges[:, 1], label[edges[:, 0]])
    own = np.unique(label[surface.quads[surface.quad_part == PARTS.index(part), 0]])
    return [np.flatnonzero(label == one) for one in own]


@LEVELS
def test_roots_stand_out_of_a_trunk_that_stays_closed(level):
    skeleton = lsystem.grow(TRUNK)
    axes, flare = find_axes(bare(skeleton), lsystem.ORGANS), Flare(0.5, 4.0, crests=5, relief=0.4)
    plain, spread = (build_tubes(bare(skeleton), axes, level, UNWELDED, one) for one in (Flare(0.0), flare))
    check_edges(spread)
    assert len(components(len(spread.vertices), directed_edges(spread))) == 1
    away = np.hypot(spread.vertices[:, 0], spread.vertices[:, 1])
    at_ground = np.abs(spread.vertices[:, 2]) < 1e-9
    assert away[at_ground].min() >= 0.06 * 1.5 - 1e-9, "the grooves are the widened trunk"
    assert 0.06 * 1.5 * 1.2 < away[at_ground].max() < 0.06 * 1.5 * (1.0 + 0.4 * 1.3)
    above = spread.vertices[:, 2] > 4.0 * 0.06
    assert away[above].max() <= np.hypot(*plain.vertices[:, :2].T).max() + 1e-9, "above the flare nothing is changed"
    assert signed_volume(spread) > signed_volume(plain)


def test_there_are_as_many_roots_as_the_shape_says():
    _, surface = skin_of(TRUNK, StemShape(Flare(0.5, 4.0, crests=5, relief=0.4)))
    ring = surface.vertices[np.abs(surface.vertices[:, 2]) < 1e-9]
    ring = ring[np.argsort(np.arctan2(ring[:, 1], ring[:, 0]))]
    away = np.hypot(ring[:, 0], ring[:, 1])
    peaks = (away > np.roll(away, 1) + 1e-9) & (away >= np.roll(away, -1) - 1e-9)
    assert peaks.sum() == 5


@LEVELS
def test_prickles_are_closed_sit_on_the_stem_and_hook_downwards(level):
    prickles = Prickles(length=0.006, apart=0.01)
    text = "axiom: F(0.1, 0.004) F(0.1, 0.004) F(0.1, 0.001)\n"
    _, surface = skin_of(text, StemShape(prickles=prickles), level)
    check_edges(surface)
    found = pieces_of(surface, "fruit")
    assert len(found) == pytest.approx(0.2 / 0.01, abs=2), "and none on the thin piece"
    for own in found:
        points = surface.vertices[own]
        away = np.hypot(points[:, 0], points[:, 1])
        assert away.min() < 0.004, "its base is below the surface"
        assert 0.004 + 0.4 * 0.006 < away.max() < 0.004 + 0.006 + 1e-9
        assert points[np.argmax(away), 2] < points[away < 0.0041, 2].mean(), "its point is lower"
        assert np.ptp(points @ np.cross([0.0, 0.0, 1.0], points[np.argmax(away)] * (1, 1, 0) / away.max())) < 0.002
        assert len(np.unique(surface.segment[own])) == 1
        assert np.ptp(surface.weights[own], axis=0).max() == 0.0, "it turns as one"
    assert len({tuple(np.round(surface.vertices[own][0], 6)) for own in found}) == len(found)


@LEVELS
def test_buds_sit_at_the_end_in_axils_and_along_bare_twigs(level):
    for shape, wanted in ((Buds(), 1), (Buds(in_axils=True), 2), (Buds(apart=0.03), 1 + 2)):
        _, surface = skin_of(TWIG, StemShape(buds=shape), level)
        check_edges(surface)
        found = pieces_of(surface, "bark")
        assert len(found) == wanted
        highest = max(surface.vertices[own][:, 2].max() for own in found)
        assert highest == pytest.approx(0.3 + 4.0 * 0.003, abs=1e-6)
        for own in found:
            sizes = np.ptp(surface.vertices[own], axis=0)
            assert 0.004 < sizes.max() < 0.015


def test_green_stems_have_green_buds_and_what_is_broken_off_has_none():
    _, surface = skin_of("axiom: F(0.1, 0.003)\n", StemShape(buds=Buds()))
    assert len(pieces_of(surface, "sepal")) == 1
    assert not pieces_of(surface, "bark")
    _, surface = skin_of(WOOD + "axiom: F(0.1, 0.008)\n", StemShape(buds=Buds()))
    assert not pieces_of(surface, "bark")


def test_a_stem_that_says_nothing_is_a_plain_tube():
    _, surface = skin_of(TWIG, StemShape())
    _, same = skin_of(TWIG, None)
    np.testing.assert_array_equal(surface.vertices, same.vertices)


CULM = (
    "axiom: F(0.1, 0.005) F(0.1, 0.005) [ &(40) ~Leaf(0.2, 0.02) ] F(0.1, 0.005) F(0.1, 0.005)"
    " [ &(40) ~Leaf(0.2, 0.02) ] F(0.1, 0.005)\n"
)


@LEVELS
@pytest.mark.parametrize(("nodes", "places"), [
    (Nodes(), [0.1, 0.2, 0.3, 0.4]), (Nodes(below=8.0, at_leaves=True), [0.2, 0.4]), (Nodes(thinnest=0.006), []),
])  # fmt: skip
def test_culms_have_closed_rings_at_their_joints(level, nodes, places):
    _, plain = skin_of(CULM, StemShape(), level)
    _, surface = skin_of(CULM, StemShape(nodes=nodes), level)
    check_edges(surface)
    known = {len(piece) for piece in pieces_of(plain, "stem")}
    rings = [piece for piece in pieces_of(surface, "stem") if len(piece) not in known]
    assert len(rings) == len(places)
    for ring, height in zip(sorted(rings, key=lambda one: surface.vertices[one, 2].max()), places, strict=True):
        points = surface.vertices[ring]
        away = np.hypot(points[:, 0], points[:, 1])
        assert 0.005 * 1.1 < away.max() < 0.005 * 1.5
        assert points[:, 2].max() == pytest.approx(height, abs=0.005)
        assert points[:, 2].min() == pytest.approx(height - 0.005 * max(nodes.below, 0.5), abs=0.003)
        assert (surface.girth[ring] == pytest.approx(0.005)), "coloured as the stem"


@LEVELS
def test_a_stem_that_is_broken_off_ends_in_splinters_and_a_thin_one_does_not(level):
    for radius, is_broken in ((0.008, True), (0.003, False)):
        text = WOOD + f"axiom: F(0.1, {radius}) F(0.1, {radius})\n"
        _, plain = skin_of(text, StemShape(), level)
        _, surface = skin_of(text, StemShape(splinters=3.0), level)
        check_edges(surface)
        assert len(surface.vertices) == len(plain.vertices), "they cost nothing"
        assert np.hypot(*surface.vertices[:, :2].T).max() <= np.hypot(*plain.vertices[:, :2].T).max() + 1e-12
        if not is_broken:
            np.testing.assert_array_equal(surface.vertices, plain.vertices)
            continue
        above = surface.vertices[surface.vertices[:, 2] > 0.2 + 1e-9]
        rim = above[np.hypot(above[:, 0], above[:, 1]) > 0.9 * radius]
        assert np.ptp(rim[:, 2]) > radius, "uneven"
        assert rim[:, 2].max() < 0.2 + 3.0 * radius
        middle = above[np.argmin(np.hypot(above[:, 0], above[:, 1]))]
        assert middle[2] < np.median(rim[:, 2]), "hollow"


@LEVELS
def test_thin_stems_of_wood_end_in_twiglets_and_bear_them(level):
    twiglets = Twiglets(length=0.06, apart=0.02, thickest=0.004)
    text = WOOD + "axiom: F(0.1, 0.006) F(0.1, 0.003) F(0.1, 0.002)\n"
    _, surface = skin_of(text, StemShape(twiglets=twiglets), level)
    check_edges(surface)
    found = [surface.vertices[own] for own in pieces_of(surface, "bark")]
    stem = surface.vertices[surface.quads[surface.quad_part == PARTS.index("stem")]].reshape(-1, 3)
    assert stem[:, 2].max() < 0.31, "the stem is as it was"
    roots = [points for points in found if np.hypot(*points[:, :2].T).min() < 0.0045]
    assert len(roots) == pytest.approx(0.2 / 0.02 + 1, abs=2), "and none on the thick piece"
    assert len(found) > len(roots), "some have side twigs"
    assert min(points[:, 2].max() for points in found) > 0.1
    assert 0.3 + 0.6 * 0.06 <= max(points[:, 2].max() for points in found) <= 0.3 + 0.06 + 0.003
    sizes = [np.linalg.norm(np.ptp(points, axis=0)) for points in roots]
    assert 0.25 * 0.06 < min(sizes) < 0.7 * max(sizes) < 0.06
    green = skin_of("axiom: F(0.1, 0.003)\n", StemShape(twiglets=twiglets), level)[1]
    assert not pieces_of(green, "bark")
