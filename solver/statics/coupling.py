# SPDX-License-Identifier: GPL-3.0-or-later
"""The tangent with pairs of bodies that push or hold each other, which couple the tree with itself and with others.

With S, which adds up how two bodies move at a point, or takes the one from the other, the tangent is A + S^T W S of a
tree's tangent A. For ties S subtracts, W is their stiffness k, and A knows nothing of them. For points that push S
adds up and W is -k, for A has 2 k of each body's own motion (see forces/leaning.py): that much is too much. So the
tangent times x is b where x = A^-1 (b - S^T y) with C y = S A^-1 b and C = 1/W + S A^-1 S^T, of one number for every
point (Woodbury). It is positive definite exactly when A and C together have as many positive eigenvalues as unknowns
and ties' rows (the inertia of the matrix of both, found either way: Haynsworth 1968).
"""

import math

from ..base.arrays import Floats2
from ..contact.pairs import ARM_B, EQUATIONS, NEAR, PAIR_SLOTS
from ..contact.touch import ARM, NORMAL, OBSTACLE, RIGID
from ..guides.ties import APART, coupled_ties, still_end, tied_stiffness
from ..machine.jit import inlined, kernel
from ..math.memory import load3, store3, take3
from ..math.vectors import ZERO, add, cross, dot, scale, sub
from ..model.model import Bodies
from .tangent import StillWorld, Tangent, factorise, solve

_AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))

#: Rows of S at most: three of each tie first, then one of each point. What is beyond resists as if what it touches, or
#: is tied to, stood still, twice as stiff.
_MOST = EQUATIONS


@kernel
def factorise_coupled(bodies: Bodies, world: StillWorld, work: Tangent, shift: float) -> int:
    """As factorise of tangent.py, with pairs and ties."""
    leaning = world.leaning
    negative = factorise(bodies, work, shift)
    tied = _tied_rows(world)
    n = tied + _list_pushing(world)
    leaning.points[0] = 0
    if n == 0:
        return negative
    _fill(bodies, world, work, n)
    positive = _eliminate(leaning.pairs.whole, n)
    if positive < 0:
        return negative + 1
    leaning.points[0] = n
    return abs(negative + positive - tied)


@kernel
def solve_coupled(bodies: Bodies, world: StillWorld, work: Tangent, moments: Floats2, result: Floats2) -> float:
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
        y[p] = _moved(world, work, p)
    _substitute(leaning.pairs.whole, y, n)
    for p in range(n):
        _add_forces(bodies, world, work, p, -y[p], given)
    return solve(bodies, work, given, result)


@inlined
def _tied_rows(world):
    return 3 * coupled_ties(world.loads.ties, _MOST)


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
    """Row p of S: two bodies, the arms (m) from their joints to where they are, along which direction, the sign of the
    second, and 1/W (m/N)."""
    tied = _tied_rows(world)
    if p < tied:
        ties, j = world.loads.ties, p // 3
        (e, here), (other, there) = still_end(ties, work, j, 0), still_end(ties, work, j, 1)
        k = tied_stiffness(ties.numbers, j, sub(sub(there, here), take3(ties.numbers, j, APART)))
        return ties.body[j, 0], ties.body[j, 1], e, other, _AXES[p % 3], -1.0, 1.0 / max(k, 1e-300)
    pairs, of, i = world.leaning.pairs, world.touching.shapes.body, world.leaning.pairs.points[p - tied]
    a, b = of[pairs.ends[i // PAIR_SLOTS, 0]], of[pairs.ends[i // PAIR_SLOTS, 1]]
    numbers = pairs.numbers
    arms = take3(numbers, i, ARM), take3(numbers, i, ARM_B)
    return a, b, arms[0], arms[1], take3(numbers, i, NORMAL), 1.0, -1.0 / max(numbers[i, RIGID], 1e-300)


@inlined
def _moved(world, work, p):
    """Row p of S times what the last solve has moved (m)."""
    a, b, e, other, n, sign, _ = _row(world, work, p)
    one = add(load3(work.move, a), cross(load3(work.turn, a), e))
    return dot(add(one, scale(sign, add(load3(work.move, b), cross(load3(work.turn, b), other)))), n)


@inlined
def _add_forces(bodies, world, work, p, share, moments):
    """Add to moments (n, 3) row p of S times a share (N)."""
    a, b, e, other, n, sign, _ = _row(world, work, p)
    _add_moments(bodies, work, a, e, scale(share, n), moments)
    _add_moments(bodies, work, b, other, scale(sign * share, n), moments)


@inlined
def _add_moments(bodies, work, k, e, force, moments):
    """Add to moments those of a force at an arm from the joint of body k."""
    at = add(load3(work.position, k), e)
    while k >= 0:
        store3(moments, k, add(load3(moments, k), cross(sub(at, load3(work.position, k)), force)))
        k = bodies.parent[k]


@inlined
def _fill(bodies, world, work, n):
    """Fill whole (n, n) with C."""
    whole, unit = world.leaning.pairs.whole, world.leaning.moments[1]
    for q in range(n):
        for i in range(len(unit)):
            store3(unit, i, ZERO)
        _add_forces(bodies, world, work, q, 1.0, unit)
        solve(bodies, work, unit, unit)
        for p in range(n):
            whole[p, q] = _moved(world, work, p)
        _, _, _, _, _, _, gives = _row(world, work, q)
        whole[q, q] += gives


@inlined
def _eliminate(B, n):
    """Make of B (n, n) its triangular factors, of which the upper one is in and above the diagonal. Returns how many
    pivots are positive, -1 where they are of no use."""
    positive = 0
    for k in range(n):
        if not (B[k, k] != 0.0 and math.isfinite(B[k, k])):
            return -1
        positive += 1 if B[k, k] > 0.0 else 0
        for i in range(k + 1, n):
            share = B[i, k] / B[k, k]
            B[i, k] = share
            for j in range(k + 1, n):
                B[i, j] -= share * B[k, j]
    return positive


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
