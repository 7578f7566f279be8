# SPDX-License-Identifier: GPL-3.0-or-later
"""Every option of the preferences acts."""

import importlib
import time
from pathlib import Path

import bpy
import pytest

from tests.blender import plants


def module(addon, name):
    return importlib.import_module(f"{addon.__name__}.plant_dynamics_addon.{name}")


@pytest.fixture
def preferences(fresh):
    """The preferences, put back to what they are after installing."""
    own = bpy.context.preferences.addons[fresh.__name__].preferences
    names = [p.identifier for p in own.bl_rna.properties if not p.is_readonly and p.identifier != "bl_idname"]
    yield own
    for name in names:
        own.property_unset(name)


def test_new_plants_begin_as_preferred(preferences, run_operator):
    assert plants.grow("broad_leaf").plant_dynamics.start == "settled"
    preferences.start = "keep_shape"
    assert plants.grow("broad_leaf").plant_dynamics.start == "keep_shape"
    obj = plants.chain(3)
    run_operator("make_dynamic")
    assert obj.plant_dynamics.start == "keep_shape"
    own = plants.chain(3)
    own.plant_dynamics.start = "drawn"
    run_operator("make_dynamic")
    assert own.plant_dynamics.start == "drawn", "what was set stays"


def test_the_starts_are_those_of_plants(preferences):
    of_plants = bpy.types.Object.bl_rna.properties["plant_dynamics"].fixed_type.properties["start"].enum_items
    offered = preferences.bl_rna.properties["start"].enum_items
    assert {item.identifier for item in offered} <= {item.identifier for item in of_plants}
    assert offered[0].identifier == "settled"


def test_threads_reach_the_solver_and_change_no_motion(preferences, fresh, run_operator):
    obj = plants.chain(6)
    for index in (0, 3):
        obj.data.bones[f"Bone.{index}"].plant_dynamics.use_physics = False
    bones = obj.data.bones
    bones["Bone.1"].plant_dynamics.use_physics = True
    run_operator("make_dynamic")
    session_of = module(fresh, "dynamics.session").session_of
    poses = []
    for threads in (1, 3):
        preferences.threads = threads
        obj.plant_dynamics.segments = 1  # read anew
        run_operator("play")
        poses.append(plants.played(obj, range(1, 8)))
        assert session_of(obj).solver.threads == threads
        key = session_of(obj).key()
        run_operator("reset")
    assert (poses[0] == poses[1]).all()
    preferences.threads = 5
    run_operator("play")
    assert session_of(obj).key() == key, "a cache stays good"


def test_the_wind_arrow_in_all_scenes(preferences, fresh, monkeypatch):
    arrow, wind = module(fresh, "viewport.wind_arrow"), bpy.context.scene.plant_dynamics.wind
    called = []
    monkeypatch.setattr(arrow, "redraw", lambda: called.append(True))
    assert not arrow.is_wanted(wind)
    preferences.show_wind_arrow = True
    assert arrow.is_wanted(wind)
    assert called, "the views are drawn again at once"
    preferences.show_wind_arrow = False
    wind.show_in_viewport = True
    assert arrow.is_wanted(wind)


def test_the_folder_of_comparisons(preferences, fresh, tmp_path):
    output, scene = module(fresh, "comparison.output"), bpy.context.scene
    with pytest.raises(module(fresh, "errors").PlantError, match="Save the file first"):
        output.output_folder(scene)
    preferences.output_folder = str(tmp_path / "all")
    assert output.output_folder(scene) == (tmp_path / "all").resolve()
    scene.plant_dynamics_compare.folder = str(tmp_path / "own")
    assert output.output_folder(scene) == (tmp_path / "own").resolve()


@pytest.fixture
def kernels(fresh, monkeypatch, tmp_path):
    """A place for compiled kernels with two versions and something else in it."""
    monkeypatch.setenv("PLANT_DYNAMICS_CACHE_DIR", str(tmp_path))
    files = module(fresh, "dynamics.kernel_files")
    for name, size in ((files._jit.cache_folder().name, 3000), ("0123456789abcdef0123", 500)):
        (tmp_path / name / "solver").mkdir(parents=True)
        (tmp_path / name / "solver" / "kernel.nbc").write_bytes(b"x" * size)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "keep.txt").write_bytes(b"y" * 70)
    return files


def test_compiled_kernels_are_measured_and_cleared(kernels, run_operator, tmp_path):
    assert kernels.kernels_size() == 3500
    run_operator("clear_kernels")
    assert kernels.kernels_size() == 0
    assert [path.name for path in Path(tmp_path).iterdir()] == ["mine"], "and nothing else"
    assert (tmp_path / "mine" / "keep.txt").exists()


def test_kernels_are_not_cleared_while_they_are_made(kernels, monkeypatch):
    monkeypatch.setattr(kernels, "compiling_for", lambda: 3.0)
    with pytest.raises(RuntimeError, match="being compiled"):
        bpy.ops.plant_dynamics.clear_kernels()
    assert kernels.kernels_size() == 3500


def test_compile_now_makes_what_is_missing(fresh, run_operator, monkeypatch, tmp_path):
    warm_up = module(fresh, "dynamics.warm_up")
    monkeypatch.setenv("PLANT_DYNAMICS_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(warm_up, "_compilation", None)
    begun = []

    class Process:
        def __init__(self):
            begun.append(self)

        def wait(self):
            warm_up.solver._jit.cache_folder().mkdir(parents=True)
            (warm_up.solver._jit.cache_folder() / "complete").touch()

        def is_running(self):
            return False

    monkeypatch.setattr(warm_up, "Compilation", Process)
    run_operator("compile_now")
    assert len(begun) == 1
    assert warm_up.solver.kernels_are_cached()
    run_operator("compile_now")
    assert len(begun) == 1, "only what is missing"


def test_drawing_the_preferences_is_cheap(preferences, kernels):
    begun = time.perf_counter()
    for _ in range(20):
        kernels.kernels_size()
    assert time.perf_counter() - begun < 0.2
