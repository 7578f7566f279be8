# SPDX-License-Identifier: GPL-3.0-or-later
"""How the frames of a plant become known: by the simulation of that plant, or of all that go together with it."""

from collections.abc import Sequence
from threading import RLock
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from ....solver import Report, Sample, Simulation, Snapshot, SolverError, TooSoftError
from ...errors import Fix, PlantError
from ..cache.cached_frames import CachedFrames
from ..rig.armature_reader import as_plant_error
from ..surroundings.influence import Fellow
from .known_frames import KEPT_EVERY
from .motion import Motion

if TYPE_CHECKING:
    from .session import Session


class Course:
    """One session, or several whose plants touch or are tied to each other: these know their frames together. The
    states to go on from are kept with the frames of the first.

    lock: renders and work in the window have threads of their own; fellows: the plants, by their objects' session_uid
    """

    def __init__(self, sessions: Sequence["Session"], touching: Sequence[int] = (0,)):
        """touching: plants of one number touch each other."""
        self.sessions, self.touching, self.lock = tuple(sessions), tuple(touching), RLock()
        self.motion = Motion([one.plant for one in sessions], [one.manner for one in sessions], touching)
        self.fellows = {one.uid: Fellow(number, one.plant) for number, one in enumerate(sessions)}
        self._stands_at = -1  # index of the frame the motion is at

    @property
    def is_alone(self) -> bool:
        """Whether nothing else goes with the plant, so that it may go side by side with others."""
        return len(self.sessions) == 1 and not self.sessions[0].plant.things

    def recall(self) -> None:
        """Have the next frames from those that are remembered, as far as the worlds are as they were; or forget these.
        """
        index = len(self.sessions[0].known)
        while all(len(one.recording.worlds) > index for one in self.sessions):
            if not any(one.known.remembered.frames for one in self.sessions):
                return
            fits = all(one.known.remembers(one.recording.worlds[index]) for one in self.sessions)
            for one in self.sessions:
                if fits:
                    one.known.recall(one.recording.worlds[index])
                else:
                    one.known.remembered = CachedFrames()
            index += 1

    def truncate(self, count: int, *, remember: bool) -> None:
        """Forget all frames but so many; remember: in case the worlds turn out to be as they were."""
        for one in self.sessions:
            one.known.remembered = one.known.all() if remember else CachedFrames()
            one.known.truncate(min(count, len(one.known)))

    def simulate_next(self) -> None:
        """Have one frame more known. Raises PlantError; all is as before then."""
        index = len(self.sessions[0].known)
        worlds = self._worlds(index)
        stood_at, self._stands_at = self._stands_at, -1
        try:
            if index == 0:
                report = self._begin()
            else:
                if stood_at != index - 1:
                    self._return_to(index - 1)
                report = self._advance_to(index)
        except SolverError as error:
            raise self._as_plant_error(error) from error
        shown, state = self.motion.shown(worlds, report), self._state_at(index)
        for k, one in enumerate(self.sessions):
            if not one.take(*shown[k], None if k else state):
                for taken in self.sessions[:k]:
                    taken.known.truncate(index)
                raise PlantError(
                    "'{one}': the pose is not finite at frame {frame}",
                    one=one.name, frame=one.recording.start_frame + index,
                )
        self._stands_at = index

    def _as_plant_error(self, error: SolverError) -> PlantError:
        which, rod = (0, None) if error.rod is None else self.motion.plant_of(error.rod)
        session = self.sessions[which]
        fix = Fix("HELD", session.uid) if isinstance(error, TooSoftError) else None
        return as_plant_error(SolverError(error.message, rod), session.name, session.plant.bones, fix)

    def _worlds(self, index: int) -> list[Sample]:
        for one in self.sessions:
            if len(one.recording.worlds) <= index:
                frame = one.recording.start_frame + index
                raise PlantError("'{one}': frame {frame} has not been sampled", one=one.name, frame=frame)
        return [one.recording.on_the_way_to(index) for one in self.sessions]

    def _begin(self) -> Report | None:
        begun = perf_counter()
        report = self.motion.begin(self._worlds(0), self.sessions[0].recording.frame_duration)
        took = perf_counter() - begun
        for k, one in enumerate(self.sessions):
            one.took_to_begin = took
            one.known.equilibrium, one.known.first_mode = self.motion.equilibrium_of(k), self.motion.first_modes[k]
        return report

    def _advance_to(self, index: int) -> Report:
        return self.motion.advance(self._worlds(index), self.sessions[0].recording.frame_duration)

    def _return_to(self, index: int) -> None:
        """Bring the motion to a known frame, from the last one before whose state was kept."""
        known, motion = self.sessions[0].known, self.motion
        if not motion.has_begun or known.frames[0].snapshot is None:
            self._begin()  # its springs' rest and damping come with the start
            known.keep(0, motion.simulation.snapshot())
        kept = known.kept_before(index)
        motion.simulation.restore(known.frames[kept].snapshot)
        for i in range(kept + 1, index + 1):
            self._advance_to(i)
            known.keep(i, self._state_at(i))
        if known.frames[index].snapshot is None:  # what is changed by hand is changed again and again
            known.keep(index, motion.simulation.snapshot())

    def _state_at(self, index: int) -> Snapshot | None:
        """What is kept of the present state, which is that of this frame."""
        return None if index % KEPT_EVERY else self.motion.simulation.snapshot()

    def brought_to(self, index: int) -> Simulation:
        """The simulation at a known frame."""
        if self._stands_at != index:
            self._stands_at = -1
            self._return_to(index)
            self._stands_at = index
        return self.motion.simulation


def are_finite(*arrays: np.ndarray) -> bool:
    """Whether all numbers are."""
    return all(bool(np.isfinite(one).all()) for one in arrays)
