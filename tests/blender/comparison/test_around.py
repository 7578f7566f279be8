# SPDX-License-Identifier: GPL-3.0-or-later
"""What a plant moves and touches stands beside each plant of a row: in its place, in the picture, and with room."""

from itertools import pairwise

import bpy
import numpy as np
import pytest
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Vector

from tests.blender.scenes import plants
from tests.blender.scenes.collider_scenes import collide, mesh_object, plant, primitive
from tests.blender.scenes.comparisons import LAST, compared, module


@pytest.fixture
def obj(fresh, run_operator, select_only):
    """A chain along X with a ball that falls on it and rolls down behind it, above a wide ground."""
    bpy.context.scene.frame_end = LAST
    obj = plant(run_operator, height=0.1)
    obj.plant_dynamics.stiffness_factor = 0.3
    ball = primitive("uv_sphere", "Ball", radius=0.03, location=(0.2, 0.1, 0.2))
    select_only(obj, ball)
    run_operator("move_with_plant")
    ground = collide(primitive("plane", "Ground", size=40.0))
    ground.plant_dynamics.collider.shape = "PLANE"
    select_only(obj)
    return obj


def stone(**options):
    options = {"radius": 0.05, "location": (0.3, 0.0, 0.02)} | options
    return collide(primitive("uv_sphere", "Stone", **options))


def called(place, name):
    return [one for one in place.objects() if one.name.split(".")[0] == name]


def positions(one):
    """World places at all frames of the present scene."""
    found = []
    for frame in range(1, LAST + 1):
        plants.show(frame)
        found.append(np.array(one.matrix_world.translation))
    return np.array(found)


def test_everything_stands_beside_each_plant_as_beside_the_original(obj, run_operator):
    stone()
    run_operator("bake")
    before = [positions(bpy.data.objects[name]) for name in ("Ball", "Stone")]
    comparison = compared(obj, "YOUNG", "1x, 4x")
    bpy.context.window.scene = comparison.scene
    for place in comparison.places:
        stands = place.variant.obj.matrix_world.translation - place.carrier.location
        assert tuple(stands) == pytest.approx((0.0, 0.0, 0.1), abs=1e-6)
        for name, at in zip(("Ball", "Stone"), before, strict=True):
            (one,) = called(place, name)
            assert one.name in comparison.scene.objects
            moved = positions(one) - np.array(place.carrier.matrix_world.translation)
            if name == "Stone" or place is comparison.places[0]:
                assert np.abs(moved - at).max() < 1e-5
    assert comparison.left_out == []
    assert len({one.name for place in comparison.places for one in place.objects()}) == sum(
        len(place.objects()) for place in comparison.places
    )


def test_there_is_room_for_all_of_it_and_the_camera_sees_it(obj):
    stone(radius=0.1, location=(0.5, 0.0, 0.0))
    comparison = compared(obj, "YOUNG", "0.2x, 1x, 2x")
    scene = comparison.scene
    bpy.context.window.scene = scene
    studio = module("studio.studio")
    for frame in range(1, LAST + 1):
        plants.show(frame)
        clouds = [studio.world_points(place.objects()) for place in comparison.places]
        for point in np.concatenate(clouds):
            x, y, depth = world_to_camera_view(scene, scene.camera, Vector(point))
            assert 0.0 < x < 1.0
            assert 0.0 < y < 1.0
            assert depth > 0.0
        for left, right in pairwise(clouds):
            assert left[:, 0].max() < right[:, 0].min(), "neighbours touch"


def floor_of(scene):
    backdrop = next(one for one in scene.objects if one.name.startswith("Backdrop"))
    return min((backdrop.matrix_world @ vertex.co).z for vertex in backdrop.data.vertices)


def test_the_floor_is_the_ground_that_is_touched(obj):
    bpy.data.objects["Ground"].location.z = -0.05
    comparison = compared(obj, "YOUNG", "1x")
    assert floor_of(comparison.scene) == pytest.approx(-0.05, abs=1e-6)
    assert not called(comparison.places[0], "Ground")
    assert comparison.left_out == []


@pytest.mark.parametrize("kind", ["box", "mesh"])
def test_a_floor_with_an_end_is_one_too(obj, kind):
    ground = bpy.data.objects["Ground"]
    if kind == "box":
        bpy.data.objects.remove(ground)
        ground = collide(primitive("cube", "Ground", size=1.0, location=(0.0, 0.0, -0.1)))
        ground.scale = (20.0, 20.0, 0.2)
    else:
        ground.plant_dynamics.collider.shape = "MESH"
    comparison = compared(obj, "YOUNG", "1x")
    assert floor_of(comparison.scene) == pytest.approx(0.0, abs=1e-5)
    assert comparison.left_out == []


