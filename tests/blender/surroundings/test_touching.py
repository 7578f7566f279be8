# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants that touch things: played, scrubbed, baked, compared, saved, and when the things are changed."""

import csv
import math

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.collider_scenes import collide, colliders_of, of_addon, plant, primitive
from tests.blender.scenes.comparisons import LAST, compared, rotation_keys, same_keys

FRAMES = range(1, 15)


@pytest.fixture
def obj(fresh, run_operator):
    bpy.context.scene.frame_end = FRAMES[-1]
    return plant(run_operator)


def go_live(fresh, obj):
    bpy.context.view_layer.objects.active = obj
    assert bpy.ops.plant_dynamics.play() == {"FINISHED"}
    plants.show(1)


def played(fresh, obj, frames=FRAMES):
    go_live(fresh, obj)
    return plants.played(obj, frames)


def lowest(obj):
    return min(plants.tip(obj, bone.name)[2] for bone in obj.data.bones)


def session_of(fresh, obj):
    return of_addon(fresh, "dynamics.motion.sessions").session_of(obj)


def ball(**keys):
    """A ball in the way of the chain, which falls and swings."""
    return collide(primitive("uv_sphere", "Ball", radius=0.1, location=(0.3, 0.0, 0.17)), **keys)


def test_a_plant_lies_on_the_ground(fresh, obj, run_operator, select_only):
    select_only(obj)
    run_operator("add_ground")
    ground = bpy.data.objects["Ground"]
    ground.location.z = 0.2
    assert ground.collision.use
    assert colliders_of(fresh, obj)["Ground"].kind == "plane"
    assert bpy.context.object == obj
    played(fresh, obj, range(1, 31))
    assert lowest(obj) > 0.2 - 0.001
    session = session_of(fresh, obj)
    touched = of_addon(fresh, "dynamics.motion.contacts").contacts_at(session, 30)
    assert len(touched.rod)
    assert touched.force[:, 2].sum() > 0.0


def test_nothing_to_touch_changes_nothing(fresh, obj):
    free = played(fresh, obj)
    sample = session_of(fresh, obj).recording.worlds[0]
    assert sample.colliders == ()
    primitive("cube", "No Collider")
    assert (played(fresh, obj) == free).all()


def test_it_is_the_same_whatever_frames_are_shown(fresh, obj):
    thing = ball()
    plants.key_location(thing, {1: (0.3, 0.0, 0.17), 12: (0.3, 0.1, 0.2)})
    forth = played(fresh, obj)
    of_addon(fresh, "dynamics.live.live").stop_live(obj)
    go_live(fresh, obj)
    for frame in (12, 3, 14, 7):
        plants.show(frame)
        assert (plants.matrices(obj) == forth[frame - 1]).all()


def test_a_bake_is_what_play_shows(fresh, obj, run_operator, select_only):
    plants.key_location(ball(), {1: (0.3, 0.0, 0.17), 12: (0.3, 0.1, 0.2)})
    live = played(fresh, obj)
    select_only(obj)
    run_operator("bake")
    assert np.abs(plants.played(obj, FRAMES) - live).max() < 1e-5


def test_a_deforming_mesh_is_read_at_every_frame(fresh, obj):
    sheet = collide(primitive("grid", "Sheet", size=2.0, x_subdivisions=4, y_subdivisions=4))
    for keyed, height in (("Basis", 0.0), ("Up", 0.28)):
        key = sheet.shape_key_add(name=keyed)
        for point in key.data:
            point.co.z = height
    up = sheet.data.shape_keys.key_blocks["Up"]
    for frame, value in ((1, 0.0), (10, 1.0)):
        up.value = value
        up.keyframe_insert("value", frame=frame)
    played(fresh, obj)
    assert lowest(obj) > 0.27
    worlds = session_of(fresh, obj).recording.worlds
    heights = [world.colliders[0].vertices[:, 2].max() for world in worlds[:14]]
    assert heights[0] == 0.0
    assert heights[-1] == pytest.approx(0.28)
    assert worlds[12].colliders[0] is worlds[13].colliders[0]  # still again


