# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders that are instances: a row's plants collide with them as the original does, and they stand beside each."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.collider_scenes import collide, plant, primitive
from tests.blender.scenes.comparisons import LAST, compared, module, rotation_keys, same_keys
from tests.blender.scenes.touching.instancers import (
    as_particles,
    empty,
    on_vertices,
    points,
    scattered,
    stored,
    stored_ball,
)

PLACE = (0.3, 0.0, 0.17)


@pytest.fixture
def obj(fresh, run_operator, select_only):
    """A limp chain along X that falls."""
    bpy.context.scene.frame_end = LAST
    obj = plant(run_operator)
    select_only(obj)
    return obj


def of_a_collection():
    return empty("Rocks", stored_ball().users_collection[0], PLACE)


def on_points():
    holder = points("Rocks", PLACE)
    scattered(holder, stored_ball())
    return holder


def made_by_nodes():
    """The points have Collision physics for what their nodes make."""
    holder = collide(points("Rocks", PLACE))
    scattered(holder, None)
    return holder


def on_vertices_of():
    holder = points("Rocks", PLACE)
    on_vertices(holder, collide(primitive("uv_sphere", "Stone", radius=0.1)))
    bpy.data.objects["Stone"].location = (0.0, 0.0, 0.0)
    return holder


def as_hair():
    holder = primitive("plane", "Rocks", size=0.001, location=PLACE)
    as_particles(holder, stored_ball(), 1)
    return holder


KINDS = {"collection": of_a_collection, "points": on_points, "nodes": made_by_nodes, "vertices": on_vertices_of,
         "hair": as_hair}  # fmt: skip


def rocks(place):
    """What stands around a place, but for what is a collider itself."""
    return [one for one in place.around if one.name.startswith(("Stone", "Rocks"))]


def centre_of(one):
    """Of its vertices, in the world, at the present frame."""
    return module("studio.studio").world_points([one]).mean(axis=0)


@pytest.mark.parametrize("kind", KINDS)
def test_they_are_touched_and_stand_beside_each_plant(obj, run_operator, kind):
    KINDS[kind]()
    run_operator("bake")
    touched = rotation_keys(obj)
    comparison = compared(obj, "YOUNG", "1x, 4x")
    assert same_keys(rotation_keys(comparison.places[0].variant.obj), touched)
    assert comparison.left_out == []
    bpy.context.window.scene = comparison.scene
    for frame in (1, LAST):
        plants.show(frame)
        for place in comparison.places:
            around = [one for one in rocks(place) if np.abs(at(one, place) - PLACE).max() < 0.02]
            assert len(around) == 1
            assert around[0].name in comparison.scene.objects
            assert not around[0].hide_render
            assert around[0].dimensions.x == pytest.approx(0.2, abs=0.01)


def at(one, place):
    return centre_of(one) - np.array(place.carrier.matrix_world.translation)


def test_without_them_the_motion_is_another(obj):
    thing = of_a_collection()
    with_it = rotation_keys(compared(obj, "YOUNG", "1x").places[0].variant.obj)
    bpy.context.window.scene = bpy.data.scenes[0]
    thing.hide_viewport = True
    without = rotation_keys(compared(obj, "YOUNG", "1x").places[0].variant.obj)
    assert not same_keys(with_it, without)


def test_one_that_moves_and_turns_does_so_beside_each_plant(obj):
    thing = of_a_collection()
    stored_ball().location.x = 0.05
    plants.key_location(thing, {1: (0.3, -0.2, 0.1), LAST: (0.3, 0.2, 0.1)})
    for frame, angle in ((1, 0.0), (LAST, 2.0)):
        thing.rotation_euler.z = angle
        thing.keyframe_insert("rotation_euler", frame=frame)
    seen = []
    for frame in range(1, LAST + 1):
        plants.show(frame)
        depsgraph = bpy.context.evaluated_depsgraph_get()
        seen += [np.array(one.matrix_world) for one in depsgraph.object_instances if one.is_instance]
    comparison = compared(obj, "YOUNG", "1x, 2x")
    bpy.context.window.scene = comparison.scene
    for frame, matrix in enumerate(seen, 1):
        plants.show(frame)
        for place in comparison.places:
            (one,) = rocks(place)
            shown = np.array(place.carrier.matrix_world.inverted() @ one.matrix_world)
            assert np.abs(shown - matrix).max() < 1e-5


