# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants inside rigs: bones that are animated carry bones that are simulated."""

import importlib

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Quaternion

from tests.blender.scenes import plants
from tests.blender.scenes.plants import select


def rig(simulated: tuple[int, ...] = (2, 3, 4, 5)) -> bpy.types.Object:
    """A chain of six bones along X of which only these are simulated."""
    obj = plants.chain(6)
    for index, bone in enumerate(obj.data.bones):
        bone.plant_dynamics.use_physics = index in simulated
    return obj


def key_rotation(obj: bpy.types.Object, bone: str, angles: dict[int, float], axis=(0.0, 0.0, 1.0)) -> None:
    pose = obj.pose.bones[bone]
    for frame, angle in angles.items():
        pose.rotation_quaternion = Quaternion(axis, angle)
        pose.keyframe_insert("rotation_quaternion", frame=frame)


def test_an_animated_bone_carries_as_a_moving_object_does(fresh, run_operator):
    """A tail on a bone of a rig and the same tail as an armature of its own on an Empty that moves alike."""
    bpy.context.scene.frame_end = 40
    one = rig()
    key_rotation(one, "Bone.1", {1: 0.0, 10: 0.8, 20: -0.3, 30: 0.2})
    run_operator("make_dynamic")
    other = plants.chain(4, name="Own")
    empty = bpy.data.objects.new("Carrier", None)
    bpy.context.scene.collection.objects.link(empty)
    follow = empty.constraints.new("COPY_TRANSFORMS")
    follow.target, follow.subtarget, follow.head_tail = one, "Bone.1", 0.0
    # Bone.1's axes at its head; the tail begins at its tip and is drawn along X as the rig is.
    rest = one.data.bones["Bone.1"].matrix_local
    other.parent = empty
    other.matrix_parent_inverse = Matrix.Identity(4)
    other.matrix_basis = rest.inverted() @ Matrix.Translation((0.2, 0.0, 0.0))
    run_operator("make_dynamic")
    run_operator("play")
    for frame in range(1, 41):
        plants.show(frame)
        assert plants.tip(one, "Bone.5") == pytest.approx(plants.tip(other, "Bone.3"), abs=2e-5)
    assert plants.tip(one, "Bone.5")[2] < -1e-4  # it hangs


def test_carriers_and_riders_keep_their_own_rotation(fresh, run_operator):
    obj = rig(simulated=(2, 3, 5))  # 0 and 1 carry, 4 rides on 3
    key_rotation(obj, "Bone.1", {1: 0.0, 20: 0.5})
    rider = obj.pose.bones["Bone.4"]
    rider.rotation_mode, rider.rotation_euler = "XYZ", (0.1, 0.2, 0.3)
    carrier = obj.pose.bones["Bone.0"]
    carrier.rotation_mode, carrier.rotation_euler = "ZYX", (0.0, 0.1, 0.0)
    bpy.context.scene.frame_end = 20
    run_operator("make_dynamic")
    run_operator("play")
    plants.show(20)
    assert tuple(rider.rotation_euler) == pytest.approx((0.1, 0.2, 0.3))
    assert (rider.rotation_mode, carrier.rotation_mode) == ("XYZ", "ZYX")
    assert obj.pose.bones["Bone.1"].rotation_quaternion.angle == pytest.approx(0.5, abs=1e-5)
    run_operator("reset")
    plants.show(20)
    assert obj.pose.bones["Bone.1"].rotation_quaternion.angle == pytest.approx(0.5, abs=1e-5)


