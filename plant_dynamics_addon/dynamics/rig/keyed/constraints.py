# SPDX-License-Identifier: GPL-3.0-or-later
"""Constraints of simulated bones that follow their pose. While a simulation has such bones, constraints would lead them
on top of the motion, so they are muted; where they lead is read without them (reference.py), and is what bones follow.

Chains of inverse kinematics may have bones that are not simulated: a constraint that is muted leads those neither, so
that they are taken over too, and stand where it has them. So do bones that carry the plant and are led to its own: they
go where these are led, for where they move hangs on what carries them.
"""

from collections.abc import Callable, Iterable, Iterator

import bpy

from ....blender.moving_data import animated_channels, is_animated_at
from ..bone_animation import keyed_bones
from ..coming_off import is_fastened

#: A constraint, behind the bone that has it.
Constrained = tuple[bpy.types.PoseBone, bpy.types.Constraint]

#: The share by which bones follow, from the object on.
SHARE = "plant_dynamics.following.share"

#: Constraints that lead bones above theirs too, by their type.
_CHAINS = {"IK", "SPLINE_IK"}

#: Constraints that stretch bones, by their type, and those that move bones that are not connected.
_STRETCHING = {"COPY_SCALE", "STRETCH_TO", "LIMIT_SCALE", "MAINTAIN_VOLUME", "ARMATURE", "ACTION", "COPY_TRANSFORMS"}
_MOVING = {
    "COPY_LOCATION", "LIMIT_DISTANCE", "LIMIT_LOCATION", "FLOOR", "PIVOT", "FOLLOW_PATH", "CLAMP_TO", "SHRINKWRAP",
    "COPY_TRANSFORMS", "ARMATURE", "ACTION",
}  # fmt: skip


def may_follow(obj: bpy.types.Object) -> bool:
    """Whether the plant's bones follow their pose, at this frame or by keys or a driver at another one."""
    return obj.plant_dynamics.following.share > 0.0 or is_animated_at(obj, SHARE)


def is_led(obj: bpy.types.Object) -> bool:
    """Whether the plant's bones follow constraints."""
    return goes_where_led(obj) and bool(acting_constraints(obj))


def goes_where_led(obj: bpy.types.Object) -> bool:
    """Whether the plant's bones follow constraints if there are any."""
    return bool(obj.plant_dynamics.follow_animation and may_follow(obj))


def led_along(obj: bpy.types.Object) -> set[str]:
    """The bones that are not simulated but in chains with such, or carry them and are led to them; their constraints
    are set aside."""
    if not goes_where_led(obj):
        return set()
    return {name for name in _led(obj, list(_acting(obj))) if not obj.data.bones[name].plant_dynamics.use_physics}


def led_as(obj: bpy.types.Object) -> tuple[bool, tuple[str, ...], tuple[str, ...], frozenset[str]]:
    """Whether the plant's bones follow constraints, the bones that these move, those that they stretch, and those that
    are led along: what a rig is read by."""
    if not goes_where_led(obj):  # the commonest case
        return False, (), (), frozenset()
    if not acting_constraints(obj):
        return False, (), (), frozenset(led_along(obj))
    return True, tuple(moved_bones(obj)), tuple(stretched_bones(obj)), frozenset(led_along(obj))


def set_aside(obj: bpy.types.Object) -> None:
    """Mute what would lead simulated bones, and remember that, where they follow it."""
    for bone, constraint in leading_constraints(obj):
        if not constraint.mute:
            aside = bone.plant_dynamics.aside.splitlines()
            place = bone.constraints.find(constraint.name)
            bone.plant_dynamics.aside = "\n".join([*aside, f"{place} {constraint.name}"])
            constraint.mute = True


def put_back(obj: bpy.types.Object) -> None:
    """Have constraints act that were muted."""
    for bone in obj.pose.bones:
        if bone.plant_dynamics.aside:
            for constraint in _set_aside(bone):
                constraint.mute = False
            bone.plant_dynamics.aside = ""


def leading_constraints(obj: bpy.types.Object) -> list[Constrained]:
    """The constraints that the plant's bones follow, and whose they are."""
    return acting_constraints(obj) if goes_where_led(obj) else []


