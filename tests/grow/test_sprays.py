# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaves drawn as twigs with small leaves."""

from dataclasses import replace

import numpy as np
import pytest

import lsystem
from plant_dynamics_addon.grow.mesh import detail
from plant_dynamics_addon.grow.mesh.arrays import matrices, turned_about
from plant_dynamics_addon.grow.mesh.leaves.blades import BladeShape
from plant_dynamics_addon.grow.mesh.leaves.sprays import Spray, differing, with_sprays
from plant_dynamics_addon.grow.mesh.skeleton import bare
from plant_dynamics_addon.grow.mesh.skin import build_skin
from tests.grow.geometry import UNWELDED
from tests.grow.skins import LEAFY, areas, directed_edges, numbered

SPRAY = Spray(leaves=6, length=0.4, slender=0.6)
LEAF = lsystem.ORGANS.index("leaf")


@pytest.fixture(params=[1, 3], ids=["one bone", "three bones"])
def skeleton(request):
    return lsystem.divided_leaves(lsystem.grow(LEAFY), request.param)


@pytest.mark.parametrize("axis", range(3))
def test_turns_are_about_the_own_axis(axis):
    quaternion = np.array([[0.5, 0.5, -0.5, 0.5]])
    about, c, s = np.roll([1.0, 0.0, 0.0], axis), np.cos(0.3), np.sin(0.3)
    wanted = c * np.eye(3) + (1 - c) * np.outer(about, about) + s * np.cross(np.eye(3), about)
    found = matrices(turned_about(quaternion, axis, np.array([0.3])))[0]
    np.testing.assert_allclose(found, matrices(quaternion)[0] @ wanted, atol=1e-14)


def test_every_leaf_is_on_its_twig_and_within_its_reach(skeleton):
    drawn, carrier = with_sprays(bare(skeleton), lsystem.ORGANS, SPRAY)
    n = len(skeleton)
    assert carrier[:n].tolist() == list(range(n))
    was_leaf = skeleton.organ == LEAF
    assert not (drawn.organ[:n] == LEAF).any()
    assert (drawn.organ[n:] == LEAF).all()
    leaves = np.count_nonzero(was_leaf & ~(was_leaf[skeleton.parent] & (skeleton.parent >= 0)))
    assert len(carrier) - n == SPRAY.leaves * leaves
    assert was_leaf[carrier[n:]].all()
    direction = matrices(skeleton.frame)[carrier[n:], :, 1]
    away = drawn.head[n:] - skeleton.head[carrier[n:]]
    along = (away * direction).sum(1)
    assert np.linalg.norm(away - along[:, None] * direction, axis=1).max() < 1e-12
    assert along.min() > -1e-12
    assert (along - skeleton.length[carrier[n:]]).max() < 1e-12
    assert drawn.length[n:].max() <= SPRAY.length * 0.08 + 1e-12


@pytest.mark.parametrize("instanced", [False, True])
def test_bones_carry_the_leaves_and_their_area(skeleton, instanced):
    shape = BladeShape(spray=SPRAY)
    skin = build_skin(bare(skeleton), lsystem.ORGANS, UNWELDED, shape, detail=detail.LOW, instanced=instanced)
    n, surface = len(skeleton), skin.surface
    assert surface.segment.max() < n
    assert surface.bones.max() < n
    named = np.sort(np.where(surface.weights > 0.0, surface.bones, -1 - np.arange(surface.bones.shape[1])), axis=1)
    assert (np.diff(named, axis=1) != 0).all(), "a vertex names every bone once"
    copied = [one for one in skin.copies if one.name.startswith("Leaf")]
    assert bool(copied) == instanced
    is_leaf = skeleton.organ == LEAF
    assert (skin.blade_area[~is_leaf] == 0.0).all()
    if not instanced:
        edges = directed_edges(surface)
        assert len(np.unique(numbered(edges))) == len(edges)
        blades = np.concatenate([surface.quad_part, surface.triangle_part]) == 1  # both sides of every blade
        assert skin.blade_area.sum() == pytest.approx(0.5 * areas(surface)[blades].sum(), rel=0.15)  # at low detail


def test_the_lowest_leaves_of_twigs_are_the_oldest_but_for_chance():
    twigs, spray = 200, Spray(leaves=6, length=0.5, slender=0.5)
    numbers = differing(spray, twigs * spray.leaves)
    ages = numbers[:, 0].reshape(twigs, spray.leaves)
    assert (np.diff(ages.mean(axis=0)) < -0.05).all()
    assert (np.diff(ages, axis=1) > 0.0).any(), "chance"
    np.testing.assert_allclose(np.sort(ages.ravel()), (np.arange(ages.size) + 0.5) / ages.size)
    assert np.array_equal(numbers, differing(spray, len(numbers))), "the same plant is the same again"
    assert differing(None, 0).shape == (0, 4)


def test_blades_turn_their_upper_sides_to_the_sky():
    text = "axiom: F(0.1, 0.002) " + " ".join(
        f"[ /({37 * k}) &({23 * k}) /({71 * k}) ~Leaf(0.2, 0.01) ]" for k in range(40)
    )
    skeleton = bare(lsystem.grow(text))
    spray = Spray(leaves=7, length=0.4, slender=0.6, scatter_degrees=0.0, turn_degrees=137.5)
    heights = []
    for share in (0.0, 0.5, 1.0):
        drawn, _ = with_sprays(skeleton, lsystem.ORGANS, replace(spray, to_sky=share))
        heights.append(matrices(drawn.frame)[len(skeleton.parent) :, 2])  # of right, along and up
    before, half, turned = heights
    assert (before[:, 2] < -0.5).any(), "some look down at first"
    assert (turned[:, 2] > half[:, 2] - 1e-9).all()
    assert (half[:, 2] > before[:, 2] - 1e-9).all()
    level = np.abs(before[:, 1]) < 0.5
    assert turned[level, 2].min() > 0.8
    rising = before[:, 1] > 0.0
    assert (turned[rising, 1] < before[rising, 1]).all(), "they are laid down"
    assert (turned[rising, 1] > 0.0).all()
    np.testing.assert_allclose(turned[~rising, 1], before[~rising, 1], atol=1e-12)
