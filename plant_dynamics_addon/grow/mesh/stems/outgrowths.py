# SPDX-License-Identifier: GPL-3.0-or-later
"""What sits on stems and is no organ of its own: prickles, winter buds, fine twigs, nodes and sheaths. Each is a closed
piece whose base is below the stem's surface, and follows the bones of the place where it sits.
"""

from dataclasses import dataclass, replace

import numpy as np

from ..arrays import Array, Index, Mask, dot, normalized, perpendicular
from ..axes import BLADE, TUBE, Axes, Stations, stations_at
from ..detail import Detail
from ..flowers.templates import revolved
from ..skeleton import Skeleton
from ..surface import Shape, Surface, join
from .bark import woodiness
from .rings import corners_of
from .shape import BROKEN, Buds, Nodes, Prickles, StemShape, Twiglets

# Of a prickle, from its base below the stem's surface to its point: width in lengths, across the stem and along it.
_PRICKLE_AT = np.array([-0.22, -0.2, 0.0, 0.2, 0.45, 0.75, 1.0])
_PRICKLE_WIDE = np.array([0.0, 0.13, 0.13, 0.09, 0.06, 0.03, 0.0])
_PRICKLE_LONG = np.array([0.0, 0.46, 0.46, 0.27, 0.15, 0.07, 0.0])
# How far its point has bent down, in lengths.
_HOOK = 0.4
# Corners of their rings, at most.
_PRICKLE_SIDES, _BUD_SIDES = 8, 10
# Of a bud, from its base within the twig to its point: height in lengths and radius in half widths.
_BUD_AT = np.array([-0.12, -0.1, 0.02, 0.2, 0.42, 0.66, 0.86, 1.0])
_BUD_WIDE = np.array([0.0, 0.6, 0.72, 1.0, 0.96, 0.66, 0.3, 0.0])
# Of a twiglet with the bud at its end, from its base within the stem: height and radius in lengths, and how far it
# bends to its sides from one bud to the next.
_TWIGLET_AT = np.array([-0.04, -0.03, 0.03, 0.27, 0.52, 0.78, 0.88, 0.95, 1.0])
_TWIGLET_WIDE = np.array([0.0, 0.02, 0.016, 0.013, 0.012, 0.009, 0.016, 0.013, 0.0])
_TWIGLET_ASIDE = np.array([0.0, 0.0, 0.0, 0.03, -0.01, 0.03, 0.02, 0.02, 0.02])
# It rises to its tip; side twigs leave at buds, as (height, turn in degrees, share of its length).
_RISES = 0.22
_SIDE_TWIGS = ((), ((0.27, 48.0, 0.45),), ((0.27, 44.0, 0.5), (0.52, -50.0, 0.4)), ((0.52, 46.0, 0.42),))
_TWIGLET_SIDES, _TWIGLET_GIRTH = 6, 0.004
# The angles (rad) in which they leave the stem.
_TWIGLETS_LEAVE = 0.73, 1.19
# Of a node, in radii of the stem: heights and radii, from below within the stem to above within it.
_NODE_AT = np.array([-0.5, -0.45, -0.16, -0.02, 0.06, 0.2, 0.5, 0.55])
_NODE_WIDE = np.array([0.0, 0.97, 1.16, 1.2, 1.08, 1.15, 0.97, 0.0])
# Of a sheath: shares of its length, and radii.
_SHEATH_AT = np.array([-1.0, -0.99, -0.9, -0.5, -0.1, 0.0, 0.03, 0.0])
_SHEATH_WIDE = np.array([0.0, 1.0, 1.16, 1.2, 1.26, 1.36, 1.2, 0.0])
_NODE_SIDES = 12
# Scales show as ridges that wind about it.
_SCALES, _SCALE_DEPTH, _SCALE_SWIRL = 5, 0.09, 2.2
# Buds look brown, as bark of this girth (m) does.
_BUD_GIRTH = 0.02
# Buds beside a twig over that at its end; the angle (rad) in which they leave it.
_BESIDE, _LEAVE = 0.7, np.radians(38.0)
_GOLDEN = np.radians(137.5)


