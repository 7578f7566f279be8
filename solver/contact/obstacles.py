# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders as kernels take them: at one end of a frame, and moving through it."""

import reprlib
import zlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..base.arrays import Floats1, Floats2, Floats3, Ints, Ints1, Ints2
from ..base.checks import must_be
from ..base.errors import SolverError
from ..machine.jit import inlined
from ..math.matrices import mat_t_vec, mat_vec
from ..math.memory import keep3, load3, take3, take9
from ..math.polynomials import cubic
from ..math.quaternions import quat_exp, quat_mat, quat_mul
from ..math.rates import right_jacobian
from ..math.vectors import ZERO, add, cross, dot, scale, sub
from ..world.collider import Collider
from ..world.collider_path import (
    BEND,
    BEND_END,
    BEND_START,
    FLOW,
    IS_KNOWN,
    MOTION,
    RATES_END,
    RATES_START,
    STANDS,
    TURNS_END,
    TURNS_START,
    largest_way,
    vertices_between,
    way_between,
)
from .mesh_tree import adjacent_of, fit, leaves_for, order_of, surround
from .nearest import (
    BALL,
    BOX,
    CAPSULE,
    MESH,
    NEAREST,
    PLANE,
    from_edge,
    from_face,
    from_solid,
    from_triangle,
    grown_at,
    unit_or_z,
    weighted,
)

_KINDS = {"plane": PLANE, "ball": BALL, "capsule": CAPSULE, "box": BOX, "mesh": MESH}

#: Columns of traits.
FRICTION, BOUNCE, MARGIN, ONE_SIDED, STICKINESS, TRAITS = 0, 1, 2, 3, 4, 5

#: Columns of where an obstacle is: position (3), rotation (9), velocity (3), angular velocity (3), share of the frame,
#: and size (3).
PLACE, ROTATION, VELOCITY, OMEGA, SHARE, SIZE, NOW = 0, 3, 12, 15, 18, 19, 22

#: A side, 1 or -1, times this and the number of one of its sides tells of a triangle that what has cut into the edge
#: there is led out over it.
WITHIN = 2


class Colliders(NamedTuple):
    """c colliders at one end of a frame.

    key (c,) by which they are known again; kind (c,), see nearest.py; pose (c, 7) position and quaternion
    anchor (c, 3) m, see Collider; size (c, 3); traits (c, 5); motion (c, 13), see collider_path.py; first (c + 1, 2):
    triangles and vertices of collider j are first[j] to first[j + 1]; vertices (v, 3) m in their colliders' axes, and
    flow (v, 6), see there; triangles (t, 3); order (t,) of those of each along a curve, as it was where the collider
    was first met, see mesh_tree.py; adjacent (t, 3): which other triangle has the side from corner i to the next one,
    counted from their collider's first, -1 for a rim
    """

    key: Ints1
    kind: Ints1
    pose: Floats2
    anchor: Floats2
    size: Floats2
    traits: Floats2
    motion: Floats2
    first: Ints2
    vertices: Floats2
    flow: Floats2
    triangles: Ints2
    order: Ints1
    adjacent: Ints2


def no_colliders() -> Colliders:
    """None."""
    return Colliders(
        np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros((0, 7)), np.zeros((0, 3)), np.zeros((0, 3)),
        np.zeros((0, TRAITS)), np.zeros((0, MOTION)),
        np.zeros((1, 2), dtype=np.int64), np.zeros((0, 3)), np.zeros((0, FLOW)), np.zeros((0, 3), dtype=np.int64),
        np.zeros(0, dtype=np.int64), np.zeros((0, 3), dtype=np.int64),
    )  # fmt: skip


NO_COLLIDERS = no_colliders()


def colliders_of(given: Sequence[Collider], before: Colliders = NO_COLLIDERS) -> Colliders:
    """Those of a sample, which were these before. Raises SolverError for what is no collider."""
    if not isinstance(given, list | tuple):
        raise SolverError(f"colliders must be a list of them, not {reprlib.repr(given)}")
    if not given:
        return NO_COLLIDERS
    for one in given:
        must_be(Collider, one)
    ones = [one.checked() for one in given]
    times: dict[str, int] = {}
    keys = []
    for one in ones:
        times[one.name] = times.get(one.name, 0) + 1
        keys.append(zlib.crc32(f"{times[one.name]} {one.name}".encode()))
    vertices = [np.asarray(one.vertices) for one in ones]
    triangles = [np.asarray(one.triangles) for one in ones]
    start = np.cumsum([0] + [len(one) for one in vertices])
    corners = [one + k for one, k in zip(triangles, start[:-1].tolist(), strict=True)]
    found = Colliders(
        np.array(keys, dtype=np.int64), np.array([_KINDS[one.kind] for one in ones]),
        np.array([[*np.asarray(one.position), *np.asarray(one.orientation)] for one in ones]),
        np.array([one.anchor for one in ones]),
        np.array([one.size for one in ones]),
        np.array([[one.friction, one.bounce, one.margin, float(one.one_sided), one.stickiness] for one in ones]),
        np.zeros((len(ones), MOTION)),
        np.stack([np.cumsum([0] + [len(one) for one in triangles]), start], axis=1), np.concatenate(vertices),
        np.zeros((int(start[-1]), FLOW)), np.concatenate(corners), NO_COLLIDERS.order, NO_COLLIDERS.adjacent,
    )  # fmt: skip
    order, adjacent = _order(found, before)
    return found._replace(order=order, adjacent=adjacent)