def test_several_carriers_move_their_bones_each(fresh, run_operator):
    """Two chains on two animated bones of one armature; one carrier stands still, the other turns."""
    obj = plants.chain(4)
    bpy.ops.object.mode_set(mode="EDIT")
    bones = obj.data.edit_bones
    parent = None
    for i in range(4):
        bone = bones.new(f"Second.{i}")
        bone.head, bone.tail = (0.1 * i, 1.0, 0.0), (0.1 * i + 0.1, 1.0, 0.0)
        bone.head_radius = bone.tail_radius = 0.004
        bone.parent, bone.use_connect = parent, parent is not None
        parent = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    for name in ("Bone.0", "Second.0"):
        obj.data.bones[name].plant_dynamics.use_physics = False
    key_rotation(obj, "Second.0", {1: 0.0, 12: 1.0})
    bpy.context.scene.frame_end = 24
    run_operator("make_dynamic")
    run_operator("play")
    plants.show(1)
    still, moved = plants.tip(obj, "Bone.3"), plants.tip(obj, "Second.3")
    assert still + np.array([0.0, 1.0, 0.0]) == pytest.approx(moved, abs=1e-5)
    plants.show(12)
    assert plants.tip(obj, "Bone.3") == pytest.approx(still, abs=1e-5)
    assert np.linalg.norm(plants.tip(obj, "Second.3") - moved) > 0.1
    run_operator("measure_frequencies")


def test_without_a_simulated_bone_it_says_so(fresh, run_operator):
    rig(simulated=())
    with pytest.raises(RuntimeError, match="None of the bones of 'Chain' is simulated"):
        run_operator("make_dynamic")


def test_selected_bones_only(fresh, run_operator, capfd):
    obj = plants.chain(6)
    bpy.ops.object.mode_set(mode="POSE")
    select(obj, "Bone.3", "Bone.4", "Bone.5")
    run_operator("make_dynamic", bones="SELECTED")
    assert [bone.plant_dynamics.use_physics for bone in obj.data.bones] == [False] * 3 + [True] * 3
    assert "3 of 6 bones are simulated" in capfd.readouterr().out
    select(obj, "Bone.5")
    run_operator("simulate_bones", bones="REMOVE")
    assert [bone.plant_dynamics.use_physics for bone in obj.data.bones] == [False] * 3 + [True, True, False]
    run_operator("simulate_bones", bones="ONLY")
    assert [bone.plant_dynamics.use_physics for bone in obj.data.bones] == [False] * 5 + [True]
    run_operator("simulate_bones", bones="ALL")
    assert all(bone.plant_dynamics.use_physics for bone in obj.data.bones)


def test_making_nothing_dynamic_changes_nothing(fresh, run_operator):
    obj = plants.chain(3)
    bpy.ops.object.mode_set(mode="POSE")
    select(obj)
    with pytest.raises(RuntimeError, match="is simulated"):
        run_operator("make_dynamic", bones="SELECTED")
    assert all(bone.plant_dynamics.use_physics for bone in obj.data.bones)
    assert not obj.plant_dynamics.is_dynamic


def test_copy_to_selected_and_branch_levels(fresh, run_operator):
    obj = plants.grow("shrub")
    run_operator("select_level", level=1, above="ONLY")
    chosen = {bone.name for bone in obj.pose.bones if (bone if hasattr(bone, "select") else bone.bone).select}
    assert 0 < len(chosen) < len(obj.data.bones)
    for name in chosen:  # one turns off once on the way from the root
        bone, turns = obj.data.bones[name], 0
        while bone.parent is not None:
            siblings = bone.parent.children
            along = (bone.parent.tail_local - bone.parent.head_local).normalized()
            best = max(siblings, key=lambda b: along.dot((b.tail_local - b.head_local).normalized()))
            turns += bone != best
            bone = bone.parent
        assert turns == 1
    active = obj.data.bones[sorted(chosen)[0]]
    obj.data.bones.active = active
    active.plant_dynamics.young_modulus, active.plant_dynamics.bend_limit = 123.0, 0.5
    run_operator("copy_to_selected")
    for bone in obj.data.bones:
        values = bone.plant_dynamics.young_modulus, bone.plant_dynamics.bend_limit
        assert (values == pytest.approx((123.0, 0.5))) == (bone.name in chosen)


def test_the_fix_for_an_uneven_scale(fresh, run_operator):
    obj = plants.chain()
    obj.scale = (1.0, 2.0, 1.0)
    bpy.context.view_layer.update()
    before = plants.tip(obj, "Bone.5")
    run_operator("apply_scale")
    assert tuple(obj.scale) == (1.0, 1.0, 1.0)
    assert plants.tip(obj, "Bone.5") == pytest.approx(before, abs=1e-6)
    run_operator("make_dynamic")


