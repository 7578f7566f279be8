# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixtures that several tests of this room use."""

import importlib
from types import SimpleNamespace

import bpy
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.busy_plant import module
from tests.blender.scenes.drawn_panels import Layout
from tests.blender.scenes.slow_work import LAST


@pytest.fixture
def panel(fresh):
    """What the panel says of an object and the buttons it offers: their operators with properties."""
    fixes = importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.panels.fixes")

    def drawn(obj, what="problem"):
        bpy.context.view_layer.update()
        layout = Layout()
        context = SimpleNamespace(region=None)
        getattr(fixes, {"problem": "draw_problem", "rig_warnings": "draw_rig_warnings"}[what])(context, layout, obj)
        return " ".join(layout.texts), [(name.split(".")[1], vars(button)) for name, button in layout.operators]

    return drawn


@pytest.fixture
def chain(fresh, run_operator):
    bpy.context.scene.frame_end = LAST
    obj = plants.chain(4)
    run_operator("make_dynamic")
    plants.key_location(obj, {1: (0, 0, 0), 4: (0.05, 0.02, 0)})
    plants.show(1)
    module(fresh, "dynamics.kernels.warm_up").warm_up()
    return obj


@pytest.fixture
def meanwhile(fresh, monkeypatch):
    """As it is with a window."""
    found = module(fresh, "blender.meanwhile")
    monkeypatch.setattr(found, "bpy", SimpleNamespace(app=SimpleNamespace(background=False)))
    monkeypatch.setattr(found, "LOOK", 0.001)
    return found
