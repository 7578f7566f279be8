# SPDX-License-Identifier: GPL-3.0-or-later
"""Grow Again: the active plant is replaced by one of the panel's present settings; what is the user's stays."""

import importlib

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.grown_fern import TEXT, fern_in_panel

PARTS = ("SKIN", "ORGANS", "POT", "SOIL")


@pytest.fixture
def options(fresh):
    return fern_in_panel()


@pytest.fixture
def plant(options):
    assert bpy.ops.plant_dynamics.grow() == {"FINISHED"}
    return bpy.context.object


def module(addon, name):
    return importlib.import_module(f"{addon.__name__}.plant_dynamics_addon.{name}")


def again():
    assert bpy.ops.plant_dynamics.regrow() == {"FINISHED"}


def part(obj, role):
    found = [child for child in obj.children if child.plant_dynamics.grown_part == role]
    assert len(found) <= 1
    return found[0] if found else None


def heads(obj):
    return np.array([bone.head_local for bone in obj.data.bones])


def world(obj):
    bpy.context.view_layer.update()
    return np.array(obj.matrix_world)


def counts():
    return {name: len(getattr(bpy.data, name)) for name in ("objects", "meshes", "armatures", "node_groups")}


def test_the_new_plant_is_as_one_grown_anew_and_leaves_nothing_behind(plant, options, select_only):
    before = counts()
    skin = part(plant, "SKIN")
    options.constants["count"].count = 3
    options.constants["angle"].value = 70.0
    again()
    assert counts() == before
    assert bpy.context.object == plant
    assert part(plant, "SKIN") == skin
    assert (plant.name, plant.data.name, skin.name, skin.data.name) == ("Fern", "Fern", "Fern Mesh", "Fern Mesh")
    assert bpy.ops.plant_dynamics.grow() == {"FINISHED"}
    fresh_plant = bpy.context.object
    assert fresh_plant != plant
    assert [bone.name for bone in plant.data.bones] == [bone.name for bone in fresh_plant.data.bones]
    np.testing.assert_array_equal(heads(plant), heads(fresh_plant))
    mine, other = (part(one, "SKIN") for one in (plant, fresh_plant))
    assert [g.name for g in mine.vertex_groups] == [g.name for g in other.vertex_groups]
    assert len(mine.data.vertices) == len(other.data.vertices)
    assert mine.modifiers["Armature"].object == plant
    assert plant.data.bones["Stem.001"].plant_dynamics.young_modulus == pytest.approx(300.0)
    assert all(bone.rotation_mode == "QUATERNION" for bone in plant.pose.bones)


def test_place_parent_constraints_collections_and_children_stay(plant, options):
    scene = bpy.context.scene
    cart, lamp, bell = (bpy.data.objects.new(name, None) for name in ("Cart", "Lamp", "Bell"))
    for one in (cart, lamp, bell):
        scene.collection.objects.link(one)
    cart.location = (1.0, 2.0, 0.5)
    other = bpy.data.collections.new("Garden")
    scene.collection.children.link(other)
    other.objects.link(plant)
    plant.parent = cart
    plant.rotation_euler = (0.1, 0.2, 0.3)
    plant.scale = (2.0, 2.0, 2.0)
    constraint = plant.constraints.new("COPY_LOCATION")
    constraint.target, constraint.influence = cart, 0.5
    lamp.parent, lamp.parent_type, lamp.parent_bone = plant, "BONE", "Stem.006"
    bell.parent = plant
    place = world(plant)
    collections = set(plant.users_collection)
    options.constants["count"].count = 4
    again()
    np.testing.assert_array_equal(world(plant), place)
    assert plant.parent == cart
    assert [(one.type, one.target, one.influence) for one in plant.constraints] == [("COPY_LOCATION", cart, 0.5)]
    assert set(plant.users_collection) == collections
    assert (bell.parent, lamp.parent) == (plant, plant)
    assert lamp.parent_bone == "Stem.004", "the end of the stem that is left"


def test_a_skin_that_is_no_child_is_exchanged_too(plant, options, select_only):
    skin, before = part(plant, "SKIN"), counts()
    skin.parent = None
    options.constants["count"].count = 3
    again()
    assert counts() == before
    assert len(skin.vertex_groups) == len(plant.data.bones) == 6
    select_only(skin)
    options.constants["count"].count = 4
    again()
    assert len(skin.vertex_groups) == len(plant.data.bones) == 8


