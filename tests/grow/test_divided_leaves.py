# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaves that the text draws as one segment, cut into several: the same plant, which bends in its leaves."""

import numpy as np
import pytest

from lsystem import ORGANS, divided_leaves, grow, presets, undivided_leaves

LEAF = ORGANS.index("leaf")
PLAIN = """
material leaf young=1e8 poisson=0.3 density=800 damping=0.03 joint=0.5
axiom: F [ +(60) ~Petiole(0.02, 0.001) &(20) ~Leaf(0.1, 0.06) ~Bud(0.01, 0.005) ]
    [ -(60) ~Leaf(0.1, 0.05, 0.0003, 4, 20) ]
    { . +(90) f(0.01) . -(90) f(0.01) . } { . +(90) f(0.1) . -(90) f(0.1) . } F
"""


def plant(text=PLAIN):
    return grow(text)


def named(name, pieces):
    whole = grow(next(one.text for one in presets() if one.name == name))
    return whole, divided_leaves(whole, pieces)


def test_only_whole_leaves_of_one_segment_are_cut():
    skeleton = plant()
    whole = undivided_leaves(skeleton)
    assert whole.sum() == 2
    cut = divided_leaves(skeleton, 3)
    assert len(cut) == len(skeleton) + 4
    assert cut.divided.sum() == 6
    for polygon, before, pieces in zip(cut.polygons, skeleton.polygons, (1, 3), strict=True):
        assert cut.length[polygon.segment] == pytest.approx(skeleton.length[before.segment] / pieces)
        assert cut.organ[polygon.segment] == LEAF


def test_pieces_lie_one_behind_the_other_and_carry_what_the_leaf_did():
    skeleton = plant()
    leaf = int(np.flatnonzero(undivided_leaves(skeleton))[0])
    cut = divided_leaves(skeleton, 4)
    pieces = np.flatnonzero(cut.divided)[:4]
    np.testing.assert_array_equal(cut.parent[pieces[1:]], pieces[:-1])
    np.testing.assert_allclose(cut.head[pieces[1:]], cut.tail()[pieces[:-1]], atol=1e-15)
    np.testing.assert_allclose(cut.head[pieces[0]], skeleton.head[leaf], atol=0.0)
    np.testing.assert_allclose(cut.tail()[pieces[-1]], skeleton.tail()[leaf], atol=1e-15)
    bud = ORGANS.index("bud")
    assert cut.parent[np.flatnonzero(cut.organ == bud)[0]] == pieces[-1]


@pytest.mark.parametrize("name", ["broad_leaf", "rose", "young_oak"])
def test_places_tissue_and_widths_stay(name):
    whole, cut = named(name, 5)
    cut_of = undivided_leaves(whole)
    assert len(cut) == len(whole) + 4 * cut_of.sum()
    volume = [np.pi * (one.radius_base**2 * one.length)[one.organ == LEAF].sum() for one in (whole, cut)]
    assert volume[1] == pytest.approx(volume[0], rel=1e-12)
    others = ~cut.divided
    for column in ("head", "length", "young", "joint", "radius_base", "width"):
        np.testing.assert_array_equal(getattr(cut, column)[others], getattr(whole, column)[~cut_of])
    assert set(cut.width[cut.divided]) <= set(whole.width[cut_of])
    assert (cut.parent < np.arange(len(cut))).all()


def test_a_soft_base_gives_way_as_much_as_before():
    """What the factor adds to the compliance of the base, over that of the tissue 2 E I / L, is the same in radians."""
    skeleton = plant()
    leaf = int(np.flatnonzero(undivided_leaves(skeleton))[0])
    cut = divided_leaves(skeleton, 5)
    first = int(np.flatnonzero(cut.divided)[0])

    def added(one, k):
        stiffness = 2.0 * one.young[k] * 0.25 * np.pi * one.radius_base[k] ** 4 / one.length[k]
        return (1.0 / one.joint[k] - 1.0) / stiffness

    assert added(cut, first) == pytest.approx(added(skeleton, leaf), rel=1e-12)
    assert (cut.joint[cut.divided][1:5] == 1.0).all()


@pytest.mark.parametrize("pieces", [0, 1])
def test_one_piece_is_the_plant_itself(pieces):
    skeleton = plant()
    assert divided_leaves(skeleton, pieces) is skeleton
