# SPDX-License-Identifier: GPL-3.0-or-later
"""A plant's motion simulated once more, to take down what is not known of its frames."""

from collections.abc import Callable, Iterator
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
from ..errors import PlantError


class _InTrouble(Exception):
    """What is simulated is not how the plant would move."""

    def __init__(self, trouble: Trouble):
        super().__init__()
        self.trouble = trouble


def once_more(
    obj: bpy.types.Object, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph, last_frame: int
) -> tuple[Motion, Recording]:
    """The object's plant before its start, and what its session has seen of the scene up to last_frame, a frame at
    least. To be called at the scene's first frame.

    Raises PlantError if that does not reach so far, or if the plant has changed since.
    """
    known = session_of(obj)
    if known is None or known.recording.end_frame < last_frame:
        raise PlantError(f"'{obj.name}' is not in the cache up to frame {last_frame}: play or bake it first")
    # Read anew, a baked plant would follow its own keys.
    world = obj.evaluated_get(depsgraph).matrix_world
    plant = known.plant if obj.plant_dynamics.is_baked else read_armature(obj, world)
    recording = Recording(*time_base(scene))
    recording.adopt(known.recording)
    if recording.end_frame < last_frame or any(name not in obj.data.bones for name in plant.bones):
        raise PlantError(f"'{obj.name}' has changed since it was simulated: play or bake it again")
    del recording.worlds[recording.index(last_frame) + 1 :]
    return Motion([plant], [manner_of(obj.plant_dynamics)]), recording


def taken_down(
    obj: bpy.types.Object, motion: Motion, recording: Recording, note: Callable[[Simulation], None], allow_stopped: bool
) -> Iterator[float]:
    """Simulate all frames of the recording and have each noted, yielding progress 0..1.

    Raises PlantError, also where the object's plant did not settle or was stopped, if that is not allowed.
    """
    done = 0

    def take(index: int, report: Report | None, simulation: Simulation) -> None:
        nonlocal done
        note(simulation)
        found = trouble_in(recording.start_frame, index, motion.equilibrium, report, motion.plants[0].bones)
        if found is not None and not allow_stopped:
            raise _InTrouble(found)
        done = index + 1

    try:
        for _ in meanwhile(partial(replay, motion, recording, take)):
            yield done / len(recording.worlds)
    except SolverError as error:
        raise as_plant_error(error, obj.name, motion.plants[0].bones) from error
    except _InTrouble as error:
        refuse(error.trouble, obj)
    yield 1.0
