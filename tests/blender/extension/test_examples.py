# SPDX-License-Identifier: GPL-3.0-or-later
"""The example scenes: what the scripts make opens, plays and moves."""

import importlib.util
from pathlib import Path

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.extension import REPOSITORY
from tests.forms import IS_FULL

#: As many frames are played, of so many that Play reads.
PLAYED, LAST = (60, 96) if IS_FULL else (30, 40)
NAMES = ("pushed_pot", "windy_reeds", "toy_caterpillar", "hung_garland", "tied_vine", "climbing_shoot", "tong")


@pytest.fixture(scope="module")
def examples(addon):
    spec = importlib.util.spec_from_file_location("scenes", REPOSITORY / "examples" / "scenes.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", NAMES)
def test_a_scene_opens_and_plays(fresh, examples, tmp_path, run_operator, name):
    assert tuple(examples.SCENES) == NAMES
    examples.SCENES[name]()
    path = tmp_path / f"{name}.blend"
    examples.commands.save(path)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.ops.wm.open_mainfile(filepath=str(path))
    assert bpy.context.scene.camera is not None
    found = examples.commands.plants()
    bpy.context.scene.frame_end = LAST
    run_operator("play")
    poses = {obj.name: [] for obj in found}
    for frame in range(1, PLAYED + 1):
        plants.show(frame)
        for obj in found:
            assert obj.plant_dynamics.live, f"{obj.name} stopped at frame {frame}"
            if frame % 10 == 0:
                poses[obj.name].append(plants.matrices(obj)[:, :3, 3])
    for obj in found:
        assert np.ptp(np.array(poses[obj.name]), axis=0).max() > 0.003, f"{obj.name} stands still"


def test_the_files_beside_the_scripts_are_those_scenes(fresh, examples):
    for name in NAMES:
        path = Path(REPOSITORY / "examples" / f"{name}.blend")
        bpy.ops.wm.open_mainfile(filepath=str(path))
        examples.commands.plants()
        assert bpy.context.scene.camera is not None
