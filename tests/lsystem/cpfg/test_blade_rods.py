# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaves that are tubes as few rods: as long, as heavy, and as stiff as the pieces that they were drawn in."""

from pathlib import Path

import numpy as np
import pytest

from lsystem import ORGANS, Skeleton, blades_in_few_rods, blades_of_tubes, grow, open_object
from lsystem.base.organs import FRUIT, LEAF
from lsystem.standing import young_of_leaves

CONTOUR = "cver 1 3\nname: c\npoints: 4 8\ntype: or\nsamples: 8\n-10 0 0 3\n-5 -1 0 1\n5 -1 0 1\n10 0 0 3\n"


def blade(tmp_path: Path, step: float, turn: float = 0.0) -> Skeleton:
    """A stem, and on it a leaf of twenty pieces that is widest in the middle."""
    widths = [0.2 + 0.8 * np.sin(np.pi * number / 20) for number in range(21)]
    tube = "".join(f"f({step})^({turn})!({0.1 * width:.4f})@Gc(1)" for width in widths[1:-1])
    (tmp_path / "c.con").write_text(CONTOUR)
    (tmp_path / "plant.v").write_text("contour: 1 c.con\ninitial line width: 0.1 units\n")
    string = f"F(2)+(30)[!(0.02)@#(1)@Gs {tube}f({step})!(0.02)@Ge(1)F(1)]"
    (tmp_path / "plant.l").write_text(f"Lsystem: 1\naxiom: {string}\nendlsystem\n")
    return grow(open_object(tmp_path).text)


def mass(skeleton: Skeleton) -> float:
    """Of leaves, but for pi and the density."""
    leaf = skeleton.organ == LEAF
    return float((skeleton.radius_base * skeleton.radius_tip * skeleton.length)[leaf].sum())


@pytest.mark.parametrize("rods", [1, 3, 5])
def test_a_long_leaf_is_so_many_rods(tmp_path, rods):
    drawn = blade(tmp_path, 0.5)
    assert [len(one) for one in blades_of_tubes(drawn)] == [20]
    few = blades_in_few_rods(drawn, rods)
    assert [ORGANS[organ] for organ in few.organ] == ["stem", *["leaf"] * rods, "stem"]
    assert few.parent.tolist() == list(range(-1, rods + 1))
    assert few.length[1:-1].sum() == pytest.approx(drawn.length[1:-1].sum())
    assert few.tail()[-1] == pytest.approx(drawn.tail()[-1], abs=1e-12)
    assert mass(few) == pytest.approx(mass(drawn), rel=1e-9)
    # to hold the same leaf out so far its material has to be as stiff
    assert [one.segment for one in few.contours] == list(range(1, rods + 1))
    assert few.contours[0].places[[0, -1]].tolist() == [0.0, 1.0]
    assert sum(len(one.places) - 1 for one in few.contours) == 20
    assert few.contours[0].base == pytest.approx(drawn.contours[0].base, abs=1e-12)


def test_its_tip_sags_as_before(tmp_path):
    """Under an even load, held at its base: the sum of moment times lever over E I, from which both are worked out."""
    drawn = blade(tmp_path, 0.5)
    for rods in (1, 4):
        few = blades_in_few_rods(drawn, rods)
        sags = []
        for skeleton in (drawn, few):
            leaf = np.flatnonzero(skeleton.organ == LEAF)
            x = np.append(0.0, skeleton.length[leaf].cumsum()) / skeleton.length[leaf].sum()
            stiffness = skeleton.young * (skeleton.radius_base * skeleton.radius_tip) ** 2
            fine = np.linspace(0, 1, 20001)[1:] - 0.5 / 20000
            bent = stiffness[leaf[np.searchsorted(x, fine) - 1]]
            sags.append(float(((1.0 - fine) ** 3 / bent).mean()))
        assert sags[1] == pytest.approx(sags[0], rel=1e-3)


def test_short_leaves_are_one_rod_and_curves_more(tmp_path):
    assert len(blades_in_few_rods(blade(tmp_path, 0.1), 5)) == 3, "2 cm, as sepals are"
    curled = blades_in_few_rods(blade(tmp_path, 0.1, 10.0), 5)
    assert len(curled) - 2 >= 4, "by 190 degrees"
    assert young_of_leaves(curled, 0.1) > 0.0


def test_what_stands_on_a_leaf_has_it_parted(tmp_path):
    (tmp_path / "c.con").write_text(CONTOUR)
    (tmp_path / "plant.v").write_text("contour: 1 c.con\ninitial line width: 0.1 units\n")
    tube = "@#(1)@Gs f(0.1)@Gc(1)f(0.1)@Gc(1)[+(40)@O(0.2)]f(0.1)@Gc(1)f(0.1)@Ge(1)"
    (tmp_path / "plant.l").write_text(f"Lsystem: 1\naxiom: F(1){tube}\nendlsystem\n")
    drawn = grow(open_object(tmp_path).text)
    few = blades_in_few_rods(drawn, 1)
    assert len(few) < len(drawn)
    borne = [int(skeleton.parent[skeleton.organ == FRUIT][0]) for skeleton in (drawn, few)]
    assert few.organ[borne[1]] == LEAF
    assert few.tail()[borne[1]] == pytest.approx(drawn.tail()[borne[0]], abs=1e-12)
