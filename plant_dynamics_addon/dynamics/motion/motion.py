# SPDX-License-Identifier: GPL-3.0-or-later
"""A plant's simulation from its start through the frames of a recording."""

from collections.abc import Callable
from dataclasses import dataclass

from ....solver import Equilibrium, Report, Sample, Settings, Simulation
from ...giving_up import unless_given_up
from ..measure.damping_ratio import damped_by_ratio
from ..rig.plant import Plant
from .recording import Recording
from .run_up import run_up


@dataclass(frozen=True)
class Manner:
    """How a plant is simulated.

    start: as of Simulation.start; run_up: frames before the first; damping_ratio: share of critical damping that first
    modes are given, or None; solver: settings; together: whether the armature's plants touch each other
    """

    start: str
    run_up: int
    damping_ratio: float | None
    solver: Settings
    together: bool = False


class Motion:
    """A plant on its way through the frames.

    equilibrium and first_mode (Hz): how the start went, and what the damping was found for, when it has begun
    """

    def __init__(self, plant: Plant, manner: Manner):
        self.plant, self.manner = plant, manner
        self.simulation = Simulation(plant.models, manner.solver, together=manner.together)
        self.equilibrium: Equilibrium | None = None
        self.first_mode: float | None = None
        self.has_begun = False

    def begin(self, world: Sample, duration: float) -> Report | None:
        """Stand in the first frame's world, after the run-up in frames of this duration (s), of which this tells.

        Raises SolverError.
        """
        manner = self.manner
        if manner.damping_ratio is not None:
            damped = damped_by_ratio(self.plant, manner.damping_ratio, world, manner.start)
            self.simulation = Simulation([one.model for one in damped], manner.solver, together=manner.together)
            self.first_mode = min(one.frequency for one in damped)
        self.equilibrium = self.simulation.start(world, manner.start, self.plant.initial)
        self.has_begun = True
        return run_up(self.simulation, world, manner.run_up, duration) if manner.run_up else None

    def advance(self, world: Sample, duration: float) -> Report:
        """Go on to the next frame's world, which is so long (s) after the last. Raises SolverError."""
        return self.simulation.advance(world, duration)


#: Takes down a frame: its index, how it went, and the simulation that stands at it.
Take = Callable[[int, Report | None, Simulation], None]


def replay(motion: Motion, recording: Recording, take: Take, frames: int | None = None) -> None:
    """Simulate a motion anew through all frames of a recording, or so many, and have each taken down.

    Needs no Blender, and no more of a scene than the recording. Raises SolverError.
    """
    for index, world in enumerate(recording.worlds[:frames]):
        unless_given_up()
        step = motion.advance if index else motion.begin
        take(index, step(world, recording.frame_duration), motion.simulation)
