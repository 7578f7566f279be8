# SPDX-License-Identifier: GPL-3.0-or-later
"""How far points are from colliders, in the colliders' own axes: distance (m), negative inside, and outward normal."""

import math

from ..machine.jit import inlined, subroutine
from ..math.vectors import add, cross, dot, scale, sub

#: Kinds of colliders: below z = 0; within size[0] of the origin; within size[0] of the y axis up to size[1] from the
#: origin; |x| up to size along each axis; triangles.
PLANE, BALL, CAPSULE, BOX, MESH = 0, 1, 2, 3, 4

#: Vectors shorter than this (m) have no direction.
_TINY = 1e-30

#: Two that are long and thin may cross and leave each other by their ends in a step in which one goes farther against
#: the other than both are thick, and than this share of the shorter one's length.
_OF_LENGTH = 0.25

#: Of two rods where they crossed is known: the share of the step to one over two to the power of this.
_HALVINGS = 24


@inlined
def unit_or_z(v):
    """Unit vector and length of v; z where it has no direction."""
    length = math.sqrt(dot(v, v))
    if length < _TINY:
        return (0.0, 0.0, 1.0), 0.0
    return scale(1.0 / length, v), length


#: What is touched of a box is where it is nearest, or one of its faces by its number.
NEAREST = 0


@inlined
def from_solid(kind, size, x):
    """Distance of the point x from a plane, ball, capsule or box, and its normal there."""
    if kind == PLANE:
        return x[2], (0.0, 0.0, 1.0)
    if kind == BALL:
        n, length = unit_or_z(x)
        return length - size[0], n
    if kind == CAPSULE:
        along = min(max(x[1], -size[1]), size[1])
        n, length = unit_or_z((x[0], x[1] - along, x[2]))
        return length - size[0], n
    return _from_box(size, x)


@inlined
def _from_box(size, x):
    q = (abs(x[0]) - size[0], abs(x[1]) - size[1], abs(x[2]) - size[2])
    sides = (1.0 if x[0] >= 0.0 else -1.0, 1.0 if x[1] >= 0.0 else -1.0, 1.0 if x[2] >= 0.0 else -1.0)
    if q[0] <= 0.0 and q[1] <= 0.0 and q[2] <= 0.0:  # inside: the nearest face
        if q[0] >= q[1] and q[0] >= q[2]:
            return q[0], (sides[0], 0.0, 0.0)
        if q[1] >= q[2]:
            return q[1], (0.0, sides[1], 0.0)
        return q[2], (0.0, 0.0, sides[2])
    out = (max(q[0], 0.0) * sides[0], max(q[1], 0.0) * sides[1], max(q[2], 0.0) * sides[2])
    n, length = unit_or_z(out)
    return length, n


@inlined
def face_against(n):
    """The number of a box's face that is opposite to the one with this normal: 1 to 3, by its axis, or less than 0."""
    return -int(n[0] + 2.0 * n[1] + 3.0 * n[2])


@inlined
def from_face(size, x, face):
    """Distance of the point x from a face of a box, negative behind it, and its normal."""
    axis, side = abs(face) - 1, 1.0 if face > 0 else -1.0
    n = (side if axis == 0 else 0.0, side if axis == 1 else 0.0, side if axis == 2 else 0.0)
    return side * x[axis] - size[axis], n


@inlined
def grown_at(kind, growth, x, n):
    """How far (m) what touches x goes, where the normal is n, as a solid's sizes grow by so much."""
    if kind in (BALL, CAPSULE):
        along = growth[1] if kind == CAPSULE else 0.0
        end = 1.0 if x[1] > 0.0 else -1.0
        return (growth[0] * n[0], growth[0] * n[1] + end * along * abs(n[1]), growth[0] * n[2])
    if kind == BOX:
        return (growth[0] * n[0], growth[1] * n[1], growth[2] * n[2])
    return (0.0, 0.0, 0.0)


