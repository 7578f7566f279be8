# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaves whose outline the text draws itself, as polygons: thin plates with that outline."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ..arrays import Array, Index
from ..axes import Axes, stations_along
from ..skeleton import Skeleton
from ..surface import PARTS, Surface

# Tissue of a blade in shares of length times width, as that of other leaves.
_FILLED = 0.7
# A plate is at most so thick, in lengths, and at least.
_THICKEST, _THINNEST = 0.02, 0.0005
# Outlines are the same if their vertices are, to so many digits of their length.
_DIGITS = 4
_COLUMNS = ("vertices", "bones", "weights", "segment", "quads", "triangles", "uv", "under")


@dataclass(frozen=True)
class Outline:
    """A polygon that a leaf stands for, or a sheet of patches or triangles. Metres, in the plant's frame."""

    segment: int  # the first one of the leaf
    vertices: Array  # (k, 3) around it, or corners of triangles
    patches: Array = field(default_factory=lambda: np.zeros((0, 4, 4, 3)))  # (p, 4, 4, 3) control points
    triangles: Index = field(default_factory=lambda: np.zeros((0, 3), dtype=np.int64))
    uv: Array | None = None  # (p, 4, 4, 2) control points of UVs; None: from 0 to 1 on each patch

    @property
    def is_plate(self) -> bool:
        """Whether it is what its vertices go around."""
        return not len(self.patches) and not len(self.triangles)


def build_outlines(skeleton: Skeleton, axes: Axes, outlines: Sequence[Outline]) -> Surface:
    """The plates, each closed: an upper side, a lower one and the rim between them."""
    known: dict[bytes, Index] = {}
    columns: dict[str, list[Array]] = {name: [] for name in _COLUMNS}
    count = 0
    for one in outlines:
        head, frame, length = frame_of(axes, one.segment)
        local = (one.vertices - head) @ frame
        key = np.round(local[:, :2] / length, _DIGITS).tobytes()
        if key not in known:
            known[key] = np.array(ear_triangles(local[:, :2].tolist()), dtype=np.int64).reshape(-1, 3)
        upper, k = known[key], len(local)
        up = 0.5 * _thickness(skeleton, one.segment, length) * frame[:, 2]
        ahead = np.arange(k)
        # the rim as seen from outside, which lies to the right of a polygon that goes counter-clockwise
        behind = np.roll(ahead, -1)
        rim = np.stack([ahead, ahead + k, behind + k, behind], axis=1)
        if _area(local) < 0.0:
            rim = rim[:, ::-1]
        columns["vertices"].append(np.concatenate([one.vertices + up, one.vertices - up]))
        held = held_by_pieces(axes, one.segment, np.tile(local[:, 1], 2))
        for name, values in zip(("bones", "weights", "segment"), held, strict=True):
            columns[name].append(values)
        columns["triangles"].append(np.concatenate([upper, upper[:, ::-1] + k]) + count)
        columns["quads"].append(rim + count)
        wide = max(float(np.abs(local[:, 0]).max()), 1e-9)
        uv = np.stack([0.5 + 0.5 * local[:, 0] / wide, local[:, 1] / length], axis=1)
        columns["uv"].append(np.tile(uv, (2, 1)))
        columns["under"].append(np.repeat([0.0, 1.0], len(upper)))
        count += 2 * k
    vertices, bones, weights, segment, quads, triangles, uv, under = map(np.concatenate, columns.values())
    leaf = PARTS.index("leaf")
    return Surface(
        quads=quads, quad_uv=uv[quads], quad_part=np.full(len(quads), leaf), quad_under=np.ones(len(quads)),
        triangles=triangles, triangle_uv=uv[triangles], triangle_part=np.full(len(triangles), leaf),
        triangle_under=under,
        vertices=vertices, bones=bones, weights=weights, segment=segment,
        girth=np.zeros(len(segment)),
    )  # fmt: skip


def frame_of(axes: Axes, segment: int) -> tuple[Array, Array, float]:
    """Where the leaf begins that begins with a segment, its axes as columns, and its length (m)."""
    last = axes.ends(np.array([axes.run[segment]]))[0]
    return axes.head[segment], axes.frame[segment], float(axes.start[last] + axes.length[last])


def held_by_pieces(axes: Axes, segment: int, distance: Array) -> tuple[Index, Array, Index]:
    """Bones (v, 3), weights (v, 3) and segments (v) of places so far (m) along the leaf that begins with a segment."""
    run, k = axes.run[segment], len(distance)
    if axes.first[run + 1] - axes.first[run] == 1:  # one bone is stiff
        bones = np.full((k, 3), segment)
        return bones, np.tile([1.0, 0.0, 0.0], (k, 1)), bones[:, 0]
    at = stations_along(axes, np.full(k, run), np.maximum(distance, 0.0))
    return at.bones, at.weights, at.segment


def _thickness(skeleton: Skeleton, segment: int, length: float) -> float:
    """m, of a plate with as much tissue as the rod that stands for it."""
    rod = np.pi * skeleton.radius_base[segment] ** 2 / (_FILLED * max(skeleton.width[segment], 1e-9))
    return float(np.clip(rod, _THINNEST * length, _THICKEST * length))


def _area(places: Array) -> float:
    x, y = places[:, 0], places[:, 1]
    return 0.5 * float(x @ np.roll(y, -1) - y @ np.roll(x, -1))


_Place = list[float]


def ear_triangles(places: list[_Place]) -> list[tuple[int, int, int]]:
    """Triangles between the corners of a polygon in a plane, counter-clockwise, by cutting off one ear after the other.

    One that crosses itself is covered as well as that allows: all corners are used in any case.
    """
    left = list(range(len(places)))
    if _area(np.array(places)) < 0.0:
        left.reverse()
    found: list[tuple[int, int, int]] = []
    while len(left) > 3:
        place = next((one for one in range(len(left)) if _is_ear(places, left, one)), 0)
        found.append((left[place - 1], left[place], left[(place + 1) % len(left)]))
        del left[place]
    return [*found, (left[0], left[1], left[2])]


def _is_ear(places: list[_Place], left: list[int], at: int) -> bool:
    """Whether a corner sticks out and none of the others lies in its triangle."""
    corners = left[at - 1], left[at], left[(at + 1) % len(left)]
    a, b, c = (places[one] for one in corners)
    if _turn(a, b, c) <= 0.0:
        return False
    return not any(
        _turn(a, b, p) >= 0.0 and _turn(b, c, p) >= 0.0 and _turn(c, a, p) >= 0.0
        for p in (places[one] for one in left if one not in corners)
    )


def _turn(a: _Place, b: _Place, c: _Place) -> float:
    """Twice the area between three places, below 0 where they turn right."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
