# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet of branches become part of their parents' skin: one surface, with a hole in the parent where the branch leaves.

A tube is a grid, corners around and rings along. Unrolled, the foot of a branch is an outline on it. The cells that
outlines touch are taken out, and what is left of them around the outlines is triangulated (constrained Delaunay), so
that parent and branch share vertices. A foot that goes around its parent, beyond its ends or over another foot is not
welded.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ..arrays import Array, Index, Mask, cross
from ..geometry import Geometry
from ..surface import Surface, faces_of
from .outlines import Outlines, Unrolled, distances, gap, inside, unrolled
from .rings import Rings, ranges

# In cells: outlines keep so far from the edges of the cells that stay and from one another; from vertices between them;
# and from where a tube is cut open.
_ROOM = 0.12
_CLOSEST = 0.2
_CUT = 0.02
# In cells: places nearer than this are one to the triangulation.
_SAME = 1e-7
# Of a triangle's corners the next ones.
_NEXT = [1, 2, 0]


@dataclass(frozen=True)
class Welds:
    """What is taken out of the tubes and put in instead.

    Vertices are numbered: first the corners of the body's rings, then those of the feet.
    """

    is_welded: Mask  # (b) of the branches
    foot: Array  # (g, 3) corners of the feet, those of welded branches exactly on their parents' faces
    ring: Index  # (c) lower rings of the cells that are taken out
    corner: Index  # (c)
    triangles: Index  # (t, 3)
    triangle_uv: Array  # (t, 3, 2)


#: Ring and corner (c) of the cells that are taken out, triangles (t, 3), their UVs (t, 3, 2).
_Patch = tuple[Index, Index, Index, Array]


#: Of tubes, by all that says what they and the outlines on them are: groups of outlines with their patches.
Planned = dict[tuple[object, ...], list[tuple[list[int], _Patch]]]


def plan_welds(body: Rings, outlines: Outlines, refused: Mask, geometry: Geometry, planned: Planned) -> Welds:
    """For all branches with fillets but for the refused (b), whose feet are `outlines` on the tubes of `body`.
    planned: what is known of tubes, to which those are added that are not."""
    is_welded = np.zeros(len(outlines.first) - 1, dtype=bool)
    foot = outlines.point.copy()
    none = np.zeros(0, dtype=np.int64)
    patches: list[_Patch] = [(none, none, none.reshape(0, 3), np.zeros((0, 3, 2)))]
    for grid in unrolled(body, outlines):
        accepted = [number for number, branch in enumerate(grid.branch) if not refused[branch]]
        key = (*grid.said(), tuple(accepted))
        if key not in planned:
            planned[key] = list(_patches(grid, accepted, geometry))
        for group, patch in planned[key]:
            patches.append(patch)
            for number in group:
                where = slice(*outlines.first[grid.branch[number] : grid.branch[number] + 2])
                is_welded[grid.branch[number]] = True
                foot[where] = grid.places(number)
    return Welds(is_welded, foot, *(np.concatenate(arrays) for arrays in zip(*patches, strict=True)))


def _patches(grid: Unrolled, accepted: list[int], geometry: Geometry) -> Iterator[tuple[list[int], _Patch]]:
    """The outlines that can be welded, those that touch the same cells together."""
    for together, cells in _groups(grid, accepted):
        group, patch = together, _patch(grid, together, cells, geometry)
        while patch is None and len(group) > 1:  # without the others there is more room
            group = group[:-1]
            patch = _patch(grid, group, _touched(grid, group), geometry)
        if patch is not None:
            yield group, patch


def crowded(body: Rings, outlines: Outlines, refused: Mask, chosen: Mask) -> tuple[Mask, Mask]:
    """(b) the branches, but for the refused, whose feet meet others; and those without which none would, the smaller
    ones. Only tubes are looked at that have chosen branches on them."""
    meets, smaller = (np.zeros(len(refused), dtype=bool) for _ in range(2))
    for grid in unrolled(body, outlines, chosen):
        lowest, highest = (np.array([end(one, axis=0) for one in grid.outline]) for end in (np.min, np.max))
        wide, size = (highest - lowest)[:, 0], (highest - lowest).prod(axis=1)
        low, high = lowest[:, 1], highest[:, 1]
        apart: list[int] = []
        for number in np.argsort(-size, kind="stable").tolist():
            if refused[grid.branch[number]]:
                continue
            near = [k for k in apart if low[k] < high[number] + _ROOM and high[k] > low[number] - _ROOM]
            met = [k for k in near if gap(grid.outline[number], grid.outline[k], grid.sides) <= _ROOM]
            if not met and wide[[number, *near]].sum() > grid.sides - 2 * len(near):
                # Together they may go around the tube, which must be cut open between them.
                met = near if grid.cut(np.arange(grid.sides), [number, *near], _CUT) is None else []
            meets[[grid.branch[k] for k in ([number] if met else []) + met]] = True
            if met:
                smaller[grid.branch[number]] = True
            else:
                apart.append(number)
    return meets, smaller


