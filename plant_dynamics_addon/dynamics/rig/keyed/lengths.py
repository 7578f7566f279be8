# SPDX-License-Identifier: GPL-3.0-or-later
"""How long and thick bones are and where they are moved by their location and scale channels, as keys, drivers and the
NLA set them, and by the scale of what carries them.

Blender scales a bone along its own axes, and what its children inherit of that is theirs to choose. A child that takes
an uneven scale in full is sheared as it turns, which no rod can be: it is as long and thick as that makes it at rest.
"""

from collections.abc import Container
from dataclasses import dataclass

import bpy
import numpy as np

from .....solver import rotations
from ....blender.in_bulk import values_of
from ....errors import PlantError
from ..bone_animation import keyed_bones
from ..plant import Plant

#: What a bone's Inherit Scale is to its rod: all of it, as it is at rest; along its own axes; its volume; nothing.
_WHOLE, _ALIGNED, _AVERAGE, _NOTHING = range(4)
_INHERITS = {
    "FULL": _WHOLE, "FIX_SHEAR": _WHOLE, "ALIGNED": _ALIGNED, "AVERAGE": _AVERAGE, "NONE": _NOTHING,
    "NONE_LEGACY": _NOTHING,
}  # fmt: skip

#: With which a bone is sheared by an uneven scale of its parent.
SHEARED = tuple(name for name, how in _INHERITS.items() if how == _WHOLE)

#: Scales that differ by less than this share are even, as those of objects.
_EVEN = 1e-3

#: Decimals of the scale of what carries bones.
_DIGITS = 6

#: What is scaled by less, to nothing, counts as scaled by this.
_LEAST = 1e-3

#: An object that has grown by less than this share has not: its size changes so much with how it is turned.
_SAME = 2e-5


@dataclass(frozen=True)
class Channels:
    """How the bones of m rods take location and scale. index (m,): their places in obj.pose.bones; inherits (m,): see
    above; moves (m,): whether location counts; is_local (m,): along the bone's own axes at rest; is_animated: whether
    keys or drivers set any of it, or constraints that are followed; led: of which rods."""

    index: np.ndarray
    inherits: np.ndarray
    moves: np.ndarray
    is_local: np.ndarray
    is_animated: bool
    led: "Led"


@dataclass(frozen=True)
class Led:
    """Which rods (k,) constraints lead in more than how they turn, and whether they move and scale (k,) them."""

    rods: np.ndarray
    moves: np.ndarray
    scales: np.ndarray


@dataclass(frozen=True)
class Lengths:
    """Of m rods: stretch, thickness (m,) as scaled, shift (m, 3) m, as a Sample has them; parents_scale (m, 3): what
    their places in their parents' axes are multiplied by."""

    stretch: np.ndarray
    thickness: np.ndarray
    shift: np.ndarray
    parents_scale: np.ndarray


def lengths_as_drawn(rods: int) -> Lengths:
    """Those of so many rods that nothing scales or moves."""
    return Lengths(np.ones(rods), np.ones(rods), np.zeros((rods, 3)), np.ones((rods, 3)))


def channels_of(
    obj: bpy.types.Object, bones: list[bpy.types.Bone], index: np.ndarray, moved: Container[str],
    stretched: Container[str],
) -> Channels:  # fmt: skip
    """Those of bones with these places (m,) in obj.pose.bones. moved, stretched: names of those that constraints may
    move and stretch."""
    names = {bone.name for bone in bones}
    moves, scales = (np.array([bone.name in some for bone in bones]) for some in (moved, stretched))
    rods = np.flatnonzero(moves | scales)
    return Channels(
        index=index,
        inherits=np.array([_INHERITS[bone.inherit_scale] for bone in bones]),
        moves=np.array([not bone.use_connect for bone in bones]),
        is_local=np.array([bone.use_local_location for bone in bones]),
        is_animated=len(rods) > 0 or any(names & keyed_bones(obj, channel) for channel in ("location", "scale")),
        led=Led(rods, moves[rods], scales[rods]),
    )


