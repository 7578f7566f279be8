# SPDX-License-Identifier: GPL-3.0-or-later
"""Every message of the Contact panel has a way out, and its buttons do what they say or tell why not."""

import bpy
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.collider_scenes import collide, colliders_of, mesh_object, of_addon, plant, primitive
from tests.blender.scenes.drawn_panels import Layout
from tests.blender.scenes.touching.instancers import points, scattered, stored_ball


@pytest.fixture
def obj(fresh, run_operator, select_only):
    obj = plant(run_operator)
    select_only(obj)
    return obj


def lines(obj):
    """The labels of the panel, as wide as a sidebar is that nobody has widened."""
    bpy.context.view_layer.objects.active = obj
    layout = Layout()
    bpy.types.PLANT_DYNAMICS_PT_contact.draw_plant(None, layout, obj, obj.plant_dynamics)
    return layout.texts


def drawn(obj):
    bpy.context.view_layer.objects.active = obj
    layout = Layout()
    bpy.types.PLANT_DYNAMICS_PT_contact.draw_plant(None, layout, obj, obj.plant_dynamics)
    return " ".join(layout.texts), [name.partition(".")[2] for name, _ in layout.operators]


def test_a_ground_is_touched_where_no_collection_is_chosen_yet(fresh, obj, run_operator):
    obj.plant_dynamics.contact.collide_with = "COLLECTION"
    run_operator("add_ground")
    assert set(colliders_of(fresh, obj)) == {"Ground"}


def test_a_ground_makes_the_pot_a_collider_too(fresh, run_operator):
    """And the soil in it; they stay as they are when it is pressed again."""
    obj = plants.grow("broad_leaf", pot=True)
    run_operator("add_ground")
    pot, soil = f"{obj.name} Pot", f"{obj.name} Soil"
    assert set(colliders_of(fresh, obj)) == {"Ground", pot, soil}
    bpy.data.objects[soil].collision.use = False
    bpy.data.objects[pot].collision.thickness_outer = 0.005
    bpy.context.view_layer.objects.active = obj
    run_operator("add_ground")
    assert bpy.data.objects[pot].collision.thickness_outer == pytest.approx(0.005)


def test_a_linked_collection_is_refused_before_anything_is_made(fresh, obj, run_operator, tmp_path):
    collection = bpy.data.collections.new("Elsewhere")
    bpy.data.libraries.write(str(tmp_path / "things.blend"), {collection})
    bpy.data.collections.remove(collection)
    with bpy.data.libraries.load(str(tmp_path / "things.blend"), link=True) as (_, wanted):
        wanted.collections = ["Elsewhere"]
    contact = obj.plant_dynamics.contact
    contact.collide_with, contact.collection = "COLLECTION", bpy.data.collections["Elsewhere"]
    with pytest.raises(RuntimeError, match="The collection 'Elsewhere' is linked"):
        run_operator("add_ground")
    assert "Ground" not in bpy.data.objects
    pot = primitive("cube", "Pot")
    obj.select_set(True)
    bpy.context.view_layer.objects.active = obj
    with pytest.raises(RuntimeError, match="The collection 'Elsewhere' is linked"):
        run_operator("make_collider")
    assert not pot.modifiers


def test_a_scale_that_comes_from_elsewhere_is_told(fresh, obj, run_operator):
    holder = bpy.data.objects.new("Holder", None)
    bpy.context.scene.collection.objects.link(holder)
    holder.scale.z = 0.0
    flat = collide(primitive("cube", "Flat"))
    flat.parent = holder
    bpy.context.view_layer.update()
    assert not colliders_of(fresh, obj)
    bpy.context.view_layer.objects.active = obj
    with pytest.raises(RuntimeError, match="'Flat' still has a scale of zero"):
        run_operator("mend_collider", collider="Flat", action="SCALE")
    holder.scale.z = 1.0
    run_operator("mend_collider", collider="Flat", action="SCALE")
    assert set(colliders_of(fresh, obj)) == {"Flat"}


def test_plants_that_do_not_agree_are_made_to_by_a_click(fresh, obj, run_operator, select_only):
    """The others take what this one has."""
    other, third = (plants.chain(3, name=name) for name in ("Other", "Third"))
    for one in (other, third):
        select_only(one)
        run_operator("make_dynamic")
    settings, place = obj.plant_dynamics, bpy.data.collections.new("Place")
    settings.contact.others = other.plant_dynamics.contact.others = True
    settings.contact.collide_with, settings.contact.collection = "COLLECTION", place
    settings.gravity_factor, settings.stiffness_factor, settings.scheme = 0.5, 0.25, "backward_euler"
    texts, operators = drawn(obj)
    assert "Does not touch 'Other', for they differ in Collide With, Collection, Gravity, Stiffness, Method" in texts
    assert "touch_together" in operators
    before = third.plant_dynamics.stiffness_factor
    run_operator("touch_together")
    theirs = other.plant_dynamics
    assert (theirs.contact.collide_with, theirs.contact.collection) == ("COLLECTION", place)
    assert (theirs.gravity_factor, theirs.stiffness_factor, theirs.scheme) == (0.5, 0.25, "backward_euler")
    assert third.plant_dynamics.stiffness_factor == before, "it asks for nothing"
    texts, operators = drawn(obj)
    assert "Does not touch" not in texts
    assert "touch_together" not in operators
    with pytest.raises(RuntimeError, match="All plants that ask for it touch this one"):
        run_operator("touch_together")


