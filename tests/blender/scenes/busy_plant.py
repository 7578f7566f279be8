# SPDX-License-Identifier: GPL-3.0-or-later
"""A small plant on which everything acts that can be animated, and ways to look at its cache."""

import importlib
from pathlib import Path
from types import ModuleType

import bpy
import numpy as np

from tests.blender.scenes import plants

FRAMES = range(1, 41)
NAME = "Busy"


def busy_plant(bones: int = 4) -> bpy.types.Object:
    """A chain on a keyed and turning base, in gusts that rise, with a keyed twist and a handle that lets go."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = FRAMES[0], FRAMES[-1]
    obj = plants.chain(bones, name=NAME)
    assert bpy.ops.plant_dynamics.make_dynamic() == {"FINISHED"}
    plants.key_location(obj, {1: (0, 0, 0), 12: (0.1, 0, 0.05), 25: (0, 0.1, 0)})
    for frame, angle in ((1, 0.0), (30, 0.6)):
        obj.rotation_euler.z = angle
        obj.keyframe_insert("rotation_euler", frame=frame)
    assert bpy.ops.plant_dynamics.add_pull() == {"FINISHED"}
    assert bpy.ops.plant_dynamics.add_twist() == {"FINISHED"}
    pull, twist = obj.plant_dynamics.loads
    plants.key_location(pull.target, {1: tuple(pull.target.location), 10: (0.25, 0.1, -0.1)})
    for load, keys in ((pull, {1: 1.0, 14: 1.0, 15: 0.0}), (twist, {5: 0.0, 20: 1.0, 35: 0.2})):
        for frame, influence in keys.items():
            load.influence = influence
            load.keyframe_insert("influence", frame=frame)
    wind = scene.plant_dynamics.wind
    wind.use_air, wind.source = True, "GUSTS"
    for frame, speed in ((1, 1.0), (40, 6.0)):
        wind.speed = speed
        wind.keyframe_insert("speed", frame=frame)
    plants.show(FRAMES[0])
    return obj


def module(addon: ModuleType, name: str) -> ModuleType:
    """A module of the extension's add-on part."""
    return importlib.import_module(f"{addon.__name__}.plant_dynamics_addon.{name}")


class Counter:
    """Counts how often the solver starts or advances a plant."""

    def __init__(self, addon: ModuleType, monkeypatch):
        self.starts = self.advances = 0
        simulation = importlib.import_module(f"{addon.__name__}.solver").Simulation
        start, advance = simulation.start, simulation.advance

        def counted_start(*arguments, **named):
            self.starts += 1
            return start(*arguments, **named)

        def counted_advance(*arguments, **named):
            self.advances += 1
            return advance(*arguments, **named)

        monkeypatch.setattr(simulation, "start", counted_start)
        monkeypatch.setattr(simulation, "advance", counted_advance)

    def take(self) -> tuple[int, int]:
        """Starts and advances since this was last asked."""
        found = self.starts, self.advances
        self.starts = self.advances = 0
        return found


def played_anew(addon: ModuleType, obj: bpy.types.Object, frames: range) -> np.ndarray:
    """(frames, bones, 4, 4) poses of straight play from an empty memory."""
    plants.close_sessions(module(addon, "dynamics.motion.sessions"))
    module(addon, "dynamics.cache.disk_cache").forget_files()
    return plants.played(obj, frames)


def cache_files(blend: Path) -> list[Path]:
    """The files of a .blend's cache."""
    return sorted(blend.with_name(f"{blend.stem}_plant_cache").glob("*"))
