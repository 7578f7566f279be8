# SPDX-License-Identifier: GPL-3.0-or-later
"""Air and wind: the same however frames are visited, continuous when keyed, and what the panel says."""

import importlib
import random

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants

FRAMES = range(1, 31)


@pytest.fixture
def wind(fresh):
    """The scene's wind, blowing in gusts along X."""
    bpy.context.scene.frame_end = FRAMES[-1]
    settings = bpy.context.scene.plant_dynamics.wind
    settings.source, settings.speed, settings.length_scale = "GUSTS", 6.0, 2.0
    return settings


@pytest.fixture
def winds(fresh):
    """The add-on's module of winds."""
    module = importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.dynamics.surroundings.winds")
    yield module
    for name in module.wind_names():
        module.unregister_wind(name)


def air_at(winds, frame: int, points: np.ndarray) -> np.ndarray:
    """The scene's wind at a frame when nothing went before."""
    scene = bpy.context.scene
    scene.frame_set(frame)
    field = winds.read_wind(scene)
    duration = scene.render.fps_base / scene.render.fps
    return field.begun((frame - scene.frame_start) * duration)(points, 0.0)


def samples(fresh, obj):
    """What the session of a plant has seen, frame by frame."""
    session = importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.dynamics.motion.sessions")
    return session.session_of(obj).recording.worlds


@pytest.mark.parametrize("is_animated", [False, True])
def test_a_windy_bake_equals_the_preview_in_any_order(wind, run_operator, is_animated):
    obj = plants.grow("broad_leaf")
    if is_animated:
        plants.key_location(obj, {1: (0, 0, 0), 12: (0.1, 0, 0)})
        for frame, speed in ((1, 2.0), (15, 8.0), (30, 0.0)):
            wind.speed = speed
            bpy.context.scene.keyframe_insert("plant_dynamics.wind.speed", frame=frame)
    run_operator("play")
    straight = plants.played(obj, FRAMES)
    assert np.ptp(straight[:, :, :3, 3], axis=0).max() > 0.002, "gusts must show"
    run_operator("reset")
    run_operator("play")
    chance = random.Random(7)
    for frame in [chance.choice(FRAMES) for _ in range(30)]:
        plants.show(frame)
        assert np.array_equal(plants.matrices(obj), straight[frame - 1]), f"frame {frame}"
    run_operator("bake")
    assert np.abs(plants.played(obj, FRAMES) - straight).max() < 1e-5
    run_operator("clear_bake")
    assert not obj.plant_dynamics.is_baked


def test_a_keyed_speed_changes_the_wind_without_a_jump(wind, fresh, run_operator):
    """Gusts travel by the sum of the speeds, not by the present speed times the time."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 10001, 10024
    obj = plants.grow("inflorescence")
    obj.plant_dynamics.flutter = 0.0  # without eddies
    points = np.array([[0.1, 0.2, 0.3], [0.5, -0.1, 0.4]])
    runs = []
    for speed in (6.0, 6.012):
        for frame, value in ((10001, 6.0), (10010, 6.0), (10012, speed)):
            wind.speed = value
            scene.keyframe_insert("plant_dynamics.wind.speed", frame=frame)
        run_operator("play")
        seen = samples(fresh, obj)
        runs.append(np.array([s.wind(points, s.time) for s in seen]))
        run_operator("reset")
    ways = np.diff([s.wind.travelled for s in seen])
    speeds = np.array([s.wind.speed for s in seen])
    assert np.ptp(speeds) == pytest.approx(0.012, rel=1e-3)
    assert ways == pytest.approx(0.5 * (speeds[1:] + speeds[:-1]) / 24, rel=1e-9)
    assert np.array_equal(runs[0][:9], runs[1][:9])
    assert np.abs(runs[0] - runs[1]).max() < 0.2


def test_a_constant_wind_is_a_function_of_the_time_since_the_start(wind, winds, fresh, run_operator):
    obj = plants.grow("inflorescence")
    obj.plant_dynamics.flutter = 0.0  # without eddies
    run_operator("play")
    points = np.random.default_rng(1).normal(size=(5, 3))
    seen = [s.wind(points, s.time) for s in samples(fresh, obj)]
    for frame in (1, 9, 30):
        assert seen[frame - 1] == pytest.approx(air_at(winds, frame, points), abs=1e-9)
    bpy.context.scene.frame_start = 9
    run_operator("reset")
    run_operator("play")
    assert samples(fresh, obj)[0].wind(points, 0.0) == pytest.approx(seen[0], abs=1e-9)


@pytest.mark.parametrize(("speed", "flutter", "share"), [
    (2.0, 1.0, 0.476), (8.0, 1.0, 0.189), (8.0, 0.5, 0.0945), (20.0, 1.0, 0.1026), (0.5, 1.0, 0.5),
])  # fmt: skip
def test_eddies_go_with_what_drag_takes_from_the_wind(wind, fresh, run_operator, speed, flutter, share):
    """Their speed with the third root of the wind's, but half of it at most."""
    obj = plants.grow("inflorescence")
    wind.speed, obj.plant_dynamics.flutter = speed, flutter
    run_operator("play")
    points = np.random.default_rng(1).uniform(-20.0, 20.0, (4000, 3))
    blown = samples(fresh, obj)[0].wind
    eddies = blown(points, 0.0) - blown.without_eddies()(points, 0.0)
    assert eddies.std(axis=0) == pytest.approx(share * speed, rel=0.1)


