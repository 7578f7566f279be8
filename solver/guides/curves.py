# SPDX-License-Identifier: GPL-3.0-or-later
"""Curves on which points are held: cubic splines whose second derivatives are continuous, or straight lines.

Each piece is a cubic in t from 0 to 1 with the points and slopes of its ends (Hermite). Slopes are linear in the
points, so that a curve that moves evenly does so in all its points.
"""

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple
from zlib import crc32

import numpy as np

from ..base.arrays import Bools1, Floats, Floats2, Ints, Ints1
from ..machine.jit import inlined, subroutine
from ..math.memory import load3
from ..math.splines import spline_slopes
from ..math.vectors import add, dot, scale, sub
from ..world.guide import Curve

#: Steps to the nearest point of a curve at most, and when (in t) it has been found.
_MOST_STEPS, _FOUND = 30, 1e-14

#: Of the second derivative of the distance this share of its part without curvature is taken at least.
_LEAST_BEND = 0.25

#: With a larger square of the cosine between them pieces go on smoothly.
_SMOOTH = 1.0 - 1e-9


class Curves(NamedTuple):
    """first (c + 1,): pieces of curve j are first[j] to first[j + 1]; closed (c,); key (c,) from the name
    start, end (p, 3) m: where pieces begin and end; slope, end_slope (p, 3) m: their slopes there, per t"""

    first: Ints1
    closed: Bools1
    key: Ints1
    start: Floats2
    end: Floats2
    slope: Floats2
    end_slope: Floats2


def curves_through(curves: Sequence[Curve]) -> Curves:
    """Pieces of curves whose points have been checked."""
    pieces = [_pieces(one) for one in curves]
    first = np.cumsum([0] + [len(one[0]) for one in pieces])
    closed = np.array([one.closed for one in curves], dtype=np.bool_)
    key = keys_of([one.name for one in curves])
    joined = [np.concatenate([one[c] for one in pieces]) if pieces else np.zeros((0, 3)) for c in range(4)]
    return Curves(first, closed, key, *map(np.ascontiguousarray, joined))


#: Of a key so many bits are of the name, and the others tell the first of that name from the second.
_NAME = 32


def keys_of(names: Sequence[str]) -> Ints:
    """(n,) numbers by which shapes are known again by their names; of one name the first is the first."""
    return recounted(np.array([crc32(name.encode()) for name in names], dtype=np.int64))


def recounted(keys: Ints) -> Ints:
    """(n,) the same of shapes of which others than before are beside each other."""
    times = Counter[int]()
    found = []
    for name in names_in(keys).tolist():
        found.append(name | times[name] << _NAME)
        times[name] += 1
    return np.array(found, dtype=np.int64)


def names_in(keys: Ints) -> Ints:
    """(n,) numbers of the names alone."""
    return keys & ((1 << _NAME) - 1)


def _pieces(curve: Curve) -> tuple[Floats, Floats, Floats, Floats]:
    points = np.asarray(curve.points)
    ring = np.concatenate([points, points[:1]]) if curve.closed else points
    way = np.diff(ring, axis=0)
    if not curve.smooth or len(ring) == 2:
        return ring[:-1], ring[1:], way, way
    h = np.linalg.norm(way, axis=1)
    m = spline_slopes(h, way / h[:, None], curve.closed)
    return ring[:-1], ring[1:], m[:-1] * h[:, None], m[1:] * h[:, None]


@inlined
def _between(one, other, s, i):
    """Row i of one array and another, at the share s from one to the other."""
    return add(scale(1.0 - s, load3(one, i)), scale(s, load3(other, i)))


@subroutine
def nearest_on_curve(before, after, s, c, x):
    """The point of curve c nearest to x (m), at the share s of the way from one shape to the other of a curve.

    Returns it, the unit tangent there, the curvature (1/m) as a vector towards the centre, whether it is a free end
    or a corner beyond which x is, and the piece and t where it is.
    """
    i, t = _nearest_chord(before, after, s, c, x)
    first, last = after.first[c], after.first[c + 1] - 1
    here, slope, bend, beyond = x, x, x, False
    came, came_by = 0, x  # over which end of the piece before, and its slope there
    for _ in range(_MOST_STEPS):
        here, slope, bend = _at(before, after, s, i, t)
        out = sub(here, x)
        falls, speed2 = dot(out, slope), dot(slope, slope)
        step = -falls / max(speed2 + dot(out, bend), _LEAST_BEND * speed2)
        to = t + step
        if to < 0.0 and t == 0.0:
            beyond = (i == first and not after.closed[c]) or (came > 0 and _is_corner(came_by, slope))
            if beyond:
                break
            i, t, came, came_by = (i - 1 if i > first else last), 1.0, -1, slope
        elif to > 1.0 and t == 1.0:
            beyond = (i == last and not after.closed[c]) or (came < 0 and _is_corner(came_by, slope))
            if beyond:
                break
            i, t, came, came_by = (i + 1 if i < last else first), 0.0, 1, slope
        else:
            came = 0
            to = min(max(to, 0.0), 1.0)
            found = abs(to - t) < _FOUND
            t = to
            if found:
                break
    here, slope, bend = _at(before, after, s, i, t)
    speed2 = dot(slope, slope)
    tangent = scale(1.0 / math.sqrt(speed2), slope)
    curvature = scale(1.0 / speed2, sub(bend, scale(dot(bend, tangent), tangent)))
    return here, tangent, curvature, beyond, i, t


