# SPDX-License-Identifier: GPL-3.0-or-later
"""Joint moments of animations whose moments are known: pendulums, shaken and falling bases, poses that stand still."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.effort.animated import (
    GRAVITY,
    INERTIA,
    LENGTH,
    MASS,
    gravity_moments,
    key,
    key_turn,
    measured,
    over,
    stick,
)

SWING, RATE = 0.9, 2.0 * np.pi * 1.5  # rad, rad/s


def pendulum(times):
    """Angle of a swing, and the moment I phi'' + m g l sin phi that it needs about a joint it hangs on."""
    angle = SWING * np.sin(RATE * times + 0.3)
    return angle, -INERTIA * RATE**2 * angle + 0.5 * MASS * GRAVITY * LENGTH * np.sin(angle)


def off_of_pendulum(fps, move):
    """(inside, at the ends) how far the moment is off, over the largest."""
    times = over(fps, fps)
    obj = stick()
    angle, expected = pendulum(times)
    move(obj, angle)
    found = measured(obj)
    assert found.cautions == ()
    across = np.abs(found.moments[:, 0, 1:]).max()
    assert across < 1e-4 * np.abs(expected).max(), "all of it is about the axis of the swing"
    off = np.abs(found.moments[:, 0, 0] - expected) / np.abs(expected).max()
    return float(off[1:-1].max()), float(off[[0, -1]].max())


def by_bone(obj, angle):
    key_turn(obj.pose.bones[0], angle)


def by_object(obj, angle):
    # The bone hangs down: its own X is the world's, or against it.
    key(obj, "rotation_euler", angle * float(np.sign(obj.data.bones[0].matrix_local[0][0])), 0)


@pytest.mark.parametrize("move", [by_bone, by_object])
def test_a_pendulum_to_the_second_order_of_the_frame_time(fresh, move):
    coarse, fine = off_of_pendulum(24, move), off_of_pendulum(96, move)
    assert coarse[0] < (RATE / 24) ** 2 / 12 * 1.6
    assert fine[0] < (RATE / 96) ** 2 / 12 * 1.6
    assert 12.0 < coarse[0] / fine[0] < 20.0
    assert coarse[1] / fine[1] > 10.0, "one-sided, and of second order too"


def test_a_shaken_base_pulls_the_bone_along(fresh):
    """m l / 2 x'', of an upright bone whose armature slides, and the same where the bone itself has location keys."""
    times = over(48, 48)
    place = 0.1 * np.sin(RATE * times)
    expected = 0.5 * MASS * LENGTH * RATE**2 * np.abs(place)
    for owner in ("object", "bone", "parent"):
        obj = stick((0.0, 0.0, 1.0), name=owner)
        if owner == "object":
            key(obj, "location", place, 0)
        elif owner == "bone":
            key(obj.pose.bones[0], "location", place, 0)
        else:
            obj.parent = bpy.data.objects.new("Cart", None)
            bpy.context.scene.collection.objects.link(obj.parent)
            key(obj.parent, "location", place, 0)
        found = measured(obj)
        assert found.cautions == ()
        off = np.abs(found.moment[:, 0] - expected) / expected.max()
        assert off[1:-1].max() < 0.005, owner
        assert off.max() < 0.02, "one-sided at the ends"


def test_a_base_that_falls_needs_nothing_and_one_that_rises_more(fresh):
    times = over(24, 24)
    obj = stick((1.0, 0.0, 0.0))
    key(obj, "location", -0.5 * GRAVITY * times**2, 2)
    assert measured(obj).moment.max() < 1e-3 * MASS * GRAVITY * LENGTH
    obj.animation_data_clear()
    key(obj, "location", 0.5 * GRAVITY * times**2, 2)
    assert measured(obj).effort == pytest.approx(2.0, rel=1e-3)


def test_an_excluded_parent_bone_carries_the_rest(fresh):
    """A lever that is not simulated turns evenly about the vertical: what it carries is pulled to its axis."""
    times = over(48, 48)
    obj = stick((0.0, 0.0, 1.0), count=2)
    bpy.ops.object.mode_set(mode="EDIT")
    arm, rod = (obj.data.edit_bones[f"Bone.{i}"] for i in range(2))
    rod.use_connect = False
    arm.tail, rod.head, rod.tail = (LENGTH, 0.0, 0.0), (LENGTH, 0.0, 0.0), (LENGTH, 0.0, LENGTH)
    bpy.ops.object.mode_set(mode="OBJECT")
    obj.data.bones["Bone.0"].plant_dynamics.use_physics = False
    turning = obj.pose.bones["Bone.0"]
    axis = int(np.argmax(np.abs(obj.data.bones["Bone.0"].matrix_local.to_3x3().row[2])))
    key_turn(turning, RATE * times, axis)
    found = measured(obj)
    assert found.bones == ("Bone.1",)
    expected = 0.5 * MASS * LENGTH * RATE**2 * LENGTH
    assert found.moment[1:-1, 0] == pytest.approx(np.full(46, expected), rel=0.004)
    assert found.moment[:, 0] == pytest.approx(np.full(48, expected), rel=0.04), "one-sided at the ends"


def posed(obj, seed):
    for bone, turn in zip(obj.pose.bones, np.random.default_rng(seed).normal(size=(9, 3)) * 0.5, strict=False):
        bone.rotation_mode = "XYZ"
        bone.rotation_euler = turn


def test_a_pose_that_stands_still_needs_its_weight_only(fresh):
    over(4, 24)
    obj = stick((1.0, 0.0, 0.0), count=6, length=0.1)
    obj.location, obj.rotation_euler = (0.3, -0.2, 0.5), (0.4, 0.2, -0.7)
    posed(obj, 3)
    plants.show(2)
    found = measured(obj)
    expected = gravity_moments(obj, found.bones)
    frames = np.array([matrix[:3, :3] for matrix in plants.matrices(obj)])
    assert np.abs(np.einsum("nij,knj->kni", frames, found.moments) - expected).max() < 2e-6 * np.abs(expected).max()
    assert np.ptp(found.moments, axis=0).max() == 0.0


def test_effort_is_one_where_the_bones_are_held_out_level(fresh):
    over(3, 24)
    obj = stick((1.0, 0.0, 0.0), count=5, length=0.1)
    found = measured(obj)
    assert found.effort == pytest.approx(np.ones((3, 5)), rel=1e-5)
    weight = np.array([MASS / LENGTH * 0.1 * (5 - i) * GRAVITY for i in range(5)])
    assert found.holding == pytest.approx(weight * 0.05 * np.arange(5, 0, -1), rel=1e-5)
    obj.rotation_euler.y = 0.5 * np.pi
    assert np.abs(measured(obj).effort).max() < 1e-5, "hanging or upright nothing has to be held"
    bpy.context.scene.use_gravity = False
    obj.rotation_euler.y = 0.0
    assert np.abs(measured(obj).effort).max() == 0.0
    bpy.context.scene.use_gravity = True
    obj.plant_dynamics.gravity_factor = 3.0
    assert measured(obj).effort == pytest.approx(np.full((3, 5), 3.0), rel=1e-5)


def test_a_scaled_armature_is_as_large_as_it_looks(fresh):
    over(3, 24)
    obj = stick((1.0, 0.0, 0.0), length=0.5 * LENGTH)
    obj.plant_dynamics.radius *= 0.5
    obj.scale = (2.0, 2.0, 2.0)
    found = measured(obj)
    assert found.cautions == ()
    assert found.moment[:, 0] == pytest.approx(np.full(3, 0.5 * MASS * GRAVITY * LENGTH), rel=1e-5)


def test_turns_far_beyond_a_circle_and_through_all_poles_are_even(fresh):
    """A bone that spins about its own axis, tilted by 90° of its parent, as no Euler angles could be differenced."""
    times = over(48, 48)
    obj = stick((1.0, 0.0, 0.0))
    bone = obj.pose.bones[0]
    bone.rotation_mode = "QUATERNION"
    spin = 2.0 * np.pi * 3.0 * times
    turned = np.column_stack([np.cos(spin / 2), np.zeros_like(spin), np.sin(spin / 2), np.zeros_like(spin)])
    signs = np.where(np.arange(len(times)) % 2, 1.0, -1.0)[:, None]  # q and -q are one rotation
    for component in range(4):
        key(bone, "rotation_quaternion", (signs * turned)[:, component], component)
    bpy.context.scene.use_gravity = False
    assert np.abs(measured(obj).moments).max() < 1e-4 * MASS * GRAVITY * LENGTH
