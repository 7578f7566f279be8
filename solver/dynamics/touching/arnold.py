# SPDX-License-Identifier: GPL-3.0-or-later
"""What two bodies of a tree do to each other, from the factors of the articulated-body algorithm.

With J the acceleration of one body against another by those of the joints, the operator W = J H^-1 J^T is what it gains
by a force between them (Arnold 1996, 2.4.2). A force that is borne from joint to joint towards the base turns each of
them with a torque, less what the joints before have given way to, so that W is the sum of torque . D^-1 torque along
both ways, which need not be gone back.
"""

from ...contact.law import resisted
from ...contact.pairs import PAIR_SLOTS
from ...contact.touch import ARM, GRIP, NORMAL, RIGID, SLIP
from ...data import columns as col
from ...data.lanes import get3, get6, get9
from ...machine.jit import inlined, subroutine
from ...math.matrices import mat_t_vec
from ...math.memory import keep3, take3
from ...math.symmetric import sym_vec
from ...math.vectors import ZERO, across_of, add, cross, dot, sub
from ..articulated_body import yields_of


@subroutine
def response_between(data, parent, loose, a, b, W, row, borne):
    """Fill row of W with the operator (6, 6) of body a against body b, -1 for the world: angular acceleration, and
    acceleration of what is at a's joint, by moment about it and force, where kinematics and factors are.

    borne (12, 6): scratch.
    """
    for c in range(36):
        W[row, c] = 0.0
    between = ZERO
    if b >= 0:
        between = sub(get3(data, a >> 3, col.POSITION + (a & 7)), get3(data, b >> 3, col.POSITION + (b & 7)))
    for c in range(6):
        for d in range(6):
            borne[c, d] = 1.0 if c == d else 0.0
        force = take3(borne, c, 3)
        moment = add(take3(borne, c, 0), cross(between, force))
        for d in range(3):
            borne[6 + c, d] = -moment[d]
            borne[6 + c, 3 + d] = -force[d]
    one, other = a, b
    while one >= 0 or other >= 0:
        if one == other:
            for c in range(6):
                for d in range(6):
                    borne[c, d] += borne[6 + c, d]
            other = -1
        elif one > other:
            one = _bear(data, parent, loose, one, borne, 0, W, row)
        else:
            other = _bear(data, parent, loose, other, borne, 6, W, row)


@inlined
def _bear(data, parent, loose, i, borne, first, W, row):
    """Bear six wrenches over the joint of body i; returns the body where they are then."""
    b, lane = i >> 3, i & 7
    D_inverse = get6(data, b, col.D_INVERSE + lane)
    gives_r, gives_t = get9(data, b, col.GIVES_R + lane), get9(data, b, col.GIVES_T + lane)
    r, k = get3(data, b, col.ARM + lane), parent[i]
    for c in range(6):
        turns = sym_vec(D_inverse, take3(borne, first + c, 0))
        for d in range(6):
            W[row, 6 * c + d] += dot(turns, take3(borne, first + d, 0))
    for c in range(first, first + 6):
        moment, force = take3(borne, c, 0), take3(borne, c, 3)
        carried = add(moment, cross(r, force))
        keep3(borne, c, 0, sub(carried, mat_t_vec(gives_r, moment)))
        keep3(borne, c, 3, sub(force, mat_t_vec(gives_t, moment)))
    if k < -1:
        yields = yields_of(loose, -2 - k)
        for c in range(6):
            shifts = sym_vec(yields, take3(borne, first + c, 3))
            for d in range(6):
                W[row, 6 * c + d] += dot(shifts, take3(borne, first + d, 3))
    return k if k >= 0 else -1


@subroutine
def stiffen(numbers, points, first, last, W, gained):
    """Turn the row of W of a pair, whose points are from first to before last of the list, into that with what resists
    at them, (W^-1 + J^T G J)^-1, direction by direction (Sherman and Morrison). gained (1, 6): scratch."""
    row = points[first] // PAIR_SLOTS
    for p in range(first, last):
        i = points[p]
        n, slip = take3(numbers, i, NORMAL), take3(numbers, i, SLIP)
        arm, rigid, grip = take3(numbers, i, ARM), numbers[i, RIGID], numbers[i, GRIP]
        slides = dot(slip, slip) > 0.0
        across = slip if slides else across_of(n)
        for direction in range(2 if slides else 3):
            u = n if direction == 0 else (cross(n, across) if direction == 1 else across)
            _stiffen_along(W, row, gained, arm, u, rigid if direction == 0 else grip)


@inlined
def _stiffen_along(W, row, gained, arm, u, resistance):
    moment = cross(arm, u)
    along = 1.0
    for c in range(6):
        gained[0, c] = dot(take3(W, row, 6 * c), moment) + dot(take3(W, row, 6 * c + 3), u)
    along += resistance * (dot(take3(gained, 0, 0), moment) + dot(take3(gained, 0, 3), u))
    for c in range(6):
        for d in range(6):
            W[row, 6 * c + d] -= resistance / along * gained[0, c] * gained[0, d]


@subroutine
def alone_between(numbers, points, first, last, W, column, into):
    """What is left of a column of accelerations at the points of a pair that alone resists them."""
    moment, force, row = ZERO, ZERO, points[first] // PAIR_SLOTS
    for p in range(first, last):
        i = points[p]
        f = resisted(numbers, i, take3(numbers, i, column))
        moment, force = add(moment, cross(take3(numbers, i, ARM), f)), add(force, f)
    turn, shift = times(W, row, 0, moment, force), times(W, row, 18, moment, force)
    for p in range(first, last):
        i = points[p]
        moved = add(shift, cross(turn, take3(numbers, i, ARM)))
        keep3(numbers, i, into, sub(take3(numbers, i, column), moved))


@inlined
def times(W, row, first, moment, force):
    """Three rows of W times a wrench."""
    return (
        dot(take3(W, row, first), moment) + dot(take3(W, row, first + 3), force),
        dot(take3(W, row, first + 6), moment) + dot(take3(W, row, first + 9), force),
        dot(take3(W, row, first + 12), moment) + dot(take3(W, row, first + 15), force),
    )
