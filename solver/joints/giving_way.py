# SPDX-License-Identifier: GPL-3.0-or-later
"""Energy of a spring that gives at most a certain moment.

A spring of stiffness A (N m/rad), a symmetric matrix, is in a row with one that yields: of the turn phi it is bent by
y, and slips by the rest, in the direction of the moment A y, which is then the largest one:

    A y = A (1 + slip A)^-1 phi,   |A y| = most,   phi - y = slip A y

Its energy y^T A y / 2 + most |phi - y| is the least of all y (the Moreau envelope, in one dimension Huber's function).
A moment A phi that is cut to its largest size has no energy where A is not the same in all directions; on no straight
way back does it give more than this.
"""

import math

from ..machine.jit import inlined
from ..math.symmetric import solved, sym_add, sym_root, sym_scale, sym_vec
from ..math.vectors import dot

#: The slip is found to this share of the largest moment; from below, where Newton's method converges from any start.
_EXACT, _MOST_ROUNDS = 1e-13, 30

_ONE = (1.0, 0.0, 0.0, 1.0, 0.0, 1.0)


@inlined
def yielding_energy(stiffness, turn, most):
    """Energy (J) of such a spring that is turned so (rad) and gives at most so much (N m)."""
    if not most > 0.0:
        return 0.0
    moment, slip = sym_vec(stiffness, turn), 0.0
    size = math.sqrt(dot(moment, moment))
    if size > most:
        root = sym_root(_ONE)
        for _ in range(_MOST_ROUNDS):
            softer = dot(moment, sym_vec(stiffness, solved(root, moment)))
            slip += (size / most - 1.0) * size * size / softer
            root = sym_root(sym_add(_ONE, sym_scale(slip, stiffness)))
            moment = sym_vec(stiffness, solved(root, turn))
            size = math.sqrt(dot(moment, moment))
            if size <= (1.0 + _EXACT) * most:
                break
    return 0.5 * (dot(moment, turn) + slip * dot(moment, moment))
