# SPDX-License-Identifier: GPL-3.0-or-later
"""Actions and drivers that a script has edited between two frames, of which Blender does not tell.

A script that keys something and goes to the next frame at once has all evaluated in one: what Blender tells then, it
tells at every frame. Only their contents say that they are others. In a window edits come one by one, and are told.
"""

from collections.abc import Iterator, Sequence

import bpy
import numpy as np

from ...blender.fcurves import all_curves

#: What actions and drivers say, by session_uid of what holds them.
_noted: dict[int, int] = {}

#: What keys say, two numbers each.
_OF_KEYS = ("co", "handle_left", "handle_right")

#: Of what is not animated.
_NOTHING = 0


def note_curves() -> None:
    """Take all actions and drivers of the file as they are now."""
    _noted.clear()
    if bpy.app.background:
        _noted.update((one.session_uid, _said_by(one)) for one in _all_data())


def are_curves_edited(depsgraph: bpy.types.Depsgraph) -> bool:
    """Whether what has been evaluated is animated otherwise than when this was last asked, or noted."""
    if not bpy.app.background:
        return False
    said = {one.session_uid: _said_by(one) for one in (update.id.original for update in depsgraph.updates)}
    edited = any(_noted.get(uid, _NOTHING) != now for uid, now in said.items())
    _noted.update(said)
    return edited


def _all_data() -> Iterator[bpy.types.ID]:
    for name in ("actions", "scenes", "objects", "armatures", "worlds"):
        yield from getattr(bpy.data, name)


def _said_by(one: bpy.types.ID) -> int:
    if isinstance(one, bpy.types.Action):
        return hash(_curves(all_curves(one)))
    data = getattr(one, "animation_data", None)
    drivers = list(data.drivers) if data is not None else []
    return hash((*_curves(drivers), *(_driver(curve.driver) for curve in drivers))) if drivers else _NOTHING


def _curves(curves: Sequence[bpy.types.FCurve]) -> tuple[object, ...]:
    """What they animate, and their keys, all in one array: this is asked at every frame."""
    points = [curve.keyframe_points for curve in curves]
    counts = [2 * len(one) for one in points]
    keys, begin = np.empty(len(_OF_KEYS) * sum(counts), dtype=np.float32), 0
    for one, count in zip(points, counts, strict=True):
        for name in _OF_KEYS:
            one.foreach_get(name, keys[begin : begin + count])
            begin += count
    return *((curve.data_path, curve.array_index, curve.mute) for curve in curves), keys.tobytes()


def _driver(driver: bpy.types.Driver) -> tuple[object, ...]:
    variables = ((one.name, one.type, *((at.id, at.data_path) for at in one.targets)) for one in driver.variables)
    return driver.type, driver.expression, *variables
