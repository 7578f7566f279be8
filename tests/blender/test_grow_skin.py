# SPDX-License-Identifier: GPL-3.0-or-later
"""The skin as arrays: sound faces, normals that point outwards, weights that keep bends smooth."""

import importlib
import time

import numpy as np
import pytest

EXTENSION = "bl_ext.user_default.plant_dynamics"

CHAIN = """
steps: 1
axiom: A(0)
A(n) -> F(0.05, 0.005) F(0.05, 0.005) F(0.05, 0.005) F(0.05, 0.005)
"""
LEAFY = """
steps: 6
axiom: F(0.03, 0.004) A(0)
A(n) : n < 5 -> F(0.03, 0.004 - 0.0004*n) [ &(70) ~Petiole(0.03, 0.001) &(20) ~Leaf(0.08, 0.05) ] /(137.5) A(n+1)
A(n) : n >= 5 -> [ &(40) F(0.03, 0.001) ~Flower(0.01, 0.03) ] [ ^(40) S ~Fruit(0.02, 0.02) ] ~Bud(0.012, 0.006)
S -> F(0.03, 0.001)
"""


@pytest.fixture
def lsystem(addon):
    return importlib.import_module(f"{EXTENSION}.lsystem")


@pytest.fixture
def module(addon):
    def load(name: str):
        return importlib.import_module(f"{EXTENSION}.plant_dynamics_addon.grow.{name}")

    return load


@pytest.fixture
def all_skeletons(lsystem):
    drawn = {preset.name: lsystem.grow(preset.text) for preset in lsystem.presets()}
    return {**drawn, "chain": lsystem.grow(CHAIN), "leafy": lsystem.grow(LEAFY)}


def corners(surface):
    return [surface.vertices[face] for face in (surface.quads, surface.triangles)]


def areas(surface):
    quads, triangles = corners(surface)
    of_quads = np.linalg.norm(np.cross(quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1]), axis=1) / 2
    of_triangles = (
        np.linalg.norm(np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]), axis=1) / 2
    )
    return np.concatenate([of_quads, of_triangles])


def directed_edges(surface):
    return np.concatenate(
        [
            np.stack([face, np.roll(face, -1, axis=1)], axis=2).reshape(-1, 2)
            for face in (surface.quads, surface.triangles)
        ]
    )


def signed_volume(surface):
    quads, triangles = corners(surface)
    pieces = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]], triangles])
    return np.einsum("fi,fi->f", pieces[:, 0], np.cross(pieces[:, 1], pieces[:, 2])).sum() / 6


def moved(surface, rotations, origins, offsets):
    """Linear blend skinning: vertex -> sum of weights x (rotation about the bone's origin, then offset)."""
    relative = surface.vertices[:, None, :] - origins[surface.bones]
    placed = np.einsum("vbij,vbj->vbi", rotations[surface.bones], relative) + (origins + offsets)[surface.bones]
    return np.einsum("vb,vbi->vi", surface.weights, placed)


def test_every_preset_has_a_sound_skin(all_skeletons, module):
    build_skin = module("skin").build_skin
    for name, skeleton in all_skeletons.items():
        surface, variation = build_skin(skeleton)
        assert np.isfinite(surface.vertices).all(), name
        assert np.isfinite(surface.quad_uv).all(), name
        np.testing.assert_allclose(surface.weights.sum(axis=1), 1.0, atol=1e-12, err_msg=name)
        assert (surface.weights >= 0).all(), name
        assert ((surface.bones >= 0) & (surface.bones < len(skeleton))).all(), name
        assert areas(surface).min() > 0.0, name
        used = np.unique(np.concatenate([surface.quads.ravel(), surface.triangles.ravel()]))
        assert len(used) == len(surface.vertices), f"{name}: loose vertices"
        edges = directed_edges(surface)
        assert len(np.unique(edges, axis=0)) == len(edges), f"{name}: faces that share an edge disagree on their side"
        assert len(variation) == len(skeleton), name
        assert np.isin(np.arange(len(skeleton)), surface.segment).all(), f"{name}: a segment without a surface"


def test_tubes_are_closed_and_face_outwards(all_skeletons, module):
    axes, tubes, lsystem = module("axes"), module("tubes"), all_skeletons
    organs = importlib.import_module(f"{EXTENSION}.lsystem").ORGANS
    for name, skeleton in lsystem.items():
        if not np.isin(skeleton.organ, (0, 1)).any():
            continue
        surface = tubes.build_tubes(skeleton, axes.find_axes(skeleton, organs))
        edges = {tuple(edge) for edge in directed_edges(surface).tolist()}
        assert all((b, a) in edges for a, b in edges), f"{name}: a tube is open"
        assert signed_volume(surface) > 0, name
    chain = tubes.build_tubes(all_skeletons["chain"], axes.find_axes(all_skeletons["chain"], organs))
    # A prism of 12 sides with the root's widening, the part below the ground and the rounded tip.
    assert signed_volume(chain) == pytest.approx(np.pi * 0.005**2 * 0.2, rel=0.15)


