# SPDX-License-Identifier: GPL-3.0-or-later
"""The simulation of plants that go together, mostly of one alone, from its start through the frames of a recording."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ....solver import (
    ContactPoints,
    Counts,
    Equilibrium,
    Guide,
    Report,
    Sample,
    Settings,
    Simulation,
    joined_samples,
    rotations,
)
from ...giving_up import unless_given_up
from ..cache.cached_frames import NO_PUSHES
from ..measure.damping_ratio import damped_by_ratio
from ..measure.set_down import SetDown
from ..rig.plant import Plant
from ..surroundings.samples import ties_to_others
from .recording import Recording
from .run_up import run_up


@dataclass(frozen=True)
class Manner:
    """How a plant is simulated.

    start: as of Simulation.start; run_up: frames before the first; damping_ratio: share of critical damping that first
    modes are given, or None; solver: settings; itself: whether its bones touch each other; is_tied: whether some are
    tied to others
    """

    start: str
    run_up: int
    damping_ratio: float | None
    solver: Settings
    itself: bool = False
    is_tied: bool = False


class Shown(NamedTuple):
    """A plant where the motion stands: rods' orientations (m, 4) in their carriers' frames, how it went, what has
    become of their joints (m,), their heads (m, 3) m where anything has, what they touch and what pushed them in the
    frame (m,) N, (0,) where there is nothing to touch, and locations and rotations (t, 7), channels of the things that
    it moves."""

    rods: np.ndarray
    report: Report | None
    state: np.ndarray
    heads: np.ndarray | None
    contacts: ContactPoints | None
    pushes: np.ndarray
    things: np.ndarray


class Part(NamedTuple):
    """What a rod of the simulation is: number of its plant, which of that one's rods, -1 for a thing that it moves, and
    the name of the bone or the thing."""

    plant: int
    rod: int
    name: str


class Motion:
    """Plants on their way through the frames, with the things that they move.

    equilibrium and first_modes (Hz): how the start went, and what the damping was found for, when it has begun
    """

    def __init__(self, plants: Sequence[Plant], manners: Sequence[Manner], touching: Sequence[int] | None = None):
        """touching: plants of one number touch each other; all do where there is none."""
        self.plants, self.manners = tuple(plants), tuple(manners)
        self._touching = [0] * len(plants) if touching is None else list(touching)
        things = [thing for plant in plants for thing in plant.things]
        self._is_joined = len(plants) > 1 or bool(things)
        self._rods = _own([plant.model.rod_count for plant in plants], plants)
        self._bodies = _own([plant.model.body_count for plant in plants], plants)
        self.simulation = self._simulation([plant.models for plant in plants])
        self.equilibrium: Equilibrium | None = None
        self.first_modes: list[float | None] = [None] * len(plants)
        self.has_begun = False
        self._set_down = SetDown()

    def _simulation(self, models: Sequence[Sequence]) -> Simulation:
        """One of the plants' models, each followed by those of its things, which are on their own."""
        first = self.manners[0]
        if not self._is_joined:
            as_one = first.itself or first.is_tied
            return Simulation(models[0], first.solver, together=[0] * len(models[0]) if as_one else False)
        parts, groups = [], []
        for k, (own, plant) in enumerate(zip(models, self.plants, strict=True)):
            parts += [*own, *(thing.model for thing in plant.things)]
            groups += [k] * len(own)
            groups += range(len(self.plants) + len(groups), len(self.plants) + len(groups) + len(plant.things))
        finest = replace(
            first.solver, max_step=min(one.solver.max_step for one in self.manners),
            tolerance=min(one.solver.tolerance for one in self.manners),
        )  # fmt: skip
        return Simulation(parts, finest, together=groups)

    def begin(self, worlds: Sequence[Sample], duration: float) -> Report | None:
        """Stand in the first frame's worlds, one for each plant, after the run-up in frames of this duration (s), of
        which this tells.

        Raises SolverError.
        """
        models = [plant.models for plant in self.plants]
        for k, (plant, manner, world) in enumerate(zip(self.plants, self.manners, worlds, strict=True)):
            if manner.damping_ratio is not None:
                damped = damped_by_ratio(plant, manner.damping_ratio, world, manner.start)
                models[k] = tuple(one.model for one in damped)
                self.first_modes[k] = min(one.frequency for one in damped)
        if any(mode is not None for mode in self.first_modes):
            self.simulation = self._simulation(models)
        starts, initial = [], []
        for plant, manner in zip(self.plants, self.manners, strict=True):
            starts += [manner.start] * len(plant.models) + ["drawn"] * len(plant.things)
            initial += [plant.initial, np.zeros((len(plant.things), 3))]
        begun = [
            (thing.model, at) for plant, world in zip(self.plants, worlds, strict=True) if plant.things
            for thing, at in zip(plant.things, world.things, strict=True)
        ]  # fmt: skip
        self._set_down.begin(begun, worlds[0].colliders)
        world = self._joined(worlds)
        self.equilibrium = self.simulation.start(world, starts, np.concatenate(initial))
        self.has_begun = True
        frames = max(manner.run_up for manner in self.manners)
        return run_up(self.simulation, world, frames, duration) if frames else None

    def advance(self, worlds: Sequence[Sample], duration: float) -> Report:
        """Go on to the next frame's worlds, which are so long (s) after the last. Raises SolverError."""
        return self.simulation.advance(self._joined(worlds), duration)

    def shown(self, worlds: Sequence[Sample], report: Report | None) -> list[Shown]:
        """Each plant where the motion stands, in these worlds."""
        simulation = self.simulation
        orientations, state = simulation.rod_orientations(), simulation.broken()
        heads = simulation.rod_heads() if self._is_joined or state.any() else None
        touches = self._is_joined or bool(worlds[0].colliders) or bool(worlds[0].touches_itself)
        contacts = simulation.contacts() if touches else None
        pushes = simulation.pushes() if touches else None
        found = []
        for plant, own, world in zip(self.plants, self._rods, worlds, strict=True):
            behind = slice(own.stop, own.stop + len(plant.things))
            things = np.empty((len(plant.things), 7))
            if plant.things:
                assert heads is not None
                bases = np.array([one.orientation for one in world.things])
                turned = rotations.multiply(bases, orientations[behind])
                to_channel = np.array([thing.to_channel for thing in plant.things])
                things[:, :3], things[:, 3:] = heads[behind], rotations.multiply(turned, to_channel)
            found.append(
                Shown(
                    orientations[own], _of_rods(report, own), state[own],
                    None if heads is None or not state[own].any() else heads[own],
                    None if contacts is None else _touched(contacts, own), NO_PUSHES if pushes is None else pushes[own],
                    things,
                )
            )  # fmt: skip
        return found

    def rods_of(self, plant: int) -> slice:
        """Those of a plant among all of the simulation."""
        return self._rods[plant]

    def bodies_of(self, plant: int) -> slice:
        """Those of a plant among all of the simulation."""
        return self._bodies[plant]

    def pushes_of(self, plant: int) -> np.ndarray:
        """(m,) N: what pushed the rods of a plant in the frame at which the motion stands."""
        return self.simulation.pushes()[self._rods[plant]]

    def report_of(self, plant: int, report: Report | None) -> Report | None:
        """The same with the rod counted from the plant's first, -1 where it is none of its."""
        return _of_rods(report, self._rods[plant])

    def equilibrium_of(self, plant: int) -> Equilibrium | None:
        """How the start of a plant went."""
        return _of_rods(self.equilibrium, self._rods[plant])

    def plant_of(self, rod: int) -> tuple[int, int]:
        """Which plant a rod is of, and which of that one's."""
        for k, own in enumerate(self._rods):
            if rod < own.stop + len(self.plants[k].things):
                return k, min(rod, own.stop - 1) - own.start
        return 0, rod

    def parts(self) -> list[Part]:
        """All rods of the simulation."""
        found = []
        for k, plant in enumerate(self.plants):
            found += [Part(k, rod, bone) for rod, bone in enumerate(plant.bones)]
            found += [Part(k, -1, thing.name) for thing in plant.things]
        return found

    def _joined(self, worlds: Sequence[Sample]) -> Sample:
        """The worlds of the plants and of their things as one."""
        if not self._is_joined:
            return worlds[0]
        parts, counts, itself, others = [], [], [], []
        for plant, manner, number, world in zip(self.plants, self.manners, self._touching, worlds, strict=True):
            parts.append(world)
            counts.append(Counts.of(len(plant.models), plant.model))
            itself += [manner.itself] * len(plant.models) + [False] * len(plant.things)
            others += [number] * (len(plant.models) + len(plant.things))
            for thing, own in zip(world.things, plant.things, strict=True):
                parts.append(
                    Sample(
                        [thing.position], [thing.orientation], np.reshape(world.gravity, (-1, 3))[0],
                        np.reshape(world.stiffness_scale, -1)[0], wind=world.wind, force_field=world.force_field,
                        cut=[0.0 if thing.is_held else 1.0],
                    )
                )  # fmt: skip
                counts.append(Counts.of(1, own.model))
        joined = joined_samples(parts, counts)
        return replace(
            joined, touches_itself=itself, touches_others=others, guides=[*joined.guides, *self._ties(worlds)],
            parting_speed=max(world.parting_speed for world in worlds),
            colliders=self._set_down.thinned(joined.colliders),
        )  # fmt: skip

    def _ties(self, worlds: Sequence[Sample]) -> Iterator[Guide]:
        """Those between the plants."""
        for own, world in zip(self._rods, worlds, strict=True):
            for tie in ties_to_others(world):
                if tie.plant < len(self._rods):  # else the two do not go together any more
                    one, other = tie.guide.rod + own.start, tie.guide.other_rod + self._rods[tie.plant].start
                    yield replace(tie.guide, rod=one, other_rod=other)


