# SPDX-License-Identifier: GPL-3.0-or-later
"""Solves with pairs of bodies that touch, which couple the tree with itself.

With J the accelerations between the bodies at points by those of the joints, G what resists them there and H the
tree's part, a solve has H x + J^T G J x = r. The accelerations y = J x between bodies follow from
(1 + W G) y = J H^-1 r, with W = J H^-1 J^T, whose product with a vector is one pass out and back along the tree. That
matrix is symmetric in the product u . G v, so that conjugate gradients (Hestenes and Stiefel 1952) in it find y, in few
passes as each pair by itself is known, see arnold.py. What the forces G y give is taken off H^-1 r pass by pass, which
leaves x.
"""

import math

from ...contact.law import resisted
from ...contact.pair_forces import gained_by_pair, push_pair
from ...contact.pairs import IMAGE, LEFT, MOST_DENSE, NEAR, NEXT, PAIR_SLOTS, POINTED, touches
from ...contact.touch import OBSTACLE, PUSH, RIGID
from ...data import columns as col
from ...data.lanes import LANES, add3, copy, get3, put3
from ...joints.loose import CORRECTION, RATE
from ...machine.jit import inlined, subroutine
from ...math.memory import keep3, take3
from ...math.vectors import ZERO, add, dot, scale, sub
from ..articulated_body import acceleration_pass, bias_pass
from ..closing import close_loops, keep_gains
from .arnold import alone_between, response_between, stiffen
from .dense import is_begun_dense, make_dense, serves_badly, solve_dense
from .heaps import bodies_in_heap, solve_heap

#: Passes at most; and what a step's solves may leave of the accelerations between bodies.
_MOST, LEFT_OVER = 100, 1e-6

#: What is left is a motion against all that resists, and may make this share of the forces that there are: where points
#: are stiff that takes far less than accelerations do. Less than this share of what would do for these is rounding.
_OF_FORCES, _ROUNDING = 1e-4, 1e-12

#: A solve of which so many passes leave more than this share of what there was is lost.
_LOST = 1e-2

#: After so many passes with few points the coupling is known densely; more points than this are solved as a heap where
#: they are one.
_MANY, _HEAP = 8, 48

#: Where the solve is summed meanwhile: fields that the next solve computes anew.
_SAVED = ((col.CORRECTION, col.ALPHA), (col.X_R, col.OMEGA), (col.X_T, col.ACCELERATION), (col.SPRING, col.VELOCITY))


@inlined
def _product(numbers, points, n, u, v):
    """u . G v over n points, of columns u and v."""
    total = 0.0
    for p in range(n):
        i = points[p]
        total += dot(take3(numbers, i, u), resisted(numbers, i, take3(numbers, i, v)))
    return total


@inlined
def _resistance(numbers, points, n):
    """The sum of what resists along the normals (kg)."""
    total = 0.0
    for p in range(n):
        total += numbers[points[p], RIGID]
    return total


@inlined
def _wrong(numbers, points, n):
    """The sum of squares of the forces (N) with which a motion by what is left is resisted."""
    total = 0.0
    for p in range(n):
        force = resisted(numbers, points[p], take3(numbers, points[p], LEFT))
        total += dot(force, force)
    return total


@inlined
def _may_be_wrong(numbers, points, n, enough):
    """The same as it may be; any where nothing pushes yet."""
    pushes, resistances = 0.0, 0.0
    for p in range(n):
        pushes += numbers[points[p], PUSH] ** 2
        resistances += numbers[points[p], RIGID] ** 2
    return max(_OF_FORCES * _OF_FORCES * pushes, enough * enough * resistances) if pushes > 0.0 else math.inf


@inlined
def _list_points(pairs):
    """List the points that touch, pair by pair; returns how many there are."""
    n = 0
    for pair in range(pairs.counts[0, POINTED]):
        row = pairs.with_points[pair]
        for i in range(PAIR_SLOTS * row, PAIR_SLOTS * row + PAIR_SLOTS):
            if pairs.marks[i, OBSTACLE] < 0:
                break
            if touches(pairs.marks, i):
                pairs.points[n] = i
                n += 1
    return n


