# SPDX-License-Identifier: GPL-3.0-or-later
"""What the Grow panel shows and says of a plant's age."""

import importlib

import bpy
import pytest

from tests.blender.scenes import plants

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

    def panel(self, *_, **__):
        """Its header, and nothing of a list that begins closed."""
        return Layout(self.texts, self.shown), None

    def prop(self, data, name, text=None, **_):
        text = text or self.texts[-1] if text is not None else name  # without a text of its own the label before it
        self.texts.append(text)
        self.shown[text] = name

    def operator(self, name, **_):
        self.texts.append(name)

    def template_ID(self, *_, **__):
        pass

    template_icon_view = template_ID


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


def test_a_long_list_of_constants_begins_closed(options):
    """So that the panels below are seen."""
    for count, texts in ((12, {"c1", "c12"}), (13, {"13 Constants"})):
        lines = [f"let c{number} = {number + 0.5}\n" for number in range(1, count + 1)]
        choose(options, "".join(lines) + "axiom: F(0.1, 0.002)\n")
        bpy.ops.plant_dynamics.show_constants()
        assert texts <= set(labels())
    assert not [text for text in labels() if text.startswith("c1")]


def test_counts_are_shown_without_decimals(options):
    options.preset = "orchid"
    long = "Stem segments below the first flower"
    assert drawn().shown[long] == "count", "its label has a line of its own above the slider"
    assert drawn().shown["Stem segment length (m)"] == "value_4"
    texts = labels()
    assert texts.index(long) + 1 == len(texts) - 1 - texts[::-1].index(long)
    assert texts.count("Stem segment length (m)") == 1


@pytest.mark.parametrize(
    ("line", "shown", "digits"),
    [
        ("a = 45  # [15..80 deg]", "value_1", "45.0"),
        ("a = 137.51  # [90..180 deg]", "value_2", "137.51"),
        ("a = 0.9  # [0.7..1 ratio]", "value", "0.900"),
        ("a = 0.0036  # [0.0028..0.006 m]", "value_5", "0.00360"),
        ("a = 1.9  # [1..3 m]", "value_2", "1.90"),
        ("a = 0.018", "value_4", "0.0180"),
        ("a = 300000", "value_1", "300000.0"),
        ("a = 0", "value", "0.000"),
    ],
)
def test_values_have_the_digits_that_their_range_asks_for(options, line, shown, digits):
    choose(options, f"let {line}\naxiom: F(1, 0.1)\n")
    constant = options.constants[0]
    assert drawn().shown[constant.label] == shown
    assert f"{getattr(constant, shown):.{constant.bl_rna.properties[shown].precision}f}" == digits


def test_every_way_to_show_a_value_changes_it_within_its_range(options):
    choose(options, "let a = 45  # [15..80 deg]\naxiom: F(1, 0.1)\n")
    constant = options.constants["a"]
    for name in ("value_1", "value_2", "value_4", "value_5"):
        setattr(constant, name, 200.0)
        assert constant.value == getattr(constant, name) == 80.0
        setattr(constant, name, 20.0)
        assert constant.value == 20.0


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


POTTED = ("rose", "orchid", "sunflower")


@pytest.mark.parametrize("preset", POTTED)
def test_a_pot_is_as_large_for_a_young_plant(options, preset):
    options.preset, options.pot = preset, True
    full = _full()
    depths = []
    for age in (0.0, 0.6 * full, round(0.6 * full), full):
        options.steps = age
        assert bpy.ops.plant_dynamics.grow() == {"FINISHED"}
        depths.append(bpy.context.object.plant_dynamics.growth.pot_depth)
    assert depths[0] > 0.01
    assert depths == [depths[0]] * 4


def test_a_pot_is_chosen_apart_for_trees(options):
    options.preset, options.pot = "rose", True
    options.preset = "orchid"
    assert options.pot
    options.preset = "young_oak"
    assert not options.pot
    options.preset = "rose"
    assert options.pot
    options.preset = "old_oak"
    options.pot = True
    options.preset = "rose"
    options.pot = False
    options.preset = "willow"
    assert options.pot, "it was asked for"
    bpy.ops.plant_dynamics.preset_to_text()
    assert options.source == "TEXT"
    assert options.pot


def _full():
    return next(float(text.split()[-1]) for text in labels() if text.startswith("Fully grown"))


