# SPDX-License-Identifier: GPL-3.0-or-later
"""A plant's motion simulated once more, with all that goes with it, to take down what is not known of its frames."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import bpy

from ...solver import Report, Simulation, SolverError
from ..blender.meanwhile import meanwhile
from ..dynamics.motion.motion import Motion, replay
from ..dynamics.motion.recording import Recording
from ..dynamics.motion.session import manner_of, time_base
from ..dynamics.motion.sessions import session_of
from ..dynamics.motion.trouble import Trouble, refuse, trouble_in
from ..dynamics.rig.armature_reader import as_plant_error, read_armature
from ..dynamics.rig.plant import Plant
from ..dynamics.rig.things import with_things
from ..errors import PlantError


class _InTrouble(Exception):
    """What is simulated is not how the plant would move."""

    def __init__(self, trouble: Trouble):
        super().__init__()
        self.trouble = trouble


@dataclass(frozen=True)
class OnceMore:
    """motion: of a plant and of those that go with it, before its start; number: which of them it is; recordings: what
    their sessions have seen of the scene; names: of their objects."""

    motion: Motion
    number: int
    recordings: list[Recording]
    names: list[str]

    @property
    def plant(self) -> Plant:
        """The one in question."""
        return self.motion.plants[self.number]

    @property
    def start_frame(self) -> int:
        """The first."""
        return self.recordings[0].start_frame


def once_more(
    obj: bpy.types.Object, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph, last_frame: int
) -> OnceMore:
    """The object's plant and those that go with it, up to last_frame, a frame at least. To be called at the scene's
    first frame.

    Raises PlantError if what is known does not reach so far, or if the plant has changed since.
    """
    known = session_of(obj)
    if known is None or known.recording.end_frame < last_frame:
        raise PlantError(
            "'{object}' is not in the cache up to frame {last}: play or bake it first",
            object=obj.name, last=last_frame,
        )
    plant = known.plant
    if not obj.plant_dynamics.is_baked:  # else it would follow its own keys
        plant = with_things(read_armature(obj, obj.evaluated_get(depsgraph).matrix_world), obj, depsgraph)
    sessions, recordings = known.course.sessions, []
    for one in sessions:
        recording = Recording(*time_base(scene))
        recording.adopt(one.recording)
        recordings.append(recording)
    bones_are_there = all(name in obj.data.bones for name in plant.bones)
    if not bones_are_there or any(one.end_frame < last_frame for one in recordings):
        raise PlantError("'{object}' has changed since it was simulated: play or bake it again", object=obj.name)
    for recording in recordings:
        del recording.worlds[recording.index(last_frame) + 1 :]
    motion = Motion(
        [plant if one is known else one.plant for one in sessions],
        [manner_of(obj.plant_dynamics) if one is known else one.manner for one in sessions],
        known.course.touching,
    )
    return OnceMore(motion, sessions.index(known), recordings, [one.name for one in sessions])


def taken_down(
    obj: bpy.types.Object, again: OnceMore, note: Callable[[Simulation], None], allow_stopped: bool
) -> Iterator[float]:
    """Simulate all frames of the recordings and have each noted, yielding progress 0..1.

    Raises PlantError, also where the object's plant did not settle or was stopped, if that is not allowed.
    """
    done, motion, number = 0, again.motion, again.number

    def take(index: int, report: Report | None, simulation: Simulation) -> None:
        nonlocal done
        note(simulation)
        start, own = motion.equilibrium_of(number), motion.report_of(number, report)
        found = trouble_in(again.start_frame, index, start, own, again.plant.bones)
        if found is not None and not allow_stopped:
            raise _InTrouble(found)
        done = index + 1

    try:
        for _ in meanwhile(partial(replay, motion, again.recordings, take)):
            yield done / len(again.recordings[0].worlds)
    except SolverError as error:
        which, rod = (number, None) if error.rod is None else motion.plant_of(error.rod)
        told = SolverError(error.message, rod)
        raise as_plant_error(told, again.names[which], motion.plants[which].bones) from error
    except _InTrouble as error:
        refuse(error.trouble, obj)
    yield 1.0
