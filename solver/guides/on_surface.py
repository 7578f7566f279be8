# SPDX-License-Identifier: GPL-3.0-or-later
"""The nearest point of a surface of curved triangles: cubic in the shares of their corners, with rims at right angles
to the normals at their ends (PN triangles: Vlachos, Peters, Boyd and Mitchell 2001).

It is first looked for among the flat triangles, and from there on the curved ones, across their sides.
"""

import math

from ..contact.mesh_tree import next_leaf, those_of
from ..contact.nearest import weighted, weights_on_triangle
from ..machine.jit import inlined, subroutine
from ..math.memory import load3
from ..math.vectors import add, cross, dot, scale, sub

#: Steps to the nearest point at most, sides that are crossed on the way at most, and when (m, of what the numbers are)
#: it has been found.
_MOST_STEPS, _MOST_CROSSED, _FOUND = 60, 16, 1e-15

#: A side is met at once within this share of a step.
_AT_ONCE = 1e-12

#: Of the second derivative of the distance this share of its part without curvature is taken at least.
_LEAST_BEND = 0.25

#: Across a side the surface goes on where the cosine of the angle between its normals is larger: for what moves, which
#: is on it but for rounding, and for what rests, which is as far off as it holds with.
MOVES, RESTS = 0.98, 1.0 - 1e-8

#: What is nearest: the inside of a triangle, a side that joins none or is a sharp ridge, or a corner of such sides.
INSIDE, ON_SIDE, AT_CORNER = 0, 1, 2


@inlined
def _place(before, after, s, i):
    """Where vertex i is at the share s from one shape to the other."""
    return add(scale(1.0 - s, load3(before.vertices, i)), scale(s, load3(after.vertices, i)))


@inlined
def _corner(before, after, s, f, k):
    """Place and normal of corner k of triangle f at the share s from one shape to the other."""
    place = _place(before, after, s, after.triangles[f, k])
    n = add(scale(1.0 - s, load3(before.normals, 3 * f + k)), scale(s, load3(after.normals, 3 * f + k)))
    return place, scale(1.0 / math.sqrt(max(dot(n, n), 1e-300)), n)


@inlined
def _beside_corner(p, n, q):
    """The point of a rim's control net beside its corner p, with normal n, on the way to q."""
    way = sub(q, p)
    return add(p, scale(1.0 / 3.0, sub(way, scale(dot(way, n), n))))


@subroutine
def _net(before, after, s, f):
    """The control net of the curved triangle f: three corners, six points of rims from them, the middle."""
    a, na = _corner(before, after, s, f, 0)
    b, nb = _corner(before, after, s, f, 1)
    c, nc = _corner(before, after, s, f, 2)
    ab, ba = _beside_corner(a, na, b), _beside_corner(b, nb, a)
    bc, cb = _beside_corner(b, nb, c), _beside_corner(c, nc, b)
    ca, ac = _beside_corner(c, nc, a), _beside_corner(a, na, c)
    rims, corners = add(add(add(ab, ba), add(bc, cb)), add(ca, ac)), add(a, add(b, c))
    middle = sub(scale(0.25, rims), scale(1.0 / 6.0, corners))
    return a, b, c, ab, ba, bc, cb, ca, ac, middle


@subroutine
def _at(net, u, v):
    """Point (m) of a curved triangle at the shares u and v of its first two corners, with its derivatives by u, by v,
    and twice by u, by both, and twice by v."""
    a, b, c, ab, ba, bc, cb, ca, ac, middle = net
    w = (u, v, 1.0 - u - v)
    aa, bb, cc = weighted(w, a, ab, ac), weighted(w, ba, b, bc), weighted(w, ca, cb, c)
    one, two, three = weighted(w, ab, ba, middle), weighted(w, middle, bc, cb), weighted(w, ac, middle, ca)
    at_a, at_b, at_c = weighted(w, aa, one, three), weighted(w, one, bb, two), weighted(w, three, two, cc)
    here, su, sv = weighted(w, at_a, at_b, at_c), scale(3.0, sub(at_a, at_c)), scale(3.0, sub(at_b, at_c))
    suu = scale(6.0, add(sub(aa, scale(2.0, three)), cc))
    suv = scale(6.0, add(sub(one, add(three, two)), cc))
    svv = scale(6.0, add(sub(bb, scale(2.0, two)), cc))
    return here, su, sv, suu, suv, svv


