# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaves that are drawn beside those of the text and move with them."""

import numpy as np
import pytest

import lsystem
from plant_dynamics_addon.grow.mesh import detail
from plant_dynamics_addon.grow.mesh.arrays import matrices
from plant_dynamics_addon.grow.mesh.leaves.blades import BladeShape
from plant_dynamics_addon.grow.mesh.leaves.companions import Companions, with_companions
from plant_dynamics_addon.grow.mesh.leaves.sprays import Spray
from plant_dynamics_addon.grow.mesh.skeleton import bare
from plant_dynamics_addon.grow.mesh.skin import build_skin
from tests.grow.geometry import UNWELDED
from tests.grow.skins import check_edges

LEAF = lsystem.ORGANS.index("leaf")
TUFT = "axiom: [ &(10) ~Leaf(0.1, 0.006) &(5) ~Leaf(0.1, 0.005) &(5) ~Leaf(0.1, 0.004) ] [ ^(10) ~Leaf(0.2, 0.006) ]\n"
_PAIR = "&(3) ~Petiole(0.1, 0.003) [ +(60) ~Leaf(0.3, 0.03) ] [ -(60) ~Leaf(0.3, 0.03) ] "
FROND = f"axiom: ~Petiole(0.1, 0.004) {3 * _PAIR} ~Leaf(0.2, 0.03)\n"
OF_TUFT = Companions(3, smallest=0.5, tufts=True, apart=2.0, scatter_degrees=(5.0, 30.0, 5.0))
OF_FROND = Companions(2, smallest=0.9, back=1.0, scatter_degrees=(5.0, 5.0, 3.0))
OF_TWIG = Companions(2, smallest=0.4, largest=0.5, first=0.3, last=0.5, angle_degrees=40.0)


def accompanied(text, companions):
    skeleton = bare(lsystem.grow(text))
    return skeleton, len(skeleton.parent), with_companions(skeleton, lsystem.ORGANS, companions)


def test_shoots_of_a_tuft_rise_beside_their_blades_and_bend_as_these():
    skeleton, n, found = accompanied(TUFT, OF_TUFT)
    drawn = found.skeleton
    assert len(drawn.parent) == 4 * n
    assert np.bincount(found.carrier).tolist() == n * [4]
    base = np.flatnonzero(drawn.parent[n:] < 0) + n
    beside = drawn.head[base] - skeleton.head[found.carrier[base]]
    assert np.linalg.norm(beside, axis=1).max() <= 2.0 * 0.006
    assert np.linalg.norm(beside, axis=1).min() > 0.0
    assert (beside[:, 2] == 0.0).all(), "on the ground"
    frame = matrices(drawn.frame)
    inner = np.flatnonzero(drawn.parent[n:] >= 0) + n
    before = drawn.parent[inner]
    tails = drawn.head[before] + drawn.length[before, None] * frame[before, :, 1]
    np.testing.assert_allclose(drawn.head[inner], tails, atol=1e-12)
    bend = np.einsum("kji,kjl->kil", frame[before], frame[inner])
    own = matrices(skeleton.frame)
    carrier = found.carrier[inner]
    np.testing.assert_allclose(bend, np.einsum("kji,kjl->kil", own[skeleton.parent[carrier]], own[carrier]), atol=1e-12)
    share = drawn.length[n:] / skeleton.length[found.carrier[n:]]
    assert 0.5 <= share.min() < share.max() <= 1.0


def test_shoots_bend_as_far_from_the_ground_as_their_blade_whatever_their_size():
    """Where bones turn, what is drawn beside them is not drawn out: it turns about the same places."""
    text = "axiom: " + 8 * "~Leaf(0.05, 0.006) " + "\n"
    skeleton = bare(lsystem.grow(text))
    companions = Companions(5, smallest=0.4, largest=0.5, tufts=True, apart=0.0)
    surface = build_skin(
        skeleton, lsystem.ORGANS, UNWELDED, BladeShape(companions=companions, variation=0.0), detail=detail.LOW
    ).surface
    low = surface.vertices[:, 2] < 0.19
    for place in np.linspace(0.0, 0.18, 7):
        near = low & (np.abs(surface.vertices[:, 2] - place) < 0.003)
        carried = (surface.weights * surface.bones).sum(axis=1)[near]
        assert near.sum() >= 5
        assert np.ptp(carried) < 0.4, "of one bone"


