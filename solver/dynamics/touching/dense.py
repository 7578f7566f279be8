# SPDX-License-Identifier: GPL-3.0-or-later
"""The coupling of pairs with few points, known densely: where each pair by itself tells too little.

With G = S S of what resists at points, and W what all of them do to each other, (1 + W G) y = b has the solution
S y = (1 + S W S)^-1 S b. W and the factors of 1 + S W S are kept from one solve to the next of a frame, as what
preconditions conjugate gradients: they need not be those of the present. They are made anew where they serve badly.

A column of W is a unit force at a point, borne to the base and back along the ways only on which there are points
(Arnold 1996, 2.4.2). Of W (3 n, 3 n) the points are `responding`, in the order of the list of those that touch; factor
holds the upper triangle of Cholesky's factor and, in its last row, numbers of the present solve.
"""

import math

from ...contact.law import gained_at
from ...contact.pair_forces import push_pair
from ...contact.pairs import (
    ALL_JUST,
    ARM_B,
    BEFORE,
    DENSE,
    EQUATIONS,
    JUST,
    LEFT,
    MOST_DENSE,
    NEVER,
    PAIR_SLOTS,
    RESPONDING,
    SINCE,
)
from ...contact.touch import ARM, GRIP, NORMAL, RIGID, SLIP
from ...data import columns as col
from ...data.lanes import LANES, put3
from ...machine.jit import inlined, subroutine
from ...math.cholesky import factorise_upper, substitute
from ...math.memory import keep3, take3
from ...math.vectors import ZERO, add, dot, scale, sub
from ..articulated_body import accelerate, bias_over

#: Of so many points factors are made anew in each solve.
_FEW = 16

#: What has been dense begins so in so many frames, this one among them, before it is tried without.
_FRAMES = 8

_AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@subroutine
def make_dense(data, parent, loose, body, pairs, n):
    """Let W and its factors be of the n points that touch; returns whether they could be."""
    if n > MOST_DENSE:
        return False
    since = JUST if pairs.counts[0, RESPONDING] > 0 else ALL_JUST
    if not _is_of_points(pairs, n):
        _know(data, parent, loose, body, pairs, n)
        pairs.counts[0, SINCE] = NEVER
    if pairs.counts[0, SINCE] == NEVER:
        _fill(pairs, n)
        if not factorise_upper(pairs.factor, 3 * n):
            pairs.counts[0, RESPONDING] = 0
            return False
        pairs.counts[0, SINCE] = since
    return True


@inlined
def is_begun_dense(pairs):
    """Whether a solve begins densely. Factors of few points are its own: they take less time than a few passes."""
    if pairs.counts[0, SINCE] != NEVER:
        pairs.counts[0, SINCE] = NEVER if pairs.counts[0, RESPONDING] <= _FEW else BEFORE
    return pairs.counts[0, DENSE] > 0


@inlined
def serves_badly(pairs, is_dense):
    """Let the next be dense; or, where they are, made anew: the factors, and where those are new, all."""
    if not is_dense:
        pairs.counts[0, DENSE], pairs.counts[0, RESPONDING], pairs.counts[0, SINCE] = _FRAMES, 0, NEVER
    elif pairs.counts[0, SINCE] == BEFORE:
        pairs.counts[0, SINCE] = NEVER
    elif pairs.counts[0, SINCE] == JUST:
        pairs.counts[0, RESPONDING] = 0


@inlined
def _is_of_points(pairs, n):
    same = pairs.counts[0, RESPONDING] == n
    for p in range(n):
        same = same and pairs.responding[p] == pairs.points[p]
    return same


@inlined
def _know(data, parent, loose, body, pairs, n):
    """Let W be of the points that touch; what is known of those that did goes along."""
    known, whole, old = pairs.counts[0, RESPONDING], pairs.whole, pairs.factor
    for i in range(3 * known):
        for j in range(3 * known):
            old[i, j] = whole[i, j]
    _mark_ways(data, parent, body, pairs, n)
    for p in range(n):
        was_p = _where_known(pairs, known, pairs.points[p])
        for q in range(p + 1):
            was_q = _where_known(pairs, known, pairs.points[q])
            if was_p >= 0 and was_q >= 0:
                for c in range(3):
                    for d in range(3):
                        whole[3 * p + c, 3 * q + d] = old[3 * was_p + c, 3 * was_q + d]
                        whole[3 * q + d, 3 * p + c] = old[3 * was_q + d, 3 * was_p + c]
    for p in range(n):
        if _where_known(pairs, known, pairs.points[p]) < 0:
            last = _last_pushed(data, len(parent), body, pairs, pairs.points[p])
            for c in range(3):
                _push_alone(data, parent, loose, body, pairs, pairs.points[p], _AXES[c], last)
                for q in range(n):
                    if q < p and _where_known(pairs, known, pairs.points[q]) < 0:
                        continue  # it has been pushed itself
                    gained = _gained_in(data, body, pairs, pairs.points[q], pairs.points[p])
                    for d in range(3):
                        whole[3 * q + d, 3 * p + c] = gained[d]
                        whole[3 * p + c, 3 * q + d] = gained[d]
    for p in range(n):
        pairs.responding[p] = pairs.points[p]
    pairs.counts[0, RESPONDING] = n


@inlined
def _where_known(pairs, known, point):
    for p in range(known):
        if pairs.responding[p] == point:
            return p
    return -1


