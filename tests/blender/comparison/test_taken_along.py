# SPDX-License-Identifier: GPL-3.0-or-later
"""Compare takes along what the plant moves and the plants that it touches: each variant moves as the plant would."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.all_properties import differences, everything
from tests.blender.scenes.collider_scenes import collide, plant, primitive
from tests.blender.scenes.comparisons import LAST, compared, module, rotation_keys, same_keys
from tests.forms import IS_FULL


@pytest.fixture
def company(fresh, run_operator, select_only):
    """A chain that moves a ball which falls on it, and one across above it, named so that its copy comes first by name,
    which moves a box."""
    bpy.context.scene.frame_end = LAST
    obj = plant(run_operator, height=0.3)
    obj.name = "Hair"
    other = plant(run_operator, count=3, height=0.312)
    other.name, other.location.x, other.location.y, other.rotation_euler.z = "Hair A", 0.1, -0.1, 0.5 * np.pi
    for one in (obj, other):
        one.plant_dynamics.stiffness_factor, one.plant_dynamics.contact.others = 0.05, True
    ball = primitive("uv_sphere", "Ball", radius=0.02, location=(0.32, 0.0, 0.33))
    ball.rotation_euler = (0.3, -0.2, 0.5)
    box = primitive("cube", "Box", size=0.03, location=(0.1, 0.15, 0.335))
    collide(box)
    for mover, thing in ((obj, ball), (other, box)):
        select_only(mover, thing)
        run_operator("move_with_plant")
    select_only(obj)
    plants.show(1)
    return obj, other, ball, box


def keys_of(one):
    """All keys of an object's action."""
    return plants.curves(one.animation_data.action)


def bone_keys(one):
    return {key: keys for key, keys in rotation_keys(one).items() if key[0].startswith("pose")}


def moving_keys(one):
    return {key: keys for key, keys in keys_of(one).items() if key[0] in ("location", "rotation_quaternion")}


def copies_in(place):
    """The things of a place, by what their originals are called."""
    return {one.name.split(".")[0]: one for variant in place.plants() for one in variant.things}


def baked_alike(place, company):
    """Whether plants and things of the place have the very keys that the company has."""
    obj, other, ball, box = company
    things = copies_in(place)
    return (
        same_keys(bone_keys(place.variant.obj), bone_keys(obj))
        and same_keys(bone_keys(place.beside[0].obj), bone_keys(other))
        and same_keys(moving_keys(things["Ball"]), moving_keys(ball))
        and same_keys(moving_keys(things["Box"]), moving_keys(box))
    )


@pytest.mark.parametrize("quantity", ["YOUNG", "WIND", *(["GRAVITY", "STIFFNESS"] if IS_FULL else [])])
def test_all_that_goes_with_a_plant_moves_as_with_the_plant_itself(company, run_operator, quantity):
    if quantity == "WIND":
        bpy.context.scene.plant_dynamics.wind.source = "GUSTS"
    comparison = compared(company[0], quantity, "1x, 2x")
    assert (comparison.things, comparison.beside) == (["Ball", "Box"], ["Hair A"])
    run_operator("bake")
    assert [baked_alike(place, company) for place in comparison.places] == [True, False]
    one, other = (copies_in(place) for place in comparison.places)
    assert not same_keys(moving_keys(one["Ball"]), moving_keys(other["Ball"]))


def test_another_value_moves_all_as_the_plant_with_it_does(company, run_operator):
    place = compared(company[0], "DENSITY", "3x").places[0]
    run_operator("bake")
    assert not baked_alike(place, company)
    for one in company[:2]:
        module("baking.bake").clear_bake(one)
    bpy.context.view_layer.objects.active = company[0]
    company[0].plant_dynamics.density *= 3.0
    run_operator("bake")
    assert baked_alike(place, company)


def test_plants_beside_get_the_gravity_without_which_they_would_not_touch(company, run_operator):
    place = compared(company[0], "GRAVITY", "0.5x").places[0]
    for one in company[:2]:
        one.plant_dynamics.gravity_factor = 0.5
    run_operator("bake")
    assert baked_alike(place, company)


def test_without_what_it_moves_and_touches_it_would_move_otherwise(company, run_operator):
    """So that the other tests are of anything."""
    together = compared(company[0], "YOUNG", "1x").places[0]
    company[0].plant_dynamics.contact.others = False
    apart = compared(company[0], "YOUNG", "1x").places[0]
    assert not apart.beside
    company[0].plant_dynamics.things.clear()
    alone = compared(company[0], "YOUNG", "1x").places[0]
    found = [rotation_keys(place.variant.obj) for place in (together, apart, alone)]
    assert not same_keys(found[0], found[1])
    assert not same_keys(found[1], found[2])


