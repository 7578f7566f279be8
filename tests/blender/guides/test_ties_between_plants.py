# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones tied to those of other armatures: of plants that move with them, of baked ones, and of such as are posed."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.collider_scenes import of_addon
from tests.blender.scenes.drawn_panels import Layout

FRAMES = range(1, 13)


@pytest.fixture
def grown(fresh, run_operator, select_only):
    """Makes chains, all as soft as a rope."""
    bpy.context.scene.frame_end = FRAMES[-1]

    def made(name, location, turned=0.0, count=4, stiffer=1.0):
        obj = plants.chain(count, name=name)
        obj.location, obj.rotation_euler.y = location, turned
        bpy.context.view_layer.update()
        select_only(obj)
        run_operator("make_dynamic")
        obj.plant_dynamics.stiffness_factor = 1e-2
        for bone in obj.data.bones:
            bone.plant_dynamics.stiffness_factor = stiffer
        return obj

    return made


@pytest.fixture
def both(grown):
    """A vine along X, and an upright stake of so many times its stiffness where it ends."""
    return grown("Vine", (0.0, 0.0, 0.0), count=5), grown("Stake", (0.4, 0.02, -0.4), -0.5 * np.pi, 4, 20.0)


def tie(obj, bone, other, other_bone):
    load = obj.plant_dynamics.loads.add()
    load.name, load.kind, load.bone, load.other_bone = "Tied", "TIE", bone, other_bone
    load.other_object = other
    return load


@pytest.fixture
def tied(both):
    tie(both[0], "Bone.4", both[1], "Bone.3")
    return both


def go_live():
    assert bpy.ops.plant_dynamics.play() == {"FINISHED"}
    plants.show(1)


def gap(one, other, one_bone="Bone.4", other_bone="Bone.3"):
    return np.abs(plants.tip(one, one_bone) - plants.tip(other, other_bone)).max()


def gaps(one, other, *bones):
    found = []
    for frame in FRAMES:
        plants.show(frame)
        found.append(gap(one, other, *bones))
    return max(found)


def session(fresh, obj):
    return of_addon(fresh, "dynamics.motion.sessions").session_of(obj)


def told(obj):
    """The texts and operators of the panel of loads."""
    bpy.context.view_layer.objects.active = obj
    layout = Layout()
    bpy.types.PLANT_DYNAMICS_PT_loads.draw_plant(None, layout, obj, obj.plant_dynamics)
    return " ".join(layout.texts), [name.partition(".")[2] for name, _ in layout.operators]


def key_base(obj, keys=((1, 0.4), (12, 0.45))):
    for frame, x in keys:
        obj.location.x = x
        obj.keyframe_insert("location", index=0, frame=frame)


def test_both_ends_meet_from_the_first_frame_on(tied):
    key_base(tied[1])
    go_live()
    plants.show(1)
    assert gap(*tied) < 1e-5
    assert gaps(*tied) < 1e-5


def test_the_stake_bends_under_what_hangs_on_it(both):
    go_live()
    alone = plants.tip(both[1], "Bone.3")
    tie(both[0], "Bone.4", both[1], "Bone.3")
    go_live()
    bent = plants.tip(both[1], "Bone.3")
    assert np.linalg.norm(bent - alone) > 0.005
    assert bent[0] < alone[0], "towards the vine"


def test_they_stand_still_as_they_have_settled(tied):
    go_live()
    first = [plants.matrices(obj) for obj in tied]
    plants.show(12)
    assert all(np.abs(plants.matrices(obj) - at).max() < 1e-4 for obj, at in zip(tied, first, strict=True))


def test_a_push_on_one_moves_the_other(fresh, tied):
    for obj in tied:
        obj.plant_dynamics.start = "settled"
    key_base(tied[0], ((1, 0.0), (2, 0.0), (12, -0.15)))
    go_live()
    first = plants.tip(tied[1], "Bone.3")
    plants.show(12)
    assert np.linalg.norm(plants.tip(tied[1], "Bone.3") - first) > 0.01


