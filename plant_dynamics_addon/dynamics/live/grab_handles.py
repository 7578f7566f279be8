# SPDX-License-Identifier: GPL-3.0-or-later
"""Pull handles with keys that repeat what the mouse has done."""

from itertools import groupby
from typing import NamedTuple

import bpy

from ...blender.fcurves import all_curves
from ..motion.session import Session
from ..surroundings.samples import Pull


class Hold(NamedTuple):
    """One place held without a break: rod, along, N/m, and the frames with where it was drawn to."""

    rod: int
    along: float
    stiffness: float
    targets: dict[int, tuple[float, float, float]]


def holds_of(frames: dict[int, Pull]) -> list[Hold]:
    """The holds in a recording, in the order of their frames."""
    held = [(frame, frames[frame]) for frame in sorted(frames) if frames[frame].stiffness > 0.0]
    numbered = enumerate(held)
    runs = groupby(numbered, lambda item: (item[1][0] - item[0], item[1][1].rod, item[1][1].along))
    holds = []
    for _, run in runs:
        steps = [step for _, step in run]
        first = steps[0][1]
        holds.append(Hold(first.rod, first.along, first.stiffness, {frame: grab.target for frame, grab in steps}))
    return holds


def keep_as_handles(obj: bpy.types.Object, session: Session) -> list[bpy.types.Object]:
    """Make a keyed handle of every hold of the session's recording, and forget the recording; return the Empties."""
    handles = [_handle(obj, session, hold) for hold in holds_of(session.recording.grabs.frames)]
    session.forget_grabs()
    return handles


def _handle(obj: bpy.types.Object, session: Session, hold: Hold) -> bpy.types.Object:
    bone = session.plant.bones[hold.rod]
    handle = bpy.data.objects.new(f"Grab {bone}", None)
    handle.empty_display_type, handle.empty_display_size = "SPHERE", max(0.02, 0.05 * max(tuple(obj.dimensions)))
    (obj.users_collection[0] if obj.users_collection else bpy.context.collection).objects.link(handle)
    settings = obj.plant_dynamics
    load = settings.loads.add()
    load.name, load.kind, load.bone, load.target = f"Grab {bone}", "PULL", bone, handle
    load.along, load.stiffness = hold.along, hold.stiffness
    settings.active_load = len(settings.loads) - 1
    for frame, target in hold.targets.items():
        handle.location = target
        handle.keyframe_insert("location", frame=frame)
    first, last = min(hold.targets), max(hold.targets)
    for frame, influence in ((first - 1, 0.0), (first, 1.0), (last, 1.0), (last + 1, 0.0)):
        load.influence = influence
        load.keyframe_insert("influence", frame=frame)
    for curve in all_curves(obj.animation_data.action):
        if curve.data_path == f"plant_dynamics.loads[{settings.active_load}].influence":
            for key in curve.keyframe_points:  # no easing between 0 and 1
                key.interpolation = "LINEAR"
    return handle
