# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones of an own armature become leaves by one press, which the wind turns."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants


def twig_with_leaves(scale=1.0):
    """A stem of four bones with a leaf of one bone and one of two, 0.12 m long, their Z axes up."""
    armature = bpy.data.armatures.new("Twig")
    obj = bpy.data.objects.new("Twig", armature)
    bpy.context.scene.collection.objects.link(obj)
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.mode_set(mode="EDIT")
    above = None
    for k in range(4):
        bone = armature.edit_bones.new(f"Stem.{k}")
        bone.head, bone.tail = (0.0, 0.0, 0.1 * k / scale), (0.0, 0.0, 0.1 * (k + 1) / scale)
        bone.parent, above = above, bone
    for name, side, lengths in (("One", 1.0, [0.12]), ("Two", -1.0, [0.06, 0.06])):
        parent, begun = armature.edit_bones["Stem.3"], 0.0
        for k, length in enumerate(lengths):
            bone = armature.edit_bones.new(f"{name}.{k}")
            bone.head, bone.tail = ((side * at / scale, 0.0, 0.4 / scale) for at in (begun, begun + length))
            bone.align_roll((0.0, 0.0, 1.0))
            bone.parent, parent, begun = parent, bone, begun + length
    bpy.ops.object.mode_set(mode="POSE")
    obj.scale = (scale, scale, scale)
    return obj


def select(obj, *names):
    for bone in obj.pose.bones:
        (bone if hasattr(bone, "select") else bone.bone).select = bone.name in names


def turned_in_wind(obj, run_operator):
    """Degrees by which the leaves turn about their mean in a second half of 2 s at 8 m/s, root mean square."""
    bpy.context.scene.frame_end = 48
    run_operator("wind_preset", preset="WIND")
    run_operator("play")
    shown = plants.played(obj, range(1, 49))[24:]
    tips = [i for i, bone in enumerate(obj.data.bones) if bone.name in ("One.0", "Two.1")]
    normals = shown[:, tips, :3, 2] / np.linalg.norm(shown[:, tips, :3, 2], axis=-1, keepdims=True)
    mean = normals.mean(axis=0) / np.linalg.norm(normals.mean(axis=0), axis=-1, keepdims=True)
    off = np.degrees(np.arccos(np.clip((normals * mean).sum(axis=-1), -1.0, 1.0)))
    return float(np.sqrt((off**2).mean()))


@pytest.mark.parametrize("scale", [1.0, 10.0])
def test_leaves_by_one_press_move_in_the_wind(fresh, run_operator, scale):
    obj = twig_with_leaves(scale)
    run_operator("make_dynamic")
    stiff = turned_in_wind(obj, run_operator)
    run_operator("reset")
    select(obj, "One.0", "Two.0", "Two.1")
    run_operator("make_leaves")
    one, *two = (obj.data.bones[name].plant_dynamics for name in ("One.0", "Two.0", "Two.1"))
    assert one.blade_area * scale**2 == pytest.approx(0.12 * 0.06 * 2 / 3)
    assert sum(own.blade_area for own in two) == pytest.approx(one.blade_area)
    assert two[0].radius_tip == pytest.approx(two[1].radius_base)
    assert [own.young_modulus for own in (one, *two)] == pytest.approx([460.0 * 0.12] * 3)
    settings = obj.plant_dynamics
    assert (one.organ, one.section, settings.flutter, settings.blade_rigidity) == ("leaf", "FLAT", 1.0, 1.0)
    assert obj.data.bones["Stem.0"].plant_dynamics.blade_area == 0.0
    assert turned_in_wind(obj, run_operator) > max(5.0, 5.0 * stiff)


def test_without_a_selection_it_says_what_to_do(fresh, run_operator):
    obj = twig_with_leaves()
    run_operator("make_dynamic")
    select(obj)
    with pytest.raises(RuntimeError, match="Select the bones of leaves in Pose Mode first"):
        run_operator("make_leaves")
    assert obj.plant_dynamics.flutter == 0.0


def test_the_users_flutter_stays_and_width_counts(fresh, run_operator):
    obj = twig_with_leaves()
    run_operator("make_dynamic")
    obj.plant_dynamics.flutter = 0.5
    select(obj, "One.0")
    run_operator("make_leaves", width=1.0)
    assert (obj.plant_dynamics.flutter, obj.plant_dynamics.blade_rigidity) == (0.5, 0.0)
    assert obj.data.bones["One.0"].plant_dynamics.blade_area == pytest.approx(0.12 * 0.12 * 2 / 3)