def build_outgrowths(
    skeleton: Skeleton, axes: Axes, shape: StemShape, detail: Detail, chance: Array
) -> list[Surface]:
    """The surfaces of all prickles, buds and twiglets, those of woody stems brown. `chance` (n) are random numbers in
    0..1 of the segments."""
    found = []
    is_stem, is_woody = axes.is_organ("stem"), woodiness(skeleton, axes.organs) > 0.5
    if shape.prickles is not None:
        found += _prickles(skeleton, axes, shape.prickles, detail, chance, is_stem)
    if shape.buds is not None:
        for part, some in (("bark", is_stem & is_woody), ("sepal", is_stem & ~is_woody)):
            found += _buds(skeleton, axes, shape.buds, detail, some, part)
    if shape.nodes is not None:
        found += _nodes(skeleton, axes, shape.nodes, detail, is_stem)
    if shape.twiglets is not None:
        found += _twiglets(skeleton, axes, shape.twiglets, detail, is_stem & is_woody)
    return found


@dataclass(frozen=True)
class _Places:
    """Where k outgrowths sit."""

    at: Stations
    base: Array  # (k, 3) on the stem's surface
    out: Array  # (k, 3) unit, where they point
    side: Array  # (k, 3) unit, across
    size: Array  # (k) m

    def take(self, chosen: Index) -> "_Places":
        """Some of them."""
        return _Places(self.at.take(chosen), self.base[chosen], self.out[chosen], self.side[chosen], self.size[chosen])


def _prickles(
    skeleton: Skeleton, axes: Axes, prickles: Prickles, detail: Detail, chance: Array, may: Mask
) -> list[Surface]:
    segment = np.flatnonzero(may & (np.minimum(skeleton.radius_base, skeleton.radius_tip) > prickles.thinnest))
    # As many as the length has room for, the rest by chance.
    wanted = axes.length[segment] / prickles.apart
    count = np.floor(wanted + chance[segment]).astype(np.int64)
    segment = np.repeat(segment, count)
    if not len(segment):
        return []
    rng = np.random.default_rng(5)
    _, number = corners_of(count)
    at = stations_at(axes, segment, (number + rng.uniform(0.2, 0.8, len(segment))) / np.repeat(count, count))
    angle = _GOLDEN * np.arange(len(segment)) + rng.uniform(-0.7, 0.7, len(segment))
    size = prickles.length * rng.uniform(0.45, 1.0, len(segment))
    places = _around(skeleton, axes, at, angle, size)
    template = revolved(np.where(_PRICKLE_WIDE > 0.0, 1.0, 0.0), _PRICKLE_AT, _PRICKLE_SIDES, "fruit", detail.petals)
    height = template.vertices[:, 1]
    wide, long = (np.interp(height, _PRICKLE_AT, values) for values in (_PRICKLE_WIDE, _PRICKLE_LONG))
    across, up = template.vertices[:, 0] * wide, template.vertices[:, 2] * long - _HOOK * np.maximum(height, 0.0) ** 2
    return [_placed(template, places, np.stack([across, height, up], axis=1), np.zeros(len(segment)))]


def _nodes(skeleton: Skeleton, axes: Axes, nodes: Nodes, detail: Detail, may: Mask) -> list[Surface]:
    """Rings at the joints within stems, with sheaths below them; what leaves sit on counts, whatever their stalks."""
    radius = skeleton.radius_tip
    bears = may & (axes.after >= 0) & (radius >= nodes.thinnest)
    if nodes.at_leaves:
        child = np.flatnonzero((axes.parent >= 0) & (axes.kind == BLADE))
        leafy = np.zeros(len(bears), dtype=bool)
        leafy[axes.parent[child]] = True
        bears &= leafy
    segment = np.flatnonzero(bears)
    if not len(segment):
        return []
    at = stations_at(axes, segment, np.ones(len(segment)))
    side = perpendicular(axes.frame[segment][:, :, 0], at.tangent)
    places = _Places(at, at.point, at.tangent, side, radius[segment])
    if nodes.below:
        length = np.minimum(nodes.below, 0.9 * axes.length[segment].min() / radius[segment].max())
        template = revolved(_SHEATH_WIDE, _SHEATH_AT * length, _NODE_SIDES, "stem", detail.petals)
    else:
        template = revolved(_NODE_WIDE, _NODE_AT, _NODE_SIDES, "stem", detail.petals)
    return [_placed(template, places, template.vertices, radius[segment])]


