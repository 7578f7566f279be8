# SPDX-License-Identifier: GPL-3.0-or-later
"""Rods that get longer, thicker or are shifted in a frame: where joints are, what bodies are made of, how both move.

A point of a rod at x, in its frame, is at D x from the rod's base, D = diag(thickness, stretch, thickness), and the
base is where the parent's tip, the gap as drawn and the shift lead. So a body's mass moves within its axes; with x for
places in it, summed over its mass, and a the acceleration of its joint, it needs the force and the moment

    m a + alpha x h + w x (w x h) + 2 w x h' + h'',                  h = sum x
    h x a + I alpha + w x I w + 2 (tr(W) 1 - W^T) w + sum x x x'',    W = sum x x'^T

A density that stays makes mass where volume grows: it is taken to come with the velocity of the material at its place,
so that it pushes nothing, as what grows does.
"""

import math

from ..base.arrays import Ints1
from ..contact.clearance import GONE
from ..data import columns as col
from ..data.lanes import LANES, add3, get3, get9, put3, put6, put9
from ..data.rows import Rows
from ..machine.jit import inlined, kernel
from ..math.matrices import mat_add, mat_mul, mat_of_sym, mat_scale, mat_t_vec, mat_transpose, mat_vec, outer
from ..math.memory import keep3, load3, load4, load9, take3, take9
from ..math.polynomials import quintic
from ..math.quaternions import quat_mat
from ..math.symmetric import sym_scale
from ..math.vectors import ZERO, add, cross, dot, scale, sub, times
from ..model.stretched import LENGTHS, SHIFT, STRETCH, THICKNESS
from .loose import Loose, loose_of, orientation_at
from .stretch import BEGINS, CHANGES, GAIN_AFTER, GAIN_BEFORE, RATE_AFTER, RATE_BEFORE, SUMS, Stretching

#: Columns of now: lengths with both derivatives, then those of the place of a rod's base and of its tip.
_HEAD, _TAIL = 3 * LENGTHS, 3 * LENGTHS + 9

#: Columns of sums: mass, first moments with both derivatives, second moments (xx, xy, xz, yy, yz, zz), W, moment of
#: accelerations, energy of the motion.
_MASS, _FIRST, _SECOND, _SPREAD, _TURNS, _ENERGY = 0, 1, 10, 16, 25, 28

#: The largest move of a shape's ends counts so often, for its sides and radii.
_AT_MOST = 2.0


@inlined
def stretching_of(stretching, p, first_body, first_shape):
    """Plant p alone. first_body, first_shape (plants + 1,): its bodies and shapes are first[p] to first[p + 1]."""
    s, plant = stretching, slice(p, p + 1)
    if not s.stretches[p]:
        none = slice(0, 0)
        return Stretching(
            s.stretches[plant], s.first_rod, s.first_slice, s.rod_parent[none], s.rod_joint[none], s.turn[none],
            s.rod[none], s.body_rod[none], s.body_at[none], s.springs[none], s.slice_body[none], s.slice_rod[none],
            s.matter[none], s.way[none], s.shapes[none], s.now[none], s.sums[none],
        )  # fmt: skip
    rods, slices = slice(s.first_rod[p], s.first_rod[p + 1]), slice(s.first_slice[p], s.first_slice[p + 1])
    n, shapes = slice(first_body[p], first_body[p + 1]), slice(first_shape[p], first_shape[p + 1])
    return Stretching(
        s.stretches[plant], s.first_rod, s.first_slice, s.rod_parent[rods], s.rod_joint[rods], s.turn[rods],
        s.rod[rods], s.body_rod[n], s.body_at[n], s.springs[n], s.slice_body[slices], s.slice_rod[slices],
        s.matter[slices], s.way[rods], s.shapes[shapes], s.now[rods], s.sums[n],
    )  # fmt: skip


@inlined
def stretch_at(data, parent, cracked, touching, stretching, s, duration):
    """Let joints, bodies and shapes of a plant be where and as heavy as they are at the share s of a frame of duration
    (s). cracked (n,): what has become of joints; loose bodies hang where they hung."""
    data[0, col.STRETCHES] = 1.0
    _rods_at(stretching, s, duration)
    _joints_at(data, parent, cracked, stretching, s)
    _matter_at(data, stretching, s)
    if len(stretching.shapes) > 0:
        _shapes_at(touching, cracked, stretching, s)


