# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaves of grown plants turn, twist and flutter in gusts; `benchmarks/leaves.py` has the figures of whole trees."""

import importlib

import pytest

from tests.blender.scenes.leaves.leaf_motion import in_wind


@pytest.fixture
def commands(fresh):
    return importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.commands")


def test_leaves_turn_by_tens_of_degrees_in_a_fresh_wind(fresh, commands):
    motion = in_wind(fresh, commands.grow("broad_leaf"), 8.0, 4.0)
    print(motion)
    assert 15.0 < motion.bend < 90.0
    assert motion.twist > 5.0
    assert motion.quick > 0.1


def test_in_a_breeze_leaves_move_and_twigs_hardly(fresh, commands):
    breeze = in_wind(fresh, commands.grow("shrub", steps=6), 2.0, 4.0)
    print(breeze)
    assert breeze.bend > 2.0
    assert breeze.leaf > breeze.twig


def test_in_a_breeze_leaves_flutter_several_times_a_second(fresh, commands):
    breeze = in_wind(fresh, commands.grow("broad_leaf"), 2.0, 12.0)
    print(breeze)
    assert breeze.quick > 0.5
    assert breeze.several > 0.2


def test_without_flutter_they_only_sway(fresh, commands):
    with_it = in_wind(fresh, commands.grow("broad_leaf"), 4.0, 4.0)
    plant = commands.grow("broad_leaf", location=(3.0, 0.0, 0.0))
    plant.plant_dynamics.flutter = 0.0
    without = in_wind(fresh, plant, 4.0, 4.0)
    assert without.frame < 0.5 * with_it.frame
    assert without.twist < 0.5 * with_it.twist


@pytest.mark.parametrize(("preset", "most"), [("tropical", 20.0), ("tomato", 13.0)])
def test_in_a_storm_petioles_do_not_whirl(fresh, commands, preset, most):
    """As they did where they were thin for what they bear: leaves turned by 70 and by 15 degrees in a frame."""
    storm = in_wind(fresh, commands.grow(preset), 20.0, 2.0)
    print(storm)
    assert storm.frame < most
