# SPDX-License-Identifier: GPL-3.0-or-later
"""Baked motion: steps, fewer keys within an error that holds, and loops whose end is their beginning."""

import importlib

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.baked import TARGETS, baked_curves

_LAST = 60


@pytest.fixture
def thrown(fresh):
    """A chain that is jerked about and swings far."""
    bpy.context.scene.frame_end = _LAST
    obj = plants.chain(8)
    assert bpy.ops.plant_dynamics.make_dynamic() == {"FINISHED"}
    plants.key_location(obj, {1: (0, 0, 0), 6: (0.2, 0.15, 0), 12: (-0.1, 0, 0.12), 18: (0, 0, 0), 25: (0, 0, 0)})
    obj.plant_dynamics.young_modulus = 60.0
    obj.plant_dynamics.damping_time = 0.02
    return obj


def rotations(obj, frames):
    """(frames, bones, 4) unit quaternions as Blender evaluates the baked curves."""
    curves = baked_curves(obj)
    bones = sorted({path for path, _ in curves})
    q = np.array([[[curves[path, k].evaluate(frame) for k in range(4)] for path in bones] for frame in frames])
    return q / np.linalg.norm(q, axis=2, keepdims=True)


def angles(a, b):
    """Rotation angles (rad) between unit quaternions; exact for small ones."""
    flip = np.where(np.einsum("...k,...k->...", a, b) < 0.0, -1.0, 1.0)[..., None]
    return 4.0 * np.arcsin(np.clip(0.5 * np.linalg.norm(a - flip * b, axis=-1), 0.0, 1.0))


FINE = np.arange(1.0, _LAST + 1e-6, 0.125)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("degrees", [0.02, 0.1, 1.0])
def test_fewer_keys_stay_within_the_error_between_frames_too(thrown, run_operator, target, degrees):
    run_operator("bake")
    full = rotations(thrown, FINE)
    assert angles(full[:1], full).max() > np.radians(20.0)
    run_operator("bake", target=target, use_decimation=True, max_error=np.radians(degrees))
    error = angles(rotations(thrown, FINE), full).max()
    assert error <= np.radians(degrees)
    assert error > 0.2 * np.radians(degrees), "the bound is of use"
    counts = [len(curve.keyframe_points) for curve in baked_curves(thrown).values()]
    assert sum(counts) < _LAST * len(counts)
    assert {curve.keyframe_points[0].co[0] for curve in baked_curves(thrown).values()} == {1.0}
    assert {curve.keyframe_points[-1].co[0] for curve in baked_curves(thrown).values()} == {float(_LAST)}


def test_a_larger_error_needs_fewer_keys(thrown, fresh, run_operator):
    baking = importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.baking.bake")
    counts = []
    for degrees in (0.0, 0.02, 0.2, 2.0):
        options = baking.BakeOptions(1, _LAST, max_error=np.radians(degrees))
        counts.append(baking.bake_now(bpy.context, thrown, options)[0].keys_each)
    assert counts[0] == _LAST
    assert counts[0] > counts[1] > counts[2] > counts[3] >= 2.0


def test_a_plant_at_rest_needs_two_keys(fresh, run_operator):
    bpy.context.scene.frame_end = _LAST
    obj = plants.chain()
    run_operator("make_dynamic")
    run_operator("bake", use_decimation=True, max_error=np.radians(0.01))
    assert {len(curve.keyframe_points) for curve in baked_curves(obj).values()} == {2}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("degrees", [0.05, 0.5, 5.0])
def test_the_bound_holds_for_any_motion(fresh, seed, degrees):
    """Random walks, jumps of up to 150 degrees and sines, evaluated a hundred times between frames in double."""
    decimate = importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.baking.decimate")
    chance = np.random.default_rng(seed)
    n, bones = 97, 12
    frames = np.arange(n) if seed % 2 else np.cumsum(chance.integers(1, 4, n))
    rates = chance.normal(size=(n, bones, 3)) * chance.choice([0.001, 0.02, 0.3], size=(1, bones, 1))
    rates[:, ::3] = np.sin(frames[:, None, None] * chance.uniform(0.05, 0.6, (1, rates[:, ::3].shape[1], 3)))
    half = 0.5 * np.cumsum(rates, axis=0) if seed < 4 else 0.5 * rates
    size = np.linalg.norm(half, axis=2, keepdims=True)
    q = np.concatenate([np.cos(size), np.sin(size) / np.maximum(size, 1e-12) * half], axis=2)
    channels = importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.dynamics.rig.rotation_channels")
    q = channels.continuous(q)
    mask = decimate.needed_keys(frames, q, np.radians(degrees))
    times = np.linspace(frames[0], frames[-1], 4000)
    kept = 0
    for bone in range(bones):
        keys = mask[:, bone]
        assert keys[0]
        assert keys[-1]
        full = np.stack([np.interp(times, frames, q[:, bone, k]) for k in range(4)], axis=1)
        few = np.stack([np.interp(times, frames[keys], q[keys, bone, k]) for k in range(4)], axis=1)
        full /= np.linalg.norm(full, axis=1, keepdims=True)
        few /= np.linalg.norm(few, axis=1, keepdims=True)
        assert angles(full, few).max() <= np.radians(degrees)
        kept += keys.sum()
    assert kept < n * bones


