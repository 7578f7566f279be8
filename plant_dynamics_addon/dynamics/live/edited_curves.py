# SPDX-License-Identifier: GPL-3.0-or-later
"""Actions and drivers that a script has edited between two frames, of which Blender does not tell.

A script that keys something and goes to the next frame at once has all evaluated in one: what Blender tells then, it
tells at every frame. Only their contents say that they are others. In a window edits come one by one, and are told.
"""

from collections.abc import Iterator

import bpy

from ...blender.fcurves import all_curves
from ...blender.in_bulk import values_of

#: What actions and drivers say, by session_uid of what holds them.
_noted: dict[int, int] = {}

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
        return hash(tuple(_curve(curve) for curve in all_curves(one)))
    data = getattr(one, "animation_data", None)
    drivers = data.drivers if data is not None else ()
    return hash(tuple((*_curve(curve), *_driver(curve.driver)) for curve in drivers)) if len(drivers) else _NOTHING


def _curve(curve: bpy.types.FCurve) -> tuple[object, ...]:
    keys = (values_of(curve.keyframe_points, name, 2).tobytes() for name in ("co", "handle_left", "handle_right"))
    return curve.data_path, curve.array_index, curve.mute, curve.extrapolation, len(curve.modifiers), *keys


def _driver(driver: bpy.types.Driver) -> tuple[object, ...]:
    variables = ((one.name, one.type, *((at.id, at.data_path) for at in one.targets)) for one in driver.variables)
    return driver.type, driver.expression, *variables
