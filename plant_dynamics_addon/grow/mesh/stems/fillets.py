# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a side branch leaves its parent its skin flows into the parent's.

From a point of the parent's surface a little further out than where a line along the branch leaves it (see `feet`) a
quadratic Bezier curve leads to that line a little further up, with its control point at that place: so it touches both
surfaces. The rings of the branch are pushed up until none is inside. Feet are welded to the parent where they can be,
else they begin below its surface. The foot of the fillet follows the parent's bones; a few radii further on the skin
follows those of the branch, so that a turn at the joint is spread over this way.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..arrays import Array, Index, Mask
from ..axes import TUBE, Axes, stations_along
from ..geometry import Geometry
from ..progress import stage
from ..surface import grid_faces, padded
from .carriers import Carriers, carriers_of
from .feet import Curves, Feet, Generators, feet_of, ways_out
from .outlines import Outlines
from .rings import Rings, corners_of
from .welds import Planned, Welds, crowded, plan_welds

# How far the fillet reaches along branch and parent, in radii of the branch.
_REACH = 0.9
# Feet that meet are made smaller by this factor, so many times.
_LESS, _TRIES = 0.5, 2
# Shares of the time after which it is known how large they are, and how they are welded unless some of them are folded.
_FITTED, _WELDED = 0.4, 0.7
# Where along its curves a fillet is looked at for folds.
_ROWS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
# Over how many of its radii above the fillet a branch goes over from its parent's bones to its own.
_SPREAD = 5.0


def fillet_branches(
    axes: Axes, joints: tuple[Array, Array], body: Rings, steps: int, geometry: Geometry
) -> tuple[Rings, Rings, Welds]:
    """The tubes' rings with those near the joints moved out of the parents, the rings of the fillets (`steps` for each
    branch, from the foot up), and how their feet are welded.

    `joints` are radii at the base and tip of all segments. A branch without fillet stays as it is: it has no ring. With
    a single step petioles have none, and neither have the twigs of sprays: they are many, and too thin to show it.
    """
    base, first, count = _side_branches(axes, body, with_petioles=steps > 1)
    parents = carriers_of(axes, joints, axes.parent[base])
    branch, corner = corners_of(body.count[first])
    lines = Generators(branch, axes.run[base][branch], corner)
    curves = Curves(axes, body)

    left = ways_out(curves, lines, parents, first, count, joints[1][axes.parent[base]])
    radius = body.girth[body.offset[first]]
    begins = np.cumsum(body.count[first]) - body.count[first]
    ends = left + _REACH * radius[branch]
    highest = np.maximum.reduceat(ends, begins) if len(base) else ends
    lowest = np.minimum.reduceat(ends, begins) if len(base) else ends
    found = np.isfinite(highest)
    highest, lowest = np.where(found, highest, 0.0), np.where(found, lowest, 0.0)
    room = 0.9 * curves.length[first]
    spread = np.clip(room - highest, _REACH * radius, np.maximum(_SPREAD * radius, highest - lowest))
    settled = highest + spread  # from here on the rings are as they were
    good = found & (settled <= room)

    keep = good[branch]
    number = np.cumsum(good) - 1
    lines = Generators(number[branch[keep]], lines.run[keep], corner[keep])
    fillets = _Fillets(
        axes, body, curves, lines, parents.of(good), left[keep], radius[good], settled[good], first[good], count[good],
        geometry,
    )  # fmt: skip
    fitted = fillets.fitted()
    return fitted.moved, fillets.rings(fitted.feet, steps), fitted.welds


@dataclass(frozen=True)
class _Fitted:
    """Fillets of a certain size."""

    feet: Feet
    moved: Rings  # the body's, out of the parents
    outlines: Outlines
    welds: Welds