def test_a_plant_that_alone_would_touch_others_is_told_so(fresh, obj, run_operator, select_only):
    notice = "No other plant has Others ticked: it takes both"
    assert notice not in drawn(obj)[0]
    obj.plant_dynamics.contact.others = True
    assert notice in drawn(obj)[0]
    select_only(plants.chain(3, name="Other"))
    run_operator("make_dynamic")
    assert notice in drawn(obj)[0]
    bpy.data.objects["Other"].plant_dynamics.contact.others = True
    assert notice not in drawn(obj)[0]


@pytest.mark.parametrize(("name", "value", "label"), [("scheme", "backward_euler", "Method"),
                                                      ("gravity_factor", 0.5, "Gravity")])  # fmt: skip
def test_only_what_differs_is_named(fresh, obj, run_operator, select_only, name, value, label):
    for one in ("Other", "Third"):
        select_only(plants.chain(3, name=one))
        run_operator("make_dynamic")
    others = [bpy.data.objects["Other"], bpy.data.objects["Third"]]
    for one in (obj, *others):
        one.plant_dynamics.contact.others = True
        one.plant_dynamics.stiffness_factor = 1.0
    setattr(obj.plant_dynamics, name, value)
    assert f"Does not touch 'Other', 'Third', for they differ in {label} " in f"{drawn(obj)[0]} "
    others[1].plant_dynamics.stiffness_factor = 2.0
    assert "they differ in" in drawn(obj)[0]
    assert "Stiffness" in drawn(obj)[0]


def test_what_there_is_to_touch_is_counted_with_the_plants(fresh, obj, run_operator, select_only):
    contact = obj.plant_dynamics.contact
    assert "Nothing to touch yet" in drawn(obj)[0]
    contact.others = True
    assert "Nothing to touch yet" in drawn(obj)[0], "there is no other plant"
    contact.itself = True
    assert "No object to touch yet" in drawn(obj)[0]
    contact.itself = False
    select_only(plants.chain(3, name="Other"))
    run_operator("make_dynamic")
    bpy.data.objects["Other"].plant_dynamics.contact.others = True
    of_addon(fresh, "relations").agree(obj, [bpy.data.objects["Other"]])
    assert "No object to touch yet" in drawn(obj)[0]
    assert "Nothing" not in drawn(obj)[0]


def test_many_things_are_counted_only(fresh, obj, run_operator, select_only):
    apples = [primitive("uv_sphere", f"Apple{i:02}", segments=4, ring_count=3, location=(i, 0, 5)) for i in range(15)]
    select_only(obj, *apples)
    run_operator("move_with_plant")
    texts, operators = drawn(obj)
    assert operators.count("leave_in_place") == 12
    assert "Apple11" in texts
    assert "Apple12" not in texts
    assert "and 3 more" in texts


def test_what_is_wrong_is_told_before_anything_is_simulated_and_in_whole(fresh, obj):
    """In lines that fit into the sidebar, above the button that mends it."""
    flat = collide(primitive("cube", "Flat with a long name"))
    flat.scale.z = 0.0
    collide(mesh_object("Empty", [(0, 0, 0)], []))
    endless = collide(mesh_object("Endless", [(0, 0, 0)], []), shape="PLANE")
    carrier = collide(mesh_object("Grown", [(0, 0, 0)], []))
    carrier.modifiers.new("Skin", "SKIN")
    bpy.context.view_layer.update()
    texts, operators = drawn(obj)
    assert "Flat with a long name: has a scale of zero" in texts
    assert "Empty: has no faces" in texts
    assert "Grown:" not in texts, "its modifiers may give it faces"
    assert f"{endless.name}:" not in texts, "an endless plane needs none"
    assert operators.count("mend_collider") == 2
    assert max(map(len, lines(obj))) < 50


def test_what_is_wrong_with_a_moved_thing_is_told_in_whole(fresh, obj, run_operator, select_only):
    apple = primitive("cube", "Apple")
    select_only(obj, apple)
    run_operator("move_with_plant")
    assert "Apple" in drawn(obj)[0]
    apple.scale.z = 0.0
    bpy.context.view_layer.update()
    assert "Apple has a scale of zero" in drawn(obj)[0]
    assert "leave_in_place" in drawn(obj)[1]


def test_what_nodes_make_is_mended_by_a_click(fresh, obj, run_operator):
    tree = scattered(points("Field", (1, 0, 0)), stored_ball())
    assert "Field:" not in drawn(obj)[0]
    tree.nodes["Object Info"].inputs["As Instance"].default_value = False
    assert colliders_of(fresh, obj) == {}
    texts, operators = drawn(obj)
    assert "Field: shows no instances of colliders; what its nodes make of them" in texts
    assert "mend_collider" in operators
    run_operator("mend_collider", collider="Field", action="COLLIDE")
    assert len(colliders_of(fresh, obj)) == 1
    assert "Field:" not in drawn(obj)[0]