def test_fewer_keys_take_time_in_proportion_to_the_number_of_frames(fresh):
    """A motion that makes top-down cutting quadratic, for each cut takes one frame off the end."""
    decimate = importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.baking.decimate")
    passes = []
    inner = decimate.cuts
    for n in (256, 4096):
        calls = []
        decimate.cuts = lambda *arguments, calls=calls: calls.append(1) or inner(*arguments)
        try:
            angle = 1e-3 * np.exp2(np.minimum(np.arange(n), n)[::-1] * (-40.0 / n))[:, None] * np.arange(n)[:, None] % 1
            q = np.stack([np.cos(angle), np.sin(angle), 0 * angle, 0 * angle], axis=2)
            decimate.needed_keys(np.arange(n), q, 1e-5)
        finally:
            decimate.cuts = inner
        passes.append(len(calls))
    assert passes[1] <= np.log(4096) / np.log(8.0 / 7.0) + 3
    assert passes[1] <= 2.0 * passes[0]


@pytest.mark.parametrize("step", [3, 7])
def test_a_step_keys_every_nth_frame_and_the_last(thrown, run_operator, step):
    run_operator("bake")
    full = rotations(thrown, range(1, _LAST + 1))
    run_operator("bake", step=step)
    expected = [float(frame) for frame in range(1, _LAST + 1, step)]
    expected += [float(_LAST)] * (expected[-1] != _LAST)
    for curve in baked_curves(thrown).values():
        assert [point.co[0] for point in curve.keyframe_points] == expected
    index = [int(frame) - 1 for frame in expected]
    assert angles(rotations(thrown, expected), full[index]).max() < 1e-5


@pytest.mark.parametrize("first", [1, 20])
def test_a_loop_ends_as_it_begins_in_pose_and_velocity(thrown, run_operator, first):
    run_operator("bake")
    full = rotations(thrown, np.arange(1, _LAST + 1))
    run_operator("bake", frame_range="CUSTOM", frame_start=first, frame_end=_LAST, use_loop=True, loop_frames=16)
    frames = np.arange(first, _LAST + 1)
    loop = rotations(thrown, frames)
    assert angles(full[first - 1], full[-1]).max() > 0.02, "without blending the end is another pose"
    assert angles(loop[-1], loop[0]).max() < 1e-6
    assert angles(loop[:-16], full[first - 1 : -16]).max() < 1e-6
    # The last step is the one that led to the first frame, or none where the plant hung still before it.
    led = angles(full[first - 1], full[first - 2]).max() if first > 1 else 0.0
    assert abs(angles(loop[-1], loop[-2]).max() - led) < 0.004
    if first > 1:
        assert led > 0.01
        assert angles(loop[-2], full[first - 2]).max() < 0.004
    # Nowhere in the blend is it faster than the motions that are blended, by more than it takes to get from one to the
    # other in 16 frames at the weight's steepest, 15 / 8 of the mean.
    steps = angles(loop[1:], loop[:-1])
    gap = angles(full[-17:], full[first - 1]).max() + angles(full[first - 1], full[max(0, first - 17)]).max()
    assert steps.max() <= angles(full[1:], full[:-1]).max() + 15.0 / 8.0 * gap / 16.0


def test_a_loop_must_fit_into_the_range(thrown, run_operator):
    with pytest.raises(RuntimeError, match="fewer Blend Frames"):
        run_operator("bake", frame_range="CUSTOM", frame_start=1, frame_end=10, use_loop=True, loop_frames=9)


def test_a_looping_step_and_fewer_keys_together(thrown, run_operator):
    run_operator("bake", step=2, use_loop=True, loop_frames=12, use_decimation=True, max_error=np.radians(0.2))
    ends = rotations(thrown, [1, _LAST])
    assert angles(ends[0], ends[1]).max() < 1e-6


def test_the_preview_range_and_the_scenes(thrown, run_operator):
    scene = bpy.context.scene
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, 11, 20
    run_operator("bake", frame_range="PREVIEW")
    assert tuple(thrown.animation_data.action.frame_range) == (1.0, 25.0)  # the object's own keys
    assert {len(curve.keyframe_points) for curve in baked_curves(thrown).values()} == {10}
    scene.use_preview_range = False
    run_operator("bake", frame_range="PREVIEW")
    assert {len(curve.keyframe_points) for curve in baked_curves(thrown).values()} == {_LAST}
