# SPDX-License-Identifier: GPL-3.0-or-later
"""Pull handles with keys that repeat what the mouse has done."""

from collections.abc import Iterator
from itertools import groupby

import bpy

from ...blender.fcurves import all_curves
from ..motion.session import Session
from ..surroundings.samples import Pull


def keep_as_handles(obj: bpy.types.Object, session: Session) -> list[bpy.types.Object]:
    """Make a keyed handle of every hold of the session's recording, and forget the recording; return the Empties."""
    handles = [_handle(obj, session, hold) for hold in _holds_of(session.recording.grabs.frames)]
    session.forget_grabs()
    return handles


def _holds_of(frames: dict[int, Pull]) -> Iterator[dict[int, Pull]]:
    """The frames of each place that was held without a break, in their order."""
    held = [(frame, frames[frame]) for frame in sorted(frames) if frames[frame].stiffness > 0.0]
    runs = groupby(enumerate(held), lambda item: (item[1][0] - item[0], item[1][1].rod, item[1][1].along))
    return (dict(step for _, step in run) for _, run in runs)


def _handle(obj: bpy.types.Object, session: Session, hold: dict[int, Pull]) -> bpy.types.Object:
    first, last = min(hold), max(hold)
    bone = session.plant.bones[hold[first].rod]
    handle = bpy.data.objects.new(f"Grab {bone}", None)
    handle.empty_display_type, handle.empty_display_size = "SPHERE", max(0.02, 0.05 * max(tuple(obj.dimensions)))
    (obj.users_collection[0] if obj.users_collection else bpy.context.collection).objects.link(handle)
    handle.plant_dynamics.is_handle = True
    settings = obj.plant_dynamics
    load = settings.loads.add()
    load.name, load.kind, load.bone, load.target = f"Grab {bone}", "PULL", bone, handle
    load.along, load.stiffness = hold[first].along, hold[first].stiffness
    settings.active_load = len(settings.loads) - 1
    for frame, pull in hold.items():
        handle.location = pull.target
        handle.keyframe_insert("location", frame=frame)
    for frame, influence in ((first - 1, 0.0), (first, 1.0), (last, 1.0), (last + 1, 0.0)):
        load.influence = influence
        load.keyframe_insert("influence", frame=frame)
    for curve in all_curves(obj.animation_data.action):
        if curve.data_path == f"plant_dynamics.loads[{settings.active_load}].influence":
            for key in curve.keyframe_points:  # no easing between 0 and 1
                key.interpolation = "LINEAR"
    return handle
