# SPDX-License-Identifier: GPL-3.0-or-later
"""Hair, tails, ears, skirts, antennas and ropes on a character that walks and turns its head."""

import bpy
import pytest

from tests.blender.scenes.characters import ponytail

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
