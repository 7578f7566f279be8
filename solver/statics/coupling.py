# SPDX-License-Identifier: GPL-3.0-or-later
"""The tangent with pairs of bodies that push each other, which couple the tree with itself and with others.

Of the tangent H + J^T k J, J being what brings two bodies together at a point along its normal, the tree's own has
A = H + 2 k of each body's own motion (see forces/leaning.py). What is too much is S^T k S, where S adds up what J
subtracts. So (A - S^T k S) x = b has x = A^-1 (b + S^T y) with (1/k - S A^-1 S^T) y = S A^-1 b, of one number for every
point (Woodbury); and it is positive definite exactly when A and that small matrix are. That A is so, is necessary.
"""

from ..contact.pairs import ARM_B, EQUATIONS, NEAR, PAIR_SLOTS
from ..contact.touch import ARM, NORMAL, OBSTACLE, RIGID
from ..forces.leaning import moved_between
from ..machine.jit import inlined, subroutine
from ..math.memory import load3, store3, take3
from ..math.vectors import ZERO, add, cross, dot, scale, sub
from .tangent import factorise, solve

#: Points that are coupled at most. Those beyond resist as if what they touch stood still, twice as stiff.
_MOST = EQUATIONS


@subroutine
def factorise_coupled(bodies, world, work, shift):
    """As factorise of tangent.py, with pairs."""
    leaning = world.leaning
    negative = factorise(bodies, work, shift)
    n = _list_pushing(leaning.pairs)
    leaning.points[0] = 0
    if negative > 0 or n == 0:
        return negative
    _fill(bodies, world, work, n)
    negative = _eliminate(leaning.pairs.whole, n)
    if negative == 0:
        leaning.points[0] = n
    return negative


@subroutine
def solve_coupled(bodies, world, work, moments, result):
    """As solve of tangent.py, with pairs as of the last factorisation."""
    leaning, n = world.leaning, world.leaning.points[0]
    given, of = leaning.moments[0], world.touching.shapes.body
    for i in range(len(given) if n > 0 else 0):
        store3(given, i, load3(moments, i))
    turn = solve(bodies, work, moments, result)
    if n == 0:
        return turn
    pairs = leaning.pairs
    y = pairs.factor[EQUATIONS]
    for p in range(n):
        y[p] = _sum_moved(pairs, of, work, pairs.points[p])
    _substitute(pairs.whole, y, n)
    for p in range(n):
        _add_sum(bodies, pairs, of, work, pairs.points[p], y[p], given)
    return solve(bodies, work, given, result)


@inlined
def _list_pushing(pairs):
    """List the points that resist, as many as are coupled; returns how many."""
    n = 0
    for i in range(PAIR_SLOTS * pairs.counts[0, NEAR]):
        if pairs.marks[i, OBSTACLE] >= 0 and pairs.numbers[i, RIGID] > 0.0 and n < _MOST:
            pairs.points[n] = i
            n += 1
    return n


@inlined
def _sum_moved(pairs, of, work, i):
    """The row of S of point i times what the last solve has moved (m)."""
    one, other = moved_between(work, of, pairs.ends, pairs.numbers, i)
    return dot(add(one, other), take3(pairs.numbers, i, NORMAL))


@inlined
def _add_sum(bodies, pairs, of, work, i, share, moments):
    """Add to moments (n, 3) the row of S of point i times a share (N)."""
    n, row = scale(share, take3(pairs.numbers, i, NORMAL)), i // PAIR_SLOTS
    for end in range(2):
        k = of[pairs.ends[row, end]]
        at = add(load3(work.position, k), take3(pairs.numbers, i, ARM if end == 0 else ARM_B))
        while k >= 0:
            store3(moments, k, add(load3(moments, k), cross(sub(at, load3(work.position, k)), n)))
            k = bodies.parent[k]


@inlined
def _fill(bodies, world, work, n):
    """Fill whole (n, n) with 1/k - S A^-1 S^T."""
    pairs, of, unit = world.leaning.pairs, world.touching.shapes.body, world.leaning.moments[1]
    for q in range(n):
        for i in range(len(unit)):
            store3(unit, i, ZERO)
        _add_sum(bodies, pairs, of, work, pairs.points[q], 1.0, unit)
        solve(bodies, work, unit, unit)
        for p in range(n):
            pairs.whole[p, q] = -_sum_moved(pairs, of, work, pairs.points[p])
        pairs.whole[q, q] += 1.0 / pairs.numbers[pairs.points[q], RIGID]


@inlined
def _eliminate(B, n):
    """Make of B (n, n) its triangular factors, of which the upper one is in and above the diagonal. Returns how many
    pivots are not positive, after the first of which they are of no use."""
    for k in range(n):
        if not B[k, k] > 0.0:
            return 1
        for i in range(k + 1, n):
            share = B[i, k] / B[k, k]
            B[i, k] = share
            for j in range(k + 1, n):
                B[i, j] -= share * B[k, j]
    return 0


@inlined
def _substitute(B, y, n):
    """Solve for y (n,) in place with the factors."""
    for i in range(n):
        for j in range(i):
            y[i] -= B[i, j] * y[j]
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            y[i] -= B[i, j] * y[j]
        y[i] /= B[i, i]