@inlined
def weights_on_triangle(x, a, b, c):
    """Shares of the corners in the point of the triangle a b c that is nearest to x, and whether it is not on the rim.

    By the regions of its corners and sides (Ericson 2005, Real-Time Collision Detection, 5.1.5).
    """
    ab, ac, ax = sub(b, a), sub(c, a), sub(x, a)
    d1, d2 = dot(ab, ax), dot(ac, ax)
    if d1 <= 0.0 and d2 <= 0.0:
        return (1.0, 0.0, 0.0), False
    bx = sub(x, b)
    d3, d4 = dot(ab, bx), dot(ac, bx)
    if d3 >= 0.0 and d4 <= d3:
        return (0.0, 1.0, 0.0), False
    vc = d1 * d4 - d3 * d2
    if vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        share = d1 / max(d1 - d3, _TINY)
        return (1.0 - share, share, 0.0), False
    cx = sub(x, c)
    d5, d6 = dot(ab, cx), dot(ac, cx)
    if d6 >= 0.0 and d5 <= d6:
        return (0.0, 0.0, 1.0), False
    vb = d5 * d2 - d1 * d6
    if vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        share = d2 / max(d2 - d6, _TINY)
        return (1.0 - share, 0.0, share), False
    va = d3 * d6 - d5 * d4
    if va <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        share = (d4 - d3) / max(d4 - d3 + d5 - d6, _TINY)
        return (0.0, 1.0 - share, share), False
    total = va + vb + vc
    if total <= _TINY:
        return (1.0, 0.0, 0.0), False
    return (va / total, vb / total, vc / total), True


@inlined
def weighted(weights, a, b, c):
    """The sum of three vectors with these weights."""
    return add(scale(weights[0], a), add(scale(weights[1], b), scale(weights[2], c)))


@inlined
def from_triangle(x, a, b, c, side):
    """Distance of x from the triangle a b c seen from one side of it (1 or -1), its normal there, and the shares of
    the corners in the nearest point.

    Over the face that is the distance from its plane, negative behind it; beyond the rim that from the rim.
    """
    n, area = unit_or_z(cross(sub(b, a), sub(c, a)))
    if area == 0.0:
        return side * dot(sub(x, a), n), scale(side, n), weights_on_triangle(x, a, b, c)[0]
    return from_flat(x, a, b, c, n, side)


@inlined
def from_flat(x, a, b, c, n, side):
    """The same of one that has an area, and of which the normal n is known."""
    weights, inside = weights_on_triangle(x, a, b, c)
    if inside:
        return side * dot(sub(x, a), n), scale(side, n), weights
    away, length = unit_or_z(sub(x, weighted(weights, a, b, c)))
    if length == 0.0:
        return 0.0, scale(side, n), weights
    return length, away, weights


@inlined
def from_edge(x, p, q, out):
    """Distance of x from the edge p q, the normal there, and where on the edge that is, as share; out: which way leads
    out over the edge. What is on the other side of it has come in over it: its distance is negative, and the normal
    leads out."""
    e = sub(q, p)
    s = min(max(dot(sub(x, p), e) / max(dot(e, e), _TINY), 0.0), 1.0)
    away, length = unit_or_z(sub(x, add(p, scale(s, e))))
    if length == 0.0:
        return 0.0, unit_or_z(out)[0], s
    side = 1.0 if dot(away, out) >= 0.0 else -1.0
    return side * length, scale(side, away), s


@inlined
def along_segment(p, d, a, e):
    """The share s in [0, 1] of the segment p + s d that is nearest to the segment a + t e.

    Closed form (Ericson 2005, 5.1.9); of parallel ones the middle of where both run side by side.
    """
    r = sub(p, a)
    dd, ee, de, dr, er = dot(d, d), dot(e, e), dot(d, e), dot(d, r), dot(e, r)
    if dd <= _TINY:
        return 0.0
    if ee <= _TINY:
        return min(max(-dr / dd, 0.0), 1.0)
    determinant = dd * ee - de * de
    if determinant <= 1e-12 * dd * ee:
        first, second = -dr / dd, (de - dr) / dd
        low, high = max(min(first, second), 0.0), min(max(first, second), 1.0)
        return min(max(0.5 * (low + high), 0.0), 1.0)
    s = min(max((de * er - dr * ee) / determinant, 0.0), 1.0)
    t = (de * s + er) / ee
    if t < 0.0:
        s = -dr / dd
    elif t > 1.0:
        s = (de - dr) / dd
    return min(max(s, 0.0), 1.0)


