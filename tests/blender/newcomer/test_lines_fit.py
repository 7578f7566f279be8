# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages in panels are broken into lines that fit, whatever letters they have."""

import importlib
from types import SimpleNamespace

import blf
import bpy
import pytest

from tests.blender.scenes.drawn_panels import Layout

TEXTS = (
    "Move 'WWWW Nail' to where the bone can be, choose MMMM WWWW MMMM WWWW, remove what else holds it ('WWWW Hold')",
    "From frame 1 on bone 'b12' is 48.3 cm off 'b12 Nail'",
    "'/tmp/" + "W" * 120 + ".blend' cannot be read",
    "illi till ill",
)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("width", [200, 290, 500])
def test_no_line_is_wider_than_its_box_and_none_could_take_the_next_word(fresh, text, width):
    base = importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.panels.base")
    layout, preferences = Layout(), SimpleNamespace(system=SimpleNamespace(ui_scale=1.0))
    context = SimpleNamespace(region=SimpleNamespace(width=width), preferences=preferences)
    base.message(context, layout, text, boxed=True)
    room = width - 94.0  # of edges, box and icon
    blf.size(0, 11.0)
    widths = [blf.dimensions(0, line)[0] for line in layout.texts]
    assert max(widths) <= room
    assert "".join(layout.texts).replace(" ", "") == text.replace(" ", "")
    for line, after in zip(layout.texts, layout.texts[1:], strict=False):
        word = after.split(" ")[0]
        assert blf.dimensions(0, f"{line} {word}")[0] > room or len(word) > 12
    assert bpy.context.preferences.ui_styles[0].widget.points == pytest.approx(11.0)
