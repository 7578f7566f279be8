# SPDX-License-Identifier: GPL-3.0-or-later
"""Ties: springs and dampers between points of two bodies, which close loops. They bear opposite forces.

A tie feeds energy where its strength changes, and nowhere else. What it resists an acceleration of one body against the
other by is not in the tree's inertias, see dynamics/closing.py, and is as large as one likes: rigid ones are so stiff
that nobody sees them give.
"""

import math
from typing import NamedTuple

import numpy as np

from ..base.arrays import Floats, Floats1, Floats2, Ints1, Ints2
from ..contact.pairs import EQUATIONS
from ..data import columns as col
from ..data.lanes import add3, get3, get9
from ..data.wrench import add_spring
from ..machine.jit import inlined
from ..math.matrices import mat_vec
from ..math.memory import keep3, load3, load9, store3, take3
from ..math.rotations import rotate
from ..math.vectors import add, cross, dot, scale, sub
from .giving import given_damping, given_energy, given_stiffness, gives_way

#: Columns of a tie's numbers: stiffness (N/m), damping (N s/m), one over the largest force (1/N), 1 where it is
#: rigid, how far apart (3) m it still holds, see apart.py, and by what the points are away (3, m) from where they are
#: on rods as drawn.
STIFFNESS, DAMPING, GIVES, RIGID, APART, MOVED, NUMBERS = 0, 1, 2, 3, 4, 7, 13


class Ties(NamedTuple):
    """body (t, 2) tied; point (t, 6) m: where, in the frame of each; numbers (t, 13) see above; held (t, 3) N: the
    force on the first one at the end of the last step; ways (t,): how many joints there are from both to the base"""

    body: Ints2
    point: Floats2
    numbers: Floats2
    held: Floats2
    ways: Ints1


class Tying(NamedTuple):
    """Ties of one plant in a frame: body, point and held as of Ties, numbers at both ends and at present.

    arms (t, 6) m: from the bodies' joints, world axes; resists (t,) kg: what accelerations between the points are
    resisted by, 0 where nothing ties; wants (t, 3) m/s2: what acceleration between them would make the force what it is
    held with; gains (t, 3) N: what the last solve has added to that
    Of the joints on the ways from tied bodies to the base, one row for each and each tie:
    rows (w, 2): what comes first on all ways, and the joint's body, or -1 - f for the shift of loose frame f
    bears (w, 24): moments (N m), or forces, that forces along the three axes have there, and what they turn it by
    ends (t, 2): the first row of each tie, and the one behind its last
    whole, factor (3 t, >= 3 t): what ties' forces do to each other, above the diagonal, and Cholesky's factor of
    it and of what resists, factored (t,) being that, -1 where it is not known; other (1, >= 3 t), borne (12, 4):
    scratch
    """

    body: Ints2
    point: Floats2
    before: Floats2
    after: Floats2
    now: Floats2
    held: Floats2
    arms: Floats2
    resists: Floats1
    wants: Floats2
    gains: Floats2
    rows: Ints2
    bears: Floats2
    ends: Ints2
    whole: Floats2
    factor: Floats2
    factored: Floats1
    other: Floats2
    borne: Floats2


def ways_of(ties: Ties, position: Floats, orientation: Floats) -> Floats:
    """(t, 3) m: from the first end of ties to the other, of bodies at position (n, 3) m and orientation (n, 4)."""
    first, second = (
        position[ties.body[:, end]]
        + rotate(
            orientation[ties.body[:, end]],
            ties.point[:, 3 * end : 3 * end + 3] + ties.numbers[:, MOVED + 3 * end : MOVED + 3 * end + 3],
        )
        for end in range(2)
    )
    return np.asarray(second - first)


@inlined
def ties_at(ties, s):
    """Fill the numbers of the present at the share s of a frame, linear in between."""
    for j in range(len(ties.body)):
        for c in range(NUMBERS):
            ties.now[j, c] = (1.0 - s) * ties.before[j, c] + s * ties.after[j, c]


@inlined
def steady_ties(ties):
    """Whether they are the same at both ends of the frame, so that they add no energy."""
    steady = True
    for j in range(len(ties.body)):
        for c in range(NUMBERS):
            steady = steady and ties.before[j, c] == ties.after[j, c]
    return steady


@inlined
def tied_stiffness(numbers, j, way):
    """Stiffness (N/m) with which tie j draws over a way back."""
    return given_stiffness(numbers[j, STIFFNESS], numbers[j, GIVES], math.sqrt(dot(way, way)))