@inlined
def _rods_at(stretching, s, duration):
    """Fill now, from the base to the tips."""
    now, way, T = stretching.now, stretching.way, duration
    of_value, of_rate, of_gain = quintic(s)
    for r in range(len(way)):
        for c in range(LENGTHS):
            change, rate, other = way[r, CHANGES + c], way[r, RATE_BEFORE + c], way[r, RATE_AFTER + c]
            gain, late = way[r, GAIN_BEFORE + c], way[r, GAIN_AFTER + c]
            value = T * (of_value[1] * rate + of_value[2] * other + T * (of_value[3] * gain + of_value[4] * late))
            now[r, c] = way[r, BEGINS + c] + (of_value[0] * change + value)
            value = of_rate[1] * rate + of_rate[2] * other + T * (of_rate[3] * gain + of_rate[4] * late)
            now[r, LENGTHS + c] = of_rate[0] * change / T + value
            value = (of_gain[1] * rate + of_gain[2] * other) / T + of_gain[3] * gain + of_gain[4] * late
            now[r, 2 * LENGTHS + c] = of_gain[0] * change / (T * T) + value
        p, turn, length = stretching.rod_parent[r], load9(stretching.turn, r), stretching.rod[r, 3]
        for d in range(3):
            base = take3(now, r, d * LENGTHS + SHIFT)
            if d == 0:
                base = add(base, load3(stretching.rod, r))
            if p >= 0:
                if stretching.rod_joint[p] < 0:
                    base = mat_vec(load9(stretching.turn, p), base)
                base = add(base, take3(now, p, _TAIL + 3 * d))
            keep3(now, r, _HEAD + 3 * d, base)
            longer = now[r, d * LENGTHS + STRETCH]
            tip = (0.0, longer * (length - stretching.rod[r, 4]), 0.0)
            if stretching.rod_joint[r] < 0:
                tip = add(base, mat_vec(turn, (0.0, longer * length, 0.0)))
            keep3(now, r, _TAIL + 3 * d, tip)


@inlined
def _joint_at(stretching, i, d):
    """Place of the joint of body i in its parent's axes, or the derivative d of it."""
    r, at = stretching.body_rod[i], stretching.body_at[i]
    longer = stretching.now[r, d * LENGTHS + STRETCH]
    if i > 0 and stretching.body_rod[i - 1] == r:
        return (0.0, longer * (at - stretching.body_at[i - 1]), 0.0)
    return add(take3(stretching.now, r, _HEAD + 3 * d), mat_vec(load9(stretching.turn, r), (0.0, longer * at, 0.0)))


@inlined
def _joints_at(data, parent, cracked, stretching, s):
    """Fill places of joints with both derivatives, and springs."""
    for i in range(len(parent)):
        b, lane, r = i >> 3, i & 7, stretching.body_rod[i]
        rate, gain = ZERO, ZERO
        if parent[i] >= -1:
            put3(data, b, col.OFFSET + lane, _joint_at(stretching, i, 0))
            rate, gain = _joint_at(stretching, i, 1), _joint_at(stretching, i, 2)
        put3(data, b, col.OFFSET_RATE + lane, rate)
        put3(data, b, col.OFFSET_GAIN + lane, gain)
        wider2 = stretching.now[r, THICKNESS] * stretching.now[r, THICKNESS]
        stiffer = wider2 * wider2 / stretching.now[r, STRETCH]
        if cracked[i] > 0:
            stiffer = stiffer * data[b, col.FIBRES + lane] if cracked[i] == 1 else 0.0
        early, late = load3(stretching.springs, i), take3(stretching.springs, i, 3)
        put3(data, b, col.STIFFNESS + lane, scale(stiffer, add(scale(1.0 - s, early), scale(s, late))))


@inlined
def _factors(now, r, d):
    """Diagonal of D of rod r, or its derivative d."""
    wider = now[r, d * LENGTHS + THICKNESS]
    return (wider, now[r, d * LENGTHS + STRETCH], wider)


@inlined
def _spread(moments, a, b):
    """diag(a) S diag(b) of second moments S (3, 3)."""
    return (
        a[0] * moments[0] * b[0], a[0] * moments[1] * b[1], a[0] * moments[2] * b[2],
        a[1] * moments[3] * b[0], a[1] * moments[4] * b[1], a[1] * moments[5] * b[2],
        a[2] * moments[6] * b[0], a[2] * moments[7] * b[1], a[2] * moments[8] * b[2],
    )  # fmt: skip


