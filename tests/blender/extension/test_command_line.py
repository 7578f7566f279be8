# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line: what it writes, its exit codes, and the same keys as the operators'."""

import json
import math

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.comparisons import module, rotation_keys, same_keys


@pytest.fixture
def run(fresh):
    return module("command_line").run


@pytest.fixture
def saved(fresh, tmp_path):
    """A file with a plant whose pot is pushed."""
    bpy.context.scene.frame_end = 10
    obj = plants.grow("broad_leaf")
    plants.key_location(obj, {1: (0, 0, 0), 5: (0.1, 0, 0)})
    path = tmp_path / "plant.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path


def test_bake_gives_the_operators_keys(run, saved, run_operator, capsys):
    run_operator("bake")
    by_operator = rotation_keys(bpy.context.object)
    out = saved.with_name("baked.blend")
    assert run(["bake", str(saved), "--output", str(out)]) == 0
    assert "100 %" in capsys.readouterr().err
    bpy.ops.wm.open_mainfile(filepath=str(out))
    obj = bpy.data.objects["Broad-leaf plant"]
    assert obj.plant_dynamics.is_baked
    assert same_keys(rotation_keys(obj), by_operator)


def baked_by(run, source, *options):
    """The plant of the file, baked by the command line with these options."""
    assert run(["bake", str(source), "-o", str(source.with_name("out.blend")), *options]) == 0
    bpy.ops.wm.open_mainfile(filepath=str(source.with_name("out.blend")))
    return bpy.data.objects["Broad-leaf plant"]


def test_bake_with_fewer_keys_in_a_loop_is_the_operators(run, saved, run_operator):
    run_operator("bake", use_decimation=True, max_error=math.radians(2.0), use_loop=True, loop_frames=4)
    by_operator = rotation_keys(bpy.context.object)
    obj = baked_by(run, saved, "--max-error", "2", "--loop", "4")
    assert same_keys(rotation_keys(obj), by_operator)
    obj = baked_by(run, saved, "--loop", "4")
    assert not same_keys(rotation_keys(obj), by_operator)


def test_bake_part_and_edited_keys(run, saved, capfd):
    """Edited keys are refused, replaced or kept in a copy; only the part's frames get new keys."""
    obj = baked_by(run, saved)
    first = rotation_keys(obj)
    action = obj.animation_data.action
    curve = next(one for one in module("blender.fcurves").all_curves(action) if "rotation" in one.data_path)
    curve.keyframe_points[8].co.y += 0.5
    edited = saved.with_name("edited.blend")
    bpy.ops.wm.save_as_mainfile(filepath=str(edited))
    assert run(["bake", str(edited), "--frames", "1-5", "-o", str(saved.with_name("x.blend"))]) == 1
    assert "edited" in capfd.readouterr().err
    before = len(bpy.data.actions)
    obj = baked_by(run, edited, "--edited", "replace")
    assert same_keys(rotation_keys(obj), first)
    assert len(bpy.data.actions) == before
    obj = baked_by(run, edited, "--edited", "keep")
    assert len(bpy.data.actions) == before + 1
    obj = baked_by(run, edited, "--edited", "replace", "--part", "--frames", "2-5", "--step", "3")
    frames = {frame for curve in module("blender.fcurves").all_curves(obj.animation_data.action)
              if "rotation" in curve.data_path for frame in (key.co.x for key in curve.keyframe_points)}  # fmt: skip
    assert frames == {1, 2, 5, 6, 7, 8, 9, 10}


def test_grow_is_the_operators_plant(run, tmp_path, capsys):
    out = tmp_path / "grown.blend"
    assert run(["grow", "rose", "-o", str(out), "--pot", "--seed", "3", "--frames", "1-48"]) == 0
    bpy.ops.wm.open_mainfile(filepath=str(out))
    grown = bpy.data.objects["Rose"]
    tails = np.array([bone.tail_local for bone in grown.data.bones])
    assert bpy.context.scene.frame_end == 48
    assert bpy.context.scene.plant_dynamics.preset == "rose"
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.context.scene.plant_dynamics.seed = 3
    obj = plants.grow("rose", pot=True)
    assert np.array_equal(tails, np.array([bone.tail_local for bone in obj.data.bones]))


