# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders whose modifiers take their shape from a plant hang on it, too."""

import bpy
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.collider_scenes import collide, plant, primitive, why

LAST = 12


@pytest.fixture
def obj(fresh, run_operator):
    bpy.context.scene.frame_end = LAST
    return plant(run_operator)


def skin(obj):
    """A cube on the last bone."""
    cube = primitive("cube", "Skin", size=0.2, location=(0.35, 0.0, 0.3))
    cube.modifiers.new("Armature", "ARMATURE").object = obj
    cube.vertex_groups.new(name="Bone.3").add(list(range(8)), 1.0, "ADD")
    return cube


def on_bone(obj, data):
    one = bpy.data.objects.new("On Bone", data)
    bpy.context.scene.collection.objects.link(one)
    one.parent, one.parent_type, one.parent_bone = obj, "BONE", "Bone.2"
    return one


def hook(obj, sheet):
    modifier = sheet.modifiers.new("Hook", "HOOK")
    modifier.object, modifier.subtarget = obj, "Bone.3"
    modifier.vertex_indices_set(list(range(len(sheet.data.vertices))))


def hook_on_empty(obj, sheet):
    sheet.modifiers.new("Hook", "HOOK").object = on_bone(obj, None)


def lattice(obj, sheet):
    sheet.modifiers.new("Lattice", "LATTICE").object = on_bone(obj, bpy.data.lattices.new("Lattice"))


def shrinkwrap(obj, sheet):
    sheet.modifiers.new("Shrinkwrap", "SHRINKWRAP").target = skin(obj)


def mirror(obj, sheet):
    sheet.modifiers.new("Mirror", "MIRROR").mirror_object = on_bone(obj, None)


def at_two_removes(obj, sheet):
    """By a cage that is wrapped onto the skin."""
    cage = primitive("cube", "Cage")
    shrinkwrap(obj, cage)
    sheet.modifiers.new("Cage", "MESH_DEFORM").object = cage


def sheet_shaped_by(shape, obj):
    sheet = primitive("grid", "Sheet", size=1.0, x_subdivisions=8, y_subdivisions=8, location=(0.2, 0.0, 0.25))
    shape(obj, sheet)
    return collide(sheet)


@pytest.mark.parametrize("shape", [hook, hook_on_empty, lattice, shrinkwrap, mirror, at_two_removes])
def test_it_is_left_out_and_named(fresh, obj, run_operator, shape):
    sheet = sheet_shaped_by(shape, obj)
    assert why(fresh, sheet, obj) == "OWN"
    other = plants.chain(2, name="Other")
    run_operator("make_dynamic")
    assert why(fresh, sheet, other) == "UNPOSED"
    obj.plant_dynamics.is_baked = True
    assert why(fresh, sheet, other) == ""


@pytest.mark.parametrize("shape", [hook, shrinkwrap])
def test_the_motion_is_the_same_whatever_frames_are_shown(fresh, obj, run_operator, select_only, shape):
    sheet_shaped_by(shape, obj)
    select_only(obj)
    run_operator("play")
    forth = plants.played(obj, range(1, LAST + 1))
    for frame in (7, 3, LAST, 1):
        plants.show(frame)
        assert (plants.matrices(obj) == forth[frame - 1]).all()


def test_what_does_not_shape_it_is_nothing_to_hang_on(fresh, obj):
    sheet = primitive("grid", "Sheet")
    sheet.modifiers.new("Normals", "DATA_TRANSFER").object = skin(obj)
    sheet.modifiers.new("Array", "ARRAY").offset_object = primitive("cube", "Apart")
    off = sheet.modifiers.new("Off", "SHRINKWRAP")
    off.target, off.show_viewport = skin(obj), False
    assert why(fresh, collide(sheet), obj) == ""
