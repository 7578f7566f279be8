# SPDX-License-Identifier: GPL-3.0-or-later
"""What is read of the objects that plants touch."""

import math

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.collider_scenes import (
    capsule,
    collide,
    colliders_of,
    mesh_object,
    of_addon,
    plant,
    primitive,
    why,
    world_vertices,
)

SHEET = ([(-1, -1, 0), (1, -1, 0.2), (1, 1, 0), (-1, 1, 0.3)], [(0, 1, 2, 3)])


@pytest.fixture
def obj(fresh, run_operator):
    return plant(run_operator)


def placed(thing):
    thing.location, thing.rotation_euler = (0.4, -0.3, 0.2), (0.5, -0.4, 0.9)
    return thing


def test_a_mesh_is_where_blender_has_it(fresh, obj):
    sheet = placed(collide(mesh_object("Sheet", *SHEET), friction=0.7, bounce=0.2))
    sheet.scale = (1.5, 0.5, 2.0)
    sheet.collision.thickness_outer, sheet.collision.use_culling = 0.03, False
    read = colliders_of(fresh, obj)["Sheet"]
    assert (read.kind, read.one_sided) == ("mesh", False)
    assert (read.friction, read.bounce, read.margin) == pytest.approx((0.7, 0.2, 0.03))
    assert np.abs(world_vertices(read) - [sheet.matrix_world @ v.co for v in sheet.data.vertices]).max() < 1e-6
    assert len(read.triangles) == 2


def test_balls_boxes_and_capsules_are_recognised(fresh, obj):
    for kind in ("uv_sphere", "ico_sphere"):
        placed(collide(primitive(kind, kind, radius=0.3)))
    box = placed(collide(primitive("cube", "Box", size=2.0)))
    box.scale = (0.1, 0.2, 0.3)
    finer = placed(collide(primitive("cube", "Finer", size=0.4)))
    subdivided = finer.modifiers.new("Subdivision", "SUBSURF")
    subdivided.subdivision_type = "SIMPLE"
    placed(collide(mesh_object("Capsule", *capsule(0.1, 0.25))))
    read = colliders_of(fresh, obj)
    for kind in ("uv_sphere", "ico_sphere"):
        assert (read[kind].kind, *read[kind].size) == ("ball", pytest.approx(0.3, rel=1e-4))
        assert np.allclose(read[kind].position, (0.4, -0.3, 0.2), atol=1e-5)
    assert (read["Box"].kind, *read["Box"].size) == ("box", *(pytest.approx(x) for x in (0.1, 0.2, 0.3)))
    assert (read["Finer"].kind, *read["Finer"].size) == ("box", *[pytest.approx(0.2)] * 3)
    assert (read["Capsule"].kind, *read["Capsule"].size) == ("capsule", pytest.approx(0.1), pytest.approx(0.25))
    along = np.array(bpy.data.objects["Capsule"].matrix_world.to_3x3().col[2])
    w, x, y, z = read["Capsule"].orientation
    assert abs(np.array([2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)]) @ along) > 0.9999


def test_what_is_nearly_a_ball_or_a_box_is_a_mesh(fresh, obj):
    collide(primitive("uv_sphere", "Egg", radius=0.3)).scale = (1.0, 1.0, 1.01)
    collide(primitive("cube", "Cut")).data.vertices[0].co.x += 0.01
    collide(mesh_object("Open", [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)],
                        [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4)]))  # fmt: skip
    collide(primitive("uv_sphere", "Inside Out")).data.flip_normals()
    collide(primitive("cylinder", "Cylinder", depth=4.0))
    collide(primitive("plane", "Plane"))
    assert {one.kind for one in colliders_of(fresh, obj).values()} == {"mesh"}


def test_shapes_can_be_asked_for(fresh, obj):
    for shape in ("MESH", "BALL", "BOX", "CAPSULE", "PLANE"):
        thing = placed(collide(primitive("cube", shape, size=2.0), shape=shape))
        thing.scale = (0.1, 0.2, 0.5)
    read = colliders_of(fresh, obj)
    assert {one.kind for one in read.values()} == {"mesh", "ball", "box", "capsule", "plane"}
    assert np.allclose(read["BALL"].size, 0.5)
    assert np.allclose(read["BOX"].size, (0.1, 0.2, 0.5))
    assert np.allclose(read["CAPSULE"].size, (0.2, 0.3))
    w, x, y, z = read["PLANE"].orientation
    up = (2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y))
    assert np.allclose(up, bpy.data.objects["PLANE"].matrix_world.to_3x3().col[2].normalized(), atol=1e-6)


