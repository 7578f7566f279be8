# SPDX-License-Identifier: GPL-3.0-or-later
"""What is read of things that are there as instances only."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes.collider_scenes import (
    collide,
    colliders_of,
    mesh_object,
    of_addon,
    plant,
    primitive,
    world_vertices,
)
from tests.blender.scenes.touching.instancers import (
    as_particles,
    empty,
    on_vertices,
    points,
    scattered,
    stored,
    stored_ball,
)

SHEET = ([(-1, -1, 0), (1, -1, 0.2), (1, 1, 0), (-1, 1, 0.3)], [(0, 1, 2, 3)])


@pytest.fixture
def obj(fresh, run_operator):
    return plant(run_operator)


def read(fresh, obj):
    """(instancer, kind) and place of all that is touched, in the order in which it is listed."""
    found = colliders_of(fresh, obj).values()
    return [(one.name.partition("\n")[0], one.kind, *np.round(one.position, 4)) for one in found]


def test_instances_of_a_collection_are_touched_where_they_are_seen(fresh, obj):
    ball, block = primitive("uv_sphere", "Stone", radius=0.1), primitive("cube", "Block")
    store = stored(collide(ball, friction=0.7), collide(block))
    for name, x in (("Here", 1.0), ("There", 2.0)):
        empty(name, store, (x, 0.0, 0.0))
    turned = empty("Turned", store)
    turned.rotation_euler.z = 0.5
    assert read(fresh, obj) == [
        ("Here", "box", 1, 0, 0), ("Here", "ball", 1, 0, 0), ("There", "box", 2, 0, 0), ("There", "ball", 2, 0, 0),
        ("Turned", "box", 0, 0, 0), ("Turned", "ball", 0, 0, 0),
    ]  # fmt: skip
    found = list(colliders_of(fresh, obj).values())
    assert found[1].friction == pytest.approx(0.7)
    assert found[1].margin == pytest.approx(0.001)
    assert found[4].orientation == pytest.approx((np.cos(0.25), 0.0, 0.0, np.sin(0.25)))
    assert found[4].orientation != found[0].orientation


def test_collections_within_collections(fresh, obj):
    inner = empty("Inner", stored(collide(primitive("uv_sphere", "Stone", radius=0.1))), (0.0, 0.0, 1.0))
    outer = stored(inner, name="Outer Store")
    for x in (1.0, 2.0):
        empty(f"Outer {x}", outer, (x, 0.0, 0.0))
    assert read(fresh, obj) == [("Outer 1.0", "ball", 1, 0, 1), ("Outer 2.0", "ball", 2, 0, 1)]


def test_instances_on_points(fresh, obj):
    """Of an object, of a collection, and of what the nodes make on an object with Collision physics."""
    ball = stored_ball()
    for x, shown in ((1.0, ball), (2.0, ball.users_collection[0]), (3.0, None)):
        scattered(points(f"Points {x}", (x, 0, 0), (x, 1, 0)), shown)
    of_objects = [(f"Points {x}", "ball", x, y, 0) for x in (1.0, 2.0) for y in (0, 1)]
    assert read(fresh, obj) == of_objects
    collide(bpy.data.objects["Points 3.0"])
    assert read(fresh, obj) == [*of_objects, ("Points 3.0", "ball", 3, 0, 0), ("Points 3.0", "ball", 3, 1, 0)]


def test_instances_on_vertices_and_particles(fresh, obj):
    holder, child = points("Holder", (1, 0, 0), (2, 0, 0)), collide(primitive("uv_sphere", "Child", radius=0.1))
    on_vertices(holder, child)
    assert read(fresh, obj)[1:] == [("Holder", "ball", 1, 0, 0), ("Holder", "ball", 2, 0, 0)]
    hairy = primitive("plane", "Hairy", location=(0, 0, 3))
    as_particles(hairy, stored_ball(), 3)
    hairs = [one for one in read(fresh, obj) if one[0] == "Hairy"]
    assert [(kind, z) for _, kind, _, _, z in hairs] == [("ball", 3)] * 3
    assert len(set(hairs)) == 3
    radii = [one.size for name, one in colliders_of(fresh, obj).items() if name.startswith("Hairy")]
    assert radii == [pytest.approx((0.1,), rel=1e-4)] * 3


def test_uneven_mirrored_and_zero_scales_are_as_of_objects(fresh, obj):
    """Each as an object beside it that has the same place."""
    sheet = collide(mesh_object("Sheet", *SHEET))
    store = stored(sheet)
    scales = {"Uneven": (1.5, 0.5, 2.0), "Mirrored": (-1.0, 2.0, 1.0), "Flat": (1.0, 1.0, 0.0)}
    for name, scale in scales.items():
        twin = sheet.copy()
        twin.name = f"{name} Twin"
        bpy.context.scene.collection.objects.link(twin)
        for one in (twin, empty(name, store)):
            one.scale, one.rotation_euler, one.location = scale, (0.5, -0.4, 0.9), (0.4, -0.3, 0.2)
    found = {name.partition("\n")[0]: one for name, one in colliders_of(fresh, obj).items()}
    assert set(found) == {"Uneven", "Uneven Twin", "Mirrored", "Mirrored Twin"}
    for name in ("Uneven", "Mirrored"):
        one, twin = found[name], found[f"{name} Twin"]
        assert np.abs(world_vertices(one) - world_vertices(twin)).max() < 1e-6
        assert np.array_equal(one.triangles, twin.triangles)
    why = of_addon(fresh, "dynamics.surroundings.colliders").why_instances_left_out
    assert why(bpy.data.objects["Flat"], obj) == ("Sheet", "SCALE")
    assert why(bpy.data.objects["Uneven"], obj) == ("", "")


def test_the_scope_is_that_of_the_instancer(fresh, obj):
    store = stored_ball().users_collection[0]
    inside, outside = empty("Inside", store), empty("Outside", store)
    some = bpy.data.collections.new("Some")
    bpy.context.scene.collection.children.link(some)
    some.objects.link(inside)
    contact = obj.plant_dynamics.contact

    def touched():
        return {name for name, *_ in read(fresh, obj)}

    assert touched() == {"Inside", "Outside"}
    contact.collide_with, contact.collection = "COLLECTION", some
    assert touched() == {"Inside"}
    contact.collide_with = "NOTHING"
    assert not touched()
    contact.collide_with = "SCENE"
    inside.hide_viewport = True
    assert touched() == {"Outside"}
    outside.hide_set(True)
    assert not touched(), "it is seen nowhere"
    outside.hide_set(False)
    bpy.data.objects["Stone"].collision.use = False
    assert not touched()


def test_what_hangs_on_the_plant_is_left_out(fresh, obj):
    store = stored_ball().users_collection[0]
    fruit = empty("Fruit", store)
    fruit.parent, fruit.parent_type, fruit.parent_bone = obj, "BONE", "Bone.2"
    pot = empty("Pot", store)
    pot.parent = obj
    skin = points("Skin", (0, 0, 0))
    skin.modifiers.new("Armature", "ARMATURE").object = obj
    skin.vertex_groups.new(name="Bone.1")
    scattered(skin, bpy.data.objects["Stone"])
    leaf = collide(primitive("cube", "Leaf"))
    leaf.parent, leaf.parent_type, leaf.parent_bone = obj, "BONE", "Bone.1"
    empty("Copy", stored(leaf, name="Leaf Store"))
    assert {name for name, *_ in read(fresh, obj)} == {"Pot"}
    why = of_addon(fresh, "dynamics.surroundings.colliders").why_instances_left_out
    told = [why(bpy.data.objects[name], obj) for name in ("Fruit", "Skin", "Copy", "Pot")]
    assert told == [("", "OWN"), ("", "OWN"), ("Leaf", "OWN"), ("", "")]


def test_names_last_and_what_is_as_it_was_is_the_same(fresh, obj):
    sheet = collide(mesh_object("Sheet", *SHEET))
    stored(sheet)
    holder = points("Points", (1, 0, 0), (2, 0, 0))
    scattered(holder, sheet)
    first = colliders_of(fresh, obj)
    assert len(first) == 2
    again = colliders_of(fresh, obj)
    assert all(again[name] is one for name, one in first.items())
    one, other = first.values()
    assert one.vertices is other.vertices, "both have one scale"
    holder.location.z = 1.0
    moved = colliders_of(fresh, obj)
    assert set(moved) == set(first)
    assert all(moved[name].vertices is one.vertices for name, one in first.items())
    sheet.location.x = 0.1
    assert set(colliders_of(fresh, obj)) == set(first)


def test_points_are_known_again_by_their_ids(fresh, obj):
    ball = stored_ball()
    for places, ids in ((((1, 0, 0), (2, 0, 0)), (7, 8)), (((2, 0, 0),), (8,))):
        holder = points("Points", *places)
        holder.data.attributes.new("id", "INT", "POINT").data.foreach_set("value", ids)
        scattered(holder, ball)
        names = {round(one.position[0]): name for name, one in colliders_of(fresh, obj).items()}
        assert names[2] == "Points\nStone 0 8"
        bpy.data.objects.remove(holder)


def test_of_very_many_the_nearest_are_touched_and_the_rest_told(fresh, obj, monkeypatch):
    instances = of_addon(fresh, "dynamics.surroundings.instances")
    monkeypatch.setattr(instances, "MOST", 3)
    scattered(points("Points", *((x, 0, 0.3) for x in (9, 8, 0.1, 7, 0.2, 0.3))), stored_ball())
    assert [x for _, _, x, *_ in read(fresh, obj)] == pytest.approx([0.1, 0.2, 0.3])
    assert instances.left_over(obj) == (3, ["Points"])
    monkeypatch.setattr(instances, "MOST", 100)
    assert len(read(fresh, obj)) == 6
    assert instances.left_over(obj) == (0, [])


def test_without_instancers_of_colliders_no_instance_is_looked_at(fresh, obj, monkeypatch):
    """Not for a grown plant's leaves either, of which there are many."""
    collide(primitive("cube", "Cube"))
    scattered(points("Leaves", (1, 0, 0)), primitive("plane", "Leaf"))
    empty("Empty", stored(primitive("plane", "Plain")))
    instances = of_addon(fresh, "dynamics.surroundings.instances")
    looked = []
    seen_in = instances.seen_in
    monkeypatch.setattr(instances, "seen_in", lambda *given: looked.append(given) or seen_in(*given))
    assert [name for name, *_ in read(fresh, obj)] == ["Cube"]
    assert not looked
    scattered(points("Stones", (1, 0, 0)), stored_ball())
    assert len(read(fresh, obj)) == 2
    assert len(looked) == 1


