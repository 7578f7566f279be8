# SPDX-License-Identifier: GPL-3.0-or-later
"""The skin as arrays: sound faces, leaves with two sides, weights that keep bends smooth."""

import numpy as np
import pytest

import lsystem
from plant_dynamics_addon.grow.looks.catalogue import look_named
from plant_dynamics_addon.grow.mesh import detail
from plant_dynamics_addon.grow.mesh.axes import find_axes, stations_at
from plant_dynamics_addon.grow.mesh.leaves.blades import BladeShape
from plant_dynamics_addon.grow.mesh.skeleton import bare
from plant_dynamics_addon.grow.mesh.skin import build_skin
from plant_dynamics_addon.grow.mesh.stems.shape import NO_FLARE, Flare, StemShape
from plant_dynamics_addon.grow.mesh.surface import PARTS
from tests.forms import IS_FULL
from tests.grow.geometry import GEOMETRY, overlapping
from tests.grow.skins import CHAIN, LARGE, LEAFY, check_skin, components, corners, directed_edges, signed_volume


def skin_of(skeleton, shape=None, level=detail.HIGH, **options):
    return build_skin(skeleton, lsystem.ORGANS, GEOMETRY, shape, detail=level, **options)


@pytest.mark.parametrize("preset", lsystem.presets(), ids=lambda preset: preset.name)
def test_every_preset_has_a_sound_skin(preset):
    """Of its young plants, so that this takes seconds, large ones younger still in the short form; with what its kind
    looks like."""
    age = 0.3 if preset.name in LARGE and not IS_FULL else 0.5
    skeleton, look = lsystem.grow(preset.text, steps=max(1, round(age * preset.steps))), look_named(preset.title)
    check_skin(skin_of(bare(skeleton), look.blade, detail.LOW, flower=look.flower, stem=look.stem), skeleton)


@pytest.mark.parametrize("text", [CHAIN, LEAFY])
@pytest.mark.parametrize("level", [detail.LOW, detail.MEDIUM, detail.HIGH])
def test_small_plants_have_a_sound_skin(text, level):
    skeleton = lsystem.grow(text)
    check_skin(skin_of(skeleton, level=level), skeleton)


@pytest.mark.parametrize("level", [detail.LOW, detail.HIGH])
def test_a_stem_may_begin_where_it_is_drawn(level):
    skeleton = lsystem.grow(CHAIN)
    drawn, usual = (skin_of(skeleton, level=level, stem=StemShape(flare=flare)) for flare in (NO_FLARE, Flare()))
    check_skin(drawn, skeleton)
    low, high = (skin.surface.vertices[:, 2].min() for skin in (usual, drawn))
    radius = float(skeleton.radius_base[0])
    assert low == pytest.approx(-Flare().depth * radius, rel=0.1)
    assert high > -1.01 * radius, "but for the rounded end"
    foot = drawn.surface.vertices[np.abs(drawn.surface.vertices[:, 2]) < 1e-9]
    assert np.linalg.norm(foot[:, :2], axis=1).max() == pytest.approx(radius, rel=0.01)


def test_uv_runs_in_metres_along_the_stem():
    surface = skin_of(lsystem.grow(CHAIN)).surface
    heights = surface.vertices[surface.quads][:, :, 2]
    np.testing.assert_allclose(surface.quad_uv[:, :, 1], heights, atol=1e-9)
    assert surface.quad_uv[:, :, 0].max() == pytest.approx(1.0)


def test_tube_goes_through_the_joints_and_follows_the_radius():
    skeleton = lsystem.grow("steps: 1\naxiom: F(0.1, 0.004) &(30) F(0.1, 0.004) &(30) F(0.1, 0.004)\n")
    axes = find_axes(skeleton, lsystem.ORGANS)
    assert (axes.run == 0).all()
    joints = stations_at(axes, np.arange(3), np.ones(3))
    np.testing.assert_allclose(joints.point, skeleton.tail(), atol=1e-12)
    from_below = stations_at(axes, np.array([0]), np.array([1.0 - 1e-9]))
    from_above = stations_at(axes, np.array([1]), np.array([1e-9]))
    np.testing.assert_allclose(from_below.tangent, from_above.tangent, atol=1e-6)