def _order(colliders: Colliders, before: Colliders) -> tuple[Ints, Ints]:
    """(t,) the order of the triangles of each, as it was before where that has as many: another one would do as well,
    but which points are found is not to hang on when a simulation has first met a mesh. And (t, 3) what is adjacent."""
    was = {key: j for j, key in enumerate(before.key.tolist())}
    orders, adjacent = [NO_COLLIDERS.order], [NO_COLLIDERS.adjacent]
    for j, key in enumerate(colliders.key.tolist()):
        first, last = colliders.first[j : j + 2, 0].tolist()
        if first == last:
            continue
        own = range(0)
        if key in was:
            own = range(*before.first[was[key] : was[key] + 2, 0].tolist())
        if len(own) == last - first:
            orders.append(before.order[own.start : own.stop] - own.start + first)
        else:
            orders.append(order_of(colliders.vertices, colliders.triangles[first:last]) + first)
        triangles, old = colliders.triangles[first:last], before.triangles[own.start : own.stop]
        if len(own) == last - first and np.array_equal(triangles - triangles.min(), old - old.min()):
            adjacent.append(before.adjacent[own.start : own.stop])
        else:
            adjacent.append(adjacent_of(triangles))
    return np.concatenate(orders), np.concatenate(adjacent)


class Obstacles(NamedTuple):
    """Colliders in a frame; fields as of Colliders, for its end, and:

    pose, was_size: at its beginning; shift (c, 3) m and turn (c, 3) rad, in its own axes then, through it; rates
    (c, 12): see collider_path.py; before, after (v, 3) m, and bends (v, 6), of none where no mesh deforms; tree (c, 2)
    root and leaves, boxes (nodes, 12), balls (t, 7): see mesh_tree.py
    fastest (c,): how far (m) a vertex would go in its collider's axes at its largest speed in the frame at most
    rate (1,): one over the frame's duration (1/s); now (plants, c, 22): where they are at present, for each plant
    """

    kind: Ints1
    pose: Floats2
    size: Floats2
    was_size: Floats2
    traits: Floats2
    shift: Floats2
    turn: Floats2
    rates: Floats2
    first: Ints2
    before: Floats2
    after: Floats2
    bends: Floats2
    triangles: Ints2
    order: Ints1
    adjacent: Ints2
    tree: Ints2
    boxes: Floats2
    balls: Floats2
    fastest: Floats1
    rate: Floats1
    now: Floats3

    def move(self) -> bool:
        """Whether any is on its way, so that it may add energy. By rounding what is turned seems to be."""
        ways = [self.shift, self.turn, self.size - self.was_size]
        if self.before is not self.after:
            ways.append(self.after - self.before)
        return bool((np.abs(np.concatenate(ways)) > STANDS).any())


def _trees(colliders: Colliders) -> Ints:
    """(c, 2) root and leaves of the trees of boxes."""
    tree, root = np.zeros((len(colliders.key), 2), dtype=np.int64), 0
    for j, triangles in enumerate(np.diff(colliders.first[:, 0]).tolist()):
        if triangles:
            tree[j] = root, leaves_for(triangles)
            root += 2 * int(tree[j, 1]) - 1
    return tree


