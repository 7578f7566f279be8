# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants in each other's shelter: behind others they bend less, the same in any order, baked and played."""

import importlib
import math
import random

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.field_scenes import library

FRAMES = range(1, 25)


@pytest.fixture
def wind(fresh):
    """The scene's wind, an even one of 4 m/s along Y."""
    bpy.context.scene.frame_end = FRAMES[-1]
    settings = bpy.context.scene.plant_dynamics.wind
    settings.source, settings.speed, settings.direction = "GUSTS", 4.0, (0.0, 1.0, 0.0)
    settings.turbulence_intensity, settings.length_scale = 0.0, 2.0
    return settings


def leafy_chain(run_operator, y: float, area: float = 0.0, name: str = "Chain") -> bpy.types.Object:
    """A plant of a chain of bones along X at this y, with blades of so much area (m2) a bone that face the wind."""
    bpy.ops.object.select_all(action="DESELECT")
    obj = plants.chain(6, name=name)
    obj.location, obj.rotation_euler = (0.0, y, 1.0), (math.pi / 2, 0.0, 0.0)
    for bone in obj.data.bones:
        bone.plant_dynamics.blade_area = area
    run_operator("make_dynamic")
    obj.plant_dynamics.gravity_factor, obj.plant_dynamics.young_modulus = 0.0, 5000.0
    bpy.context.view_layer.update()
    return obj


def play(run_operator, *objects) -> None:
    for obj in objects:
        obj.select_set(True)
    bpy.context.view_layer.objects.active = objects[0]
    run_operator("play")


def sway(obj, frame: int = 1) -> float:
    """How far (m) the tip is blown along Y at a frame."""
    plants.show(frame)
    return float(plants.tip(obj, "Bone.5")[1] - obj.location.y)


def swaying(run_operator, *objects) -> list[float]:
    play(run_operator, *objects)
    found = [sway(obj) for obj in objects]
    run_operator("reset")
    return found


def samples(fresh, obj):
    sessions = importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.dynamics.motion.sessions")
    return sessions.session_of(obj).recording.worlds


def test_the_one_behind_bends_less(wind, run_operator):
    """By the square of what is left of the wind where blades of 0.1 m by 0.2 m stand."""
    pair = leafy_chain(run_operator, 0.0, 0.02, "Front"), leafy_chain(run_operator, 0.6, 0.0, "Rear")
    free = swaying(run_operator, *pair)
    wind.shelter = 1.0
    front, rear = swaying(run_operator, *pair)
    assert free[1] > 1e-4
    assert front == pytest.approx(free[0], rel=0.02), "nothing stands before it"
    assert rear < 0.85 * free[1]
    wind.shelter = 0.5
    assert rear < swaying(run_operator, *pair)[1] < free[1]
    wind.shelter, wind.direction = 1.0, (0.0, -1.0, 0.0)
    turned = swaying(run_operator, *pair)
    assert turned[1] == pytest.approx(-free[1], rel=0.02), "now it is the first"


def test_a_plant_alone_bends_as_without(wind, run_operator):
    obj = leafy_chain(run_operator, 0.0)
    free = swaying(run_operator, obj)
    wind.shelter = 1.0
    assert swaying(run_operator, obj) == pytest.approx(free, rel=0.01)


def test_without_shelter_nothing_changes(wind, fresh, run_operator):
    """To the last bit, and nor does what is read: old files move as they did."""
    wind.turbulence_intensity = 0.3
    pair = leafy_chain(run_operator, 0.0, 0.02, "Front"), leafy_chain(run_operator, 0.6, 0.0, "Rear")
    play(run_operator, *pair)
    before = [plants.played(obj, FRAMES) for obj in pair]
    assert samples(fresh, pair[1])[0].wind.windbreak is None
    wind.shelter = 1.0
    assert np.abs(plants.played(pair[1], FRAMES) - before[1]).max() > 1e-4
    assert samples(fresh, pair[1])[0].wind.windbreak is not None
    wind.shelter = 0.0
    for obj, motion in zip(pair, before, strict=True):
        assert np.array_equal(plants.played(obj, FRAMES), motion)


