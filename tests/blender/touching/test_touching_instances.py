# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants that touch instances: played, scrubbed, saved, and when the instancers are changed."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.collider_scenes import collide, of_addon, plant, primitive
from tests.blender.scenes.drawn_panels import Layout
from tests.blender.scenes.touching.instancers import (
    as_particles,
    empty,
    on_vertices,
    points,
    scattered,
    stored_ball,
)

FRAMES = range(1, 15)
PLACE = (0.3, 0.0, 0.17)


@pytest.fixture
def obj(fresh, run_operator):
    bpy.context.scene.frame_end = FRAMES[-1]
    return plant(run_operator)


def go_live(obj):
    bpy.context.view_layer.objects.active = obj
    assert bpy.ops.plant_dynamics.play() == {"FINISHED"}
    plants.show(1)


def played(obj, frames=FRAMES):
    go_live(obj)
    return plants.played(obj, frames)


def anew(fresh, obj, frames=FRAMES):
    of_addon(fresh, "dynamics.live.live").stop_live(obj)
    return played(obj, frames)


def session_of(fresh, obj):
    return of_addon(fresh, "dynamics.motion.sessions").session_of(obj)


def worlds_of(fresh, obj):
    return session_of(fresh, obj).recording.worlds


def stones(location=PLACE):
    return empty("Stones", stored_ball().users_collection[0], location)


def dots():
    """Balls in the way of the chain, and away from it."""
    holder = points("Dots", PLACE, (0.3, 2.0, 0.17))
    scattered(holder, stored_ball())
    return holder


def test_an_instance_is_touched_as_the_object_would_be(fresh, obj):
    free = played(obj)
    ball = collide(primitive("uv_sphere", "Ball", radius=0.1, location=PLACE))
    touching = anew(fresh, obj)
    assert np.abs(touching - free).max() > 0.01
    bpy.data.objects.remove(ball)
    dots()
    assert np.abs(anew(fresh, obj) - touching).max() < 1e-5


def test_both_instances_of_an_object_push(fresh, obj):
    stones((0.3, 0.0, 0.17))
    stones((0.1, 0.0, 0.194)).name = "More"
    played(obj)
    session = session_of(fresh, obj)
    touched = [of_addon(fresh, "dynamics.motion.contacts").contacts_at(session, frame) for frame in FRAMES]
    places = np.concatenate([one.point for one in touched])[:, 0]
    assert places.min() < 0.15
    assert places.max() > 0.25


@pytest.mark.parametrize("channel", ["location", "rotation_euler"])
def test_it_moves_and_turns_with_its_speed(fresh, obj, channel):
    """What goes through the plant between two frames, and is within it in neither: as the object would."""
    keys = {5: (0.3, 0.0, -0.2), 6: (0.3, 0.0, 0.6)}
    if channel == "rotation_euler":
        stored_ball().location, keys = (0.3, 0.0, 0.0), {5: (0.0, 0.9, 0.0), 6: (0.0, -0.9, 0.0)}

    def keyed(thing):
        for frame, value in keys.items():
            setattr(thing, channel, value)
            thing.keyframe_insert(channel, frame=frame)

    free = played(obj)
    thing = stones((0.0, 0.0, 0.25))
    keyed(thing)
    struck = anew(fresh, obj)
    assert np.abs(struck - free)[5:].max() > 0.01
    assert np.abs(struck - free)[:5].max() == 0.0
    assert len({one.name for world in worlds_of(fresh, obj) for one in world.colliders}) == 1
    twin = stored_ball().copy()
    bpy.context.scene.collection.objects.link(twin)
    twin.parent = thing
    thing.instance_type = "NONE"
    assert np.abs(anew(fresh, obj) - struck).max() < 1e-4


@pytest.mark.parametrize("make", [stones, dots])
def test_it_is_the_same_whatever_frames_are_shown(fresh, obj, make):
    thing = make()
    here = thing.location.copy()
    plants.key_location(thing, {1: here, 12: (here.x, here.y + 0.1, here.z + 0.03)})
    forth = played(obj)
    of_addon(fresh, "dynamics.live.live").stop_live(obj)
    go_live(obj)
    for frame in (12, 3, 14, 7):
        plants.show(frame)
        assert (plants.matrices(obj) == forth[frame - 1]).all()


