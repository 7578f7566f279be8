# SPDX-License-Identifier: GPL-3.0-or-later
"""What a newcomer meets: pictures to choose from, a plant that moves when it is first played, and what to do next."""

import importlib
from types import SimpleNamespace

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.drawn_panels import Layout

LARGEST = 400_000  # bytes of all pictures in the extension


@pytest.fixture
def options(fresh):
    options = bpy.context.scene.plant_dynamics
    options.preset = "rose"
    return options


def module(fresh, name):
    return importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.{name}")


def grow():
    """As the button does."""
    assert bpy.ops.plant_dynamics.grow(breeze=True) == {"FINISHED"}
    return bpy.context.object


def test_every_plant_has_a_picture(fresh):
    files = list(module(fresh, "properties.preset_items").PICTURES.glob("*.jpg"))
    presets = importlib.import_module(f"{fresh.__name__}.lsystem").presets()
    assert {file.stem for file in files} == {preset.name for preset in presets}, "run tools/preset_pictures.py --each"
    assert sum(file.stat().st_size for file in files) < LARGEST
    for file in files:
        image = bpy.data.images.load(str(file))
        assert image.size[0] == image.size[1] >= 128
        bpy.data.images.remove(image)


def test_a_picture_chooses_the_plant(options):
    assert "pieces" in options.constants
    options.group = "FLOWERS"
    options.picture = "orchid"
    assert options.preset == options.picture == "orchid"
    assert "pieces" not in options.constants, "those of the plant before are gone"
    options.preset = "fern"
    assert (options.group, options.picture) == ("HERBS", "fern")
    options["preset"] = 12345  # of another version
    assert options.picture == ""


#: So many pictures the chooser has side by side, and so many rows fit even on a small screen.
COLUMNS, ROWS = 8, 2


def test_pictures_of_a_group_need_no_scrolling(fresh, options):
    items, presets = module(fresh, "properties.preset_items"), importlib.import_module(f"{fresh.__name__}.lsystem")
    seen = []
    for group in items.GROUPS:
        found = items.picture_items(group)
        assert 0 < len(found) <= COLUMNS * ROWS
        assert all(len(label) <= 18 for _, label, *_ in found), "longer ones are cut"
        seen += [name for name, *_ in found]
    assert sorted(seen) == sorted(preset.name for preset in presets.presets())


def test_a_group_is_chosen_by_its_button_and_goes_with_the_plant(fresh, options):
    groups = module(fresh, "properties.preset_items").GROUPS
    buttons = [item.identifier for item in options.bl_rna.properties["group"].enum_items]
    for button, group in zip(buttons, groups, strict=True):
        options.group = button
        assert options.group == button
        assert module(fresh, "properties.preset_items").group_of(options.preset) == group
    options.preset = "willow"
    options.group = "TREES"  # which it is already
    assert options.preset == "willow"


def test_a_new_plant_moves_at_the_first_play(options):
    plant = grow()
    bpy.ops.plant_dynamics.play()
    poses = plants.played(plant, range(1, 25))
    height = plant.dimensions.z
    assert np.ptp(poses[:, :, :3, 3], axis=0).max() > 0.003 * height


def test_the_panel_says_how_fast_the_breeze_is(fresh, options):
    options.preset = "panicle"
    grow()
    assert options.wind.speed == pytest.approx(1.7)
    assert winds(fresh) == ["Wind of the whole scene: 1.7 m/s", "Breeze"]
    bpy.ops.plant_dynamics.wind_preset(preset="BREEZE")
    assert options.wind.speed == 3.0
    assert winds(fresh) == ["Wind of the whole scene, m/s", "Breeze 3"]
    options.wind.speed = 6.0
    assert winds(fresh) == ["Wind of the whole scene: 6 m/s"]


def test_a_wind_that_was_chosen_stays(options):
    bpy.ops.plant_dynamics.wind_preset(preset="STILL")
    grow()
    assert options.wind.source == "STILL"
    bpy.ops.plant_dynamics.wind_preset(preset="STORM")
    grow()
    assert options.wind.speed == 20.0


