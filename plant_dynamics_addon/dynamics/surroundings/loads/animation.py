# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys and drivers of loads. They name a load by its number, which changes when one before it is removed."""

import re
from collections.abc import Iterator
from typing import Any

import bpy

from ....blender.fcurves import actions_of, curve_lists

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
    settings = obj.plant_dynamics
    kept = (settings.action_before, settings.slot_before)
    for action, slot in dict.fromkeys([*actions_of(obj.animation_data), kept]):
        if action is not None and action.is_editable:
            yield from curve_lists(action, slot)