def _around(skeleton: Skeleton, axes: Axes, at: Stations, angle: Array, size: Array) -> _Places:
    """Straight out of the stem, at angles about it."""
    right = perpendicular(np.where(np.abs(at.tangent[:, :1]) < 0.9, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]), at.tangent)
    out = np.cos(angle)[:, None] * right + np.sin(angle)[:, None] * np.cross(at.tangent, right)
    segment = at.segment
    share = (at.distance - axes.start[segment]) / axes.length[segment]
    radius = (1.0 - share) * skeleton.radius_base[segment] + share * skeleton.radius_tip[segment]
    return _Places(at, at.point + radius[:, None] * out, out, np.cross(out, at.tangent), size)


def _buds(skeleton: Skeleton, axes: Axes, buds: Buds, detail: Detail, may: Mask, part: str) -> list[Surface]:
    runs = axes.runs_of(TUBE)
    ends = axes.ends(runs)
    carries = np.zeros(len(axes.parent), dtype=bool)
    carries[axes.parent[axes.parent >= 0]] = True
    tip = skeleton.radius_tip
    last = ends[may[ends] & (axes.after[ends] < 0) & (tip[ends] < BROKEN)]
    at = stations_at(axes, last, np.ones(len(last)))
    length = buds.length * tip[last]
    places = [_Places(at, at.point, at.tangent, perpendicular(axes.frame[last][:, :, 0], at.tangent), length)]
    bare = last[~carries[last]]
    if buds.apart and len(bare):
        count = np.floor(0.85 * axes.length[bare] / buds.apart).astype(np.int64)
        segment, (_, number) = np.repeat(bare, count), corners_of(count)
        at = stations_at(axes, segment, 1.0 - (number + 1) * buds.apart / axes.length[segment])
        size = _BESIDE * buds.length * tip[segment]
        places.append(_leaning(_around(skeleton, axes, at, np.pi * number + segment, size)))
    if buds.in_axils:
        base = axes.bases(np.arange(len(axes.first) - 1))
        base = base[(axes.parent[base] >= 0) & ~axes.is_organ("stem")[base]]
        base = base[may[axes.parent[base]] & axes.joined[base]]
        base = base[(axes.kind[base] == BLADE) | (axes.kind[base] == TUBE)]
        stem = axes.parent[base]
        aside = axes.direction[base] - dot(axes.direction[base], axes.direction[stem])[:, None] * axes.direction[stem]
        leaves = np.linalg.norm(aside, axis=1) > 0.3
        base, stem, out = base[leaves], stem[leaves], normalized(aside[leaves])
        at = stations_at(axes, stem, np.ones(len(stem)))
        rise = 0.6 * skeleton.radius_base[base] + 0.5 * tip[stem]
        above = at.point + tip[stem][:, None] * out + rise[:, None] * at.tangent
        size = np.minimum(_BESIDE * buds.length * tip[stem], 0.8 * buds.length * skeleton.radius_base[base] + 0.002)
        places.append(_leaning(_Places(at, above, out, np.cross(out, at.tangent), size)))
    template = revolved(_BUD_WIDE, _BUD_AT, _BUD_SIDES, part, detail.petals, _SCALES, _SCALE_DEPTH, _SCALE_SWIRL)
    slim = template.vertices * (0.5 * buds.slender, 1.0, 0.5 * buds.slender)
    return [_placed(template, some, slim, np.full(len(some.size), _BUD_GIRTH)) for some in places if len(some.size)]


