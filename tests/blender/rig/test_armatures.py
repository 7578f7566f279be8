# SPDX-License-Identifier: GPL-3.0-or-later
"""Armatures of any origin: what works, and what is refused with the bone's name."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants


def test_a_chain_hangs_as_a_cantilever_does(fresh, run_operator):
    obj = plants.chain(count=10, length=0.1)
    run_operator("make_dynamic")
    obj.plant_dynamics.young_modulus = 8100.0
    obj.plant_dynamics.density = 923.0
    obj.plant_dynamics.radius_source = "FIXED"
    obj.plant_dynamics.radius = 0.01
    for layout, ratio in (("gauss2", 1.0), ("base", 1.1**2), ("double_root", 1.01), ("mid", None)):
        obj.plant_dynamics.layout = layout
        run_operator("play")
        plants.show(1)
        sag = -plants.tip(obj, "Bone.9")[2]
        if ratio:
            assert sag == pytest.approx(0.0055893 * ratio, rel=2e-3), layout
        else:
            assert sag == pytest.approx(0.0055893, rel=0.02), layout
        run_operator("reset")


def test_a_uniformly_scaled_armature_is_simulated_at_its_world_size(fresh, run_operator):
    sags = []
    for scale, length in ((1.0, 0.1), (10.0, 0.01)):
        obj = plants.chain(length=length, name=f"Chain{scale}")
        obj.scale = (scale, scale, scale)
        bpy.context.view_layer.update()
        run_operator("make_dynamic")
        obj.plant_dynamics.radius_source = "FIXED"
        obj.plant_dynamics.radius = 0.004 / scale
        run_operator("play")
        plants.show(1)
        sags.append(plants.tip(obj, "Bone.5")[2])
        run_operator("reset")
    assert sags[1] == pytest.approx(sags[0], rel=1e-4)


@pytest.mark.parametrize(("scale", "message"), [((1, 2, 1), "scaled unevenly"), ((1, -1, 1), "mirrored")])
def test_impossible_scales_are_refused(fresh, run_operator, scale, message):
    obj = plants.chain()
    obj.scale = scale
    bpy.context.view_layer.update()
    with pytest.raises(RuntimeError, match=message):
        run_operator("make_dynamic")
    assert not obj.plant_dynamics.is_dynamic


def test_several_roots_disconnected_bones_and_pins(fresh, run_operator):
    obj = plants.chain(4)
    bpy.ops.object.mode_set(mode="EDIT")
    loose = obj.data.edit_bones.new("Loose")
    loose.head, loose.tail = (0, 0.3, 0), (0.2, 0.3, 0)
    apart = obj.data.edit_bones.new("Apart")
    apart.head, apart.tail, apart.parent = (0.35, 0, 0.1), (0.5, 0, 0.1), obj.data.edit_bones["Bone.1"]
    loose.head_radius = loose.tail_radius = apart.head_radius = apart.tail_radius = 0.004
    bpy.ops.object.mode_set(mode="OBJECT")
    obj.data.bones["Bone.2"].plant_dynamics.pinned = True
    run_operator("make_dynamic")
    run_operator("play")
    plants.show(1)
    assert plants.tip(obj, "Loose")[2] < -1e-4
    assert plants.tip(obj, "Apart")[2] < 0.1
    run_operator("reset")
    obj.plant_dynamics.layout = "double_root"  # bones do not bend between their ends
    run_operator("play")
    plants.show(1)
    pinned = obj.pose.bones["Bone.2"].rotation_quaternion
    assert np.allclose(pinned, (1, 0, 0, 0), atol=1e-6)


def test_euler_bones_become_quaternions_and_come_back(fresh, run_operator):
    obj = plants.chain(3)
    for bone in obj.pose.bones:
        bone.rotation_mode = "XZY"
    run_operator("make_dynamic")
    run_operator("play")
    assert {bone.rotation_mode for bone in obj.pose.bones} == {"QUATERNION"}
    run_operator("remove_dynamics")
    assert {bone.rotation_mode for bone in obj.pose.bones} == {"XZY"}


def test_all_bones_pinned_is_refused(fresh, run_operator):
    obj = plants.chain(2)
    for bone in obj.data.bones:
        bone.plant_dynamics.pinned = True
    with pytest.raises(RuntimeError, match="nothing can move"):
        run_operator("make_dynamic")


def test_a_bone_too_soft_to_hold_its_shape_is_named(fresh, run_operator):
    obj = plants.chain(4, length=0.5)
    run_operator("make_dynamic")
    obj.plant_dynamics.start = "keep_shape"
    obj.plant_dynamics.young_modulus = 0.01
    with pytest.raises(RuntimeError, match=r"bone 'Bone\.0'.*too soft"):
        run_operator("play")
    assert not obj.plant_dynamics.live


def test_keep_shape_holds_the_drawn_shape(fresh, run_operator):
    obj = plants.chain(8)
    run_operator("make_dynamic")
    obj.plant_dynamics.start = "keep_shape"
    obj.plant_dynamics.young_modulus = 500.0
    plants.show(1)
    drawn = plants.matrices(obj)
    run_operator("play")
    assert np.abs(plants.played(obj, range(1, 50)) - drawn).max() < 1e-6


def test_a_load_on_a_missing_bone_is_reported(fresh, run_operator):
    obj = plants.chain(3)
    run_operator("make_dynamic")
    run_operator("add_pull")
    obj.plant_dynamics.loads[0].bone = "Nowhere"
    with pytest.raises(RuntimeError, match="no bone 'Nowhere'"):
        run_operator("play")


def test_twist_turns_the_tip_by_the_angle_it_is_made_for(fresh, run_operator):
    obj = plants.chain(6)
    run_operator("make_dynamic")
    obj.plant_dynamics.gravity_factor = 0.0
    run_operator("add_twist")
    run_operator("play")
    plants.show(1)
    turned = plants.matrices(obj)[-1]
    angle = np.arctan2(turned[1, 2], turned[2, 2])
    # The last bone has a 21st of the stem's twist, and shows the mean along its length.
    assert abs(angle) == pytest.approx(np.pi / 2 * (1 - 1 / 42), rel=1e-3)


def test_a_force_bends_the_chain_along_it(fresh, run_operator):
    obj = plants.chain(6)
    run_operator("make_dynamic")
    obj.plant_dynamics.gravity_factor = 0.0
    run_operator("add_force")
    load = obj.plant_dynamics.loads[0]
    load.force = (0.0, load.force[0], 0.0)
    run_operator("play")
    plants.show(1)
    assert 0.05 < plants.tip(obj, "Bone.5")[1] < 0.3
    assert plants.tip(obj, "Bone.5")[2] == pytest.approx(0.0, abs=1e-5)


def test_infantile_segments_are_pruned(fresh, run_operator):
    text = bpy.data.texts.new("young")
    text.write("axiom: F(0.1, 0.002) F(0.004, 0.002) F(0.1, 0.002)")
    options = bpy.context.scene.plant_dynamics
    options.source, options.text, options.prune_below = "TEXT", text, 0.005
    run_operator("grow")
    assert len(bpy.context.object.data.bones) == 2


def test_a_new_handle_sits_at_the_settled_tip_and_pulls_nothing(fresh, run_operator):
    obj = plants.grow("orchid")
    run_operator("play")
    plants.show(1)
    settled = plants.matrices(obj)
    run_operator("reset")
    run_operator("add_pull")
    run_operator("play")
    plants.show(1)
    assert np.abs(plants.matrices(obj) - settled).max() < 2e-3


def test_twist_follows_the_stem(fresh, run_operator):
    obj = plants.grow("twist_inflorescence")
    run_operator("add_twist")
    last = obj.data.bones[obj.plant_dynamics.loads[0].bone]
    assert np.hypot(last.tail_local.x, last.tail_local.y) < 0.05


def test_damping_factor_calms_a_grown_plant(fresh, run_operator):
    bpy.context.scene.frame_end = 60
    swings = []
    for factor in (0.2, 8.0):
        obj = plants.grow("inflorescence")
        obj.plant_dynamics.damping_factor = factor
        plants.key_location(obj, {1: (0, 0, 0), 10: (0.3, 0, 0)})
        run_operator("play")
        tips = [plants.matrices(obj)[:, 0, 3].max() for frame in range(1, 61) if plants.show(frame) is None]
        swings.append(np.std(tips[20:]))
        run_operator("reset")
        run_operator("remove_dynamics")
    assert swings[1] < 0.3 * swings[0]


def test_wilting_by_keyed_stiffness(fresh, run_operator):
    bpy.context.scene.frame_end = 60
    obj = plants.grow("rose")
    settings = obj.plant_dynamics
    for frame, value in ((1, 1.0), (10, 1.0), (30, 0.02)):
        settings.stiffness_factor = value
        obj.keyframe_insert("plant_dynamics.stiffness_factor", frame=frame)
    run_operator("play")
    heights = []
    for frame in range(1, 61):
        plants.show(frame)
        heights.append(plants.matrices(obj)[:, 2, 3].max())
    assert heights[8] == pytest.approx(heights[0], abs=1e-4)
    assert heights[-1] < 0.7 * heights[0]
    assert np.isfinite(heights).all()


BODIES = """
name: Two bodies
axiom: B(1, 0,0.05,0, 0,0.05,0, 1e-3,1e-4,1e-3) J(0.3,0,0, 0.1,0,0, 2,1,3) B(0.5, 0,0.1,0, 0,0.1,0, 6e-3,1e-4,6e-3)
"""


def test_articulated_strings_keep_their_bodies(fresh, run_operator):
    text = bpy.data.texts.new("bodies")
    text.write(BODIES)
    options = bpy.context.scene.plant_dynamics
    options.source, options.text = "TEXT", text
    run_operator("grow")
    obj = bpy.context.object
    root, bone = obj.data.bones
    assert root.plant_dynamics.pinned
    assert bone.plant_dynamics.mass == pytest.approx(0.5)
    assert tuple(bone.plant_dynamics.stiffness) == pytest.approx((2, 1, 3))
    assert tuple(bone.plant_dynamics.initial_rotation) == pytest.approx((0.1, 0, 0), abs=1e-6)
    assert obj.plant_dynamics.start == "drawn", "settling would undo the initial angles"
    run_operator("play")
    plants.show(1)
    q = obj.pose.bones[bone.name].rotation_quaternion
    assert 2 * np.arctan2(q[1], q[0]) == pytest.approx(0.1, abs=1e-5)


def test_a_root_body_without_mass_plays(fresh, run_operator):
    text = bpy.data.texts.new("bodies")
    text.write("axiom: B(0,0,0,0,0,0,0,0,0,0) J(0,0,0,0,0,0,1,1,1) B(0.1,0,0.05,0,0,0.05,0,0.001,0.001,0.001)")
    options = bpy.context.scene.plant_dynamics
    options.source, options.text = "TEXT", text
    run_operator("grow")
    run_operator("play")
    plants.show(5)


def test_what_poses_bones_otherwise_is_refused(fresh, run_operator):
    obj = plants.chain()
    obj.data.bones["Bone.3"].use_inherit_rotation = False
    with pytest.raises(RuntimeError, match=r"Bone 'Bone\.3' does not inherit rotation"):
        run_operator("make_dynamic")
    obj.data.bones["Bone.3"].use_inherit_rotation = True
    obj.data.pose_position = "REST"
    with pytest.raises(RuntimeError, match="Rest Position"):
        run_operator("make_dynamic")


def test_handles_on_the_plant_itself_are_refused_and_deleted_ones_ignored(fresh, run_operator):
    obj = plants.chain()
    run_operator("make_dynamic")
    run_operator("add_pull")
    handle = obj.plant_dynamics.loads[0].target
    handle.parent, handle.parent_type, handle.parent_bone = obj, "BONE", "Bone.4"
    with pytest.raises(RuntimeError, match=r"follows bone .* of the plant itself|hangs on the plant that it pulls"):
        run_operator("play")
    handle.parent = None
    handle.location = (0.0, 0.0, 2.0)
    for collection in list(handle.users_collection):
        collection.objects.unlink(handle)
    run_operator("play")
    plants.show(3)
    assert plants.tip(obj, "Bone.5")[2] < 0.0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("axiom: F(1", "line 1"),
        ("axiom: B(1,0,0,0,0,0,0,1,1,1)J(0,0,0,0,0,0,1,1,1)J(0,0,0,0,0,0,1,1,1)", "line 1"),
        ("axiom: A\nA -> AA\nsteps: 60", "modules"),
        ("axiom: +(30)", "draws no segment"),
        ("axiom: A\nsteps: 14\nA -> F(0.01)[+(20)A]A", "16383 bones"),
    ],
)
def test_bad_text_is_reported_and_adds_nothing(fresh, run_operator, text, message):
    block = bpy.data.texts.new("bad")
    block.write(text)
    options = bpy.context.scene.plant_dynamics
    options.source, options.text = "TEXT", block
    before = len(bpy.data.objects)
    with pytest.raises(RuntimeError, match=message):
        run_operator("grow")
    assert len(bpy.data.objects) == before