@inlined
def _center(stretching, b, r, Q, x, factors, d):
    """Centre of a slice of rod r on body b, x in the rod's frame as drawn, in the body's axes; or its derivative d."""
    place = take3(stretching.now, r, _HEAD + 3 * d)
    if stretching.body_rod[b] == r:
        place = (0.0, -stretching.now[r, d * LENGTHS + STRETCH] * stretching.body_at[b], 0.0)
    return add(place, mat_vec(Q, times(factors, x)))


@inlined
def _add_slice(stretching, k):
    """Add slice k to the sums of its body."""
    b, r, sums, now = stretching.slice_body[k], stretching.slice_rod[k], stretching.sums, stretching.now
    Q = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    if stretching.body_rod[b] != r:
        Q = load9(stretching.turn, r)
    D, D1, D2 = _factors(now, r, 0), _factors(now, r, 1), _factors(now, r, 2)
    more = D[0] * D[1] * D[2]
    mass, x = more * stretching.matter[k, 0], take3(stretching.matter, k, 1)
    c, c1 = _center(stretching, b, r, Q, x, D, 0), _center(stretching, b, r, Q, x, D1, 1)
    c2 = _center(stretching, b, r, Q, x, D2, 2)
    own = take3(stretching.matter, k, 4), take3(stretching.matter, k, 7)
    S = mat_of_sym(sym_scale(more, (*own[0], *own[1])))
    whole = mat_add(_turned(Q, _spread(S, D, D)), mat_scale(mass, outer(c, c)))
    moved = mat_add(_turned(Q, _spread(S, D, D1)), mat_scale(mass, outer(c, c1)))
    gained = mat_add(_turned(Q, _spread(S, D, D2)), mat_scale(mass, outer(c, c2)))
    sums[b, _MASS] += mass
    for j in range(3):
        sums[b, _FIRST + j] += mass * c[j]
        sums[b, _FIRST + 3 + j] += mass * c1[j]
        sums[b, _FIRST + 6 + j] += mass * c2[j]
    keep3(sums, b, _SECOND, add(take3(sums, b, _SECOND), (whole[0], whole[1], whole[2])))
    keep3(sums, b, _SECOND + 3, add(take3(sums, b, _SECOND + 3), (whole[4], whole[5], whole[8])))
    for j in range(9):
        sums[b, _SPREAD + j] += moved[j]
    turns = (gained[5] - gained[7], gained[6] - gained[2], gained[1] - gained[3])
    keep3(sums, b, _TURNS, add(take3(sums, b, _TURNS), turns))
    within = _spread(S, D1, D1)
    sums[b, _ENERGY] += 0.5 * (mass * dot(c1, c1) + within[0] + within[4] + within[8])


@inlined
def _turned(Q, m):
    """Q M Q^T."""
    return mat_mul(mat_mul(Q, m), mat_transpose(Q))


@inlined
def _matter_at(data, stretching, s):
    """Fill masses, centres and inertias of bodies, and how their mass moves in them."""
    sums = stretching.sums
    for i in range(len(sums)):
        for c in range(SUMS):
            sums[i, c] = 0.0
    for k in range(len(stretching.matter)):
        _add_slice(stretching, k)
    for i in range(len(sums)):
        b, lane, mass = i >> 3, i & 7, sums[i, _MASS]
        xx, xy, xz = take3(sums, i, _SECOND)
        yy, yz, zz = take3(sums, i, _SECOND + 3)
        thin = (1.0 - s) * stretching.springs[i, 6] + s * stretching.springs[i, 7]
        data[b, col.MASS + lane] = mass
        put3(data, b, col.COM + lane, scale(1.0 / mass, take3(sums, i, _FIRST)))
        put6(data, b, col.INERTIA + lane, (yy + zz + thin, -xy, -xz, xx + zz + thin, -yz, xx + yy + thin))
        put3(data, b, col.FIRST_RATE + lane, take3(sums, i, _FIRST + 3))
        put3(data, b, col.FIRST_GAIN + lane, take3(sums, i, _FIRST + 6))
        put9(data, b, col.SPREAD_RATE + lane, take9(sums, i, _SPREAD))
        put3(data, b, col.SPREAD_GAIN + lane, take3(sums, i, _TURNS))
        data[b, col.OWN_MOTION + lane] = sums[i, _ENERGY]