def weld(surface: Surface, rings: Rings, first_quad: Index, foot_ring: Index, welds: Welds) -> Surface:
    """The tubes' surface with the patches.

    `rings` are all rings, among which those of the body have whole places; `first_quad` is of each ring the first quad
    above it, `foot_ring` (b) the lowest ring of each branch with a foot.
    """
    of_body = np.flatnonzero(rings.place == np.floor(rings.place))
    chosen = np.concatenate([of_body, foot_ring])
    numbers = ranges(rings.offset[chosen], rings.count[chosen])
    keep = np.ones(len(surface.quads), dtype=bool)
    keep[first_quad[of_body[welds.ring]] + welds.corner] = False
    patches = faces_of("stem", surface.quads[:0], surface.quad_uv[:0], numbers[welds.triangles], welds.triangle_uv)
    kept = {name: getattr(surface, name)[keep] for name in ("quads", "quad_uv", "quad_part", "quad_under")}
    filled = {
        name: np.concatenate([getattr(surface, name), getattr(patches, name)])
        for name in ("triangles", "triangle_uv", "triangle_part", "triangle_under")
    }
    return _without_loose(replace(surface, **kept, **filled))


def _without_loose(surface: Surface) -> Surface:
    used = np.zeros(len(surface.vertices), dtype=bool)
    used[surface.quads] = True
    used[surface.triangles] = True
    number = np.cumsum(used) - 1
    return replace(
        surface,
        **{name: getattr(surface, name)[used] for name in ("vertices", "bones", "weights", "segment", "girth")},
        quads=number[surface.quads],
        triangles=number[surface.triangles],
    )


def _touched(grid: Unrolled, group: list[int]) -> Index:
    return np.unique(np.concatenate([grid.touched(number, _ROOM) for number in group]))


def _groups(grid: Unrolled, accepted: list[int]) -> list[tuple[list[int], Index]]:
    """Outlines that touch the same cells, and these cells."""
    groups: dict[int, tuple[list[int], Index]] = {}
    owner = np.full(grid.rows * grid.sides, -1)
    for number in accepted:
        members, cells = [number], grid.touched(number, _ROOM)
        for met in set(owner[cells].tolist()) - {-1}:
            others, more = groups.pop(met)
            members, cells = members + others, np.union1d(cells, more)
        owner[cells] = number
        groups[number] = members, cells
    return list(groups.values())


def _patch(grid: Unrolled, group: list[int], cells: Index, geometry: Geometry) -> _Patch | None:
    """The triangles around the outlines of a group, in the cells that they touch; None where that does not work."""
    row, corner = np.divmod(cells, grid.sides)
    cut = grid.cut(corner, group, _CUT)
    if cut is None:
        return None
    taken = np.zeros((int(np.ptp(row)) + 1, grid.sides), dtype=bool)
    taken[row - row.min(), (corner - cut) % grid.sides] = True
    outlines = [grid.shifted(number, cut) - (0.0, row.min()) for number in group]
    nodes, border = _lattice(taken, outlines)

    sizes = [len(outline) for outline in outlines]
    begin = len(nodes) + np.cumsum([0, *sizes])
    rims = [first + _turn(size) for first, size in zip(begin, sizes, strict=False)]
    spots = np.concatenate([nodes[:, ::-1], *outlines])
    lines = row.min() + spots[:, 1]
    flat = np.stack([spots[:, 0] * grid.cell_width, grid.heights_at(lines)], axis=1)
    triangles = geometry.triangulated(flat, np.concatenate([border, *rims]), _SAME * grid.cell_width)
    if triangles is None:
        return None
    middle = spots[triangles].mean(axis=1)
    inner = np.floor(middle).astype(np.int64)
    kept = taken[inner[:, 1], inner[:, 0]]
    for outline in outlines:
        kept &= ~inside(middle, outline)
    triangles, middle = triangles[kept], middle[kept]

    at = nodes + np.array([row.min(), cut])
    numbers = np.concatenate([grid.corner_numbers(*at.T), *(grid.foot_numbers(number) for number in group)])
    points = np.concatenate([grid.corner_places(*at.T), *(grid.places(number) for number in group)])
    outer = np.concatenate([_edges_of(grid, row, corner), numbers[np.concatenate(rims)][:, ::-1]])
    # Half around the tube and more, an edge may be that of another patch as well.
    following = triangles[:, _NEXT]
    width = np.abs(spots[triangles, 0] - spots[following, 0])
    own = np.maximum(triangles, following) < len(nodes)
    if (own & (width >= grid.sides / 2)).any() or not _fills(numbers[triangles], outer):
        return None
    if not _looks_outwards(points[triangles], grid.axis_at(row.min() + middle[:, 1])):
        return None
    # The corner of the parent first: a face is of what its first vertex is of.
    first = np.argmin(triangles, axis=1)
    triangles = np.take_along_axis(triangles, (first[:, None] + np.arange(3)) % 3, axis=1)
    height = np.append(grid.body.distance[numbers[: len(nodes)]], grid.heights_at(lines[len(nodes) :]))
    uv = np.stack([(spots[:, 0] + cut) / grid.sides, height], axis=1)
    return grid.ring + row, corner, numbers[triangles], uv[triangles]


