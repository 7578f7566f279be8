# SPDX-License-Identifier: GPL-3.0-or-later
"""How far a skin has come is told, steadily, and whoever listens can end it."""

from itertools import pairwise

import pytest

import lsystem
from plant_dynamics_addon.grow.looks.catalogue import look_named
from plant_dynamics_addon.grow.mesh import progress
from plant_dynamics_addon.grow.mesh.detail import LOW
from plant_dynamics_addon.grow.mesh.skeleton import bare
from plant_dynamics_addon.grow.mesh.skin import build_skin
from tests.grow.geometry import GEOMETRY


def built(name):
    preset = next(one for one in lsystem.presets() if one.name == name)
    look = look_named(preset.title)
    return build_skin(bare(lsystem.grow(preset.text)), lsystem.ORGANS, GEOMETRY, look.blade, look.flower, LOW)


@pytest.mark.parametrize("name", ["young_oak", "light_seeker"])
def test_it_only_grows_and_in_small_steps(name):
    told = []
    with progress.told_to(told.append):
        built(name)
    assert all(before <= after for before, after in pairwise(told))
    assert told[0] == 0.0
    assert 0.9 < told[-1] <= 1.0
    assert len(set(told)) > 30
    steps = [after - before for before, after in pairwise(told)]
    assert max(steps) < 0.35


def test_what_the_listener_raises_ends_the_work():
    class Enough(Exception):
        pass

    def listener(share):
        if share > 0.3:
            raise Enough

    with pytest.raises(Enough), progress.told_to(listener):
        built("young_oak")
    progress.tell(0.5)  # nobody listens any more


def test_parts_of_parts():
    told = []
    with progress.told_to(told.append), progress.stage(0.5, 1.0), progress.stage(0.0, 0.5):
        progress.tell(0.5)
    assert told == [0.5, 0.5, 0.625, 0.75, 1.0]
