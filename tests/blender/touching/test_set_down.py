# SPDX-License-Identifier: GPL-3.0-or-later
"""What a plant moves, set down on what has Blender's own thickness."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.collider_scenes import collide, plant, primitive

TOP, HALF = 0.1, 0.025


def table(shape: str, thickness: float):
    table = collide(primitive("cube", "Table", size=2.0 * TOP, location=(0.0, 0.5, 0.0)))
    table.scale.x = table.scale.y = 4.0
    table.collision.thickness_outer = thickness
    table.plant_dynamics.collider.shape = shape
    return table


def moved(obj, run_operator, select_only, sunk: float, shape: str):
    """A box set on the table, or so far (m) into it."""
    box = primitive("cube", "Box", size=2.0 * HALF, location=(0.1, 0.5, TOP + HALF - sunk))
    box.plant_dynamics.collider.shape = shape
    select_only(obj, box)
    run_operator("move_with_plant")
    select_only(obj)
    return box


def heights(box, frames=range(1, 25)):
    found = []
    for frame in frames:
        plants.show(frame)
        found.append(box.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world.translation.z)
    return np.array(found)


@pytest.mark.parametrize("start", ["settled", "drawn"])
@pytest.mark.parametrize(("of_table", "of_box"), [("AUTO", "AUTO"), ("MESH", "AUTO"), ("MESH", "MESH")])
@pytest.mark.parametrize("thickness", [0.001, 0.02])
def test_what_is_set_on_a_table_stays_there(fresh, run_operator, select_only, start, of_table, of_box, thickness):
    obj = plant(run_operator)
    obj.plant_dynamics.start = start
    table(of_table, thickness)
    box = moved(obj, run_operator, select_only, 0.0, of_box)
    run_operator("play")
    assert np.abs(heights(box) - (TOP + HALF)).max() < 2e-4


def test_what_is_set_a_little_above_it_lies_down(fresh, run_operator, select_only):
    obj = plant(run_operator)
    table("AUTO", 0.02)
    box = moved(obj, run_operator, select_only, -5e-3, "AUTO")
    run_operator("play")
    assert heights(box, [1, 24])[1] == pytest.approx(TOP + HALF, abs=2e-4)


def test_what_is_drawn_into_it_is_left_alone(fresh, run_operator, select_only):
    obj = plant(run_operator)
    table("AUTO", 0.02)
    box = moved(obj, run_operator, select_only, 5e-3, "AUTO")
    run_operator("play")
    assert heights(box, [1, 24])[1] < TOP
