# SPDX-License-Identifier: GPL-3.0-or-later
"""The box of Status is as high in all ordinary states: no button below moves away from the mouse."""

import importlib
from types import SimpleNamespace

import bpy
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.drawn_panels import Layout


@pytest.fixture
def status(fresh):
    return importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.panels.status")


def drawn(status, playing=False):
    """What the box says, line by line."""
    layout = Layout()
    preferences = SimpleNamespace(system=SimpleNamespace(ui_scale=1.0))
    context = SimpleNamespace(
        region=SimpleNamespace(width=290), preferences=preferences, scene=bpy.context.scene,
        screen=SimpleNamespace(is_animation_playing=playing),
    )  # fmt: skip
    status.draw_status(context, layout, bpy.context.object)
    return layout.texts


@pytest.mark.parametrize("breeze", [True, False])
@pytest.mark.parametrize("start", ["settled", "keep_shape", "drawn"])
def test_its_height_is_the_same_from_grow_to_bake(fresh, status, run_operator, breeze, start):
    bpy.context.scene.frame_end = 12
    bpy.context.scene.plant_dynamics.preset = "rose"
    run_operator("grow", breeze=breeze)
    bpy.context.object.plant_dynamics.start = start
    told = [drawn(status)]
    run_operator("play")
    told += [drawn(status, playing=True), drawn(status)]
    plants.show(9)
    told += [drawn(status, playing=True), drawn(status)]
    run_operator("reset")
    told.append(drawn(status))
    run_operator("bake")
    told.append(drawn(status))
    assert {len(lines) for lines in told} == {2}, told


def test_while_work_goes_on_and_while_the_plant_lags(fresh, status, run_operator, monkeypatch):
    plants.grow("rose")
    monkeypatch.setattr(status, "is_going_on", lambda: True)
    assert drawn(status) == ["Esc stops it", ""], "the bar above says what is going on"
    monkeypatch.setattr(status, "is_going_on", lambda: False)
    run_operator("play")
    monkeypatch.setattr(status, "lags", lambda obj: True)
    assert drawn(status) == ["Not simulated up to here"], "with Catch Up below"


def test_messages_have_plain_words(fresh, status, run_operator):
    plants.grow("rose")
    run_operator("play")
    assert "Hangs at rest at the start" in drawn(status)
