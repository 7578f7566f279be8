# SPDX-License-Identifier: GPL-3.0-or-later
"""Solves with pairs in heaps: of many points that touch, all of them between loose bodies that carry no others.

H is made of blocks of single bodies then, and with what resists at points H + J^T G J = D + L + L^T: D is what resists
a body while all others stand still, L what the acceleration of one pushes a later one with. Conjugate gradients find x,
preconditioned by a sweep on and one back, (D + L) D^-1 (D + L^T) (symmetric Gauss-Seidel), and need no products besides
these sweeps (Eisenstat 1981): with t = (D + L^T)^-1 q, what t takes, swept on, is t + v, v = (D + L)^-1 L^T t.

A body's vectors are a turn and a shift, or moment and force, about its joint in world axes.
"""

from ...contact.law import resistance
from ...contact.pairs import (
    ARM_B,
    BODY,
    FORCE_LEFT,
    FOUND,
    GAIN_LEFT,
    GAINS,
    GIVES,
    LEFT,
    MOVES,
    PAIR_SLOTS,
    PLACE,
    PUSHED,
    SWEPT,
    TAKES,
    TURNS,
    WAY,
    YIELDS,
)
from ...contact.touch import ARM, RIGID
from ...data import columns as col
from ...data.implicit import add_point
from ...data.lanes import LANES, add3, get3, get6, get9, put3
from ...joints.loose import CORRECTION
from ...machine.jit import inlined, subroutine
from ...math.matrices import mat_t_vec, mat_vec
from ...math.memory import keep3, keep6, keep9, take3, take6, take9
from ...math.symmetric import sym_add, sym_inverse, sym_mat, sym_vec
from ...math.vectors import ZERO, add, cross, dot, scale, sub
from ..articulated_body import reduced_tt

#: What resists at a point (6, a symmetric matrix), where other solves have vectors.
_RESISTS = LEFT


