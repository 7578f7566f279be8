# SPDX-License-Identifier: GPL-3.0-or-later
"""Which points of which shapes may touch which obstacles in a step, found where the step is predicted to end."""

import math

from ..data import columns as col
from ..data.lanes import get3, get9
from ..machine.jit import inlined, subroutine
from ..math.matrices import mat_t_vec, mat_vec
from ..math.memory import load3, load9, take3, take9
from ..math.vectors import ZERO, add, cross, dot, scale, sub
from .clearance import GONE, distance_from, note_leap, room_to, thickness_of, travel_on
from .nearest import BOX, CAPSULE, MESH, NEAREST, PLANE, face_against, from_face, from_solid
from .obstacles import MARGIN, OMEGA, PLACE, ROTATION, SIZE, moves_at
from .on_mesh import on_mesh
from .pairs import RADII, WAYS
from .past import LAST_NORMAL, clear, let_parted_touch, remember, touched_before
from .points import END, END_OF_RADIUS, FACING, at_share, facing, forget, is_between, offer_one
from .touch import FREE, OBSTACLE, SAME, SLOTS

#: What is inside of a box is seen from where it has been touched if the nearest face looks the other way than this.
_AGAINST = -0.5

#: And on planes from this share of its radius earlier, so that it has the same points until the plant has gone so far.
SPARE = 0.1


@inlined
def _on_plane(touching, k, j, n, start, d, side, reach):
    """Offer the corners of a shape that are near a plane with a normal n; start (m): from the plane's place."""
    radius, margin = touching.shapes.radius, touching.obstacles.traits[j, MARGIN]
    low, rises, aslant = dot(start, n), dot(d, n), dot(side, n)
    sides = 2 if dot(side, side) > 0.0 else 1
    for end in range(2 if dot(d, d) > 0.0 else 1):
        for edge in range(sides):
            t, s = 1.0 * end, 2.0 * edge - 1.0 if sides == 2 else 0.0
            gap = low + (t * rises + s * aslant) - radius[k, end] - margin
            if gap < reach:
                offer_one(touching.marks, touching.numbers, k, j, 0, 1, t, s, gap, n)


@inlined
def _seen_from(kind, size, x, before):
    """Distance of a point x from a solid, its normal, and the face of a box that is touched. before: the normal along
    which the box has been touched, if it has: from there it is seen, however deep the shape has been pressed in, or a
    thin one that is pressed through would be held between both of its faces."""
    distance, n = from_solid(kind, size, x)
    face = NEAREST
    if kind == BOX and distance < 0.0 and dot(n, before) < _AGAINST:
        face = face_against(n)
        distance, n = from_face(size, x, face)
    return distance, n, face


@subroutine
def _on_solid(touching, k, j, start, d, side, r0, r1, reach, overlaps):
    """Offer the points of a shape, in the obstacle's axes, that are near a solid, but a plane: corners, and the nearest
    of all; overlaps: and of one that may be left alone the middle of what is inside."""
    obstacles = touching.obstacles
    kind, size, margin = obstacles.kind[j], take3(touching.now, j, SIZE), obstacles.traits[j, MARGIN]
    R = take9(touching.now, j, ROTATION)
    is_known = kind == BOX and not overlaps
    before = mat_t_vec(R, touched_before(touching, k, j)[LAST_NORMAL]) if is_known else ZERO
    sides = 2 if dot(side, side) > 0.0 else 1
    for end in range(2 if dot(d, d) > 0.0 else 1):
        for edge in range(sides):
            t, s = 1.0 * end, 2.0 * edge - 1.0 if sides == 2 else 0.0
            distance, n, face = _seen_from(kind, size, at_share(start, d, side, t, s), before)
            gap = distance - (r0 if end == 0 else r1) - margin
            if gap < reach:
                offer_one(touching.marks, touching.numbers, k, j, face, 1, t, s, gap, mat_vec(R, n))
    if kind == BOX:
        for edge in range(12):
            corner, way = _edge_of(size, edge)
            _offer_facing(touching, k, j, start, d, side, r0, r1, reach, corner, way, before)
        enters, leaves = _within_box(size, start, d) if overlaps else (1.0, 0.0)
        if enters < leaves:  # through its faces, and far from its edges maybe
            t = 0.5 * (enters + leaves)
            distance, n = from_solid(kind, size, at_share(start, d, side, t, 0.0))
            gap = distance - (r0 + t * (r1 - r0)) - margin
            offer_one(touching.marks, touching.numbers, k, j, NEAREST, 1, t, 0.0, gap, mat_vec(R, n))
        return
    half = size[1] if kind == CAPSULE else 0.0
    way = (0.0, 2.0 * half, 0.0)
    _offer_facing(touching, k, j, start, d, side, r0, r1, reach, (0.0, -half, 0.0), way, before)