def test_one_that_comes_and_goes_is_seen_where_it_is_there(obj):
    thing = of_a_collection()
    for frame, gone in ((1, False), (4, True), (8, False)):
        thing.hide_viewport = gone
        thing.keyframe_insert("hide_viewport", frame=frame)
    comparison = compared(obj, "YOUNG", "1x")
    bpy.context.window.scene = comparison.scene
    (one,) = rocks(comparison.places[0])
    hidden = [plants.show(frame) or one.hide_render for frame in range(1, LAST + 1)]
    assert hidden == [4 <= frame < 8 for frame in range(1, LAST + 1)]


def test_of_a_thousand_those_near_are_shown_and_what_is_far_is_told_by_its_instancer(obj):
    rng = np.random.default_rng(1)
    scattered(points("Gravel", PLACE, *rng.uniform(2.0, 9.0, (1000, 3))), stored_ball())
    empty("Far", stored_ball("Boulder").users_collection[0], (0.0, 5.0, 0.0))
    comparison = compared(obj, "YOUNG", "1x")
    assert comparison.left_out == ["Far"]
    assert comparison.told().endswith("; touched but not shown: 'Far'")
    assert len(rocks(comparison.places[0])) == 1


def test_an_instance_of_a_floor_is_the_floor(obj):
    floor = collide(primitive("plane", "Floor", size=40.0))
    empty("Room", stored(floor), (0.0, 0.0, 0.1))
    comparison = compared(obj, "YOUNG", "1x")
    backdrop = next(one for one in comparison.scene.objects if one.name.startswith("Backdrop"))
    assert min((backdrop.matrix_world @ vertex.co).z for vertex in backdrop.data.vertices) == pytest.approx(0.1)
    assert comparison.left_out == []


def test_what_renders_do_not_show_the_row_does_not(obj):
    of_a_collection().hide_render = True
    comparison = compared(obj, "YOUNG", "1x")
    assert not rocks(comparison.places[0])
    assert comparison.left_out == []


def test_what_bends_with_others_is_told(obj):
    stone = stored_ball()
    lattice = bpy.data.objects.new("Lattice", bpy.data.lattices.new("Lattice"))
    bpy.context.scene.collection.objects.link(lattice)
    stone.modifiers.new("Bent", "LATTICE").object = lattice
    of_a_collection()
    comparison = compared(obj, "YOUNG", "1x")
    assert comparison.left_out == ["Rocks"]
    assert not rocks(comparison.places[0])


def test_what_hangs_on_the_plant_stands_beside_it_once(obj):
    thing = of_a_collection()
    thing.parent = obj
    thing.matrix_parent_inverse = obj.matrix_world.inverted()
    comparison = compared(obj, "YOUNG", "1x")
    assert not rocks(comparison.places[0])
    assert len([one for one in comparison.places[0].objects() if one.instance_type == "COLLECTION"]) == 1


def test_given_up_anywhere_it_leaves_nothing_behind(obj):
    made_by_nodes()
    plants.show(3)
    row = module("comparison.row")
    module("dynamics.kernels.warm_up").warm_up()
    kinds = (bpy.data.objects, bpy.data.meshes, bpy.data.actions, bpy.data.scenes, bpy.data.materials)
    before = [len(kind) for kind in kinds]
    for steps in range(0, 200, 3):
        work = row.compare(bpy.context, obj, row.CompareOptions("YOUNG", "1x, 2x", 1, LAST))
        if not all(next(work, None) is not None for _ in range(steps)):
            break
        work.close()
        assert [len(kind) for kind in kinds] == before, steps
        assert bpy.context.scene.frame_current == 3
    assert steps > 3 * LAST
