# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether animation makes data change with the frame. An action may be empty, or hold keys that all say the same."""

import bpy
import numpy as np

from .fcurves import actions_of, curve_lists, slot_of
from .in_bulk import values_of

#: Numbers of the interpolations that stay between keys of equal values, from constant to Bézier; others overshoot.
_PLAIN = 2

#: Modifiers that give the same at every frame as long as nothing of them is animated.
_STILL = {"COLLISION", "SUBSURF", "BEVEL", "SOLIDIFY", "TRIANGULATE", "EDGE_SPLIT", "WELD", "REMESH", "DECIMATE",
          "MULTIRES", "WEIGHTED_NORMAL"}  # fmt: skip


def is_animated(item: bpy.types.ID) -> bool:
    """Whether the item has a driver, a strip in its NLA, or an F-curve that is not constant."""
    data = item.animation_data
    if data is None:
        return False
    if data.drivers or any(track.strips for track in data.nla_tracks):
        return True
    if data.action is None:
        return False
    return any(_moves(curve) for curves in curve_lists(data.action, slot_of(data)) for curve in curves)


def animated_channels(item: bpy.types.ID) -> set[tuple[str, int]]:
    """Path and index of all that a driver or an F-curve sets, also one in a strip of its NLA."""
    return {(curve.data_path, curve.array_index) for curve in _curves(item) if not curve.mute}


def is_animated_at(item: bpy.types.ID, path: str) -> bool:
    """Whether a driver or an F-curve sets what is at the path, also one in a strip of its NLA."""
    return any(curve.data_path == path and not curve.mute for curve in _curves(item))


def _curves(item: bpy.types.ID) -> list[bpy.types.FCurve]:
    """All of an item's drivers and F-curves, also those in strips of its NLA."""
    data = item.animation_data
    if data is None:
        return []
    return [*(curve for used in actions_of(data) for curves in curve_lists(*used) for curve in curves), *data.drivers]


def _moves(curve: bpy.types.FCurve) -> bool:
    if any(not modifier.mute for modifier in curve.modifiers):
        return True
    keys = curve.keyframe_points
    if not len(keys):
        return len(curve.sampled_points) > 0
    places = values_of(keys, "co", 2)
    if (places[:, 1] != places[0, 1]).any():  # the commonest case
        return True
    how = values_of(keys, "interpolation", kind=np.intc)
    points = np.concatenate([places, *(values_of(keys, name, 2) for name in ("handle_left", "handle_right"))])
    return bool((how > _PLAIN).any() or np.ptp(points[:, 1]) > 0.0)


def may_move(obj: bpy.types.Object) -> bool:
    """Whether animation, a parent, constraints or physics can move the object."""
    return bool(is_animated(obj) or obj.parent or obj.constraints or obj.rigid_body)


def may_deform(obj: bpy.types.Object) -> bool:
    """Whether the object's mesh or curve may change with the frame."""
    data = obj.data
    keys = getattr(data, "shape_keys", None)
    follows = any(getattr(data, name, None) for name in ("bevel_object", "taper_object", "follow_curve"))
    return bool(
        any(modifier.type not in _STILL for modifier in obj.modifiers)
        or (data is not None and is_animated(data))
        or follows
        or (keys is not None and is_animated(keys))
    )


def is_evaluated_always(obj: bpy.types.Object) -> bool:
    """Whether Blender evaluates the object at every frame: it may move, or something may run into it."""
    return may_move(obj) or may_deform(obj) or any(modifier.type == "COLLISION" for modifier in obj.modifiers)
