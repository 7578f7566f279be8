# SPDX-License-Identifier: GPL-3.0-or-later
"""The demo's cases grow, move and bake, and its pictures are framed; rendering is left to tools/demo.sh."""

import argparse
import importlib
from pathlib import Path

import numpy as np
import pytest

from tests.forms import IS_FULL

TOOLS = Path(__file__).resolve().parents[3] / "tools"


@pytest.fixture
def demo_shots(fresh, monkeypatch):
    import bpy

    monkeypatch.syspath_prepend(str(TOOLS))
    edit = bpy.context.preferences.edit
    before = edit.keyframe_new_interpolation_type
    edit.keyframe_new_interpolation_type = "LINEAR"
    yield importlib.import_module("demo_shots")
    edit.keyframe_new_interpolation_type = before


#: Those that take as long as all others together are left to the full form.
CASES = sorted(set(range(11)) - (set() if IS_FULL else {6, 8}))


@pytest.mark.parametrize("number", CASES)
def test_case_moves_and_stays_in_the_picture(demo_shots, number):
    import bpy

    case = demo_shots.CASES[number]
    plant = demo_shots.act_out(case, print)
    assert plant.plant_dynamics.is_baked
    demo_shots.dress(case, plant, argparse.Namespace(size=64, samples=1))
    scene = bpy.context.scene
    visible = demo_shots.plant_objects(plant)
    poses, floor = [], min(demo_shots.studio.world_points([bpy.data.objects["Backdrop"]])[:, 2])
    for frame in case.stills:
        scene.frame_set(frame)
        points = demo_shots.studio.world_points(visible, every=11)
        assert np.isfinite(points).all()
        lowest = min(floor, poses[0][:, 2].min()) if poses else floor - 0.1  # a trunk begins in the ground
        assert points[:, 2].min() > lowest - 0.02, "the plant must not hang through the floor"
        seen = in_the_picture(scene, points)
        assert seen.min() > 0.0
        assert seen.max() < 1.0
        poses.append(points)
    moved = max(np.abs(pose - poses[0]).max() for pose in poses)
    assert moved > 0.02


def in_the_picture(scene, points):
    """(n, 2) shares of the picture's width and height, of points before its perspective camera."""
    matrix = np.array(scene.camera.matrix_world.normalized())
    local = (points - matrix[:3, 3]) @ matrix[:3, :3]
    assert (local[:, 2] < 0.0).all(), "before it"
    frame = np.array(scene.camera.data.view_frame(scene=scene))
    right_top, left_bottom = (corner[:2] / -corner[2] for corner in (frame[0], frame[2]))
    return (local[:, :2] / -local[:, 2:] - left_bottom) / (right_top - left_bottom)


def test_shares_of_the_picture_are_blenders(demo_shots):
    import bpy
    from bpy_extras.object_utils import world_to_camera_view
    from mathutils import Vector

    scene = bpy.context.scene
    scene.camera = demo_shots.studio.add_camera(scene, np.eye(3), 30.0, 20.0, margin=0.1)
    bpy.context.view_layer.update()
    expected = [world_to_camera_view(scene, scene.camera, Vector(point))[:2] for point in np.eye(3)]
    np.testing.assert_allclose(in_the_picture(scene, np.eye(3)), expected, atol=1e-6)


def test_sheet_puts_the_first_row_on_top(demo_shots, tmp_path):
    red, green, blue = (
        np.tile(np.array(colour, dtype=np.float32), (4, 6, 1)) for colour in np.eye(4)[:3] + np.eye(4)[3]
    )
    path = tmp_path / "sheet.png"
    demo_shots.save_sheet([[red, green], [blue, blue]], path)
    pixels = demo_shots.read_pixels(path)  # first row at the bottom
    assert pixels.shape == (8, 12, 4)
    assert pixels[7, 0, 0] == 1.0
    assert pixels[7, 11, 1] == 1.0
    assert pixels[0, 0, 2] == 1.0