def test_a_bake_is_what_was_shown_and_scrubbing_shows_it_again(tied, select_only, run_operator):
    key_base(tied[1])
    go_live()
    shown = [plants.played(obj, FRAMES) for obj in tied]
    for frame in (12, 3, 7):
        plants.show(frame)
        assert all((plants.matrices(obj) == poses[frame - 1]).all() for obj, poses in zip(tied, shown, strict=True))
    select_only(tied[0])
    run_operator("bake")
    assert all(obj.plant_dynamics.is_baked for obj in tied), "they are baked together"
    for obj, poses in zip(tied, shown, strict=True):
        assert np.abs(plants.played(obj, FRAMES) - poses).max() < 1e-5


def test_the_stake_alone_bakes_both_too(tied, select_only, run_operator):
    select_only(tied[1])
    run_operator("bake")
    assert all(obj.plant_dynamics.is_baked for obj in tied)


def test_what_is_changed_of_one_is_changed_of_both(fresh, tied):
    go_live()
    before = [plants.played(obj, FRAMES) for obj in tied]
    changes = of_addon(fresh, "changes")
    for turn in (0, 1):
        stood = tied[turn].location.z
        tied[turn].location.z += 0.02
        bpy.context.view_layer.update()
        changes.inputs_changed(tied[turn])
        plants.show(1)
        assert all(np.abs(plants.played(one, FRAMES) - at).max() > 1e-4 for one, at in zip(tied, before, strict=True))
        tied[turn].location.z = stood
        bpy.context.view_layer.update()
        changes.inputs_changed(tied[turn])
        plants.show(1)
        assert all((plants.played(one, FRAMES) == at).all() for one, at in zip(tied, before, strict=True))


def test_without_influence_they_go_as_alone(tied):
    tied[0].plant_dynamics.loads[0].influence = 0.0
    go_live()
    apart = plants.tip(tied[0], "Bone.4")
    assert gap(*tied) > 0.05
    tied[0].plant_dynamics.loads.clear()
    go_live()
    assert np.abs(plants.tip(tied[0], "Bone.4") - apart).max() < 1e-5


def posed(select_only, location=(0.3, 0.0, 0.1)):
    """An armature of one bone along X that is no plant."""
    hand = plants.chain(1, name="Hand")
    hand.location = location
    bpy.context.view_layer.update()
    return hand


def test_a_keyed_armature_is_followed(grown, select_only):
    vine, hand = grown("Vine", (0.0, 0.0, 0.0), count=5), posed(select_only)
    tie(vine, "Bone.4", hand, "Bone.0")
    bone = hand.pose.bones["Bone.0"]
    bone.rotation_mode = "XYZ"
    for frame, angle in ((1, 0.0), (12, 1.5)):
        bone.rotation_euler.z = angle
        bone.keyframe_insert("rotation_euler", frame=frame)
    select_only(vine)
    go_live()
    assert gaps(vine, hand, "Bone.4", "Bone.0") < 1e-5
    begin = plants.tip(vine, "Bone.4")
    plants.show(1)
    assert np.linalg.norm(plants.tip(vine, "Bone.4") - begin) > 0.1


def test_an_armature_that_is_posed_by_hand_is_followed(fresh, grown, select_only):
    vine, hand = grown("Vine", (0.0, 0.0, 0.0), count=5), posed(select_only)
    tie(vine, "Bone.4", hand, "Bone.0")
    select_only(vine)
    go_live()
    hand.pose.bones["Bone.0"].rotation_mode = "XYZ"
    hand.pose.bones["Bone.0"].rotation_euler.z = 0.5
    bpy.context.view_layer.update()
    outside = of_addon(fresh, "dynamics.live.live")
    outside.look_outside(bpy.context.scene, bpy.context.evaluated_depsgraph_get())
    for frame in (2, 12):
        plants.show(frame)
    assert gap(vine, hand, "Bone.4", "Bone.0") < 1e-5


def test_a_bone_that_carries_what_is_simulated_holds_as_it_is_posed(grown, select_only):
    vine, other = grown("Vine", (0.0, 0.0, 0.0), count=5), grown("Other", (0.3, 0.0, 0.1))
    other.data.bones["Bone.0"].plant_dynamics.use_physics = False
    tie(vine, "Bone.4", other, "Bone.0")
    go_live()
    assert gaps(vine, other, "Bone.4", "Bone.0") < 1e-5
    assert np.allclose(plants.tip(vine, "Bone.4"), (0.4, 0.0, 0.1), atol=1e-5), "it does not give way"


