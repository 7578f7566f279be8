# SPDX-License-Identifier: GPL-3.0-or-later
"""What several tests of this room ask of all presets, which takes long to grow."""

import importlib
from typing import NamedTuple

import bpy
import numpy as np
import pytest

from tests.blender.scenes.extension import EXTENSION
from tests.blender.scenes.grown_fern import share_of_bark
from tests.blender.scenes.plants import grow_skeleton, mesh_of


class GrownPreset(NamedTuple):
    segments: int
    bones: int
    is_finite: bool  # the mesh as it is evaluated
    bark: float  # share of the stems' area


@pytest.fixture(scope="session")
def grown_presets(addon) -> dict[str, GrownPreset]:
    """Every preset as a plant in the scene, one after the other."""
    lsystem = importlib.import_module(f"{EXTENSION}.lsystem")
    found = {}
    for preset in lsystem.presets():
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        skeleton = lsystem.grow(preset.text)
        armature = grow_skeleton(skeleton, preset.title)
        obj = mesh_of(armature)
        shown = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
        places = np.empty(3 * len(shown.vertices), dtype=np.float32)
        shown.vertices.foreach_get("co", places)
        is_finite = len(places) > 0 and bool(np.isfinite(places).all())
        found[preset.name] = GrownPreset(len(skeleton), len(armature.data.bones), is_finite, share_of_bark(obj.data))
    return found