def test_objects_that_a_modifier_gives_its_nodes(fresh, obj):
    """Through a group, as a reusable scatter has them."""
    inner = scattered(points("Aside", (9, 0, 0)), None)
    bpy.data.objects.remove(bpy.data.objects["Aside"])
    outer = bpy.data.node_groups.new("Outer", "GeometryNodeTree")
    inner.interface.new_socket("Object", in_out="INPUT", socket_type="NodeSocketObject")
    source = inner.nodes.new("GeometryNodeObjectInfo")
    source.inputs["As Instance"].default_value = True
    given = next(one for one in inner.nodes if one.bl_idname == "NodeGroupInput")
    inner.links.new(given.outputs["Object"], source.inputs["Object"])
    inner.links.new(source.outputs["Geometry"], inner.nodes["Instance on Points"].inputs["Instance"])
    for side in ("INPUT", "OUTPUT"):
        outer.interface.new_socket("Geometry", in_out=side, socket_type="NodeSocketGeometry")
    name = outer.interface.new_socket("Object", in_out="INPUT", socket_type="NodeSocketObject").identifier
    group = outer.nodes.new("GeometryNodeGroup")
    group.node_tree = inner
    ends = outer.nodes.new("NodeGroupInput"), outer.nodes.new("NodeGroupOutput")
    for one in ("Geometry", "Object"):
        outer.links.new(ends[0].outputs[one], group.inputs[one])
    outer.links.new(group.outputs["Geometry"], ends[1].inputs["Geometry"])
    modifier = points("Points", (1, 0, 0)).modifiers.new("Scatter", "NODES")
    modifier.node_group = outer
    assert not read(fresh, obj)
    if hasattr(modifier, "properties"):  # from 5.2 on
        getattr(modifier.properties.inputs, name).value = stored_ball()
    else:
        modifier[name] = stored_ball()
    bpy.data.objects["Points"].update_tag()
    assert read(fresh, obj) == [("Points", "ball", 1, 0, 0)]


