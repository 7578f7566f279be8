# SPDX-License-Identifier: GPL-3.0-or-later
"""Live plants of a scene go together, to the last bit as each alone."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.busy_plant import module
from tests.blender.scenes.field_scenes import add_field

LAST = 30


@pytest.fixture
def meadow(fresh):
    """Five chains that differ in what they are, stand on and feel, live, and their scene in gusts."""
    scene = bpy.context.scene
    scene.frame_end = LAST
    wind = scene.plant_dynamics.wind
    wind.use_air, wind.speed = True, 4.0
    objects = []
    for k in range(5):
        obj = plants.chain(4 + k, name=f"Chain.{k}")
        settings = obj.plant_dynamics
        obj.location.y = float(k)
        bpy.ops.plant_dynamics.make_dynamic()
        settings.young_modulus = 2e7 * (1.0 + k)
        settings.gravity_factor, settings.stiffness_factor = 1.0 - 0.1 * k, 1.0 + 0.2 * k
        objects.append(obj)
    plants.key_location(objects[2], {1: (0.0, 2.0, 0.0), 12: (0.3, 2.0, 0.1), LAST: (0.0, 2.0, 0.0)})
    bpy.context.view_layer.objects.active = objects[3]
    bpy.ops.plant_dynamics.add_force()
    live = module(fresh, "dynamics.live.live")
    for obj in objects:
        live.go_live(obj)
    return objects


def channels(fresh, objects) -> list[bytes]:
    """Of all frames in the plants' memory."""
    session_of = module(fresh, "dynamics.motion.sessions").session_of
    return [np.array([frame.channels for frame in session_of(obj).frames().frames]).tobytes() for obj in objects]


def companions(fresh, monkeypatch) -> list[int]:
    """How many have gone together in every step from now on."""
    found = []
    side_by_side = module(fresh, "dynamics.motion.stage").SideBySide
    advance = side_by_side.advance

    def counted(self, samples, duration):
        found.append(len(samples))
        return advance(self, samples, duration)

    monkeypatch.setattr(side_by_side, "advance", counted)
    return found


def alone(fresh, monkeypatch) -> None:
    monkeypatch.setattr(module(fresh, "dynamics.motion.stage").Stage, "simulate", lambda *_: None)


def played(fresh, objects, between=lambda: None) -> list[bytes]:
    plants.close_sessions(module(fresh, "dynamics.motion.sessions"))
    for frame in range(1, LAST + 1):
        plants.show(frame)
        if frame == 15:
            between()
    return channels(fresh, objects)


def test_together_as_alone(fresh, meadow, monkeypatch):
    with monkeypatch.context() as patched:
        steps = companions(fresh, patched)
        together = played(fresh, meadow)
    assert steps == [5] * (LAST - 1)
    alone(fresh, monkeypatch)
    assert played(fresh, meadow) == together


def test_in_force_fields(fresh, meadow, monkeypatch):
    """Each plant is in its own, as it weighs them; they go together all the same."""
    add_field("FORCE", strength=0.5)
    for number, obj in enumerate(meadow):
        obj.plant_dynamics.fields.all = 0.5 + 0.1 * number
    with monkeypatch.context() as patched:
        steps = companions(fresh, patched)
        together = played(fresh, meadow)
    assert set(steps) == {len(meadow)}
    alone(fresh, monkeypatch)
    assert played(fresh, meadow) == together


def test_edits_on_the_way(fresh, meadow, monkeypatch):
    """One plant is changed: its frames are simulated again alone, and then it goes on with the others."""

    def edit():
        meadow[4].plant_dynamics.stiffness_factor *= 1.5

    def back():
        meadow[4].plant_dynamics.stiffness_factor = 1.8

    back()
    with monkeypatch.context() as patched:
        steps = companions(fresh, patched)
        together = played(fresh, meadow, edit)
    assert steps[-1] == 5
    back()
    alone(fresh, monkeypatch)
    assert played(fresh, meadow, edit) == together