@inlined
def _edge_of(size, edge):
    """Corner and way of one of the 12 edges of a box of half sizes."""
    sx, sy, sz = size
    u, w = 2.0 * (edge & 1) - 1.0, 1.0 * (edge & 2) - 1.0
    if edge < 4:
        return (-sx, u * sy, w * sz), (2.0 * sx, 0.0, 0.0)
    if edge < 8:
        return (u * sx, -sy, w * sz), (0.0, 2.0 * sy, 0.0)
    return (u * sx, w * sy, -sz), (0.0, 0.0, 2.0 * sz)


@inlined
def _within_box(size, start, d):
    """Shares of a segment where it enters a box of half sizes and leaves it; the first is larger where it does not."""
    enters, leaves = 0.0, 1.0
    for axis in range(3):
        if abs(d[axis]) > 0.0:
            middle, half = -start[axis] / d[axis], size[axis] / abs(d[axis])
            enters, leaves = max(enters, middle - half), min(leaves, middle + half)
        elif abs(start[axis]) > size[axis]:
            leaves = -1.0
    return enters, leaves


@subroutine
def _offer_facing(touching, k, j, start, d, side, r0, r1, reach, p, e, before):
    """Offer the points of a shape, but its corners, that face an edge or the axis of a solid, from p along e; before:
    see _seen_from."""
    kind, size, margin = touching.obstacles.kind[j], take3(touching.now, j, SIZE), touching.obstacles.traits[j, MARGIN]
    R, is_strip = take9(touching.now, j, ROTATION), dot(side, side) > 0.0
    for c in range(FACING if is_strip else 1):
        t, s = facing(c, start, d, side, p, e)
        if not (is_between(t, d, r0, r1) or (is_strip and abs(s) < 1.0 - END)):
            continue
        x = at_share(start, d, side, t, s)
        if kind == BOX and _is_over_face(size, x, END_OF_RADIUS * min(r0, r1)):
            continue
        distance, n, face = _seen_from(kind, size, x, before)
        gap = distance - (r0 + t * (r1 - r0)) - margin
        if gap < reach:
            offer_one(touching.marks, touching.numbers, k, j, face, 1, t, s, gap, mat_vec(R, n))


@inlined
def _is_over_face(size, x, little):
    """Whether x is outside of a box and what is nearest to it inside a face, by more than a little (m): an end is
    nearer then."""
    beyond, outside = 0, False
    for axis in range(3):
        beyond += 1 if abs(x[axis]) > size[axis] - little else 0
        outside = outside or abs(x[axis]) > size[axis]
    return outside and beyond == 1


@subroutine
def find(data, touching, h):
    """Fill the points of one plant for a step of h (s), which ends where its bodies' columns are. Those that go on
    touching keep their past."""
    speed = travel_on(data, touching, h)
    gone = touching.travel[0, GONE]
    touching.counts[0] = 0
    for k in range(len(touching.shapes.body)):
        goes = gone + (WAYS * h + touching.shapes.landing[k]) * speed
        if goes < touching.room[k, FREE]:
            continue
        if goes < touching.room[k, SAME]:
            _have_no_past(touching, k)
        else:
            i = touching.shapes.body[k]
            b, lane = i >> 3, i & 7
            B, at = get9(data, b, col.ROTATION + lane), get3(data, b, col.POSITION + lane)
            velocity, omega = get3(data, b, col.VELOCITY + lane), get3(data, b, col.OMEGA + lane)
            clear(touching.marks, k)
            free, same = _on_obstacles(touching, k, B, at, velocity, omega, h, 0.0)
            touching.room[k, FREE], touching.room[k, SAME] = gone + free, gone + same
        _note_near(touching, k)
    _remember(touching)


@subroutine
def find_at_rest(touching, rotation, position):
    """Fill the points of one plant whose bodies stand with rotations (n, 9) at positions (n, 3), from as far as each
    shape is long, and let those touch that overlapped and have parted."""
    touching.counts[0] = 0
    for k in range(len(touching.shapes.body)):
        i = touching.shapes.body[k]
        clear(touching.marks, k)
        _on_obstacles(touching, k, load9(rotation, i), load3(position, i), ZERO, ZERO, 0.0, 1.0)
        _note_near(touching, k)
    let_parted_touch(touching)


@inlined
def _turned_back(v, turn):
    """What a vector was less before such a turn (rad), but for its third power."""
    gained = cross(turn, v)
    return sub(scale(0.5, cross(turn, gained)), gained)