def obstacles_between(before: Colliders, after: Colliders, duration: float, plants: int) -> Obstacles:
    """Those of the frame's end on their way. What was not there before stands where it is, and so do the vertices of a
    mesh that had others; what was of another kind goes as its anchor does."""
    c = len(after.key)
    pose, vertices, size, motion = after.pose.copy(), after.vertices, after.size.copy(), np.zeros((c, MOTION))
    if len(before.key):
        vertices = vertices.copy()
        was = {key: j for j, key in enumerate(before.key.tolist())}
        for j, key in enumerate(after.key.tolist()):
            if key not in was:
                continue
            motion[j] = before.motion[was[key]]
            if after.kind[j] != before.kind[was[key]]:
                pose[j, :3] -= after.anchor[j] - before.anchor[was[key]]
            else:
                pose[j], size[j] = before.pose[was[key]], before.size[was[key]]
                own, old = ((one.first[k, 1], one.first[k + 1, 1]) for one, k in ((after, j), (before, was[key])))
                if own[1] - own[0] == old[1] - old[0]:
                    vertices[slice(*own)] = before.vertices[slice(*old)]
                    after.flow[slice(*own)] = before.flow[slice(*old)]
    tree = _trees(after)
    boxes, balls = np.empty((int((2 * tree[:, 1] - 1)[tree[:, 1] > 0].sum()), 12)), np.empty((len(after.triangles), 7))
    fastest, bends = np.zeros(c), np.zeros((0 if np.array_equal(vertices, after.vertices) else len(vertices), BEND))
    for j in np.flatnonzero(tree[:, 1]).tolist():
        first, last = int(after.first[j, 0]), int(after.first[j + 1, 0])
        root, leaves = tree[j].tolist()
        corners = slice(*after.first[j : j + 2, 1].tolist())
        if len(bends):
            ends, is_known = (vertices[corners], after.vertices[corners]), bool(motion[j, IS_KNOWN] > 0.0)
            bends[corners], after.flow[corners] = vertices_between(*ends, after.flow[corners], is_known, duration)
            fastest[j] = largest_way(ends[1] - ends[0], bends[corners])
        else:
            after.flow[corners] = 0.0
        fit(vertices, after.vertices, bends, after.triangles, after.order, first, last, root, leaves, boxes)
        surround(vertices, after.vertices, bends, after.triangles, after.order, first, last, balls)
    shift, turn, rates, after.motion[:] = way_between(pose, after.pose, motion, duration)
    return Obstacles(
        after.kind, pose, after.size, size, after.traits, shift, turn, rates, after.first, vertices, after.vertices,
        bends, after.triangles, after.order, after.adjacent, tree, boxes, balls, fastest, np.full(1, 1.0 / duration),
        np.zeros((plants, c, NOW)),
    )  # fmt: skip


@inlined
def obstacles_at(obstacles, now, s):
    """Fill now (c, 19) with where the obstacles are at the share s of the frame."""
    duration, rates = 1.0 / obstacles.rate[0], obstacles.rates
    for j in range(len(obstacles.kind)):
        pose = obstacles.pose[j]
        start, place = (pose[3], pose[4], pose[5], pose[6]), (pose[0], pose[1], pose[2])
        ends = add(place, load3(obstacles.shift, j)), take3(rates, j, RATES_START), take3(rates, j, RATES_END)
        place, velocity = cubic(place, ends[0], ends[1], ends[2], s, duration)
        turns = take3(rates, j, TURNS_START), take3(rates, j, TURNS_END)
        phi, turning = cubic(ZERO, load3(obstacles.turn, j), turns[0], turns[1], s, duration)
        R = quat_mat(quat_mul(start, quat_exp(phi)))
        omega = mat_vec(R, right_jacobian(phi, turning))
        keep3(now, j, PLACE, place)
        keep3(now, j, VELOCITY, velocity)
        keep3(now, j, OMEGA, omega)
        for c in range(9):
            now[j, ROTATION + c] = R[c]
        now[j, SHARE] = s
        keep3(now, j, SIZE, add(load3(obstacles.was_size, j), scale(s, growth_of(obstacles, j))))


@inlined
def stand_still(obstacles):
    """Whether no obstacle moves in the frame, or grows."""
    still = True
    for j in range(len(obstacles.kind)):
        for c in range(3):
            still = still and abs(obstacles.shift[j, c]) < STANDS and abs(obstacles.turn[j, c]) < STANDS
            still = still and obstacles.size[j, c] == obstacles.was_size[j, c]
        still = still and obstacles.fastest[j] == 0.0
    return still


@inlined
def growth_of(obstacles, j):
    """By how much (m) the sizes of obstacle j grow in the frame."""
    return sub(load3(obstacles.size, j), load3(obstacles.was_size, j))


@inlined
def vertex_at(obstacles, now, j, i):
    """Where vertex i, of obstacle j, is at present (m, in the obstacle's axes)."""
    return vertex_then(obstacles, now[j, SHARE], i)


@inlined
def vertex_then(obstacles, s, i):
    """Where a vertex is at the share s of the frame."""
    x = add(scale(1.0 - s, load3(obstacles.before, i)), scale(s, load3(obstacles.after, i)))
    if len(obstacles.bends) > 0:
        start, end = take3(obstacles.bends, i, BEND_START), take3(obstacles.bends, i, BEND_END)
        x = add(x, scale(s * (1.0 - s), sub(scale(1.0 - s, start), scale(s, end))))
    return x