@inlined
def _next_pair(points, n, first):
    """Where in the list the points of the next pair begin."""
    last = first + 1
    while last < n and points[last] // PAIR_SLOTS == points[first] // PAIR_SLOTS:
        last += 1
    return last


@inlined
def _each_alone(pairs, n, into):
    """What would solve what is left, did each pair alone resist."""
    first = 0
    while first < n:
        last = _next_pair(pairs.points, n, first)
        alone_between(pairs.numbers, pairs.points, first, last, pairs.alone_responses, LEFT, into)
        first = last


@inlined
def _know_responses(data, parent, loose, body, pairs, n, anew):
    """Find out what the bodies of each pair do to each other, with what resists between them."""
    if anew:
        for row in range(pairs.counts[0, NEAR]):
            pairs.is_known[row] = False
    first = 0
    while first < n:
        last, row = _next_pair(pairs.points, n, first), pairs.points[first] // PAIR_SLOTS
        if not pairs.is_known[row]:
            one, other = body[pairs.ends[row, 0]], body[pairs.ends[row, 1]]
            response_between(data, parent, loose, one, other, pairs.responses, row, pairs.borne)
            pairs.is_known[row] = True
        for c in range(36):
            pairs.alone_responses[row, c] = pairs.responses[row, c]
        stiffen(pairs.numbers, pairs.points, first, last, pairs.alone_responses, pairs.borne)
        first = last


@subroutine
def _respond(data, parent, loose, ties, body, pairs, n, column):
    """What the tree does when G times a column acts between bodies, in the fields of a solve."""
    for b in range(len(data)):
        for lane in range(LANES):
            put3(data, b, col.PA_R + lane, ZERO)
            put3(data, b, col.PA_T + lane, ZERO)
            put3(data, b, col.SPRING + lane, ZERO)
    numbers = pairs.numbers
    for p in range(n):
        i = pairs.points[p]
        push_pair(data, body, pairs.ends, numbers, i, resisted(numbers, i, take3(numbers, i, column)))
    bias_pass(data, parent, loose)
    if len(ties.body) > 0:
        close_loops(data, loose, ties, 0.0)
    acceleration_pass(data, parent, loose)


@inlined
def _precondition(pairs, n, is_dense, into):
    """About what solves what is left at n points."""
    if is_dense:
        solve_dense(pairs, n, into)
    else:
        _each_alone(pairs, n, into)


@inlined
def _is_done(numbers, points, n, left, least, may_be_wrong):
    """Whether what is left at n points is little: preconditioned, or less what resists it; and its forces."""
    is_little = 0.0 <= left <= least or _product(numbers, points, n, LEFT, LEFT) <= least
    is_rounding = 0.0 <= left <= _ROUNDING * least
    return is_little and (is_rounding or _wrong(numbers, points, n) <= may_be_wrong)