@inlined
def _note_near(touching, k):
    """Note shape k if it has points."""
    if touching.marks[SLOTS * k, OBSTACLE] >= 0:
        touching.near[touching.counts[0]] = k
        touching.counts[0] += 1


@inlined
def _have_no_past(touching, k):
    """Let the points of shape k be as if they had just been found."""
    for i in range(SLOTS * k, SLOTS * k + SLOTS):
        if touching.marks[i, OBSTACLE] < 0:
            break
        forget(touching.marks, touching.numbers, i)


@subroutine
def _on_obstacles(touching, k, B, at, velocity, omega, h, ahead):
    """Fill the points of shape k, which has none and whose body stands and moves so, and from so many of its half
    lengths ahead. Returns how far (m) it may go at least, besides what its speed adds, while it has none, and while it
    has these: corners on planes stay the same ones."""
    shapes, obstacles, now, room = touching.shapes, touching.obstacles, touching.now, math.inf
    start, d = mat_vec(B, load3(shapes.start, k)), mat_vec(B, sub(load3(shapes.end, k), load3(shapes.start, k)))
    side = mat_vec(B, load3(shapes.side, k))
    r0, r1 = shapes.radius[k, 0], shapes.radius[k, 1]
    arm = add(start, scale(0.5, d))
    middle, speed = add(at, arm), add(velocity, cross(omega, arm))
    half = 0.5 * math.sqrt(dot(d, d)) + math.sqrt(dot(side, side)) + max(r0, r1)
    near, spare = RADII * min(r0, r1), SPARE * min(r0, r1)
    same = spare
    for j in range(len(obstacles.kind)):
        R, place = take9(now, j, ROTATION), take3(now, j, PLACE)
        out, margin = sub(middle, place), obstacles.traits[j, MARGIN]
        against = sub(speed, moves_at(now, j, out))
        fast = math.sqrt(dot(against, against)) + half * math.sqrt(dot(omega, omega))
        reach = near + WAYS * h * fast + shapes.landing[k] * math.sqrt(dot(against, against)) + ahead * half
        if obstacles.kind[j] == PLANE:  # what most shapes touch, found from its normal alone
            n = (R[2], R[5], R[8])
            distance = dot(out, n)
            free = room_to(touching, j, distance, half) - margin - near
            room, same = min(room, free), same if free > -math.inf else free
            if distance - half - margin < max(reach + spare, h * fast):
                _on_plane(touching, k, j, n, sub(add(at, start), place), d, side, reach + spare)
            continue
        own_middle = mat_t_vec(R, out)
        own_start, own_d = mat_t_vec(R, sub(add(at, start), place)), mat_t_vec(R, d)
        own_side, size = mat_t_vec(R, side), take3(now, j, SIZE)
        distance = distance_from(touching, j, size, own_middle)
        free = room_to(touching, j, distance, half) - margin - near
        room, same = min(room, free), min(same, free)
        if obstacles.kind[j] == MESH:
            turn = scale(h, sub(omega, take3(now, j, OMEGA)))
            shift = sub(scale(h, against), cross(turn, arm))
            then = (
                add(own_start, mat_t_vec(R, sub(_turned_back(start, turn), shift))),
                add(own_d, mat_t_vec(R, _turned_back(d, turn))), add(own_side, mat_t_vec(R, _turned_back(side, turn))),
            )  # fmt: skip
            on_mesh(touching, k, j, own_start, own_d, own_side, r0, r1, reach, then, h, fast, ahead > 0.0)
        elif distance - half - margin < max(reach, h * fast):
            overlaps = ahead > 0.0 or touching.left_alone[k, 2 * j] or touching.left_alone[k, 2 * j + 1]
            _on_solid(touching, k, j, own_start, own_d, own_side, r0, r1, reach, overlaps)
            note_leap(touching, h * fast, thickness_of(obstacles.kind[j], size) + min(r0, r1))
    if touching.marks[SLOTS * k + SLOTS - 1, OBSTACLE] >= 0:  # of more corners than that others may be nearer then
        same = -math.inf
    return (-math.inf if touching.marks[SLOTS * k, OBSTACLE] >= 0 else room), same


@subroutine
def _remember(touching):
    """Let points that touched at the last step have its past."""
    marks, numbers = touching.marks, touching.numbers
    for n in range(touching.counts[1]):
        k = touching.was_near[n]
        remember(marks, numbers, touching.kept_marks, touching.kept, SLOTS * k, SLOTS * k + SLOTS, 0.0)
