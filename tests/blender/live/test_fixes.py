# SPDX-License-Identifier: GPL-3.0-or-later
"""Every refusal that one click can mend comes with the button that mends it."""

import importlib

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from tests.blender.scenes import plants


def refused(run_operator, match):
    with pytest.raises(RuntimeError, match=match):
        run_operator("make_dynamic")


def press(run_operator, buttons, number=0):
    name, properties = buttons[number]
    run_operator(name, **properties)


def break_rest(obj):
    obj.data.pose_position = "REST"


def break_inheriting(obj):
    for name in ("Bone.2", "Bone.4"):
        obj.data.bones[name].use_inherit_rotation = False


def break_radius(obj):
    for bone in list(obj.data.bones)[3:]:
        bone.head_radius = bone.tail_radius = 0.0


def break_choice(obj):
    for bone in obj.data.bones:
        bone.plant_dynamics.use_physics = False


def break_scale(obj):
    obj.scale = (1.0, 2.0, 1.0)


def break_mirror(obj):
    obj.scale = (1.0, -1.0, 1.0)


def break_parent(obj):
    empty = bpy.data.objects.new("Squeezed", None)
    bpy.context.scene.collection.objects.link(empty)
    empty.scale, empty.rotation_euler, empty.location = (1.0, 1.7, 0.6), (0.3, 0.4, 0.5), (1.0, 2.0, 3.0)
    obj.parent = empty
    obj.rotation_euler, obj.location = (0.2, 0.6, -0.4), (0.5, 0.1, 0.2)


def break_pins(obj):
    for bone in obj.data.bones:
        bone.plant_dynamics.pinned = True


def break_layout(obj):
    own = obj.data.bones["Bone.2"].plant_dynamics
    own.use_body, own.mass, own.center_of_mass = True, 0.005, (0.0, 0.05, 0.0)
    own.inertia, own.stiffness = (2e-5, 1e-6, 2e-5), (1.0, 1.0, 1.0)


BREAKS = {
    break_pins: "nothing can move",
    break_layout: "a mass of its own",
    break_rest: "Rest Position",
    break_inheriting: r"Bone 'Bone\.2' does not inherit rotation",
    break_radius: r"Bone 'Bone\.3' has no radius",
    break_choice: "is simulated",
    break_scale: "scaled unevenly",
    break_mirror: "mirrored",
    break_parent: "scaled unevenly",
}


@pytest.mark.parametrize(("spoil", "message"), BREAKS.items(), ids=[f.__name__ for f in BREAKS])
def test_one_click_mends_what_was_refused(fresh, run_operator, panel, spoil, message):
    obj = plants.chain(6)
    assert panel(obj) == ("", [])
    spoil(obj)
    bpy.context.view_layer.update()
    refused(run_operator, message)
    text, buttons = panel(obj)
    assert text
    assert len(buttons) == 1
    press(run_operator, buttons)
    assert panel(obj) == ("", []), "nothing is left to mend"
    run_operator("make_dynamic")
    run_operator("play")
    assert plants.tip(obj, "Bone.5")[2] != 0.0


def test_what_is_too_soft_to_hold_its_shape_starts_settled_by_a_click(fresh, run_operator, panel):
    obj = plants.chain(6)
    run_operator("make_dynamic")
    obj.plant_dynamics.start = "keep_shape"
    obj.plant_dynamics.young_modulus = 1e-4
    for _ in range(2):  # it is told as often as it is pressed
        with pytest.raises(RuntimeError, match="too soft to hold the drawn shape"):
            run_operator("play")
        text, buttons = panel(obj)
        assert "too soft to hold the drawn shape" in text
    press(run_operator, buttons, 0)
    assert obj.plant_dynamics.start == "settled"
    assert panel(obj) == ("", [])
    run_operator("play")


def test_a_refusal_mended_by_hand_is_no_longer_shown(fresh, run_operator, panel):
    obj = plants.chain(3)
    break_rest(obj)
    refused(run_operator, "Rest Position")
    assert panel(obj)[1] == [("show_pose", {})]
    obj.data.pose_position = "POSE"
    assert panel(obj) == ("", [])


def test_what_ends_the_motion_can_be_mended_too(fresh, run_operator, panel):
    obj = plants.chain(6)
    run_operator("make_dynamic")
    run_operator("play")
    break_inheriting(obj)
    plants.show(2)
    plants.show(3)
    obj.plant_dynamics.segments = 2  # a change that makes it be read anew
    plants.show(4)
    assert not obj.plant_dynamics.live
    text, buttons = panel(obj)
    assert "'Bone.2' does not inherit rotation" in text
    press(run_operator, buttons)
    assert all(bone.use_inherit_rotation for bone in obj.data.bones)
    run_operator("play")


