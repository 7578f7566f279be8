# SPDX-License-Identifier: GPL-3.0-or-later
"""More contacts than a frame can take are told as what they are, with what to do."""

import importlib

import bpy
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.collider_scenes import of_addon

LAST = 6
TOLD = "Frame 2: more bones are near each other than it can take; some go through others"


@pytest.fixture
def obj(fresh, run_operator):
    """A fan of bones that lie upon each other."""
    bpy.context.scene.frame_end = LAST
    obj = plants.chain(1, name="Heap")
    bpy.ops.object.mode_set(mode="EDIT")
    bones = obj.data.edit_bones
    for i in range(24):
        bone = bones.new(f"Twig.{i}")
        bone.head, bone.tail = (0.1, 0.0, 0.0), (0.2, 0.002 * i, 0.0)
        bone.head_radius = bone.tail_radius = 0.004
        second = bones.new(f"End.{i}")
        second.head, second.tail = bone.tail, (0.3, 0.002 * i, 0.0)
        second.head_radius = second.tail_radius = 0.004
        bone.parent, second.parent = bones["Bone.0"], bone
    bpy.ops.object.mode_set(mode="OBJECT")
    run_operator("make_dynamic")
    obj.plant_dynamics.start, obj.plant_dynamics.contact.itself = "drawn", True
    return obj


@pytest.fixture
def little_room(fresh, monkeypatch):
    """There is room for a pair each."""
    near = importlib.import_module(f"{fresh.__name__}.solver.dynamics.touching.near_pairs")
    monkeypatch.setattr(near, "FEW", 8)
    monkeypatch.setattr(near, "PER_SHAPE", 1)


def notes(fresh, obj):
    session = of_addon(fresh, "dynamics.motion.sessions").session_of(obj)
    return of_addon(fresh, "panels.status").notes(session)


def test_it_is_told_with_its_frame(fresh, obj, run_operator, little_room):
    run_operator("play")
    plants.played(obj, range(1, LAST + 1))
    (told,) = notes(fresh, obj)
    assert told[0].startswith(TOLD)
    assert "Collides" in told[0]
    assert told[1] == "ERROR"
    session = of_addon(fresh, "dynamics.motion.sessions").session_of(obj)
    assert [frame.report is not None and frame.report.crowded for frame in session.known.frames] == [
        False, *[True] * (LAST - 1)
    ]  # fmt: skip


def test_as_many_as_it_can_take_are_not_told(fresh, obj, run_operator):
    run_operator("play")
    plants.played(obj, range(1, LAST + 1))
    assert not [text for text, _ in notes(fresh, obj) if "near each other" in text]


def test_the_cache_on_disk_tells_it_too(fresh, obj, run_operator, little_room, tmp_path):
    obj.plant_dynamics.use_disk_cache = True
    run_operator("play")
    plants.played(obj, range(1, LAST + 1))
    path = str(tmp_path / "heap.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    obj = bpy.data.objects["Heap"]
    plants.played(obj, range(1, LAST + 1))
    assert not of_addon(fresh, "dynamics.motion.sessions").session_of(obj).motion.has_begun, "nothing was simulated"
    assert notes(fresh, obj)[0][0].startswith(TOLD)


def test_a_run_up_tells_it(fresh):
    solver = importlib.import_module(f"{fresh.__name__}.solver")
    reports = [solver.Report(1, 1, 0, 2, crowded=True), solver.Report(solver.LIMITED, 1, 0, 2)]

    class Simulation:
        time = 0.0
        advance = staticmethod(lambda sample, duration: reports.pop(0))

    found = of_addon(fresh, "dynamics.motion.run_up").run_up(Simulation, solver.Sample(), 2, 0.1)
    assert found.crowded
    assert found.status == solver.LIMITED