@inlined
def _mark_ways(data, parent, body, pairs, n):
    """Mark the bodies on the ways from n points to the base, each with the number of the tree it is of, from 1: what
    hangs on the base, which does not give way, or is loose is one of its own."""
    for b in range(len(data)):
        for lane in range(LANES):
            data[b, col.MOVED + lane] = 0.0
    for p in range(n):
        for end in range(2):
            i = body[pairs.ends[pairs.points[p] // PAIR_SLOTS, end]]
            while i >= 0 and data[i >> 3, col.MOVED + (i & 7)] == 0.0:
                data[i >> 3, col.MOVED + (i & 7)] = 1.0
                i = parent[i]
    for i in range(len(parent)):
        if _tree_of(data, i) != 0.0:
            data[i >> 3, col.MOVED + (i & 7)] = _tree_of(data, parent[i]) if parent[i] >= 0 else i + 1.0


@inlined
def _tree_of(data, i):
    """As _mark_ways has marked body i, 0 where it is on no way."""
    return data[i >> 3, col.MOVED + (i & 7)]


@inlined
def _trees_of(data, body, pairs, point):
    """The trees that a force at a point pushes."""
    row = point // PAIR_SLOTS
    return _tree_of(data, body[pairs.ends[row, 0]]), _tree_of(data, body[pairs.ends[row, 1]])


@inlined
def _last_pushed(data, n, body, pairs, point):
    """The last of n bodies that is of the trees that a force at a point pushes."""
    one, other = _trees_of(data, body, pairs, point)
    last = n - 1
    while _tree_of(data, last) not in (one, other):
        last -= 1
    return last


@inlined
def _push_alone(data, parent, loose, body, pairs, point, force, last):
    """What a force at a point does to the bodies on the ways, in the fields of a solve: to those of the two trees that
    it pushes, up to the last one. It is borne to the base along the ways from the point alone."""
    one, other = _trees_of(data, body, pairs, point)
    first = int(min(one, other)) - 1  # a tree begins with its root
    for i in range(first, last + 1):
        if _tree_of(data, i) in (one, other):
            b, lane = i >> 3, i & 7
            put3(data, b, col.PA_R + lane, ZERO)
            put3(data, b, col.PA_T + lane, ZERO)
            put3(data, b, col.SPRING + lane, ZERO)
    push_pair(data, body, pairs.ends, pairs.numbers, point, force)
    on, beside = body[pairs.ends[point // PAIR_SLOTS, 0]], body[pairs.ends[point // PAIR_SLOTS, 1]]
    while on >= 0 or beside >= 0:
        i = max(on, beside)
        bias_over(data, parent, loose, i)
        on, beside = parent[i] if on == i else on, parent[i] if beside == i else beside
    for i in range(first, last + 1):
        if _tree_of(data, i) in (one, other):
            accelerate(data, parent, loose, i)


@inlined
def _gained_in(data, body, pairs, q, pushed):
    """What the bodies of point q have gained by a force at a point that was pushed; nothing where none of them is of
    its trees."""
    ends, gained = pairs.ends, ZERO
    own = ends[q // PAIR_SLOTS]
    one, other = _trees_of(data, body, pairs, pushed)
    first, second = _trees_of(data, body, pairs, q)
    if first in (one, other):
        gained = gained_at(data, body[own[0]], take3(pairs.numbers, q, ARM))
    if second in (one, other):
        gained = sub(gained, gained_at(data, body[own[1]], take3(pairs.numbers, q, ARM_B)))
    return gained


@inlined
def _root_at(numbers, i):
    """S of point i: normal, direction of slip, and the roots of what resists along the normal and across it."""
    rigid, grip = math.sqrt(numbers[i, RIGID]), math.sqrt(numbers[i, GRIP])
    return take3(numbers, i, NORMAL), take3(numbers, i, SLIP), rigid, grip


@inlined
def _times_root(root, v):
    """S v."""
    n, t, rigid, grip = root
    along = dot(v, n)
    across = sub(v, scale(along, n))
    return add(scale(rigid * along, n), scale(grip, sub(across, scale(dot(across, t), t))))


@inlined
def _over_root(root, v):
    """S^-1 v where anything resists."""
    n, t, rigid, grip = root
    return _times_root((n, t, 1.0 / rigid if rigid > 0.0 else 0.0, 1.0 / grip if grip > 0.0 else 0.0), v)


@inlined
def _fill(pairs, n):
    """Fill factor with the upper triangle of 1 + S W S."""
    W, B = pairs.whole, pairs.factor
    for p in range(n):
        one = _root_at(pairs.numbers, pairs.points[p])
        for q in range(p, n):
            other = _root_at(pairs.numbers, pairs.points[q])
            for c in range(3):
                column = W[3 * p, 3 * q + c], W[3 * p + 1, 3 * q + c], W[3 * p + 2, 3 * q + c]
                column = _times_root(one, column)
                for d in range(3):
                    B[3 * p + d, 3 * q + c] = column[d]
            for d in range(3):
                keep3(B, 3 * p + d, 3 * q, _times_root(other, take3(B, 3 * p + d, 3 * q)))
    for i in range(3 * n):
        B[i, i] += 1.0


@subroutine
def solve_dense(pairs, n, into):
    """What would solve what is left at n points, did W and its factors tell all."""
    U, numbers, m = pairs.factor, pairs.numbers, 3 * n
    for p in range(n):
        i = pairs.points[p]
        keep3(U, EQUATIONS, 3 * p, _times_root(_root_at(numbers, i), take3(numbers, i, LEFT)))
    substitute(U, U, EQUATIONS, m)
    for p in range(n):
        i = pairs.points[p]
        keep3(numbers, i, into, _over_root(_root_at(numbers, i), take3(U, EQUATIONS, 3 * p)))