def test_a_baked_stake_is_followed_and_stays_as_it_is(tied, run_operator, select_only):
    key_base(tied[1])
    loads = tied[0].plant_dynamics.loads
    loads.clear()
    select_only(tied[1])
    run_operator("bake")
    assert not tied[0].plant_dynamics.is_baked
    before = plants.played(tied[1], FRAMES)
    tie(tied[0], "Bone.4", tied[1], "Bone.3")
    select_only(tied[0])
    go_live()
    assert gaps(*tied) < 1e-5
    assert (plants.played(tied[1], FRAMES) == before).all()
    run_operator("bake")
    assert gaps(*tied) < 1e-5
    assert (plants.played(tied[1], FRAMES) == before).all()


def test_when_the_bake_is_cleared_they_go_together_again(tied, run_operator, select_only):
    go_live()
    before = [plants.matrices(obj) for obj in tied]
    select_only(tied[1])
    run_operator("bake")
    for obj in tied:
        select_only(obj)
        run_operator("clear_bake")
    go_live()
    assert all(np.abs(plants.matrices(obj) - at).max() < 1e-5 for obj, at in zip(tied, before, strict=True))


def test_an_object_that_is_deleted_lets_go_and_is_told(fresh, tied):
    go_live()
    assert gap(*tied) < 1e-5
    bpy.data.objects.remove(tied[1])
    plants.show(1)
    plants.show(12)
    vine = tied[0]
    assert plants.tip(vine, "Bone.4")[2] < -0.05
    texts, _ = told(vine)
    assert "'Stake', to which the bone was tied, is gone. Choose another object, or 'Vine' itself" in texts
    vine.plant_dynamics.loads[0].other_object = vine
    assert "is gone" not in told(vine)[0]
    assert vine.plant_dynamics.loads[0].other_object is None


def test_an_object_of_another_scene_is_told(fresh, tied):
    go_live()
    bpy.context.scene.collection.objects.unlink(tied[1])
    bpy.data.scenes.new("Elsewhere").collection.objects.link(tied[1])
    for frame in (1, 12):
        plants.show(frame)
    assert plants.tip(tied[0], "Bone.4")[2] < -0.05
    assert "'Stake' is not in this scene" in told(tied[0])[0]


def test_a_disabled_object_is_told(grown, select_only):
    vine, hand = grown("Vine", (0.0, 0.0, 0.0), count=5), posed(select_only)
    tie(vine, "Bone.4", hand, "Bone.0")
    hand.hide_viewport = True
    go_live()
    plants.show(12)
    assert plants.tip(vine, "Bone.4")[2] < -0.05
    assert "'Hand' is disabled in viewports, so that its bones are nowhere" in told(vine)[0]


def test_a_bone_that_is_renamed_is_told(fresh, tied):
    go_live()
    tied[1].data.bones["Bone.3"].name = "Tip"
    of_addon(fresh, "changes").object_changed(tied[1])
    for frame in (1, 12):
        plants.show(frame)
    assert plants.tip(tied[0], "Bone.4")[2] < -0.05
    assert "'Stake' has no bone 'Bone.3': choose another one" in told(tied[0])[0]
    tied[0].plant_dynamics.loads[0].other_bone = "Tip"
    plants.show(1)
    assert gap(*tied, "Bone.4", "Tip") < 1e-5


def test_settings_that_differ_are_told_and_made_the_same(fresh, tied, run_operator):
    stake = tied[1].plant_dynamics
    stake.stiffness_factor, stake.gravity_factor = 0.5, 0.9
    go_live()
    assert gap(*tied) > 0.05
    texts, operators = told(tied[0])
    assert "Not tied to 'Stake', for they differ in Gravity, Stiffness" in texts
    assert "agree_with_tied" in operators
    run_operator("agree_with_tied")
    assert stake.stiffness_factor == tied[0].plant_dynamics.stiffness_factor
    assert "Not tied" not in told(tied[0])[0]
    plants.show(1)
    assert gap(*tied) < 1e-5