def test_mirrored_faces_look_out_as_in_blender(fresh, obj):
    sheet = collide(mesh_object("Sheet", *SHEET))
    sheet.scale = (-1.0, 2.0, 1.0)
    read = colliders_of(fresh, obj)["Sheet"]
    a, b, c = world_vertices(read)[np.asarray(read.triangles)].transpose(1, 0, 2)
    assert (np.cross(b - a, c - a)[:, 2] > 0.0).all()
    plane = collide(primitive("plane", "Plane"), shape="PLANE")
    plane.scale = (1.0, 1.0, -1.0)
    _w, x, y, _z = colliders_of(fresh, obj)["Plane"].orientation
    assert 1 - 2 * (x * x + y * y) == pytest.approx(-1.0)


def test_sheared_meshes_are_where_blender_has_them(fresh, obj):
    parent = bpy.data.objects.new("Parent", None)
    bpy.context.scene.collection.objects.link(parent)
    parent.scale, parent.rotation_euler = (1.0, 3.0, 1.0), (0.0, 0.0, 0.4)
    sheet = placed(collide(mesh_object("Sheet", *SHEET)))
    sheet.parent = parent
    read = colliders_of(fresh, obj)["Sheet"]
    assert np.abs(world_vertices(read) - [sheet.matrix_world @ v.co for v in sheet.data.vertices]).max() < 1e-5


def test_curves_and_texts_are_touched_as_they_evaluate(fresh, obj):
    curve = bpy.data.curves.new("Pipe", "CURVE")
    curve.dimensions, curve.bevel_depth = "3D", 0.1
    spline = curve.splines.new("POLY")
    spline.points.add(3)
    for i, point in enumerate(spline.points):
        point.co = (i, 0.2 * i * i, 0.0, 1.0)
    text = bpy.data.curves.new("Text", "FONT")
    text.body, text.extrude = "Leaf", 0.1
    for name, data in (("Pipe", curve), ("Text", text)):
        thing = bpy.data.objects.new(name, data)
        bpy.context.scene.collection.objects.link(thing)
    assert not colliders_of(fresh, obj)
    for name in ("Pipe", "Text"):
        bpy.data.objects[name].plant_dynamics.collider.use = True
    read = colliders_of(fresh, obj)
    assert [one.kind for one in read.values()] == ["mesh", "mesh"]
    assert np.ptp(world_vertices(read["Pipe"])[:, 0]) == pytest.approx(3.0, abs=0.1)


def test_subdivided_meshes_are_touched_as_they_evaluate(fresh, obj):
    cube = collide(primitive("cube", "Cube"))
    cube.modifiers.new("Subdivision", "SUBSURF").levels = 2
    read = colliders_of(fresh, obj)["Cube"]
    evaluated = cube.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    assert read.kind == "mesh"
    assert len(read.vertices) == len(evaluated.vertices) == 98


def test_the_scope_is_the_plants(fresh, obj):
    inside, outside = collide(primitive("cube", "Inside")), collide(primitive("cube", "Outside"))
    some = bpy.data.collections.new("Some")
    bpy.context.scene.collection.children.link(some)
    some.objects.link(inside)
    contact = obj.plant_dynamics.contact
    assert set(colliders_of(fresh, obj)) == {"Inside", "Outside"}
    contact.collide_with = "COLLECTION"
    assert not colliders_of(fresh, obj)
    contact.collection = some
    assert set(colliders_of(fresh, obj)) == {"Inside"}
    contact.collide_with = "NOTHING"
    assert not colliders_of(fresh, obj)
    contact.collide_with = "SCENE"
    inside.hide_viewport = True
    outside.modifiers["Collision"].show_viewport = False
    assert not colliders_of(fresh, obj)


