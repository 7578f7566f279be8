# SPDX-License-Identifier: GPL-3.0-or-later
"""Where baked keys can go, each with the way back: a new action, an own slot, the present action, an NLA strip."""

from collections.abc import Generator, Iterable
from typing import Any

import bpy
import numpy as np

from ..blender.fcurves import (
    assign,
    channelbag,
    curve_owner,
    curves_at,
    find_owner,
    handle_of,
    key_linearly,
    merged,
    other_curves,
    posed,
    read_keys,
    remove_curves,
    remove_empty_groups,
    replace_keys,
    slot_of,
)
from ..blender.versions import can_copy, has_slots
from ..errors import PlantError
from .before_bake import follow_renames
from .record import baked_owner, baked_paths, baked_strip, give_names_back, shown_action

_NAME = "Motion"  # after the plant's


def write(
    obj: bpy.types.Object,
    target: str,
    points: dict[str, np.ndarray],
    shared: bpy.types.Action | None,
) -> Generator[float, None, bpy.types.Action]:
    """Key the channels at these paths, points (channels, keys, 2) each, in steps, and note in the object's settings
    what clear_keys needs.

    shared: the action that plants without one share when each gets a slot of its own.
    """
    settings = obj.plant_dynamics
    settings.had_animation_data = obj.animation_data is not None
    data = obj.animation_data or obj.animation_data_create()
    settings.action_before = data.action
    settings.slot_before, settings.slot_before_handle = slot_of(data), handle_of(data)
    settings.last_slot_before = data.last_slot_identifier if has_slots() else ""
    settings.baked_track = ""
    settings.action_meanwhile = None
    frames = next(iter(points.values()))[0, :, 0]
    settings.baked_first, settings.baked_last = int(frames[0]), int(frames[-1])
    if target == "OVERWRITE" and data.action is None:
        target = "NEW"
    if target == "OVERWRITE" and has_slots() and not settings.slot_before:
        target = "SLOT"  # the action does not animate the object yet
    settings.baked_to = target
    owner = {"NEW": _new_action, "SLOT": _own_slot, "OVERWRITE": _present_action, "NLA": _of_strip}[target](obj, shared)
    if target in ("NEW", "SLOT"):
        remove_curves(owner, points)
    yield from key_linearly(owner, points)
    if target == "NLA":
        _lay_strip(obj, points)
    elif has_slots():
        settings.baked_slot, settings.baked_slot_handle = slot_of(data), handle_of(data)
    return settings.baked_action


def _new_action(obj: bpy.types.Object, shared: bpy.types.Action | None) -> Any:
    before = obj.animation_data.action
    action = before.copy() if before else bpy.data.actions.new("")
    action.name = f"{obj.name} {_NAME}"
    obj.plant_dynamics.baked_action = action
    if has_slots() and not obj.plant_dynamics.slot_before:  # no other slot of the copy shall begin to act
        slot = action.slots.new(id_type="OBJECT", name=obj.name)
        assign(obj.animation_data, action, slot.identifier)
    return curve_owner(obj, action)


def _own_slot(obj: bpy.types.Object, shared: bpy.types.Action | None) -> Any:
    data = obj.animation_data
    action = data.action or shared
    if action is None:
        raise PlantError("Plants without an action need one to share")
    before = data.action_slot if data.action else None
    if before is not None and not can_copy(before):
        raise PlantError("This Blender cannot copy slots of actions: choose another target for the bake")
    slot = before.duplicate() if before else action.slots.new(id_type="OBJECT", name=obj.name)
    slot.name_display = f"{obj.name} {_NAME}"
    obj.plant_dynamics.baked_action = action
    assign(data, action, slot.identifier)
    return curve_owner(obj, action)


def _present_action(obj: bpy.types.Object, shared: bpy.types.Action | None) -> Any:
    settings, action = obj.plant_dynamics, obj.animation_data.action
    backup = action.copy()
    backup.name = f"{action.name} Before Bake"
    settings.baked_action, settings.action_before = action, backup
    return curve_owner(obj, action)


def _of_strip(obj: bpy.types.Object, shared: bpy.types.Action | None) -> Any:
    """An action that is not assigned to the object: a strip will play it."""
    action = bpy.data.actions.new(f"{obj.name} {_NAME}")
    obj.plant_dynamics.baked_action = action
    if not has_slots():
        return action
    return channelbag(action, action.slots.new(id_type="OBJECT", name=obj.name))


def _lay_strip(obj: bpy.types.Object, paths: Iterable[str]) -> None:
    settings, data = obj.plant_dynamics, obj.animation_data
    active = data.nla_tracks.active
    selected = [(strip, strip.select) for track in data.nla_tracks for strip in track.strips]
    track = data.nla_tracks.new()
    track.name = "Plant Motion"
    strip = track.strips.new(settings.baked_action.name, settings.baked_first, settings.baked_action)
    if has_slots():
        strip.action_slot = settings.baked_action.slots[0]
    strip.action_frame_start, strip.action_frame_end = settings.baked_first, settings.baked_last
    strip.frame_start, strip.frame_end = settings.baked_first, settings.baked_last
    strip.blend_type, strip.extrapolation = "REPLACE", "HOLD"
    for other, was in selected:
        other.select = was
    if active is not None:
        data.nla_tracks.active = active
    settings.baked_track = track.name
    # The active action lies above all strips: where it moves the same bones, a copy that does not takes its place.
    owner = find_owner(data.action, slot_of(data))
    if owner is not None and curves_at(owner, paths):
        meanwhile = data.action.copy()
        meanwhile.name = f"{data.action.name} Without Plant"
        settings.action_meanwhile = meanwhile
        assign(data, meanwhile, settings.slot_before)
        remove_curves(find_owner(meanwhile, slot_of(data)), paths)