@dataclass(frozen=True)
class _Fillets:
    """Those of b branches with g generators."""

    axes: Axes
    body: Rings
    curves: Curves
    lines: Generators
    parents: Carriers
    left: Array  # (g) m, where the generators leave the parents
    radius: Array  # (b) m
    settled: Array  # (b) m along the branch
    first: Index  # (b) the first rings
    count: Index  # (b) rings of the branch
    geometry: Geometry

    @cached_property
    def begins(self) -> Index:
        """(b + 1) the first generator of each branch."""
        return np.searchsorted(self.lines.branch, np.arange(len(self.radius) + 1))

    def fitted(self) -> _Fitted:
        """Fillets that meet are made smaller, so that their feet can be welded beside one another; where that does not
        help the smaller ones are refused: they have a whole fillet that is not welded."""
        whole = _REACH * self.radius
        reach, refused = whole.copy(), np.zeros(len(whole), dtype=bool)
        meets, smaller = self._crowded(reach, refused, ~refused, 0)
        for number in range(_TRIES):
            if not meets.any():
                break
            reach[meets] *= _LESS
            meets, smaller = self._crowded(reach, refused, meets, 1 + number)
        if smaller.any():
            # What met only refused ones can be whole again.
            refused = smaller
            meets, _ = self._crowded(whole, refused, reach < whole, 1 + _TRIES)
            reach = np.where(meets & ~refused, reach, whole)
        planned: Planned = {}
        with stage(_FITTED, _WELDED):
            fitted = self._welded(reach, refused, planned)
        folded = self._folded(fitted, reach < whole)
        if folded.any():
            with stage(_WELDED, 1.0):
                fitted = self._welded(np.where(folded, whole, reach), refused | folded, planned)
        return fitted

    def _crowded(self, reach: Array, refused: Mask, changed: Mask, number: int) -> tuple[Mask, Mask]:
        """`crowded` for the fillets of this size, looked at for the number-th time, on the tubes that the changed
        branches sit on or are."""
        with stage(*(_FITTED * done / (2 + _TRIES) for done in (number, number + 1))):
            _, moved, outlines = self._placed(reach)
            sits_on, own = (runs[self.begins[:-1]] for runs in (outlines.run, self.lines.run))
            return crowded(moved, outlines, refused, changed | np.isin(sits_on, own[changed]))

    def _placed(self, reach: Array) -> tuple[Feet, Rings, Outlines]:
        feet = feet_of(self.axes, self.body, self.curves, self.lines, self.parents, self.left, reach, self.settled)
        moved = self._moved_up(feet)
        return feet, moved, Outlines(self.begins, self.axes.run[feet.held.segment], feet.bottom, feet.held)

    def _welded(self, reach: Array, refused: Mask, planned: Planned) -> _Fitted:
        feet, moved, outlines = self._placed(reach)
        welds = plan_welds(moved, outlines, refused, self.geometry, planned)
        is_welded = welds.is_welded[self.lines.branch][:, None]
        # A parent's faces are a little below the round surface that the curve was led along.
        lower = np.where(is_welded, feet.bottom - welds.foot, 0.0)
        bottom = feet.bottom - np.where(is_welded, lower, feet.sink)
        return _Fitted(replace(feet, bottom=bottom, edge=feet.edge - lower), moved, outlines, welds)

    def _folded(self, fitted: _Fitted, chosen: Mask) -> Mask:
        """(b) the chosen branches whose fillets cut themselves."""
        folded = np.zeros(len(chosen), dtype=bool)
        for branch in np.flatnonzero(chosen & fitted.welds.is_welded):
            own = slice(self.begins[branch], self.begins[branch + 1])
            ring = fitted.moved.offset[self.first[branch] + 1]
            rows = [
                *(fitted.feet.points(own, share) for share in _ROWS),
                fitted.moved.point[ring:][: own.stop - own.start],
            ]
            faces = grid_faces(len(rows), len(rows[0]), closed=True)[0].tolist()
            meeting = self.geometry.overlapping(np.concatenate(rows), faces)
            folded[branch] = any(not set(faces[a]) & set(faces[b]) for a, b in meeting)
        return folded

    def rings(self, feet: Feet, steps: int) -> Rings:
        """Rings at even steps along the Bezier curves, but for the last, which is the branch's own first ring."""
        lines, start = self.lines, self.begins[:-1]
        count = np.repeat(np.diff(self.begins), steps)
        ring, corner = corners_of(count)
        number = np.repeat(start, steps)[ring] + corner
        share = (np.tile(np.arange(steps), len(start)) / steps)[ring]
        distance = feet.left[number] + (2 * share - 1) * feet.reach[number]
        own = stations_along(self.axes, lines.run[number], np.maximum(distance, 0.0))
        run = lines.run[start]
        place = np.searchsorted(self.body.run, run) - 1.0
        return Rings(
            np.repeat(run, steps),
            np.repeat(place, steps) + np.tile((np.arange(steps) + 1) / (steps + 1), len(start)),
            count,
            feet.points(number, share),
            *feet.bones_and_weights(own, number, distance),
            own.segment,
            self.radius[lines.branch[number]],
            distance,
        )

    def _moved_up(self, feet: Feet) -> Rings:
        """The rings below `settled` moved up in proportion, the first to the ends of the fillets."""
        body, curves = self.body, self.curves
        branch, step = corners_of(self.count)
        ring = self.first[branch] + step
        low = curves.at_ring[ring] < self.settled[branch]
        ring, branch = ring[low], branch[low]
        index, corner = corners_of(body.count[ring])
        vertex = curves.offset[ring][index] + corner
        number = self.begins[branch[index]] + corner
        end, limit = feet.left[number] + feet.reach[number], feet.settled[number]
        distance = end + (limit - end) * body.distance[vertex] / limit
        run = body.run[ring][index]
        at = stations_along(self.axes, run, distance)
        point, along, segment = body.point.copy(), body.distance.copy(), body.segment.copy()
        bones, weights = padded(body.bones, 6), padded(body.weights, 6)
        point[vertex], along[vertex], segment[vertex] = curves.points(run, corner, distance), distance, at.segment
        bones[vertex], weights[vertex] = feet.bones_and_weights(at, number, distance)
        return replace(body, point=point, distance=along, bones=bones, weights=weights, segment=segment)


def _side_branches(axes: Axes, body: Rings, with_petioles: bool) -> tuple[Index, Index, Index]:
    """First segments of the runs that leave a tube sideways; their first rings, and how many rings they have."""
    first = np.flatnonzero(np.append(True, body.run[1:] != body.run[:-1]))
    count = np.diff(np.append(first, len(body.run)))
    base = axes.bases(body.run[first])
    parent = axes.parent[base]
    side = axes.joined[base] & (axes.before[base] < 0) & (axes.kind[parent] == TUBE)
    if not with_petioles:
        side &= ~axes.is_organ("petiole")[base]
    return base[side], first[side], count[side]
