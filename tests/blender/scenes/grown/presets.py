# SPDX-License-Identifier: GPL-3.0-or-later
"""Presets as plants in the scene, and what is known of those that were grown, which takes long."""

import importlib
from types import ModuleType
from typing import NamedTuple

import bpy
import numpy as np

from tests.blender.scenes import plants
from tests.blender.scenes.grown_fern import share_of_bark
from tests.blender.scenes.leaves import crowns
from tests.forms import IS_FULL
from tests.grow.skins import LARGE


class GrownPreset(NamedTuple):
    segments: int
    bones: int
    is_finite: bool  # the mesh as it is evaluated
    bark: float  # share of the stems' area
    leaf_area: float  # over that of the ground below
    twig: tuple[float, float]  # leaves, and length in m


class GrownPresets:
    """All that have been grown, by name."""

    def __init__(self, addon: ModuleType) -> None:
        self._lsystem = importlib.import_module(f"{addon.__name__}.lsystem")
        self._looks = importlib.import_module(f"{addon.__name__}.plant_dynamics_addon.grow.looks.catalogue")
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
                crowns.leaf_area_index(armature), crowns.leafy_twigs(armature, self._on_a_twig(armature.name)),
            )  # fmt: skip
        return armature

    def _on_a_twig(self, name: str) -> int:
        """Leaves that are drawn in place of one of the text."""
        spray = self._looks.look_named(name).blade.spray
        return spray.leaves if spray else 1

    def known(self, name: str) -> GrownPreset:
        """What is known of one, which is grown now if it has not been."""
        if name not in self._known:
            self.grow(name)
        return self._known[name]

    def all(self) -> dict[str, GrownPreset]:
        """What is known of every preset, of large ones in the full form only; what has not been grown is grown now."""
        names = [preset.name for preset in self._lsystem.presets()]
        return {name: self.known(name) for name in names if IS_FULL or name not in LARGE}
