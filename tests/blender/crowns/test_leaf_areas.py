# SPDX-License-Identifier: GPL-3.0-or-later
"""Crowns are as dense as those that were measured, within a factor of 1.5."""

import importlib

import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.leaves import crowns

FACTOR = 1.5


def drawn_on_a_twig(fresh, plant) -> int:
    looks = importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.grow.looks.catalogue")
    spray = looks.look_named(plant.name).blade.spray
    return spray.leaves if spray else 1


@pytest.mark.parametrize("name", crowns.LEAF_AREA)
def test_crowns_have_the_leaf_area_and_twigs_the_leaves_of_real_ones(fresh, name):
    plant = plants.grow(name)
    found, measured = crowns.leaf_area_index(plant), crowns.LEAF_AREA[name]
    print(f"{name}: {found:.2f}, measured {measured}")
    assert measured / FACTOR < found < measured * FACTOR
    leaves, length = crowns.leafy_twigs(plant, drawn_on_a_twig(fresh, plant))
    expected = crowns.leaves_of_a_shoot(name, length)
    print(f"{name}: {leaves} on {length:.3f} m, measured {expected:.1f}")
    assert expected / FACTOR < leaves < expected * FACTOR