@inlined
def _shapes_at(touching, cracked, stretching, s):
    """Let shapes go evenly from what they are at the frame's beginning to what they are at its end; those of what has
    come off stay."""
    shapes, ends, most = touching.shapes, stretching.shapes, 0.0
    for k in range(len(ends)):
        if cracked[shapes.body[k]] == 2:
            continue
        start, end, side = load3(shapes.start, k), load3(shapes.end, k), load3(shapes.side, k)
        low, high = shapes.radius[k, 0], shapes.radius[k, 1]
        for c in range(3):
            shapes.start[k, c] = (1.0 - s) * ends[k, c] + s * ends[k, 12 + c]
            shapes.end[k, c] = (1.0 - s) * ends[k, 3 + c] + s * ends[k, 15 + c]
            shapes.side[k, c] = (1.0 - s) * ends[k, 6 + c] + s * ends[k, 18 + c]
        for c in range(2):
            shapes.radius[k, c] = (1.0 - s) * ends[k, 9 + c] + s * ends[k, 21 + c]
        shapes.stiffness[k] = (1.0 - s) * ends[k, 11] + s * ends[k, 23]
        start, end = sub(load3(shapes.start, k), start), sub(load3(shapes.end, k), end)
        side, thicker = sub(load3(shapes.side, k), side), max(shapes.radius[k, 0] - low, shapes.radius[k, 1] - high)
        ways = math.sqrt(max(dot(start, start), dot(end, end))) + math.sqrt(dot(side, side)) + max(thicker, 0.0)
        most = max(most, ways)
    touching.travel[0, GONE] += _AT_MOST * most


@inlined
def parents_axes(data, parent, stands, loose, i):
    """Those of what body i hangs on, as a matrix."""
    k = parent[i]
    if k >= 0:
        return get9(data, k >> 3, col.ROTATION + (k & 7))
    if k == -1:
        return quat_mat(load4(stands.now[stands.on[i]], 1))
    return quat_mat(orientation_at(loose.now, -2 - k))


@inlined
def moved_mass(data, b, lane, omega):
    """Moment and force (world axes) that a body needs, which turns with omega (rad/s), as its mass moves within it."""
    R = get9(data, b, col.ROTATION + lane)
    W, w = get9(data, b, col.SPREAD_RATE + lane), mat_t_vec(R, omega)
    turned = scale(2.0, sub(scale(W[0] + W[4] + W[8], w), mat_t_vec(W, w)))
    moment = mat_vec(R, add(turned, get3(data, b, col.SPREAD_GAIN + lane)))
    rate, gain = mat_vec(R, get3(data, b, col.FIRST_RATE + lane)), mat_vec(R, get3(data, b, col.FIRST_GAIN + lane))
    return moment, add(gain, scale(2.0, cross(omega, rate)))


@inlined
def moved_masses(data):
    """Add what the mass that moves within bodies needs to their bias forces."""
    for b in range(len(data)):
        for lane in range(LANES):
            moment, force = moved_mass(data, b, lane, get3(data, b, col.OMEGA + lane))
            add3(data, b, col.PA_R + lane, moment)
            add3(data, b, col.PA_T + lane, force)


@kernel
def put_stretched(rows: Rows, all_loose: Loose, stretching: Stretching, no_shapes: Ints1) -> None:
    """Let joints and bodies of all plants be as at the beginning of the ways. no_shapes (plants + 1,): zeros."""
    for p in range(len(rows.first_body) - 1):
        data = rows.data[rows.first_block[p] : rows.first_block[p + 1]]
        data[0, col.STRETCHES] = 1.0 if stretching.stretches[p] else 0.0
        if stretching.stretches[p]:
            own = stretching_of(stretching, p, rows.first_body, no_shapes)
            loose = loose_of(all_loose, p, rows.first_body)
            parent = rows.parent[rows.first_body[p] : rows.first_body[p + 1]]
            _rods_at(own, 0.0, 1.0)
            _joints_at(data, parent, loose.cracked, own, 0.0)
            _matter_at(data, own, 0.0)
