# SPDX-License-Identifier: GPL-3.0-or-later
"""Animation from before a bake: what a plant follows when it is baked anew, and names that bones have got since."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import bpy

from ..blender.fcurves import assign, find_owner, posed, rename_bones, restore_curves, slot_of
from ..blender.timeline import show_again
from .record import baked_paths, baked_strip, follow_renamed_slots, present_names, shown_action


@contextmanager
def actions_before_bake(objects: Sequence[bpy.types.Object]) -> Iterator[None]:
    """The objects have actions and strips as before their bakes, for a look at these; nothing is evaluated."""
    put_back = []
    for obj in objects:
        settings, data = obj.plant_dynamics, obj.animation_data
        if shown_action(obj) is None:
            continue
        follow_renamed_slots(obj)
        found, replaced = baked_strip(obj), _is_replaced(obj)
        put_back.append((data, data.action, slot_of(data), found[0] if found else None))
        if found:
            found[0].mute = True
        if replaced:
            assign(data, settings.action_before, settings.slot_before)
    try:
        yield
    finally:
        for data, action, slot, track in put_back:
            assign(data, action, slot)
            if track is not None:
                track.mute = False


@contextmanager
def animation_before_bake(scene: bpy.types.Scene, objects: Sequence[bpy.types.Object]) -> Iterator[None]:
    """While a bake is made anew: the bones are keyed as before the bakes, for that is what plants follow,
    and all else as it is now."""
    put_back = []
    for obj in objects:
        data = obj.animation_data
        if shown_action(obj) is None:
            continue
        follow_renamed_slots(obj)
        follow_renames(obj)
        found, followed = baked_strip(obj), ""
        before = data.action, slot_of(data)
        if found:
            found[0].mute = True
        if _is_replaced(obj):
            followed = _follow(obj)
        put_back.append((obj.name, *before, found[0].name if found else None, followed))
    try:
        yield
    finally:
        for name, action, slot, track, followed in put_back:
            obj = bpy.data.objects.get(name)  # it may have been deleted meanwhile
            if obj is not None and obj.animation_data is not None:
                assign(obj.animation_data, action, slot)
                if track is not None:
                    obj.animation_data.nla_tracks[track].mute = False
            if followed:
                bpy.data.actions.remove(bpy.data.actions[followed])
        if put_back:  # the pose is that of the bake again
            show_again(scene)


@contextmanager
def rotations_before_bake(obj: bpy.types.Object) -> Iterator[None]:
    """While a bake is cleared for another: where the baked action stays in use, the keys from before it go there,
    so that the next bake follows them as this one has."""
    settings = obj.plant_dynamics
    if shown_action(obj) is None or not _is_replaced(obj) or settings.baked_to == "OVERWRITE":
        yield
        return
    follow_renames(obj)
    before, slot, paths = settings.action_before, settings.slot_before, baked_paths(obj)
    yield
    data = obj.animation_data
    if before is not None and (data.action, slot_of(data)) != (before, slot):
        restore_curves(find_owner(data.action, slot_of(data)), find_owner(before, slot), paths)


def _is_replaced(obj: bpy.types.Object) -> bool:
    """Whether the object's active action is not the one from before the bake."""
    settings, data = obj.plant_dynamics, obj.animation_data
    if baked_strip(obj):
        return settings.action_meanwhile is not None and data.action == settings.action_meanwhile
    return True


def _follow(obj: bpy.types.Object) -> str:
    """Animate the object by a copy of its action with the keys from before the bake; gives the copy's name."""
    settings, data = obj.plant_dynamics, obj.animation_data
    slot, followed = slot_of(data), data.action.copy()
    owner = find_owner(followed, slot)
    restore_curves(owner, find_owner(settings.action_before, settings.slot_before), baked_paths(obj))
    if settings.action_before is None and not len(owner.fcurves):  # nothing moves it
        bpy.data.actions.remove(followed)
        data.action = None
        return ""
    assign(data, followed, slot)
    return str(followed.name)


def follow_renames(obj: bpy.types.Object) -> None:
    """Where bones have been renamed since the bake: Blender has done so in the action in use, but not in the one from
    before. Of an action that is both, some versions of Blender have done all slots, where no old name is left then."""
    settings, data = obj.plant_dynamics, obj.animation_data
    renamed = {old: new for old, new in present_names(obj).items() if old != new}
    if not renamed:
        return
    owner = find_owner(settings.action_before, settings.slot_before)
    keyed = {posed(curve.data_path)[0] for curve in (owner.fcurves if owner is not None else ())}
    apart = data is None or data.action != settings.action_before
    if owner is not None and (apart or keyed & (renamed.keys() - set(renamed.values()))):
        rename_bones(owner, renamed)
    for baked in settings.baked_bones:
        baked.name = renamed.get(baked.name, baked.name)
        if baked.name in obj.pose.bones:
            obj.pose.bones[baked.name].plant_dynamics.baked_as = baked.name
