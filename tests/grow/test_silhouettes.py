# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaves with outlines of their own: none crosses itself, veins run into lobes, and sides keep up at all details."""

import numpy as np
import pytest

import lsystem
from plant_dynamics_addon.grow.mesh import detail
from plant_dynamics_addon.grow.mesh.leaves.blades import BladeShape
from plant_dynamics_addon.grow.mesh.leaves.margins import Cut
from plant_dynamics_addon.grow.mesh.leaves.silhouettes import HEART, OVATE, PALM, TOOTHED, Kind, rows_of, veins_of
from plant_dynamics_addon.grow.mesh.skin import build_skin
from tests.grow.geometry import UNWELDED

LEVELS = ("LOW", "MEDIUM", "HIGH")
KNOWN = {"heart": HEART, "ovate": OVATE, "palm": PALM, "toothed": TOOTHED}
FLAT = {"fold_degrees": 0.0, "arch": 0.0, "droop": 0.0, "margin_curl": 0.0, "waves": 0.0, "variation": 0.0}


def leaf(silhouette, level, width=0.09, pieces=1):
    skeleton = lsystem.grow(f"steps: 1\naxiom: &(90) ~Leaf(0.1, {width}, 0.0005, {pieces})\n")
    shape = BladeShape(**FLAT, cut=Cut(silhouette=silhouette))
    return build_skin(skeleton, lsystem.ORGANS, UNWELDED, shape, detail=getattr(detail, level))


@pytest.mark.parametrize("name", KNOWN)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("pieces", [1, 4])
def test_no_face_is_turned_over(name, level, pieces):
    surface = leaf(KNOWN[name], level, pieces=pieces).surface
    corners = surface.vertices[surface.quads[surface.quad_under == 0]]
    normal = np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])
    assert len(normal) > 10
    assert (normal[:, 2] > -1e-12).all()


@pytest.mark.parametrize("name", KNOWN)
def test_is_as_wide_as_the_text_says_and_ends_at_its_length(name):
    points = leaf(KNOWN[name], "HIGH").surface.vertices
    assert np.ptp(points[:, 0]) == pytest.approx(0.09, rel=0.03)
    along = -points[:, 1] if points[:, 1].sum() < 0 else points[:, 1]
    assert along.max() == pytest.approx(0.1, abs=1e-6)
    assert -0.02 < along.min() < -0.0005, "reaches back beside its stalk"


def test_veins_run_into_every_lobe():
    for silhouette in (PALM, TOOTHED):
        rows, (first, count) = rows_of(silhouette, 2), veins_of(silhouette)
        tips = [one for one in silhouette if one.kind is Kind.TIP]
        assert len(tips) in (2, 4)
        for tip in tips:
            row = int(np.argmin(np.hypot(rows.out - tip.out, rows.at - tip.at)))
            assert (count * (rows.shown[row] - first)) % 1.0 == pytest.approx(0.5, abs=1e-6)


@pytest.mark.parametrize("name", KNOWN)
def test_lines_leave_the_midrib_one_after_the_other(name):
    for between in (0, 1, 2):
        rows = rows_of(KNOWN[name], between)
        assert (np.diff(rows.along) > 0.0).all()
        assert (np.diff(rows.shown) > 0.0).all()
        assert len(rows.along) == (between + 1) * (len(KNOWN[name]) + 1) + 1


def test_area_is_the_same_at_every_detail():
    for silhouette in KNOWN.values():
        areas = [leaf(silhouette, level).blade_area.sum() for level in LEVELS]
        assert areas[0] == areas[2]
        assert 0.35 * 0.009 < areas[0] < 0.85 * 0.009
