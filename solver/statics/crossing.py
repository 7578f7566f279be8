# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a step towards equilibrium has led through an obstacle, so that it may be long where there is room."""

import math

from ..contact.mesh_tree import next_leaf, those_of
from ..contact.nearest import BALL, BOX, CAPSULE, MESH, PLANE
from ..contact.obstacles import PLACE, ROTATION, SHARE, corners_at
from ..contact.past import is_left_alone
from ..contact.touch import ALONG, GAP, OBSTACLE, SLOTS
from ..forces.leaning import leans_too_deep
from ..machine.jit import inlined, subroutine
from ..math.matrices import mat_t_vec, mat_vec
from ..math.memory import keep3, load3, load9, take3, take9
from ..math.vectors import add, cross, dot, scale, sub

#: A point may come into a solid by this share of its least half width, where that is more than the shape's radius.
_SOLID = 0.25

#: Columns of corners: of each shape the two of its start and the two of its end, m, world axes.
CORNERS = 12


@inlined
def depth_of(obstacles, j, thin):
    """How deep (m) a point of a shape of this radius may come into obstacle j, from which it is still pushed out to
    where it came from."""
    x, y, z = load3(obstacles.size, j)
    kind, half = obstacles.kind[j], 0.0
    if kind == PLANE:
        return math.inf
    if kind in (BALL, CAPSULE):
        half = x
    elif kind == BOX:
        half = min(x, y, z)
    return max(thin, _SOLID * half)


@subroutine
def keep_corners(touching, work, corners):
    """Fill corners (k, 12) with where the shapes' are."""
    shapes = touching.shapes
    for k in range(len(corners)):
        i = shapes.body[k]
        B, at, side = load9(work.rotation, i), load3(work.position, i), load3(shapes.side, k)
        for end in range(2):
            tip = load3(shapes.end, k) if end == 1 else load3(shapes.start, k)
            keep3(corners, k, 6 * end, add(at, mat_vec(B, sub(tip, side))))
            keep3(corners, k, 6 * end + 3, add(at, mat_vec(B, add(tip, side))))


@subroutine
def has_gone_through(world, work, corners):
    """Whether a point is deeper than it may be, or a shape's corner, which was where corners (k, 12) say, has gone
    through a mesh."""
    touching = world.touching
    shapes, obstacles = touching.shapes, touching.obstacles
    if leans_too_deep(world):
        return True
    for near in range(touching.counts[0]):
        k = touching.near[near]
        thin = min(shapes.radius[k, 0], shapes.radius[k, 1])
        for p in range(SLOTS * k, SLOTS * k + SLOTS):
            j = touching.marks[p, OBSTACLE]
            if j < 0:
                break
            is_alone = is_left_alone(touching.left_alone, k, j, touching.numbers[p, ALONG])
            if not is_alone and touching.numbers[p, GAP] < -depth_of(obstacles, j, thin):
                return True
    for j in range(len(obstacles.kind)):
        if obstacles.kind[j] == MESH:
            for k in range(len(corners)):
                if not (touching.left_alone[k, 2 * j] or touching.left_alone[k, 2 * j + 1]):
                    i = shapes.body[k]
                    B, at, side = load9(work.rotation, i), load3(work.position, i), load3(shapes.side, k)
                    for corner in range(0, 4, 1 if dot(side, side) > 0.0 else 2):
                        tip = load3(shapes.end, k) if corner > 1 else load3(shapes.start, k)
                        tip = add(tip, scale(1.0 if corner & 1 else -1.0, side))
                        if _crosses(touching, j, take3(corners, k, 3 * corner), add(at, mat_vec(B, tip))):
                            return True
    return False


@subroutine
def _crosses(touching, j, before, after):
    """Whether the way (m, world axes) from one point to another leads through a triangle of mesh j."""
    obstacles = touching.obstacles
    R, place = take9(touching.now, j, ROTATION), take3(touching.now, j, PLACE)
    p, q, s = mat_t_vec(R, sub(before, place)), mat_t_vec(R, sub(after, place)), touching.now[j, SHARE]
    low = (min(p[0], q[0]), min(p[1], q[1]), min(p[2], q[2]))
    high = (max(p[0], q[0]), max(p[1], q[1]), max(p[2], q[2]))
    root, leaves = obstacles.tree[j, 0], obstacles.tree[j, 1]
    leaf = next_leaf(obstacles.boxes, root, leaves, low, high, s, s, -1)
    while leaf >= 0:
        begin, end = those_of(leaf, leaves, obstacles.first[j, 0], obstacles.first[j + 1, 0])
        for n in range(begin, end):
            a, b, c = corners_at(obstacles, touching.now, j, obstacles.order[n])
            if _meets(p, sub(q, p), a, b, c):
                return True
        leaf = next_leaf(obstacles.boxes, root, leaves, low, high, s, s, leaf)
    return False


@inlined
def _meets(p, way, a, b, c):
    """Whether a way from p goes through the triangle a b c (Moeller and Trumbore 1997)."""
    one, other, out = sub(b, a), sub(c, a), sub(p, a)
    across = cross(way, other)
    volume = dot(one, across)
    if volume == 0.0:
        return False
    u = dot(out, across) / volume
    round_about = cross(out, one)
    v, t = dot(way, round_about) / volume, dot(other, round_about) / volume
    return u >= 0.0 and v >= 0.0 and u + v <= 1.0 and 0.0 <= t <= 1.0
