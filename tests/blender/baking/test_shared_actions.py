# SPDX-License-Identifier: GPL-3.0-or-later
"""A bake to the present action is refused where it would change the motion of something else."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants

FRAMES = range(1, 11)
HAS_SLOTS = "slots" in bpy.types.Action.bl_rna.properties


def keyed(name: str) -> bpy.types.Object:
    bpy.context.scene.frame_end = FRAMES[-1]
    obj = plants.chain(3, name=name)
    pose = obj.pose.bones["Bone.1"]
    for frame, value in ((1, 0.0), (10, 0.4)):
        pose.rotation_quaternion = (1.0, value, 0.0, 0.0)
        pose.keyframe_insert("rotation_quaternion", frame=frame)
    return obj


def slot(data, action, number=0):
    data.action = action
    if HAS_SLOTS:
        data.action_slot = action.slots[number]


def by_its_action(other, action):
    slot(other.animation_data_create(), action)


def by_a_strip(other, action):
    strip = other.animation_data_create().nla_tracks.new().strips.new("Keys", 1, action)
    if HAS_SLOTS:
        strip.action_slot = action.slots[0]


@pytest.fixture
def pair(fresh, run_operator):
    """A plant with keys, and an armature like it."""
    other = plants.chain(3, name="Other")
    plant = keyed("Plant")
    run_operator("make_dynamic")
    return plant, other


@pytest.mark.parametrize("uses", [by_its_action, by_a_strip])
def test_an_action_that_animates_another_object_is_not_overwritten(run_operator, pair, uses):
    plant, other = pair
    action = plant.animation_data.action
    uses(other, action)
    before, moved = plants.curves(action), plants.played(other, FRAMES)
    assert np.abs(moved[-1] - moved[0]).max() > 0.05, "it follows the action"
    with pytest.raises(RuntimeError, match="also animates 'Other'"):
        run_operator("bake", target="OVERWRITE")
    after = plants.curves(action)
    assert before.keys() == after.keys()
    assert all(np.array_equal(before[key], after[key]) for key in before)
    assert not plant.plant_dynamics.is_baked
    for target in ("NEW", "NLA"):
        run_operator("bake", target=target)
        assert np.array_equal(plants.played(other, FRAMES), moved)
        run_operator("clear_bake")


def test_an_action_that_a_bake_gives_back_to_another_plant_is_not_overwritten(run_operator, pair, select_only):
    plant, other = pair
    by_its_action(other, plant.animation_data.action)
    select_only(other)
    run_operator("make_dynamic")
    run_operator("bake", target="NEW")
    select_only(plant)
    with pytest.raises(RuntimeError, match="also animates 'Other'"):
        run_operator("bake", target="OVERWRITE")


def test_an_action_shared_since_the_bake_is_not_overwritten_by_the_next(run_operator, pair):
    plant, other = pair
    run_operator("bake", target="OVERWRITE")
    by_its_action(other, plant.animation_data.action)
    moved = plants.played(other, FRAMES)
    plant.plant_dynamics.gravity_factor = 3.0
    with pytest.raises(RuntimeError, match="also animates 'Other'"):
        run_operator("bake", target="OVERWRITE")
    assert np.array_equal(plants.played(other, FRAMES), moved)


@pytest.mark.skipif(not HAS_SLOTS, reason="this Blender's actions have no slots")
def test_a_slot_of_ones_own_can_be_overwritten(run_operator, pair):
    plant, other = pair
    action = plant.animation_data.action
    action.slots.new(id_type="OBJECT", name="Other")
    slot(other.animation_data_create(), action, 1)
    other.pose.bones["Bone.1"].keyframe_insert("rotation_quaternion", frame=1)
    moved = plants.played(other, FRAMES)
    run_operator("bake", target="OVERWRITE")
    assert plant.plant_dynamics.is_baked
    assert np.array_equal(plants.played(other, FRAMES), moved)


def test_an_action_of_ones_own_is_overwritten(run_operator, pair):
    plant, _ = pair
    action = plant.animation_data.action
    action.use_fake_user = True
    run_operator("bake", target="OVERWRITE")
    assert plant.animation_data.action == action
    run_operator("bake", target="OVERWRITE")


@pytest.mark.skipif(not HAS_SLOTS, reason="without slots no action is shared")
@pytest.mark.parametrize("is_keyed", [False, True])
def test_bones_of_one_plant_are_renamed_and_the_other_is_baked_again(fresh, run_operator, select_only, is_keyed):
    """Blender renames the bone in all slots of the action that both share."""
    bpy.context.scene.frame_end = FRAMES[-1]
    pair = [keyed(name) if is_keyed else plants.chain(3, name=name) for name in ("One", "Other")]
    if is_keyed:
        by_slot(*pair)
    for obj in pair:
        bpy.context.view_layer.objects.active = obj
        run_operator("make_dynamic")
        obj.plant_dynamics.start = "drawn"
    run_operator("play")
    expected = [plants.played(obj, FRAMES) for obj in pair]
    select_only(*pair)
    run_operator("bake", target="SLOT", plants="SELECTED")
    one, other = pair
    one.data.bones["Bone.1"].name = "Middle"
    for obj in (other, one):
        select_only(obj)
        run_operator("bake", target="SLOT")
    for obj, poses in zip(pair, expected, strict=True):
        np.testing.assert_allclose(plants.played(obj, FRAMES), poses, atol=1e-5)
    one.data.bones["Middle"].name = "Again"
    for obj in pair:
        select_only(obj)
        run_operator("clear_bake")
    run_operator("play")
    for obj, poses in zip(pair, expected, strict=True):
        np.testing.assert_allclose(plants.played(obj, FRAMES), poses, atol=1e-5)


def by_slot(one, other):
    """Both are animated by one action."""
    own, action = other.animation_data.action, one.animation_data.action
    other.animation_data.action = action
    other.animation_data.action_slot = action.slots.new(id_type="OBJECT", name=other.name)
    for frame, value in ((1, 0.0), (10, 0.4)):
        other.pose.bones["Bone.1"].rotation_quaternion = (1.0, value, 0.0, 0.0)
        other.pose.bones["Bone.1"].keyframe_insert("rotation_quaternion", frame=frame)
    bpy.data.actions.remove(own)