def test_the_report_tells_of_a_wind_that_was_chosen(options, capfd):
    grow()
    assert "wind" not in capfd.readouterr().out
    bpy.ops.plant_dynamics.wind_preset(preset="STORM")
    grow()
    assert "The wind that was chosen for this scene blows" in capfd.readouterr().out


def test_plants_of_older_files_and_of_scripts_stay_in_the_air_they_have(options):
    assert bpy.ops.plant_dynamics.grow() == {"FINISHED"}
    assert options.wind.source == "STILL"
    grow()  # beside one that has stood still so far
    assert options.wind.source == "STILL"


@pytest.mark.parametrize("preset", ["STILL", "BREEZE", "WIND", "STORM"])
def test_the_wind_that_blows_is_pressed_in(fresh, preset):
    plants.chain(3)
    bpy.ops.plant_dynamics.make_dynamic()
    bpy.ops.plant_dynamics.wind_preset(preset=preset)
    wind = bpy.context.scene.plant_dynamics.wind
    (pressed,) = pressed_in(fresh)
    assert pressed.preset == preset
    assert float(pressed.text.rpartition(" ")[2] if preset != "STILL" else 0) == wind.speed * (preset != "STILL")
    wind.speed, wind.source = 4.3, "GUSTS"
    assert pressed_in(fresh) == []


def test_a_direction_of_nothing_is_told_beside_the_buttons_and_they_give_one_back(fresh):
    """As it stands while the second number of another one is yet to be typed in."""
    bpy.ops.plant_dynamics.wind_preset(preset="WIND")
    wind = bpy.context.scene.plant_dynamics.wind
    wind.direction = (0.0, 1.0, 0.0)
    bpy.ops.plant_dynamics.wind_preset(preset="STORM")
    assert tuple(wind.direction) == (0.0, 1.0, 0.0)
    without = winds(fresh)
    assert "No direction: nothing blows" not in without
    wind.direction = (0.0, 0.0, 0.0)
    assert "No direction: nothing blows" in winds(fresh)
    assert len(winds(fresh)) == len(without), "no field moves under the mouse"
    bpy.ops.plant_dynamics.wind_preset(preset="BREEZE")
    assert tuple(wind.direction) == (1.0, 0.0, 0.0)
    assert "No direction: nothing blows" not in winds(fresh)


def pressed_in(fresh):
    return winds_drawn(fresh).pressed


def winds(fresh):
    """What stands above the buttons, and on the one that is pressed in."""
    layout = winds_drawn(fresh)
    return [*layout.labels, *(one.text for one in layout.pressed)]


def winds_drawn(fresh):
    layout = SimpleNamespace(
        pressed=[], labels=[], operator=lambda *_, depress, text, **__: button(layout.pressed, depress, text)
    )
    layout.label = lambda text, **_: layout.labels.append(text)
    layout.row = layout.column = lambda **_: layout
    module(fresh, "panels.wind").draw_winds(bpy.context, layout)
    return layout


def button(pressed, depress, text):
    made = SimpleNamespace(preset="", text=text)
    pressed += [made] * depress
    return made


@pytest.mark.parametrize(("preset", "in_front"), [("rose", True), ("reed_bed", False)])
def test_bones_do_not_blacken_dense_plants(options, preset, in_front):
    options.preset = preset
    plant = grow()
    assert plant.show_in_front == in_front
    assert (plant.display_type == "BOUNDS") != in_front


def test_pose_mode_shows_the_bones_of_dense_plants(options):
    """Blender from 4.4 on draws none in an object that is displayed as its bounds, and a skin hides what is in it."""
    options.preset = "reed_bed"
    plant = grow()
    bpy.ops.object.mode_set(mode="POSE")
    assert (plant.display_type, plant.show_in_front) == ("TEXTURED", True)
    bpy.ops.object.mode_set(mode="OBJECT")
    assert (plant.display_type, plant.show_in_front) == ("BOUNDS", False)
    bpy.ops.object.mode_set(mode="POSE")
    plant.display_type = "WIRE"
    bpy.ops.object.mode_set(mode="OBJECT")
    assert plant.display_type == "WIRE", "what the user has chosen"


