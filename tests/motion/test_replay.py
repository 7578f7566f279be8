# SPDX-License-Identifier: GPL-3.0-or-later
"""A plant's motion from a recording, without Blender."""

import dataclasses
import importlib
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "recorded_plants"
FRAMES, DURATION = 30, 1 / 24


@pytest.fixture(scope="module")
def part():
    """The extension's modules, as parts of one package that is nowhere near Blender."""
    package = ModuleType(PACKAGE)
    package.__path__ = [str(ROOT)]
    sys.modules[PACKAGE] = package
    hidden, sys.modules["bpy"] = sys.modules.get("bpy"), None  # importing it fails
    yield lambda name: importlib.import_module(f"{PACKAGE}.{name}")
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]
    if hidden is None:
        del sys.modules["bpy"]
    else:
        sys.modules["bpy"] = hidden


@pytest.fixture
def plant(part):
    """What Motion asks of a plant: a stem of four rods."""
    solver = part("solver")
    n = 4
    upright = np.tile([np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0], (n, 1))
    rods = solver.Rods(
        parent=np.arange(-1, n - 1), head=np.column_stack([np.zeros((n, 2)), 0.1 * np.arange(n)]), frame=upright,
        length=0.1, radius_base=0.002, radius_tip=0.002, young=5e8, density=900.0, damping_time=0.01,
    )  # fmt: skip
    model = solver.discretize(rods)
    return SimpleNamespace(
        models=(model,), model=model, initial=np.zeros((model.body_count, 3)), parts=(rods,), things=()
    )  # fmt: skip


def shaken(part, start_frame=5, **given):
    solver, recording = part("solver"), part("plant_dynamics_addon.dynamics.motion.recording")
    worlds = [
        solver.Sample(
            base_position=[(0.02 * np.sin(0.7 * frame), 0.0, 0.0)], base_orientation=[(1.0, 0.0, 0.0, 0.0)], **given
        )
        for frame in range(FRAMES)
    ]
    return recording.Recording(start_frame, DURATION, worlds)


def tails(part, plant, recording, frames=None, **manner):
    motion = part("plant_dynamics_addon.dynamics.motion.motion")
    how = {"start": "settled", "run_up": 0, "damping_ratio": None, "solver": part("solver").Settings()} | manner
    found, indices = [], []

    def take(index, report, simulation):
        assert (report is None) == (index == 0 and not how["run_up"])
        indices.append(index)
        found.append(simulation.rod_tails())

    moved = motion.Motion([plant], [motion.Manner(**how)])
    motion.replay(moved, [recording], take, frames)
    assert indices == list(range(len(found)))
    return moved, np.array(found)


def test_it_moves_as_the_solver_does(part, plant):
    recording = shaken(part)
    moved, found = tails(part, plant, recording)
    simulation = part("solver").Simulation(plant.models)
    simulation.start(recording.worlds[0], "settled")
    expected = [simulation.rod_tails()]
    for world in recording.worlds[1:]:
        simulation.advance(world, DURATION)
        expected.append(simulation.rod_tails())
    assert np.array_equal(found, expected)
    assert moved.equilibrium.balanced
    assert np.ptp(found[:, -1, 0]) > 0.03


def test_part_of_a_recording_is_the_beginning_of_it(part, plant):
    recording = shaken(part)
    whole, beginning = tails(part, plant, recording)[1], tails(part, plant, recording, 7)[1]
    assert np.array_equal(beginning, whole[:7])


def test_run_up_and_damping_are_those_of_the_manner(part, plant):
    recording = shaken(part)
    plain = tails(part, plant, recording, 12)[1]
    moved, damped = tails(part, plant, recording, 12, damping_ratio=0.5)
    assert 0.1 < moved.first_modes[0] < 100.0
    assert not np.array_equal(plain, damped)
    sideways = shaken(part, gravity=(3.0, 0.0, -9.0))
    drawn = tails(part, plant, sideways, 1, start="drawn")[1]
    sagged = tails(part, plant, sideways, 1, start="drawn", run_up=24)[1]
    assert sagged[0, -1, 0] > drawn[0, -1, 0] + 0.001


def test_a_recording_knows_its_frames(part):
    recording = shaken(part)
    assert recording.end_frame == 5 + FRAMES - 1
    assert [recording.index(frame) for frame in (1, 5, 6, 40)] == [0, 0, 1, 35]
    other = part("plant_dynamics_addon.dynamics.motion.recording").Recording(5, DURATION)
    assert other.end_frame == 4
    other.adopt(recording)
    recording.drop(10)
    assert (recording.end_frame, other.end_frame) == (9, 5 + FRAMES - 1)
    elsewhere = part("plant_dynamics_addon.dynamics.motion.recording").Recording(6, DURATION)
    elsewhere.adopt(recording)
    assert not elsewhere.worlds


def recorded(part, recording, count):
    """So many known frames of a recording, the first of each four with a state to go on from."""
    known_frames = part("plant_dynamics_addon.dynamics.motion.known_frames")
    frame_of = part("plant_dynamics_addon.dynamics.cache.cached_frames").Frame
    known, report = known_frames.KnownFrames(), part("solver").Report(0, 0, 0, 0)
    for index, world in enumerate(recording.worlds[:count]):
        known.frames.append(frame_of(world, np.zeros((4, 4)), report, None if index % 4 else f"state {index}"))
    return known


def test_frames_are_known_again_as_far_as_the_world_is_theirs(part):
    recording, other = shaken(part), shaken(part, gravity=(0.0, 0.0, -9.0))
    known = recorded(part, recording, 6)
    assert [known.kept_before(index) for index in (0, 3, 4, 5)] == [0, 0, 4, 4]
    known.remembered = known.all()
    known.truncate(0)
    assert (len(known), len(known.all().frames), known.revisions) == (0, 6, 1)
    for index in range(3):
        assert known.remembers(recording.worlds[index])
        known.recall(recording.worlds[index])
    assert (len(known), len(known.all().frames)) == (3, 6)
    assert not known.remembers(other.worlds[3])


def test_frames_are_known_again_by_the_digests_of_their_worlds(part):
    cache = "plant_dynamics_addon.dynamics.cache"
    digests, cached = part(f"{cache}.digests"), part(f"{cache}.cached_frames")
    recording = shaken(part)
    known = recorded(part, recording, 2)
    kept = [cached.Frame(digests.sample_digest(one.world), one.channels, one.report, None) for one in known.frames]
    known.truncate(0)
    known.remembered = cached.CachedFrames(kept)
    assert known.remembers(recording.worlds[0])
    known.recall(recording.worlds[0])
    assert known.frames[0].world is recording.worlds[0]
    assert not known.remembers(recording.worlds[5])


def test_trouble_among_known_frames_is_found(part):
    solver, known = part("solver"), recorded(part, shaken(part), 8)
    assert (known.first_limited(), known.coarse_share()) == (None, 0.0)
    for index, status in ((2, solver.COARSE), (5, solver.LIMITED), (6, solver.STOPPED)):
        frame = known.frames[index]
        known.frames[index] = dataclasses.replace(frame, report=frame.report._replace(status=status))
    assert (known.first_stopped(), known.first_limited(), known.coarse_share()) == (6, 5, 1 / 8)
    copied = known.copied()
    known.truncate(6)
    assert (known.first_stopped(), copied.first_stopped(), len(copied)) == (None, 6, 8)