def test_turning_the_wind_by_a_little_changes_it_by_a_little(wind, winds):
    points = np.array([[0.3, 0.2, 0.5]])
    before = air_at(winds, 1000, points)
    wind.direction = (np.cos(1e-4), np.sin(1e-4), 0.0)
    assert np.abs(air_at(winds, 1000, points) - before).max() < 0.01


def test_a_loop_repeats(wind, winds):
    wind.use_loop, wind.loop_frames = True, 20
    points = np.random.default_rng(2).normal(size=(4, 3))
    assert air_at(winds, 3, points) == pytest.approx(air_at(winds, 23, points), abs=1e-6)
    assert np.abs(air_at(winds, 3, points) - air_at(winds, 13, points)).max() > 0.1
    wind.use_loop = False
    assert np.abs(air_at(winds, 3, points) - air_at(winds, 23, points)).max() > 0.1


def test_another_seed_spectrum_and_profile_are_other_winds(wind, winds):
    points = np.array([[0.0, 0.0, 0.5]])
    first = air_at(winds, 5, points)
    wind.seed = 4
    other = air_at(winds, 5, points)
    wind.spectrum = "KAIMAL"
    kaimal = air_at(winds, 5, points)
    wind.height_exponent = 0.25
    low = air_at(winds, 5, points)
    assert np.abs(first - other).max() > 0.01
    assert np.abs(kaimal - other).max() > 0.01
    assert low == pytest.approx(kaimal * (0.5 / 10.0) ** 0.25)
    wind.turbulence_intensity = wind.height_exponent = 0.0
    assert air_at(winds, 5, points) == pytest.approx(np.array([[6.0, 0.0, 0.0]]))


@pytest.mark.parametrize(
    ("preset", "source", "speed", "gustiness", "size"),
    [
        ("BREEZE", "GUSTS", 3.0, 0.35, 10.0),
        ("WIND", "GUSTS", 8.0, 0.2, 30.0),
        ("STORM", "GUSTS", 20.0, 0.15, 60.0),
    ],
)
def test_wind_presets_set_what_they_say(wind, run_operator, preset, source, speed, gustiness, size):
    wind.use_air = False
    run_operator("wind_preset", preset=preset)
    assert (wind.use_air, wind.source) == (True, source)
    assert (wind.speed, wind.turbulence_intensity, wind.length_scale) == pytest.approx((speed, gustiness, size))
    run_operator("wind_preset", preset="STILL")
    assert wind.source == "STILL"


def test_wind_bends_a_stem_with_the_square_of_its_speed(wind, run_operator):
    obj = plants.chain(6)
    run_operator("make_dynamic")
    obj.plant_dynamics.gravity_factor, obj.plant_dynamics.young_modulus = 0.0, 5000.0
    wind.turbulence_intensity, wind.direction = 0.0, (0.0, 1.0, 0.0)
    sway = []
    for speed in (3.0, 6.0):
        wind.speed = speed
        run_operator("play")
        plants.show(1)
        sway.append(plants.tip(obj, "Bone.5")[1])
        run_operator("reset")
    assert sway[0] > 1e-5
    assert sway[1] / sway[0] == pytest.approx(4.0, rel=0.02)
    # A cylinder of 8 mm, 0.6 m long, with an even load: q l^4 / (8 E I)
    load = 0.5 * 1.225 * 1.2 * 0.008 * 3.0**2
    inertia = np.pi / 4 * 0.004**4
    assert sway[0] == pytest.approx(load * 0.6**4 / (8 * 5e9 * inertia), rel=0.01)


def test_still_air_calms_leaves_and_can_be_taken_away(fresh, run_operator):
    scene, swings = bpy.context.scene, []
    scene.frame_end = 48
    obj = plants.grow("broad_leaf")
    obj.plant_dynamics.damping_factor = 0.05
    plants.key_location(obj, {1: (0, 0, 0), 6: (0.2, 0, 0)})
    for use_air, factor in ((True, 1.0), (False, 1.0), (True, 0.0)):
        scene.plant_dynamics.wind.use_air = use_air
        obj.plant_dynamics.air_factor = factor
        run_operator("play")
        swings.append(plants.played(obj, range(30, 49))[:, :, :3, 3].std(axis=0).max())
        run_operator("reset")
    assert swings[0] < 0.7 * swings[1]
    assert swings[1] == pytest.approx(swings[2], rel=1e-6)