def test_settings_keys_and_loads_stay(plant, options, run_operator):
    settings = plant.plant_dynamics
    settings.damping_factor, settings.gravity_factor, settings.run_up = 3.0, 0.5, 7
    settings.layout, settings.start = "mid", "keep_shape"
    settings.keyframe_insert("gravity_factor", frame=1)
    plants.key_location(plant, {1: (0.0, 0.0, 0.0), 10: (1.0, 0.0, 0.0)})
    run_operator("add_pull")
    load = settings.loads[0]
    target = load.target
    load.bone, load.stiffness = "Stem.006", 55.0
    load.keyframe_insert("influence", frame=3)
    run_operator("add_force")
    settings.loads[1].bone = "Stem.002"
    keys = set(plants.curves(plant.animation_data.action))
    options.constants["count"].count = 4
    again()
    settings = plant.plant_dynamics
    assert (settings.damping_factor, settings.gravity_factor, settings.run_up) == (3.0, 0.5, 7)
    assert (settings.layout, settings.start, settings.is_dynamic) == ("mid", "keep_shape", True)
    assert [one.bone for one in settings.loads] == ["Stem.004", "Stem.002"]
    assert (settings.loads[0].target, settings.loads[0].stiffness) == (target, 55.0)
    assert set(plants.curves(plant.animation_data.action)) == keys


def test_materials_that_the_user_chose_stay(plant, options):
    own = bpy.data.materials.new("My Leaf")
    materials = [one.name for one in part(plant, "SKIN").data.materials]
    assert materials[1] == "Plant Leaf"
    part(plant, "SKIN").data.materials[1] = own
    part(plant, "SKIN").data.materials[0].name = "My Stem"
    options.preset = "rose"
    options.source = "PRESET"
    options.instance_leaves, options.pot = True, True
    again()
    skin = part(plant, "SKIN")
    names = [one.name for one in skin.data.materials]
    assert names[:3] == ["My Stem", "My Leaf", "Plant Petal Rose"], "others as the new plant's"
    tree = part(plant, "ORGANS").modifiers["Instances"].node_group
    templates = [node.inputs["Object"].default_value for node in tree.nodes if node.type == "OBJECT_INFO"]
    assert templates
    assert all(one.data.materials[1] == own for one in templates)
    clay = bpy.data.materials.new("Glaze")
    part(plant, "POT").data.materials[0] = clay
    options.seed += 1
    again()
    assert part(plant, "POT").data.materials[0] == clay


def test_pot_and_copies_come_and_go(plant, options):
    before = counts()
    floor = plant.location.z
    assert [role for role in PARTS if part(plant, role)] == ["SKIN"]
    options.pot = options.instance_leaves = True
    again()
    assert [role for role in PARTS if part(plant, role)] == list(PARTS)
    assert part(plant, "POT").name == "Fern Pot"
    pot = part(plant, "POT")
    bpy.context.view_layer.update()
    low = min((pot.matrix_world @ vertex.co).z for vertex in pot.data.vertices)
    assert low == pytest.approx(floor, abs=1e-6), "the pot stands where the plant stood"
    assert part(plant, "ORGANS").modifiers["Armature"].object == plant
    options.constants["count"].count = 3
    again()
    assert part(plant, "POT") == pot
    assert len([one for one in bpy.data.node_groups if one.name.startswith("Fern Organs")]) == 1
    options.pot = options.instance_leaves = False
    again()
    assert counts() == before
    assert plant.location.z == pytest.approx(floor, abs=1e-6)


def test_a_keyed_place_is_left_alone(plant, options):
    plants.key_location(plant, {1: (0.0, 0.0, 0.0), 10: (1.0, 0.0, 0.0)})
    place = tuple(plant.location)
    options.pot = True
    again()
    assert tuple(plant.location) == place


def test_bones_that_stay_the_same_keep_what_was_set_on_them(plant, options, run_operator):
    plant.data.bones["Stem.002"].plant_dynamics.density = 1234.0
    data = plant.data
    bpy.context.scene.frame_end = 3
    run_operator("bake")
    options.detail, options.pot = "LOW", True
    again()
    assert plant.data == data, "only the look is another"
    assert plant.data.bones["Stem.002"].plant_dynamics.density == pytest.approx(1234.0)
    assert plant.plant_dynamics.is_baked


