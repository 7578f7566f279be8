# SPDX-License-Identifier: GPL-3.0-or-later
"""Skins that part where bones come off, so that nothing is stretched between what has come off and what it hung on."""

from collections.abc import Container, Iterable

import bpy
import numpy as np

from .kept_normals import KeptNormals
from .mesh_growth import grow_mesh, shape_of
from .seams import least_and_most, parts_of_faces, rings, seam_edges
from .split import Split, split
from .straight_seams import straight_parts
from .weights import Index, Weights, read_weights, write_weights

#: The part of what stays on the plant.
_REST = ""


def skins_of(obj: bpy.types.Object) -> list[bpy.types.Object]:
    """The meshes that the armature object deforms."""
    return [one for one in bpy.data.objects if one.type == "MESH"
            and any(modifier.type == "ARMATURE" and modifier.object == obj for modifier in one.modifiers)]  # fmt: skip


def parts_of(bones: Iterable[bpy.types.Bone], coming_off: Container[str]) -> dict[str, str]:
    """By the bones' names the bone with which each comes off: itself, or the nearest below; _REST if there is none.
    Each bone comes behind those that it hangs on."""
    found: dict[str, str] = {}
    waiting = [(bone, _REST) for bone in bones if bone.parent is None]
    while waiting:
        bone, below = waiting.pop()
        found[bone.name] = bone.name if bone.name in coming_off else below
        waiting += [(child, found[bone.name]) for child in bone.children]
    return found


def part_skin(skin: bpy.types.Object, bones: bpy.types.ArmatureBones, part: dict[str, str]) -> Weights:
    """Split the skin where faces of different parts of the plant meet, close both sides, and have each side follow the
    bones of its part only. Nothing is seen of it while they lie together. Returns the weights that it has then."""
    weights = read_weights(skin.data)
    if not len(skin.data.polygons):
        return weights
    parts = _Parts(skin, bones, part)
    shape = shape_of(skin.data)
    faces = shape.faces
    of_face = parts_of_faces(faces, weights, parts.of_group)
    if of_face.min() == of_face.max():
        return weights
    least, most = least_and_most(weights, parts.of_group)
    mixed = np.minimum.reduceat(least[faces.vertex], faces.start) < np.maximum.reduceat(most[faces.vertex], faces.start)
    of_face = straight_parts(shape.points, faces, of_face, mixed, parts.below)
    of_corner = of_face[faces.of_corner()]
    seam = seam_edges(faces, of_corner)
    if not seam.any():
        return weights
    around = rings(shape.points, faces, of_corner, seam, parts.below)
    done = split(shape, of_corner, seam, around, parts.below)

    of_vertex = np.zeros(weights.count, dtype=np.int64)
    of_vertex[faces.vertex] = of_corner
    within = np.setdiff1d(np.flatnonzero(least < most), done.origin)  # no seam, but other parts' bones move them
    own = parts.restricted(
        weights, np.concatenate([done.vertex, within]), np.concatenate([done.origin, within]),
        np.concatenate([done.part, of_vertex[within]]),
    )  # fmt: skip
    own = _with_middles(own, done)
    normals = KeptNormals(skin.data, done.corner)
    grow_mesh(skin.data, done.growth)
    write_weights(skin, weights.copied(done.growth.of_vertex), own)
    normals.restore(done.growth.shape)
    return weights.replaced(own)


def _with_middles(own: Weights, done: Split) -> Weights:
    """The middles of caps follow what all of their rims do, evenly."""
    count = len(done.growth.shape.points)
    if not len(done.middle):
        return Weights(count, own.vertex, own.group, own.weight)
    size = np.array([len(rim) for rim in done.rim])
    row, which = Weights(count, own.vertex, own.group, own.weight).rows(np.concatenate(done.rim))
    cap = np.repeat(np.arange(len(size)), size)[which]
    groups = int(own.group.max(initial=0)) + 1
    key, at = np.unique(cap * groups + own.group[row], return_inverse=True)
    total = np.bincount(at.reshape(-1), own.weight[row]) / size[key // groups]
    return Weights(
        count,
        np.concatenate([own.vertex, done.middle[key // groups]]),  # they are the last ones
        np.concatenate([own.group, key % groups]),
        np.concatenate([own.weight, total]),
    )


class _Parts:
    """The parts of a plant as numbers, as seams have them, and the groups of a skin. below: what each part hangs on;
    of_group: the part of each group's bone, -1 of other groups."""

    def __init__(self, skin: bpy.types.Object, bones: bpy.types.ArmatureBones, part: dict[str, str]) -> None:
        self._bones = bones
        self._names = [_REST, *(name for name, own in part.items() if name == own)]
        number = {name: at for at, name in enumerate(self._names)}
        self._number = {name: number[own] for name, own in part.items()}
        below = [bones[name].parent for name in self._names[1:]]
        self.below = [0, *(self._number[bone.name] if bone else 0 for bone in below)]
        self._group = {group.name: group.index for group in skin.vertex_groups}
        self._group_names = {group: name for name, group in self._group.items()}
        self.of_group = np.full(max(self._group.values(), default=-1) + 1, -1, dtype=np.int64)
        for name, group in self._group.items():
            self.of_group[group] = self._number.get(name, -1)

    def restricted(self, weights: Weights, vertex: Index, origin: Index, part: Index) -> Weights:
        """What moves vertices (n,) that come from those of `origin`, where each follows one part only: together as much
        as all did."""
        row, which = weights.rows(origin)
        group, weight = weights.group[row], weights.weight[row].copy()
        of_bone = self.of_group[group] >= 0
        stays = self.of_group[group] == part[which]
        total = np.bincount(which, weight * of_bone, len(vertex))
        kept = np.bincount(which, weight * stays, len(vertex))
        factor = np.divide(total, kept, out=np.ones(len(vertex)), where=kept > 0.0)
        weight[stays] *= factor[which[stays]]
        more: list[tuple[int, int, float]] = []
        for one in np.flatnonzero((kept == 0.0) & (total > 0.0)).tolist():
            rows = slice(*np.searchsorted(which, (one, one + 1)).tolist())
            other = self._beside(int(group[rows][np.argmax(weight[rows] * of_bone[rows])]), int(part[one]))
            if other is None:  # no bone of its part moves the skin: better stretched than left behind
                stays[rows] |= of_bone[rows]
            else:
                more.append((one, other, float(total[one])))
        used = stays | ~of_bone
        which = np.concatenate([which[used], np.array([one for one, _, _ in more], dtype=np.int64)])
        group = np.concatenate([group[used], np.array([other for _, other, _ in more], dtype=np.int64)])
        weight = np.concatenate([weight[used], np.array([share for _, _, share in more])])
        order = np.argsort(vertex[which], kind="stable")
        return Weights(int(vertex.max(initial=-1)) + 1, vertex[which][order], group[order], weight[order])

    def _beside(self, group: int, part: int) -> int | None:
        """The group of the part's bone on which another group's bone hangs, else of the bone the part begins with."""
        bone = self._bones[self._group_names[group]]
        while bone is not None and self._number[bone.name] != part:
            bone = bone.parent
        return self._group.get(self._names[part] if bone is None else bone.name)
