# SPDX-License-Identifier: GPL-3.0-or-later
"""Crowns are as dense as those that were measured, within a factor of 1.5."""

import pytest

from tests.blender.scenes.leaves import crowns
from tests.forms import IS_FULL
from tests.grow.skins import LARGE

FACTOR = 1.5


@pytest.mark.parametrize("name", [name for name in crowns.LEAF_AREA if IS_FULL or name not in LARGE])
def test_crowns_have_the_leaf_area_and_twigs_the_leaves_of_real_ones(presets, name):
    found, measured = presets.known(name).leaf_area, crowns.LEAF_AREA[name]
    print(f"{name}: {found:.2f}, measured {measured}")
    assert measured / FACTOR < found < measured * FACTOR
    leaves, length = presets.known(name).twig
    expected = crowns.leaves_of_a_shoot(name, length)
    print(f"{name}: {leaves} on {length:.3f} m, measured {expected:.1f}")
    assert expected / FACTOR < leaves < expected * FACTOR
