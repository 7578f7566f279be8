# SPDX-License-Identifier: GPL-3.0-or-later
"""Which stems are wood, and which of their faces are of bark."""

import numpy as np
import pytest

import lsystem
from plant_dynamics_addon.grow.mesh import detail
from plant_dynamics_addon.grow.mesh.skin import build_skin
from plant_dynamics_addon.grow.mesh.stems.bark import barked, with_bark, woodiness
from plant_dynamics_addon.grow.mesh.surface import PARTS
from tests.grow.geometry import UNWELDED

TRUNK = "axiom: F(0.5, 0.05) [ &(60) F(0.1, 0.001) ~Leaf(0.1, 0.05) ]\n"


def of_wood(young):
    return lsystem.grow(f"material stem young={young:g} poisson=0.3 density=900 damping=0.01\n{TRUNK}")


@pytest.mark.parametrize(("young", "wood"), [(1.2e9, 0.0), (2.25e9, 0.5), (6e9, 1.0)])
def test_youngs_modulus_decides(young, wood):
    np.testing.assert_allclose(woodiness(of_wood(young), lsystem.ORGANS), [wood, wood, 0.0], atol=1e-12)


def test_where_nothing_is_said_a_stem_is_herbaceous_unless_the_plant_has_bark():
    skeleton = lsystem.grow(TRUNK)
    assert woodiness(skeleton, lsystem.ORGANS).tolist() == [0.0, 0.0, 0.0]
    assert woodiness(skeleton, lsystem.ORGANS, True).tolist() == [1.0, 1.0, 0.0]
    assert woodiness(of_wood(6e9), lsystem.ORGANS, False).tolist() == [0.0, 0.0, 0.0]


def test_faces_of_thick_wood_are_of_bark_and_twigs_stay_green():
    skeleton = of_wood(6e9)
    is_barked = barked(skeleton, woodiness(skeleton, lsystem.ORGANS), (0.0035, 0.014))
    assert is_barked.tolist() == [True, False, False]
    surface = build_skin(skeleton, lsystem.ORGANS, UNWELDED, detail=detail.LOW).surface
    changed = with_bark(surface, is_barked)
    for corners, before, after in ((surface.quads, surface.quad_part, changed.quad_part),
                                   (surface.triangles, surface.triangle_part, changed.triangle_part)):  # fmt: skip
        of_trunk = surface.segment[corners[:, 0]] == 0
        assert (after[of_trunk] == PARTS.index("bark")).all()
        np.testing.assert_array_equal(after[~of_trunk], before[~of_trunk])
