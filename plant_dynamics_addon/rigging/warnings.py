# SPDX-License-Identifier: GPL-3.0-or-later
"""What an animator should know of bones that are simulated all the same."""

from collections.abc import Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import bpy
import numpy as np
from bpy.app.translations import pgettext_iface as iface_
from mathutils.geometry import intersect_point_line

from ..blender.in_bulk import values_of
from ..dynamics.motion.session import Session
from ..dynamics.motion.sessions import session_of
from ..dynamics.rig.armature_reader import is_jointed
from ..dynamics.rig.bone_animation import keyed_bones
from ..dynamics.rig.keyed.constraints import (
    acting_constraints,
    goes_where_led,
    may_follow,
    muted_by_keys,
    only_limit,
    unfollowed_bones,
)
from ..dynamics.rig.keyed.lengths import are_even, sheared_bones, would_be_sheared
from ..dynamics.rig.short_bones import short_bones
from ..dynamics.surroundings.samples import parents_scale_of
from ..errors import Fix
from .limpness import stays_stiff

_MOST_NAMES = 3

#: How many frames of a session have been looked at, and which bones sat on what was uneven at one of them.
_LOOKED_AT: WeakKeyDictionary[Session, tuple[int, np.ndarray]] = WeakKeyDictionary()


@dataclass(frozen=True)
class RigWarning:
    """A sentence with the bones' names, and what would mend it, where there is such."""

    text: str
    fix: Fix | None = None


def named(names: Sequence[str]) -> str:
    """The first few names, and how many more there are."""
    text = ", ".join(f"'{name}'" for name in names[:_MOST_NAMES])
    if len(names) <= _MOST_NAMES:
        return text
    return iface_("{names} and {count} more").format(names=text, count=len(names) - _MOST_NAMES)


def rig_warnings(obj: bpy.types.Object) -> list[RigWarning]:
    """Constraints on simulated bones, bones that are sheared, locked, too stiff or have no length. Cheap enough for a
    panel."""
    found = []
    leading = acting_constraints(obj)
    if leading and goes_where_led(obj):
        unfollowed = [] if obj.plant_dynamics.is_baked else unfollowed_bones(obj, leading)  # a bake has keys of its own
        if unfollowed:
            text = iface_("Followed in how they turn, not in all of place and size: {bones}")
            found.append(RigWarning(text.format(bones=named(unfollowed))))
        if muted := muted_by_keys(obj):
            text = iface_("Constraints whose Mute is animated act on top of the motion; key their Influence: {bones}")
            found.append(RigWarning(text.format(bones=named(muted))))
    elif leading:
        held = list(dict.fromkeys(bone.name for bone, _ in leading))
        text, fix = iface_("Constraints act on top of the motion: {bones}"), None
        if not only_limit(leading):
            text = iface_("Constraints act on top of the motion: {bones}. With Follow the motion goes where they lead")
            fix = Fix("NOT_FOLLOWED", obj.session_uid)
        found.append(RigWarning(text.format(bones=named(held)), fix))
    if obj.plant_dynamics.live and (off := _keyed_off(obj)):
        text = iface_("Bake before rendering, for bones come off whose location has keys: {bones}")
        found.append(RigWarning(text.format(bones=named(off))))
    if stays_stiff(obj):
        text = iface_("Where Follow ends, stiff bones go on as they are keyed: limp ones fall")
        found.append(RigWarning(text, Fix("STIFF", obj.session_uid)))
    sheared = _sheared(obj) if obj.plant_dynamics.follow_animation else []
    if sheared:
        text = iface_("Sheared by the uneven scale of what they sit on, and simulated straight: {bones}")
        fix = Fix("INHERIT_SCALE", obj.session_uid, tuple(sheared))
        found.append(RigWarning(text.format(bones=named(sheared)), fix))
    locked = [] if may_follow(obj) else locked_bones(obj)
    if locked:
        text = iface_("Locked rotation does not hold a bone, Pinned does: {bones}").format(bones=named(locked))
        found.append(RigWarning(text, Fix("LOCKED", obj.session_uid, tuple(locked))))
    roots = roots_apart(obj) if may_follow(obj) else []
    if roots:
        text = iface_("What pushes the figure turns this bone, and all it carries, over, unless it is pinned: {bones}")
        found.append(RigWarning(text.format(bones=named(roots)), Fix("ROOT", obj.session_uid, tuple(roots))))
    welded = [bone.name for bone in _cut_bones(obj) if not is_jointed(bone)]
    if welded:
        text = iface_("Pinned bones and those that ride along have no joint that could be cut: {bones}")
        found.append(RigWarning(text.format(bones=named(welded))))
    short = short_bones(obj.data.bones, obj.matrix_world.median_scale)
    if short:
        text = iface_("Without a length, so moved by the parent only: {bones}").format(bones=named(short))
        found.append(RigWarning(text, Fix("SHORT", obj.session_uid, tuple(short))))
    return found