@subroutine
def bodies_in_heap(data, parent, body, pairs, n):
    """List the bodies that n points touch. Returns how many there are, 0 where one is held or carries others."""
    heap, ends, points = pairs.heap, pairs.ends, pairs.points
    for b in range(len(data)):
        for lane in range(LANES):
            data[b, col.MOVED + lane] = 0.0
    for i in range(len(parent)):
        if parent[i] >= 0:
            data[parent[i] >> 3, col.MOVED + (parent[i] & 7)] = 1.0
    for p in range(n):
        for end in range(2):
            i = body[ends[points[p] // PAIR_SLOTS, end]]
            if parent[i] >= -1 or data[i >> 3, col.MOVED + (i & 7)] == 1.0:
                return 0
            data[i >> 3, col.MOVED + (i & 7)] = -1.0
    count = 0
    for k in range(len(body)):
        i = body[k]
        if data[i >> 3, col.MOVED + (i & 7)] == -1.0:
            if k == 0 or body[k - 1] != i:
                heap[count, BODY] = i
                count += 1
            heap[k, PLACE] = count - 1
    return count


@subroutine
def solve_heap(data, loose, parent, pairs, n, count, left_over, enough, most):
    """Correct the solve just made, which knew nothing of what resists at n points between the bodies that are listed,
    in at most so many passes. Returns their number. left_over, enough: as of couple."""
    sweeps, passes, resists = pairs.sweeps, 0, 0.0
    for p in range(n):
        resists += pairs.numbers[pairs.points[p], RIGID]
    _begin(data, pairs, n, count)
    _sweep_on(pairs, n, count)
    left = _correct(sweeps, count, -1.0)
    least = max(left_over * left_over * left, enough * enough * resists)
    _lead(sweeps, count, 0.0)
    while left > least and passes < most:
        _sweep_back(pairs, n, count)
        steep, passes = _sweep_on(pairs, n, count), passes + 1
        if not steep > 0.0:
            break
        before, left = left, _correct(sweeps, count, left / steep)
        _lead(sweeps, count, left / before)
    _finish(data, loose, parent, pairs, n, count)
    return passes + 1


@inlined
def _begin(data, pairs, n, count):
    """Factorise D, and let the forces be what is swept on first, with nothing found."""
    heap, ends, numbers, sweeps = pairs.heap, pairs.ends, pairs.numbers, pairs.sweeps
    for p in range(n):
        i = pairs.points[p]
        G = resistance(numbers, i)
        keep6(numbers, i, _RESISTS, G)
        for end in range(2):
            which = heap[heap[ends[i // PAIR_SLOTS, end], PLACE], BODY]
            add_point(data, which >> 3, which & 7, take3(numbers, i, ARM if end == 0 else ARM_B), G)
    for k in range(count):
        b, lane = heap[k, BODY] >> 3, heap[k, BODY] & 7
        IA_rt = get9(data, b, col.IA_RT + lane)
        turns = sym_inverse(sym_add(get6(data, b, col.IA_RR + lane), get6(data, b, col.IMPLICIT + lane)))
        gives = sym_mat(turns, IA_rt)
        keep6(sweeps, k, TURNS, turns)
        keep9(sweeps, k, GIVES, gives)
        keep6(sweeps, k, YIELDS, sym_inverse(reduced_tt(get6(data, b, col.IA_TT + lane), IA_rt, gives)))
        for c in range(FOUND, SWEPT):
            sweeps[k, c] = 0.0
        keep3(sweeps, k, PUSHED, get3(data, b, col.SPRING + lane))
        keep3(sweeps, k, PUSHED + 3, scale(-1.0, get3(data, b, col.PA_T + lane)))


@inlined
def _accelerated(sweeps, k, moment, force):
    """D^-1 times moment and force on a body of the list."""
    gives, turn = take9(sweeps, k, GIVES), sym_vec(take6(sweeps, k, TURNS), moment)
    shift = sym_vec(take6(sweeps, k, YIELDS), sub(force, mat_t_vec(gives, moment)))
    return sub(turn, mat_vec(gives, shift)), shift


@inlined
def _resisted(pairs, i, k, column, arm):
    """Force that point i, at an arm of body k of the list, sets against a column of accelerations."""
    moved = add(take3(pairs.sweeps, k, column + 3), cross(take3(pairs.sweeps, k, column), arm))
    return sym_vec(take6(pairs.numbers, i, _RESISTS), moved)


@subroutine
def _sweep_back(pairs, n, count):
    """Fill MOVES with t = (D + L^T)^-1 q, q the way, PUSHED with L^T t and TAKES with D t."""
    heap, ends, numbers, sweeps, p = pairs.heap, pairs.ends, pairs.numbers, pairs.sweeps, n - 1
    for k in range(count - 1, -1, -1):
        moment, force = ZERO, ZERO
        while p >= 0 and heap[ends[pairs.points[p] // PAIR_SLOTS, 0], PLACE] == k:
            i = pairs.points[p]
            f = _resisted(pairs, i, heap[ends[i // PAIR_SLOTS, 1], PLACE], MOVES, take3(numbers, i, ARM_B))
            moment, force = add(moment, cross(take3(numbers, i, ARM), f)), add(force, f)
            p -= 1
        keep3(sweeps, k, PUSHED, scale(-1.0, moment))
        keep3(sweeps, k, PUSHED + 3, scale(-1.0, force))
        moment, force = add(moment, take3(sweeps, k, WAY)), add(force, take3(sweeps, k, WAY + 3))
        keep3(sweeps, k, TAKES, moment)
        keep3(sweeps, k, TAKES + 3, force)
        turn, shift = _accelerated(sweeps, k, moment, force)
        keep3(sweeps, k, MOVES, turn)
        keep3(sweeps, k, MOVES + 3, shift)


@subroutine
def _sweep_on(pairs, n, count):
    """Fill GAINS with t + v, v = (D + L)^-1 of what is pushed, and add D v to TAKES. Returns q . (t + v)."""
    heap, ends, numbers, sweeps, p, steep = pairs.heap, pairs.ends, pairs.numbers, pairs.sweeps, 0, 0.0
    for k in range(count):
        moment, force = take3(sweeps, k, PUSHED), take3(sweeps, k, PUSHED + 3)
        turn, shift = _accelerated(sweeps, k, moment, force)
        keep3(sweeps, k, PUSHED, turn)
        keep3(sweeps, k, PUSHED + 3, shift)
        while p < n and heap[ends[pairs.points[p] // PAIR_SLOTS, 0], PLACE] == k:
            i = pairs.points[p]
            later, f = heap[ends[i // PAIR_SLOTS, 1], PLACE], _resisted(pairs, i, k, PUSHED, take3(numbers, i, ARM))
            _add3(sweeps, later, PUSHED, cross(take3(numbers, i, ARM_B), f))
            _add3(sweeps, later, PUSHED + 3, f)
            p += 1
        _add3(sweeps, k, TAKES, moment)
        _add3(sweeps, k, TAKES + 3, force)
        turn, shift = add(turn, take3(sweeps, k, MOVES)), add(shift, take3(sweeps, k, MOVES + 3))
        keep3(sweeps, k, GAINS, turn)
        keep3(sweeps, k, GAINS + 3, shift)
        steep += dot(turn, take3(sweeps, k, WAY)) + dot(shift, take3(sweeps, k, WAY + 3))
    return steep


@inlined
def _add3(sweeps, k, column, a):
    keep3(sweeps, k, column, add(take3(sweeps, k, column), a))


@inlined
def _correct(sweeps, count, share):
    """Go a share of the way. Returns what is left, by D."""
    left = 0.0
    for k in range(count):
        for c in range(6):
            sweeps[k, FOUND + c] += share * sweeps[k, MOVES + c]
            sweeps[k, GAIN_LEFT + c] -= share * sweeps[k, GAINS + c]
            sweeps[k, FORCE_LEFT + c] -= share * sweeps[k, TAKES + c]
            left += sweeps[k, GAIN_LEFT + c] * sweeps[k, FORCE_LEFT + c]
    return left


@inlined
def _lead(sweeps, count, share):
    """Let the way be what is left, and this share of what it was."""
    for k in range(count):
        for c in range(6):
            sweeps[k, WAY + c] = sweeps[k, FORCE_LEFT + c] + share * sweeps[k, WAY + c]


@inlined
def _finish(data, loose, parent, pairs, n, count):
    """Let what was found be the solve's accelerations, and the joints' torques those that it takes."""
    heap, ends, numbers, sweeps = pairs.heap, pairs.ends, pairs.numbers, pairs.sweeps
    for k in range(count):
        i = heap[k, BODY]
        turn, shift = take3(sweeps, k, FOUND), take3(sweeps, k, FOUND + 3)
        put3(data, i >> 3, col.X_R + (i & 7), turn)
        put3(data, i >> 3, col.CORRECTION + (i & 7), turn)
        put3(data, i >> 3, col.X_T + (i & 7), shift)
        keep3(loose.trial, -2 - parent[i], CORRECTION, shift)
    for p in range(n):
        i = pairs.points[p]
        one, other = heap[ends[i // PAIR_SLOTS, 0], PLACE], heap[ends[i // PAIR_SLOTS, 1], PLACE]
        arm, arm_b = take3(numbers, i, ARM), take3(numbers, i, ARM_B)
        f = sub(_resisted(pairs, i, one, FOUND, arm), _resisted(pairs, i, other, FOUND, arm_b))
        b, lane = heap[one, BODY] >> 3, heap[one, BODY] & 7
        add3(data, b, col.SPRING + lane, cross(f, arm))
        b, lane = heap[other, BODY] >> 3, heap[other, BODY] & 7
        add3(data, b, col.SPRING + lane, cross(arm_b, f))
