# SPDX-License-Identifier: GPL-3.0-or-later
"""A file that version 0.1 saved opens and moves as it did there; see README.md."""

import importlib
import shutil
from pathlib import Path

import bpy
import numpy as np
import pytest

from solver.math.rotations import conjugate, logarithm, multiply
from tests.blender.scenes import plants

STORED = Path(__file__).parent
FRAMES = range(1, 25)
#: Degrees. Blender keeps turns in single precision, which is 1e-5; what is summed in another order since is not more.
#: The gusts turn bones by up to fifty degrees, so that another law or other steps would be seen.
CLOSE = 1e-3
NAMES = ("Drawn", "Grown")

pytestmark = pytest.mark.skipif(bpy.app.version < (4, 5), reason="the file is of Blender 4.5")


@pytest.fixture
def opened(fresh, tmp_path):
    """The file, copied so that nothing is written beside it; gives the extension's root module."""
    shutil.copy(STORED / "plants.blend", tmp_path)
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "plants.blend"))
    return fresh


def commands(addon):
    return importlib.import_module(f"{addon.__name__}.plant_dynamics_addon.commands")


def turns(obj: bpy.types.Object) -> np.ndarray:
    """(bones, 4) quaternions of the evaluated pose."""
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array([tuple(bone.rotation_quaternion) for bone in evaluated.pose.bones])


def degrees(q: np.ndarray) -> np.ndarray:
    return np.degrees(np.linalg.norm(logarithm(q), axis=-1))


def bones_of_leaves(obj: bpy.types.Object) -> list[int]:
    """How many bones every leaf has."""
    first = [bone for bone in obj.data.bones if is_leaf(bone) and not is_leaf(bone.parent)]
    return [1 + sum(map(is_leaf, bone.children_recursive)) for bone in first]


def is_leaf(bone: bpy.types.Bone) -> bool:
    return bone.plant_dynamics.organ == "leaf"


def test_plants_of_the_first_version_move_as_they_did(opened) -> None:
    stored = np.load(STORED / "motion.npz")
    objects = {name.lower(): bpy.data.objects[name] for name in NAMES}
    for name, obj in objects.items():
        assert obj.plant_dynamics.is_dynamic
        assert obj.plant_dynamics.live
        assert obj.pose.bones.keys() == stored[f"{name}_bones"].tolist()
    found = {name: [] for name in objects}
    for frame in FRAMES:
        plants.show(frame)
        for name, obj in objects.items():
            found[name].append(turns(obj))
    for name, moved in (("drawn", 2.0), ("grown", 20.0)):
        was, now = stored[name].astype(float), np.array(found[name])
        assert np.ptp(degrees(was), axis=0).max() > moved
        assert degrees(multiply(conjugate(was), now)).max() < CLOSE, name


def test_what_came_since_is_off_in_files_of_the_first_version(opened) -> None:
    for name in NAMES:
        obj = bpy.data.objects[name]
        assert obj.plant_dynamics.section == "ROUND"
        assert {bone.plant_dynamics.section for bone in obj.data.bones} == {"PLANT"}
    assert bones_of_leaves(bpy.data.objects["Grown"]) == [1] * 5


def test_grown_again_from_what_it_was_grown_from_its_leaves_have_one_bone(opened) -> None:
    grown = bpy.data.objects["Grown"]
    assert commands(opened).regrow(grown) == []
    assert bones_of_leaves(bpy.context.object) == [1] * 7, "the preset ends in a pair of young ones since"


def test_its_preset_grown_anew_has_the_new_leaves(opened) -> None:
    plant = commands(opened).grow("broad_leaf", constants={"leaves": 5})
    assert min(bones_of_leaves(plant)) >= 3
    assert {bone.plant_dynamics.section for bone in plant.data.bones if is_leaf(bone)} == {"FLAT"}