def lattice():
    found = bpy.data.objects.new("Lattice", bpy.data.lattices.new("Lattice"))
    bpy.context.scene.collection.objects.link(found)
    return found


def test_what_is_far_or_wide_or_not_seen_is_left_out_and_told(obj):
    collide(primitive("cube", "Wall", size=3.0, location=(0.0, 3.0, 1.5)))
    collide(primitive("uv_sphere", "Far", radius=0.05, location=(9.0, 0.0, 0.0)))
    hidden = stone(location=(0.1, 0.2, 0.0))
    hidden.name, hidden.hide_render = "Proxy", True
    bent = stone(location=(0.1, -0.2, 0.0))
    bent.name, bent.modifiers.new("Bent", "LATTICE").object = "Bent", lattice()
    count = len(bpy.data.objects)
    comparison = compared(obj, "YOUNG", "1x, 2x")
    assert sorted(comparison.left_out) == ["Bent", "Far", "Wall"]
    assert comparison.told().endswith("; touched but not shown: 'Far', 'Wall', 'Bent'")
    assert all(not called(place, name) for place in comparison.places for name in ("Wall", "Far", "Proxy", "Bent"))
    assert len(bpy.data.objects) - count == len(comparison.scene.objects)


@pytest.mark.parametrize("by", ["keys", "parent"])
def test_a_collider_that_moves_does_so_beside_each_plant(obj, by):
    one = stone(radius=0.03)
    if by == "keys":
        plants.key_location(one, {1: (0.3, -0.2, 0.1), 10: (0.3, 0.2, 0.1)})
    else:
        cart = bpy.data.objects.new("Cart", None)
        bpy.context.scene.collection.objects.link(cart)
        plants.key_location(cart, {1: (0.0, -0.2, 0.0), 10: (0.0, 0.2, 0.0)})
        one.parent = cart
    at = positions(one)
    assert np.ptp(at[:, 1]) > 0.3
    comparison = compared(obj, "YOUNG", "1x, 2x")
    bpy.context.window.scene = comparison.scene
    for place in comparison.places:
        (copied,) = called(place, "Stone")
        moved = positions(copied) - np.array(place.carrier.matrix_world.translation)
        assert np.abs(moved - at).max() < 1e-5


def test_what_falls_far_away_does_not_make_the_picture_wide(obj):
    bpy.data.objects.remove(bpy.data.objects["Ground"])
    bpy.data.objects["Ball"].location = (2.0, 0.0, 0.0)  # beside the chain
    bpy.context.scene.gravity = (0.0, 0.0, -200.0)
    scene = compared(obj, "YOUNG", "1x").scene
    assert floor_of(scene) > -3.0


def test_what_lies_on_a_ground_far_below_lies_on_the_floor(obj):
    bpy.data.objects["Ground"].location.z = -1.0
    bpy.data.objects["Ball"].location = (2.0, 0.0, -0.95)
    assert floor_of(compared(obj, "YOUNG", "1x").scene) == pytest.approx(-1.0)


def test_plants_beside_stand_in_soil_too(fresh, run_operator, select_only):
    bpy.context.scene.frame_end = 3
    grown = [plants.grow("rose") for _ in range(2)]
    grown[1].location.x = grown[0].location.x + 0.5
    for one in grown:
        one.plant_dynamics.contact.others = True
    select_only(grown[0])
    comparison = compared(grown[0], "YOUNG", "1x, 2x")
    heaps = [one for one in comparison.scene.objects if one.name.startswith("Soil Patch")]
    assert len(heaps) == 4
    for place in comparison.places:
        under = sorted(heap.location.x for heap in heaps if heap.parent == place.carrier)
        assert under[1] - under[0] == pytest.approx(0.5, abs=1e-3)
        assert len([one for one in place.objects() if one.type == "MESH"]) >= 2


def test_the_skin_of_a_plant_beside_is_no_collider_of_its_own(obj, run_operator, select_only):
    """It has Collision physics for other things, and hangs on a plant that is simulated."""
    other = plants.chain(2, name="Other")
    other.location = (0.0, 0.3, 0.1)
    run_operator("make_dynamic")
    skin = collide(mesh_object("Skin", [(0, 0, 0), (0.1, 0, 0), (0, 0.1, 0)], [(0, 1, 2)]))
    skin.vertex_groups.new(name="Bone.0").add([0, 1, 2], 1.0, "REPLACE")
    skin.parent, skin.modifiers.new("Armature", "ARMATURE").object = other, other
    for one in (obj, other):
        one.plant_dynamics.contact.others, one.plant_dynamics.stiffness_factor = True, 0.3
    select_only(obj)
    comparison = compared(obj, "YOUNG", "1x")
    assert len(called(comparison.places[0], "Skin")) == 1
    assert comparison.places[0].beside[0].meshes == called(comparison.places[0], "Skin")