@pytest.mark.parametrize("state", ["still", "live", "baked"])
def test_nothing_of_the_users_is_changed(company, run_operator, state):
    if state != "still":
        run_operator({"live": "play", "baked": "bake"}[state])
    bpy.context.view_layer.objects.active = company[0]
    plants.show(3)
    before = everything()
    places = [np.array(one.matrix_world) for one in company]
    compared(company[0], "YOUNG", "1x, 2x")
    after = everything()
    changed = [row for row in differences(before, after) if row[0] in before and not row[0].startswith("meshes")]
    assert {name for name, *_ in changed} <= {f"actions[{one.name!r}].users" for one in bpy.data.actions}
    assert all(np.array_equal(np.array(one.matrix_world), at) for one, at in zip(company, places, strict=True))


def test_a_baked_plant_is_compared_with_those_that_were_baked_with_it(company, run_operator):
    """What they move is no collider, though it has Collision physics and is baked."""
    run_operator("bake")
    bpy.context.view_layer.objects.active = company[0]
    comparison = compared(company[0], "YOUNG", "1x, 2x")
    assert [baked_alike(place, company) for place in comparison.places] == [True, False]
    assert all(one.plant_dynamics.is_baked for one in company[:2])


def test_a_live_plant_is_compared_as_it_is_shown(company, run_operator):
    run_operator("play")
    frames = range(1, LAST + 1)
    shown = []
    for frame in frames:
        plants.show(frame)
        shown.append(np.array(company[2].matrix_world))
    plants.show(1)
    comparison = compared(company[0], "YOUNG", "1x")
    live = module("dynamics.live.live")
    assert all(live.is_live(one) for one in company[:2])
    ball = copies_in(comparison.places[0])["Ball"]
    bpy.context.window.scene = comparison.scene
    for frame, matrix in zip(frames, shown, strict=True):
        plants.show(frame)
        assert np.abs(np.array(ball.matrix_world) - matrix).max() < 1e-4


def names():
    kinds = [p.identifier for p in bpy.data.bl_rna.properties if p.type == "COLLECTION"]
    return {kind: sorted(one.name for one in getattr(bpy.data, kind)) for kind in kinds}


@pytest.mark.parametrize("steps", [1, 4, 12, 25, 45] if IS_FULL else [1, 12, 45])
def test_given_up_in_the_middle_it_leaves_nothing_behind(company, steps):
    collide(primitive("uv_sphere", "Stone", radius=0.1, location=(0.3, 0.3, 0.2)))
    bpy.context.scene.plant_dynamics.wind.source = "GUSTS"
    row, before, all_before = module("comparison.row"), names(), everything()
    work = row.compare(bpy.context, company[0], row.CompareOptions("WIND", "1, 2", 1, LAST))
    assert len(list(zip(range(steps), work, strict=False))) == steps
    assert names() != before
    work.close()
    assert names() == before
    assert not [row for row in differences(all_before, everything()) if not row[0].startswith("meshes")]


def test_what_fails_leaves_nothing_behind(company):
    company[2].delta_location.x = 0.1
    before = names()
    with pytest.raises(module("errors").PlantError, match="delta"):
        compared(company[0], "YOUNG", "1x, 2x")
    assert names() == before


def test_edit_mode_of_what_goes_with_it_is_refused(company):
    before = names()
    bpy.context.view_layer.objects.active = company[1]
    bpy.ops.object.mode_set(mode="EDIT")
    with pytest.raises(module("errors").PlantError, match="Edit Mode"):
        compared(company[0], "YOUNG", "1x, 2x")
    bpy.ops.object.mode_set(mode="OBJECT")
    assert names() == before


def test_undo_takes_all_of_it_away_and_a_report_says_what_was_taken_along(company, run_operator):
    bpy.ops.ed.undo_push(message="before")
    before = names()
    bpy.context.scene.plant_dynamics_compare.values = "1x, 2x"
    run_operator("compare")
    assert len(bpy.context.scene.objects) > 8
    bpy.ops.ed.undo_push(message="compared")
    bpy.ops.ed.undo()
    assert names() == before


def test_the_scene_can_be_deleted_with_all_that_is_in_it(company):
    bpy.data.orphans_purge(do_recursive=True)
    before = names()
    comparison = compared(company[0], "YOUNG", "1x, 2x")
    told = "2 plants in the scene 'Young's modulus of Hair'; each moves its own 'Ball', 'Box'; each goes with its own"
    assert comparison.told() == f"{told} 'Hair A'"
    bpy.data.scenes.remove(comparison.scene)
    bpy.data.orphans_purge(do_recursive=True)
    after = names()
    assert {kind: found for kind, found in after.items() if found != before[kind]} == {}


def test_a_plant_that_is_grown_anew_takes_what_it_moves_along(fresh, run_operator, select_only):
    bpy.context.scene.frame_end = LAST
    obj = plants.grow("broad_leaf")
    ball = primitive("uv_sphere", "Ball", radius=0.02, location=(0.0, 0.0, 1.0))
    select_only(obj, ball)
    run_operator("move_with_plant")
    select_only(obj)
    obj.plant_dynamics.contact.itself = True
    comparison = compared(obj, "SEED", f"{obj.plant_dynamics.growth.seed}, 5")
    run_operator("bake")
    own = comparison.places[0]
    assert same_keys(rotation_keys(own.variant.obj), rotation_keys(obj))
    assert same_keys(moving_keys(copies_in(own)["Ball"]), moving_keys(ball))
    assert len(comparison.places[1].variant.things) == 1


