# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys and drivers of loads. They name a load by its number, which changes when one before it is removed."""

import re
from collections.abc import Iterator
from typing import Any

import bpy

from ....blender.drivers import driver_targets
from ....blender.fcurves import actions_of, assign, curve_lists, slot_of

_PATH = re.compile(r"plant_dynamics\.loads\[(\d+)\]")


def remove_animation(obj: bpy.types.Object, number: int) -> None:
    """Delete the keys and drivers of the load that is about to be removed; those of later ones follow them, and so do
    drivers that read these. Other plants that share the keys keep them: this one gets a copy of its own."""
    _renumber_targets(obj, number)
    if obj.animation_data is None:
        return
    _keep_to_itself(obj)
    for curves in [obj.animation_data.drivers, *_curve_lists(obj)]:
        for curve in list(curves):
            found = _PATH.match(curve.data_path)
            if found is None or int(found[1]) < number:
                continue
            if int(found[1]) == number:
                curves.remove(curve)
            else:
                curve.data_path = _before(found)


def _before(found: re.Match[str]) -> str:
    """The path of the load that stands one place before."""
    return f"plant_dynamics.loads[{int(found[1]) - 1}]{found.string[found.end() :]}"


def _renumber_targets(obj: bpy.types.Object, number: int) -> None:
    for target in driver_targets():
        found = _PATH.match(target.data_path) if target.id == obj else None
        if found is not None and int(found[1]) > number:
            target.data_path = _before(found)


def _keep_to_itself(obj: bpy.types.Object) -> None:
    """Give the object copies of those of its actions that key loads and animate other objects, too."""
    data, copies = obj.animation_data, {}
    others = [other.animation_data for other in bpy.data.objects if other != obj]
    shared = {used for other in others for used in actions_of(other)}
    for user in [data, *(strip for track in data.nla_tracks for strip in track.strips)]:
        used = user.action, slot_of(user)
        if used in shared and any(_PATH.match(curve.data_path) for curves in curve_lists(*used) for curve in curves):
            if user.action not in copies:
                copies[user.action] = user.action.copy()
            assign(user, copies[user.action], used[1])


def _curve_lists(obj: bpy.types.Object) -> Iterator[Any]:
    """The F-curves that animate the object now, in its NLA strips, or when its bake is cleared, each list once."""
    settings = obj.plant_dynamics
    kept = (settings.action_before, settings.slot_before)
    for action, slot in dict.fromkeys([*actions_of(obj.animation_data), kept]):
        if action is not None and action.is_editable:
            yield from curve_lists(action, slot)