def test_blade_is_as_wide_and_long_as_its_segment():
    skeleton = lsystem.grow("steps: 1\naxiom: &(90) ~Leaf(0.2, 0.1)\n")
    shape = BladeShape(fold_degrees=0.0, arch=0.0, droop=0.0, margin_curl=0.0, waves=0.0, variation=0.0)
    surface = skin_of(skeleton, shape).surface
    extent = np.ptp(surface.vertices, axis=0)
    assert np.sort(extent)[::-1] == pytest.approx([0.2, 0.1, 0.0], abs=0.003)
    quads, _ = corners(surface)
    normals = np.cross(quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1])
    under = surface.quad_under > 0.0
    assert (normals[~under, 2] > 0).all(), "a leaf's upper side is its segment's local Z"
    assert (normals[under, 2] < 0).all()


def test_leaves_and_petals_have_two_sides_that_meet_at_the_margin():
    skeleton = lsystem.grow("steps: 1\naxiom: &(90) ~Leaf(0.2, 0.1, 0.002) f(0.01) ~Flower(0.01, 0.04)\n")
    surface = skin_of(skeleton).surface
    for organ, least in ((0, 1e-6), (1, 1e-5)):
        own = surface.quads[surface.segment[surface.quads[:, 0]] == organ]
        under = surface.quad_under[surface.segment[surface.quads[:, 0]] == organ] > 0.0
        margin = np.intersect1d(own[under], own[~under])
        assert len(margin) > 20
        upper, lower = (surface.vertices[np.setdiff1d(own[side], margin)] for side in (~under, under))
        gap = np.array([np.linalg.norm(upper - point, axis=1).min() for point in lower])
        assert gap.min() > least
        assert np.median(gap) > 1e-4


def test_the_midrib_stands_out_below():
    skeleton = lsystem.grow("steps: 1\naxiom: &(90) ~Leaf(0.2, 0.1)\n")
    surface = skin_of(skeleton).surface
    depth = {}
    for quad, uv, under in zip(surface.quads, surface.quad_uv, surface.quad_under, strict=True):
        for vertex, (u, v) in zip(quad, uv, strict=True):
            depth.setdefault((round(u, 4), round(v, 6)), {})[under] = surface.vertices[vertex]
    gap = {place: np.linalg.norm(sides[0.0] - sides[1.0]) for place, sides in depth.items()}
    rows = sorted({v for _, v in gap})[2:-4]
    assert len(rows) > 10
    for v in rows:
        assert gap[0.5, v] > gap[0.455, v] + 1e-4
        assert gap[0.455, v] == pytest.approx(3e-4, rel=0.05), "the thickness of a leaf that says none"


def test_the_two_sides_of_a_wavy_leaf_do_not_cross():
    skeleton = lsystem.grow("steps: 1\naxiom: &(90) ~Leaf(0.2, 0.1)\n")
    shape = BladeShape(waves=0.15, margin_curl=0.3)
    for level in (detail.MEDIUM, detail.HIGH):
        surface = skin_of(skeleton, shape, level).surface
        u, v = np.moveaxis(surface.quad_uv, 2, 0)
        # At their edges they touch.
        inner = (u.min(axis=1) > 1e-6) & (u.max(axis=1) < 1 - 1e-6) & (v.min(axis=1) > 1e-6)
        quads, under = surface.quads[inner], surface.quad_under[inner]
        sides = []
        for side in (0, 1):
            faces = quads[under == side]
            assert len(faces) > 20
            # As Blender cuts them.
            cut = np.concatenate([faces[:, [0, 1, 2]], faces[:, [0, 2, 3]]])
            sides.append(cut.tolist())
        upper = len(sides[0])
        pairs = overlapping(surface.vertices, sides[0] + sides[1])
        assert not [pair for pair in pairs if (pair[0] < upper) != (pair[1] < upper)]


def test_thickness_is_that_of_the_rods_tissue():
    skeleton = lsystem.grow("steps: 1\naxiom: &(90) ~Leaf(0.2, 0.1, 0.002)\n")
    shape = BladeShape(fold_degrees=0.0, arch=0.0, droop=0.0, margin_curl=0.0, waves=0.0)
    surface = skin_of(skeleton, shape).surface
    assert signed_volume(surface) == pytest.approx(0.7 * 0.2 * 0.1 * 0.002, rel=0.15)


def test_blade_areas_do_not_depend_on_the_detail():
    skeleton = lsystem.grow(LEAFY)
    skins = [skin_of(skeleton, None, level) for level in (detail.LOW, detail.MEDIUM, detail.HIGH)]
    np.testing.assert_array_equal(skins[0].blade_area, skins[2].blade_area)
    sizes = [len(skin.surface.vertices) for skin in skins]
    assert sizes[0] < 0.3 * sizes[2]
    assert sizes[1] < 0.6 * sizes[2]
    leaf = skins[2].surface.quads[skins[2].surface.quad_part == PARTS.index("leaf")]
    assert len(leaf)
    assert (skins[0].blade_area > 0).sum() == (skeleton.organ == 2).sum()