def test_leaves_grow_with_the_area_of_their_blades(fresh):
    obj = plants.grow("broad_leaf")
    bones = [bone.plant_dynamics for bone in obj.data.bones]
    assert {b.organ for b in bones if b.blade_area > 0.0} == {"leaf"}
    mesh = next(child for child in obj.children if child.type == "MESH" and child.name.endswith("Mesh")).data
    index = next(i for i, m in enumerate(mesh.materials) if "Leaf" in m.name.split())
    area = sum(face.area for face in mesh.polygons if face.material_index == index) / 2  # leaves have two sides
    assert sum(b.blade_area for b in bones) == pytest.approx(area, rel=0.02)


def test_water_carries_and_presets_of_media(wind, run_operator):
    wind.source = "STILL"
    obj = plants.chain(6)
    run_operator("make_dynamic")
    obj.plant_dynamics.density = 500.0
    heights = []
    for medium in ("AIR", "WATER"):
        run_operator("medium_preset", medium=medium)
        run_operator("play")
        plants.show(1)
        heights.append(plants.tip(obj, "Bone.5")[2])
        run_operator("reset")
    assert wind.buoyancy
    assert wind.air_density == pytest.approx(1000.0)
    assert heights[0] < -1e-3
    assert heights[1] == pytest.approx(-heights[0], rel=0.01), "half as heavy as water: it rises as it sank"


def test_a_script_wind(winds, fresh, run_operator):
    scene = bpy.context.scene
    scene.frame_end = 12
    settings = scene.plant_dynamics.wind
    settings.source, settings.custom = "CUSTOM", "Puff"
    obj = plants.grow("inflorescence")
    with pytest.raises(RuntimeError, match="no wind 'Puff': run the script"):
        run_operator("play")
    winds.register_wind("Puff", lambda points, time: np.tile([0.0, 8.0 * np.sin(9.0 * time), 0.0], (len(points), 1)))
    run_operator("play")
    straight = plants.played(obj, range(1, 13))
    assert np.ptp(straight[:, :, 1, 3], axis=0).max() > 1e-3
    plants.show(5)
    assert np.array_equal(plants.matrices(obj), straight[4])
    winds.register_wind("Puff", lambda points, time: points[:, :2])
    run_operator("reset")
    with pytest.raises(RuntimeError, match="wind"):
        run_operator("play")
    winds.register_wind("Puff", lambda points, time: 1 / 0)
    with pytest.raises(RuntimeError, match="'Puff' failed: ZeroDivisionError"):
        run_operator("play")


def test_a_change_of_the_wind_reaches_all_plants_of_the_scene(wind, run_operator):
    both = [plants.grow("inflorescence"), plants.grow("inflorescence")]
    run_operator("play")
    before = [plants.played(obj, range(20, 21)) for obj in both]
    wind.speed = 15.0
    bpy.context.view_layer.update()
    for obj, old in zip(both, before, strict=True):
        assert np.abs(plants.played(obj, range(20, 21)) - old).max() > 1e-3


def test_still_air_is_no_water(wind, run_operator):
    run_operator("medium_preset", medium="WATER")
    run_operator("wind_preset", preset="STILL")
    assert wind.air_density == pytest.approx(1.225)
    assert not wind.buoyancy


def test_a_script_wind_without_a_name_is_still_air(wind, run_operator):
    obj = plants.grow("inflorescence")
    wind.source = "STILL"
    run_operator("play")
    still = plants.played(obj, range(1, 6))
    wind.source = "CUSTOM"
    assert np.array_equal(plants.played(obj, range(1, 6)), still)
    assert obj.plant_dynamics.live


def test_cupped_blades_catch_more_of_the_wind_into_them(wind, run_operator):
    """Next to all drag is the last bone's blade's: it leans by 1.58 over 0.42 as far one way as the other."""
    wind.turbulence_intensity = 0.0
    obj = plants.chain(3)
    for bone in obj.data.bones:
        bone.plant_dynamics.drag_factor = 0.01
    last = obj.data.bones[-1].plant_dynamics
    last.drag_factor, last.blade_area, last.blade_cup = 1.0, 0.04, 0.58
    run_operator("make_dynamic")
    obj.plant_dynamics.gravity_factor, obj.plant_dynamics.young_modulus = 0.0, 2e10
    bone, leans = obj.pose.bones[-1], []
    out = (obj.matrix_world.to_3x3() @ bone.bone.matrix_local.to_3x3()).col[2]
    plants.show(1)
    drawn = plants.tip(obj, bone.name).copy()
    for way in (-1.0, 1.0):
        wind.direction = way * out
        run_operator("play")
        plants.show(1)
        leans.append(abs((plants.tip(obj, bone.name) - drawn).dot(out)))
        run_operator("reset")
    assert leans[0] < 0.02
    assert leans[0] / leans[1] == pytest.approx(1.58 / 0.42, rel=0.05)