def test_grow_from_a_text_with_another_constant(run, tmp_path):
    text, out = tmp_path / "stem.lsys", tmp_path / "stem.blend"
    text.write_text("let n = 2\nsteps: 1\naxiom: A\nA -> F(n * 0.1, 0.01) F(0.1, 0.01)\n", encoding="utf-8")
    assert run(["grow", str(text), "-o", str(out), "--constant", "n=5"]) == 0
    bpy.ops.wm.open_mainfile(filepath=str(out))
    obj = next(one for one in bpy.data.objects if one.type == "ARMATURE")
    assert max(bone.length for bone in obj.data.bones) == pytest.approx(0.5, rel=1e-5)


def test_simulate_leaves_the_file_alone(run, saved, capsys):
    before = saved.read_bytes()
    table, plot = saved.with_name("motion.csv"), saved.with_name("motion.png")
    assert run(["simulate", str(saved), "--csv", str(table), "--plot", str(plot)]) == 0
    assert saved.read_bytes() == before
    assert table.read_text(encoding="utf-8").count("\n") == 11
    assert plot.stat().st_size > 1000
    assert "moves 0." in capsys.readouterr().out


def test_compare_saves_renders_and_plots(run, saved, capsys):
    out, folder = saved.with_name("row.blend"), saved.with_name("shots")
    arguments = ["compare", str(saved), "young", "0.5x, 1x", "-o", str(out), "--folder", str(folder), "--plots"]
    assert run([*arguments, "--stills", "1, 10", "--width", "96", "--samples", "1"]) == 0
    printed = capsys.readouterr().out
    for path in folder.iterdir():
        assert str(path) in printed
    assert len(list(folder.glob("*.png"))) == 4
    assert len(list(folder.glob("*.csv"))) == 2
    bpy.ops.wm.open_mainfile(filepath=str(out))
    assert "Young's modulus of Broad-leaf plant" in bpy.data.scenes


def test_info_for_people_and_programs(run, saved, capsys):
    assert run(["info", str(saved)]) == 0
    assert "Broad-leaf plant: 85 bones" in capsys.readouterr().out
    assert run(["info", str(saved), "--json"]) == 0
    printed = capsys.readouterr().out
    found = json.loads(printed[printed.index("{\n") :])
    assert found["plants"] == [{"name": "Broad-leaf plant", "bones": 85, "baked": False, "loads": 0}]
    assert found["frames"] == [1, 10]


