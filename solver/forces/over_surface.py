# SPDX-License-Identifier: GPL-3.0-or-later
"""On the surface of a mesh, what is nearest to a point that goes along it."""

from ..contact.mesh_tree import next_leaf, those_of
from ..contact.nearest import from_triangle, unit_or_z, weighted, weights_on_triangle
from ..contact.obstacles import ONE_SIDED, PLACE, ROTATION, SHARE, corners_at
from ..machine.jit import inlined, subroutine
from ..math.matrices import mat_t_vec
from ..math.memory import take3, take9
from ..math.vectors import ZERO, cross, dot, sub

#: What is nearest to a point on a mesh: the inside of a face, an edge between faces or at a rim, or a corner.
FACE, EDGE, CORNER = 0, 1, 2

#: Triangles that are crossed at most on the way over a surface; and how near to one by the cosine of an angle the
#: normal of a face is that of an edge, which then is as flat as the face.
_CROSSED, _FLAT = 16, 1.0 - 1e-12


@subroutine
def over_surface(obstacles, now, feature, side, j, x, near, hair):
    """The triangle of mesh j, and its side, that the point x is nearest to, on the way over the surface from the given
    one across its rim, and over what wider gaps than a hair (m) do not part; the given one where that is farther than
    `near` (m). Besides what is nearest there: inside of a face, edge or corner; and along which way the edge is, in the
    mesh's axes.

    To the surface is how far it is to any triangle that it touches where it is nearest, never farther than to one.
    """
    own = mat_t_vec(take9(now, j, ROTATION), sub(x, take3(now, j, PLACE)))
    kind, way = FACE, ZERO
    for _ in range(_CROSSED):
        a, b, c = corners_at(obstacles, now, j, feature)
        distance, n, weights = from_triangle(own, a, b, c, 1.0 * side)
        kind, way = _part_of(weights, a, b, c)
        if kind == FACE or distance > near:
            break
        foot = weighted(weights, a, b, c)
        found, which, is_flat = _nearer(obstacles, now, j, feature, own, foot, distance, n, hair)
        if is_flat:
            kind = FACE
        if found < 0:
            break
        feature, side = found, which
    return feature, side, kind, way


@inlined
def _part_of(weights, a, b, c):
    """What of a triangle a point with these shares of its corners is, and the edge's way."""
    u, v, w = weights
    if u > 0.0 and v > 0.0 and w > 0.0:
        return FACE, ZERO
    if u == 0.0 and v > 0.0 and w > 0.0:
        return EDGE, unit_or_z(sub(c, b))[0]
    if v == 0.0 and u > 0.0 and w > 0.0:
        return EDGE, unit_or_z(sub(c, a))[0]
    if w == 0.0 and u > 0.0 and v > 0.0:
        return EDGE, unit_or_z(sub(b, a))[0]
    return CORNER, ZERO


@subroutine
def _nearer(obstacles, now, j, feature, x, foot, distance, n, hair):
    """Of the triangles of mesh j that touch a foot (m, in its axes) at this distance (m) from x, along n, the one that
    is nearest to x, and its side, -1 where none is nearer than the given one; and whether any lies across n."""
    s, found, which, is_flat = now[j, SHARE], -1, 1, False
    low, high = (foot[0] - hair, foot[1] - hair, foot[2] - hair), (foot[0] + hair, foot[1] + hair, foot[2] + hair)
    root, leaves, one_sided = obstacles.tree[j, 0], obstacles.tree[j, 1], obstacles.traits[j, ONE_SIDED] != 0.0
    leaf = next_leaf(obstacles.boxes, root, leaves, low, high, s, s, -1)
    while leaf >= 0:
        begin, end = those_of(leaf, leaves, obstacles.first[j, 0], obstacles.first[j + 1, 0])
        for i in range(begin, end):
            f = obstacles.order[i]
            a, b, c = corners_at(obstacles, now, j, f)
            weights, _ = weights_on_triangle(foot, a, b, c)
            off = sub(weighted(weights, a, b, c), foot)
            if dot(off, off) > hair * hair:
                continue
            face, area = unit_or_z(cross(sub(b, a), sub(c, a)))
            above = dot(sub(x, a), face)
            if area == 0.0 or (one_sided and above < 0.0):
                continue
            looks = 1 if above >= 0.0 else -1
            if looks * dot(face, n) >= _FLAT:
                is_flat = True
            far, _, _ = from_triangle(x, a, b, c, 1.0 * looks)
            if f != feature and far < distance:
                found, which, distance = f, looks, far
        leaf = next_leaf(obstacles.boxes, root, leaves, low, high, s, s, leaf)
    return found, which, is_flat