@inlined
def _is_corner(one, other):
    """Whether two pieces that meet have these slopes (per t) there for more than rounding's sake."""
    d = dot(one, other)
    return d < 0.0 or d * d < _SMOOTH * dot(one, one) * dot(other, other)


@inlined
def way_of_curve(before, after, i, t):
    """How far (m) the point of piece i at t goes from one shape of a curve to the other."""
    start, _, _ = _at(before, after, 0.0, i, t)
    end, _, _ = _at(before, after, 1.0, i, t)
    return sub(end, start)


@inlined
def same_curve(before, after, c):
    """Whether curve c has one shape before and after."""
    same = True
    for i in range(after.first[c], after.first[c + 1]):
        for k in range(3):
            same = same and before.start[i, k] == after.start[i, k] and before.end[i, k] == after.end[i, k]
    return same


@inlined
def _nearest_chord(before, after, s, c, x):
    """The piece of curve c whose chord is nearest to x, and where along it, from 0 to 1."""
    piece, along, least = after.first[c], 0.0, math.inf
    for i in range(after.first[c], after.first[c + 1]):
        start = _between(before.start, after.start, s, i)
        way, out = sub(_between(before.end, after.end, s, i), start), sub(x, start)
        t = min(max(dot(out, way) / max(dot(way, way), 1e-300), 0.0), 1.0)
        off = sub(out, scale(t, way))
        if dot(off, off) < least:
            piece, along, least = i, t, dot(off, off)
    return piece, along


@inlined
def _at(before, after, s, i, t):
    """Point (m) of piece i at t, with its first and second derivative by t."""
    p, q = _between(before.start, after.start, s, i), _between(before.end, after.end, s, i)
    m, n = _between(before.slope, after.slope, s, i), _between(before.end_slope, after.end_slope, s, i)
    way = sub(q, p)
    b = sub(sub(scale(3.0, way), scale(2.0, m)), n)
    a = sub(add(m, n), scale(2.0, way))
    here = add(p, scale(t, add(m, scale(t, add(b, scale(t, a))))))
    slope = add(m, scale(t, add(scale(2.0, b), scale(3.0 * t, a))))
    return here, slope, add(scale(2.0, b), scale(6.0 * t, a))


NO_CURVES = curves_through(())


def match_curves(before: Curves, after: Curves) -> Curves:
    """The curves of after as they were before; those that were not, or had another number of points, as they are."""
    found = [one.copy() for one in after[3:]]
    for j, key in enumerate(after.key):
        own = slice(after.first[j], after.first[j + 1])
        for k in np.flatnonzero(before.key == key)[:1]:
            was = slice(before.first[k], before.first[k + 1])
            if was.stop - was.start == own.stop - own.start:
                for to, of in zip(found, before[3:], strict=True):
                    to[own] = of[was]
    return Curves(after.first, after.closed, after.key, *found)


def chosen_curves(curves: Curves, which: Sequence[int]) -> Curves:
    """Some of them, in this order."""
    pieces = [np.arange(curves.first[j], curves.first[j + 1]) for j in which]
    every = np.concatenate(pieces) if pieces else np.zeros(0, dtype=np.int64)
    first = np.cumsum([0] + [len(one) for one in pieces])
    return Curves(first, curves.closed[which], recounted(curves.key[which]), *(one[every] for one in curves[3:]))


def joined_curves(parts: Sequence[Curves]) -> Curves:
    """Those of several one after the other."""
    pieces = np.cumsum([0] + [len(one.start) for one in parts])
    first = [one.first[:-1] + before for one, before in zip(parts, pieces, strict=False)]
    others = map(np.concatenate, zip(*(one[1:] for one in parts), strict=True))
    whole = Curves(np.concatenate([*first, pieces[-1:]]), *others)
    return whole._replace(key=recounted(whole.key))