def acting_constraints(obj: bpy.types.Object) -> list[Constrained]:
    """Constraints that act and lead simulated bones, or others that are led along, and whose they are."""
    acting = list(_acting(obj))
    led = _led(obj, acting)
    return [(bone, constraint) for bone, constraint in acting if _leads(bone, constraint, led)]


def muted_by_keys(obj: bpy.types.Object) -> list[str]:
    """The bones with constraints that lead simulated ones but cannot be set aside, for their Mute is animated."""
    muted = {path for path, _ in animated_channels(obj) if path.endswith(".mute")}
    if not muted:
        return []
    led = _led(obj, list(_acting(obj)))
    constrained = [(bone, one) for bone in obj.pose.bones for one in bone.constraints if _leads(bone, one, led)]
    return list(dict.fromkeys(bone.name for bone, one in constrained if one.path_from_id("mute") in muted))


def only_limit(leading: Iterable[Constrained]) -> bool:
    """Whether constraints lead nowhere, but limit where bones go."""
    return all(constraint.type.startswith("LIMIT_") for _, constraint in leading)


def moved_bones(obj: bpy.types.Object) -> list[str]:
    """The bones that constraints may also move, which is followed: they are loose, and have no keys on their location.
    """
    return _free_to_move(obj, acting_constraints(obj))


def stretched_bones(obj: bpy.types.Object) -> list[str]:
    """The bones that constraints may also stretch, which is followed: they have no keys on their scale."""
    return _free_to_stretch(obj, acting_constraints(obj))


def unfollowed_bones(obj: bpy.types.Object, leading: list[Constrained]) -> list[str]:
    """The bones that these constraints may move or stretch though that cannot be followed."""
    kinds = (_moved, set(_free_to_move(obj, leading))), (_stretched, set(_free_to_stretch(obj, leading)))
    found = dict.fromkeys(bone.name for kind, free in kinds for bone in _all_of(kind, leading) if bone.name not in free)
    return list(found)


def _free_to_move(obj: bpy.types.Object, leading: Iterable[Constrained]) -> list[str]:
    moved = _all_of(_moved, leading)
    keyed = keyed_bones(obj, "location") if moved else set()
    free = [one for one in moved if one.bone.use_local_location and not is_fastened(one.bone)]
    return [one.name for one in free if one.name not in keyed]


def _free_to_stretch(obj: bpy.types.Object, leading: Iterable[Constrained]) -> list[str]:
    stretched = _all_of(_stretched, leading)
    keyed = keyed_bones(obj, "scale") if stretched else set()
    return [one.name for one in stretched if one.name not in keyed]


def _all_of(
    kind: Callable[[bpy.types.PoseBone, bpy.types.Constraint], list[bpy.types.PoseBone]], leading: Iterable[Constrained]
) -> list[bpy.types.PoseBone]:
    """The bones to which constraints do that, each once."""
    return list(dict.fromkeys(bone for one in leading for bone in kind(*one)))


def _led(obj: bpy.types.Object, acting: list[Constrained]) -> set[str]:
    """The simulated bones, and those that are in chains with them or carry them and are led to them, or to what is led
    so already."""
    if not acting:
        return set()
    led = {bone.name for bone in obj.data.bones if bone.plant_dynamics.use_physics}
    chains = [{one.name for one in _chain(*one)} for one in acting if one[1].type in _CHAINS]
    while True:
        others = [(bone, one) for bone, one in acting if bone.name not in led]
        carriers = {bone.name for bone, one in others if _aims_at(one, obj, led) and _carries(bone.bone)}
        more = carriers.union(*(chain for chain in chains if chain & led))
        if more <= led:
            return led
        led |= more


def _carries(bone: bpy.types.Bone) -> bool:
    """Whether the bone is not simulated and carries such."""
    own = any(one.plant_dynamics.use_physics for one in (bone, *bone.parent_recursive))
    return not own and any(one.plant_dynamics.use_physics for one in bone.children_recursive)


def _aims_at(constraint: bpy.types.Constraint, obj: bpy.types.Object, led: set[str]) -> bool:
    """Whether it aims at one of these bones of the object, or at what sits on one."""
    names = [name for target, name in targets_of(constraint) if target == obj and name in obj.data.bones]
    bones = [obj.data.bones[name] for name in names]
    return any(one.name in led for bone in bones for one in (bone, *bone.parent_recursive))


