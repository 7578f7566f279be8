# SPDX-License-Identifier: GPL-3.0-or-later
"""What a spring of stiffness A (N m/rad), a symmetric matrix, gives that gives at most a certain moment.

It is one spring in a row with one that yields: of the turn phi it is bent by y, and slips by the rest, in the direction
of the moment A y, which is then the largest one:

    m = A y = (A^-1 + slip)^-1 phi,   |m| = most,   phi - y = slip m

Its energy y^T A y / 2 + most |phi - y| is the least of all y (the Moreau envelope, in one dimension Huber's function),
and m its gradient, so that what gives way feeds no energy however it is turned. A moment that is only cut to its
largest size has no energy where A is not the same in all directions.
"""

import math

from ..machine.jit import inlined
from ..math.symmetric import solved, sym_add, sym_root, sym_scale, sym_vec
from ..math.vectors import ZERO, dot

#: The slip is found to this share of the largest moment; from below, where Newton's method converges from any start.
_EXACT, _MOST_ROUNDS = 1e-13, 30

ONE = (1.0, 0.0, 0.0, 1.0, 0.0, 1.0)


@inlined
def yielding(stiffness, turn, most):
    """Moment (N m), what it grows by with the turn (N m/rad) and how it slips (rad / N m) of a spring turned so (rad).
    """
    if not most > 0.0:
        return ZERO, sym_scale(0.0, stiffness), 0.0
    moment, softer, slip = sym_vec(stiffness, turn), stiffness, 0.0
    size = math.sqrt(dot(moment, moment))
    if size > most:
        for _ in range(_MOST_ROUNDS):
            slip += (size / most - 1.0) * size * size / dot(moment, sym_vec(softer, moment))
            root = sym_root(sym_add(ONE, sym_scale(slip, stiffness)))
            moment = sym_vec(stiffness, solved(root, turn))
            softer = _softer(root, slip)
            size = math.sqrt(dot(moment, moment))
            if size <= (1.0 + _EXACT) * most:
                break
    return moment, softer, slip


@inlined
def _softer(root, slip):
    """(A^-1 + slip)^-1 = (1 - (1 + slip A)^-1) / slip, with the root of 1 + slip A."""
    x, y, z = solved(root, (1.0, 0.0, 0.0)), solved(root, (0.0, 1.0, 0.0)), solved(root, (0.0, 0.0, 1.0))
    return sym_scale(1.0 / slip, (1.0 - x[0], -x[1], -x[2], 1.0 - y[1], -y[2], 1.0 - z[2]))


@inlined
def yielding_energy(turn, moment, slip):
    """Energy (J) of that spring."""
    return 0.5 * (dot(moment, turn) + slip * dot(moment, moment))


@inlined
def share_that_fits(given, more, most):
    """The largest share of more, at most 1, which together with what is given is no longer than most (N m), or than
    what is given."""
    a, b = dot(more, more), dot(given, more)
    room = max(0.0, most * most - dot(given, given))
    if a + 2.0 * b <= room:
        return 1.0
    root = math.sqrt(b * b + a * room)
    return room / (root + b) if b > 0.0 else (root - b) / a
