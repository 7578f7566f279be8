# SPDX-License-Identifier: GPL-3.0-or-later
"""Deleting a plant takes everything that was made for it, and nothing else."""

import importlib
from types import SimpleNamespace

import bpy
import pytest
from mathutils import Matrix

from tests.blender.scenes import plants
from tests.blender.scenes.drawn_panels import Layout

KINDS = ("objects", "armatures", "meshes", "curves", "node_groups", "actions", "collections", "lights", "cameras")


def module(fresh, name):
    return importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.{name}")


def everything():
    return {kind: {one.name for one in getattr(bpy.data, kind)} for kind in KINDS}


def user_things():
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    bpy.context.scene.collection.objects.link(camera)
    return camera


@pytest.fixture
def before(fresh):
    user_things()
    bpy.context.scene.frame_end = 10
    return everything()


@pytest.mark.parametrize("preset", ["rose", "potted_plant"])
def test_nothing_is_left(before, run_operator, preset):
    obj = plants.grow(preset, pot=True)
    run_operator("add_pull")
    bpy.context.view_layer.objects.active = obj
    run_operator("add_wire")
    bpy.context.view_layer.objects.active = obj
    run_operator("add_surface")
    bpy.context.view_layer.objects.active = obj
    run_operator("bake")
    assert everything() != before
    run_operator("delete_plant")
    assert everything() == before


def test_instanced_organs_and_their_templates_go(before, run_operator):
    bpy.context.scene.plant_dynamics.instance_leaves = True
    plants.grow("rose")
    assert len(bpy.data.node_groups) == 1
    run_operator("delete_plant")
    assert everything() == before


def test_a_live_plant_is_deleted_too(before, run_operator):
    plants.grow("rose", pot=True)
    run_operator("play")
    plants.show(5)
    run_operator("delete_plant")
    assert everything() == before
    plants.show(6)


def test_from_any_part_of_it(before, run_operator, select_only):
    for name in ("Mesh", "Pot", "Soil"):
        obj = plants.grow("rose", pot=True)
        select_only(next(child for child in obj.children if child.name.endswith(name)))
        run_operator("delete_plant")
        assert everything() == before
    obj = plants.grow("rose")
    run_operator("add_pull")
    assert bpy.context.object.type == "EMPTY"
    run_operator("delete_plant")
    assert everything() == before


def test_all_that_are_selected(before, run_operator, select_only):
    first, second, third = (plants.grow("rose", pot=True) for _ in range(3))
    select_only(first, next(child for child in third.children if child.type == "MESH"))
    run_operator("delete_plant")
    assert [obj for obj in bpy.context.scene.objects if obj.type == "ARMATURE"] == [second]
    assert len(second.children) == 3


def test_other_plants_keep_what_they_share(before, run_operator, select_only):
    first, second = plants.grow("rose"), plants.grow("rose")
    select_only(first)
    run_operator("add_pull")
    handle = first.plant_dynamics.loads[0].target
    select_only(second)
    run_operator("add_pull")
    own, second.plant_dynamics.loads[0].target = second.plant_dynamics.loads[0].target, handle
    twin = first.copy()  # Alt D
    bpy.context.scene.collection.objects.link(twin)
    armature, materials = first.data, set(bpy.data.materials)
    select_only(first)
    run_operator("delete_plant")
    assert handle.name in bpy.context.scene.objects
    assert own.name in bpy.data.objects, "it was not the deleted plant's"
    assert twin.data == armature
    assert set(bpy.data.materials) == materials


def test_what_the_user_hung_on_it_stands_where_it_stood(before, run_operator):
    obj = plants.grow("rose", pot=True)
    obj.location = 1.0, 2.0, 3.0
    pot = next(child for child in obj.children if child.name.endswith("Pot"))
    bird, snail = (bpy.data.objects.new(name, None) for name in ("Bird", "Snail"))
    for one in (bird, snail):
        bpy.context.scene.collection.objects.link(one)
    bird.parent, bird.parent_type, bird.parent_bone = obj, "BONE", obj.data.bones[-1].name
    snail.parent = pot
    bpy.context.view_layer.update()
    places = [one.matrix_world.copy() for one in (bird, snail)]
    bpy.context.view_layer.objects.active = obj
    run_operator("delete_plant")
    bpy.context.view_layer.update()
    for one, place in zip((bird, snail), places, strict=True):
        assert one.parent is None
        assert (one.matrix_world - place).to_translation().length < 1e-5
        assert one.matrix_world != Matrix()


def test_a_handle_of_the_users_own_stays(before, run_operator):
    obj = plants.grow("rose")
    run_operator("add_pull")
    mine = bpy.data.objects["Camera"]
    load = obj.plant_dynamics.loads[0]
    made, load.target = load.target, mine
    bpy.context.view_layer.objects.active = obj
    run_operator("delete_plant")
    assert mine.name in bpy.context.scene.objects
    assert made.name in bpy.data.objects, "no load of the plant had it any more"


def test_undo_brings_it_back(fresh, run_operator):
    bpy.context.preferences.edit.use_global_undo = True
    bpy.ops.ed.undo_push(message="Begun")
    plants.grow("rose", pot=True)
    bpy.ops.ed.undo_push(message="Grown")
    names = sorted(obj.name for obj in bpy.context.scene.objects)
    run_operator("delete_plant")
    bpy.ops.ed.undo_push(message="Deleted")
    assert not len(bpy.context.scene.objects)
    bpy.ops.ed.undo()
    assert sorted(obj.name for obj in bpy.context.scene.objects) == names


