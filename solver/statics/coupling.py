# SPDX-License-Identifier: GPL-3.0-or-later
"""The tangent with pairs of bodies that push or hold each other, which couple the tree with itself and with others.

Of the tangent H + J^T k J, J being what brings two bodies together at a point along a direction, the tree's own has
A = H + 2 k of each body's own motion (see forces/leaning.py). What is too much is S^T k S, where S adds up what J
subtracts. So (A - S^T k S) x = b has x = A^-1 (b + S^T y) with (1/k - S A^-1 S^T) y = S A^-1 b, of one number for every
point (Woodbury); and it is positive definite exactly when A and that small matrix are. That A is so, is necessary.
"""

from ..contact.pairs import ARM_B, EQUATIONS, NEAR, PAIR_SLOTS
from ..contact.touch import ARM, NORMAL, OBSTACLE, RIGID
from ..guides.ties import APART, still_end, tied_stiffness
from ..machine.jit import inlined, subroutine
from ..math.memory import load3, store3, take3
from ..math.vectors import ZERO, add, cross, dot, scale, sub
from .tangent import factorise, solve

_AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))

#: Rows of S at most: three of each tie first, then one of each point. What is beyond resists as if what it touches, or
#: is tied to, stood still, twice as stiff.
_MOST = EQUATIONS


@subroutine
def factorise_coupled(bodies, world, work, shift):
    """As factorise of tangent.py, with pairs and ties."""
    leaning = world.leaning
    negative = factorise(bodies, work, shift)
    n = _tied_rows(world) + _list_pushing(world)
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
    """As solve of tangent.py, with pairs and ties as of the last factorisation."""
    leaning, n = world.leaning, world.leaning.points[0]
    given = leaning.moments[0]
    for i in range(len(given) if n > 0 else 0):
        store3(given, i, load3(moments, i))
    turn = solve(bodies, work, moments, result)
    if n == 0:
        return turn
    y = leaning.pairs.factor[EQUATIONS]
    for p in range(n):
        y[p] = _sum_moved(world, work, p)
    _substitute(leaning.pairs.whole, y, n)
    for p in range(n):
        _add_sum(bodies, world, work, p, y[p], given)
    return solve(bodies, work, given, result)


@inlined
def _tied_rows(world):
    return min(3 * len(world.loads.ties.body), _MOST)


@inlined
def _list_pushing(world):
    """List the points that resist, as many as are coupled; returns how many."""
    pairs, n, most = world.leaning.pairs, 0, _MOST - _tied_rows(world)
    for i in range(PAIR_SLOTS * pairs.counts[0, NEAR]):
        if pairs.marks[i, OBSTACLE] >= 0 and pairs.numbers[i, RIGID] > 0.0 and n < most:
            pairs.points[n] = i
            n += 1
    return n


@inlined
def _row(world, work, p):
    """Row p of S: two bodies, the arms (m) from their joints to where they are brought together, along which direction,
    and what resists there (N/m)."""
    tied = _tied_rows(world)
    if p < tied:
        ties, j = world.loads.ties, p // 3
        (e, here), (other, there) = still_end(ties, work, j, 0), still_end(ties, work, j, 1)
        k = tied_stiffness(ties.numbers, j, sub(sub(there, here), take3(ties.numbers, j, APART)))
        return ties.body[j, 0], ties.body[j, 1], e, other, _AXES[p % 3], k
    pairs, of, i = world.leaning.pairs, world.touching.shapes.body, world.leaning.pairs.points[p - tied]
    a, b = of[pairs.ends[i // PAIR_SLOTS, 0]], of[pairs.ends[i // PAIR_SLOTS, 1]]
    numbers = pairs.numbers
    arms = take3(numbers, i, ARM), take3(numbers, i, ARM_B)
    return a, b, arms[0], arms[1], take3(numbers, i, NORMAL), numbers[i, RIGID]


@inlined
def _sum_moved(world, work, p):
    """Row p of S times what the last solve has moved (m)."""
    a, b, e, other, n, _ = _row(world, work, p)
    one = add(load3(work.move, a), cross(load3(work.turn, a), e))
    return dot(add(one, add(load3(work.move, b), cross(load3(work.turn, b), other))), n)


@inlined
def _add_sum(bodies, world, work, p, share, moments):
    """Add to moments (n, 3) row p of S times a share (N)."""
    a, b, e, other, n, _ = _row(world, work, p)
    n = scale(share, n)
    _add_moments(bodies, work, a, e, n, moments)
    _add_moments(bodies, work, b, other, n, moments)


@inlined
def _add_moments(bodies, work, k, e, force, moments):
    """Add to moments those of a force at an arm from the joint of body k."""
    at = add(load3(work.position, k), e)
    while k >= 0:
        store3(moments, k, add(load3(moments, k), cross(sub(at, load3(work.position, k)), force)))
        k = bodies.parent[k]


@inlined
def _fill(bodies, world, work, n):
    """Fill whole (n, n) with 1/k - S A^-1 S^T."""
    whole, unit = world.leaning.pairs.whole, world.leaning.moments[1]
    for q in range(n):
        for i in range(len(unit)):
            store3(unit, i, ZERO)
        _add_sum(bodies, world, work, q, 1.0, unit)
        solve(bodies, work, unit, unit)
        for p in range(n):
            whole[p, q] = -_sum_moved(world, work, p)
        _, _, _, _, _, k = _row(world, work, q)
        whole[q, q] += 1.0 / max(k, 1e-300)


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
