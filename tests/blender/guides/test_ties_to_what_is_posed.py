# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones tied to those of armatures that are posed or baked, and of such as are not there."""

import bpy
import numpy as np

from tests.blender.scenes import plants
from tests.blender.scenes.collider_scenes import of_addon
from tests.blender.scenes.guides.tied_plants import FRAMES, gap, gaps, go_live, key_base, tie, told


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


def test_where_only_one_bake_is_cleared_it_holds_at_the_other(tied, select_only, run_operator):
    key_base(tied[1])
    select_only(tied[0])
    run_operator("bake")
    before = plants.played(tied[0], FRAMES)
    select_only(tied[0])
    run_operator("clear_bake")
    go_live()
    assert gaps(*tied) < 1e-5
    assert np.abs(plants.played(tied[0], FRAMES) - before).max() < 1e-3