@pytest.mark.parametrize("is_realized", [False, True])
def test_what_nodes_make_of_an_object_is_touched_with_collision_of_its_own(fresh, obj, run_operator, is_realized):
    """Not as instances they are copies that belong to the object with the nodes; the panel says what to do."""
    field = points("Field", (1, 0, 0), (2, 0, 0))
    tree = scattered(field, stored_ball())
    assert why_instances(fresh, field, obj) == ("", ""), "nothing has been looked at"
    if is_realized:
        realize(tree)
    else:
        tree.nodes["Object Info"].inputs["As Instance"].default_value = False
    assert read(fresh, obj) == []
    assert why_instances(fresh, field, obj) == ("", "MADE")
    bpy.context.view_layer.objects.active = obj
    run_operator("mend_collider", collider="Field", action="COLLIDE")
    if is_realized:
        assert [one[:2] for one in read(fresh, obj)] == [("Field", "mesh")]
    else:
        assert read(fresh, obj) == [("Field", "ball", 1, 0, 0), ("Field", "ball", 2, 0, 0)]
    assert why_instances(fresh, field, obj) == ("", "")


def why_instances(fresh, instancer, obj):
    return of_addon(fresh, "dynamics.surroundings.colliders").why_instances_left_out(instancer, obj)


def realize(tree):
    """Have the nodes end in Realize Instances."""
    result, node = tree.nodes["Group Output"], tree.nodes.new("GeometryNodeRealizeInstances")
    last = result.inputs[0].links[0].from_socket
    tree.links.new(last, node.inputs[0])
    tree.links.new(node.outputs[0], result.inputs[0])
