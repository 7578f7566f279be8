# SPDX-License-Identifier: GPL-3.0-or-later
"""How hard a plant's bones are pushed and rubbed by what they touch, frame by frame of its motion."""

from collections.abc import Generator
from dataclasses import dataclass

import bpy
import numpy as np
from bpy.app.translations import pgettext_rpt as rpt_

from ..baking.walk import simulate_range
from ..changes import version
from ..dynamics.motion.sessions import session_of
from ..dynamics.rig.moved import things_of
from ..errors import PlantError
from ..memory import Measured


@dataclass(frozen=True)
class ContactForces:
    """From the frame first to last: of the simulated bones the forces (frames,) N, by their names."""

    forces: dict[str, np.ndarray]
    first: int
    last: int

    def told(self) -> str:
        """In a sentence."""
        touching = sum(bool(own.any()) for own in self.forces.values())
        if not touching:
            text = rpt_("No bone touches anything in the frames {first} to {last}")
            return text.format(first=self.first, last=self.last)
        bone = max(self.forces, key=lambda name: self.forces[name].max())
        most, frame = float(self.forces[bone].max()), self.first + int(self.forces[bone].argmax())
        text = rpt_("{count} bones touch something, '{bone}' is pushed hardest: {force:g} N at frame {frame}")
        return text.format(count=touching, bone=bone, force=float(f"{most:.3g}"), frame=frame)


_measured: Measured[ContactForces] = Measured()


def measure(
    context: bpy.types.Context, obj: bpy.types.Object, last_frame: int, allow_stopped: bool = False
) -> Generator[float, None, ContactForces]:
    """Find the forces from the scene's first frame to last_frame, yielding progress 0..1. What is not cached is
    simulated.

    allow_stopped: of a plant too that did not settle or was stopped. Raises PlantError, for a baked plant if its cache
    does not reach so far.
    """
    contact, first = obj.plant_dynamics.contact, context.scene.frame_start
    if contact.collide_with == "NOTHING" and not (contact.itself or contact.others or things_of(obj)):
        raise PlantError("'{object}' touches nothing: choose in Collide With what it shall touch", object=obj.name)
    asked = version(obj)
    if not obj.plant_dynamics.is_baked:
        for progress, _ in simulate_range(context, [obj], last_frame, allow_stopped=allow_stopped):
            yield progress
    session = session_of(obj)
    if session is None or session.end_frame < last_frame:
        raise PlantError(
            "'{object}' is not in the cache up to frame {last}: play or bake it first",
            object=obj.name, last=last_frame,
        )
    bones, rows = session.plant.bones, []
    for frame in session.known.frames[: last_frame - first + 1]:
        rows.append(frame.pushes if len(frame.pushes) else np.zeros(len(bones)))
    forces = dict(zip(bones, np.array(rows).T, strict=True))
    return _measured.keep(obj, ContactForces(forces, first, last_frame), asked)


def measured(obj: bpy.types.Object) -> ContactForces | None:
    """What was measured of the object, if it has not changed since."""
    return _measured.of(obj)
