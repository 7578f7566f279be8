# SPDX-License-Identifier: GPL-3.0-or-later
"""A plant that is grown in a pot touches it; one that goes through its own says so, and one press has it touch that."""

import importlib

import bpy
import numpy as np
import pytest
from mathutils import Quaternion
from mathutils.bvhtree import BVHTree

from tests.blender.scenes import plants
from tests.blender.scenes.drawn_panels import Layout
from tests.forms import IS_FULL


@pytest.fixture
def in_pot(fresh):
    return importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.grow.objects.in_pot")


def bent_down(obj, bone, degrees=170.0):
    posed = obj.pose.bones[bone]
    posed.rotation_quaternion = Quaternion((1.0, 0.0, 0.0), np.radians(degrees))
    bpy.context.view_layer.update()


def test_a_plant_as_it_is_drawn_does_not_go_through_it(fresh, in_pot):
    for preset in ("potted_plant", "orchid", "rose"):
        obj = plants.grow(preset, pot=True)
        assert in_pot.through_pot(obj) == []
        assert len(in_pot.untouched_pots(obj)) == 2


def test_what_the_button_grows_touches_its_pot(fresh, in_pot, run_operator):
    options = bpy.context.scene.plant_dynamics
    options.preset, options.pot = "rose", True
    run_operator("grow", touch_pot=True)
    obj = bpy.context.object
    assert in_pot.untouched_pots(obj) == []
    assert not bpy.ops.plant_dynamics.touch_pot.poll()
    obj.plant_dynamics.contact.collide_with = "NOTHING"
    run_operator("regrow", touch_pot=True)
    assert len(in_pot.untouched_pots(obj)) == 2, "as the user has it"


def test_a_pot_that_grow_again_adds_is_touched_too(fresh, in_pot, run_operator):
    obj = plants.grow("rose")
    bpy.context.scene.plant_dynamics.pot = True
    run_operator("regrow", touch_pot=True)
    assert (len(in_pot.pots_of(obj)), in_pot.untouched_pots(obj)) == (2, [])


def test_bones_in_clay_or_soil_are_named_wherever_the_plant_stands(fresh, in_pot):
    obj = plants.grow("potted_plant", pot=True)
    stem = obj.data.bones[0].name
    for place in ((0.0, 0.0, 0.1), (3.0, -2.0, 1.0)):
        obj.location = place
        bent_down(obj, stem)
        assert len(in_pot.through_pot(obj)) > 3
        bent_down(obj, stem, 0.0)
        assert in_pot.through_pot(obj) == []


def test_without_a_pot_there_is_none(fresh, in_pot):
    obj = plants.grow("rose")
    bent_down(obj, obj.data.bones[0].name)
    assert in_pot.through_pot(obj) == in_pot.untouched_pots(obj) == []
    assert not bpy.ops.plant_dynamics.touch_pot.poll()


def test_status_says_so_with_a_button_that_mends_it(fresh, in_pot, run_operator, monkeypatch):
    status = importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.panels.status")
    obj = plants.grow("orchid", pot=True)
    bpy.context.scene.frame_end = 6
    run_operator("play")
    layout = Layout()
    status.draw_status(bpy.context, layout, obj)
    assert "touch_pot" not in str(layout.operators)
    monkeypatch.setattr(status, "through_pot", lambda plant: ["Leaf.001"])
    status.draw_status(bpy.context, layout, obj)
    assert [name for name, _ in layout.operators] == ["plant_dynamics.touch_pot"]
    run_operator("touch_pot")
    assert in_pot.untouched_pots(obj) == []
    layout = Layout()
    status.draw_status(bpy.context, layout, obj)
    assert layout.operators == []


@pytest.mark.slow
def test_in_a_storm_it_then_stays_out_of_it(fresh, in_pot, run_operator):
    scene = bpy.context.scene
    scene.frame_end = last = 50 if IS_FULL else 25
    found = []
    for touching in (False, True):
        obj = plants.grow("orchid", pot=True)
        run_operator("wind_preset", preset="STORM")
        scene.plant_dynamics.wind.direction = (1.0, 0.0, -0.3)  # down into it
        if touching:
            run_operator("touch_pot")
        run_operator("play")
        count = 0
        for frame in range(1, last + 1):
            plants.show(frame)
            count += bool(in_pot.through_pot(obj))
        found.append(count)
        run_operator("delete_plant")
    assert found[0] > 10
    assert found[1] == 0


def tree_of(part):
    """Faces of a mesh as it is shown, where they stand in the scene."""
    shown = part.evaluated_get(bpy.context.evaluated_depsgraph_get())
    places = [shown.matrix_world @ vertex.co for vertex in shown.data.vertices]
    return BVHTree.FromPolygons(places, [face.vertices for face in shown.data.polygons])


@pytest.mark.slow
def test_in_a_storm_no_drawn_leaf_goes_through_the_rim(fresh, in_pot, run_operator):
    """What is touched are strips along the bones; what is seen are leaves, wide ones just above the rim."""
    scene = bpy.context.scene
    scene.frame_end = 60
    options = scene.plant_dynamics
    options.preset, options.pot = "potted_plant", True
    found = []
    for touching in (False, True):
        run_operator("grow", touch_pot=touching)
        obj = bpy.context.object
        pots = in_pot.pots_of(obj)
        skin = next(part for part in obj.children if part.find_armature() == obj)
        run_operator("wind_preset", preset="STORM")
        scene.plant_dynamics.wind.direction = (0.0, 1.0, -0.8)  # down onto it
        run_operator("play")
        count = 0
        for frame in range(1, 61):
            plants.show(frame)
            if frame > 10:
                count += bool(tree_of(skin).overlap(tree_of(pots[0])))
        found.append(count)
        run_operator("delete_plant")
    assert found[0] > 1
    assert found[1] == 0
