# SPDX-License-Identifier: GPL-3.0-or-later
"""How hard an armature's joints work in an animation: their moments, and these over what holds the bones out level."""

from collections.abc import Generator
from dataclasses import dataclass, replace
from functools import cached_property

import bpy
import numpy as np
from bpy.app.translations import pgettext_rpt as rpt_

from ...solver import SolverError, discretize, join
from ..blender.meanwhile import part
from ..changes import version
from ..dynamics.live.live import is_live
from ..dynamics.motion.session import time_base
from ..dynamics.rig.armature_reader import as_plant_error
from ..dynamics.rig.leaders import follows
from ..errors import PlantError
from ..memory import Measured
from .cautions import cautions
from .evaluated import Evaluated, evaluated_motion
from .joint_moments import holding_moments, joint_moments
from .rates import LEAST_FRAMES
from .weakness import too_weak

#: Each bone turns at its head, as keys turn it.
_LAYOUT = "base"


@dataclass(frozen=True)
class Efforts:
    """Of the n bones that have a joint, at k frames from the first on, each of so many seconds: moments (k, n, 3) N m
    in the bones' axes, and what holds each out level (n,) N m; cautions: what is not counted, and who
    gives way, in sentences."""

    name: str
    bones: tuple[str, ...]
    first: int
    frame_time: float
    moments: np.ndarray
    holding: np.ndarray
    cautions: tuple[str, ...]

    @property
    def last(self) -> int:
        """The last frame."""
        return self.first + len(self.moments) - 1

    @cached_property
    def moment(self) -> np.ndarray:
        """(k, n) N m, however directed."""
        return np.linalg.norm(self.moments, axis=2)

    @cached_property
    def effort(self) -> np.ndarray:
        """(k, n) moments over what holds the bones out level; 0 of what weighs nothing."""
        return np.divide(self.moment, self.holding, out=np.zeros(self.moment.shape), where=self.holding > 0.0)

    def hardest(self, count: int) -> list[tuple[str, float, int, float]]:
        """So many bones at most that come to the largest efforts: name, effort, frame, moment there (N m)."""
        effort, moment = self.effort, self.moment
        peak, frame = effort.max(axis=0), effort.argmax(axis=0)
        order = [i for i in np.argsort(-peak, kind="stable").tolist() if peak[i] > 0.0][:count]
        return [(self.bones[i], float(peak[i]), self.first + int(frame[i]), float(moment[frame[i], i])) for i in order]

    def strongest(self) -> tuple[str, int, float]:
        """The bone with the largest moment of all: name, frame, moment (N m)."""
        frame, i = np.unravel_index(int(self.moment.argmax()), self.moment.shape)
        return self.bones[i], self.first + int(frame), float(self.moment[frame, i])

    def told(self) -> str:
        """In a sentence."""
        hardest = self.hardest(1)
        if not hardest:
            text = rpt_("No joint has to give a moment in the frames {first} to {last}")
            return text.format(first=self.first, last=self.last)
        bone, effort, frame, moment = hardest[0]
        text = rpt_("'{bone}' works hardest: at frame {frame}, {effort:g} times what holds it out level "
                    "({moment:g} N m)")  # fmt: skip
        return text.format(bone=bone, frame=frame, effort=rounded(effort), moment=rounded(moment))


def rounded(value: float) -> float:
    """To three digits, to be read."""
    return float(f"{value:.3g}")


_measured: Measured[Efforts] = Measured()


def measure(
    context: bpy.types.Context, obj: bpy.types.Object, last_frame: int
) -> Generator[float, None, Efforts]:
    """What the joints have to give from the scene's first frame to last_frame, as Blender evaluates the motion,
    yielding progress 0..1. Raises PlantError."""
    first, frame_time = time_base(context.scene)
    frames = last_frame - first + 1
    if frames < LEAST_FRAMES:
        raise PlantError(
            "'{object}': accelerations need {least} frames or more, and there are {frames} from {first} to "
            "{last}. Set a longer range of frames",
            object=obj.name, least=LEAST_FRAMES, frames=max(frames, 0), first=first, last=last_frame,
        )
    _refuse_live(obj)
    asked = version(obj)
    seen = yield from part(evaluated_motion(context, obj, first, last_frame), 0.0, 0.9)
    found = yield from part(_efforts(obj, seen, first, frame_time), 0.9, 1.0)
    return _measured.keep(obj, found, asked)


def _refuse_live(obj: bpy.types.Object) -> None:
    """Raise PlantError where there is no pose until frames have been simulated."""
    if is_live(obj):
        raise PlantError(
            "'{object}' follows the simulation: press Bake to measure that motion, or Reset to measure what its "
            "keys ask for",
            object=obj.name,
        )
    for other in follows(obj):
        if other != obj and other.type == "ARMATURE" and is_live(other):
            raise PlantError(
                "'{object}' follows the plant '{other}', which moves only when it is baked: bake '{other}' first",
                object=obj.name, other=other.name,
            )


def _efforts(
    obj: bpy.types.Object, seen: Evaluated, first: int, frame_time: float
) -> Generator[float, None, Efforts]:
    plant = seen.plant
    rows: list[np.ndarray] = []
    try:
        model = join([discretize(rods, _LAYOUT) for rods in plant.parts])
        for moment in joint_moments(model, seen.motion, frame_time):
            rows.append(moment)
            yield len(rows) / len(seen.scale)
    except SolverError as error:
        raise as_plant_error(error, obj.name, plant.bones) from error
    bones = tuple(plant.bones[rod] for rod in model.body_rod.tolist())
    found = Efforts(obj.name, bones, first, frame_time, np.array(rows), holding_moments(model), ())
    return replace(found, cautions=cautions(seen, model, first) + too_weak(obj, bones, found.moment, first))


def measured(obj: bpy.types.Object) -> Efforts | None:
    """What was measured of the object, if it has not changed since."""
    return _measured.of(obj)