def test_the_parents_scale_goes_to_the_bones_and_nothing_moves(fresh, run_operator):
    obj = plants.chain(6)
    mesh = bpy.data.objects.new("Mesh", bpy.data.meshes.new("Mesh"))
    mesh.data.from_pydata([(0.1, 0.0, 0.0), (0.3, 0.05, 0.02), (0.6, 0.0, 0.1)], [], [(0, 1, 2)])
    bpy.context.scene.collection.objects.link(mesh)
    mesh.parent, mesh.location = obj, (0.0, 0.1, 0.0)
    break_parent(obj)
    bpy.context.view_layer.update()
    tips = {bone.name: plants.tip(obj, bone.name) for bone in obj.data.bones}
    corners = [mesh.matrix_world @ vertex.co for vertex in mesh.data.vertices]
    run_operator("apply_scale")
    bpy.context.view_layer.update()
    for name, tip in tips.items():
        assert plants.tip(obj, name) == pytest.approx(tip, abs=1e-5)
    for vertex, corner in zip(mesh.data.vertices, corners, strict=True):
        assert np.array(mesh.matrix_world @ vertex.co) == pytest.approx(np.array(corner), abs=1e-5)
    assert obj.parent is not None
    assert obj.matrix_world.to_scale()[:] == pytest.approx((1.0, 1.0, 1.0), abs=1e-5)
    obj.parent.location.x += 1.0  # it still goes where the parent goes
    bpy.context.view_layer.update()
    assert plants.tip(obj, "Bone.5") == pytest.approx(tips["Bone.5"] + (1.0, 0.0, 0.0), abs=1e-5)


def test_no_size_can_be_told_from_a_zero_scale(fresh, run_operator):
    obj = plants.chain(3)
    obj.scale = (1.0, 0.0, 1.0)
    bpy.context.view_layer.update()
    with pytest.raises(RuntimeError, match="zero scale"):
        bpy.ops.plant_dynamics.apply_scale()
    assert obj.data.bones[0].length == pytest.approx(0.1)


def test_a_handle_that_hangs_on_its_plant_is_taken_off(fresh, run_operator, panel):
    obj = plants.chain(6)
    run_operator("make_dynamic")
    run_operator("add_pull")
    handle = obj.plant_dynamics.loads[0].target
    handle.parent = obj
    handle.matrix_parent_inverse = Matrix.Translation((0.0, 0.0, 0.1))
    bpy.context.view_layer.update()
    place = handle.matrix_world.translation.copy()
    with pytest.raises(RuntimeError, match="hangs on the plant"):
        run_operator("play")
    press(run_operator, panel(obj)[1])
    bpy.context.view_layer.update()
    assert handle.parent is None
    assert handle.matrix_world.translation[:] == pytest.approx(place[:], abs=1e-6)
    run_operator("play")


def test_loads_on_bones_that_are_gone_are_removed(fresh, run_operator, panel):
    obj = plants.chain(6)
    run_operator("make_dynamic")
    for _ in range(3):
        run_operator("add_force")
    loads = obj.plant_dynamics.loads
    loads[0].bone = loads[2].bone = "Gone"
    loads[1].name = "Stays"
    with pytest.raises(RuntimeError, match="no bone 'Gone'"):
        run_operator("play")
    text, buttons = panel(obj)
    assert "no bone 'Gone'" in text
    press(run_operator, buttons)
    assert [load.name for load in obj.plant_dynamics.loads] == ["Stays"]
    assert panel(obj) == ("", [])
    run_operator("play")


def with_ends(length: float) -> bpy.types.Object:
    """A chain with two bones of hardly any length: one at its end, one between the fourth bone and the fifth."""
    obj = plants.chain(6)
    bpy.ops.object.mode_set(mode="EDIT")
    bones = obj.data.edit_bones
    for name, above in (("End", "Bone.5"), ("Between", "Bone.3")):
        bone = bones.new(name)
        bone.head, bone.tail, bone.parent = bones[above].tail, bones[above].tail, bones[above]
        bone.tail = bone.head + length * bones[above].vector.normalized()
        bone.head_radius = bone.tail_radius = 0.004
    bones["Bone.4"].use_connect = False
    bones["Bone.4"].parent = bones["Between"]
    bpy.ops.object.mode_set(mode="OBJECT")
    return obj