def test_an_armature_of_the_users_own_stays_as_it_is_displayed(fresh):
    obj = plants.chain(3)
    obj.display_type = "BOUNDS"
    bpy.ops.object.mode_set(mode="POSE")
    bpy.context.view_layer.update()
    assert obj.display_type == "BOUNDS"


SEEDED = "name: Seeded\nlet seed = 3  # {comment}\naxiom: F(0.1)\n"


@pytest.mark.parametrize(("comment", "text"), [("seed of the leaves", "Added to Its Seeds"), ("leaves", None)])
def test_a_seed_of_the_text_is_told_from_the_panels(fresh, options, comment, text):
    options.text = bpy.data.texts.new("Seeded")
    options.text.write(SEEDED.format(comment=comment))
    options.source = "TEXT"
    bpy.ops.plant_dynamics.show_constants()
    said = []
    layout = Layout()
    layout.template_ID = lambda *_, **__: None
    layout.prop = lambda owner, name, text=None, **__: said.append((name, text))
    module(fresh, "panels.grow").PLANT_DYNAMICS_PT_grow.draw(SimpleNamespace(layout=layout), bpy.context)
    assert ("seed", text) in said


def test_nobody_sees_edit_mode_while_a_plant_grows(fresh, options, monkeypatch):
    options.preset = "reed_bed"

    def bones():
        return {bone.name: np.array(bone.matrix_local) for bone in bpy.context.object.data.bones}

    grow()
    at_once = bones()
    monkeypatch.setattr(module(fresh, "grow.objects.armature"), "AT_ONCE", 200)
    recipe = module(fresh, "grow.options").recipe_of(options)
    steps = module(fresh, "grow.from_text").grown_in_steps(bpy.context, recipe)
    modes = {bpy.context.mode for _ in steps}
    assert modes == {"OBJECT"}
    in_steps = bones()
    assert list(in_steps) == list(at_once)
    np.testing.assert_allclose(list(in_steps.values()), list(at_once.values()), atol=1e-6)


def test_grow_stays_in_its_place_whatever_sliders_a_plant_has(fresh, options):
    above = set()
    for preset in ("rose", "grass"):
        options.preset = preset
        bpy.ops.plant_dynamics.show_constants()
        shown = []
        layout = Layout()
        layout.template_icon_view = layout.separator = lambda *_, **__: None
        layout.prop = lambda owner, name, shown=shown, **_: shown.append(name)
        layout.operator = lambda name, shown=shown, **_: shown.append(name) or SimpleNamespace()
        module(fresh, "panels.grow").PLANT_DYNAMICS_PT_grow.draw(SimpleNamespace(layout=layout), bpy.context)
        above.add(tuple(shown[: shown.index("plant_dynamics.grow")]))
    assert len(above) == 1


@pytest.mark.parametrize(("preset", "is_there"), [("wall_climber", True), ("grass", False)])
def test_play_is_at_hand_where_many_sliders_push_it_down(fresh, options, preset, is_there):
    options.preset = preset
    grow()
    layout = Layout()
    layout.template_icon_view = layout.separator = lambda *_, **__: None
    module(fresh, "panels.grow").PLANT_DYNAMICS_PT_grow.draw(SimpleNamespace(layout=layout), bpy.context)
    assert ("plant_dynamics.play" in [name for name, _ in layout.operators]) == is_there


def test_a_plant_that_stands_within_another_one_is_told_of(options, capfd):
    """As Blender adds things, it grows at the 3D cursor all the same."""
    told, within = [], "It stands within 'Rose': move it (G), or set the 3D cursor before you grow the next"
    for pot, x in ((False, 0.0), (True, 0.0), (False, 0.5)):
        bpy.context.scene.cursor.location.x, options.pot = x, pot
        assert grow().location.x == x
        bpy.context.view_layer.update()
        told.append(within in capfd.readouterr().out)
    assert told == [False, True, False]
