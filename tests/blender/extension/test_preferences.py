# SPDX-License-Identifier: GPL-3.0-or-later
"""Every option of the preferences acts."""

import importlib
import time
from pathlib import Path

import bpy
import pytest

from tests.blender.scenes import plants
from tests.oracles.fresh_copy import fresh_copy


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
    session_of = module(fresh, "dynamics.motion.sessions").session_of
    poses = []
    for threads in (1, 3):
        preferences.threads = threads
        obj.plant_dynamics.segments = 1  # read anew
        run_operator("play")
        poses.append(plants.played(obj, range(1, 8)))
        assert session_of(obj).manner.solver.threads == threads
        key = session_of(obj).key()
        run_operator("reset")
    assert (poses[0] == poses[1]).all()
    preferences.threads = 5
    run_operator("play")
    assert session_of(obj).key() == key, "a cache stays good"


def test_the_wind_arrow_in_all_scenes(preferences, fresh, monkeypatch):
    arrow, wind = module(fresh, "viewport.wind_arrow"), bpy.context.scene.plant_dynamics.wind
    called = []
    monkeypatch.setattr(module(fresh, "viewport.lines"), "redraw_3d", lambda: called.append(True))
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
    """A place for what numba compiles with two versions, a rest and something else in it."""
    monkeypatch.setenv("PLANT_DYNAMICS_CACHE_DIR", str(tmp_path))
    for name, size in ((f"{'ab' * 12}.o", 3000), (f"{'01' * 12}.o", 500), (f"{'cd' * 12}.77.ll", 20)):
        (tmp_path / f"kernels-{name}").write_bytes(b"x" * size)
    (tmp_path / "kernels-mine.txt").write_bytes(b"y" * 70)
    return module(fresh, "dynamics.kernels.kernel_files")


def test_compiled_kernels_are_measured_and_cleared(kernels, run_operator, tmp_path):
    assert kernels.kernels_size() == 3520
    run_operator("clear_kernels")
    assert kernels.kernels_size() == 0
    assert [path.name for path in Path(tmp_path).iterdir()] == ["kernels-mine.txt"], "and nothing else"


def test_kernels_are_not_cleared_while_they_are_made(kernels, monkeypatch):
    monkeypatch.setattr(kernels, "compiling_for", lambda: 3.0)
    with pytest.raises(RuntimeError, match="being compiled"):
        bpy.ops.plant_dynamics.clear_kernels()
    assert kernels.kernels_size() == 3520


def test_compile_now_makes_what_is_missing(fresh, run_operator, monkeypatch):
    assert not bpy.ops.plant_dynamics.compile_now.poll(), "the library is loaded"
    warm_up = fresh_copy(module(fresh, "dynamics.kernels.warm_up"))
    begun = []

    class Process:
        def __init__(self):
            begun.append(self)

        def wait(self):
            monkeypatch.setattr(warm_up.solver, "kernels_are_ready", lambda: True)

        def is_running(self):
            return False

        def problem(self):
            return ""

    operator = module(fresh, "operators.playing.kernels")
    monkeypatch.setattr(operator, "compile_now", warm_up.compile_now)
    monkeypatch.setattr(operator, "is_warm", warm_up.is_warm)
    monkeypatch.setattr(warm_up.solver, "kernels_are_ready", lambda: False)
    monkeypatch.setattr(warm_up, "Compilation", Process)
    run_operator("compile_now")
    assert len(begun) == 1
    assert warm_up.is_warm()
    assert not bpy.ops.plant_dynamics.compile_now.poll(), "only what is missing"


class Layout:
    """Writes down what is drawn, where no window is."""

    def __init__(self, texts):
        self.texts = texts

    def column(self, **_):
        return self

    row = column

    def label(self, text="", **_):
        self.texts.append(text)

    def operator(self, name, **_):
        self.texts.append(name)


@pytest.mark.parametrize(
    ("running", "said", "buttons"),
    [
        (("v3", ""), "The solver's machine code for this processor is loaded (v3)", False),
        (("python", "it is broken"), "The solver runs as plain Python: very slow", False),
        (("numba", "it is broken"), "Loaded", True),
        (None, "Compiled by numba: 0.0 MB", True),
    ],
)
def test_the_preferences_say_how_the_solver_runs(preferences, fresh, kernels, monkeypatch, running, said, buttons):
    drawn = module(fresh, "properties.preferences")
    running = None if running is None else module(fresh, "dynamics.kernels.warm_up").solver.Running(*running)
    monkeypatch.setattr(drawn, "kernels", lambda: running)
    texts = []
    drawn.PlantPreferences.draw_kernels(preferences, Layout(texts))
    assert said in texts
    assert ("plant_dynamics.compile_now" in texts) == ("plant_dynamics.clear_kernels" in texts) == buttons


@pytest.mark.parametrize("how", ["v3", "python", "numba"])
def test_the_panel_says_why_the_library_does_not_run(fresh, monkeypatch, how):
    panel = module(fresh, "panels.plant")
    problem = "" if how == "v3" else "'linux-x64.so' cannot be loaded: it is broken"
    monkeypatch.setattr(
        panel, "kernels", lambda: module(fresh, "dynamics.kernels.warm_up").solver.Running(how, problem)
    )
    texts = []
    panel.draw_kernels(bpy.context, Layout(texts))
    assert bool(texts) == bool(problem)
    assert problem in " ".join(texts)
    assert ("slowly" in " ".join(texts)) == (how == "python")


def test_drawing_the_preferences_is_cheap(preferences, kernels):
    begun = time.perf_counter()
    for _ in range(20):
        kernels.kernels_size()
    assert time.perf_counter() - begun < 0.2
