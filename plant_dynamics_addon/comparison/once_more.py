# SPDX-License-Identifier: GPL-3.0-or-later
"""A plant's motion simulated once more, to take down what the cache does not hold of it."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import partial

import bpy

from ...solver import Simulation
from ..blender.meanwhile import meanwhile
from ..dynamics.motion.session import Session
from ..dynamics.motion.sessions import session_of
from ..dynamics.motion.trouble import refuse
from ..errors import PlantError


class OnceMore(Session, ABC):
    """The motion that the plant's own session has seen the world of, up to last_frame.

    Raises PlantError if that does not reach so far, or if the plant has changed since.
    """

    def __init__(self, obj: bpy.types.Object, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph, last_frame: int):
        cached = session_of(obj)
        if cached is None or cached.sampled_end < last_frame:
            raise PlantError(f"'{obj.name}' is not in the cache up to frame {last_frame}: play or bake it first")
        super().__init__(obj, scene, depsgraph)
        if obj.plant_dynamics.is_baked:  # read anew, it would follow its own keys
            self.plant = cached.plant
            self._simulation = Simulation(self.plant.models, self.solver)
        self.adopt_samples(cached)
        gone = any(name not in obj.data.bones for name in self.plant.bones)
        if self.sampled_end < last_frame or gone:
            raise PlantError(f"'{obj.name}' has changed since it was simulated: play or bake it again")

    def simulate_next(self) -> None:
        """Add one frame to the cache, and note it. Raises PlantError."""
        super().simulate_next()
        self.note(self._simulation)

    def in_steps(self, obj: bpy.types.Object, last_frame: int, allow_stopped: bool) -> Iterator[float]:
        """Simulate up to last_frame, yielding progress 0..1. Raises PlantError where the object's plant did not settle
        or was stopped, if that is not allowed."""
        count, progress = last_frame - self.start_frame + 1, 0.0
        for number, frame in enumerate(range(self.start_frame, last_frame + 1), start=1):
            for _ in meanwhile(partial(self.channels_at, frame)):
                yield progress
            if not allow_stopped:
                refuse(self.trouble_at(frame), obj)
            progress = number / count
            yield progress

    @abstractmethod
    def note(self, simulation: Simulation) -> None:
        """Take down what is wanted of the frame that the simulation is at."""
