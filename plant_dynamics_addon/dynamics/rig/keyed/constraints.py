# SPDX-License-Identifier: GPL-3.0-or-later
"""Constraints of simulated bones that follow their pose. While a simulation has such bones, constraints would lead them
on top of the motion, so they are muted; where they lead is read without them (reference.py), and is what bones follow.
"""

from collections.abc import Iterator

import bpy

from ....blender.moving_data import animated_channels
from ..bone_animation import keyed_bones
from ..coming_off import is_fastened

#: Scales that differ from 1 by less are none.
_EVEN = 1e-3

#: The share by which bones follow, from the object on.
SHARE = "plant_dynamics.following.share"

#: Constraints that lead bones above theirs too, by their type.
_CHAINS = {"IK", "SPLINE_IK"}

#: Constraints that stretch bones, by their type, and those that move bones that are not connected.
_STRETCHING = {"COPY_SCALE", "STRETCH_TO", "LIMIT_SCALE", "MAINTAIN_VOLUME", "ARMATURE", "ACTION"}
_MOVING = {
    "COPY_LOCATION", "LIMIT_DISTANCE", "LIMIT_LOCATION", "FLOOR", "PIVOT", "FOLLOW_PATH", "CLAMP_TO", "SHRINKWRAP",
    "COPY_TRANSFORMS", "ARMATURE", "ACTION",
}  # fmt: skip


def may_follow(obj: bpy.types.Object) -> bool:
    """Whether the plant's bones follow their pose, at this frame or by keys or a driver at another one."""
    return obj.plant_dynamics.following.share > 0.0 or any(path == SHARE for path, _ in animated_channels(obj))


def is_led(obj: bpy.types.Object) -> bool:
    """Whether the plant's bones follow constraints."""
    return bool(obj.plant_dynamics.follow_animation and may_follow(obj) and any(_leading(obj)))


def set_aside(obj: bpy.types.Object) -> None:
    """Mute what would lead simulated bones, and remember that, where they follow it."""
    if not is_led(obj):
        return
    for bone, constraint in list(_leading(obj)):
        if not constraint.mute:
            names = bone.plant_dynamics.aside.splitlines()
            bone.plant_dynamics.aside = "\n".join([*names, constraint.name])
            constraint.mute = True


def put_back(obj: bpy.types.Object) -> None:
    """Have constraints act that were muted."""
    for bone in obj.pose.bones:
        if bone.plant_dynamics.aside:
            for constraint in _set_aside(bone):
                constraint.mute = False
            bone.plant_dynamics.aside = ""


def arrange(obj: bpy.types.Object) -> None:
    """The plant's settings or constraints have changed: those of a plant that shows the motion are set aside if bones
    follow them now, and act if not."""
    if obj.plant_dynamics.live and not is_led(obj):
        put_back(obj)
    elif obj.plant_dynamics.live:
        set_aside(obj)


def leading_bones(obj: bpy.types.Object) -> list[str]:
    """The bones whose constraints lead simulated ones, or would if these were not simulated."""
    return list(dict.fromkeys(bone.name for bone, _ in _leading(obj)))


def only_limit(obj: bpy.types.Object) -> bool:
    """Whether the constraints that act on simulated bones lead them nowhere, but limit where they go."""
    return all(constraint.type.startswith("LIMIT_") for _, constraint in _leading(obj))


def placed_bones(obj: bpy.types.Object) -> list[str]:
    """The simulated bones that constraints may also move, which is followed: their location is free and has no keys."""
    moved = dict.fromkeys(bone for one in _leading(obj) for bone in _moved(*one))
    keyed = keyed_bones(obj, "location") if moved else set()
    return [one.name for one in moved if one.name not in keyed and _is_free(one.bone)]


def _is_free(bone: bpy.types.Bone) -> bool:
    """Whether a simulation may set where the bone is."""
    return bool(bone.plant_dynamics.use_physics and bone.use_local_location and not is_fastened(bone))