def test_a_baked_plant_is_refused_with_a_way_out(plant, options, run_operator):
    bpy.context.scene.frame_end = 3
    run_operator("bake")
    action, bones, before = plant.animation_data.action, len(plant.data.bones), counts()
    options.constants["count"].count = 3
    with pytest.raises(RuntimeError, match=r"'Fern' is baked.*Clear Bake"):
        bpy.ops.plant_dynamics.regrow()
    assert (plant.animation_data.action, len(plant.data.bones), counts()) == (action, bones, before)
    run_operator("clear_bake")
    again()
    assert len(plant.data.bones) == 6


def test_keys_of_bones_are_not_lost(plant, options):
    for name in ("Stem.002", "Stem.006"):
        plant.pose.bones[name].keyframe_insert("rotation_quaternion", frame=1)
    action = plant.animation_data.action
    keys = set(plants.curves(action))
    regrow = module_of_grow("regrow").regrow
    panel = module_of_grow("options")
    options.constants["count"].count = 4
    told = regrow(bpy.context, plant, panel.recipe_of(options))
    assert plant.animation_data.action == action
    assert set(plants.curves(action)) == keys
    assert any("Stem.006" in line and "Stem.002" not in line for line in told)


def test_what_cannot_stay_is_told(plant, options, fresh):
    skin = part(plant, "SKIN")
    skin.shape_key_add(name="Basis")
    plant.pose.bones["Stem.006"].constraints.new("LIMIT_ROTATION")
    plant.data.driver_add("show_axes").driver.expression = "1"
    told = module(fresh, "commands").regrow(plant, constants={"count": 4})
    said = ["drivers are gone of the armature Fern", "constraints are gone of Stem.006", "keys are gone of Fern Mesh"]
    assert [words in line for words, line in zip(said, told, strict=True)] == [True] * 3


def module_of_grow(name):
    return importlib.import_module(f"bl_ext.user_default.plant_dynamics.plant_dynamics_addon.grow.{name}")


def test_while_it_plays(plant, options, run_operator, fresh):
    bpy.context.scene.frame_end = 8
    run_operator("play")
    plants.show(4)
    options.constants["count"].count = 4
    again()
    assert plant.plant_dynamics.live
    plants.show(5)
    live = module(fresh, "dynamics.live.live")
    assert live.problem_of(plant) == ""
    assert module(fresh, "dynamics.motion.sessions").session_of(plant).end_frame == 5
    first = plants.played(plant, range(1, 7))
    assert np.isfinite(first).all()
    assert bpy.ops.plant_dynamics.grow() == {"FINISHED"}
    other = bpy.context.object
    run_operator("play")
    np.testing.assert_array_equal(plants.played(other, range(1, 7)), first)
    run_operator("reset")
    assert all(abs(bone.rotation_quaternion.w) == 1.0 for bone in plant.pose.bones)


def test_undo_brings_the_old_plant_back(plant, options):
    bones, pot = heads(plant), options.pot
    vertices = len(part(plant, "SKIN").data.vertices)
    before = counts()
    bpy.ops.ed.undo_push(message="before")
    options.constants["count"].count = 3
    options.pot = True
    again()
    bpy.ops.ed.undo_push(message="again")
    assert len(heads(plant)) == 6
    bpy.ops.ed.undo()
    plant = bpy.data.objects["Fern"]
    np.testing.assert_array_equal(heads(plant), bones)
    assert len(part(plant, "SKIN").data.vertices) == vertices
    assert counts() == before
    assert len(plant.pose.bones) == len(bones)
    assert pot is False


def test_from_a_part_and_in_pose_mode(plant, options, select_only):
    options.pot = True
    again()
    select_only(part(plant, "SOIL"))
    options.constants["count"].count = 3
    again()
    assert len(plant.data.bones) == 6
    bpy.ops.object.mode_set(mode="POSE")
    options.constants["count"].count = 4
    again()
    assert (bpy.context.object, plant.mode, len(plant.data.bones)) == (plant, "POSE", 8)