def _own(counts: Sequence[int], plants: Sequence[Plant]) -> list[slice]:
    """What is each plant's, of so many rods or bodies; behind them is one of each thing that it moves."""
    firsts = np.cumsum([0] + [count + len(plant.things) for count, plant in zip(counts, plants, strict=True)]).tolist()
    return [slice(first, first + count) for first, count in zip(firsts, counts, strict=False)]


def _of_rods(told: Report | Equilibrium | None, own: slice):
    """The same with the rod counted from a plant's first, -1 where it is none of its."""
    if told is None:
        return None
    return told._replace(rod=told.rod - own.start if own.start <= told.rod < own.stop else -1)


def _touched(contacts: ContactPoints, own: slice) -> ContactPoints:
    """What the rods of a plant touch."""
    mine = (contacts.rod >= own.start) & (contacts.rod < own.stop)
    return ContactPoints(contacts.rod[mine] - own.start, *(column[mine] for column in contacts[1:]))


#: Takes down a frame: its index, how it went, and the simulation that stands at it.
Take = Callable[[int, Report | None, Simulation], None]


def replay(motion: Motion, recordings: Sequence[Recording], take: Take, frames: int | None = None) -> None:
    """Simulate a motion anew through all frames of recordings, one for each of its plants, or so many, and have each
    taken down.

    Needs no Blender, and no more of a scene than the recordings. Raises SolverError.
    """
    for index in range(len(recordings[0].worlds[:frames])):
        unless_given_up()
        step = motion.advance if index else motion.begin
        worlds = [one.on_the_way_to(index) for one in recordings]
        take(index, step(worlds, recordings[0].frame_duration), motion.simulation)
