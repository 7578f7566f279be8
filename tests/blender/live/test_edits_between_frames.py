# SPDX-License-Identifier: GPL-3.0-or-later
"""What acts on a plant is read anew only where it may move or has been edited: it is what a whole look finds."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.busy_plant import module

BEFORE, EDITED, LAST = 6, 7, 10


def still(obj):
    """Nothing moves it."""


def keyed(obj):
    plants.key_location(obj, {1: (0.0, 0.0, 0.0), LAST: (0.3, 0.0, 0.0)})


def beside_what_is_keyed(obj):
    plants.key_location(bpy.data.objects["Elsewhere"], {1: (0.0, 0.0, 0.0), LAST: (0.3, 0.0, 0.0)})


def on_a_parent(obj):
    obj.parent = bpy.data.objects["Elsewhere"]
    beside_what_is_keyed(obj)


def with_keyed_settings(obj):
    for frame, value in ((1, 1.0), (LAST, 0.5)):
        obj.plant_dynamics.gravity_factor = value
        obj.plant_dynamics.keyframe_insert("gravity_factor", frame=frame)


def in_a_keyed_scene(obj):
    for frame, value in ((1, 1.0), (LAST, 0.5)):
        bpy.context.scene.audio_volume = value
        bpy.context.scene.keyframe_insert("audio_volume", frame=frame)


def in_a_keyed_wind(obj):
    wind = bpy.context.scene.plant_dynamics.wind
    for frame, value in ((1, 1.0), (LAST, 0.5)):
        wind.direction[1] = value
        wind.keyframe_insert("direction", index=1, frame=frame)


def beside_a_keyed_field(obj):
    field = bpy.data.objects["Field"]
    for frame, value in ((1, 1.0), (LAST, 2.0)):
        field.field.noise = value
        field.keyframe_insert("field.noise", frame=frame)


KINDS = (
    still, keyed, beside_what_is_keyed, on_a_parent, with_keyed_settings, in_a_keyed_scene, in_a_keyed_wind,
    beside_a_keyed_field,
)  # fmt: skip


def gravity(obj, scene):
    scene.gravity.z = -5.0


def no_gravity(obj, scene):
    scene.use_gravity = False


def gravity_gets_keys(obj, scene):
    for frame, value in ((1, -9.8), (LAST, 5.0)):
        scene.gravity[2] = value
        scene.keyframe_insert("gravity", index=2, frame=frame)


def strength_of_a_field(obj, scene):
    bpy.data.objects["Field"].field.strength = 3.0


def place_of_a_field(obj, scene):
    bpy.data.objects["Field"].location.y = 1.0


def field_is_hidden(obj, scene):
    bpy.data.objects["Field"].hide_viewport = True


def field_is_deleted(obj, scene):
    bpy.data.objects.remove(bpy.data.objects["Field"])


def another_becomes_a_field(obj, scene):
    other = bpy.data.objects["Elsewhere"]
    with bpy.context.temp_override(object=other, active_object=other):
        bpy.ops.object.forcefield_toggle()
    other.field.strength = 2.0


def a_field_is_linked(obj, scene):
    scene.collection.objects.link(bpy.data.objects["Field"].copy())


def collection_is_excluded(obj, scene):
    bpy.context.view_layer.layer_collection.children["Things"].exclude = True


def place_of_a_handle(obj, scene):
    bpy.data.objects["Handle"].location.z = 0.4


def strength_of_a_handle(obj, scene):
    obj.plant_dynamics.loads[0].stiffness = 7.0


def handle_gets_keys(obj, scene):
    plants.key_location(bpy.data.objects["Handle"], {1: (0.0, 0.0, 0.0), LAST: (0.0, 0.0, 0.3)})


def place_of_a_collider(obj, scene):
    bpy.data.objects["Wall"].location.x = 3.0


def another_becomes_a_collider(obj, scene):
    bpy.data.objects["Block"].modifiers.new("Collision", "COLLISION")


def margin_of_a_collider(obj, scene):
    bpy.data.objects["Wall"].collision.thickness_outer = 0.07


def speed_of_the_wind(obj, scene):
    scene.plant_dynamics.wind.speed = 7.0


def shelter(obj, scene):
    scene.plant_dynamics.wind.shelter = 0.37


def flutter(obj, scene):
    obj.plant_dynamics.flutter = 0.7


def factor_of_gravity_has_a_driver(obj, scene):
    obj.driver_add("plant_dynamics.gravity_factor").driver.expression = "0.1 * frame"


def a_bone_is_scaled(obj, scene):
    obj.pose.bones[2].scale = (1.0, 1.2, 1.0)


def the_plant_is_scaled(obj, scene):
    obj.scale = (2.0, 2.0, 2.0)


def the_plant_is_larger_by_delta(obj, scene):
    obj.delta_scale = (1.5, 1.5, 1.5)


def a_constraint_carries_the_plant(obj, scene):
    obj.constraints.new("COPY_LOCATION").target = bpy.data.objects["Block"]


def it_gets_a_parent(obj, scene):
    obj.parent = bpy.data.objects["Block"]


EDITS = (
    gravity, no_gravity, gravity_gets_keys, strength_of_a_field, place_of_a_field, field_is_hidden, field_is_deleted,
    another_becomes_a_field, a_field_is_linked, collection_is_excluded, place_of_a_handle, strength_of_a_handle,
    handle_gets_keys, place_of_a_collider, margin_of_a_collider, another_becomes_a_collider, speed_of_the_wind,
    shelter, flutter, factor_of_gravity_has_a_driver, a_bone_is_scaled, the_plant_is_scaled,
    the_plant_is_larger_by_delta, a_constraint_carries_the_plant, it_gets_a_parent,
)  # fmt: skip


@pytest.fixture
def plant(fresh, run_operator):
    scene = bpy.context.scene
    scene.frame_end = LAST
    things = bpy.data.collections.new("Things")
    scene.collection.children.link(things)
    obj = plants.chain(4)
    run_operator("make_dynamic")
    run_operator("wind_preset", preset="WIND")
    bpy.ops.object.effector_add(type="FORCE", location=(0.0, 2.0, 0.0))
    bpy.context.object.name = "Field"
    things.objects.link(bpy.context.object)
    scene.collection.objects.unlink(bpy.context.object)
    for name in ("Wall", "Block"):
        bpy.ops.mesh.primitive_cube_add(size=0.2, location=(0.0, 0.0, -3.0))
        bpy.context.object.name = name
    bpy.data.objects["Wall"].modifiers.new("Collision", "COLLISION")
    scene.collection.objects.link(bpy.data.objects.new("Elsewhere", None))
    bpy.context.view_layer.objects.active = obj
    run_operator("add_pull")
    obj.plant_dynamics.loads[0].target.name = "Handle"
    obj.plant_dynamics.contact.collide_with = "SCENE"
    return obj


def fields(addon, sample):
    """All that acts, but how far the wind has travelled."""
    found = dict(vars(sample))
    wind = module(addon, "dynamics.surroundings.air").SceneWind
    if isinstance(found["wind"], wind):
        found["wind"] = found["wind"].begun(0.0)
    return found


def differing(addon, one, other):
    equal = module(addon, "dynamics.surroundings.samples").equal
    one, other = fields(addon, one), fields(addon, other)
    return {name for name in one if name != "time" and not equal(one[name], other[name])}


def world_at(addon, obj, frame):
    return module(addon, "dynamics.motion.sessions").session_of(obj).recording.worlds[frame - 1]


def read_whole(addon, obj):
    session = module(addon, "dynamics.motion.sessions").session_of(obj)
    read = module(addon, "dynamics.surroundings.inputs").read_sample
    return read(obj, session.plant, bpy.context.scene, bpy.context.evaluated_depsgraph_get())


#: Each edit with three kinds in turn, told in both ways; a look at all of them takes a minute.
TURNS = [(edit, KINDS[(k + 3 * j) % len(KINDS)], (k + j) % 2 == 0) for k, edit in enumerate(EDITS) for j in range(3)]
TURNS += [(the_plant_is_scaled, keyed, True), (the_plant_is_larger_by_delta, keyed, False)]


@pytest.mark.parametrize(
    ("edit", "kind", "told_before"), TURNS,
    ids=[f"{edit.__name__}-{kind.__name__}-{'before' if before else 'by the frame'}" for edit, kind, before in TURNS],
)  # fmt: skip
def test_what_is_edited_acts_from_the_next_frame_on(fresh, run_operator, plant, edit, kind, told_before):
    scene = bpy.context.scene
    kind(plant)
    run_operator("play")
    for frame in range(1, EDITED):
        scene.frame_set(frame)
    before = world_at(fresh, plant, BEFORE)
    edit(plant, scene)
    if told_before:
        bpy.context.view_layer.update()
    for frame in range(EDITED, LAST):
        scene.frame_set(frame)
        assert plant.plant_dynamics.live
        whole = read_whole(fresh, plant)
        assert not differing(fresh, world_at(fresh, plant, frame), whole)
        assert differing(fresh, before, whole), "it acts"


def test_what_anothers_handler_edits_acts_too(fresh, run_operator, plant):
    """After each evaluation it moves a field as far as an object with keys was moved by hand."""
    scene, leader = bpy.context.scene, bpy.data.objects["Elsewhere"]
    plants.key_location(leader, {1: (0.0, 0.0, 0.0), LAST: (0.0, 0.0, 0.0)})

    def follows(*_):
        if bpy.data.objects["Field"].location.x != leader.scale.x:
            bpy.data.objects["Field"].location.x = leader.scale.x

    bpy.app.handlers.depsgraph_update_post.append(follows)
    try:
        run_operator("play")
        for frame in range(1, EDITED):
            scene.frame_set(frame)
        leader.scale.x = 1.5
        for frame in range(EDITED, LAST):
            bpy.context.view_layer.update()
            scene.frame_set(frame)
        assert not differing(fresh, world_at(fresh, plant, LAST - 1), read_whole(fresh, plant))
    finally:
        bpy.app.handlers.depsgraph_update_post.remove(follows)


@pytest.mark.parametrize(
    ("kind", "moving"), [(still, set()), (beside_what_is_keyed, set()), (keyed, {"MovingBase"}),
                         (on_a_parent, {"MovingBase", "KeyedLengths"})],
    ids=lambda one: getattr(one, "__name__", ""),
)  # fmt: skip
def test_only_what_may_move_is_read(fresh, run_operator, plant, kind, moving, monkeypatch):
    """And colliders, of which Blender tells at every frame."""
    bpy.context.scene.plant_dynamics.wind.shelter = 0.0  # else the plant moves what shelters it
    kind(plant)
    run_operator("play")
    for frame in range(1, EDITED):
        bpy.context.scene.frame_set(frame)
    read = set()

    def watch(influence):
        found = influence.read

        def reading(*arguments):
            read.add(type(influence).__name__)
            found(*arguments)

        monkeypatch.setattr(influence, "read", reading)

    for influence in module(fresh, "dynamics.surroundings.inputs").INFLUENCES:
        watch(influence)
    places = []
    for frame in range(EDITED, LAST):
        bpy.context.scene.frame_set(frame)
        places.append(np.array(world_at(fresh, plant, frame).base_position))
    assert read == moving | {"Colliders"}
    assert np.ptp(places, axis=0).any() == ("MovingBase" in moving)


def test_nothing_is_read_of_a_plant_that_stands_still_in_gusts(fresh, run_operator, monkeypatch):
    bpy.context.scene.frame_end = LAST
    obj = plants.chain(4)
    run_operator("make_dynamic")
    run_operator("wind_preset", preset="WIND")
    run_operator("play")
    for frame in range(1, EDITED):
        bpy.context.scene.frame_set(frame)
    monkeypatch.setattr(module(fresh, "dynamics.motion.standing"), "Moment", None)
    travelled = []
    for frame in range(EDITED, LAST):
        bpy.context.scene.frame_set(frame)
        assert obj.plant_dynamics.live
        travelled.append(world_at(fresh, obj, frame).wind.travelled)
    assert min(np.diff(travelled)) > 0.1