@subroutine
def couple(data, parent, loose, ties, shapes, pairs, anew, left_over, enough):
    """Correct the solve just made, which knew nothing of what resists between pairs. Returns its number of passes,
    about how many more it took to know densely what points do to each other, and whether it is lost.

    anew: whether the articulated inertias have changed since the last one; left_over, enough (m/s2): share of the
    accelerations between bodies by which they may be wrong, and how much may be wrong in any case.
    """
    body, ends, numbers, points, n = shapes.body, pairs.ends, pairs.numbers, pairs.points, _list_points(pairs)
    if n > _HEAP and len(ties.body) == 0:
        count = bodies_in_heap(data, parent, body, pairs, n)
        if count > 0:
            return solve_heap(data, loose, parent, pairs, n, count, left_over, enough, _MOST), 0, False
    for p in range(n):
        keep3(numbers, points[p], LEFT, gained_by_pair(data, body, ends, numbers, points[p]))
    for own, saved in _SAVED:
        copy(data, own, saved, 3)
    for f in range(loose.used[0, 0]):
        keep3(loose.trial, f, RATE, take3(loose.trial, f, CORRECTION))
    is_dense = is_begun_dense(pairs) and make_dense(data, parent, loose, body, pairs, n)
    if not is_dense:
        _know_responses(data, parent, loose, body, pairs, n, anew)
    _precondition(pairs, n, is_dense, NEXT)
    left, passes, since, filled = _product(numbers, points, n, LEFT, NEXT), 0, 0, n if is_dense else 0
    least = max(left_over * left_over * left, enough * enough * _resistance(numbers, points, n))
    may_be_wrong, lost = _may_be_wrong(numbers, points, n, enough), _LOST * _LOST * left
    while passes < _MOST and not _is_done(numbers, points, n, left, least, may_be_wrong):
        if (since == _MANY or not left > 0.0) and n <= MOST_DENSE:
            since = 0
            serves_badly(pairs, is_dense)
            is_dense, filled = make_dense(data, parent, loose, body, pairs, n), filled + n
            if not is_dense:
                _know_responses(data, parent, loose, body, pairs, n, anew)
            _precondition(pairs, n, is_dense, NEXT)
            left = _product(numbers, points, n, LEFT, NEXT)
        _respond(data, parent, loose, ties, body, pairs, n, NEXT)
        passes, since = passes + 1, since + 1
        _image_of(data, body, pairs, n, NEXT)
        steep = _product(numbers, points, n, NEXT, IMAGE)
        if not (left > 0.0 and steep > 0.0):
            break
        _sum_up(data, len(parent), loose, ties, -left / steep)
        _take_off(pairs, n, left / steep)
        _precondition(pairs, n, is_dense, IMAGE)
        before, left = left, _product(numbers, points, n, LEFT, IMAGE)
        for p in range(n):
            i = points[p]
            again = add(take3(numbers, i, IMAGE), scale(left / before, take3(numbers, i, NEXT)))
            keep3(numbers, i, NEXT, again)
    for own, saved in _SAVED:
        copy(data, saved, own, 3)
    for f in range(loose.used[0, 0]):
        keep3(loose.trial, f, CORRECTION, take3(loose.trial, f, RATE))
    return passes, filled, passes == _MOST and left > lost


@inlined
def _image_of(data, body, pairs, n, column):
    """Fill IMAGE of n points: a column, and what _respond has made of it."""
    for p in range(n):
        i = pairs.points[p]
        image = add(take3(pairs.numbers, i, column), gained_by_pair(data, body, pairs.ends, pairs.numbers, i))
        keep3(pairs.numbers, i, IMAGE, image)


@inlined
def _take_off(pairs, n, share):
    """Take a share of what a pass has found off what is left at n points."""
    numbers = pairs.numbers
    for p in range(n):
        i = pairs.points[p]
        keep3(numbers, i, LEFT, sub(take3(numbers, i, LEFT), scale(share, take3(numbers, i, IMAGE))))


@inlined
def _sum_up(data, n, loose, ties, share):
    """Add a share of what _respond has made of n bodies to the solve."""
    for own, saved in _SAVED:
        for i in range(n):  # what is in lanes without a body would only grow
            add3(data, i >> 3, saved + (i & 7), scale(share, get3(data, i >> 3, own + (i & 7))))
    for f in range(loose.used[0, 0]):
        total = add(take3(loose.trial, f, RATE), scale(share, take3(loose.trial, f, CORRECTION)))
        keep3(loose.trial, f, RATE, total)
    keep_gains(ties, 1.0, share)


@inlined
def resisted_by_pairs(data, shapes, pairs):
    """y . G y (N m/s2, per acceleration) of the accelerations y that the last solve has added between bodies."""
    total, body, ends, numbers = 0.0, shapes.body, pairs.ends, pairs.numbers
    for pair in range(pairs.counts[0, POINTED]):
        row = pairs.with_points[pair]
        for i in range(PAIR_SLOTS * row, PAIR_SLOTS * row + PAIR_SLOTS):
            if touches(pairs.marks, i):
                y = gained_by_pair(data, body, ends, numbers, i)
                total += dot(y, resisted(numbers, i, y))
    return total