def test_the_string_is_derived_once(options, monkeypatch):
    module = importlib.import_module("bl_ext.user_default.plant_dynamics.plant_dynamics_addon.grow.skeletons")
    calls = []
    for name in ("derive", "derive_between"):
        derived = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *a, _f=derived, _n=name, **k: calls.append(_n) or _f(*a, **k))
    options.preset = "rose"
    for age, expected in ((0.0, ["derive"]), (20.0, ["derive"]), (20.5, ["derive_between"])):
        calls.clear()
        options.steps = age
        assert bpy.ops.plant_dynamics.grow() == {"FINISHED"}
        assert calls == expected
    options.pot, options.steps = True, 20.5
    calls.clear()
    assert bpy.ops.plant_dynamics.grow() == {"FINISHED"}
    assert calls == ["derive_between", "derive"], "once more, for the size of the pot"


def test_the_text_is_read_once(options, monkeypatch):
    """For the sliders and for the plant; once more with the constants that are changed."""
    module = importlib.import_module("bl_ext.user_default.plant_dynamics.plant_dynamics_addon.grow.recipe")
    text = "steps: 1\nlet l = 0.1  # [0..1] m\naxiom: F(l, 0.0123)\n"  # no other test has read it
    reads, parse = [], module.parse
    monkeypatch.setattr(module, "parse", lambda *a: reads.append(a) or parse(*a))
    choose(options, text)
    options.pot = True
    assert bpy.ops.plant_dynamics.grow() == {"FINISHED"}
    assert bpy.ops.plant_dynamics.regrow() == {"FINISHED"}
    assert [list(constants) for read, _, constants in reads if read == text] == [[]]
    options.constants["l"].value = 0.2
    assert bpy.ops.plant_dynamics.regrow() == {"FINISHED"}
    assert [list(constants) for read, _, constants in reads if read == text] == [[], ["l"]]


@pytest.fixture
def editor(options):
    bpy.ops.wm.read_homefile(use_empty=False, use_factory_startup=True)
    area = bpy.context.window_manager.windows[0].screen.areas[0]
    area.type = "TEXT_EDITOR"
    return area.spaces.active


def test_a_preset_to_be_edited_is_shown(editor):
    assert bpy.ops.plant_dynamics.preset_to_text() == {"FINISHED"}
    assert editor.text == bpy.context.scene.plant_dynamics.text


def test_an_error_is_shown_at_its_place(editor):
    options = bpy.context.scene.plant_dynamics
    other = bpy.data.texts.new("notes")
    editor.text = other
    choose(options, "steps: 1\n" + "# comment\n" * 60 + "axiom: F(0.1) ) F\n")
    with pytest.raises(RuntimeError, match="line 62, column 15"):
        bpy.ops.plant_dynamics.grow()
    text = options.text
    assert editor.text == text
    ends = [text.current_line_index, text.select_end_line_index]
    assert ends == [61, 61]
    assert {text.current_character, text.select_end_character} == {14, 15}
    assert 0 < editor.top <= 61


def test_an_error_of_a_preset_opens_no_text(editor, monkeypatch):
    module = importlib.import_module("bl_ext.user_default.plant_dynamics.plant_dynamics_addon.operators.growing.grow")
    shown = []
    monkeypatch.setattr(module, "show_place", lambda *place: shown.append(place))

    def fails(*_, **__):
        raise module.LSystemError("no", 3, 4, "Rose")

    monkeypatch.setattr(module, "grown_in_steps", fails)
    with pytest.raises(RuntimeError, match="Rose, line 3, column 4: no"):
        bpy.ops.plant_dynamics.grow()
    assert shown == []


def test_grown_plants_can_be_grown_again(options, select_only):
    new = {"plant_dynamics.regrow", "plant_dynamics.growth_to_panel"}
    assert not new & set(labels())
    assert bpy.ops.plant_dynamics.grow() == {"FINISHED"}
    plant = bpy.context.object
    assert new <= set(labels())
    assert "plant_dynamics.clear_bake" not in labels()
    plant.plant_dynamics.is_baked = True
    assert "plant_dynamics.clear_bake" in labels()
    select_only(plants.chain(2))
    assert not new & set(labels())


def test_the_age_that_is_shown_is_the_full_one_until_another_is_chosen(options):
    choose(options, LATE.format(steps=7))
    assert (options.age, options.steps) == (7.0, 0.0)
    options.age = 5.5
    assert (options.age, options.steps) == (5.5, 5.5)
    options.age = 7.0
    assert (options.age, options.steps) == (7.0, 0.0)


def test_an_age_of_0_is_what_the_plant_grows_from(options):
    choose(options, "steps: 3\naxiom: F(0.1, 0.01) A\nA -> F(0.1, 0.01) A\n")
    options.age = 0.0
    assert options.age == 0.0
    bpy.ops.plant_dynamics.grow()
    assert len(bpy.context.object.data.bones) == 1
    options.preset, options.source = "rose", "PRESET"
    assert options.age == 36.0, "another plant is full again"
    options.steps = 0.0  # as files have it of plants whose age nobody has set
    assert options.age == 36.0