def clear_keys(obj: bpy.types.Object) -> None:
    """Take the baked keys away and animate the object as before. Call while the settings still say what was baked."""
    settings, data = obj.plant_dynamics, obj.animation_data
    give_names_back(obj)
    action = shown_action(obj)
    if action is None:  # the user has put something else in its place
        if settings.action_before is not None:
            settings.action_before.use_fake_user = True
        settings.baked_action = settings.action_before = settings.action_meanwhile = None
        return
    follow_renames(obj)
    paths, before = baked_paths(obj), settings.action_before
    {"NEW": _clear_new, "SLOT": _clear_slot, "OVERWRITE": _clear_present, "NLA": _clear_strip}[settings.baked_to](
        obj, action, paths
    )
    if has_slots() and data.action == before and settings.baked_to != "OVERWRITE":
        data.last_slot_identifier = settings.last_slot_before
    settings.baked_action = settings.action_before = settings.action_meanwhile = None
    if not settings.had_animation_data and not (data.action or data.drivers or data.nla_tracks):
        obj.animation_data_clear()


def _clear_new(obj: bpy.types.Object, action: bpy.types.Action, paths: list[str]) -> None:
    settings, data = obj.plant_dynamics, obj.animation_data
    before = settings.action_before
    owner = baked_owner(obj)
    owner_before = find_owner(before, settings.slot_before) if before else None
    if other_curves(owner, paths) != other_curves(owner_before, paths):  # the user has gone on animating in it
        remove_curves(owner, paths)
        if before:
            before.use_fake_user = True
        return
    assign(data, before, settings.slot_before)
    settings.baked_action = None
    _remove_unused(action)  # a copy of the object may have the same bake


def _clear_slot(obj: bpy.types.Object, action: bpy.types.Action, paths: list[str]) -> None:
    settings, data = obj.plant_dynamics, obj.animation_data
    before, slot, owner = settings.action_before, data.action_slot, baked_owner(obj)
    owner_before = find_owner(action, settings.slot_before) if before else None
    if other_curves(owner, paths) != other_curves(owner_before, paths):
        remove_curves(owner, paths)
        return
    assign(data, before, settings.slot_before)
    settings.baked_action = None
    if not slot.users():
        action.slots.remove(slot)
    if before is None and not len(action.slots):
        _remove_unused(action)


def _clear_present(obj: bpy.types.Object, action: bpy.types.Action, paths: list[str]) -> None:
    settings, data = obj.plant_dynamics, obj.animation_data
    backup = settings.action_before
    if any(other != obj and other.animation_data and other.animation_data.action == action
           and other.plant_dynamics.is_baked for other in bpy.data.objects):  # fmt: skip
        assign(data, backup, settings.slot_before)  # a copy of the object has the same bake
        return
    owner, owner_before = baked_owner(obj), find_owner(backup, settings.slot_before)
    there = curves_at(owner_before, paths)
    for key, curve in curves_at(owner, paths).items():
        if key not in there:
            owner.fcurves.remove(curve)
            continue
        keys, own = read_keys(curve), read_keys(there[key])
        back = merged(keys, own, settings.baked_first, settings.baked_last)
        # Handles beside the range have moved with the keys in it: where nothing else has changed, all is as it was.
        same = len(back["co"]) == len(own["co"]) and (back["co"] == own["co"]).all()
        replace_keys(curve, own if same else back, exactly=bool(same))
        curve.mute = there[key].mute
        for modifier, was in zip(curve.modifiers, there[key].modifiers, strict=False):
            modifier.mute = was.mute
    remove_empty_groups(owner, {posed(path)[0] for path in paths} - {group.name for group in owner_before.groups})
    settings.baked_action = settings.action_before = None
    _remove_unused(backup)


def _clear_strip(obj: bpy.types.Object, action: bpy.types.Action, paths: list[str]) -> None:
    settings, data = obj.plant_dynamics, obj.animation_data
    before, meanwhile = settings.action_before, settings.action_meanwhile
    found = baked_strip(obj)
    if found:
        track, strip = found
        if len(track.strips) == 1:
            data.nla_tracks.remove(track)
        else:
            track.strips.remove(strip)
    settings.baked_action = None
    _remove_unused(action)
    if meanwhile is None or data.action != meanwhile:
        return
    own, owner_before = find_owner(meanwhile, slot_of(data)), find_owner(before, settings.slot_before)
    if other_curves(own, paths) != other_curves(owner_before, paths):
        before.use_fake_user = True
        return
    assign(data, before, settings.slot_before)
    settings.action_meanwhile = None
    _remove_unused(meanwhile)


def _remove_unused(action: bpy.types.Action) -> None:
    if action.users == 0:
        bpy.data.actions.remove(action)
