# SPDX-License-Identifier: GPL-3.0-or-later
"""Tubes between control points as straight pieces, all of a plant at once.

Hermite's tangents are the turtle's headings, as long as the way between the points times factors. Radii go by a cubic
of their own, whose parameter the curve's is a cubic of as well. Frames go along from piece to piece by the least
angles.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..base.arrays import Flags, Floats, Integers
from ..base.contours import CIRCLE, moments_of, turned
from ..base.quaternions import about_y, carried_along, column, products, shortest_arcs
from .tubes import Span

_MOST_PIECES = 12
_BEND, _TWIST = 15.0, 30.0
"""Degrees that a tube turns, and twists, by at most in a piece."""
_BULGE = 0.1
"""A radius in the middle of a piece differs by at most this share of the largest from the one between its ends."""
_LEAF_PIECES = 4
_SLENDEREST = 0.01
"""Radii of pieces by their lengths; tubes that end in a point would bend without end there."""
_LOOKS = np.linspace(0.0, 1.0, 25)
_NEAR = 1e-9
_BLOCK = 2048
"""Spans that are looked at together, so that what is known of them stays near the processor."""
_B_SPLINE = np.array([[1, 4, 1, 0], [-3, 0, 3, 0], [3, -6, 3, 0], [-1, 3, -3, 1]]) / 6.0
"""Control points to the curve by powers of its parameter."""


@dataclass(frozen=True)
class Pieces:
    """p straight pieces, in the order of their spans and along them."""

    span: Integers
    """(p) each has at least one."""
    place: Floats
    """(p, 3) where they begin."""
    frame: Floats
    """(p, 4), y along them; x is the way that contours are widest."""
    length: Floats
    radii: Floats
    """(p, 2) at base and tip."""
    contoured: Integers
    """(q) those that are not round."""
    outlines: Floats
    """(q, 2, k, 2) m, at base and tip."""


@dataclass(frozen=True)
class _Spans:
    """m spans as arrays."""

    curve: Floats
    """(m, 4, 3) by powers of its parameter."""
    headings: Floats
    """(2, m, 3) at both ends."""
    profile: Floats
    """(m, 4, 2) the curve's parameter and the radius by powers."""
    frames: Floats
    """(2, m, 4) of the control points, along the headings."""
    before: Integers
    most: Integers
    is_leaf: Flags
    twists: Flags
    contours: Integers
    """(m, 2) numbers of rows of the outlines, 0 for the circle."""


def pieces_of(spans: Sequence[Span], outlines: Mapping[int, Floats], unit: float) -> Pieces:
    """All pieces of spans.

    outlines: by the numbers that styles have, in radii, along x and z of our frame. unit: metres that a length of 1 in
    the text stands for.
    """
    row = {number: index for index, number in enumerate(outlines, 1)}
    arrays = _arrays(spans, row, unit)
    blocks = [slice(start, start + _BLOCK) for start in range(0, len(spans), _BLOCK)]
    twist, count = (
        np.concatenate(column) for column in zip(*(_twist_and_count(arrays, block) for block in blocks), strict=True)
    )
    span = np.repeat(np.arange(len(spans)), count)
    number = np.arange(len(span)) - np.repeat(np.cumsum(count) - count, count)
    # where each piece begins and ends, by the parameters of profile and curve
    (from_, first), (to, last) = (_at(arrays.profile[span], (number + end) / count[span]).T for end in (0, 1))
    places, ends = _at(arrays.curve[span], from_), _at(arrays.curve[span], to)
    length = np.linalg.norm(ends - places, axis=1)
    kept = length >= _NEAR
    span, places, ends, length = span[kept], places[kept], ends[kept], length[kept]
    along, radii = np.stack([from_, to], axis=1)[kept], np.stack([first, last], axis=1)[kept]
    frame = _frames(arrays, span, (ends - places) / length[:, None])
    thick = np.maximum(np.abs(radii), _SLENDEREST * length[:, None])
    contoured = np.flatnonzero(arrays.contours[span].any(axis=1))
    known = np.stack([CIRCLE, *outlines.values()])
    shapes, turns = _contours(known, arrays.contours[span[contoured]], along[contoured], radii[contoured],
                              twist[span[contoured]])  # fmt: skip
    frame[contoured] = products(frame[contoured], about_y(turns))
    return Pieces(span, places, frame, length, thick, contoured, shapes)


