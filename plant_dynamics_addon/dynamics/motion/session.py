# SPDX-License-Identifier: GPL-3.0-or-later
"""One plant in memory: what it stands in, its simulation, and the frames that are known.

They grow frame by frame from the scene's first and are what Play shows, Bake writes and a render uses, so all three are
the same motion.
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

from ....solver import ContactPoints, Report, Sample, Settings, Simulation, Snapshot, SolverError
from ...blender.evaluation_cache import EvaluationCache
from ...errors import PlantError
from ...giving_up import unless_given_up
from ...user_choices import user_choice
from ..cache import disk_cache
from ..cache.cached_frames import CachedFrames, Frame
from ..rig.armature_reader import as_plant_error, read_armature
from ..rig.broken_bones import BrokenBones, broken_bones
from ..rig.plant import Plant
from ..surroundings.air import in_time
from ..surroundings.inputs import read_sample
from ..surroundings.samples import Pull, same
from .known_frames import KEPT_EVERY, KnownFrames
from .motion import Manner, Motion
from .recording import Recording
from .trouble import Trouble, trouble_in

#: So long (s) is waited for another thread to be done with a frame.
_PATIENCE = 0.1


class Session:
    """Recording, motion and known frames of one armature object."""

    def __init__(self, obj: bpy.types.Object, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph):
        self.plant: Plant = read_armature(obj, obj.evaluated_get(depsgraph).matrix_world)
        self.manner = manner_of(obj.plant_dynamics)
        self.recording = Recording(*time_base(scene))
        self.motion = Motion(self.plant, self.manner)
        self.known = KnownFrames()
        self._lock = RLock()  # renders and work in the window have threads of their own
        self._stands_at = -1  # index of the frame the motion is at
        self._name, self._uid = obj.name, obj.session_uid
        self._armature = obj.data.session_uid

    def key(self) -> tuple[object, ...]:
        """Two sessions with the same key make the same motion from the same worlds."""
        return self.plant.signature, self.manner, *self.recording.time_base

    def is_of(self, armature: bpy.types.Armature) -> bool:
        """Whether this is what was read; an object can be given another one, and nobody is told."""
        return bool(self._armature == armature.session_uid)

    def follow(self, other: "Session") -> None:
        """Be of the armature that the other one was read from, which is the same in all that matters."""
        self._armature = other._armature

    @property
    def end_frame(self) -> int:
        """Last frame that is known; start_frame - 1 when none is."""
        return self.recording.start_frame + len(self.known) - 1

    @property
    def remembered_end(self) -> int:
        """Last frame that need not be simulated again if nothing up to it has changed."""
        return self.recording.start_frame + max(len(self.known), len(self.known.remembered.frames)) - 1

    def known_share(self, frames: int) -> float:
        """How much of so many first frames is done: looked at, and simulated."""
        return 0.5 * (len(self.recording.worlds) + len(self.known)) / max(1, frames)

    def frames(self) -> CachedFrames:
        """All frames that there are, the known ones and behind them those that are remembered."""
        with self._lock:
            return self.known.all()

    def clear(self) -> None:
        """Look at every frame's world again; frames up to the first that has changed are kept."""
        with self._lock:
            self.known.remembered = self.known.all()
            self.recording.worlds.clear()
            self.known.truncate(0)

    def is_busy(self) -> bool:
        """Whether another thread goes on simulating it for longer than can be waited for."""
        free = self._lock.acquire(timeout=_PATIENCE)
        if free:
            self._lock.release()
        return not free

    def so_far(self) -> "Session":
        """A copy that knows what this one knows now, and does not wait for the thread that simulates this one."""
        other = copy(self)
        other._lock, other.motion, other._stands_at = RLock(), Motion(self.plant, self.manner), -1
        other.recording, other.known = self.recording.copied(), self.known.copied()
        return other

    def trouble_at(self, frame: int) -> Trouble | None:
        """Why a known frame does not show how the plant would move, if so; frames behind it do not either."""
        index = self.recording.index(frame)
        start, report = self.known.equilibrium, self.known.frames[index].report
        return trouble_in(self.recording.start_frame, index, start, report, self.plant.bones)

    def trouble(self) -> Trouble | None:
        """The first trouble among the known frames."""
        begun, stopped = self.recording.start_frame, self.known.first_stopped()
        at_start = self.trouble_at(begun) if len(self.known) else None
        return at_start if at_start is not None or stopped is None else self.trouble_at(begun + stopped)

    def first_slowed(self) -> tuple[int, str] | None:
        """Frame and bone of the first known frame that was slowed down, if there is one."""
        index = self.known.first_limited()
        report = None if index is None else self.known.frames[index].report
        if index is None or report is None:
            return None
        return self.recording.start_frame + index, self.plant.bones[report.rod] if report.rod >= 0 else ""

    def breaks(self) -> list[tuple[int, str, int]]:
        """Frame, bone and state of what has broken in the known frames, in their order."""
        start, names = self.recording.start_frame, self.plant.names
        return [(start + one.index, names[one.bone], one.state) for one in self.known.breaks()]

    def hold(self, grab: Pull, frame: int) -> None:
        """Have the mouse hold the plant from this frame on. What was expected of later frames no longer holds."""
        self.recording.grabs.held = grab
        self.drop_samples(frame + 1)

    def forget_grabs(self) -> None:
        """Move as if the mouse had never held the plant."""
        first = self.recording.grabs.first_frame()
        if first is not None:
            self.drop_samples(first)
        self.recording.grabs.forget()

    def drop_samples(self, frame: int) -> None:
        """The world is another from this frame on."""
        with self._lock:
            self.recording.drop(frame)
            self.known.truncate(self.recording.index(frame))
            self.known.remembered = CachedFrames()
        disk_cache.doubt({self._uid})

    def see(
        self,
        obj: bpy.types.Object,
        scene: bpy.types.Scene,
        depsgraph: bpy.types.Depsgraph,
        frame: int,
        once: EvaluationCache | None = None,
        by_hand: bool = False,
    ) -> None:
        """Read the world at the scene's current frame. Frames that were skipped are taken to be like this one.

        by_hand: Blender has not gone to the frame anew. Keyed bones show the simulation then and not their keys, which
        are as they were.
        """
        worlds = self.recording.worlds
        if frame < self.recording.start_frame and worlds:
            return
        sample = self.recording.grabs.applied(read_sample(obj, self.plant, scene, depsgraph, once), frame)
        index = self.recording.index(frame)
        if index < len(worlds):
            if by_hand:
                sample = replace(sample, pose=worlds[index].pose)
            if same(self._in_time(index, sample), worlds[index]):
                return
            self.drop_samples(frame)
        while len(worlds) <= index:
            self._append(sample)

    def see_unchanging(self, last_frame: int) -> None:
        """Take the last world seen to hold up to last_frame; its wind blows on."""
        while self.recording.worlds and self.recording.end_frame < last_frame:
            self._append(self.recording.worlds[-1])

    def _append(self, sample: Sample) -> None:
        with self._lock:
            worlds = self.recording.worlds
            worlds.append(self._in_time(len(worlds), sample))
            if len(worlds) == len(self.known) + 1:
                self.known.recall(worlds[-1])

    def _in_time(self, index: int, sample: Sample) -> Sample:
        """The sample with its wind as it is at a frame after that of the frames before."""
        before, duration = self.recording.worlds[index - 1] if index > 0 else None, self.recording.frame_duration
        return in_time(sample, before, index * duration, duration)

    def simulate_next(self) -> None:
        """Have one frame more known. Raises PlantError; all is as before then."""
        index = len(self.known)
        stood_at, self._stands_at = self._stands_at, -1
        try:
            if index == 0:
                report = self._begin()
            else:
                if stood_at != index - 1:
                    self._return_to(index - 1)
                report = self._advance_to(index)
        except SolverError as error:
            raise as_plant_error(error, self._name, self.plant.bones) from error
        simulation = self.motion.simulation
        world, state = self.recording.worlds[index], simulation.broken()
        contacts = simulation.contacts() if world.colliders or world.touches_itself else None
        heads = simulation.rod_heads() if state.any() else None
        if not self.take(simulation.rod_orientations(), report, self._state_at(index), state, heads, contacts):
            raise PlantError(f"'{self._name}': the pose is not finite at frame {self.recording.start_frame + index}")
        self._stands_at = index

    def _begin(self) -> Report | None:
        report = self.motion.begin(self.recording.worlds[0], self.recording.frame_duration)
        self.known.equilibrium, self.known.first_mode = self.motion.equilibrium, self.motion.first_mode
        return report

    def _advance_to(self, index: int) -> Report:
        return self.motion.advance(self.recording.worlds[index], self.recording.frame_duration)

    def _return_to(self, index: int) -> None:
        """Bring the motion to a known frame, from the last one before whose state was kept."""
        known, motion = self.known, self.motion
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

    def lacks_next(self) -> bool:
        """Whether the next frame has only to be simulated: its world is known."""
        return len(self.known) < len(self.recording.worlds)

    def brought_to(self, index: int) -> Simulation:
        """The simulation at a known frame."""
        if self._stands_at != index:
            self._stands_at = -1
            self._return_to(index)
            self._stands_at = index
        return self.motion.simulation

    def take(
        self, rods: np.ndarray, report: Report | None, snapshot: Snapshot | None, state: np.ndarray,
        heads: np.ndarray | None, contacts: ContactPoints | None = None,
    ) -> bool:  # fmt: skip
        """Know the next frame as it has been simulated: the rods' orientations (m, 4), how it went, the state where it
        is kept, what has become of the rods' joints (m,) with their heads (m, 3) m where anything has, and what is
        touched. Not where the pose is not finite."""
        world, channels = self.recording.worlds[len(self.known)], self.plant.channels(rods)
        broken = None if heads is None else broken_bones(self.plant, state, rods, heads, world)
        if not np.isfinite(channels).all() or (broken is not None and not np.isfinite(broken.location).all()):
            return False
        self.known.frames.append(Frame(world, channels, report, snapshot, contacts, broken))
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

    def channels_at(self, frame: int) -> np.ndarray:
        """Pose rotations (n, 4) at a frame, simulated as far as needed; frames before the first show the first."""
        with self._lock:
            self.reaches(frame)
            return self.known.frames[self.recording.index(frame)].channels

    def broken_at(self, frame: int) -> BrokenBones | None:
        """What is broken at a frame, simulated as far as needed, if anything is."""
        with self._lock:
            self.reaches(frame)
            return self.known.frames[self.recording.index(frame)].broken

    def reaches(self, frame: int, until: float = math.inf) -> bool:
        """Simulate frames up to this one, but begin with no second one after that time (as perf_counter tells it).
        Whether the frame is known then. Raises PlantError."""
        index = self.recording.index(frame)
        if not self.recording.has(frame):
            raise PlantError(f"'{self._name}': frame {frame} has not been sampled")
        with self._lock:
            while len(self.known) <= index:
                unless_given_up()
                self.simulate_next()
                if perf_counter() > until:
                    break
            return len(self.known) > index


def manner_of(settings: bpy.types.PropertyGroup) -> Manner:
    """How the settings of an object have it simulated."""
    ratio = settings.damping_ratio * settings.damping_factor if settings.damping_mode == "RATIO" else None
    solver = Settings(
        max_step=settings.max_step,
        tolerance=0.01 * settings.step_error,
        scheme=settings.scheme,
        halvings=settings.halvings,
        threads=user_choice("threads", 0),
    )
    share = None if ratio is None else 0.01 * ratio
    return Manner(settings.start, settings.run_up, share, solver, settings.contact.itself)


def time_base(scene: bpy.types.Scene) -> tuple[int, float]:
    """The frame at which simulations begin, and how long (s) a frame is."""
    return scene.frame_start, scene.render.fps_base / scene.render.fps
