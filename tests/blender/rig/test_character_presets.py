# SPDX-License-Identifier: GPL-3.0-or-later
"""Hair, tails, ears, skirts, antennas and ropes on a character that walks and turns its head."""

import importlib

import bpy
import pytest

from tests.blender.scenes.characters import ponytail
from tests.blender.scenes.drawn_panels import Layout

#: Where it begins in the head, which way it goes, its length (m), and by how many lengths its tip shall be late.
PARTS = {
    "Hair": (*ponytail.BEHIND, 0.4, (0.25, 0.40)),
    "Tail": (*ponytail.BEHIND, 0.4, (0.12, 0.30)),
    "Ear": (*ponytail.UP, 0.15, (0.02, 0.15)),
    "Skirt": (*ponytail.BEHIND, 0.4, (0.2, 0.5)),
    "Antenna": (*ponytail.UP, 0.3, (0.005, 0.1)),
    "Rope": (*ponytail.BEHIND, 0.4, (0.25, 0.6)),
}


def turned(run_operator, preset, place, way, length, radius=0.02):
    """How late the tip is while the head walks, at most while it turns, and at last."""
    rig = ponytail.walking_head(length, radius, place, way)
    run_operator("make_dynamic", bones="SELECTED")
    run_operator("preset_apply", kind="plant", preset=preset)
    run_operator("play")
    late = ponytail.deviations(rig, length)
    return late[: ponytail.FIRST].max(), late[ponytail.FIRST : ponytail.LAST + 6].max(), late[-ponytail.STEP :].max()


@pytest.mark.parametrize("preset", PARTS)
def test_parts_of_a_character_follow_through(fresh, run_operator, preset):
    place, way, length, (least, most) = PARTS[preset]
    walking, turning, after = turned(run_operator, preset, place, way, length)
    print(f"{preset}: {100 * walking:.1f} % walking, {100 * turning:.1f} % turning, {100 * after:.1f} % after")
    assert least < turning < most
    assert walking < 0.6 * turning, "walking alone moves it less"


@pytest.mark.parametrize(("length", "radius"), [(0.2, 0.01), (0.8, None)])
def test_hair_behaves_alike_at_any_size(fresh, run_operator, length, radius):
    turning = turned(run_operator, "Hair", *ponytail.BEHIND, length, radius)[1]
    print(f"{length} m: {100 * turning:.1f} %")
    assert 0.2 < turning < 0.45


def test_without_a_preset_hair_is_a_stick(fresh, run_operator):
    rig = ponytail.walking_head(0.4, 0.02, *ponytail.BEHIND)
    run_operator("make_dynamic", bones="SELECTED")
    run_operator("play")
    assert ponytail.deviations(rig, 0.4).max() < 0.1


def test_a_grown_plant_takes_its_softness_by_its_factor(fresh, run_operator):
    run_operator("grow")
    settings = bpy.context.object.plant_dynamics
    run_operator("preset_apply", kind="plant", preset="Rope")
    assert settings.bones_have_materials
    assert settings.stiffness_factor != 1.0


@pytest.fixture
def two_parts(fresh, run_operator):
    """A head with hair behind it and an antenna above, both simulated."""
    rig = ponytail.walking_head(0.4, 0.02, *ponytail.BEHIND)
    bpy.ops.object.mode_set(mode="EDIT")
    bones, above = rig.data.edit_bones, rig.data.edit_bones["Head"]
    for number in range(3):
        bone = bones.new(f"Antenna.{number}")
        bone.head, bone.tail = (0.07, 0.0, 1.7 + 0.1 * number), (0.07, 0.0, 1.8 + 0.1 * number)
        bone.head_radius = bone.tail_radius = 0.01
        bone.parent, bone.use_connect = above, number > 0
        above = bone
    bpy.ops.object.mode_set(mode="POSE")
    select(rig, "")
    run_operator("make_dynamic", bones="SELECTED")
    rig.data.bones["Head"].plant_dynamics.use_physics = False
    return rig


def select(rig, beginning):
    for bone in rig.pose.bones:
        (bone if hasattr(bone, "select") else bone.bone).select = bone.name.startswith(beginning)


def test_parts_of_one_armature_have_presets_of_their_own(fresh, run_operator, two_parts):
    natural = importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.dynamics.rig.natural")
    reader = importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.dynamics.rig.armature_reader")
    start = two_parts.plant_dynamics.start
    for preset, beginning, sag in (("Hair", "Part", 0.6), ("Antenna", "Antenna", None)):
        select(two_parts, beginning)
        run_operator("preset_apply", kind="plant", preset=preset, target="SELECTED")
        plant = reader.read_armature(two_parts, two_parts.matrix_world)
        rods = [plant.rod_of(name) for name in plant.bones if name.startswith(beginning)]
        if sag is not None:
            assert natural.level_sag(plant.model, rods) == pytest.approx(sag, rel=1e-3)
    young = {bone.name: bone.plant_dynamics.young_modulus for bone in two_parts.data.bones}
    assert young["Head"] == 0.0, "which takes the armature's"
    assert 0.0 < young["Part.0"] == young["Part.5"] < 0.2 * young["Antenna.0"]
    assert two_parts.data.bones["Part.0"].plant_dynamics.density == 400.0
    assert two_parts.plant_dynamics.start == start


def test_the_list_is_for_some_selected_bones_and_says_so(fresh, two_parts):
    panel = bpy.types.PLANT_DYNAMICS_PT_plant_presets.__bases__[0]()
    panel.kind = "plant"

    def meant():
        layout = Layout()
        panel.layout = layout
        panel.draw(bpy.context)
        return {button.target for name, button in layout.operators if name.endswith("preset_apply")}, layout.texts

    select(two_parts, "Part")
    assert meant() == ({"SELECTED"}, ["For the selected bones"])
    for beginning in ("", "Head", "none"):
        select(two_parts, beginning)
        assert meant() == ({"PLANT"}, []), beginning
    select(two_parts, "Part")
    bpy.ops.object.mode_set(mode="OBJECT")
    assert meant() == ({"PLANT"}, [])


def test_bones_that_are_not_simulated_are_refused(fresh, two_parts):
    select(two_parts, "Head")
    with pytest.raises(RuntimeError, match="None of the selected bones is simulated"):
        bpy.ops.plant_dynamics.preset_apply(kind="plant", preset="Hair", target="SELECTED")