def test_what_was_not_grown_here_is_refused(fresh, run_operator):
    obj = plants.chain(3)
    run_operator("make_dynamic")
    assert not bpy.ops.plant_dynamics.delete_plant.poll()
    errors = module(fresh, "errors")
    with pytest.raises(errors.PlantError, match="was not grown here"):
        module(fresh, "commands").delete(obj)
    assert obj.name in bpy.context.scene.objects


def test_from_python_in_pose_mode(before, fresh):
    commands = module(fresh, "commands")
    obj = commands.grow("rose", pot=True)
    bpy.ops.object.mode_set(mode="POSE")
    commands.delete(obj)
    assert everything() == before


def test_blenders_menus_offer_it_where_a_plant_is_active(fresh):
    plants.chain(3)
    for name in ("VIEW3D_MT_object", "VIEW3D_MT_object_context_menu", "OUTLINER_MT_object"):
        assert added_to(name) == []
    plants.grow("rose")
    for name in ("VIEW3D_MT_object", "VIEW3D_MT_object_context_menu", "OUTLINER_MT_object"):
        assert added_to(name) == ["plant_dynamics.delete_plant"]


class Menu:
    """Stands for a menu and its layout, whatever Blender draws there."""

    def __init__(self):
        self.layout, self.operators = self, []

    def operator(self, name, **_):
        self.operators.append(name)
        return SimpleNamespace()

    def __getattr__(self, name):
        return lambda *_, **__: self


def added_to(name):
    """The operators of the extension in one of Blender's menus."""
    menu = Menu()
    getattr(bpy.types, name).draw(menu, bpy.context)
    return [operator for operator in menu.operators if operator.startswith("plant_dynamics")]


def deleted_as_by_x(obj):
    """Only the armature, as who selects it and presses X."""
    bpy.context.view_layer.objects.active = obj
    for one in bpy.context.view_layer.objects:
        one.select_set(one == obj)
    bpy.ops.object.delete(use_global=False)


def drawn(fresh):
    panel = module(fresh, "panels.deletion").PLANT_DYNAMICS_PT_left_over
    if not panel.poll(bpy.context):
        return None
    layout = Layout()
    layout.box = lambda: layout
    panel.draw(type("Panel", (), {"layout": layout})(), bpy.context)
    return layout


def test_what_only_the_armatures_deletion_leaves_can_be_removed(before, fresh, run_operator):
    obj = plants.grow("rose", pot=True)
    run_operator("add_pull")
    assert drawn(fresh) is None
    deleted_as_by_x(obj)
    layout = drawn(fresh)
    assert "Rose Mesh" in " ".join(layout.texts)
    assert [name for name, _ in layout.operators] == [
        "plant_dynamics.remove_left_over", "plant_dynamics.keep_left_over",
    ]  # fmt: skip
    run_operator("remove_left_over")
    armature = {"armatures": {"Rose"}}  # Blender keeps what nothing uses until the file is saved
    assert everything() == before | armature
    assert drawn(fresh) is None


def test_or_be_kept(fresh, run_operator):
    deleted_as_by_x(plants.grow("rose", pot=True))
    names = {obj.name for obj in bpy.context.scene.objects}
    run_operator("keep_left_over")
    assert drawn(fresh) is None
    assert {obj.name for obj in bpy.context.scene.objects} == names


def test_pots_of_living_plants_are_not_left_over(fresh):
    """Also one that was taken off its plant by hand."""
    living, dead = plants.grow("rose", pot=True), plants.grow("rose", pot=True)
    free = next(child for child in living.children if child.name.endswith("Pot"))
    free.parent = None
    deleted_as_by_x(dead)
    left = module(fresh, "grow.objects.parts").left_over(bpy.context.scene)
    assert {one.name for one in left} == {f"Rose.001 {part}" for part in ("Mesh", "Pot", "Soil")}


def test_a_mesh_whose_modifier_was_applied_is_the_users_own(fresh):
    obj = plants.grow("rose")
    mesh = plants.mesh_of(obj)
    mesh.modifiers.clear()
    deleted_as_by_x(obj)
    assert drawn(fresh) is None


def test_a_breeze_that_nobody_chose_goes_with_the_last_plant(fresh, run_operator, select_only):
    wind = bpy.context.scene.plant_dynamics.wind
    bpy.context.scene.plant_dynamics.preset = "rose"
    run_operator("grow", breeze=True)
    first = bpy.context.object
    run_operator("grow", breeze=True)
    assert wind.speed == 2.0, "a rose's"
    run_operator("delete_plant")
    assert wind.source == "GUSTS", "one still stands in it"
    select_only(first)
    run_operator("delete_plant")
    assert (wind.source, wind.speed, wind.is_property_set("source")) == ("STILL", 5.0, False)


def test_a_wind_that_was_chosen_stays(fresh, run_operator):
    wind = bpy.context.scene.plant_dynamics.wind
    bpy.context.scene.plant_dynamics.preset = "rose"
    run_operator("grow", breeze=True)
    run_operator("wind_preset", preset="STORM")
    run_operator("delete_plant")
    assert (wind.source, wind.speed) == ("GUSTS", 20.0)
    run_operator("grow", breeze=True)
    assert wind.speed == 20.0


def test_a_breeze_with_keys_is_the_users(fresh, run_operator):
    scene = bpy.context.scene
    scene.plant_dynamics.preset = "rose"
    run_operator("grow", breeze=True)
    scene.plant_dynamics.wind.keyframe_insert("speed", frame=1)
    run_operator("delete_plant")
    assert scene.plant_dynamics.wind.source == "GUSTS"