@pytest.fixture
def moving_pair(wind, run_operator):
    """One plant behind another that comes to stand before it, in gusts."""
    wind.turbulence_intensity, wind.shelter = 0.3, 1.0
    front, rear = leafy_chain(run_operator, 0.0, 0.02, "Front"), leafy_chain(run_operator, 0.6, 0.002, "Rear")
    plants.key_location(front, {1: (2.0, 0.0, 1.0), 20: (0.0, 0.0, 1.0)})
    for frame, direction in ((1, (0.0, 1.0, 0.0)), (24, (0.3, 1.0, 0.0))):
        wind.direction = direction
        bpy.context.scene.keyframe_insert("plant_dynamics.wind.direction", frame=frame)
    return front, rear


def test_preview_bake_and_any_order_of_frames_are_one_motion(moving_pair, run_operator):
    play(run_operator, *moving_pair)
    straight = [plants.played(obj, FRAMES) for obj in moving_pair]
    run_operator("reset")
    play(run_operator, *moving_pair)
    chance = random.Random(5)
    for frame in [24, *(chance.choice(FRAMES) for _ in range(12))]:
        plants.show(frame)
        for obj, motion in zip(moving_pair, straight, strict=True):
            assert np.array_equal(plants.matrices(obj), motion[frame - 1]), f"frame {frame}"
    run_operator("reset")
    for obj in moving_pair[::-1]:
        bpy.context.view_layer.objects.active = obj
        run_operator("bake")
        assert obj.plant_dynamics.is_baked
    for obj, motion in zip(moving_pair, straight, strict=True):
        assert np.abs(plants.played(obj, FRAMES) - motion).max() < 1e-5


def test_it_does_not_matter_who_is_simulated_first_or_at_all(moving_pair, run_operator):
    front, rear = moving_pair
    play(run_operator, front, rear)
    together = plants.played(rear, FRAMES)
    run_operator("reset")
    bpy.ops.object.select_all(action="DESELECT")
    play(run_operator, rear)
    alone = plants.played(rear, FRAMES)
    assert np.array_equal(alone, together)
    bpy.ops.object.select_all(action="DESELECT")
    play(run_operator, front)
    assert np.array_equal(plants.played(rear, FRAMES), together)
    bpy.ops.object.select_all(action="DESELECT")
    bpy.context.view_layer.objects.active = front
    front.select_set(True)
    run_operator("bake")
    assert front.plant_dynamics.is_baked
    assert np.array_equal(plants.played(rear, FRAMES), together)


def test_the_plant_before_it_comes_nearer(moving_pair, fresh, run_operator):
    """The wind at the rear plant falls from frame to frame as the other comes before it."""
    play(run_operator, *moving_pair)
    plants.show(FRAMES[-1])
    point = np.array([[0.3, 0.6, 1.0]])
    left = []
    for world in samples(fresh, moving_pair[1]):
        wind = world.wind
        plain = type(wind)(wind.shape, wind.speed, wind.passing, wind.travelled)
        left.append(float(np.linalg.norm(wind(point, 0.0)) / np.linalg.norm(plain(point, 0.0))))
    assert left[0] > 0.99
    assert left[-1] < 0.9
    assert max(map(abs, np.diff(left))) < 0.1
    assert len({world.wind.windbreak.matrices for world in samples(fresh, moving_pair[1])}) > 15


CHANGES = {
    "moved": lambda front, wind: setattr(front, "location", (3.0, 0.0, 1.0)),
    "leaves": lambda front, wind: [setattr(bone.plant_dynamics, "blade_area", 0.001) for bone in front.data.bones],
    "drag": lambda front, wind: setattr(front.plant_dynamics, "air_factor", 0.1),
    "disabled": lambda front, wind: setattr(front, "hide_viewport", True),
    "removed": lambda front, wind: bpy.data.objects.remove(front),
    "share": lambda front, wind: setattr(wind, "shelter", 0.2),
    "direction": lambda front, wind: setattr(wind, "direction", (1.0, 0.5, 0.0)),
}