@inlined
def _box_far(boxes, node, s, x):
    """The squared distance (m2) of a point from a node's box at the share s of the frame."""
    far = 0.0
    for k in range(3):
        low = boxes[node, k] + s * (boxes[node, k + 6] - boxes[node, k])
        high = boxes[node, k + 3] + s * (boxes[node, k + 9] - boxes[node, k + 3])
        off = max(0.0, max(low - x[k], x[k] - high))
        far += off * off
    return far


@inlined
def _likely_leaf(boxes, root, leaves, s, x):
    """The leaf to which the nearer child leads from each node."""
    i = 0
    while i < leaves - 1:
        i = 2 * i + 1
        if _box_far(boxes, root + i + 1, s, x) < _box_far(boxes, root + i, s, x):
            i += 1
    return i


@subroutine
def _nearest_of_leaf(before, after, s, c, leaf, x):
    """Of a leaf's triangles the one that is nearest to x as if it were flat, the shares of its first two corners, and
    the squared distance (m2)."""
    f, u, v, least = after.first[c, 0], 1.0, 0.0, math.inf
    begin, end = those_of(leaf, after.tree[c, 1], after.first[c, 0], after.first[c + 1, 0])
    for j in range(begin, end):
        at = after.order[j]
        a, b, d = (
            _place(before, after, s, after.triangles[at, 0]), _place(before, after, s, after.triangles[at, 1]),
            _place(before, after, s, after.triangles[at, 2]),
        )  # fmt: skip
        weights, _ = weights_on_triangle(x, a, b, d)
        off = sub(x, weighted(weights, a, b, d))
        if dot(off, off) < least:
            f, u, v, least = at, weights[0], weights[1], dot(off, off)
    return f, u, v, least


@subroutine
def _nearest_flat(before, after, s, c, x):
    """The triangle of surface c that is nearest to x as if it were flat, and the shares of its first two corners."""
    root, leaves = after.tree[c, 0], after.tree[c, 1]
    f, u, v, least = _nearest_of_leaf(before, after, s, c, _likely_leaf(after.boxes, root, leaves, s, x), x)
    leaf = -1
    while True:
        r = math.sqrt(least)
        low, high = (x[0] - r, x[1] - r, x[2] - r), (x[0] + r, x[1] + r, x[2] + r)
        leaf = next_leaf(after.boxes, root, leaves, low, high, s, s, leaf)
        if leaf < 0:
            break
        its_f, its_u, its_v, far = _nearest_of_leaf(before, after, s, c, leaf, x)
        if far < least:
            f, u, v, least = its_f, its_u, its_v, far
    return f, u, v


@inlined
def _way_of_side(side):
    """How the shares u and v change along a side of a triangle, from its corner to the next."""
    if side == 0:
        return -1.0, 1.0
    if side == 1:
        return 0.0, -1.0
    return 1.0, 0.0


@inlined
def _on_side(side, t):
    """The shares u and v at t from 0 to 1 along a side."""
    if side == 0:
        return 1.0 - t, t
    if side == 1:
        return 0.0, 1.0 - t
    return t, 0.0


@inlined
def _along_side(side, u, v):
    """How far along a side, from 0 to 1."""
    if side == 0:
        return v
    if side == 1:
        return 1.0 - v
    return u


@inlined
def _step_inside(r, su, sv, suu, suv, svv):
    """Newton's step in u and v to where r, from x to the point, is at right angles to the surface."""
    g, h = dot(r, su), dot(r, sv)
    E, F, G = dot(su, su), dot(su, sv), dot(sv, sv)
    e, f, k = E + dot(r, suu), F + dot(r, suv), G + dot(r, svv)
    if not (e > _LEAST_BEND * E and e * k - f * f > _LEAST_BEND * _LEAST_BEND * (E * G - F * F)):
        e, f, k = E, F, G
    area = max(e * k - f * f, 1e-300)
    return (f * h - k * g) / area, (f * g - e * h) / area


