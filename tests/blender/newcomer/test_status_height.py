# SPDX-License-Identifier: GPL-3.0-or-later
"""The box of Status is as high whatever it says: no button below moves away from the mouse."""

import importlib
from types import SimpleNamespace

import bpy
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.drawn_panels import Layout, Rows

HEIGHT = 3  # lines: two of text, one of buttons
WORDS = (
    "Frame 12: more bones are near each other than it can take; some go through others. Switch Collides off for bones "
    "that matter less, or Itself or Others"
)


@pytest.fixture
def status(fresh):
    return importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.panels.status")


def drawn(status, playing=False, width=290):
    """The box."""
    layout = Rows()
    preferences = SimpleNamespace(system=SimpleNamespace(ui_scale=1.0))
    context = SimpleNamespace(
        region=SimpleNamespace(width=width), preferences=preferences, scene=bpy.context.scene,
        screen=SimpleNamespace(is_animation_playing=playing), object=bpy.context.object,
    )  # fmt: skip
    status.draw_status(context, layout, bpy.context.object)
    return layout


@pytest.mark.parametrize("breeze", [True, False])
@pytest.mark.parametrize("start", ["settled", "keep_shape", "drawn"])
def test_its_height_is_the_same_from_grow_to_bake(fresh, status, run_operator, breeze, start):
    bpy.context.scene.frame_end = 12
    bpy.context.scene.plant_dynamics.preset = "rose"
    run_operator("grow", breeze=breeze)
    bpy.context.object.plant_dynamics.start = start
    boxes = [drawn(status)]
    run_operator("play")
    boxes += [drawn(status, playing=True), drawn(status)]
    plants.show(9)
    boxes += [drawn(status, playing=True), drawn(status)]
    run_operator("reset")
    boxes.append(drawn(status))
    run_operator("bake")
    boxes.append(drawn(status))
    assert {box.height for box in boxes} == {HEIGHT}, [box.texts for box in boxes]


def test_while_work_goes_on_and_while_the_plant_lags(fresh, status, run_operator, monkeypatch):
    plants.grow("rose")
    monkeypatch.setattr(status, "is_going_on", lambda: True)
    box = drawn(status)
    assert box.height == HEIGHT
    assert box.texts[0] == "Esc stops it", "the bar above says what is going on"
    monkeypatch.setattr(status, "is_going_on", lambda: False)
    run_operator("play")
    monkeypatch.setattr(status, "lags", lambda obj: True)
    box = drawn(status)
    assert (box.height, box.texts[0]) == (HEIGHT, "Not simulated up to here")
    assert [name for name, _ in box.operators] == ["plant_dynamics.catch_up"]


def test_what_settles_for_long_is_told_which_start_does_not_wait(fresh, status, monkeypatch):
    obj, long = plants.grow("rose"), "Settling takes long: As Drawn under Start does not wait"
    finding = status.PLANT_DYNAMICS_OT_catch_up.beginning
    monkeypatch.setattr(status, "is_going_on", lambda: True)
    for doing, share, seconds, start, told in (
        (finding, 0.0, 9.0, "settled", True), (finding, 0.0, 1.0, "settled", False),
        ("Growing", 0.0, 9.0, "settled", False), ("Simulating", 0.4, 9.0, "settled", False),
        (finding, 0.0, 9.0, "drawn", False),
    ):  # fmt: skip
        monkeypatch.setattr(status, "going_on", lambda doing=doing, share=share: (doing, share))
        monkeypatch.setattr(status, "lasts", lambda seconds=seconds: seconds)
        obj.plant_dynamics.start = start
        assert (long in " ".join(drawn(status).texts)) == told, (doing, share, seconds, start)


@pytest.mark.parametrize("width", [160, 290, 600])
@pytest.mark.parametrize("through_pot", [True, False])
def test_what_does_not_fit_is_behind_a_button(fresh, status, run_operator, monkeypatch, width, through_pot):
    """Whatever there is to say of a motion, in a narrow sidebar too."""
    plants.grow("rose", pot=True)
    bpy.context.scene.frame_end = 6
    run_operator("play")
    monkeypatch.setattr(status, "through_pot", lambda obj: through_pot)
    for notes in ([], [(WORDS, "ERROR")], [(WORDS, "ERROR"), ("Never at rest in this wind", "INFO")]):
        monkeypatch.setattr(status, "notes", lambda session, notes=notes: notes)
        box = drawn(status, width=width)
        assert box.height == HEIGHT
        assert [name for name, _ in box.operators] == through_pot * ["plant_dynamics.touch_pot"]
        if notes and width < 600:
            assert box.texts[1].endswith("\N{HORIZONTAL ELLIPSIS}")
            assert through_pot or box.shown == ["All of It"]


@pytest.mark.parametrize("width", [160, 200, 290])
def test_what_went_wrong_is_seen_before_the_button_is_pressed(fresh, status, run_operator, monkeypatch, width):
    plants.grow("rose")
    bpy.context.scene.frame_end = 6
    run_operator("play")
    plants.show(6)
    monkeypatch.setattr(status, "notes", lambda session: [("Never at rest in this wind", "INFO"), (WORDS, "ERROR")])
    assert drawn(status, width=width).texts[0].startswith("Frame 12:")


def test_the_button_shows_all_of_it(fresh, status, run_operator, monkeypatch):
    plants.grow("rose")
    run_operator("play")
    monkeypatch.setattr(status, "notes", lambda session: [(WORDS, "ERROR")])
    panel = SimpleNamespace(layout=Layout())
    assert status.PLANT_DYNAMICS_PT_status.poll(bpy.context)
    status.PLANT_DYNAMICS_PT_status.draw(panel, bpy.context)
    assert " ".join(panel.layout.texts).endswith(WORDS)


def test_messages_have_plain_words(fresh, status, run_operator):
    plants.grow("rose")
    run_operator("play")
    assert "At rest at the start" in drawn(status).texts
