# SPDX-License-Identifier: GPL-3.0-or-later
"""One plant in memory: what it stands in, its simulation, and the frames that are known.

They grow frame by frame from the scene's first and are what Play shows, Bake writes and a render uses, so all three are
the same motion.
"""

import math
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from copy import copy
from time import perf_counter

import bpy
import numpy as np

from ....solver import ContactPoints, Report, Sample, Settings, Simulation, Snapshot
from ...blender.evaluation_cache import EvaluationCache
from ...errors import PlantError
from ...giving_up import unless_given_up
from ...relations import is_to_another
from ...user_choices import user_choice
from ..cache import disk_cache
from ..cache.cached_frames import CachedFrames, Frame
from ..rig.armature_reader import read_armature
from ..rig.broken_bones import BrokenBones, broken_bones
from ..rig.keyed.led_bones import led_bones
from ..rig.plant import Plant
from ..rig.things import with_things
from ..surroundings.air import in_time
from ..surroundings.samples import Pull, along_of, led_places_of, parents_scale_of, same, with_keys_of
from .course import Course, are_finite
from .known_frames import KnownFrames
from .motion import Manner, Motion
from .recording import Recording
from .standing import Standing
from .trouble import Trouble, trouble_in

#: So long (s) is waited for another thread to be done with a frame.
_PATIENCE = 0.1