def test_leaves_off_the_ground_have_none_in_tufts():
    _, n, found = accompanied(FROND, OF_TUFT)
    assert len(found.carrier) == n


def test_leaflets_stand_between_those_of_the_text_and_their_bases_stay_on_the_stalk():
    skeleton, n, found = accompanied(FROND, OF_FROND)
    assert len(found.carrier) - n == 2 * 6, "the leaf that ends the frond has none"
    new = np.arange(n, len(found.carrier))
    stalk = skeleton.parent[found.carrier[new]]
    along = matrices(skeleton.frame)[stalk, :, 1]
    place = np.einsum("ij,ij->i", found.skeleton.head[new] - skeleton.head[stalk], along)
    np.testing.assert_allclose(found.skeleton.head[new], skeleton.head[stalk] + place[:, None] * along, atol=1e-12)
    np.testing.assert_allclose(np.sort(place)[[0, -1]], [0.1 / 3, 0.2 / 3])
    assert (found.root == stalk).all()

    shape = BladeShape(companions=OF_FROND)
    surface = build_skin(skeleton, lsystem.ORGANS, UNWELDED, shape, detail=detail.MEDIUM).surface
    for one in new:
        far = np.linalg.norm(surface.vertices - found.skeleton.head[one], axis=1)
        on_stalk = np.where(surface.bones == found.root[one - n], surface.weights, 0.0).sum(axis=1)
        nearest = np.argmin(np.where(surface.segment == found.carrier[one], far, np.inf))
        assert on_stalk[nearest] > 0.95
        of_leaf = surface.bones == found.carrier[one]
        assert np.where(of_leaf, surface.weights, 0.0)[surface.segment == found.carrier[one]].sum(axis=1).max() == 1.0


def test_side_twigs_stand_on_their_twig_to_both_sides():
    skeleton, n, found = accompanied("axiom: F(0.1, 0.002) [ &(50) ~Leaf(0.2, 0.04) ]\n", OF_TWIG)
    frame = matrices(skeleton.frame)[1]
    away = (found.skeleton.head[n:] - skeleton.head[1]) @ frame
    np.testing.assert_allclose(away, [[0.0, 0.06, 0.0], [0.0, 0.1, 0.0]], atol=1e-12)
    direction = matrices(found.skeleton.frame)[n:, :, 1] @ frame
    side = np.sin(np.radians(40.0))
    np.testing.assert_allclose(direction[:, 0], [-side, side], atol=1e-12)
    assert (found.root == -1).all()


@pytest.mark.parametrize("level", [detail.LOW, detail.HIGH], ids=["low", "high"])
@pytest.mark.parametrize(("text", "companions"), [(TUFT, OF_TUFT), (FROND, OF_FROND), (FROND, OF_TWIG)])
@pytest.mark.parametrize("spray", [None, Spray(leaves=4, length=0.4, slender=0.5)], ids=["blades", "sprays"])
def test_the_skin_is_closed_and_the_air_feels_what_it_felt(text, companions, level, spray):
    skeleton = bare(lsystem.grow(text))
    alone, together = (
        build_skin(skeleton, lsystem.ORGANS, UNWELDED, BladeShape(spray=spray, companions=one), detail=level)
        for one in (None, companions)
    )
    surface = together.surface
    check_edges(surface)
    assert len(surface.vertices) > 1.5 * len(alone.surface.vertices)
    # of more sprays each has other chances
    np.testing.assert_allclose(together.blade_area, alone.blade_area, rtol=0.01 if spray else 1e-12)
    np.testing.assert_array_equal(together.variation, alone.variation)
    assert surface.segment.max() < len(skeleton.parent)
    np.testing.assert_allclose(surface.weights.sum(axis=1), 1.0, atol=1e-12)
    named = np.where(surface.weights > 0.0, surface.bones, -1 - np.arange(surface.bones.shape[1]))
    assert (np.diff(np.sort(named, axis=1), axis=1) != 0).all(), "a vertex names every bone once"


def test_copies_have_companions_too():
    skeleton = bare(lsystem.grow(FROND))
    skin = build_skin(skeleton, lsystem.ORGANS, UNWELDED, BladeShape(companions=OF_FROND), instanced=True)
    assert sum(len(one.segment) for one in skin.copies) == 7 + 12
    assert all(one.segment.max() < len(skeleton.parent) for one in skin.copies)