def _turn(size: int) -> Index:
    """Edges (size, 2) of a closed outline, as numbers of its corners."""
    return np.stack([np.arange(size), (np.arange(size) + 1) % size], axis=1)


def _edges_of(grid: Unrolled, row: Index, column: Index) -> Index:
    """Edges (e, 2) around some cells, in the direction of the cells' faces."""
    corners = [grid.corner_numbers(row + up, column + right) for up, right in ((0, 0), (0, 1), (1, 1), (1, 0))]
    around = np.stack(corners, axis=1)
    edges = np.stack([around, around[:, [1, 2, 3, 0]]], axis=2).reshape(-1, 2)
    return edges[~_has(edges, edges[:, ::-1])]


def _has(edges: Index, wanted: Index) -> Mask:
    """(w) whether the wanted edges (w, 2) are among the edges (e, 2), in this direction."""
    most = max(int(edges.max()), int(wanted.max())) + 1
    known, sought = np.sort(edges[:, 0] * most + edges[:, 1]), wanted[:, 0] * most + wanted[:, 1]
    found: Mask = known[np.minimum(np.searchsorted(known, sought), len(known) - 1)] == sought
    return found


def _fills(triangles: Index, outer: Index) -> bool:
    """Whether the triangles are one surface with these edges (e, 2) around it: each there once, as all inner ones are
    in both directions."""
    edges = np.stack([triangles, triangles[:, _NEXT]], axis=2).reshape(-1, 2)
    number = np.sort(edges[:, 0] * (int(edges.max()) + 1) + edges[:, 1])
    if (number[1:] == number[:-1]).any():
        return False
    bare = edges[~_has(edges, edges[:, ::-1])]
    return len(bare) == len(outer) and bool(_has(outer, bare).all())


def _lattice(taken: Mask, outlines: list[Array]) -> tuple[Index, Index]:
    """Corners (n, 2), row and column, of the cells that are taken, without those in or near outlines; and the edges
    (e, 2) of the border, as numbers of corners."""
    framed = np.zeros((taken.shape[0] + 2, taken.shape[1] + 2), dtype=bool)
    framed[1:-1, 1:-1] = taken
    quarters = np.stack([framed[:-1, :-1], framed[:-1, 1:], framed[1:, :-1], framed[1:, 1:]])
    kept: Mask = np.logical_or.reduce(quarters)
    within = np.logical_and.reduce(quarters)
    free = np.argwhere(within)
    bare = np.ones(len(free), dtype=bool)
    for outline in outlines:
        spot = free[:, ::-1].astype(float)
        bare &= ~inside(spot, outline) & (distances(spot, outline) > _CLOSEST)
    kept[tuple(free[~bare].T)] = False
    number = np.cumsum(kept).reshape(kept.shape) - 1
    along, up = framed[1:, 1:-1] != framed[:-1, 1:-1], framed[1:-1, 1:] != framed[1:-1, :-1]
    border = [
        np.stack([number[:, :-1][along], number[:, 1:][along]], axis=1),
        np.stack([number[:-1][up], number[1:][up]], axis=1),
    ]
    return np.argwhere(kept), np.concatenate(border)


def _looks_outwards(corners: Array, axis: Array) -> bool:
    normal = cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return bool((np.einsum("ti,ti->t", normal, corners.mean(axis=1) - axis) > 0.0).all())
