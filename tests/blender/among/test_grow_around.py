# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants that grow around meshes of the scene."""

import importlib

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from tests.blender.scenes.plants import ADDON

#: Goes up until a solid is near.
UNDER = "steps: 30\naxiom: A ?P(0, 0, 0)\nA > ?P(x, y, z) : distance(x, y, z) > 0.1 -> F(0.05, 0.002) A\n"


@pytest.fixture
def options(fresh):
    return bpy.context.scene.plant_dynamics


def write(options, text):
    options.text = bpy.data.texts.new("own")
    options.text.write(text)
    options.source = "TEXT"


def cube(name="Stone", size=1.0, location=(0.0, 0.0, 2.0)):
    bpy.ops.mesh.primitive_cube_add(size=size, location=location)
    bpy.context.object.name = name
    return bpy.context.object


def around(options, what):
    is_object = isinstance(what, bpy.types.Object)
    options.grows_around = "OBJECT" if is_object else "COLLECTION"
    setattr(options, "around_object" if is_object else "around_collection", what)


def grown(options, text, what, location=(0.0, 0.0, 0.0)):
    write(options, text)
    around(options, what)
    bpy.context.scene.cursor.location = location
    assert bpy.ops.plant_dynamics.grow() == {"FINISHED"}
    return bpy.context.object


def top(obj):
    return max(bone.tail_local.z for bone in obj.data.bones)


def test_a_plant_stops_below_a_stone(options):
    obj = grown(options, UNDER, cube())
    assert top(obj) == pytest.approx(1.4, abs=0.051)


def test_modifiers_place_and_turn_of_both_count(options):
    stone = cube(size=0.5, location=(3.0, 0.0, 2.0))
    stone.modifiers.new("Thick", "DISPLACE").strength = 0.0
    array = stone.modifiers.new("Row", "ARRAY")
    array.use_relative_offset, array.use_constant_offset, array.constant_offset_displace = False, True, (0, 0, -0.8)
    obj = grown(options, UNDER, stone, (3.0, 0.0, 0.1))
    assert top(obj) == pytest.approx(2.0 - 0.25 - 0.8 - 0.1 - 0.1, abs=0.051)
    # a plant that has been turned and moved since grows again in its own space
    obj.matrix_world = Matrix.Translation((3.0, 1.0, 1.2)) @ Matrix.Rotation(np.pi / 2, 4, "X")
    bpy.context.view_layer.update()
    assert bpy.ops.plant_dynamics.regrow() == {"FINISHED"}
    assert top(bpy.context.object) == pytest.approx(1.0 - 0.25 - 0.1, abs=0.051), "along -y of the world"


def test_the_frame_of_growth_counts(options):
    stone = cube()
    stone.keyframe_insert("location", frame=1)
    stone.location.z = 1.0
    stone.keyframe_insert("location", frame=10)
    bpy.context.scene.frame_set(10)
    assert top(grown(options, UNDER, stone)) == pytest.approx(0.4, abs=0.051)


def test_collections_and_their_instances_are_meshes_too(options):
    stones = bpy.data.collections.new("Stones")
    bpy.context.scene.collection.children.link(stones)
    inner = bpy.data.collections.new("Inner")
    stone = cube("Inner Stone", 0.4, (0.0, 0.0, 0.0))
    for one in list(stone.users_collection):
        one.objects.unlink(stone)
    inner.objects.link(stone)
    empty = bpy.data.objects.new("Instancer", None)
    empty.instance_type, empty.instance_collection, empty.location = "COLLECTION", inner, (0.0, 0.0, 1.0)
    stones.objects.link(empty)
    far = cube("Far", 1.0, (9.0, 0.0, 0.0))
    for one in list(far.users_collection):
        one.objects.unlink(far)
    stones.objects.link(far)
    bpy.context.view_layer.update()
    assert top(grown(options, UNDER, stones)) == pytest.approx(0.7, abs=0.051)


def test_what_is_open_or_missing_is_told(options):
    write(options, UNDER)
    with pytest.raises(RuntimeError, match="asks where solids are: choose in the Grow panel what it grows around"):
        bpy.ops.plant_dynamics.grow()
    options.grows_around = "OBJECT"
    with pytest.raises(RuntimeError, match="Choose in the Grow panel what the plant grows around, or Nothing"):
        bpy.ops.plant_dynamics.grow()
    bpy.ops.mesh.primitive_plane_add()
    plane = bpy.context.object
    plane.name = "Leaf of Paper"
    with pytest.raises(RuntimeError, match="'Leaf of Paper' is open, so that nothing is inside it"):
        grown(options, UNDER, plane)
    empty = bpy.data.collections.new("Nothing Here")
    bpy.context.scene.collection.children.link(empty)
    with pytest.raises(RuntimeError, match="'Nothing Here' has no faces that a plant could grow around"):
        grown(options, UNDER, empty)
    plane.modifiers.new("Thick", "SOLIDIFY").thickness = 0.1
    plane.location.z = 1.0
    assert top(grown(options, UNDER, plane)) == pytest.approx(0.8, abs=0.051)


def test_a_pot_lifts_the_plant_towards_the_stone(options):
    options.pot = True
    obj = grown(options, UNDER, cube())
    assert top(obj) + obj.location.z == pytest.approx(1.4, abs=0.051)
    assert obj.location.z == pytest.approx(obj.plant_dynamics.growth.pot_depth)
    assert bpy.ops.plant_dynamics.regrow() == {"FINISHED"}
    obj = bpy.context.object
    assert top(obj) + obj.location.z == pytest.approx(1.4, abs=0.051)


def test_the_plant_remembers_what_it_grew_around(options):
    stone = cube()
    obj = grown(options, UNDER, stone)
    options.grows_around = "NOTHING"
    stone.name = "Renamed"
    bpy.ops.plant_dynamics.growth_to_panel()
    assert (options.grows_around, options.around_object) == ("OBJECT", stone)
    stone.location.z = 1.0
    bpy.context.view_layer.update()
    assert bpy.ops.plant_dynamics.regrow() == {"FINISHED"}
    assert top(obj) == pytest.approx(0.4, abs=0.051)


def test_scripts_name_what_a_plant_grows_around(options, tmp_path):
    commands = importlib.import_module(f"{ADDON}.commands")
    cube()
    path = tmp_path / "under.lsys"
    path.write_text(UNDER)
    obj = commands.grow(str(path), around="Stone")
    assert top(obj) == pytest.approx(1.4, abs=0.051)
    with pytest.raises(Exception, match="There is no object and no collection 'Stones'"):
        commands.regrow(obj, around="Stones")


def test_only_texts_that_see_solids_offer_them(options):
    write(options, "axiom: F\n")
    bpy.ops.plant_dynamics.show_constants()
    assert not options.sees_solids
    write(options, "environment: light cell=0.1\naxiom: F ?E(1)\n")
    assert bpy.ops.plant_dynamics.show_constants() == {"FINISHED"}
    assert options.sees_solids


def test_compare_grows_it_again_where_it_stands(options, tmp_path):
    commands = importlib.import_module(f"{ADDON}.commands")
    cube(location=(3.0, 0.0, 2.0))
    path = tmp_path / "under.lsys"
    path.write_text(UNDER.replace("F(0.05, 0.002)", "F(0.05, 0.01)"))
    obj = commands.grow(str(path), around="Stone", location=(3.0, 0.0, 0.0))
    obj.plant_dynamics.young = 1e10
    done = commands.compare(obj, "DAMPING", "1x, 2x", first_frame=1, last_frame=3)
    assert [len(place.variant.obj.data.bones) for place in done.places] == 2 * [len(obj.data.bones)]
