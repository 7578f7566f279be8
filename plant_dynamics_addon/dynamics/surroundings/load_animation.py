# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys and drivers of loads. They name a load by its number, which changes when one before it is removed."""

import re
from collections.abc import Iterator
from typing import Any

import bpy

from ...blender.fcurves import curve_lists, has_slots

_PATH = re.compile(r"plant_dynamics\.loads\[(\d+)\]")


def remove_animation(obj: bpy.types.Object, number: int) -> None:
    """Delete the keys and drivers of the load that is about to be removed; those of later ones follow them."""
    if obj.animation_data is None:
        return
    for curves in [obj.animation_data.drivers, *_curve_lists(obj)]:
        for curve in list(curves):
            found = _PATH.match(curve.data_path)
            if found is None or int(found[1]) < number:
                continue
            if int(found[1]) == number:
                curves.remove(curve)
            else:
                curve.data_path = f"plant_dynamics.loads[{int(found[1]) - 1}]{curve.data_path[found.end() :]}"


def _curve_lists(obj: bpy.types.Object) -> Iterator[Any]:
    """The F-curves that animate the object now, in its NLA strips, or when its bake is cleared, each list once."""
    data, settings = obj.animation_data, obj.plant_dynamics
    users = [data, *(strip for track in data.nla_tracks for strip in track.strips)]
    used = [(user.action, user.action_slot.identifier if has_slots() and user.action_slot else "") for user in users]
    used.append((settings.action_before, settings.slot_before))
    for action, slot in dict.fromkeys(used):
        if action is not None and action.is_editable:
            yield from curve_lists(action, slot)