def _twiglets(skeleton: Skeleton, axes: Axes, twiglets: Twiglets, detail: Detail, may: Mask) -> list[Surface]:
    rng, tip = np.random.default_rng(6), skeleton.radius_tip
    thin = np.flatnonzero(may & (tip <= twiglets.thickest))
    count = np.floor(axes.length[thin] / twiglets.apart + rng.random(len(thin))).astype(np.int64)
    segment, (_, number) = np.repeat(thin, count), corners_of(count)
    at = stations_at(axes, segment, (number + rng.uniform(0.2, 0.8, len(segment))) / np.repeat(count, count))
    angle = _GOLDEN * np.arange(len(segment)) + rng.uniform(-0.6, 0.6, len(segment))
    size = twiglets.length * rng.uniform(0.25, 1.0, len(segment))
    beside = _leaning(_around(skeleton, axes, at, angle, size), rng.uniform(*_TWIGLETS_LEAVE, len(segment)))

    last = axes.ends(axes.runs_of(TUBE))
    last = last[may[last] & (tip[last] < min(twiglets.thickest, BROKEN)) & (axes.after[last] < 0)]
    at = stations_at(axes, last, np.ones(len(last)))
    turn = rng.uniform(0.0, 2.0 * np.pi, len(last))
    across = perpendicular(axes.frame[last][:, :, 0], at.tangent)
    across = np.cos(turn)[:, None] * across + np.sin(turn)[:, None] * np.cross(at.tangent, across)
    ahead = _Places(at, at.point, at.tangent, across, twiglets.length * rng.uniform(0.6, 1.0, len(last)))

    found = []
    for kind, twigs in enumerate(_SIDE_TWIGS):
        template = _twiglet(twigs, detail)
        for places in (beside, ahead):
            own = places.take(np.arange(kind, len(places.size), len(_SIDE_TWIGS)))
            if len(own.size):
                found.append(_placed(template, own, template.vertices, np.full(len(own.size), _TWIGLET_GIRTH)))
    return found


def _twiglet(side_twigs: tuple[tuple[float, float, float], ...], detail: Detail) -> Shape:
    """A crooked twig with a bud at its end and such side twigs."""
    straight = revolved(_TWIGLET_WIDE, _TWIGLET_AT, _TWIGLET_SIDES, "bark", detail.petals)
    x, y, z = straight.vertices.T
    aside = np.interp(y, _TWIGLET_AT, _TWIGLET_ASIDE)
    pieces = [replace(straight, vertices=np.stack([x + aside, y, z + _RISES * np.maximum(y, 0.0) ** 2], axis=1))]
    for height, degrees, share in side_twigs:
        c, s = share * np.cos(np.radians(degrees)), share * np.sin(np.radians(degrees))
        x, y, z = pieces[0].vertices.T
        place = np.interp(height, _TWIGLET_AT, _TWIGLET_ASIDE), height, _RISES * height**2
        turned = np.stack([c * x + s * y, c * y - s * x, share * z], axis=1)
        pieces.append(replace(straight, vertices=turned + place))
    return join(pieces)


def _leaning(places: _Places, leave: Array | float = _LEAVE) -> _Places:
    """The same, leaning towards the tip of the twig, from which they are so far (rad)."""
    along = np.cross(places.side, places.out)
    along = along * np.sign(dot(along, places.at.tangent))[:, None]
    sine, cosine = np.sin(leave).reshape(-1, 1), np.cos(leave).reshape(-1, 1)
    return replace(places, out=sine * places.out + cosine * along)


def _placed(template: Shape, places: _Places, shape: Array, girth: Array) -> Surface:
    """Copies of the template, of which `shape` (v, 3) are the places across, out and up."""
    count, size = len(places.size), len(template.vertices)
    up = np.cross(places.side, places.out)
    up = up * np.sign(dot(up, places.at.tangent) + 1e-9)[:, None]
    side = np.cross(places.out, up)
    axes = np.stack([side, places.out, up], axis=2) * places.size[:, None, None]
    points = places.base[:, None, :] + np.einsum("kij,vj->kvi", axes, shape)
    row = np.repeat(np.arange(count), size)
    return Surface(
        **template.repeated(count, size) | {"vertices": points.reshape(-1, 3)}, bones=places.at.bones[row],
        weights=places.at.weights[row], segment=places.at.segment[row], girth=girth[row],
    )  # fmt: skip