def changed(fresh, obj, change):
    """How the motion differs after a change by the user, as shown at the last frame without anything else done."""
    before = played(fresh, obj)[-1]
    change()
    bpy.context.view_layer.update()
    plants.show(FRAMES[-2])
    plants.show(FRAMES[-1])
    return float(np.abs(plants.matrices(obj) - before).max())


def raise_vertices(thing):
    thing.data.vertices.foreach_set("co", 1.5 * np.array([v.co for v in thing.data.vertices]).ravel())
    thing.data.update()


CHANGES = {
    "its mesh": raise_vertices,
    "its thickness": lambda thing: setattr(thing.collision, "thickness_outer", 0.05),
    "its friction": lambda thing: setattr(thing.plant_dynamics.collider, "friction", 0.0),
    "its shape": lambda thing: setattr(thing.plant_dynamics.collider, "shape", "BOX"),
    "its physics": lambda thing: setattr(thing.collision, "use", False),
    "a modifier": lambda thing: setattr(thing.modifiers.new("Displace", "DISPLACE"), "strength", 0.05),
    "that it is there": lambda thing: bpy.data.objects.remove(thing),
    "that it can be seen": lambda thing: setattr(thing, "hide_viewport", True),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_is_changed_of_a_collider_shows_from_the_first_frame(fresh, obj, what):
    thing = ball()
    assert changed(fresh, obj, lambda: CHANGES[what](thing)) > 1e-4
    again = plants.matrices(obj)
    of_addon(fresh, "dynamics.live.live").stop_live(obj)
    assert (played(fresh, obj)[-1] == again).all()


def test_a_new_collider_is_touched(fresh, obj):
    thing = primitive("uv_sphere", "Ball", radius=0.1, location=(0.3, 0.0, 0.17))
    assert changed(fresh, obj, lambda: collide(thing)) > 1e-3


def test_moved_by_hand_it_acts_from_there_on(fresh, obj):
    thing = ball()
    before = played(fresh, obj)
    plants.show(10)
    thing.location.z += 0.05
    bpy.context.view_layer.update()
    session = session_of(fresh, obj)
    assert session.end_frame == 9
    after = plants.played(obj, FRAMES[9:])
    assert np.abs(after[-1] - before[-1]).max() > 1e-3


def test_friction_and_bounce_are_the_bones_or_the_plants(fresh, obj):
    settings = obj.plant_dynamics
    settings.friction, settings.bounce = 0.8, 0.3
    bone = obj.data.bones["Bone.1"].plant_dynamics
    bone.friction, bone.bounce, bone.collides = 0.1, 0.0, False
    rods = of_addon(fresh, "dynamics.rig.armature_reader").read_armature(obj, obj.matrix_world).parts[0]
    assert rods.friction.tolist() == pytest.approx([0.8, 0.1, 0.8, 0.8])
    assert rods.bounce.tolist() == pytest.approx([0.3, 0.0, 0.3, 0.3])
    assert rods.collides.tolist() == [1.0, 0.0, 1.0, 1.0]
    settings.margin, settings.stickiness, bone.margin = 0.01, 0.5, 0.0
    rods = of_addon(fresh, "dynamics.rig.armature_reader").read_armature(obj, obj.matrix_world).parts[0]
    assert rods.margin.tolist() == pytest.approx([0.01, 0.0, 0.01, 0.01])
    assert rods.stickiness.tolist() == pytest.approx([0.5] * 4)


def test_presets_of_contact(fresh, obj, run_operator, select_only):
    select_only(obj)
    run_operator("preset_apply", kind="contact", preset="Bouncy")
    assert obj.plant_dynamics.bounce == pytest.approx(0.8)


def test_a_pot_is_made_a_collider(fresh, obj, run_operator, select_only):
    pot = primitive("cylinder", "Pot", radius=0.1, depth=0.1)
    select_only(obj, pot)
    run_operator("make_collider")
    assert pot.collision.use
    assert pot.collision.thickness_outer == pytest.approx(0.001)
    assert set(colliders_of(fresh, obj)) == {"Pot"}
    skin = primitive("cube", "Skin")
    skin.modifiers.new("Armature", "ARMATURE").object = obj
    skin.vertex_groups.new(name="Bone.1")
    select_only(obj, skin)
    with pytest.raises(RuntimeError, match="'Skin' hangs on the plant itself"):
        run_operator("make_collider")


def test_flaws_are_mended_by_a_click(fresh, obj, run_operator, select_only):
    flat = collide(primitive("cube", "Flat"))
    flat.scale = 0.1, 0.3, 0.0
    empty = collide(primitive("plane", "Empty"))
    empty.data.clear_geometry()
    assert not colliders_of(fresh, obj)
    select_only(obj)
    run_operator("mend_collider", collider="Flat", action="SCALE")
    run_operator("mend_collider", collider="Empty", action="REMOVE")
    assert set(colliders_of(fresh, obj)) == {"Flat"}
    assert flat.scale[:] == pytest.approx((0.1, 0.3, 0.2)), "as its other axes on average"
    assert not empty.collision.use


def test_a_flaw_stops_nothing(fresh, obj):
    ball()
    good = played(fresh, obj)
    broken = collide(primitive("plane", "Broken"))
    broken.data.vertices[0].co.x = float("nan")
    assert (played(fresh, obj) == good).all()


def test_what_it_is_drawn_through_is_told(fresh, obj):
    collide(primitive("uv_sphere", "Ball", radius=0.05, location=(0.35, 0.0, 0.3)))
    played(fresh, obj, range(1, 3))
    session = session_of(fresh, obj)
    assert of_addon(fresh, "dynamics.motion.contacts").drawn_through(session) == {"Ball": ["Bone.2", "Bone.3"]}


def test_the_cache_on_disk_knows_colliders_again(fresh, obj, tmp_path):
    thing = ball()
    obj.plant_dynamics.use_disk_cache = True
    live = played(fresh, obj)
    contacts = of_addon(fresh, "dynamics.motion.contacts")
    touched = [contacts.contacts_at(session_of(fresh, obj), frame) for frame in FRAMES]
    assert sum(len(one.rod) > 0 for one in touched) > 3
    path = str(tmp_path / "plant.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    obj, thing = bpy.data.objects["Chain"], bpy.data.objects["Ball"]
    assert (plants.played(obj, FRAMES) == live).all()
    session = session_of(fresh, obj)
    assert not session.motion.has_begun, "nothing was simulated"
    for frame, before in zip(FRAMES, touched, strict=True):
        for after, one in zip(contacts.contacts_at(session, frame), before, strict=True):
            assert np.array_equal(after, one)
    obj.plant_dynamics.contact.show_in_viewport = True
    bpy.context.scene.frame_set(max(FRAMES, key=lambda frame: len(touched[frame - 1].rod)))
    assert [one.name for one, _, _ in contacts.shown_contacts(bpy.context.scene)] == ["Chain"]
    thing.location.z += 0.05
    bpy.context.view_layer.update()
    assert np.abs(plants.played(obj, FRAMES)[-1] - live[-1]).max() > 1e-3


def test_undo_and_redo_of_a_collider(fresh, obj):
    bpy.ops.ed.undo_push(message="Before")
    ball()
    bpy.ops.ed.undo_push(message="Ball")
    with_ball = played(fresh, obj)
    bpy.ops.ed.undo_push(message="Played")
    bpy.data.objects["Ball"].plant_dynamics.collider.shape = "BOX"
    bpy.context.view_layer.update()
    with_box = plants.played(bpy.data.objects["Chain"], FRAMES)
    assert np.abs(with_box[-1] - with_ball[-1]).max() > 1e-3
    bpy.ops.ed.undo_push(message="Box")
    for _ in range(2):
        bpy.ops.ed.undo()
        assert (plants.played(bpy.data.objects["Chain"], FRAMES) == with_ball).all()
        bpy.ops.ed.redo()
        assert (plants.played(bpy.data.objects["Chain"], FRAMES) == with_box).all()


def test_compared_plants_touch_what_the_plant_touches(fresh, obj, run_operator, select_only):
    """Also the pot, which each has a copy of in the row and none while it is simulated."""
    plants.key_location(ball(), {1: (0.3, 0.0, 0.17), 12: (0.3, 0.1, 0.2)})
    pot = collide(primitive("cube", "Pot", size=0.1, location=(0.15, 0.0, 0.2)))
    pot.parent, pot.matrix_parent_inverse = obj, obj.matrix_world.inverted()
    bpy.context.scene.frame_end = LAST
    comparison = compared(obj, "FRICTION", "0, 0.9")
    for friction, place in zip((0.0, 0.9), comparison.places, strict=True):
        obj.plant_dynamics.friction = friction
        select_only(obj)
        run_operator("bake")
        assert same_keys(rotation_keys(obj), rotation_keys(place.variant.obj)), friction
        run_operator("clear_bake")
    first, second = (rotation_keys(place.variant.obj) for place in comparison.places)
    assert not same_keys(first, second)


def test_plants_that_touch_go_beside_those_that_do_not(fresh, obj, run_operator):
    """On a stage of three: the same as each alone."""
    ball()
    others = [plant(run_operator, height=2.0 + k) for k in range(2)]
    for one in others:
        one.plant_dynamics.contact.collide_with = "NOTHING"
    for one in (obj, *others):
        go_live(fresh, one)
    plants.played(obj, FRAMES)
    together = [plants.matrices(one) for one in (obj, *others)]
    for one in (obj, *others):
        of_addon(fresh, "dynamics.live.live").stop_live(one)
    for one, there in zip((obj, *others), together, strict=True):
        assert (played(fresh, one)[-1] == there).all()
        of_addon(fresh, "dynamics.live.live").stop_live(one)


def test_contact_forces_are_written_to_the_table(fresh, obj, tmp_path):
    """Those of each bone in the frames, which at the end of a calm motion are those of its points."""
    ball()
    played(fresh, obj)
    session = session_of(fresh, obj)
    plots = of_addon(fresh, "comparison.plots")
    plots.write_csv(plots.measure(bpy.context, obj, FRAMES[-1]), tmp_path / "motion.csv")
    with open(tmp_path / "motion.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for frame, row in zip(session.known.frames, rows, strict=False):
        forces = dict(zip(session.plant.bones, frame.pushes.tolist(), strict=True))
        bone = max(forces, key=lambda name: forces[name])
        assert float(row["contact_N"]) == pytest.approx(sum(forces.values()), rel=1e-7)
        assert float(row["contact_most_N"]) == pytest.approx(forces[bone], rel=1e-7)
        assert row["contact_most_bone"] == (bone if forces[bone] > 0.0 else "")
    assert sum(row["contact_most_bone"] != "" for row in rows) > 3
    last, total = session.known.frames[-1].contacts, 0.0
    for force in last.force.tolist():
        total += math.hypot(*force)
    assert float(rows[-1]["contact_N"]) == pytest.approx(total, rel=0.1)


def test_lines_of_contacts(fresh):
    solver = of_addon(fresh, "viewport.contact_arrows")
    points, forces = np.array([[0.0, 0, 1], [1, 0, 0]]), np.array([[0.0, 0, 2], [0, 0, 0]])
    touched = type("Touched", (), {"point": points, "force": forces})
    lines = solver.lines_of(touched, 1.0, 2.0)
    assert len(lines) == 2 * (3 + 5) + 2 * 3
    assert tuple(lines[7]) == pytest.approx((0.0, 0.0, 1.4))
    assert tuple(solver.lines_of(touched, 1.0, 2.0, 0.5)[7]) == pytest.approx((0.0, 0.0, 1.2))