def test_info_tells_what_a_folder_holds(run, tmp_path, capsys):
    for name in ("01-herb/plant.l", "02-tree/old.l"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("Lsystem: 1\nAxiom: F(3)\nendlsystem\n")
    (tmp_path / "01-herb" / "any.v").write_text("")
    assert run(["info", str(tmp_path)]) == 0
    told = capsys.readouterr().out.splitlines()[-2:]
    assert told == [f"{tmp_path}/01-herb/plant.l: herb (view any.v)", f"{tmp_path}/02-tree/old.l: old"]
    assert run(["grow", str(tmp_path), "-o", str(tmp_path / "a.blend")]) == 1
    assert "open one of 01-herb/plant.l, 02-tree/old.l" in capsys.readouterr().err
    assert run(["grow", told[0].split(":")[0], "-o", str(tmp_path / "a.blend")]) == 0
    capsys.readouterr()
    assert run(["info", str(tmp_path), "--json"]) == 0
    printed = capsys.readouterr().out
    assert [one["name"] for one in json.loads(printed[printed.index("[\n") :])] == ["herb", "old"]


def test_an_object_of_l_studio_is_grown_as_in_the_panel(run, tmp_path, capsys):
    """Its name, its unit and its images, and what is told of it."""
    folder = tmp_path / "03-herb"
    folder.mkdir()
    (folder / "plant.l").write_text("Lsystem: 1\nAxiom: F(30)@Tx(1);(3)F(20)?E(1)@L(1)\nendlsystem\n")
    (folder / "plant.v").write_text("line style: cylinder\ntexture: F: bark.png H:n S:\ntexture: none.png\n")
    (folder / "plant.map").write_bytes(bytes(range(256)) * 3)
    image = bpy.data.images.new("made", 4, 4)
    image.filepath_raw, image.file_format = str(folder / "bark.png"), "PNG"
    image.save()
    out = str(tmp_path / "herb.blend")
    for arguments, length in ((["--unit", "0.02"], 1.0), ([], 0.5)):
        assert run(["grow", str(folder), "-o", out, *arguments]) == 0
        told = capsys.readouterr().out
        assert f"A length of 1 in plant.l is {length / 50.0:g} m" in told
        assert "Left out: labels" in told
        assert "not beside the file: none.png" in told
        bpy.ops.wm.open_mainfile(filepath=out)
        bones = bpy.data.objects["herb"].data.bones
        assert max(bone.tail_local.z for bone in bones) == pytest.approx(length, abs=0.01)
    assert bpy.data.images["bark.png"].packed_file is not None
    assert "herb Colour 3 bark.png" in bpy.data.materials


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["bake", "missing.blend"], "no file"),
        (["grow", "no_such_plant", "-o", "x.blend"], "no preset"),
        (["grow", "rose", "--unit", "2", "-o", "x.blend"], "'rose' is none"),
        (["compare", "SAVED", "young", "1 apple"], "unit"),
        (["compare", "SAVED", "young", "1x", "--plant", "Oak"], "Oak"),
        (["bake", "SAVED", "--frames", "-5-10"], None),
        (["bake", "TEXT"], "open"),
        (["simulate", "SAVED", "--last", "0"], "before"),
    ],
)
def test_errors_are_one_line_and_exit_code_1(run, saved, capfd, arguments, message):
    text = saved.with_name("text.blend")
    text.write_text("no Blender file", encoding="utf-8")
    given = [{"SAVED": str(saved), "TEXT": str(text)}.get(one, one) for one in arguments]
    code = run(given)
    lines = [line for line in capfd.readouterr().err.splitlines() if line.startswith("plant_dynamics ")]
    if message is None:
        assert code == 2
        return
    assert code == 1
    assert len(lines) == 1
    assert message in lines[0]


FRAMES = ["compare", "SAVED", "density", "1x", "--frames", "1-3"]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["grow", "BYTES", "-o", "OUT"], 1, "UTF-8"),
        (["grow", "rose", "-o", "FOLDER"], 1, "is a folder"),
        (["grow", "rose", "-o", "OUT", "--seed", "99999999999"], 2, "0 to 2147483647"),
        (["grow", "rose", "-o", "OUT", "--seed", "-1"], 2, "0 to 2147483647"),
        (["grow", "rose", "-o", "OUT", "--constant", "pieces=nan"], 2, "nan is not"),
        (["grow", "rose", "-o", "OUT", "--prune-below", "nan"], 2, "nan is not"),
        (["grow", "rose", "-o", "OUT", "--frames", "1-99999999999"], 2, "0 to 1048574"),
        (["grow", "rose", "-o", "OUT", "--frames", "1-99999999"], 2, "0 to 1048574"),
        (["simulate", "SAVED", "--last", "99999999999"], 2, "to 1048574"),
        (["simulate", "SAVED", "--last", "3", "--plot", "FOLDER"], 1, "is a folder"),
        (["simulate", "SAVED", "--last", "3", "--csv", "MISSING"], 1, "no folder"),
        (["bake", "SAVED", "--step", "0"], 2, "1 to 1048574"),
        (["bake", "SAVED", "-o", "MISSING"], 1, "no folder"),
        ([*FRAMES, "--width", "0", "--stills", "1"], 2, "64 to 16384"),
        ([*FRAMES, "--samples", "-1"], 2, "1 to 4096"),
        ([*FRAMES, "--stills", "900"], 1, "Frame 900"),
        ([*FRAMES, "--stills", "1", "--folder", "BYTES"], 1, "is a file"),
        ([*FRAMES, "-o", "MISSING"], 1, "no folder"),
    ],
)
def test_senseless_values_are_told_before_any_work(run, saved, capfd, arguments, code, message):
    places = {
        "SAVED": saved, "OUT": saved.with_name("out.blend"), "FOLDER": saved.parent,
        "MISSING": saved.parent / "missing" / "x", "BYTES": saved.with_name("bytes.lsys"),
    }  # fmt: skip
    places["BYTES"].write_bytes(b"\xff\xfe\x00")
    assert run([str(places.get(one, one)) for one in arguments]) == code
    told = capfd.readouterr().err
    assert message in told
    assert "%" not in told
    assert not places["OUT"].exists()


