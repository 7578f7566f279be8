# SPDX-License-Identifier: GPL-3.0-or-later
"""Constraints of simulated bones that follow their pose. While a simulation has such bones, constraints would lead them
on top of the motion, so they are muted; where they lead is read without them (reference.py), and is what bones follow.
"""

from collections.abc import Iterator

import bpy

from ....blender.moving_data import animated_channels

#: The share by which bones follow, from the object on.
SHARE = "plant_dynamics.following.share"

#: Constraints that lead bones above theirs too, by their type.
_CHAINS = {"IK", "SPLINE_IK"}

#: Constraints that stretch bones, by their type, and those that also move bones that are not connected.
_STRETCHING = {"COPY_SCALE", "STRETCH_TO", "LIMIT_SCALE", "MAINTAIN_VOLUME"}
_SHIFTING = {
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


def moved_bones(obj: bpy.types.Object) -> list[str]:
    """Those whose constraints may also move or stretch bones, which is not followed."""
    return list(dict.fromkeys(bone.name for bone, constraint in _leading(obj) if _moves(bone, constraint)))


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


def _moves(bone: bpy.types.PoseBone, constraint: bpy.types.Constraint) -> bool:
    """Whether it does more than turn; nothing but Spline IK, to the curve's start, moves a connected bone off its
    parent."""
    kind, is_loose = constraint.type, not (bone.parent and bone.bone.use_connect)
    if kind == "SPLINE_IK":
        own = {"NONE", "BONE_ORIGINAL"}
        return not constraint.use_chain_offset or not {constraint.y_scale_mode, constraint.xz_scale_mode} <= own
    if kind == "IK":
        chain = [bone, *bone.parent_recursive][: constraint.chain_count or None]
        return constraint.use_stretch and any(one.ik_stretch > 0.0 for one in chain)
    if kind == "TRANSFORM":
        return constraint.map_to == "SCALE" or (is_loose and constraint.map_to == "LOCATION")
    if kind == "CHILD_OF":
        return is_loose and (constraint.use_location_x or constraint.use_location_y or constraint.use_location_z)
    return kind in _STRETCHING or (is_loose and kind in _SHIFTING)


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