def test_bones_without_length_are_carried_and_named(fresh, run_operator, panel):
    plain = plants.chain(6, name="Plain")
    run_operator("make_dynamic")
    plain.location.y = 1.0
    obj = with_ends(2.5e-7 * 10.0)
    obj.scale = (0.1, 0.1, 0.1)  # as imported: the bones are then far below a micrometre
    plain.scale = (0.1, 0.1, 0.1)
    bpy.context.view_layer.update()
    assert len(obj.data.bones) == 8
    run_operator("make_dynamic")
    run_operator("play")
    plants.show(1)
    assert plants.tip(obj, "Bone.5")[2] == pytest.approx(plants.tip(plain, "Bone.5")[2], rel=1e-3)
    assert plants.tip(obj, "Bone.5")[2] < -1e-5
    text, buttons = panel(obj, "rig_warnings")
    assert "'End', 'Between'" in text or "'Between', 'End'" in text
    assert [properties["action"] for _, properties in buttons] == ["LENGTHEN", "DELETE"]


@pytest.mark.parametrize(("number", "bones"), [(0, 8), (1, 6)])
def test_bones_without_length_are_lengthened_or_deleted(fresh, run_operator, panel, number, bones):
    obj = with_ends(4e-6)
    obj.scale = (0.1, 0.1, 0.1)
    bpy.context.view_layer.update()
    run_operator("make_dynamic")
    press(run_operator, panel(obj, "rig_warnings")[1], number)
    assert len(obj.data.bones) == bones
    assert panel(obj, "rig_warnings") == ("", [])
    assert min(bone.length for bone in obj.data.bones) == pytest.approx(0.1 if number else 0.025, rel=1e-3)
    chain, bone = [], obj.data.bones["Bone.5"]
    while bone:
        chain.append(bone.name)
        bone = bone.parent
    between = [] if number else ["Between"]
    assert chain == ["Bone.5", "Bone.4", *between, "Bone.3", "Bone.2", "Bone.1", "Bone.0"]
    run_operator("play")


def test_constraints_and_locks_are_named(fresh, run_operator, panel):
    obj = plants.chain(6)
    run_operator("make_dynamic")
    assert panel(obj, "rig_warnings") == ("", [])
    for name in ("Bone.1", "Bone.2"):
        obj.pose.bones[name].constraints.new("LIMIT_ROTATION")
    obj.pose.bones["Bone.2"].constraints[0].mute = True
    obj.pose.bones["Bone.3"].lock_rotation = (True, False, True)
    obj.pose.bones["Bone.4"].lock_rotation = (True, True, True)
    text, buttons = panel(obj, "rig_warnings")
    assert "on top of the motion: 'Bone.1'" in text
    assert "Pinned does: 'Bone.4'" in text
    assert "Bone.2" not in text
    assert "Bone.3" not in text
    press(run_operator, buttons)
    assert [bone.plant_dynamics.pinned for bone in obj.data.bones] == [False] * 4 + [True, False]
    assert "Bone.4" not in panel(obj, "rig_warnings")[0]


@pytest.mark.parametrize("away", [0.02, 0.5])
def test_a_root_that_what_it_carries_does_not_sit_on_is_offered_to_be_pinned(away, fresh, run_operator, panel):
    """Where bones follow: as a figure's hips, which begin above the root on the floor."""
    obj = plants.chain(6)
    bpy.ops.object.mode_set(mode="EDIT")
    bones = obj.data.edit_bones
    root, hips = bones.new("Root"), bones["Bone.0"]
    across = hips.x_axis.normalized()
    root.head = hips.head - away * hips.vector.normalized()
    root.tail = root.head + 0.3 * across
    hips.parent = root
    bpy.ops.object.mode_set(mode="OBJECT")
    run_operator("make_dynamic")
    assert panel(obj, "rig_warnings") == ("", [])
    obj.plant_dynamics.following.share = 1.0
    text, buttons = panel(obj, "rig_warnings")
    assert ("'Root'" in text) == (away > 0.15)
    if buttons:
        press(run_operator, buttons)
        assert [bone.name for bone in obj.data.bones if bone.plant_dynamics.pinned] == ["Root"]
    assert panel(obj, "rig_warnings") == ("", [])


def test_a_pointed_bone_is_a_cone_and_no_refusal(fresh, run_operator):
    """Sapling Tree Gen gives the last bones of its branches a tail radius of zero."""
    obj = plants.chain(6)
    obj.data.bones["Bone.5"].tail_radius = 0.0
    obj.data.bones["Bone.2"].head_radius = 0.0
    run_operator("make_dynamic")
    reader = importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.dynamics.rig.armature_reader")
    rods = reader.read_armature(obj, obj.matrix_world).parts[0]
    assert rods.radius_tip[5] == pytest.approx(0.05 * 0.004)
    assert rods.radius_base[2] == pytest.approx(0.05 * 0.004)
