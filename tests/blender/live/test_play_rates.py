# SPDX-License-Identifier: GPL-3.0-or-later
"""The same motion at every frame rate, in the whole way from Play to the pose."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.forms import IS_FULL


@pytest.fixture(scope="module")
def reference(addon) -> np.ndarray:
    """The way at 24 frames a second."""
    return _pushed_tip(24, 1.0)


@pytest.mark.parametrize(
    ("fps", "fps_base"), [(30, 1.001), (60, 1.0), *([(25, 1.0), (30, 1.0)] if IS_FULL else [])]
)
def test_the_motion_does_not_depend_on_the_frame_rate(fresh, reference, fps, fps_base):
    length = np.linalg.norm(np.diff(reference, axis=0), axis=1).sum()
    assert np.abs(reference - _pushed_tip(fps, fps_base)).max() < 0.01 * length


def _pushed_tip(fps: int, fps_base: float) -> np.ndarray:
    """(17, 3) tip every quarter of a second over 4 s, in a file of its own; the base moves smoothly."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = fps, fps_base
    rate = fps / fps_base
    obj = plants.grow("inflorescence")
    bone = plants.tip_bone(obj)
    for axis, amplitude in ((0, 0.05), (1, 0.02)):
        driver = obj.driver_add("location", axis).driver
        driver.expression = f"{amplitude} * sin((frame - 1) / {rate} * {2.0 + axis})"
    scene.frame_start, scene.frame_end = 1, int(np.ceil(4.0 * rate)) + 2
    assert bpy.ops.plant_dynamics.play() == {"FINISHED"}
    tips, times = [], []
    for frame in range(1, scene.frame_end + 1):
        plants.show(frame)
        tips.append(plants.tip(obj, bone))
        times.append((frame - 1) / rate)
    return np.stack([np.interp(np.linspace(0.0, 4.0, 17), times, np.array(tips)[:, k]) for k in range(3)], axis=1)