@inlined
def _to_rim(u, v, du, dv):
    """The share of a step at which the first side is met, at most 1, and that side, -1 for none."""
    share, side = 1.0, -1
    if v + dv < 0.0 and v <= -share * dv:
        share, side = v / -dv, 2
    if u + du < 0.0 and u <= -share * du:
        share, side = u / -du, 1
    w, dw = 1.0 - u - v, -du - dv
    if w + dw < 0.0 and max(w, 0.0) <= -share * dw:
        share, side = max(w, 0.0) / -dw, 0
    return share, side


@inlined
def _across_side(there, t):
    """The triangle that joins a side, which of its sides that is, and how far along it what is at t of the other."""
    return there // 6, there % 6 // 2, t if there % 2 == 1 else 1.0 - t


@inlined
def _next_rim(beside, f, side, t):
    """The other side without a triangle beside it at the end t, 0 or 1, of such a side, and where along it that is."""
    for _ in range(_MOST_CROSSED):
        side, t = ((side + 1) % 3, 0.0) if t > 0.5 else ((side + 2) % 3, 1.0)
        there = beside[f, side]
        if there < 0:
            break
        f, side, t = _across_side(there, t)
    return f, side, t


@inlined
def _along(side, su, sv, suu, suv, svv):
    """First and second derivative along a side."""
    du, dv = _way_of_side(side)
    bend = add(add(scale(du * du, suu), scale(2.0 * du * dv, suv)), scale(dv * dv, svv))
    return add(scale(du, su), scale(dv, sv)), bend


@inlined
def _leads_inside(side, r, su, sv):
    """Whether what is at a side comes nearer on the way to the triangle's inside."""
    du, dv = _way_of_side((side + 1) % 3)
    back_u, back_v = _way_of_side((side + 2) % 3)
    return dot(r, add(scale(du - back_u, su), scale(dv - back_v, sv))) < 0.0


@subroutine
def _foot(before, after, s, c, x):
    """The triangle of surface c whose curved one has the point that is nearest to x, the shares of its first two
    corners there, and the side on which that is, -1 for the inside."""
    f, u, v = _nearest_flat(before, after, s, c, x)
    net = _net(before, after, s, f)
    bound, came, crossed, turned = -1, -1, 0, False
    for _ in range(_MOST_STEPS):
        here, su, sv, suu, suv, svv = _at(net, u, v)
        r = sub(here, x)
        found = _FOUND * (math.sqrt(dot(x, x)) + math.sqrt(dot(su, su)) + math.sqrt(dot(sv, sv)))
        if bound < 0:
            du, dv = _step_inside(r, su, sv, suu, suv, svv)
            share, side = _to_rim(u, v, du, dv)
            u, v = max(u + share * du, 0.0), max(v + share * dv, 0.0)
            if side < 0:
                came = -1
                if abs(du) * math.sqrt(dot(su, su)) + abs(dv) * math.sqrt(dot(sv, sv)) < found:
                    break
                continue
            t = min(_along_side(side, u, v), 1.0)
            there = after.beside[f, side]
            if there < 0 or crossed == _MOST_CROSSED or (side == came and share < _AT_ONCE):
                u, v = _on_side(side, t)
                bound = side
                continue
            f, came, t = _across_side(there, t)
            u, v = _on_side(came, t)
            net = _net(before, after, s, f)
            crossed += 1
        else:
            slope, bend = _along(bound, su, sv, suu, suv, svv)
            speed2, t = dot(slope, slope), _along_side(bound, u, v)
            to = t - dot(r, slope) / max(speed2 + dot(r, bend), _LEAST_BEND * speed2)
            if (to < 0.0 and t == 0.0) or (to > 1.0 and t == 1.0):
                if turned or after.beside[f, bound] >= 0:
                    break
                f, bound, t = _next_rim(after.beside, f, bound, t)
                u, v = _on_side(bound, t)
                net, turned = _net(before, after, s, f), True
                continue
            turned = False
            to = min(max(to, 0.0), 1.0)
            u, v = _on_side(bound, to)
            if abs(to - t) * math.sqrt(speed2) < found:
                if crossed == _MOST_CROSSED or not _leads_inside(bound, r, su, sv):
                    break
                bound, came, crossed = -1, -1, _MOST_CROSSED
    return f, u, v, bound