def targets_of(constraint: bpy.types.Constraint) -> Iterator[tuple[bpy.types.Object, str]]:
    """The objects that a constraint aims at, each with a bone's name or an empty string."""
    one, pole = getattr(constraint, "target", None), getattr(constraint, "pole_target", None)
    if one is not None:
        yield one, getattr(constraint, "subtarget", "")
    if pole is not None:
        yield pole, constraint.pole_subtarget
    for target in getattr(constraint, "targets", ()):
        if target.target is not None:
            yield target.target, target.subtarget


def _acting(obj: bpy.types.Object) -> Iterator[Constrained]:
    """Constraints with influence, at this frame or another one, those that are set aside too."""
    constrained = [bone for bone in obj.pose.bones if bone.constraints]
    animated = {path for path, _ in animated_channels(obj)} if constrained else set()
    for bone in constrained:
        aside = _set_aside(bone)
        for constraint in bone.constraints:
            has_influence = constraint.influence > 0.0 or constraint.path_from_id("influence") in animated
            if constraint in aside or (has_influence and not constraint.mute):
                yield bone, constraint


def _moved(bone: bpy.types.PoseBone, constraint: bpy.types.Constraint) -> list[bpy.types.PoseBone]:
    """The bones that it may move off their parents. Connected ones are moved by nothing but Spline IK, to the curve's
    start."""
    kind = constraint.type
    if kind == "SPLINE_IK":
        return [] if constraint.use_chain_offset else _chain(bone, constraint)[-1:]
    if bone.parent and bone.bone.use_connect:
        return []
    if kind == "TRANSFORM":
        moves = constraint.map_to == "LOCATION"
    elif kind == "CHILD_OF":
        moves = constraint.use_location_x or constraint.use_location_y or constraint.use_location_z
    else:
        moves = kind in _MOVING
    return [bone] if moves else []


def _stretched(bone: bpy.types.PoseBone, constraint: bpy.types.Constraint) -> list[bpy.types.PoseBone]:
    """The bones that it may make longer or thicker."""
    kind = constraint.type
    if kind == "SPLINE_IK":
        own = {constraint.y_scale_mode, constraint.xz_scale_mode} <= {"NONE", "BONE_ORIGINAL"}
        return [] if own else _chain(bone, constraint)
    if kind == "IK":  # where one bone stretches, it is the others' inherited scale that is undone
        chain = _chain(bone, constraint)
        return chain if constraint.use_stretch and any(one.ik_stretch > 0.0 for one in chain) else []
    if kind == "TRANSFORM":
        stretches = constraint.map_to == "SCALE"
    elif kind == "CHILD_OF":
        stretches = constraint.use_scale_x or constraint.use_scale_y or constraint.use_scale_z
    else:
        stretches = kind in _STRETCHING
    return [bone] if stretches else []


def _chain(bone: bpy.types.PoseBone, constraint: bpy.types.Constraint) -> list[bpy.types.PoseBone]:
    """The bones that it leads: of chains from the last to the first."""
    if constraint.type not in _CHAINS:
        return [bone]
    has_own = constraint.type != "IK" or constraint.use_tail
    return [*([bone] if has_own else []), *bone.parent_recursive][: constraint.chain_count or None]


def _set_aside(bone: bpy.types.PoseBone) -> list[bpy.types.Constraint]:
    """What was set aside of the bone's constraints, also where it has got another name since."""
    noted = [line.partition(" ")[::2] for line in bone.plant_dynamics.aside.splitlines()]
    known = [(int(place), name) for place, name in noted if place.isdigit()]
    found = [bone.constraints[name] for _, name in known if name in bone.constraints]
    renamed = [place for place, name in known if name not in bone.constraints and place < len(bone.constraints)]
    others = (bone.constraints[place] for place in renamed)
    return found + [one for one in others if one.mute and one not in found]


def _leads(bone: bpy.types.PoseBone, constraint: bpy.types.Constraint, led: set[str]) -> bool:
    return any(one.name in led for one in _chain(bone, constraint))