def read_lengths(
    obj: bpy.types.Object, plant: Plant, evaluated: bpy.types.Object, led_places: np.ndarray | None
) -> Lengths | None:
    """Those of the plant's rods at the evaluated object's frame, None where all are as drawn. led_places (k, 6): to
    which location and scale constraints lead those of Led. Raises PlantError with the bone's name for what no rod can
    do."""
    channels, bones = plant.scaling, evaluated.pose.bones
    count, grown = len(bones), _of_object(plant, evaluated)
    scales, locations = (values_of(bones, name, 3, count=count) for name in ("scale", "location"))
    is_carried = any(name is not None for name in plant.carriers)
    is_led = led_places is not None
    if grown == 1.0 and not is_carried and not is_led and not locations.any() and (scales == 1.0).all():
        return None
    own = scales[channels.index].astype(np.float64)
    led = channels.led
    if led_places is not None:
        own[led.rods[led.scales]] = led_places[led.scales, 3:]
    for rod in np.flatnonzero((own < 0.0).any(axis=1))[:1]:
        raise PlantError(
            "Bone '{bone}' of '{object}' is mirrored by its scale. Keep it above zero",
            bone=plant.bones[rod], object=obj.name,
        )
    own = np.maximum(own, _LEAST)
    place = np.where(channels.moves[:, None], _before_coming_off(obj, locations, channels.index), 0.0)
    if led_places is not None:
        place[led.rods[led.moves]] = led_places[led.moves, :3]
    for rod in np.flatnonzero(~channels.is_local & place.any(axis=1))[:1]:
        raise PlantError(
            "Bone '{bone}' of '{object}' is moved along axes that are not its own. Turn on Local Location in its "
            "Relations",
            bone=plant.bones[rod], object=obj.name,
        )
    carriers = _carriers(plant, bones)
    if grown == 1.0 and (own == 1.0).all() and (carriers == 1.0).all() and not place.any():
        return None
    scale, above = _accumulated(plant, own, carriers)
    length = np.concatenate([part.array("length") for part in plant.parts])
    stretch = grown * scale[:, 1]
    there = plant.offset + rotations.rotate(plant.rest, plant.scale * place)
    shift = grown * above * there - plant.offset
    inner = plant.parent >= 0
    shift[inner, 1] -= ((stretch - 1.0) * length)[plant.parent[inner]]
    return Lengths(stretch, grown * np.sqrt(scale[:, 0] * scale[:, 2]), shift, grown * above)


def _before_coming_off(obj: bpy.types.Object, locations: np.ndarray, index: np.ndarray) -> np.ndarray:
    """(m, 3) in the armature's units: the channels, of bones that came off from before they did."""
    place = locations[index].astype(np.float64)
    for rod in np.flatnonzero(place.any(axis=1)).tolist():
        before = obj.pose.bones[int(index[rod])].plant_dynamics
        if before.is_moved:
            place[rod] = before.location
    return place


def _of_object(plant: Plant, evaluated: bpy.types.Object) -> float:
    """How much the object has grown since it was read, by the mean of its axes."""
    matrix = evaluated.matrix_world
    grown = float(sum(matrix.col[axis].xyz.length for axis in range(3))) / 3.0 / plant.scale
    return 1.0 if abs(grown - 1.0) < _SAME else grown


def _carriers(plant: Plant, bones: bpy.types.bpy_prop_collection) -> np.ndarray:
    """(m, 3) along their axes: scale of what carries each rod's model, to the digits that do not depend on how that is
    turned."""
    scales = [np.ones(3) if name is None else np.linalg.norm(np.array(bones[name].matrix)[:3, :3], axis=0)
              for name in plant.carriers]  # fmt: skip
    rounded: np.ndarray = np.repeat(np.round(scales, _DIGITS), [len(part) for part in plant.parts], axis=0)
    return rounded


def _accumulated(plant: Plant, own: np.ndarray, carriers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(m, 3) each: scales of rods along their axes, with what they inherit, and those of what they sit on."""
    scale, above = own.copy(), np.ones_like(own)
    inherits = plant.scaling.inherits
    for rods in plant.levels:
        below = plant.parent[rods]
        of_parent = np.where((below < 0)[:, None], carriers[rods], scale[below])
        average = np.cbrt(of_parent.prod(axis=1))[:, None]
        how = inherits[rods, None]
        taken = np.where(how == _NOTHING, 1.0, np.where(how == _AVERAGE, average, of_parent))
        sheared = np.flatnonzero(~are_even(of_parent) & (how[:, 0] == _WHOLE))
        if len(sheared):
            axes = rotations.matrices(plant.rest[rods[sheared]])
            taken[sheared] = np.linalg.norm(of_parent[sheared, :, None] * axes, axis=1)
        scale[rods], above[rods] = taken * own[rods], of_parent
    return scale, above


def are_even(scale: np.ndarray) -> np.ndarray:
    """(m,) whether scales (m, 3) are the same along all axes."""
    even: np.ndarray = scale.max(axis=1) <= scale.min(axis=1) * (1.0 + _EVEN)
    return even


def sheared_bones(obj: bpy.types.Object) -> list[str]:
    """Simulated bones that inherit all of an uneven scale of their parents at the present frame."""
    uneven = ~are_even(values_of(obj.pose.bones, "scale", 3))
    if not uneven.any():
        return []
    scaled = {obj.pose.bones[i].name for i in np.flatnonzero(uneven).tolist()}
    return [bone.name for bone in obj.data.bones
            if would_be_sheared(bone) and bone.parent.name in scaled
            and any(one.plant_dynamics.use_physics for one in (bone, *bone.parent_recursive))]  # fmt: skip


def would_be_sheared(bone: bpy.types.Bone) -> bool:
    """Whether an uneven scale of its parent shears the bone."""
    return bone.parent is not None and bone.inherit_scale in SHEARED
