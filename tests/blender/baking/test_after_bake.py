# SPDX-License-Identifier: GPL-3.0-or-later
"""What is chosen after Bake, so that its keys are seen, and what it says of them."""

from types import SimpleNamespace

import bpy
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.busy_plant import module
from tests.blender.scenes.collider_scenes import primitive
from tests.blender.scenes.slow_work import Pressed, looking_ahead


@pytest.fixture
def pulled(fresh, run_operator):
    """A plant whose handle is active."""
    bpy.context.scene.frame_end = 3
    obj = plants.chain(3)
    run_operator("make_dynamic")
    run_operator("add_pull")
    assert bpy.context.object == obj.plant_dynamics.loads[0].target
    return obj


def baked(addon):
    """What Bake reports."""
    operator, said = bpy.types.PLANT_DYNAMICS_OT_bake, []
    baking = module(addon, "baking.bake")
    objects = [obj for obj in bpy.context.scene.objects if obj.type == "ARMATURE"]
    done = baking.bake_now(bpy.context, objects, baking.BakeOptions(1, 3))
    operator.finished(SimpleNamespace(result=done, report=lambda _, text: said.append(text)), bpy.context)
    return said[0]


def test_the_plant_is_chosen_instead_of_its_handle(fresh, pulled):
    said = baked(fresh)
    assert said == "Baked 3 bones to 'Chain Motion', 3 keys each. The space bar plays it"
    assert bpy.context.object == pulled
    assert bpy.context.selected_objects == [pulled]


@pytest.mark.parametrize("how", ["camera", "several", "hidden", "not selectable"])
def test_what_else_the_user_has_chosen_stays(fresh, pulled, select_only, how):
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    bpy.context.scene.collection.objects.link(camera)
    handle = pulled.plant_dynamics.loads[0].target
    chosen = {"camera": [camera], "several": [handle, camera]}.get(how, [handle])
    select_only(*chosen)
    if how == "hidden":
        pulled.hide_set(True)
    pulled.hide_select = how == "not selectable"
    said = baked(fresh)
    assert said.endswith("The space bar plays it; select 'Chain' to see the keys")
    assert bpy.context.object == chosen[0]
    assert set(bpy.context.selected_objects) == set(chosen)


def test_of_several_plants_nothing_is_chosen(fresh, pulled, run_operator):
    plants.chain(2, name="Other")
    run_operator("make_dynamic")
    assert baked(fresh) == "Baked 5 bones of 2 plants, 3 keys each. The space bar plays it"


def test_moved_objects_are_counted(fresh, pulled, run_operator, select_only):
    ball, other = (primitive("uv_sphere", name, radius=0.03, location=(0.2, 0.0, 0.5)) for name in ("Ball", "Other"))
    select_only(pulled, ball)
    run_operator("move_with_plant")
    select_only(pulled)
    said = "Baked 3 bones to 'Chain Motion', 3 keys each; moved objects keyed: 1. The space bar plays it"
    assert baked(fresh) == said
    run_operator("clear_bake")
    second = plants.chain(2, name="Second")
    run_operator("make_dynamic")
    select_only(second, other)
    run_operator("move_with_plant")
    assert baked(fresh) == "Baked 5 bones of 2 plants, 3 keys each; moved objects keyed: 2. The space bar plays it"


def test_play_that_is_given_up_says_nothing_which_would_stay_into_the_next(fresh, pulled, monkeypatch):
    plants.key_location(pulled, {1: (0, 0, 0), 3: (0.05, 0.02, 0)})
    pressed = Pressed(bpy.types.PLANT_DYNAMICS_OT_play, looking_ahead(fresh, 10.0), monkeypatch)
    assert pressed.gets("TIMER") == {"RUNNING_MODAL"}
    assert not bpy.ops.plant_dynamics.bake.poll(), "it is grey"
    assert pressed.gets("ESC") == {"CANCELLED"}
    assert pressed.said == []
    assert bpy.ops.plant_dynamics.bake.poll()