def test_tube_goes_through_the_joints_and_follows_the_radius(lsystem, module):
    skeleton = lsystem.grow("steps: 1\naxiom: F(0.1, 0.004) &(30) F(0.1, 0.004) &(30) F(0.1, 0.004)\n")
    axes_module = module("axes")
    axes = axes_module.find_axes(skeleton, lsystem.ORGANS)
    assert (axes.run == 0).all()
    joints = axes_module.stations_at(axes, np.arange(3), np.ones(3))
    np.testing.assert_allclose(joints.point, skeleton.tail(), atol=1e-12)
    from_below = axes_module.stations_at(axes, np.array([0]), np.array([1.0 - 1e-9]))
    from_above = axes_module.stations_at(axes, np.array([1]), np.array([1e-9]))
    np.testing.assert_allclose(from_below.tangent, from_above.tangent, atol=1e-6)


def test_bend_of_ninety_degrees_over_four_segments_keeps_the_cross_section(lsystem, module):
    """The segments turn like the chords of a quarter circle; no ring tilts into the next, no ring loses a tenth."""
    skeleton = lsystem.grow(CHAIN)
    surface, _ = module("skin").build_skin(skeleton)
    angles = np.radians(22.5) * (np.arange(4) + 0.5)
    c, s, zero, one = np.cos(angles), np.sin(angles), np.zeros(4), np.ones(4)
    rotations = np.stack([np.stack([c, zero, s], 1), np.stack([zero, one, zero], 1), np.stack([-s, zero, c], 1)], 1)
    heads = np.zeros((4, 3))
    for k in range(1, 4):
        heads[k] = heads[k - 1] + 0.05 * rotations[k - 1, :, 2]
    bent = moved(surface, rotations, skeleton.head, heads - skeleton.head)

    height = np.round(surface.vertices[:, 2], 9)
    previous = None
    for level in np.unique(height[(height > 0.02) & (height < 0.1999)]):
        ring = np.flatnonzero(height == level)
        order = ring[np.argsort(np.arctan2(surface.vertices[ring, 1], surface.vertices[ring, 0]))]

        def area(points):
            centred = points - points.mean(axis=0)
            return np.linalg.norm(np.cross(centred, np.roll(centred, -1, axis=0)).sum(axis=0)) / 2

        assert area(bent[order]) == pytest.approx(area(surface.vertices[order]), rel=0.10)
        if previous is not None and len(previous) == len(order):
            forward = bent[order].mean(axis=0) - bent[previous].mean(axis=0)
            assert ((bent[order] - bent[previous]) @ forward > 0).all(), "the tube cuts itself"
        previous = order


def test_uv_runs_in_metres_along_the_stem(lsystem, module):
    surface, _ = module("skin").build_skin(lsystem.grow(CHAIN))
    heights = surface.vertices[surface.quads][:, :, 2]
    np.testing.assert_allclose(surface.quad_uv[:, :, 1], heights, atol=1e-9)
    assert surface.quad_uv[:, :, 0].max() == pytest.approx(1.0)


def test_blade_is_as_wide_and_long_as_its_segment(lsystem, module):
    skeleton = lsystem.grow("steps: 1\naxiom: &(90) ~Leaf(0.2, 0.1)\n")
    shape = module("blades").BladeShape(fold_degrees=0.0, arch=0.0, droop=0.0, margin_curl=0.0, waves=0.0)
    surface, _ = module("skin").build_skin(skeleton, module("skin").SkinShape(blade=shape))
    extent = np.ptp(surface.vertices, axis=0)
    assert np.sort(extent)[::-1] == pytest.approx([0.2, 0.1, 0.0], abs=0.003)
    quads, _ = corners(surface)
    normals = np.cross(quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1])
    assert (normals[:, 2] > 0).all(), "a leaf's upper side is its segment's local Z"


def test_a_leaf_bends_with_its_petiole(lsystem, module):
    skeleton = lsystem.grow(LEAFY)
    surface, _ = module("skin").build_skin(skeleton)
    petiole = int(np.flatnonzero(skeleton.organ == 1)[0])
    leaf = petiole + 1
    on_leaf = surface.segment == leaf
    shared = (surface.bones[on_leaf, 0] == petiole) & (surface.weights[on_leaf, 0] > 0)
    assert shared.any()
    assert surface.weights[on_leaf, 0].max() == pytest.approx(0.5)


def test_fifteen_hundred_segments_take_less_than_half_a_second(lsystem, module):
    text = """
steps: 60
axiom: A(0)
A(n) -> F(0.03, 0.02*0.95^n) [ &(60) F(0.03, 0.005) F(0.03, 0.004) T(0) ] /(137.5) A(n+1)
T(n) : n < 6 -> F(0.02, 0.003) [ &(50) ~Petiole(0.02, 0.001) ~Leaf(0.06, 0.03) ] /(137.5) T(n+1)
"""
    skeleton = lsystem.grow(text)
    assert len(skeleton) > 1100
    begin = time.perf_counter()
    module("skin").build_skin(skeleton)
    assert time.perf_counter() - begin < 2.0  # measured 0.1 s; the rest is room for a busy machine
