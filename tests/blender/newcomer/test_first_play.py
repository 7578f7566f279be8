# SPDX-License-Identifier: GPL-3.0-or-later
"""The breeze of a newly grown plant moves it visibly and does not lay it down.

Of a few presets; the full form takes all.
"""

from pathlib import Path

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.forms import IS_FULL

EVERY = sorted(path.stem for path in (Path(__file__).parents[3] / "lsystem" / "presets").glob("*.lsys"))
#: Of those that an even 3 m/s hardly moved, or laid down.
SOME = ("broad_leaf", "cyme", "meadow_grass", "wall_climber", "winter_tree")
PRESETS = EVERY if IS_FULL else SOME

SECONDS, RATE = 3, 24
#: Of the plant's height: what is seen, and what still is moderate.
LEAST, MOST = 0.01, 0.4


def ends(plant) -> np.ndarray:
    """(bones, 3) m where bones end in the pose that is shown."""
    return np.array([bone.tail for bone in plant.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones])


@pytest.mark.parametrize("preset", PRESETS)
def test_a_new_plant_moves_moderately(fresh, preset):
    scene = bpy.context.scene
    scene.render.fps = RATE
    options = scene.plant_dynamics
    options.preset = preset
    assert bpy.ops.plant_dynamics.grow(breeze=True) == {"FINISHED"}
    plant, speed = bpy.context.object, options.wind.speed
    height = max(bone.tail_local.z for bone in plant.data.bones)

    options.wind.source = "STILL"
    bpy.ops.plant_dynamics.play()
    plants.show(1)
    at_rest = ends(plant)
    options.wind.source = "GUSTS"
    assert options.wind.speed == speed
    shown = []
    for frame in range(1, SECONDS * RATE + 1):
        plants.show(frame)
        shown.append(ends(plant))

    ranges = np.linalg.norm(np.ptp(shown, axis=0), axis=1) / height
    bows = np.linalg.norm(np.array(shown) - at_rest, axis=2) / height
    print(f"{preset}: {speed:.3g} m/s, range {ranges.max():.3f}, bow {bows.max():.3f} of {height:.2f} m")
    assert LEAST < ranges.max() < MOST
    assert bows.max() < MOST