@inlined
def corners_at(obstacles, now, j, f):
    """Where the corners of triangle f, of obstacle j, are at present."""
    return (
        vertex_at(obstacles, now, j, obstacles.triangles[f, 0]),
        vertex_at(obstacles, now, j, obstacles.triangles[f, 1]),
        vertex_at(obstacles, now, j, obstacles.triangles[f, 2]),
    )  # fmt: skip


@inlined
def corner_beyond(obstacles, now, j, f, i):
    """Where the corner is at present (m) that the triangle beyond side i of triangle f, of mesh j, has for itself."""
    u, v = obstacles.triangles[f, i], obstacles.triangles[f, (i + 1) % 3]
    other, w = obstacles.first[j, 0] + obstacles.adjacent[f, i], u
    for corner in range(3):
        if obstacles.triangles[other, corner] != u and obstacles.triangles[other, corner] != v:
            w = obstacles.triangles[other, corner]
    return vertex_at(obstacles, now, j, w)


@inlined
def fold_at(obstacles, now, j, f, i):
    """Side i of triangle f of mesh j, which is adjacent to another one: from where to where it goes at present, the
    normal of f, and that of the other one, looking to the same side of the surface."""
    p = vertex_at(obstacles, now, j, obstacles.triangles[f, i])
    q = vertex_at(obstacles, now, j, obstacles.triangles[f, (i + 1) % 3])
    own = vertex_at(obstacles, now, j, obstacles.triangles[f, (i + 2) % 3])
    e, beyond = sub(q, p), corner_beyond(obstacles, now, j, f, i)
    return p, q, unit_or_z(cross(e, sub(own, p)))[0], unit_or_z(cross(sub(beyond, p), e))[0]


@inlined
def looks(side):
    """From which side, 1 or -1, a point that was on this one saw its triangle."""
    return 1 if side > 0 else -1


@inlined
def own_velocity(obstacles, s, i):
    """How fast vertex i moves in the obstacle's axes (m/s) at the share s of the frame."""
    step = sub(load3(obstacles.after, i), load3(obstacles.before, i))
    if len(obstacles.bends) > 0:
        start, end = take3(obstacles.bends, i, BEND_START), take3(obstacles.bends, i, BEND_END)
        step = add(step, add(scale((1.0 - s) * (1.0 - 3.0 * s), start), scale(s * (3.0 * s - 2.0), end)))
    return scale(obstacles.rate[0], step)


@inlined
def where(obstacles, now, feature, side, j, x):
    """Distance of a point x from an obstacle's feature seen from a side, normal, and velocity of the obstacle there, in
    world axes."""
    R, place = take9(now, j, ROTATION), take3(now, j, PLACE)
    out = sub(x, place)
    if obstacles.kind[j] == PLANE:  # what most points touch, and does not grow
        normal = (R[2], R[5], R[8])
        return dot(out, normal), normal, moves_at(now, j, sub(out, scale(dot(out, normal), normal)))
    own = mat_t_vec(R, out)
    velocity = ZERO
    if obstacles.kind[j] == MESH:
        v0, v1, v2 = (obstacles.triangles[feature, 0], obstacles.triangles[feature, 1], obstacles.triangles[feature, 2])
        a, b, c = vertex_at(obstacles, now, j, v0), vertex_at(obstacles, now, j, v1), vertex_at(obstacles, now, j, v2)
        distance, n, weights = from_triangle(own, a, b, c, 1.0 * side)
        if side < -1 or side > 1:
            edge = abs(side) - WITHIN
            p, q, face, other = fold_at(obstacles, now, j, feature, edge)
            distance, n, s = from_edge(own, p, q, scale(1.0 * looks(side), add(face, other)))
            shares = (1.0 - s, s, 0.0)
            weights = shares[(3 - edge) % 3], shares[(4 - edge) % 3], shares[(5 - edge) % 3]
        s = now[j, SHARE]
        at_corners = own_velocity(obstacles, s, v0), own_velocity(obstacles, s, v1), own_velocity(obstacles, s, v2)
        velocity = mat_vec(R, weighted(weights, at_corners[0], at_corners[1], at_corners[2]))
    else:
        size = take3(now, j, SIZE)
        distance, n = from_solid(obstacles.kind[j], size, own) if feature == NEAREST else from_face(size, own, feature)
        velocity = mat_vec(R, scale(obstacles.rate[0], grown_at(obstacles.kind[j], growth_of(obstacles, j), own, n)))
    normal = mat_vec(R, n)
    touched = sub(out, scale(distance, normal))
    return distance, normal, add(velocity, moves_at(now, j, touched))


@inlined
def moves_at(now, j, out):
    """Velocity (m/s) of obstacle j, did it not grow or bend, at a place (m) from its own."""
    return add(take3(now, j, VELOCITY), cross(take3(now, j, OMEGA), out))
