# SPDX-License-Identifier: GPL-3.0-or-later
"""After Grow Again handles are where the bones are that they hold."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants

TEXT = "let long = 0.1  # [0.05..0.4]\nsteps: 1\naxiom: F(0.1, 0.004) F(long, 0.003) F(long, 0.002)\n"


@pytest.fixture
def plant(fresh, run_operator):
    options = bpy.context.scene.plant_dynamics
    options.text = bpy.data.texts.new("own")
    options.text.write(TEXT)
    options.source = "TEXT"
    run_operator("grow")
    return bpy.context.object


def hold(plant, run_operator, kind="pull"):
    """A handle of the tip; it is active afterwards."""
    bpy.context.view_layer.objects.active = plant
    run_operator(f"add_{kind}")
    return plant.plant_dynamics.loads[-1].target


def taller(plant, run_operator, pot=False):
    """Grown again, by 0.4 m taller."""
    bpy.context.view_layer.objects.active = plant
    options = bpy.context.scene.plant_dynamics
    options.constants["long"].value, options.pot = 0.3, pot
    run_operator("regrow")
    bpy.context.view_layer.update()


@pytest.mark.parametrize("kind", ["pull", "hold", "plane"])
def test_a_handle_is_again_where_it_was_at_the_bone(plant, run_operator, kind):
    plant.location, plant.rotation_euler = (1.0, 2.0, 0.5), (0.0, 0.0, 1.0)
    bpy.context.view_layer.update()
    handle = hold(plant, run_operator, kind)
    before = np.array(handle.location) - plants.tip(plant, "Stem.003")
    taller(plant, run_operator)
    np.testing.assert_allclose(np.array(handle.location) - plants.tip(plant, "Stem.003"), before, atol=1e-6)


def test_keys_come_along(plant, run_operator):
    handle = hold(plant, run_operator)
    for frame, x in ((1, 0.0), (20, 0.2)):
        handle.location.x = x
        handle.keyframe_insert("location", frame=frame)
    plants.show(20)
    before = np.array(handle.location)
    taller(plant, run_operator)
    plants.show(20)
    np.testing.assert_allclose(np.array(handle.location) - before, (0.0, 0.0, 0.4), atol=1e-6)


def test_a_pot_raises_handles_with_the_plant(plant, run_operator):
    handle = hold(plant, run_operator)
    place = handle.location.z
    taller(plant, run_operator, pot=True)
    assert plant.location.z > 0.01
    assert handle.location.z == pytest.approx(place + 0.4 + plant.location.z, abs=1e-6)


def test_what_is_led_by_others_stays(plant, run_operator):
    handle = hold(plant, run_operator)
    handle.parent = bpy.data.objects.new("Hand", None)
    before = tuple(handle.location)
    taller(plant, run_operator)
    assert tuple(handle.location) == before