def corners():
    """Balls on the vertices of a mesh."""
    holder = points("Corners", PLACE, (0.3, 2.0, 0.17))
    on_vertices(holder, collide(primitive("uv_sphere", "Child", radius=0.1)))
    return holder


def hair():
    """A ball on a hair of a small mesh."""
    obj = primitive("plane", "Hairy", size=0.001, location=PLACE)
    as_particles(obj, stored_ball(), 1)
    return obj


def move_vertex(thing):
    thing.data.vertices[0].co.z -= 0.03
    thing.data.update()


def test_a_bake_is_what_play_shows(fresh, obj, run_operator, select_only):
    plants.key_location(dots(), {1: (0.0, 0.0, 0.0), 12: (0.0, 0.1, 0.03)})
    live = played(obj)
    select_only(obj)
    run_operator("bake")
    assert np.abs(plants.played(obj, FRAMES) - live).max() < 1e-5


def test_plants_that_touch_each_other_share_the_nearest(fresh, obj, run_operator, monkeypatch):
    """Of too many instances both are given those that are near to either."""
    other = plant(run_operator, height=0.3)
    other.location.x = 4.0
    for one in (obj, other):
        one.plant_dynamics.contact.others = True
    monkeypatch.setattr(of_addon(fresh, "dynamics.surroundings.instances"), "MOST", 2)
    scattered(points("Dots", PLACE, (4.3, 0.0, 0.17), (9.0, 0.0, 0.0), (-9.0, 0.0, 0.0)), stored_ball())
    for one in (obj, other):
        go_live(one)
    plants.show(2)
    first, second = (worlds_of(fresh, one)[1].colliders for one in (obj, other))
    assert [one.position[0] for one in first] == pytest.approx([0.3, 4.3])
    assert [one.name for one in first] == [one.name for one in second]


def tree():
    return bpy.data.objects["Dots"].modifiers[0].node_group.nodes["Instance on Points"]


def in_a_collection():
    """An Empty in a collection that has an eye of its own."""
    thing, some = stones(), bpy.data.collections.new("Some")
    bpy.context.scene.collection.children.link(some)
    some.objects.link(thing)
    bpy.context.scene.collection.objects.unlink(thing)
    return thing


def hide_the_collection(thing):
    bpy.context.view_layer.layer_collection.children["Some"].hide_viewport = True


def hidden_from_the_collection(thing):
    bpy.data.objects["Stone"].hide_viewport = True


CHANGES = {
    "that it is there": (stones, lambda thing: bpy.data.objects.remove(thing)),
    "that it is enabled": (stones, lambda thing: setattr(thing, "hide_viewport", True)),
    "that it is seen": (stones, lambda thing: thing.hide_set(True)),
    "that it instances": (stones, lambda thing: setattr(thing, "instance_type", "NONE")),
    "its collection": (stones, lambda thing: setattr(thing, "instance_collection", None)),
    "its collection's offset": (
        stones, lambda thing: setattr(thing.instance_collection, "instance_offset", (0.0, 0.0, -0.03))),
    "what is in it": (
        stones, lambda thing: thing.instance_collection.objects.unlink(bpy.data.objects["Stone"])),
    "what is hidden in it": (stones, hidden_from_the_collection),
    "physics of the object": (stones, lambda thing: setattr(bpy.data.objects["Stone"].collision, "use", False)),
    "thickness of the object": (
        dots, lambda thing: setattr(bpy.data.objects["Stone"].collision, "thickness_outer", 0.05)),
    "a node": (dots, lambda thing: setattr(tree().inputs["Scale"], "default_value", (1.2, 1.2, 1.2))),
    "that nodes are used": (dots, lambda thing: setattr(thing.modifiers[0], "show_viewport", False)),
    "its vertices": (dots, move_vertex),
    "vertices that show a child": (corners, move_vertex),
    "that vertices show it": (corners, lambda thing: setattr(thing, "instance_type", "NONE")),
    "what particles show": (hair, lambda thing: setattr(thing.particle_systems[0].settings, "render_type", "PATH")),
    "that its collection is seen": (in_a_collection, hide_the_collection),
    "that points are seen": (dots, lambda thing: thing.hide_set(True)),
}  # fmt: skip