def test_a_picture_that_cannot_be_written_is_told(run, saved, monkeypatch, capfd):
    """What was a name for a file before the work can be a folder after it."""
    picture = saved.with_name("plot.png")
    monkeypatch.setattr(module("command_line").values, "check_file", lambda path: picture.mkdir(exist_ok=True))
    assert run(["simulate", str(saved), "--last", "2", "--plot", str(picture)]) == 1
    assert f"'{picture}' cannot be written" in capfd.readouterr().err


@pytest.mark.parametrize("arguments", [[], ["dance"], ["bake"], ["compare", "a.blend", "colour", "1"],
                                       ["bake", "a.blend", "--frames", "9"]])  # fmt: skip
def test_what_cannot_be_read_is_exit_code_2(run, arguments, capsys):
    assert run(arguments) == 2
    assert "usage:" in capsys.readouterr().err


def test_help_is_exit_code_0(run, capsys):
    assert run(["--help"]) == 0
    assert "grow" in capsys.readouterr().out


def test_blender_knows_the_command(addon):
    """Registered again under the name it must be free: disabling the extension has to take it back."""
    import addon_utils

    extension = "bl_ext.user_default.plant_dynamics"
    addon_utils.disable(extension)
    handle = bpy.utils.register_cli_command("plant_dynamics", lambda arguments: 0)
    bpy.utils.unregister_cli_command(handle)
    assert addon_utils.enable(extension, default_set=True) is not None


def test_baking_the_same_file_keeps_its_windows(run, tmp_path):
    """Not those that Blender happens to have open."""

    def renamed(name):
        for number, space in enumerate(bpy.data.workspaces):
            space.name = f"{name} {number}"

    bpy.context.scene.frame_end = 3
    plants.chain(3)
    assert bpy.ops.plant_dynamics.make_dynamic() == {"FINISHED"}
    renamed("Of my own")
    own, path = {space.name for space in bpy.data.workspaces}, tmp_path / "mine.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.read_homefile(use_factory_startup=True)
    renamed("Another")
    assert run(["bake", str(path)]) == 0
    renamed("Another")
    bpy.ops.wm.open_mainfile(filepath=str(path), load_ui=True)
    assert {space.name for space in bpy.data.workspaces} == own
    assert bpy.data.objects["Chain"].plant_dynamics.is_baked


def test_a_movie_that_cannot_be_written_is_one_line(run, saved, capfd):
    folder = saved.with_name("shots")
    (folder / "Young's modulus of Broad-leaf plant.mp4").mkdir(parents=True)
    arguments = ["compare", str(saved), "young", "1x", "--folder", str(folder), "--frames", "1-2", "--movie"]
    capfd.readouterr()
    assert run([*arguments, "--width", "64", "--samples", "1"]) == 1
    printed = [line for line in capfd.readouterr().err.splitlines() if "plant_dynamics compare: " in line]
    assert len(printed) == 1
    assert "was not rendered to" in printed[0]
