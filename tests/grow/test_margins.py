# SPDX-License-Identifier: GPL-3.0-or-later
"""Blades with lobes or needles: as many as the shape says, within the blade's length and width."""

import numpy as np
import pytest

import lsystem
from plant_dynamics_addon.grow.mesh import detail
from plant_dynamics_addon.grow.mesh.leaves.blades import BladeShape
from plant_dynamics_addon.grow.mesh.leaves.margins import Cut
from plant_dynamics_addon.grow.mesh.skin import build_skin
from tests.grow.geometry import UNWELDED

LEVELS = ("LOW", "MEDIUM", "HIGH")
FLAT = {"fold_degrees": 0.0, "arch": 0.0, "droop": 0.0, "margin_curl": 0.0, "waves": 0.0, "variation": 0.0}


def leaf(width: float, level: str, pieces: int = 1, **cut):
    """The skin of one flat leaf of 0.2 m with this width and cut, at a level of detail."""
    skeleton = lsystem.grow(f"steps: 1\naxiom: &(90) ~Leaf(0.2, {width}, 0.001, {pieces})\n")
    shape = BladeShape(**FLAT, widest=0.6, tapering=1.3, cut=Cut(**cut))
    return build_skin(skeleton, lsystem.ORGANS, UNWELDED, shape, detail=getattr(detail, level))


def margin(surface):
    """Places along the leaf and distances from the midrib of the right margin's points, from base to tip."""
    right = np.unique(surface.vertices[surface.vertices[:, 0] >= -1e-9], axis=0)
    upper = {}
    for face, uv in zip(surface.quads, surface.quad_uv, strict=True):
        for vertex, (u, v) in zip(face, uv, strict=True):
            if u == 1.0:
                upper[v] = surface.vertices[vertex]
    assert len(right) > len(upper) > 3
    points = np.array([upper[v] for v in sorted(upper)])
    along = np.abs(points[:, 1]) if np.ptp(points[:, 1]) > np.ptp(points[:, 2]) else np.abs(points[:, 2])
    return along, np.abs(points[:, 0])


def peaks(out):
    return int(((out[1:-1] > out[:-2] + 1e-9) & (out[1:-1] >= out[2:] - 1e-9)).sum())


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("lobes", [3, 4])
def test_a_lobed_leaf_has_its_lobes_and_one_at_the_tip(level, lobes):
    along, out = margin(leaf(0.12, level, lobes=lobes, depth=0.5).surface)
    assert peaks(out) in (lobes, lobes + 1), "the lobe at the tip may be narrower at each row"
    assert 0.05 < out.max() <= 0.0601
    widest = along[np.argmax(out)]
    assert 0.09 < widest < 0.16, "beyond the middle"


@pytest.mark.parametrize("level", LEVELS)
def test_cut_leaves_stay_within_their_length_and_width(level):
    for cut in ({"lobes": 4, "sweep": 0.22}, {"needles": 4.5, "sweep": 0.65}):
        width = 0.12 if "lobes" in cut else 0.04
        points = leaf(width, level, **cut).surface.vertices
        assert np.ptp(points[:, 0]) <= width * 1.001
        assert np.sort(np.ptp(points, axis=0))[-1] < 0.2 * 1.02


def test_needles_are_as_many_as_the_length_has_room_for_and_fewer_at_lower_detail():
    for width, wanted in ((0.04, [8, 18, 40]), (0.08, [4, 9, 20])):
        assert [peaks(margin(leaf(width, level, needles=8.0).surface)[1]) for level in LEVELS] == wanted


def test_sides_of_needles_are_parallel():
    """Of the length in the middle of the twig, needles cover as much near their points as near the twig; thorns do not:
    these would cover a third as much."""
    for level in ("MEDIUM", "HIGH"):
        along, out = margin(leaf(0.04, level, needles=6.0).surface)
        places = np.linspace(0.08, 0.12, 4001)
        height = np.interp(places, along, out) / out.max()
        near_twig, near_point = np.mean(height > 0.2), np.mean(height > 0.7)
        assert near_twig < 0.6, "there is room between them"
        assert near_point > 0.8 * near_twig


def test_needles_of_a_twig_stand_all_around_it_and_differ_in_length():
    surface = leaf(0.04, "HIGH", needles=6.0, spread_degrees=60.0).surface
    away = surface.vertices[:, [0, 2]]
    away = away[np.linalg.norm(away, axis=1) > 0.012]
    rise = np.degrees(np.arctan2(away[:, 1], np.abs(away[:, 0])))
    assert np.histogram(rise, np.linspace(-60.0, 60.0, 9))[0].min() > 0
    long = np.linalg.norm(away, axis=1)
    assert long.max() / np.quantile(long, 0.1) > 1.1


def test_needles_reach_down_to_the_twig():
    _, out = margin(leaf(0.04, "HIGH", needles=4.0).surface)
    assert np.sort(out)[: len(out) // 4].max() < 0.1 * out.max()


def test_area_is_that_of_what_is_left():
    whole, lobed, needled = (
        leaf(0.06, "LOW", **cut).blade_area.sum() for cut in ({}, {"lobes": 4, "depth": 0.5}, {"needles": 4.5})
    )
    assert 0.65 * whole < lobed < 0.92 * whole
    assert 0.25 * whole < needled < 0.6 * whole
    for cut in ({"lobes": 4}, {"needles": 4.5}):
        assert leaf(0.06, "LOW", **cut).blade_area.sum() == leaf(0.06, "HIGH", **cut).blade_area.sum()
        mesh = leaf(0.06, "HIGH", **cut).surface
        corners = mesh.vertices[mesh.quads[mesh.quad_under == 0]]
        crossed = np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])
        assert leaf(0.06, "LOW", **cut).blade_area.sum() == pytest.approx(
            0.5 * np.linalg.norm(crossed, axis=1).sum(), rel=0.03
        )


def test_faces_of_a_swept_leaf_keep_their_side():
    """None is turned over, so the outline does not cross itself."""
    for level in LEVELS:
        for width, cut in ((0.12, {"lobes": 4, "sweep": 0.22}), (0.04, {"needles": 4.5, "sweep": 0.65})):
            surface = leaf(width, level, **cut).surface
            faces = surface.quads[surface.quad_under == 0]
            middle, corners = surface.vertices[faces].mean(axis=1), surface.vertices[faces]
            normal = np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])
            assert len(middle) > 10
            assert (normal[:, 2] > 0.0).all()


def test_a_cut_leaf_of_several_segments_has_rows_in_all():
    surface = leaf(0.12, "LOW", pieces=4, lobes=2).surface
    rows = [len(np.unique(np.round(surface.weights[surface.segment == k], 6), axis=0)) for k in range(4)]
    assert min(rows) >= 3
