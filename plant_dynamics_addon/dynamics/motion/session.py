# SPDX-License-Identifier: GPL-3.0-or-later
"""One plant in memory: its simulation and the cache of frames that everything reads.

The cache grows frame by frame from the scene's first frame and is what Play shows, Bake writes and a render uses, so
all three are the same motion. It holds, per frame, the world's sample, the pose channels and the state to go on from.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from threading import RLock
from time import perf_counter

import bpy
import numpy as np

from ....solver import (
    COARSE,
    LIMITED,
    STOPPED,
    Equilibrium,
    Report,
    Sample,
    Settings,
    Simulation,
    Snapshot,
    SolverError,
)
from ...blender.evaluation_cache import Once
from ...blender.meanwhile import unless_given_up
from ...errors import PlantError
from ...user_choices import user_choice
from ..cache import disk_cache
from ..cache.cached_frames import Frame, Remembered
from ..measure.damping_ratio import damped_by_ratio
from ..rig.armature_reader import Plant, as_plant_error, read_armature
from ..surroundings.grabs import Grab, Grabs
from ..surroundings.inputs import evaluated, read_sample, same
from ..surroundings.winds import in_time
from .run_up import run_up
from .trouble import Trouble

#: Every so many frames the state is kept, which takes far more memory than the pose; others are simulated from there.
KEPT_EVERY = 8

#: So long (s) is waited for another thread to be done with a frame.
_PATIENCE = 0.1


class Session:
    """Simulation and cache of one armature object."""

    def __init__(self, obj: bpy.types.Object, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph):
        settings = obj.plant_dynamics
        self.start_frame, self.frame_duration = time_base(scene)
        self.plant: Plant = read_armature(obj, evaluated(obj, depsgraph).matrix_world)
        self.start_mode = settings.start
        self.run_up = settings.run_up
        self.damping_ratio: float | None = None
        if settings.damping_mode == "RATIO":
            self.damping_ratio = 0.01 * settings.damping_ratio * settings.damping_factor
        self.solver = Settings(
            max_step=settings.max_step,
            tolerance=0.01 * settings.step_error,
            scheme=settings.scheme,
            halvings=settings.halvings,
            threads=user_choice("threads", 0),
        )
        self.grabs = Grabs()
        self.equilibrium: Equilibrium | None = None
        self.first_mode: float | None = None  # Hz, when the damping asks for it
        self.revisions = 0  # how often cached frames were forgotten: those after that may be others
        self._reports: list[Report | None] = []
        self._lock = RLock()  # of the lists below: renders and work in the window have threads of their own
        self._simulation = Simulation(self.plant.models, self.solver)
        self._samples: list[Sample] = []
        self._channels: list[np.ndarray] = []
        self._snapshots: list[Snapshot | None] = []  # of some frames
        self._remembered = Remembered()  # what comes behind the cached frames, if the world is as it was
        self._begun = False
        self._sound = 0  # so many cached frames are without trouble
        self._stands_at = -1  # index of the frame the simulation object is at
        self._name, self._uid = obj.name, obj.session_uid
        self._armature = obj.data.session_uid

    def key(self) -> tuple[object, ...]:
        """Two sessions with the same key make the same motion from the same samples."""
        how = self.start_mode, self.run_up, self.damping_ratio, self.solver
        return self.plant.signature, *how, self.start_frame, self.frame_duration

    def is_of(self, armature: bpy.types.Armature) -> bool:
        """Whether this is what was read; an object can be given another one, and nobody is told."""
        return bool(self._armature == armature.session_uid)

    def follow(self, other: "Session") -> None:
        """Be of the armature that the other one was read from, which is the same in all that matters."""
        self._armature = other._armature

    @property
    def simulation(self) -> Simulation:
        """At whatever frame it stands."""
        return self._simulation

    @property
    def next_index(self) -> int:
        """Of the first frame that is not cached."""
        return len(self._channels)

    @property
    def end_frame(self) -> int:
        """Last frame in the cache; start_frame - 1 when it is empty."""
        return self.start_frame + len(self._channels) - 1

    @property
    def sampled_end(self) -> int:
        """Last frame whose world is known."""
        return self.start_frame + len(self._samples) - 1

    def known_share(self, frames: int) -> float:
        """How much of so many first frames is done: looked at, and simulated."""
        return 0.5 * (len(self._samples) + len(self._channels)) / max(1, frames)

    @property
    def remembered_end(self) -> int:
        """Last frame that need not be simulated again if nothing up to it has changed."""
        return max(self.end_frame, self.start_frame + len(self._remembered.frames) - 1)

    def frames(self) -> Remembered:
        """All frames that there are, the cached ones and behind them those that are remembered."""
        with self._lock:
            columns = self._samples[: len(self._channels)], self._channels, self._reports, self._snapshots
            cached = [Frame(*row) for row in zip(*columns, strict=True)]
        return Remembered(self._remembered.behind(cached), self.equilibrium, self.first_mode)

    def remember(self, frames: Remembered) -> None:
        """Take these frames for the cache, instead of simulating, as far as the world is found to be theirs."""
        self._remembered = frames

    def clear(self) -> None:
        """Look at every frame's world again; frames up to the first that has changed are kept."""
        with self._lock:
            self.remember(self.frames())
            self._samples.clear()
            self.truncate(self.start_frame)

    def truncate(self, frame: int) -> None:
        """Forget the cached frames from this one on."""
        keep = max(0, frame - self.start_frame)
        self.revisions += 1
        del self._channels[keep:], self._snapshots[keep:], self._reports[keep:]
        self._sound = min(self._sound, keep)

    def is_busy(self) -> bool:
        """Whether another thread goes on simulating it for longer than can be waited for."""
        free = self._lock.acquire(timeout=_PATIENCE)
        if free:
            self._lock.release()
        return not free

    def so_far(self) -> "Session":
        """A copy that knows what this one knows now, and does not wait for the thread that simulates this one."""
        other = copy(self)
        other._lock, other._simulation = RLock(), Simulation(self.plant.models, self.solver)
        other._begun, other._stands_at = False, -1
        count = min(len(self._channels), len(self._snapshots), len(self._reports))  # a frame is added one by one
        other._samples, other._channels = self._samples[:], self._channels[:count]
        other._snapshots, other._reports = self._snapshots[:count], self._reports[:count]
        return other

    def trouble_at(self, frame: int) -> Trouble | None:
        """Why a cached frame does not show how the plant would move, if so; frames behind it do not either."""
        index, start = max(0, frame - self.start_frame), self.equilibrium
        if index == 0 and start is not None and not start.balanced:
            return Trouble("UNSETTLED", self.start_frame, self._bone(start.rod))
        report = self._reports[index]
        if report is not None and report.status == STOPPED:
            return Trouble("STOPPED", self.start_frame + index, self._bone(report.rod))
        return None

    def trouble(self) -> Trouble | None:
        """The first trouble among the cached frames."""
        while self._sound < len(self._reports):
            found = self.trouble_at(self.start_frame + self._sound)
            if found is not None:
                return found
            self._sound += 1
        return None

    def first_slowed(self) -> tuple[int, str] | None:
        """Frame and bone of the first cached frame that was slowed down, if there is one."""
        for index, report in enumerate(self._reports):
            if report is not None and report.status == LIMITED:
                return self.start_frame + index, self._bone(report.rod)
        return None

    def _bone(self, rod: int) -> str:
        return self.plant.bones[rod] if rod >= 0 else ""

    def coarse_share(self) -> float:
        """Share of the cached frames whose error is larger than asked for."""
        reports = [report for report in self._reports if report is not None]
        return sum(report.status == COARSE for report in reports) / max(1, len(reports))

    def adopt_samples(self, other: "Session") -> None:
        """Take over what another session has seen of the same scene."""
        if other.start_frame == self.start_frame and other.frame_duration == self.frame_duration:
            self._samples = list(other._samples)
            self.grabs = other.grabs

    def hold(self, grab: Grab, frame: int) -> None:
        """Have the mouse hold the plant from this frame on. What was expected of later frames no longer holds."""
        self.grabs.hold(grab)
        self.drop_samples(frame + 1)

    def first_grabbed(self) -> int | None:
        """First frame that the mouse has held."""
        return min(self.grabs.frames, default=None)

    def forget_grabs(self) -> None:
        """Move as if the mouse had never held the plant."""
        if self.grabs.frames:
            self.drop_samples(min(self.grabs.frames))
        self.grabs.forget()

    def drop_samples(self, frame: int) -> None:
        """The world is another from this frame on."""
        with self._lock:
            del self._samples[max(0, frame - self.start_frame) :]
            self.truncate(frame)
            self._remembered = Remembered()
        disk_cache.doubt({self._uid})

    def see(
        self,
        obj: bpy.types.Object,
        scene: bpy.types.Scene,
        depsgraph: bpy.types.Depsgraph,
        frame: int,
        once: Once | None = None,
        by_hand: bool = False,
    ) -> None:
        """Read the world at the scene's current frame. Frames that were skipped are taken to be like this one.

        by_hand: Blender has not gone to the frame anew. Keyed bones show the simulation then and not their keys, which
        are as they were.
        """
        if frame < self.start_frame and self._samples:
            return
        sample = self.grabs.applied(read_sample(obj, self.plant, scene, depsgraph, once), frame)
        known = max(0, frame - self.start_frame)
        if known < len(self._samples):
            if by_hand:
                sample = replace(sample, pose=self._samples[known].pose)
            if same(self._in_time(known, sample), self._samples[known]):
                return
            self.drop_samples(frame)
        while len(self._samples) <= known:
            self._append(sample)

    def see_unchanging(self, last_frame: int) -> None:
        """Take the last world seen to hold up to last_frame; its wind blows on."""
        while self._samples and self.sampled_end < last_frame:
            self._append(self._samples[-1])

    def _append(self, sample: Sample) -> None:
        with self._lock:
            self._samples.append(self._in_time(len(self._samples), sample))
            self._recall()

    def _recall(self) -> None:
        """Have the last frame looked at from those that are remembered, or forget them if it is not theirs."""
        index = len(self._samples) - 1
        if not self._remembered.frames or index != len(self._channels):
            return
        frame = self._remembered.take(index, self._samples[index])
        if frame is None:
            self._remembered = Remembered()
            return
        if index == 0:
            self.equilibrium, self.first_mode = self._remembered.equilibrium, self._remembered.first_mode
        self._channels.append(frame.channels)
        self._snapshots.append(frame.snapshot)
        self._reports.append(frame.report)

    def _in_time(self, index: int, sample: Sample) -> Sample:
        """The sample with its wind as it is at a frame after that of the frames before."""
        before = self._samples[index - 1] if index > 0 else None
        return in_time(sample, before, index * self.frame_duration, self.frame_duration)

    def simulate_next(self) -> None:
        """Add one frame to the cache. Raises PlantError; the cache is then as before."""
        index = len(self._channels)
        sample = self._samples[index]
        stood_at, self._stands_at = self._stands_at, -1
        try:
            if index == 0:
                report = self._begin(sample)
            else:
                if stood_at != index - 1:
                    self._return_to(index - 1)
                report = self._simulation.advance(sample, self.frame_duration)
        except SolverError as error:
            raise as_plant_error(error, self._name, self.plant.bones) from error
        channels = self.plant.channels(self._simulation.rod_orientations())
        if not np.isfinite(channels).all():
            raise PlantError(f"'{self._name}': the pose is not finite at frame {self.start_frame + index}")
        self._channels.append(channels)
        self._snapshots.append(self._state_at(index))
        self._reports.append(report)
        self._stands_at = index

    def lacks_next(self) -> bool:
        """Whether the next frame, which is not the first, has only to be simulated: its world is known."""
        return 0 < len(self._channels) < len(self._samples)

    def world_at(self, index: int) -> Sample:
        """The world of the frame at an index."""
        return self._samples[index]

    def brought_to(self, index: int) -> Simulation:
        """The simulation at a cached frame."""
        if self._stands_at != index:
            self._stands_at = -1
            self._return_to(index)
            self._stands_at = index
        return self._simulation

    def take(self, rods: np.ndarray, report: Report, snapshot: Snapshot | None) -> bool:
        """Add the next frame to the cache, as others have simulated it: the rods' orientations (m, 4), how it went, and
        the state where it is kept. Not where the pose is not finite."""
        channels = self.plant.channels(rods)
        if not np.isfinite(channels).all():
            return False
        self._channels.append(channels)
        self._snapshots.append(snapshot)
        self._reports.append(report)
        return True

    @contextmanager
    def held(self) -> Iterator[bool]:
        """Nobody else simulates it meanwhile; false where somebody does already."""
        free = self._lock.acquire(blocking=False)
        try:
            yield free
        finally:
            if free:
                self._lock.release()

    def _return_to(self, index: int) -> None:
        """Bring the simulation to a cached frame, from the last one before whose state was kept."""
        if not self._begun or self._snapshots[0] is None:  # its springs' rest and damping come with the start
            self._begin(self._samples[0])
            self._snapshots[0] = self._simulation.snapshot()
        kept = max(i for i in range(index + 1) if self._snapshots[i] is not None)
        self._simulation.restore(self._snapshots[kept])
        for i in range(kept + 1, index + 1):
            self._simulation.advance(self._samples[i], self.frame_duration)
            self._snapshots[i] = self._state_at(i)
        if self._snapshots[index] is None:  # what is changed by hand is changed again and again
            self._snapshots[index] = self._simulation.snapshot()

    def _state_at(self, index: int) -> Snapshot | None:
        """What the cache keeps of the present state, which is that of this frame."""
        return None if index % KEPT_EVERY else self._simulation.snapshot()

    def _begin(self, sample: Sample) -> Report | None:
        if self.damping_ratio is not None:
            damped = damped_by_ratio(self.plant, self.damping_ratio, sample, self.start_mode)
            self._simulation = Simulation([one.model for one in damped], self.solver)
            self.first_mode = min(one.frequency for one in damped)
        self.equilibrium = self._simulation.start(sample, self.start_mode, self.plant.initial)
        self._begun = True
        return run_up(self._simulation, sample, self.run_up, self.frame_duration) if self.run_up else None

    def channels_at(self, frame: int) -> np.ndarray:
        """Pose rotations (n, 4) at a frame, simulated as far as needed; frames before the first show the first."""
        with self._lock:
            self.reaches(frame)
            return self._channels[max(0, frame - self.start_frame)]

    def reaches(self, frame: int, until: float = math.inf) -> bool:
        """Simulate frames up to this one, but begin with no second one after that time (as perf_counter tells it).
        Whether the frame is in the cache then. Raises PlantError."""
        index = max(0, frame - self.start_frame)
        if index >= len(self._samples):
            raise PlantError(f"'{self._name}': frame {frame} has not been sampled")
        with self._lock:
            while len(self._channels) <= index:
                unless_given_up()
                self.simulate_next()
                if perf_counter() > until:
                    break
            return len(self._channels) > index


def time_base(scene: bpy.types.Scene) -> tuple[int, float]:
    """The frame at which simulations begin, and how long (s) a frame is."""
    return scene.frame_start, scene.render.fps_base / scene.render.fps