@inlined
def segments_apart(p, d, a, e):
    """How far apart (m) the segments p + s d and a + t e are."""
    out, ee = sub(add(p, scale(along_segment(p, d, a, e), d)), a), dot(e, e)
    t = min(max(dot(out, e) / ee, 0.0), 1.0) if ee > 0.0 else 0.0
    off = sub(out, scale(t, e))
    return math.sqrt(dot(off, off))


@inlined
def flats_apart(p, d, side, a, e, width):
    """At least how far apart (m) two flat shapes are that start at p and a, go along d and e and reach as far as side
    and width to both sides: along the way between their middles, or along the normal of either."""
    out = sub(add(p, scale(0.5, d)), add(a, scale(0.5, e)))
    over, under = cross(d, side), cross(e, width)
    apart = max(_apart_along(out, out, d, side, e, width), _apart_along(over, out, d, side, e, width))
    return max(0.0, apart, _apart_along(under, out, d, side, e, width))


@inlined
def _apart_along(axis, out, d, side, e, width):
    """The same seen along an axis, 0 where that has no direction."""
    size = math.sqrt(dot(axis, axis))
    both = 0.5 * (abs(dot(axis, d)) + abs(dot(axis, e))) + abs(dot(axis, side)) + abs(dot(axis, width))
    return (abs(dot(axis, out)) - both) / size if size > _TINY else 0.0


@inlined
def are_far_apart(one, other, reach, way, deep):
    """Whether two shapes, see shape_at, are farther apart than they reach (m), or could have gone through each other on
    their way (m), or be pressed in behind the faces of solids, which nothing was deeper (m) before."""
    solid = min(2.0 * math.sqrt(max(dot(one[6], one[6]), dot(other[6], other[6]))), deep + way)
    a, b = add(one[0], one[1]), add(other[0], other[1])
    return flats_apart(a, one[2], one[3], b, other[2], other[3]) > max(reach, way, solid)


@inlined
def is_solid(one, other):
    """Whether one of two shapes is a face of something solid."""
    return dot(one[6], one[6]) + dot(other[6], other[6]) > 0.0


@inlined
def may_pass(one, other, thick, way):
    """Whether two shapes, together so thick (m), go so far (m) past each other in the step that they may have met where
    neither is near the other one at its end. Of rods that is known, see crossing; and what is behind a face of
    something solid is known to have come through."""
    has_strip = dot(one[3], one[3]) + dot(other[3], other[3]) > 0.0
    if way <= thick or not has_strip or is_solid(one, other):
        return False
    shorter = min(_length_of(one), _length_of(other))
    return shorter > thick and way > _OF_LENGTH * shorter


@subroutine
def crossing(a, d, b, e, gone_a, gone_d, gone_b, gone_e):
    """Whether two segments, from a and b by d and e, which have gone so far on their way, went through each other, and
    at which share of each."""
    low, high = 0.0, 1.0
    side = _side_of(a, d, b, e)
    if side * _side_of(sub(a, gone_a), sub(d, gone_d), sub(b, gone_b), sub(e, gone_e)) >= 0.0:
        return False, 0.0, 0.0
    for _ in range(_HALVINGS):
        back = 0.5 * (low + high)  # from the end
        there = sub(a, scale(back, gone_a)), sub(d, scale(back, gone_d))
        other = sub(b, scale(back, gone_b)), sub(e, scale(back, gone_e))
        if side * _side_of(there[0], there[1], other[0], other[1]) > 0.0:
            low = back
        else:
            high = back
    apart = sub(sub(b, scale(low, gone_b)), sub(a, scale(low, gone_a)))
    d, e = sub(d, scale(low, gone_d)), sub(e, scale(low, gone_e))
    n = cross(d, e)
    size = dot(n, n)
    if size == 0.0:
        return False, 0.0, 0.0
    t, u = dot(cross(apart, e), n) / size, dot(cross(apart, d), n) / size
    return 0.0 <= t <= 1.0 and 0.0 <= u <= 1.0, t, u


@inlined
def _side_of(a, d, b, e):
    """On which side, by its sign, a segment from b by e is of one from a by d."""
    return dot(cross(d, e), sub(b, a))


@inlined
def _length_of(shape):
    """How long or wide (m) a shape is, whichever is more."""
    return math.sqrt(max(dot(shape[2], shape[2]), 4.0 * dot(shape[3], shape[3])))