def _arrays(spans: Sequence[Span], row: Mapping[int, int], unit: float) -> _Spans:
    ends = [span.ends for span in spans]
    place, frame = (np.array([[getattr(knot, name) for knot in pair] for pair in ends]) for name in ("place", "frame"))
    headings = column(frame.reshape(-1, 4), 1).reshape(-1, 2, 3)
    way = place[:, 1] - place[:, 0]
    factors = np.array([(a.style.tangents[1], b.style.tangents[0]) for a, b in ends])
    tangents = headings * (factors * np.linalg.norm(way, axis=1)[:, None])[:, :, None]
    curve = _hermite(place[:, 0], place[:, 1], tangents[:, 0], tangents[:, 1])
    splines = np.flatnonzero([len(span.knots) == _B_SPLINE.shape[1] for span in spans])
    if len(splines):
        points = np.array([[knot.place for knot in spans[index].knots] for index in splines.tolist()])
        curve[splines] = _B_SPLINE @ points
        slopes = np.stack([_slopes(curve[splines], np.array([share]))[:, 0] for share in (0.0, 1.0)], axis=1)
        size = np.linalg.norm(slopes, axis=2, keepdims=True)
        headings[splines] = np.where(size > _NEAR, slopes / np.maximum(size, _NEAR), headings[splines])
    radius = np.array([[knot.radius for knot in pair] for pair in ends])
    slope = np.array([(a.style.slopes[1], b.style.slopes[0]) for a, b in ends])
    evenly = np.stack([np.ones(len(ends)), radius[:, 1] - radius[:, 0]], axis=1)[:, None]
    slope = np.where(slope.any(axis=2, keepdims=True), slope * (1.0, unit), evenly)
    low, high = (np.stack([np.full(len(ends), share), radius[:, int(share)]], axis=1) for share in (0.0, 1.0))
    own = column(frame.reshape(-1, 4), 1)
    along = products(shortest_arcs(own, headings.reshape(-1, 3)), frame.reshape(-1, 4)).reshape(-1, 2, 4)
    styles = [span.knots[-1].style for span in spans]
    return _Spans(
        curve, headings.swapaxes(0, 1), _hermite(low, high, slope[:, 0], slope[:, 1]), along.swapaxes(0, 1),
        np.array([span.before for span in spans]), np.array([style.pieces for style in styles]),
        np.array([style.is_leaf for style in styles]), np.array([style.twists for style in styles]),
        np.array([[row.get(knot.style.contour, 0) for knot in pair] for pair in ends]),
    )  # fmt: skip


def _twist_and_count(spans: _Spans, block: slice) -> tuple[Floats, Integers]:
    """Radians that spans twist by, and how many pieces follow them."""
    ahead = _unit(_slopes(spans.curve[block], _LOOKS))
    twists = spans.twists[block]
    twist = np.zeros(len(ahead))
    if twists.any():
        frame = spans.frames[0, block][twists]
        for before, after in zip(ahead[twists].swapaxes(0, 1)[:-1], ahead[twists].swapaxes(0, 1)[1:], strict=True):
            frame = products(shortest_arcs(before, after), frame)
        twist[twists] = _roll_between(frame, spans.frames[1, block][twists])
    cosines = np.clip((ahead[:, 1:] * ahead[:, :-1]).sum(axis=2), -1.0, 1.0)
    bend = np.degrees(np.arccos(cosines).sum(axis=1))
    wanted = np.ceil(np.maximum(bend / _BEND, np.degrees(np.abs(twist)) / _TWIST) - 1e-6)
    wanted = np.clip(wanted, np.where(spans.is_leaf[block], _LEAF_PIECES, 1), _MOST_PIECES).astype(np.int64)
    profile = spans.profile[block][:, :, 1:]
    radii = _along(profile, _LOOKS)[:, :, 0]
    bulge = _BULGE * np.abs(radii).max(axis=1)
    for count in range(1, _MOST_PIECES):
        rows = np.flatnonzero(wanted == count)
        shares = np.linspace(0.0, 1.0, count + 1)
        straight = np.stack([np.interp(_LOOKS, shares, corner) for corner in np.eye(count + 1)])
        off = np.abs(_along(profile[rows], shares)[:, :, 0] @ straight - radii[rows]).max(axis=1)
        wanted[rows[off > bulge[rows]]] += 1
    return twist, np.clip(wanted, 1, np.clip(spans.most[block], 1, _MOST_PIECES))