@pytest.mark.parametrize("what", CHANGES)
def test_what_is_changed_of_an_instancer_shows_from_the_first_frame(fresh, obj, what):
    make, change = CHANGES[what]
    thing = make()
    before = played(obj)[-1]
    change(thing)
    bpy.context.view_layer.update()
    plants.show(FRAMES[-2])
    plants.show(FRAMES[-1])
    again = plants.matrices(obj)
    assert np.abs(again - before).max() > 1e-4
    assert (anew(fresh, obj)[-1] == again).all()


def test_a_new_instancer_is_touched(fresh, obj):
    before = played(obj)[-1]
    stones()
    bpy.context.view_layer.update()
    plants.show(FRAMES[-1])
    assert np.abs(plants.matrices(obj) - before).max() > 1e-3


def test_moved_by_hand_it_acts_from_there_on(fresh, obj):
    thing = stones()
    before = played(obj)
    plants.show(10)
    thing.location.z += 0.05
    bpy.context.view_layer.update()
    assert session_of(fresh, obj).end_frame == 9
    after = plants.played(obj, FRAMES[9:])
    assert np.abs(after[-1] - before[-1]).max() > 1e-3


def test_the_cache_on_disk_knows_instances_again(fresh, obj, tmp_path):
    dots()
    obj.plant_dynamics.use_disk_cache = True
    live = played(obj)
    path = str(tmp_path / "plant.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    obj = bpy.data.objects["Chain"]
    assert (plants.played(obj, FRAMES) == live).all()
    session = session_of(fresh, obj)
    assert not session.motion.has_begun, "nothing was simulated"
    bpy.data.objects["Dots"].location.z += 0.05
    bpy.context.view_layer.update()
    assert np.abs(plants.played(obj, FRAMES)[-1] - live[-1]).max() > 1e-3


def test_one_evaluation_and_one_look_a_frame(fresh, obj, run_operator, monkeypatch):
    """Blender evaluates the scene as often as it does without instances, which all plants see in one look."""
    other = plant(run_operator, height=2.0)

    def evaluations():
        for one in (obj, other):
            of_addon(fresh, "dynamics.live.live").stop_live(one)
            go_live(one)
        counted = []
        bpy.app.handlers.frame_change_pre.insert(0, lambda *given: counted.append(given))
        try:
            plants.played(obj, range(2, 6))
        finally:
            bpy.app.handlers.frame_change_pre.pop(0)
        return len(counted)

    collide(primitive("cube", "Cube", location=(9, 9, 9))).modifiers.new("Displace", "DISPLACE")
    without = evaluations()
    dots()
    instances = of_addon(fresh, "dynamics.surroundings.instances")
    looked = []
    seen_in = instances.seen_in
    monkeypatch.setattr(instances, "seen_in", lambda *given: looked.append(given) or seen_in(*given))
    assert evaluations() == without
    looked.clear()
    plants.show(6)
    assert len(looked) == 1


def drawn(obj):
    bpy.context.view_layer.objects.active = obj
    layout = Layout()
    bpy.types.PLANT_DYNAMICS_PT_contact.draw_plant(None, layout, obj, obj.plant_dynamics)
    return " ".join(layout.texts)


def test_the_panel_names_the_instancer(fresh, obj, monkeypatch):
    flat = stones((5.0, 0.0, 0.0))
    flat.name, flat.scale.z = "Flat", 0.0
    own = stones()
    own.name, own.parent, own.parent_type, own.parent_bone = "Fruit", obj, "BONE", "Bone.2"
    unseen = stones((5.0, 0.0, 0.0))
    unseen.name = "Unseen"
    unseen.hide_set(True)
    holder = points("Dots", (0.35, 0.0, 0.3), (0.35, 0.01, 0.3), (9.0, 0.0, 0.0))
    scattered(holder, bpy.data.objects["Stone"])
    monkeypatch.setattr(of_addon(fresh, "dynamics.surroundings.instances"), "MOST", 2)
    played(obj, range(1, 3))
    texts = drawn(obj)
    assert "Flat: 'Stone' has a scale of zero" in texts
    assert "Fruit: hangs on the plant itself" in texts
    assert "Unseen: is hidden" in texts
    assert texts.count("Begins within 'Dots'") == 1
    assert "More instances than can be touched" in texts
    session = session_of(fresh, obj)
    assert of_addon(fresh, "dynamics.motion.contacts").drawn_through(session) == {"Dots": ["Bone.2", "Bone.3"]}