@inlined
def _is_flat(before, after, s, f, side, t, n, flat):
    """Whether the surface goes on across a side at t, where its normal is n: what is nearest there is nearly so beside
    it, and rounding decides."""
    there = after.beside[f, side]
    if there < 0:
        return False
    f, side, t = _across_side(there, t)
    u, v = _on_side(side, t)
    _, su, sv, _, _, _ = _at(_net(before, after, s, f), u, v)
    other = cross(su, sv)
    return abs(dot(n, other)) > flat * math.sqrt(dot(n, n) * dot(other, other))


@subroutine
def nearest_on_surface(before, after, s, c, x, flat):
    """The point of surface c nearest to x (m), at the share s of the way from one shape to the other; flat: MOVES or
    RESTS.

    Returns it, what is nearest, the unit normal there and how the surface bends towards it: a symmetric matrix (1/m)
    of directions along it. On a side its unit tangent instead of the normal, and the way it bends (1/m) as the first
    three of the matrix. And the triangle, with the shares of its first two corners.
    """
    f, u, v, bound = _foot(before, after, s, c, x)
    here, su, sv, suu, suv, svv = _at(_net(before, after, s, f), u, v)
    if bound >= 0 and not _is_flat(before, after, s, f, bound, _along_side(bound, u, v), cross(su, sv), flat):
        slope, bend = _along(bound, su, sv, suu, suv, svv)
        speed2, t = dot(slope, slope), _along_side(bound, u, v)
        tangent = scale(1.0 / math.sqrt(max(speed2, 1e-300)), slope)
        k = scale(1.0 / max(speed2, 1e-300), sub(bend, scale(dot(bend, tangent), tangent)))
        what = AT_CORNER if t == 0.0 or t == 1.0 else ON_SIDE
        return here, what, tangent, (k[0], k[1], k[2], 0.0, 0.0, 0.0), f, u, v
    n = cross(su, sv)
    area2 = max(dot(n, n), 1e-300)
    n = scale(1.0 / math.sqrt(area2), n)
    # The vectors that are 1 along one derivative and 0 along the other.
    E, F, G = dot(su, su), dot(su, sv), dot(sv, sv)
    p = scale(1.0 / area2, sub(scale(G, su), scale(F, sv)))
    q = scale(1.0 / area2, sub(scale(E, sv), scale(F, su)))
    bends = (
        _bend(p, q, n, suu, suv, svv, 0, 0), _bend(p, q, n, suu, suv, svv, 0, 1), _bend(p, q, n, suu, suv, svv, 0, 2),
        _bend(p, q, n, suu, suv, svv, 1, 1), _bend(p, q, n, suu, suv, svv, 1, 2), _bend(p, q, n, suu, suv, svv, 2, 2),
    )  # fmt: skip
    return here, INSIDE, n, bends, f, u, v


@inlined
def _bend(p, q, n, suu, suv, svv, i, j):
    """An element of the second fundamental form in world axes."""
    return dot(n, suu) * p[i] * p[j] + dot(n, suv) * (p[i] * q[j] + q[i] * p[j]) + dot(n, svv) * q[i] * q[j]


@inlined
def way_of_surface(before, after, f, u, v):
    """How far (m) the point of triangle f at shares of its corners goes from one shape of a surface to the other."""
    start, _, _, _, _, _ = _at(_net(before, after, 0.0, f), u, v)
    end, _, _, _, _, _ = _at(_net(before, after, 1.0, f), u, v)
    return sub(end, start)