def test_what_hangs_on_plants_that_move_is_left_out(fresh, obj, run_operator):
    skin = collide(primitive("cube", "Skin"))
    skin.modifiers.new("Armature", "ARMATURE").object = obj
    skin.vertex_groups.new(name="Bone.1")
    fruit = collide(primitive("uv_sphere", "Fruit"))
    fruit.parent, fruit.parent_type, fruit.parent_bone = obj, "BONE", "Bone.2"
    worm = collide(primitive("cube", "Worm"))
    worm.parent = fruit
    pot = collide(primitive("cube", "Pot"))
    pot.parent = obj
    bound = collide(primitive("cube", "Bound"))
    constraint = bound.constraints.new("COPY_LOCATION")
    constraint.target, constraint.subtarget = obj, "Bone.3"
    other = plants.chain(3, name="Other")
    run_operator("make_dynamic")
    leaf = collide(primitive("cube", "Leaf"))
    leaf.parent, leaf.parent_type, leaf.parent_bone = other, "BONE", "Bone.1"
    assert set(colliders_of(fresh, obj)) == {"Pot"}
    assert [why(fresh, one, obj) for one in (skin, fruit, worm, pot, leaf)] == ["OWN", "OWN", "OWN", "", "UNPOSED"]
    assert why(fresh, bound, obj) == "OWN"
    other.plant_dynamics.is_baked = True
    assert set(colliders_of(fresh, obj)) == {"Leaf", "Pot"}


def test_hair_touches_the_body_that_its_own_armature_moves(fresh, obj):
    obj.data.bones["Bone.0"].plant_dynamics.use_physics = False
    body = collide(primitive("cube", "Body"))
    body.modifiers.new("Armature", "ARMATURE").object = obj
    body.vertex_groups.new(name="Bone.0").add(range(8), 1.0, "REPLACE")
    obj.pose.bones["Bone.0"].location.y = 0.5
    evaluated = body.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    assert np.allclose(colliders_of(fresh, obj)["Body"].position, np.mean([v.co for v in evaluated.vertices], axis=0))
    body.vertex_groups.new(name="Bone.2")
    assert why(fresh, body, obj) == "OWN"


def test_colliders_with_flaws_are_left_out_and_named(fresh, obj):
    collide(primitive("cube", "Good"))
    empty = collide(mesh_object("Empty", [(0, 0, 0), (1, 0, 0), (0, 1, 0)], []))
    broken = collide(primitive("plane", "Broken"))
    broken.data.vertices[1].co.z = math.nan
    flat = collide(primitive("cube", "Flat"))
    flat.scale.z = 0.0
    assert set(colliders_of(fresh, obj)) == {"Good"}
    assert [why(fresh, one, obj) for one in (empty, broken, flat)] == ["NO_FACES", "NOT_NUMBERS", "SCALE"]
    flat.scale.z = 1.0
    assert set(colliders_of(fresh, obj)) == {"Good", "Flat"}
    assert why(fresh, flat, obj) == ""


def test_what_is_as_it_was_is_the_same(fresh, obj):
    """Not one triangle is converted anew for a mesh that only moves, and nothing at all where it is still."""
    sheet = collide(mesh_object("Sheet", *SHEET))
    first = colliders_of(fresh, obj)["Sheet"]
    assert colliders_of(fresh, obj)["Sheet"] is first
    placed(sheet)
    moved = colliders_of(fresh, obj)["Sheet"]
    assert moved is not first
    assert moved.vertices is first.vertices
    assert moved.triangles is first.triangles
    sheet.data.vertices[0].co.z = 0.5
    sheet.data.update()
    assert colliders_of(fresh, obj)["Sheet"].vertices is not first.vertices


def test_a_mesh_among_more_or_fewer_others_is_another_world(fresh, obj):
    equal = of_addon(fresh, "dynamics.surroundings.samples").equal
    sheet = collide(mesh_object("Sheet", *SHEET))
    one = tuple(colliders_of(fresh, obj).values())
    collide(placed(mesh_object("Z", *SHEET)))
    sheet.data.vertices[0].co.z = 0.5
    sheet.data.update()
    two = tuple(colliders_of(fresh, obj).values())
    assert equal(two, two[:1] + two[1:])
    for some in (one, ()):
        assert not equal(two, some)
        assert not equal(some, two)