def test_only_plants_that_were_grown_here(plant, select_only):
    assert bpy.ops.plant_dynamics.regrow.poll()
    light = bpy.data.objects.new("Light", None)
    bpy.context.scene.collection.objects.link(light)
    select_only(light)
    assert not bpy.ops.plant_dynamics.regrow.poll()
    chain = plants.chain(3)
    select_only(chain)
    assert not bpy.ops.plant_dynamics.regrow.poll()


def test_overrides_are_refused(plant, options, tmp_path):
    path = str(tmp_path / "plant.blend")
    bpy.data.libraries.write(path, {plant, part(plant, "SKIN")})
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with bpy.data.libraries.load(path, link=True) as (there, here):
        here.objects = list(there.objects)
    linked = bpy.data.objects["Fern"]
    scene = bpy.context.scene
    scene.collection.objects.link(linked)
    bpy.context.view_layer.objects.active = linked
    assert not bpy.ops.plant_dynamics.regrow.poll()
    assert linked.plant_dynamics.growth.is_known
    regrow, errors = module_of_grow("regrow").regrow, importlib.import_module(
        "bl_ext.user_default.plant_dynamics.plant_dynamics_addon.errors")  # fmt: skip
    recipe = module_of_grow("recipe").Recipe(TEXT, "own")
    with pytest.raises(errors.PlantError, match="linked"):
        regrow(bpy.context, linked, recipe)
    own = linked.override_hierarchy_create(scene, bpy.context.view_layer)
    bpy.context.view_layer.objects.active = own
    with pytest.raises(errors.PlantError, match="library override"):
        regrow(bpy.context, own, recipe)


def test_an_error_leaves_the_plant_as_it_was(plant, options):
    bones, before = heads(plant), counts()
    options.text.from_string(TEXT + "A(n")
    with pytest.raises(RuntimeError, match="line 8"):
        bpy.ops.plant_dynamics.regrow()
    np.testing.assert_array_equal(heads(plant), bones)
    assert counts() == before


BODIES = """name: Two bodies
axiom: B(1, 0,0.05,0, 0,0.05,0, 1e-3,1e-4,1e-3) J(0.3,0,0, 0.1,0,0, 2,1,3) B(0.5, 0,0.1,0, 0,0.1,0, 6e-3,1e-4,6e-3)
"""


def test_explicit_bodies_get_the_joints_and_the_start_that_they_need(plant, options):
    options.text.from_string(BODIES)
    again()
    settings = plant.plant_dynamics
    assert (settings.layout, settings.start, settings.bones_have_materials) == ("base", "drawn", True)
    options.text.from_string(TEXT)
    again()
    assert (settings.layout, settings.start) == ("gauss2", "settled")


def test_plant_and_bones_are_both_to_be_seen(plant, options):
    def shown():
        return plant.data.display_type, plant.show_in_front, plant.display_type

    assert shown() == ("STICK", True, "TEXTURED")
    options.preset, options.source = "sympodial_tree", "PRESET"
    again()
    assert len(plant.data.bones) > 1000
    assert shown() == ("WIRE", False, "BOUNDS"), "lines do not hide the skin"
    options.source = "TEXT"
    again()
    assert shown() == ("STICK", True, "TEXTURED")
    plant.data.display_type = "OCTAHEDRAL"
    again()
    options.constants["count"].count = 3
    again()
    assert plant.data.display_type == "OCTAHEDRAL", "what the user has chosen"


def test_another_plant_has_another_name_unless_the_user_has_given_one(plant, options):
    options.preset, options.source, options.pot = "rose", "PRESET", True
    again()
    assert (plant.name, plant.data.name) == ("Rose", "Rose")
    assert {part(plant, role).name for role in ("SKIN", "POT", "SOIL")} == {"Rose Mesh", "Rose Pot", "Rose Soil"}
    assert part(plant, "SKIN").data.name == "Rose Mesh"
    plant.name = "Rosebud"
    options.preset = "orchid"
    again()
    assert plant.name == "Rosebud"


def test_a_number_behind_the_name_is_nobodys_choice(plant, options):
    assert bpy.ops.plant_dynamics.grow() == {"FINISHED"}
    other = bpy.context.object
    assert other.name == "Fern.001"
    options.preset, options.source = "rose", "PRESET"
    again()
    assert (other.name, plant.name) == ("Rose", "Fern")
    assert part(other, "SKIN").name == "Rose Mesh"