class Session:
    """Recording, course and known frames of one armature object. name: the object's; may_move: whether what acts on it
    has been found to change with the frame, since its worlds were last forgotten; took_to_begin: how long (s) it took
    last to find how the plant stands at first."""

    def __init__(self, obj: bpy.types.Object, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph):
        plant = read_armature(obj, obj.evaluated_get(depsgraph).matrix_world)
        self.plant: Plant = with_things(plant, obj, depsgraph)
        self.manner = manner_of(obj.plant_dynamics)
        self.recording = Recording(*time_base(scene))
        self.known = KnownFrames()
        self.name, self.uid, self.may_move, self.took_to_begin = obj.name, obj.session_uid, False, 0.0
        self.course = Course([self])
        self._armature = obj.data.session_uid
        self._standing = Standing()
        self._still: dict[int, Hashable] = {}  # as of what the worlds, by their indices, stand still

    def own_key(self) -> tuple[object, ...]:
        """Two sessions with the same key, alone, make the same motion from the same worlds."""
        return self.plant.signature, self.manner, *self.recording.time_base

    def key(self) -> tuple[object, ...]:
        """The same of sessions that go with others."""
        others = tuple((one.name, *one.own_key()) for one in self.course.sessions if one is not self)
        return (*self.own_key(), self.course.touching, others) if others else self.own_key()

    def go_with(self, course: Course) -> None:
        """Go this course from now on. What is known of another one is remembered, if it may be the same."""
        before, known, self.course = self.key(), self.known.all(), course
        self.known.truncate(0)
        self.known.remembered = known if self.key() == before else CachedFrames()

    @property
    def motion(self) -> Motion:
        """What is simulated."""
        return self.course.motion

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
        with self.course.lock:
            return self.known.all()

    def clear(self) -> None:
        """Look at every frame's world again; frames up to the first that has changed are kept."""
        self.may_move = False
        with self.course.lock:
            self.recording.worlds.clear()
            self.course.truncate(0, remember=True)

    def is_busy(self) -> bool:
        """Whether another thread goes on simulating it for longer than can be waited for."""
        free = self.course.lock.acquire(timeout=_PATIENCE)
        if free:
            self.course.lock.release()
        return not free

    def so_far(self) -> "Session":
        """A copy that knows what this one knows now, and does not wait for the thread that simulates this one."""
        other = copy(self)
        other.recording, other.known = self.recording.copied(), self.known.copied()
        other._still = self._still.copy()
        other.course = Course([other])
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

    def first_crowded(self) -> int | None:
        """The first known frame that brought more bones near each other than it could take, if there is one."""
        index = self.known.first_crowded()
        return None if index is None else self.recording.start_frame + index

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
        with self.course.lock:
            self.recording.drop(frame)
            self.course.truncate(self.recording.index(frame), remember=False)
        disk_cache.doubt({one.uid for one in self.course.sessions})

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

        by_hand: Blender has not gone to the frame anew. Keyed bones, and things that the plant moves, show the
        simulation then and not their keys, which are as they were.
        """
        worlds = self.recording.worlds
        if frame < self.recording.start_frame and worlds:
            return
        index, grabs, fellows = self.recording.index(frame), self.recording.grabs, self.course.fellows
        still = None if grabs.frames else self._standing.still(obj, scene, depsgraph, fellows)
        if still is not None and index < len(worlds) and self._still.get(index) == still:
            return
        once = EvaluationCache() if once is None else once
        read, still = self._standing.read(obj, self.plant, scene, depsgraph, once, fellows)
        sample = grabs.applied(read, frame)
        if index < len(worlds):
            if by_hand:
                sample = with_keys_of(sample, worlds[index])
            if same(self._in_time(index, sample), worlds[index]):
                self._still[index] = still
                return
            self.drop_samples(frame)
        while len(worlds) <= index:
            self._append(sample, still)

    def see_unchanging(self, last_frame: int) -> None:
        """Take the last world seen to hold up to last_frame; its wind blows on."""
        while (worlds := self.recording.worlds) and self.recording.end_frame < last_frame:
            self._append(worlds[-1], self._still.get(len(worlds) - 1))

    def _append(self, sample: Sample, still: Hashable) -> None:
        with self.course.lock:
            worlds = self.recording.worlds
            self._still[len(worlds)] = still
            worlds.append(self._in_time(len(worlds), sample))
            if len(worlds) == len(self.known) + 1:
                self.course.recall()

    def _in_time(self, index: int, sample: Sample) -> Sample:
        """The sample with its wind as it is at a frame after that of the frames before."""
        before, duration = self.recording.worlds[index - 1] if index > 0 else None, self.recording.frame_duration
        return in_time(sample, before, index * duration, duration)

    def lacks_next(self) -> bool:
        """Whether the next frame has only to be simulated: its world is known."""
        return len(self.known) < len(self.recording.worlds)

    def simulate_next(self) -> None:
        """Have one frame more known. Raises PlantError; all is as before then."""
        self.course.simulate_next()

    def brought_to(self, index: int) -> Simulation:
        """The simulation at a known frame."""
        return self.course.brought_to(index)

    def take(
        self, rods: np.ndarray, report: Report | None, state: np.ndarray, heads: np.ndarray | None,
        contacts: ContactPoints | None, pushes: np.ndarray, things: np.ndarray, snapshot: Snapshot | None,
    ) -> bool:  # fmt: skip
        """Know the next frame as it has been simulated: what is shown of it, as of Shown, and the state where it is
        kept. Not where the pose is not finite."""
        world, channels = self.recording.worlds[len(self.known)], self.plant.channels(rods)
        along = along_of(world)
        if along is not None:
            channels = np.concatenate([channels, along[:, :4]])
        broken = None if heads is None else broken_bones(
            self.plant, state, rods, heads, world, parents_scale_of(world)
        )
        led = led_bones(self.plant, led_places_of(world), along)
        if not are_finite(channels, things) or (broken is not None and not are_finite(broken.location)):
            return False
        self.known.frames.append(Frame(world, channels, report, snapshot, contacts, broken, led, things, pushes))
        return True

    @contextmanager
    def held(self) -> Iterator[bool]:
        """Nobody else simulates it meanwhile; false where somebody does already."""
        free = self.course.lock.acquire(blocking=False)
        try:
            yield free
        finally:
            if free:
                self.course.lock.release()

    def channels_at(self, frame: int) -> np.ndarray:
        """Pose rotations (n, 4) of the bones that are shown at a frame, as of shown_at."""
        return self.shown_at(frame).channels

    def shown_at(self, frame: int) -> Frame:
        """What is shown at a frame, simulated as far as needed; frames before the first show the first."""
        with self.course.lock:
            self.reaches(frame)
            return self.known.frames[self.recording.index(frame)]

    def broken_at(self, frame: int) -> BrokenBones | None:
        """What is broken at a frame, as of shown_at, if anything is."""
        return self.shown_at(frame).broken

    def reaches(self, frame: int, until: float = math.inf) -> bool:
        """Simulate frames up to this one, but begin with no second one after that time (as perf_counter tells it).
        Whether the frame is known then. Raises PlantError."""
        index = self.recording.index(frame)
        if not self.recording.has(frame):
            raise PlantError("'{name}': frame {frame} has not been sampled", name=self.name, frame=frame)
        with self.course.lock:
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
    is_tied = any(load.kind == "TIE" and not is_to_another(load) for load in settings.loads)
    return Manner(settings.start, settings.run_up, share, solver, settings.contact.itself, is_tied)


def time_base(scene: bpy.types.Scene) -> tuple[int, float]:
    """The frame at which simulations begin, and how long (s) a frame is."""
    return scene.frame_start, scene.render.fps_base / scene.render.fps