def test_tied_plants_do_not_touch_each_other(fresh, grown):
    """The one lies across the other, and falls through it to both sides of where it is tied."""
    pole = grown("Pole", (0.0, 0.0, 0.0), 0.0, 4, 50.0)
    vine = grown("Vine", (0.2, -0.2, 0.02), count=4, stiffer=0.1)
    vine.rotation_euler = (0.0, 0.0, 0.5 * np.pi)
    for obj in (pole, vine):
        obj.plant_dynamics.start = "drawn"
    tie(vine, "Bone.3", pole, "Bone.3")
    bpy.context.view_layer.update()
    go_live()
    contacts = of_addon(fresh, "dynamics.motion.contacts")

    def touch():
        go_live()
        found = []
        for frame in FRAMES:
            plants.show(frame)
            touched = contacts.contacts_at(session(fresh, vine), frame)
            found.append(0 if touched is None else len(touched.rod))
        return max(found)

    assert session(fresh, vine).course is session(fresh, pole).course
    assert touch() == 0
    vine.plant_dynamics.contact.others = True
    assert touch() == 0
    pole.plant_dynamics.contact.others = True
    assert touch() > 0


def test_three_in_a_row_and_ties_both_ways(fresh, tied, grown):
    third = grown("Third", (0.7, 0.05, 0.1), np.pi, 4)
    tie(tied[1], "Bone.3", third, "Bone.3")
    tie(third, "Bone.3", tied[0], "Bone.4")
    go_live()
    courses = {session(fresh, one).course for one in (*tied, third)}
    assert len(courses) == 1
    for frame in (1, 12):
        plants.show(frame)
        assert gap(*tied) < 1e-5
        assert gap(tied[1], third, "Bone.3", "Bone.3") < 1e-5


def test_who_touches_each_other_goes_with_who_is_tied_to_one_of_them(fresh, tied, grown, run_operator):
    third = grown("Third", (0.9, 0.1, 0.0), np.pi, 4)
    for one in (tied[1], third):
        one.plant_dynamics.contact.others = one.plant_dynamics.contact.itself = True
    go_live()
    assert len({session(fresh, one).course for one in (*tied, third)}) == 1
    assert gap(*tied) < 1e-5
    for one in (tied[1], third):
        one.plant_dynamics.contact.itself = False
    go_live()
    assert session(fresh, tied[0]).course is not session(fresh, third).course
    texts, operators = told(tied[0])
    assert "Not tied to 'Stake'" in texts
    assert "touch_tied" in operators
    tied[0].data.bones["Bone.4"].plant_dynamics.collides = False  # else it would be pushed off what it is tied to
    run_operator("touch_tied")
    go_live()
    assert len({session(fresh, one).course for one in (*tied, third)}) == 1
    assert gap(*tied) < 1e-5


def test_the_button_takes_the_selected_bone_of_another_armature(both, select_only, run_operator):
    vine, stake = both
    select_only(vine, stake)
    bpy.ops.object.mode_set(mode="POSE")
    plants.select(vine, "Bone.4")
    plants.select(stake, "Bone.1")
    vine.data.bones.active = vine.data.bones["Bone.4"]
    run_operator("add_tie")
    bpy.ops.object.mode_set(mode="OBJECT")
    load = vine.plant_dynamics.loads[0]
    assert (load.bone, load.other_object, load.other_bone) == ("Bone.4", stake, "Bone.1")


def test_the_button_takes_the_nearest_tip_of_another_plant_that_is_selected(both, select_only, run_operator):
    vine, stake = both
    select_only(vine, stake)
    vine.data.bones.active = vine.data.bones["Bone.4"]
    run_operator("add_tie")
    load = vine.plant_dynamics.loads[0]
    assert (load.other_object, load.other_bone) == (stake, "Bone.3")
    go_live()
    assert gap(*both) < 1e-5


def test_another_start_frame_range_and_a_saved_file(fresh, tied, tmp_path):
    """What is kept on disk is known again."""
    path = str(tmp_path / "tied.blend")
    go_live()
    shown = [plants.played(obj, FRAMES) for obj in tied]
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    again = [bpy.data.objects[name] for name in ("Vine", "Stake")]
    plants.show(1)
    for obj, poses in zip(again, shown, strict=True):
        assert np.abs(plants.played(obj, FRAMES) - poses).max() < 1e-6
