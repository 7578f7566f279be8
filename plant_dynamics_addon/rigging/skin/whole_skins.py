# SPDX-License-Identifier: GPL-3.0-or-later
"""Which skins cannot part where bones come off, so that they are stretched there.

Skins are looked at when plants are simulated and where it is set what comes off; panels ask whenever they are drawn.
Where bones have come off of which that was not known, as in a file that opens with its motion, they are looked at soon.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import bpy
import numpy as np

from ...blender.in_bulk import values_of
from ...blender.redraw import redraw_views
from ...dynamics.rig.coming_off import coming_off
from ...memory import Memory
from .parted_skin import parts_of, skins_of
from .weights import Weights, kinds_of, read_weights

Pairs = set[tuple[str, str]]


#: session_uid of a skin and the number of its vertices, which is another when it is parted or that is undone.
Key = tuple[int, int]


@dataclass
class _Looked:
    """may: bones that may come off; seen: those, and others that had come off; joined: the pairs of bones that move the
    same edges, of skins; told: what was last found, by the bones that had come off and the skins that there were."""

    may: frozenset[str]
    seen: frozenset[str]
    joined: dict[Key, Pairs]
    told: dict[Hashable, list[str]] = field(default_factory=dict)


_looked: Memory[_Looked] = Memory()

#: What had come off, of plants whose skins are to be looked at.
_soon: Memory[frozenset[str]] = Memory()


def look_at_skins(
    obj: bpy.types.Object, off: frozenset[str] = frozenset(), read: Mapping[str, Weights] = MappingProxyType({})
) -> None:
    """Know which bones hang together in the plant's skins, if any bone may come off. off: bones that have. read: the
    weights of skins, by their names, where they are known."""
    may = frozenset(bone.name for bone in coming_off(obj, list(obj.data.bones)))
    before = _looked.of(obj)
    joined = {_key(skin): _joined(skin, obj, read.get(skin.name)) for skin in skins_of(obj)} if may else {}
    _looked.keep(obj, _Looked(may, may | off, (before.joined if before else {}) | joined))


def whole_skins(obj: bpy.types.Object, off: Iterable[str]) -> list[str]:
    """Names of the plant's skins, as they were looked at, that are in one piece where these bones come off."""
    known, off = _looked.of(obj), frozenset(off)
    if known is None or not off <= known.seen:
        _soon.keep(obj, off)
        if not bpy.app.timers.is_registered(look_now):
            bpy.app.timers.register(look_now, first_interval=0.0)
    if known is None:
        return []
    bones, skins = known.may & off, {skin.name: _key(skin) for skin in skins_of(obj)}
    asked = bones, tuple(skins.items())
    if asked not in known.told:
        part = parts_of(obj.data.bones, bones)
        whole = {skin: any(part.get(one) != part.get(other) for one, other in pairs)
                 for skin, pairs in known.joined.items()}  # fmt: skip
        known.told = {asked: [name for name, skin in skins.items() if whole.get(skin)]}
    return known.told[asked]


def look_now() -> None:
    """Look at the skins that were asked for without being known, and have it told."""
    for obj in bpy.data.objects:
        off = _soon.of(obj)
        if off is not None:
            look_at_skins(obj, off)
    _soon.clear()
    redraw_views()


def _key(skin: bpy.types.Object) -> Key:
    return skin.session_uid, len(skin.data.vertices)


def _joined(skin: bpy.types.Object, obj: bpy.types.Object, weights: Weights | None) -> Pairs:
    """The pairs of bones that move one edge of the skin."""
    of_vertex, kinds = kinds_of(read_weights(skin.data) if weights is None else weights)
    names = {group.index: group.name for group in skin.vertex_groups if group.name in obj.data.bones}
    bones = [{names[group] for group in kind if group in names} for kind in kinds]
    one, other = of_vertex[values_of(skin.data.edges, "vertices", 2, np.int32)].T
    found: Pairs = set()
    for edge in np.unique(one * len(kinds) + other).tolist():
        first, *others = sorted(bones[edge // len(kinds)] | bones[edge % len(kinds)]) or [""]
        found.update((first, name) for name in others)
    return found