def _sheared(obj: bpy.types.Object) -> list[str]:
    """The bones that an uneven scale of what they sit on shears at the present frame, or at any that the motion has
    been at."""
    session, found = session_of(obj), sheared_bones(obj)
    if session is None:
        return found
    names = [session.plant.bones[rod] for rod in np.flatnonzero(_uneven(session)).tolist()]
    bones = [obj.data.bones[name] for name in names if name in obj.data.bones]
    return list(dict.fromkeys([*found, *(bone.name for bone in bones if would_be_sheared(bone))]))


def _uneven(session: Session) -> np.ndarray:
    """(bones,) whether what a bone sits on was unevenly scaled at a frame; of those looked at before it is known."""
    worlds = session.recording.worlds
    count, uneven = _LOOKED_AT.get(session, (0, np.zeros(len(session.plant.bones), dtype=bool)))
    for world in worlds[count:]:
        scale = parents_scale_of(world)
        if scale is not None:
            uneven = uneven | ~are_even(scale)
    _LOOKED_AT[session] = len(worlds), uneven
    return uneven


def _keyed_off(obj: bpy.types.Object) -> list[str]:
    """The bones that are led by keys on their location until they come off."""
    session = session_of(obj)
    if session is None or not len(session.plant.scaling.led.rods):
        return []
    led = [session.plant.bones[rod] for rod in session.plant.scaling.led.rods.tolist()]
    keyed = keyed_bones(obj, "location")
    return [name for name in led if name in keyed]


def _cut_bones(obj: bpy.types.Object) -> list[bpy.types.Bone]:
    """The bones that are cut at the present frame."""
    cut = values_of(obj.pose.bones, "plant_dynamics_cut", kind=np.bool_)[:, 0]
    return [obj.pose.bones[i].bone for i in np.flatnonzero(cut).tolist()]


def locked_bones(obj: bpy.types.Object) -> list[str]:
    """Simulated bones that are locked against rotation about all axes and not pinned."""
    locks = values_of(obj.pose.bones, "lock_rotation", 3, np.bool_)
    chosen = [obj.pose.bones[i].bone for i in np.flatnonzero(locks.all(axis=1)).tolist()]
    return [bone.name for bone in chosen if is_jointed(bone)]


def roots_apart(obj: bpy.types.Object) -> list[str]:
    """Simulated bones that are not pinned, sit on nothing and carry others that do not sit on them, as a rig's root on
    the floor does. Such others begin farther away than half its length."""
    roots = [bone for bone in obj.data.bones if bone.parent is None and is_jointed(bone)]
    return [bone.name for bone in roots if bone.children and all(_is_apart(bone, child) for child in bone.children)]


def _is_apart(bone: bpy.types.Bone, child: bpy.types.Bone) -> bool:
    _, share = intersect_point_line(child.head_local, bone.head_local, bone.tail_local)
    nearest = bone.head_local.lerp(bone.tail_local, min(max(share, 0.0), 1.0))
    return (child.head_local - nearest).length > 0.5 * bone.length