def test_frames_that_were_simulated_anew_elsewhere(fresh, meadow, monkeypatch):
    """As by a bake: the stage was not asked, and the plant stands at the same frame with another past."""
    session_of, stage = (
        module(fresh, "dynamics.motion.sessions").session_of,
        module(fresh, "dynamics.motion.stage").Stage,
    )

    def push():
        session = session_of(meadow[0])
        session.drop_samples(10)
        for frame in range(10, 16):
            bpy.context.scene.gravity.z = -4.0
            with monkeypatch.context() as patched:
                patched.setattr(stage, "simulate", lambda *_: None)
                plants.show(frame)
        bpy.context.scene.gravity.z = -9.81
        assert session_of(meadow[0]).end_frame == 15

    together = played(fresh, meadow, push)
    alone(fresh, monkeypatch)
    assert played(fresh, meadow, push) == together


def test_jumps(fresh, meadow, monkeypatch):
    together = played(fresh, meadow)
    plants.close_sessions(module(fresh, "dynamics.motion.sessions"))
    steps = companions(fresh, monkeypatch)
    for frame in (1, 9, 4, LAST, 2):
        plants.show(frame)
    assert steps == [5] * (LAST - 1)
    assert channels(fresh, meadow) == together


def test_a_jump_to_a_late_frame_when_nothing_is_known(fresh, meadow, monkeypatch):
    """As in a script or a background render: each settles at the first frame, and from there all go together."""
    together = played(fresh, meadow)
    plants.close_sessions(module(fresh, "dynamics.motion.sessions"))
    steps = companions(fresh, monkeypatch)
    plants.show(LAST)
    assert steps == [5] * (LAST - 1)
    assert channels(fresh, meadow) == together


def test_a_jump_with_one_behind(fresh, meadow, monkeypatch):
    """It catches up alone, and from there all go together."""
    together = played(fresh, meadow)
    plants.close_sessions(module(fresh, "dynamics.motion.sessions"))
    for frame in range(1, 11):
        plants.show(frame)
    module(fresh, "dynamics.motion.sessions").session_of(meadow[1]).drop_samples(6)
    steps = companions(fresh, monkeypatch)
    plants.show(LAST)
    assert steps == [5] * (LAST - 10)
    assert channels(fresh, meadow) == together


def test_a_jump_after_an_edit(fresh, meadow, monkeypatch):
    """What was changed settles and catches up alone, and from there all go together."""
    for frame in range(1, 11):
        plants.show(frame)
    meadow[1].plant_dynamics.stiffness_factor *= 1.5
    with monkeypatch.context() as patched:
        steps = companions(fresh, patched)
        plants.show(LAST)
    assert steps == [5] * (LAST - 10)
    together = channels(fresh, meadow)
    alone(fresh, monkeypatch)
    assert played(fresh, meadow) == together


def test_one_that_fails_on_a_jump(fresh, meadow, monkeypatch):
    """Its pose is beyond all numbers at frame 8: it says so itself, and the others go together all the way."""
    session_of = module(fresh, "dynamics.motion.sessions").session_of
    session_class = module(fresh, "dynamics.motion.session").Session
    take = session_class.take
    plants.show(1)
    failing = session_of(meadow[2])
    monkeypatch.setattr(session_class, "take", lambda self, *how: (
        not (self is failing and len(self.known) == 7) and take(self, *how)
    ))  # fmt: skip
    steps = companions(fresh, monkeypatch)
    plants.show(LAST)
    assert steps == [5] * 7 + [4] * (LAST - 8)
    assert "not finite" in module(fresh, "dynamics.live.live").problem_of(meadow[2])
    assert {session_of(obj).end_frame for obj in meadow if obj != meadow[2]} == {LAST}


def test_one_that_fails_stops_alone(fresh, meadow):
    """A load beyond all numbers: its plant is not live any more and says why, the others go on."""
    problem_of = module(fresh, "dynamics.live.live").problem_of
    for frame in range(1, 6):
        plants.show(frame)
    meadow[2].scale = (1.0, 1.0, -1.0)
    meadow[2].keyframe_insert("scale", frame=6)
    plants.show(6)
    plants.show(7)
    assert problem_of(meadow[2])
    assert [obj.plant_dynamics.live for obj in meadow] == [True, True, False, True, True]
    session_of = module(fresh, "dynamics.motion.sessions").session_of
    assert {session_of(obj).end_frame for obj in meadow if obj != meadow[2]} == {7}
