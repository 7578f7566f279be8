# SPDX-License-Identifier: GPL-3.0-or-later
"""Presets as plants in the scene, and what is known of those that were grown, which takes long."""

import importlib
from types import ModuleType
from typing import NamedTuple

import bpy
import numpy as np

from tests.blender.scenes import plants
from tests.blender.scenes.grown_fern import share_of_bark


class GrownPreset(NamedTuple):
    segments: int
    bones: int
    is_finite: bool  # the mesh as it is evaluated
    bark: float  # share of the stems' area


class GrownPresets:
    """All that have been grown, by name."""

    def __init__(self, addon: ModuleType) -> None:
        self._lsystem = importlib.import_module(f"{addon.__name__}.lsystem")
        self._known: dict[str, GrownPreset] = {}

    def grow(self, name: str) -> bpy.types.Object:
        """One of them, with one bone to a leaf, in a file without anything else."""
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        bpy.context.scene.plant_dynamics.leaf_bones = 1
        armature = plants.grow(name)
        if name not in self._known:
            text = next(preset.text for preset in self._lsystem.presets() if preset.name == name)
            obj = plants.mesh_of(armature)
            shown = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
            places = np.empty(3 * len(shown.vertices), dtype=np.float32)
            shown.vertices.foreach_get("co", places)
            self._known[name] = GrownPreset(
                len(self._lsystem.grow(text)), len(armature.data.bones),
                len(places) > 0 and bool(np.isfinite(places).all()), share_of_bark(obj.data),
            )  # fmt: skip
        return armature

    def all(self) -> dict[str, GrownPreset]:
        """What is known of every preset; those that have not been grown are grown now."""
        for preset in self._lsystem.presets():
            if preset.name not in self._known:
                self.grow(preset.name)
        return dict(self._known)