@inlined
def _end(data, ties, j, end):
    """Place (m) and velocity (m/s) of an end of tie j, and its arm from the body's joint."""
    i = ties.body[j, end]
    b, lane = i >> 3, i & 7
    point = add(take3(ties.point, j, 3 * end), take3(ties.now, j, MOVED + 3 * end))
    e = mat_vec(get9(data, b, col.ROTATION + lane), point)
    velocity = add(get3(data, b, col.VELOCITY + lane), cross(get3(data, b, col.OMEGA + lane), e))
    return add(get3(data, b, col.POSITION + lane), e), velocity, e


@inlined
def tie_forces(data, ties, c1, c2):
    """Push bodies with what ties held with, and find out what more they want."""
    for j in range(len(ties.body)):
        here, speed, e = _end(data, ties, j, 0)
        there, other_speed, other = _end(data, ties, j, 1)
        way, held = sub(sub(there, here), take3(ties.now, j, APART)), load3(ties.held, j)
        stiffness, parts = tied_stiffness(ties.now, j, way), sub(other_speed, speed)
        damping, gives = ties.now[j, DAMPING], ties.now[j, GIVES]
        if gives_way(held, gives):
            stretch, pace = math.sqrt(dot(way, way)), math.sqrt(dot(parts, parts))
            damping += given_damping(ties.now[j, STIFFNESS], gives, stretch, pace)
        force = add(scale(stiffness, way), scale(damping, parts))
        resists = c1 * damping + c2 * stiffness
        keep3(ties.arms, j, 0, e)
        keep3(ties.arms, j, 3, other)
        ties.resists[j] = resists
        if resists > 0.0:
            store3(ties.wants, j, scale(1.0 / resists, sub(force, held)))
            for end in range(2):
                arm, sign = take3(ties.arms, j, 3 * end), -1.0 if end == 0 else 1.0
                b, lane = ties.body[j, end] >> 3, ties.body[j, end] & 7
                add3(data, b, col.PA_T + lane, scale(sign, held))
                add3(data, b, col.PA_R + lane, cross(arm, scale(sign, held)))


@inlined
def keep_tied(ties):
    """Keep what ties hold with where the step's last solve leads."""
    for j in range(len(ties.body)):
        if ties.resists[j] > 0.0:
            store3(ties.held, j, add(load3(ties.held, j), load3(ties.gains, j)))


@inlined
def still_end(ties, work, j, end):
    """Arm (m) of an end of tie j from the joint of its body, which stands still, and place."""
    i = ties.body[j, end]
    point = add(take3(ties.point, j, 3 * end), take3(ties.numbers, j, MOVED + 3 * end))
    e = mat_vec(load9(work.rotation, i), point)
    return e, add(load3(work.position, i), e)


@inlined
def coupled_ties(ties, rows):
    """How many of the ties, which come first, statics/coupling.py couples in so many rows."""
    return min(len(ties.body), rows // 3)


@inlined
def still_ties(world, work):
    """Ties between bodies that stand still, rigid ones with a spring's force besides what they held with. What they
    resist with statics/coupling.py knows; tangents have only of those that it has no room for the double of what
    resists own motions."""
    ties = world.loads.ties
    coupled = coupled_ties(ties, EQUATIONS)
    for j in range(len(ties.body)):
        (e, here), (other, there) = still_end(ties, work, j, 0), still_end(ties, work, j, 1)
        way = sub(sub(there, here), take3(ties.numbers, j, APART))
        k = tied_stiffness(ties.numbers, j, way)
        force = scale(k, way)
        if ties.numbers[j, RIGID] > 0.0:
            force = add(force, load3(ties.held, j))
        alone = 2.0 * k if j >= coupled else 0.0
        K = (alone, 0.0, 0.0, alone, 0.0, alone)
        add_spring(work, ties.body[j, 0], e, force, K)
        add_spring(work, ties.body[j, 1], other, scale(-1.0, force), K)


@inlined
def tie_energy(data, ties):
    """Energy (J) of the ties' springs, after energy_at."""
    energy = 0.0
    for j in range(len(ties.body)):
        here, _, _ = _end(data, ties, j, 0)
        there, _, _ = _end(data, ties, j, 1)
        way = sub(sub(there, here), take3(ties.now, j, APART))
        energy += given_energy(ties.now[j, STIFFNESS], ties.now[j, GIVES], math.sqrt(dot(way, way)))
    return energy
