# SPDX-License-Identifier: GPL-3.0-or-later
"""Copies of plants and of what they move, and what becomes of that when Blender's Delete takes the plant."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.collider_scenes import collide, plant, primitive, why

FRAMES = range(1, 21)
ASIDE = np.array((0.0, 1.0, 0.0))


@pytest.fixture
def obj(fresh, run_operator):
    """A stiff chain above a ground."""
    bpy.context.scene.frame_end = FRAMES[-1]
    obj = plant(run_operator)
    obj.plant_dynamics.stiffness_factor = 1.0
    ground = collide(primitive("plane", "Ground", size=4.0))
    ground.plant_dynamics.collider.shape = "PLANE"
    return obj


@pytest.fixture
def apple(obj, run_operator, select_only):
    """One above the chain's end, turned."""
    apple = primitive("uv_sphere", "Apple", radius=0.03, location=(0.35, 0.0, 0.36))
    apple.rotation_euler = (0.3, -0.2, 0.5)
    select_only(obj, apple)
    run_operator("move_with_plant")
    select_only(obj)
    return apple


def path(one: bpy.types.Object) -> np.ndarray:
    """(frames, 3) m."""
    found = []
    for frame in FRAMES:
        plants.show(frame)
        found.append(one.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world.translation[:])
    return np.array(found)


def duplicated() -> dict[str, bpy.types.Object]:
    """Copies of what is selected, by their types."""
    bpy.ops.object.duplicate()
    return {one.type: one for one in bpy.context.selected_objects}


def test_a_copy_of_the_plant_moves_nothing_of_its_originals(obj, apple, run_operator, select_only):
    run_operator("play")
    alone = path(apple)
    run_operator("reset")
    select_only(obj)
    copy = duplicated()["ARMATURE"]
    copy.location += bpy.data.objects["Ground"].location + type(copy.location)(ASIDE)
    run_operator("play")
    assert (path(apple) == alone).all()
    run_operator("reset")
    for one in (obj, copy):
        select_only(one)
        run_operator("bake")
    assert np.abs(path(apple) - alone).max() < 1e-5
    run_operator("clear_bake")
    assert np.abs(path(apple) - alone).max() < 1e-5, "that is its own plant's to clear"
    select_only(obj)
    run_operator("clear_bake")
    assert apple.animation_data is None
    assert apple.rotation_mode == "XYZ"


@pytest.mark.parametrize("baked", [False, True])
def test_a_copy_with_its_apple_goes_as_the_original_from_where_it_is_put(obj, apple, run_operator, select_only, baked):
    run_operator("play")
    alone = path(apple)
    plants.show(1)
    select_only(obj, apple)
    copies = duplicated()
    for one in copies.values():
        one.location = np.array(one.location) + ASIDE
    select_only(copies["ARMATURE"])
    run_operator("bake" if baked else "play")
    assert np.abs(path(copies["MESH"]) - alone - ASIDE).max() < 1e-4
    run_operator("clear_bake" if baked else "reset")
    assert copies["MESH"].location[:] == pytest.approx(alone[0] + ASIDE)
    assert copies["MESH"].rotation_mode == "XYZ"
    assert copies["MESH"].rotation_euler[:] == pytest.approx((0.3, -0.2, 0.5), abs=1e-5)


@pytest.mark.parametrize("mode", ["XYZ", "QUATERNION", "AXIS_ANGLE"])
def test_a_copy_of_an_apple_in_flight_begins_where_it_is_put(obj, apple, run_operator, select_only, mode):
    apple.rotation_mode = mode
    run_operator("play")
    path(apple)
    plants.show(10)
    select_only(apple)
    copy = duplicated()["MESH"]
    copy.location = (1.0, 1.0, 0.5)
    turned = np.array(copy.matrix_world.to_3x3())
    select_only(obj, copy)
    run_operator("move_with_plant")
    fallen = path(copy)
    assert fallen[0] == pytest.approx((1.0, 1.0, 0.5))
    assert fallen[-1][2] == pytest.approx(0.031, abs=1e-3)
    run_operator("reset")
    assert copy.location[:] == (1.0, 1.0, 0.5)
    assert copy.rotation_mode == mode
    bpy.context.view_layer.update()
    assert np.abs(np.array(copy.matrix_world.to_3x3()) - turned).max() < 1e-5


def test_what_a_deleted_plant_moved_is_where_it_was_and_can_be_touched(fresh, obj, apple, run_operator, select_only):
    other = plants.chain(2, name="Other")
    run_operator("make_dynamic")
    collide(apple)
    assert why(fresh, apple, other) == "MOVED"
    select_only(obj)
    run_operator("play")
    path(apple)
    plants.show(12)
    select_only(obj)
    bpy.ops.object.delete()
    bpy.context.view_layer.update()
    assert apple.location[:] == pytest.approx((0.35, 0.0, 0.36))
    assert apple.rotation_mode == "XYZ"
    assert apple.rotation_euler[:] == pytest.approx((0.3, -0.2, 0.5))
    assert why(fresh, apple, other) == ""


def test_what_a_deleted_plant_would_have_moved_can_be_touched(fresh, obj, apple, run_operator, select_only):
    other = plants.chain(2, name="Other")
    run_operator("make_dynamic")
    collide(apple)
    select_only(obj)
    bpy.ops.object.delete()
    assert why(fresh, apple, other) == ""


@pytest.mark.parametrize("baked", [False, True])
def test_what_a_plant_moved_whose_dynamics_are_removed_can_be_touched(
    fresh, obj, apple, run_operator, select_only, baked
):
    other = plants.chain(2, name="Other")
    run_operator("make_dynamic")
    collide(apple)
    select_only(obj)
    run_operator("bake" if baked else "play")
    plants.show(9)
    run_operator("remove_dynamics")
    assert apple.location[:] == pytest.approx((0.35, 0.0, 0.36))
    assert why(fresh, apple, other) == ""


def test_an_active_rigid_body_is_refused_with_its_name(obj, apple, run_operator, select_only):
    """Blender would have it fall through everything."""
    run_operator("play")
    alone = path(apple)
    run_operator("reset")
    select_only(apple)
    bpy.ops.rigidbody.object_add()
    select_only(obj)
    with pytest.raises(RuntimeError, match="'Apple', which the plant moves, is an active rigid body"):
        bpy.ops.plant_dynamics.play()
    for name, value in (("kinematic", True), ("type", "PASSIVE")):
        before = getattr(apple.rigid_body, name)
        setattr(apple.rigid_body, name, value)
        run_operator("play")
        assert np.abs(path(apple) - alone).max() < 1e-6
        run_operator("reset")
        setattr(apple.rigid_body, name, before)