def test_a_leaf_bends_with_its_petiole():
    skeleton = lsystem.grow(LEAFY)
    surface = skin_of(skeleton).surface
    petiole = int(np.flatnonzero(skeleton.organ == 1)[0])
    leaf = petiole + 1
    on_leaf = surface.segment == leaf
    shared = (surface.bones[on_leaf, 0] == petiole) & (surface.weights[on_leaf, 0] > 0)
    assert shared.any()
    assert surface.weights[on_leaf, 0].max() == pytest.approx(0.5)


def test_a_leaf_of_several_segments_is_one_blade_that_bends_with_all():
    skeleton = lsystem.grow("steps: 1\naxiom: ~Leaf(0.1, 0.02) &(10) ~Leaf(0.1, 0.02) &(10) ~Leaf(0.1, 0.01)\n")
    for level in (detail.LOW, detail.HIGH):
        surface = skin_of(skeleton, None, level).surface
        edges = np.sort(directed_edges(surface), axis=1)
        pieces = components(len(surface.vertices), edges)
        assert len(pieces) == 1, "the upper and the lower side share the margin"
        outside = {tuple(edge) for edge in directed_edges(surface).tolist()}
        assert all(edge[::-1] in outside for edge in outside), "it is closed"
        for segment in range(3):
            rows = np.unique(np.round(surface.weights[surface.segment == segment], 6), axis=0)
            assert len(rows) >= 3, "weights change along each segment"


def test_what_stands_in_for_blender_finds_what_it_should():
    square = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.4, 0.5), (0.6, 0.5)])
    upright = np.array([(0, 2)])
    triangles = GEOMETRY.triangulated(square[:4], upright, 1e-9)
    assert {frozenset(three) for three in triangles.tolist()} == {frozenset((0, 1, 2)), frozenset((0, 2, 3))}
    triangles = GEOMETRY.triangulated(square, np.array([(1, 3)]), 1e-9)
    edges = {frozenset(three[[k - 1, k]].tolist()) for three in triangles for k in range(3)}
    assert frozenset((1, 3)) in edges
    assert frozenset((4, 5)) not in edges
    assert GEOMETRY.triangulated(square[:4], np.array([(0, 2), (1, 3)]), 1e-9) is None
    points = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0.2, 0.2, -1), (0.2, 0.2, 1), (2, 2, 0.5)], dtype=float)
    assert overlapping(points, [(0, 1, 2), (3, 4, 5)]) == [(0, 1)]
    points[3:] += 3.0
    assert overlapping(points, [(0, 1, 2), (3, 4, 5)]) == []


def test_long_straight_pieces_meet_in_corners():
    """A thick stem goes through the same turn on a curve."""
    for radius, beyond in ((0.002, 0.0045), (0.02, 0.05)):
        skeleton = lsystem.grow(f"axiom: F(0.1, {radius}) +(90) F(0.1, {radius}) +(90) F(0.1, {radius})")
        skin = skin_of(skeleton)
        check_skin(skin, skeleton)
        low, high = skeleton.head.min(axis=0), skeleton.tail().max(axis=0)
        vertices = skin.surface.vertices[:, [0, 2]]
        assert (vertices - high[[0, 2]]).max() < beyond
        assert radius > 0.01 or (low[[0, 2]] - vertices).max() < radius + 0.101


@pytest.mark.parametrize("turn", ["&(5)", "+(5)"])
def test_blades_of_turned_segments_lie_along_their_bones(turn):
    """Half as wide and folded, no vertex is further away than that; leaves of straight segments have a bow besides."""
    skeleton = lsystem.grow("axiom: F(0.02) @organ(leaf) !(0.03) " + f"F(0.05) {turn} " * 6)
    surface = build_skin(bare(skeleton), lsystem.ORGANS, GEOMETRY, detail=detail.HIGH).surface
    leaf = np.flatnonzero(skeleton.organ == lsystem.ORGANS.index("leaf"))
    assert len(leaf) == 6
    from_heads = surface.vertices[np.isin(surface.segment, leaf)][:, None] - skeleton.head[leaf]
    direction = skeleton.direction()[leaf]
    along = np.clip((from_heads * direction).sum(axis=2), 0.0, skeleton.length[leaf])
    away = np.linalg.norm(from_heads - along[..., None] * direction, axis=2).min(axis=1)
    assert away.max() < 0.02