def keyed_plant(name, run_operator):
    obj = plants.chain(4, name=name)
    run_operator("make_dynamic")
    plants.key_location(obj, {1: (0, 0, 0), 10: (0.3, 0, 0)})
    return obj


def hang_on_bone(follower, leader):
    follower.parent, follower.parent_type, follower.parent_bone = leader, "BONE", "Bone.3"


def copy_bone(follower, leader):
    constraint = follower.constraints.new("COPY_LOCATION")
    constraint.target, constraint.subtarget = leader, "Bone.3"


def armature_bone(follower, leader):
    target = follower.constraints.new("ARMATURE").targets.new()
    target.target, target.subtarget = leader, "Bone.3"


def by_way_of_an_empty(follower, leader):
    between = bpy.data.objects.new("Between", None)
    bpy.context.scene.collection.objects.link(between)
    copy_bone(between, leader)
    follower.parent = between


TIES = [hang_on_bone, copy_bone, armature_bone, by_way_of_an_empty]


@pytest.mark.parametrize("tie", TIES)
@pytest.mark.parametrize("by_handle", [False, True])
def test_a_plant_on_another_is_refused_until_that_is_baked(fresh, run_operator, select_only, by_handle, tie):
    bpy.context.scene.frame_end = 20
    carrier, rider = keyed_plant("Carrier", run_operator), plants.chain(3, name="Rider")
    run_operator("make_dynamic")
    follower = rider
    if by_handle:
        run_operator("add_pull")
        follower = rider.plant_dynamics.loads[0].target
    tie(follower, carrier)
    for name, options in (("play", {}), ("bake", {"plants": "SCENE"})):
        with pytest.raises(RuntimeError, match=r"'Rider': .* 'Bone.3' of the plant 'Carrier'.* bake 'Carrier' first"):
            run_operator(name, **options)
    assert not carrier.plant_dynamics.is_baked
    select_only(carrier)
    run_operator("bake")
    plants.show(1)
    run_operator("play")
    straight = plants.played(rider, range(1, 21))
    for frame in (20, 3, 11):
        plants.show(frame)
        assert np.array_equal(plants.matrices(rider), straight[frame - 1])
    select_only(rider)
    run_operator("bake")
    assert np.abs(plants.played(rider, range(1, 21)) - straight).max() < 1e-4


@pytest.mark.parametrize("tie", [copy_bone, armature_bone, by_way_of_an_empty])
def test_a_handle_that_follows_its_own_plant_is_refused(fresh, run_operator, tie):
    obj = plants.chain(4)
    run_operator("make_dynamic")
    run_operator("add_pull")
    tie(obj.plant_dynamics.loads[0].target, obj)
    with pytest.raises(RuntimeError, match=r"follows bone 'Bone.3' of the plant itself"):
        run_operator("play")


def test_a_tie_made_while_playing_stops_the_plant_and_says_why(fresh, run_operator):
    carrier, rider = keyed_plant("Carrier", run_operator), plants.chain(3, name="Rider")
    run_operator("make_dynamic")
    run_operator("play")
    plants.show(5)
    hang_on_bone(rider, carrier)
    bpy.context.view_layer.update()
    plants.show(6)
    assert carrier.plant_dynamics.live
    assert not rider.plant_dynamics.live
    problem = importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.dynamics.live.live").problem_of(rider)
    assert "bake 'Carrier' first" in problem


def test_a_plant_on_a_bone_that_is_not_simulated_or_on_the_whole_object_plays(fresh, run_operator):
    bpy.context.scene.frame_end = 10
    carrier, rider = keyed_plant("Carrier", run_operator), plants.chain(3, name="Rider")
    run_operator("make_dynamic")
    for bone in carrier.data.bones:
        bone.plant_dynamics.use_physics = bone.name not in ("Bone.0", "Bone.1")
    hang_on_bone(rider, carrier)
    rider.parent_bone = "Bone.1"
    plants.show(1)
    run_operator("play")
    assert rider.plant_dynamics.live
    rider.parent_type = "OBJECT"
    bpy.context.view_layer.update()
    plants.show(5)
    assert rider.plant_dynamics.live