def test_what_is_held_by_its_keys_is_so_beside_each_plant(company, run_operator):
    ball = company[2]
    plants.key_location(ball, {1: (0.32, 0.0, 0.33), 5: (0.25, 0.0, 0.3)})
    for frame, held in ((1, True), (5, True), (6, False)):
        ball.plant_dynamics.thing.is_held = held
        ball.plant_dynamics.thing.keyframe_insert("is_held", frame=frame)
    plants.show(1)
    comparison = compared(company[0], "YOUNG", "1x, 2x")
    run_operator("bake")
    assert [baked_alike(place, company) for place in comparison.places] == [True, False]


@pytest.mark.parametrize("how", ["disabled", "excluded", "eye"])
def test_what_is_not_moved_for_it_is_switched_off_is_not_taken_along(company, run_operator, how):
    """What only the eye hides is moved all the same."""
    ball = company[2]
    if how == "disabled":
        ball.hide_viewport = True
    elif how == "eye":
        ball.hide_set(True)
    else:
        collection = bpy.data.collections.new("Off")
        bpy.context.scene.collection.children.link(collection)
        collection.objects.link(ball)
        bpy.context.scene.collection.objects.unlink(ball)
        bpy.context.view_layer.layer_collection.children["Off"].exclude = True
    plants.show(1)
    comparison = compared(company[0], "YOUNG", "1x")
    run_operator("bake")
    place = comparison.places[0]
    assert same_keys(rotation_keys(place.variant.obj), rotation_keys(company[0]))
    assert comparison.things == [one.name for one in company[2:] if one.animation_data]


def test_a_plant_beside_that_hangs_on_the_other_and_has_a_handle(company, run_operator):
    """Its object is a child of the plant's, which moves; both are repeated once."""
    obj, other = company[:2]
    other.parent, other.matrix_parent_inverse = obj, obj.matrix_world.inverted()
    plants.key_location(obj, {1: tuple(obj.location), 8: (0.05, 0.02, obj.location.z)})
    handle = bpy.data.objects.new("Handle", None)
    bpy.context.scene.collection.objects.link(handle)
    plants.key_location(handle, {1: (0.1, 0.2, 0.3), 8: (0.1, 0.25, 0.4)})
    load = other.plant_dynamics.loads.add()
    load.kind, load.bone, load.target, load.stiffness = "PULL", "Bone.2", handle, 5.0
    plants.show(1)
    comparison = compared(obj, "YOUNG", "1x, 2x")
    run_operator("bake")
    assert [baked_alike(place, company) for place in comparison.places] == [True, False]
    stood = []
    for frame in (1, 5, LAST):
        plants.show(frame)
        stood.append([plants.matrices(one) for one in (obj, other)])
    bpy.context.window.scene = comparison.scene
    place = comparison.places[0]
    assert [one.name.split(".")[0] for one in place.beside[0].handles] == ["Handle"]
    assert not [one for one in place.variant.obj.children_recursive if one.type == "ARMATURE"]
    for frame, poses in zip((1, 5, LAST), stood, strict=True):
        plants.show(frame)
        at = np.array(place.carrier.matrix_world.translation)
        for one, pose in zip(place.plants(), poses, strict=True):
            shown = plants.matrices(one.obj)
            shown[:, :3, 3] -= at
            assert np.abs(shown - pose).max() < 1e-5


def test_plots_are_of_all_that_goes_with_the_plant(company, run_operator):
    own = compared(company[0], "YOUNG", "1x", measured=True).places[0].motion
    whole = module("commands").simulate(company[0], last_frame=LAST)
    assert own.bone == whole.bone
    for name in ("tip", "energies", "contact"):
        assert np.array_equal(getattr(own, name), getattr(whole, name))
    assert own.contact.max() > 0.0


def test_plants_of_different_places_do_not_touch_in_the_row_either(company):
    comparison = compared(company[0], "YOUNG", "1x, 2x")
    ties = module("dynamics.motion.ties")
    for place in comparison.places:
        assert ties.touched_by(place.variant.obj, comparison.scene) == [place.beside[0].obj]
        assert not ties.not_together(place.variant.obj, comparison.scene)
    again = compared(company[0], "YOUNG", "1x")
    numbers = [place.variant.obj.plant_dynamics.contact.company for place in (*comparison.places, *again.places)]
    assert len({0, *numbers}) == 4


def test_a_plant_that_is_taken_out_of_the_row_can_touch_others_again(company, run_operator):
    """The Contact panel tells that it does not, and has a button for it."""
    taken = compared(company[0], "YOUNG", "1x").places[0].variant.obj
    bpy.context.scene.collection.objects.link(taken)
    module("baking.bake").clear_bake(taken)
    ties = module("dynamics.motion.ties")
    assert set(ties.not_together(company[0], bpy.context.scene)) == {taken}
    bpy.context.view_layer.objects.active = company[0]
    run_operator("touch_together")
    assert set(ties.touched_by(taken, bpy.context.scene)) == set(company[:2])