def unfollowed_bones(obj: bpy.types.Object) -> list[str]:
    """The bones that constraints may also stretch, or move where that cannot be followed."""
    placed, found = set(placed_bones(obj)), dict[str, None]()
    for bone, constraint in _leading(obj):
        stretched = [bone.name] if _stretches(bone, constraint) else []
        found |= dict.fromkeys([*stretched, *(one.name for one in _moved(bone, constraint) if one.name not in placed)])
    return list(found)


def _leading(obj: bpy.types.Object) -> Iterator[tuple[bpy.types.PoseBone, bpy.types.Constraint]]:
    """Constraints with influence, at this frame or another one, that lead simulated bones, those that are set aside
    too."""
    constrained = [bone for bone in obj.pose.bones if bone.constraints]
    animated = {path for path, _ in animated_channels(obj)} if constrained else set()
    for bone in constrained:
        aside = _set_aside(bone)
        for constraint in bone.constraints:
            has_influence = constraint.influence > 0.0 or constraint.path_from_id("influence") in animated
            acts = constraint in aside or (has_influence and not constraint.mute)
            if acts and _leads_simulated(bone, constraint):
                yield bone, constraint


def _moved(bone: bpy.types.PoseBone, constraint: bpy.types.Constraint) -> list[bpy.types.PoseBone]:
    """The bones that it may move off their parents. Connected ones are moved by nothing but Spline IK, to the curve's
    start."""
    kind = constraint.type
    if kind == "SPLINE_IK":
        return [] if constraint.use_chain_offset else [bone, *bone.parent_recursive][: constraint.chain_count][-1:]
    if bone.parent and bone.bone.use_connect:
        return []
    if kind == "TRANSFORM":
        moves = constraint.map_to == "LOCATION"
    elif kind == "CHILD_OF":
        moves = constraint.use_location_x or constraint.use_location_y or constraint.use_location_z
    else:
        moves = kind in _MOVING
    return [bone] if moves else []


def _stretches(bone: bpy.types.PoseBone, constraint: bpy.types.Constraint) -> bool:
    kind = constraint.type
    if kind == "SPLINE_IK":
        return not {constraint.y_scale_mode, constraint.xz_scale_mode} <= {"NONE", "BONE_ORIGINAL"}
    if kind == "IK":
        chain = [bone, *bone.parent_recursive][: constraint.chain_count or None]
        return constraint.use_stretch and any(one.ik_stretch > 0.0 for one in chain)
    if kind == "TRANSFORM":
        return constraint.map_to == "SCALE"
    if kind == "CHILD_OF":
        takes_scale = constraint.use_scale_x or constraint.use_scale_y or constraint.use_scale_z
        return takes_scale and _is_scaled(constraint)
    return kind in _STRETCHING or (kind == "COPY_TRANSFORMS" and _is_scaled(constraint))


def _is_scaled(constraint: bpy.types.Constraint) -> bool:
    """Whether the constraint's target is larger or smaller than drawn."""
    target = constraint.target
    if target is None:
        return False
    bone = target.pose.bones.get(constraint.subtarget) if target.type == "ARMATURE" else None
    scale = (target.matrix_world @ bone.matrix if bone else target.matrix_world).to_scale()
    return any(abs(one - 1.0) > _EVEN for one in scale)


def _set_aside(bone: bpy.types.PoseBone) -> list[bpy.types.Constraint]:
    names = bone.plant_dynamics.aside.splitlines()
    return [bone.constraints[name] for name in names if name in bone.constraints]


def _leads_simulated(bone: bpy.types.PoseBone, constraint: bpy.types.Constraint) -> bool:
    chain = [bone]
    if constraint.type in _CHAINS:
        chain = [bone, *bone.parent_recursive]
        if constraint.type == "IK" and not constraint.use_tail:
            chain = chain[1:]
        if constraint.chain_count > 0:
            chain = chain[: constraint.chain_count]
    return any(one.bone.plant_dynamics.use_physics for one in [bone, *chain])
