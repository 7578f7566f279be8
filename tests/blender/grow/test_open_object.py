# SPDX-License-Identifier: GPL-3.0-or-later
"""Open L-studio Object: a file of cpfg with what lies beside it becomes a text that grows anywhere."""

import importlib

import bpy
import pytest

from tests.blender.scenes.plants import ADDON

PLANT = """#define N 3 /* [1..9] nodes */
Lsystem: 1
derivation length: N
Axiom: A
A --> F(func(1, 0.5))[+@L("leaf")~l(2)]A
endlsystem
"""
LINE = "range: 0 1\npoints: 4\n0 0\n0.333 2\n0.667 4\n1 6\n"


@pytest.fixture
def folder(tmp_path, fresh):
    (tmp_path / "plant.l").write_text(PLANT)
    (tmp_path / "plant.v").write_text("initial line width: 0.3\nangle increment: 60\nfunction: line.func\n")
    (tmp_path / "line.func").write_text(LINE)
    return tmp_path


def heights() -> list[float]:
    """Ends of the stem's bones in z."""
    return sorted(bone.tail_local.z for bone in bpy.context.object.data.bones)


def test_an_object_is_opened_and_grown_without_its_files(folder):
    assert bpy.ops.plant_dynamics.open_object(filepath=str(folder / "plant.l")) == {"FINISHED"}
    options = bpy.context.scene.plant_dynamics
    assert (options.source, options.text.name, options.constants["N"].value) == ("TEXT", "plant.l", 3.0)
    for file in folder.iterdir():
        file.unlink()
    assert bpy.ops.plant_dynamics.grow() == {"FINISHED"}
    assert heights()[-1] == pytest.approx(3 * 0.03, abs=0.015)


def test_the_unit_is_asked_for(folder):
    bpy.ops.plant_dynamics.open_object(filepath=str(folder / "plant.l"), unit=0.1)
    assert "unit: 0.1" in bpy.context.scene.plant_dynamics.text.as_string()
    bpy.ops.plant_dynamics.grow()
    assert heights()[-1] == pytest.approx(3 * 0.3, abs=0.15)


def test_what_cannot_be_opened_is_told(folder):
    (folder / "line.func").unlink()
    with pytest.raises(RuntimeError, match=r"line\.func: the view file names this file, but it is not there"):
        bpy.ops.plant_dynamics.open_object(filepath=str(folder / "plant.l"))
    assert not bpy.data.texts


def test_the_command_takes_a_folder(folder, fresh):
    importlib.import_module(f"{ADDON}.commands").grow(str(folder))
    assert heights()[-1] == pytest.approx(3 * 0.03, abs=0.015)