def _frames(spans: _Spans, span: Integers, ahead: Floats) -> Floats:
    """(p, 4) of pieces that lead ahead (p, 3), without twist along each tube."""
    is_first = np.diff(span, prepend=-1) != 0
    first = np.flatnonzero(is_first)
    last = np.append(first[1:], len(span)) - 1
    before = np.arange(-1, len(span) - 1)
    # what twists has the turtle's frames at its control points
    previous = np.where(spans.twists, -1, spans.before)[span[first]]
    before[first] = np.where(previous < 0, -1, last[np.maximum(previous, 0)])
    heading = spans.headings[0][span[first]]
    turns = shortest_arcs(ahead[before], ahead)
    going_on = shortest_arcs(ahead[before[first]], heading)
    start = np.where((previous < 0)[:, None], spans.frames[0][span[first]], going_on)
    turns[first] = products(shortest_arcs(heading, ahead[first]), start)
    return carried_along(turns, before)


def _contours(known: Floats, rows: Integers, along: Floats, radii: Floats, twist: Floats) -> tuple[Floats, Floats]:
    """(q, 2, k, 2) outlines of pieces in their own axes, x the way that they are widest, and by how much (q, radians)
    these are turned about y from frames without twist."""
    middle = 0.5 * along.sum(axis=1)
    # a radius below 0 turns the contour by half a turn; from x towards z is against the way that things turn about y
    ends = [
        turned(
            radii[:, end, None, None] * (known[rows[:, 0]] * (1.0 - along[:, end, None, None])
                                         + known[rows[:, 1]] * along[:, end, None, None]),
            twist * (along[:, end] - middle),
        )
        for end in (0, 1)
    ]  # fmt: skip
    roll = moments_of(0.5 * (ends[0] + ends[1])).roll
    return np.stack([turned(outline, roll) for outline in ends], axis=1), twist * middle - roll


def _roll_between(frame: Floats, wanted: Floats) -> Floats:
    """(n) radians about y from frames to others with the same y, from -pi to pi."""
    right = column(wanted, 0)
    return np.arctan2(-(right * column(frame, 2)).sum(axis=1), (right * column(frame, 0)).sum(axis=1))


def _hermite(start: Floats, end: Floats, leaving: Floats, coming: Floats) -> Floats:
    """(m, 4, k) cubics, by powers of their parameter."""
    way = end - start
    return np.stack([start, leaving, 3.0 * way - 2.0 * leaving - coming, leaving + coming - 2.0 * way], axis=1)


def _at(cubic: Floats, share: Floats) -> Floats:
    """(n, k) of each cubic at its own parameter."""
    t = share[:, None]
    values: Floats = ((cubic[:, 3] * t + cubic[:, 2]) * t + cubic[:, 1]) * t + cubic[:, 0]
    return values


def _along(cubic: Floats, shares: Floats) -> Floats:
    """(n, s, k) of all cubics at the same parameters."""
    values: Floats = np.stack([shares**power for power in range(4)], axis=1) @ cubic
    return values


def _slopes(cubic: Floats, shares: Floats) -> Floats:
    values: Floats = np.stack([np.ones_like(shares), 2.0 * shares, 3.0 * shares**2], axis=1) @ cubic[:, 1:]
    return values


def _unit(vectors: Floats) -> Floats:
    """Directions (n, s, 3); of what has none that of the one before, or else of the next that has one."""
    sizes = np.linalg.norm(vectors, axis=2)
    good = sizes > _NEAR
    nearest = np.maximum.accumulate(np.where(good, np.arange(good.shape[1]), -1), axis=1)
    nearest = np.where(nearest < 0, good.argmax(axis=1)[:, None], nearest)
    rows = np.arange(len(vectors))[:, None]
    result: Floats = vectors[rows, nearest] / np.maximum(sizes[rows, nearest], _NEAR)[:, :, None]
    result[~good.any(axis=1)] = (0.0, 1.0, 0.0)
    return result
