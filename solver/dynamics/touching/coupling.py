# SPDX-License-Identifier: GPL-3.0-or-later
"""Solves with pairs of bodies that touch, which couple the tree with itself.

With J the accelerations between the bodies at points by those of the joints, G what resists them there and H the
tree's part, a solve has H x + J^T G J x = r. The accelerations y = J x between bodies follow from
(1 + W G) y = J H^-1 r, with W = J H^-1 J^T, whose product with a vector is one pass out and back along the tree. That
matrix is symmetric in the product u . G v, so that conjugate gradients (Hestenes and Stiefel 1952) in it find y, in few
passes as each pair by itself is known, see arnold.py; and x is H^-1 r less what the forces G y give.
"""

from ...contact.law import resisted
from ...contact.pair_forces import gained_by_pair, push_pair
from ...contact.pairs import GAINED, IMAGE, LEFT, NEAR, NEXT, PAIR_SLOTS, touches
from ...contact.touch import RIGID
from ...data import columns as col
from ...data.lanes import LANES, add3, copy, get3, put3
from ...joints.loose import CORRECTION, RATE
from ...machine.jit import inlined, subroutine
from ...math.memory import keep3, take3
from ...math.vectors import ZERO, add, dot, scale
from ..articulated_body import acceleration_pass, bias_pass
from .arnold import alone_between, response_between, stiffen

#: Passes at most; what a step's solves may leave of the accelerations between bodies; and always (m/s2).
_MOST, LEFT_OVER, _NOTHING = 100, 1e-6, 1e-12

#: Where the solve without pairs is kept meanwhile: fields that the next solve computes anew.
_SAVED = ((col.CORRECTION, col.ALPHA), (col.X_R, col.OMEGA), (col.X_T, col.ACCELERATION), (col.SPRING, col.VELOCITY))


@inlined
def _product(marks, numbers, n, u, v):
    """u . G v over n points, of columns u and v."""
    total = 0.0
    for i in range(n):
        if touches(marks, i):
            total += dot(take3(numbers, i, u), resisted(numbers, i, take3(numbers, i, v)))
    return total


@inlined
def _resistance(marks, numbers, n):
    """The sum of what resists along the normals (kg)."""
    total = 0.0
    for i in range(n):
        total += numbers[i, RIGID] if touches(marks, i) else 0.0
    return total


@inlined
def _pair_touches(marks, row):
    first = PAIR_SLOTS * row
    return (
        touches(marks, first) or touches(marks, first + 1) or touches(marks, first + 2) or touches(marks, first + 3)
    )


@inlined
def _each_alone(pairs, near, into):
    """What would solve what is left, did each pair alone resist."""
    for row in range(near):
        if _pair_touches(pairs.marks, row):
            alone_between(pairs.marks, pairs.numbers, pairs.responses, row, LEFT, into)


@subroutine
def _respond(data, parent, loose, shapes, pairs, n, column, sign):
    """What the tree does when G times a column (times a sign) acts between bodies, in the fields of a solve."""
    for b in range(len(data)):
        for lane in range(LANES):
            put3(data, b, col.PA_R + lane, ZERO)
            put3(data, b, col.PA_T + lane, ZERO)
            put3(data, b, col.SPRING + lane, ZERO)
    numbers = pairs.numbers
    for i in range(n):
        if touches(pairs.marks, i):
            force = scale(sign, resisted(numbers, i, take3(numbers, i, column)))
            push_pair(data, shapes.body, pairs.ends, numbers, i, force)
    bias_pass(data, parent, loose)
    acceleration_pass(data, parent, loose)


@subroutine
def couple(data, parent, loose, shapes, pairs, left_over):
    """Correct the solve just made, which knew nothing of what resists between pairs. Returns its number of passes.

    left_over: share of the accelerations between bodies by which they may be wrong.
    """
    near = pairs.counts[0, NEAR]
    n, body, ends, marks, numbers = PAIR_SLOTS * near, shapes.body, pairs.ends, pairs.marks, pairs.numbers
    for i in range(n):
        if touches(marks, i):
            keep3(numbers, i, GAINED, ZERO)
            keep3(numbers, i, LEFT, gained_by_pair(data, body, ends, numbers, i))
    for row in range(near):
        if _pair_touches(marks, row):
            one, other = body[ends[row, 0]], body[ends[row, 1]]
            response_between(data, parent, loose, one, other, pairs.responses, row, pairs.borne)
            stiffen(marks, numbers, pairs.responses, row, pairs.borne)
    for own, saved in _SAVED:
        copy(data, own, saved, 3)
    for f in range(loose.used[0, 0]):
        keep3(loose.trial, f, RATE, take3(loose.trial, f, CORRECTION))
    _each_alone(pairs, near, NEXT)
    left, passes = _product(marks, numbers, n, LEFT, NEXT), 0
    enough = max(left_over * left_over * left, _NOTHING * _NOTHING * _resistance(marks, numbers, n))
    while left > enough and passes < _MOST:
        _respond(data, parent, loose, shapes, pairs, n, NEXT, 1.0)
        passes += 1
        for i in range(n):
            if touches(marks, i):
                image = add(take3(numbers, i, NEXT), gained_by_pair(data, body, ends, numbers, i))
                keep3(numbers, i, IMAGE, image)
        steep = _product(marks, numbers, n, NEXT, IMAGE)
        if not steep > 0.0:
            break
        share = left / steep
        for i in range(n):
            if touches(marks, i):
                _add(numbers, i, GAINED, share, NEXT)
                _add(numbers, i, LEFT, -share, IMAGE)
        _each_alone(pairs, near, IMAGE)
        before, left = left, _product(marks, numbers, n, LEFT, IMAGE)
        for i in range(n):
            if touches(marks, i):
                again = add(take3(numbers, i, IMAGE), scale(left / before, take3(numbers, i, NEXT)))
                keep3(numbers, i, NEXT, again)
    _respond(data, parent, loose, shapes, pairs, n, GAINED, -1.0)
    for own, saved in _SAVED:
        _add_field(data, len(parent), own, saved)
    for f in range(loose.used[0, 0]):
        total = add(take3(loose.trial, f, CORRECTION), take3(loose.trial, f, RATE))
        keep3(loose.trial, f, CORRECTION, total)
    return passes + 1


@inlined
def _add(numbers, i, column, share, other):
    keep3(numbers, i, column, add(take3(numbers, i, column), scale(share, take3(numbers, i, other))))


@inlined
def _add_field(data, n, field, other):
    for i in range(n):  # what is in lanes without a body would only grow
        add3(data, i >> 3, field + (i & 7), get3(data, i >> 3, other + (i & 7)))


@inlined
def resisted_by_pairs(data, shapes, pairs):
    """y . G y (N m/s2, per acceleration) of the accelerations y that the last solve has added between bodies."""
    total, body, ends, numbers = 0.0, shapes.body, pairs.ends, pairs.numbers
    for i in range(PAIR_SLOTS * pairs.counts[0, NEAR]):
        if touches(pairs.marks, i):
            y = gained_by_pair(data, body, ends, numbers, i)
            total += dot(y, resisted(numbers, i, y))
    return total
