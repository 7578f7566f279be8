# SPDX-License-Identifier: GPL-3.0-or-later
"""What the Grow panel shows and says of a plant's age."""

import bpy
import pytest

LATE = "steps: {steps}\naxiom: A(0)\nA(n) : n < 3 -> A(n + 1)\nA(n) : n >= 3 -> F(0.1, 0.002)\n"
DOUBLING = "steps: 4\naxiom: F(0.1, 0.002) A\nA -> A A A A A A A A\n"


class Layout:
    """Takes down the labels of a panel, in a row or column of any depth."""

    def __init__(self, texts=None, shown=None):
        self.texts = [] if texts is None else texts
        self.shown = {} if shown is None else shown

    def label(self, text="", **_):
        self.texts.append(text)

    def column(self, **_):
        return Layout(self.texts, self.shown)

    def row(self, **_):
        return Layout(self.texts, self.shown)

    def prop(self, data, name, text=None, **_):
        self.texts.append(text if text is not None else name)
        self.shown[text] = name

    def operator(self, *_, **__):
        pass

    def template_ID(self, *_, **__):
        pass


@pytest.fixture
def options(fresh):
    return bpy.context.scene.plant_dynamics


def drawn():
    panel = type("Panel", (), {"layout": Layout()})()
    bpy.types.PLANT_DYNAMICS_PT_grow.draw(panel, bpy.context)
    return panel.layout


def labels():
    return drawn().texts


def choose(options, text):
    options.text = bpy.data.texts.new("own")
    options.text.write(text)
    options.source = "TEXT"
    bpy.ops.plant_dynamics.show_constants()


def test_another_plant_is_fully_grown_again(options):
    options.steps = 3.0
    options.preset = "rose"
    assert options.steps == 0.0
    options.steps = 3.0
    options.text = bpy.data.texts.new("own")
    assert options.steps == 0.0


def test_a_preset_to_be_edited_keeps_age_and_constants(options):
    options.preset = "rose"
    options.steps, options.constants["pieces"].value = 20.0, 18.0
    assert bpy.ops.plant_dynamics.preset_to_text() == {"FINISHED"}
    assert (options.source, options.steps, options.constants["pieces"].value) == ("TEXT", 20.0, 18.0)


def test_the_panel_tells_the_full_age(options):
    assert "Fully grown: 15" in labels(), "of the preset that a new scene begins with"
    options.preset = "rose"
    assert "Fully grown: 36" in labels()
    choose(options, LATE.format(steps=7))
    assert "Fully grown: 7" in labels()
    options.text.from_string(LATE.format(steps=9))
    assert bpy.ops.plant_dynamics.grow() == {"FINISHED"}
    assert "Fully grown: 9" in labels()
    options.text.from_string("axiom: F(")
    bpy.ops.plant_dynamics.show_constants()
    assert not [text for text in labels() if "Fully grown" in text]


def test_counts_are_shown_without_decimals(options):
    options.preset = "orchid"
    assert drawn().shown["Pieces of flower stem before the first flower"] == "count"
    assert drawn().shown["Piece of flower stem (m)"] == "value"


def test_too_young_a_plant_is_told_so(options):
    choose(options, LATE.format(steps=4))
    for age in (1.0, 2.5):
        options.steps = age
        with pytest.raises(RuntimeError, match=rf"too young: nothing is drawn yet at Age {age:g}.*draws no segment"):
            bpy.ops.plant_dynamics.grow()
    options.steps = 0.0
    assert bpy.ops.plant_dynamics.grow() == {"FINISHED"}


def test_a_text_that_never_draws_is_not_called_young(options):
    choose(options, "steps: 2\naxiom: A\n")
    with pytest.raises(RuntimeError, match="draws no segment") as raised:
        bpy.ops.plant_dynamics.grow()
    assert "young" not in str(raised.value)


def test_more_steps_than_the_texts_are_told(options):
    choose(options, DOUBLING)
    options.steps = 30.0
    with pytest.raises(RuntimeError, match=r"more than 1000000 modules.*Age asks for 30 steps, the text for 4"):
        bpy.ops.plant_dynamics.grow()
