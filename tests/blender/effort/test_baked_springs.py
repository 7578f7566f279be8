# SPDX-License-Identifier: GPL-3.0-or-later
"""What a baked plant's keys ask of its joints is what its springs gave when it was simulated without damping."""

import importlib

import bpy
import numpy as np

from tests.blender.scenes.effort.animated import measured, over, stick
from tests.blender.scenes.plants import ADDON


def of_springs(obj):
    """(k, n) N m by which the springs bend the joints in the motion that has been baked."""
    once_more, timeline = (importlib.import_module(f"{ADDON}.{one}") for one in ("comparison.once_more",
                                                                                  "blender.timeline"))  # fmt: skip
    scene, rows = bpy.context.scene, []
    with timeline.at_first_frame(scene):
        again = once_more.once_more(obj, scene, bpy.context.evaluated_depsgraph_get(), scene.frame_end)

    def note(simulation):
        rows.append(simulation.bending_moments().copy())

    for _ in once_more.taken_down(obj, again, note, False):
        pass
    return np.array(rows)


def off_of_springs(fps):
    """Mean square of what the moments are off, inside the range, over that of the springs' moments."""
    over(fps + 1, fps)
    obj = stick((1.0, 0.0, 0.0), count=5, length=0.1, name=f"Plant {fps}")
    settings = obj.plant_dynamics
    settings.layout, settings.start, settings.radius, settings.young_modulus = "base", "drawn", 0.004, 300.0
    settings.damping_factor = settings.air_factor = 0.0
    assert bpy.ops.plant_dynamics.bake() == {"FINISHED"}
    found, expected = measured(obj), of_springs(obj)
    assert found.cautions == ()
    bending = np.hypot(found.moments[..., 0], found.moments[..., 2])
    return float(np.sqrt(np.mean((bending - expected)[2:-1] ** 2) / np.mean(expected**2)))


def test_moments_are_those_of_the_springs(fresh):
    """As well as differences between frames can tell: the stem's second swing lasts six frames of the coarser range."""
    coarse, fine = off_of_springs(24), off_of_springs(96)
    assert coarse < 0.05
    assert fine < 0.008