def test_a_cache_on_disk_knows_the_shelter_again(wind, fresh, run_operator):
    """By digests that are the same for the same plants, in whatever order they are there, and no others."""
    digest = library(fresh, "cache.digests").sample_digest
    wind.shelter = 1.0

    def read() -> bytes:
        front, rear = (bpy.data.objects[name] for name in ("Front", "Rear"))
        play(run_operator, rear)
        found = digest(samples(fresh, rear)[0])
        run_operator("reset")
        front.select_set(False)
        return found

    leafy_chain(run_operator, 0.0, 0.02, "Front"), leafy_chain(run_operator, 0.6, 0.0, "Rear")
    first = read()
    assert first is not None
    bpy.data.objects["Front"].data.bones[2].plant_dynamics.blade_area = 0.021
    other = read()
    bpy.data.objects["Front"].data.bones[2].plant_dynamics.blade_area = 0.02
    assert other != first
    assert read() == first
    wind.shelter = 0.9
    assert read() not in (first, other)
    wind.shelter = 1.0
    for name in ("Front", "Rear"):
        bpy.data.objects.remove(bpy.data.objects[name])
    leafy_chain(run_operator, 0.6, 0.0, "Rear"), leafy_chain(run_operator, 0.0, 0.02, "Front")
    assert read() == first


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of_the_one_before_it_reaches_the_one_behind(wind, run_operator, change):
    """While only the rear one is played, and as when it is played anew."""
    wind.shelter = 1.0
    front, rear = leafy_chain(run_operator, 0.0, 0.02, "Front"), leafy_chain(run_operator, 0.6, 0.0, "Rear")
    bpy.ops.object.select_all(action="DESELECT")
    play(run_operator, rear)
    before = plants.played(rear, FRAMES)
    plants.show(1)
    CHANGES[change](front, wind)
    bpy.context.view_layer.update()
    after = plants.played(rear, FRAMES)
    assert np.abs(after[-1] - before[-1]).max() > 1e-4
    run_operator("reset")
    bpy.context.view_layer.objects.active = rear
    rear.select_set(True)
    run_operator("play")
    assert np.array_equal(plants.played(rear, FRAMES)[-1], after[-1])


def test_bones_that_are_drawn_otherwise_shelter_otherwise(wind, run_operator):
    wind.shelter = 1.0
    front, rear = leafy_chain(run_operator, 0.0, 0.02, "Front"), leafy_chain(run_operator, 0.6, 0.0, "Rear")
    bpy.ops.object.select_all(action="DESELECT")
    play(run_operator, rear)
    before = sway(rear)
    bpy.context.view_layer.objects.active = front
    bpy.ops.object.mode_set(mode="EDIT")
    for bone in front.data.edit_bones:
        bone.head.z += 2.0
        bone.tail.z += 2.0
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.view_layer.update()
    assert sway(rear) > 1.1 * before


def test_plants_in_different_places_of_a_row_do_not_shelter_each_other(wind, run_operator):
    pair = leafy_chain(run_operator, 0.0, 0.02, "Front"), leafy_chain(run_operator, 0.6, 0.0, "Rear")
    free = swaying(run_operator, *pair)[1]
    wind.shelter = 1.0
    pair[0].plant_dynamics.contact.company = 3
    assert swaying(run_operator, *pair)[1] == pytest.approx(free, rel=0.01)


def test_hair_on_a_bone_shelters_where_the_bone_is(wind, fresh, run_operator):
    """The windbreak goes with a carrier that is posed, not only with the object."""
    wind.shelter = 1.0
    front, rear = leafy_chain(run_operator, 0.0, 0.02, "Front"), leafy_chain(run_operator, 0.6, 0.0, "Rear")
    front.data.bones[0].plant_dynamics.use_physics = False
    front.data.bones[0].plant_dynamics.blade_area = 0.0
    bpy.ops.object.select_all(action="DESELECT")
    near = swaying(run_operator, rear)[0]
    front.pose.bones[0].location = (0.0, 0.0, 5.0)
    bpy.context.view_layer.update()
    assert swaying(run_operator, rear)[0] > 1.1 * near


def test_the_panels_wind_only_and_only_where_it_blows(wind, fresh, run_operator):
    """Still air and a script's wind have no direction: they are as they were."""
    winds = library(fresh, "surroundings.winds")
    pair = leafy_chain(run_operator, 0.0, 0.02, "Front"), leafy_chain(run_operator, 0.6, 0.0, "Rear")
    winds.register_wind("Even", lambda points, time: np.tile([0.0, 4.0, 0.0], (len(points), 1)))
    wind.source, wind.custom = "CUSTOM", "Even"
    free = swaying(run_operator, *pair)
    wind.shelter = 1.0
    assert swaying(run_operator, *pair) == free
    wind.source = "STILL"
    assert np.abs(swaying(run_operator, *pair)).max() < 1e-6
    winds.unregister_wind("Even")
