# SPDX-License-Identifier: GPL-3.0-or-later
"""Steps towards equilibrium that know which points will touch where they lead.

Contacts are one-sided springs. With those that touch now alone a step would let others come deep, or hold back those
that part; and were each to stop it, a plant that comes down on hundreds of points would take thousands of steps. So the
model whose least the step leads to, with one-sided springs on a gap that changes evenly along it, is solved as it is:
points are taken to touch or not, and those that would do otherwise are taken to do that, until all do what they were
taken to (the primal-dual active set method of Hintermueller, Ito and Kunisch 2002, a semismooth Newton's method).
"""

import math

from ..contact.past import is_left_alone
from ..contact.touch import ALONG, APART, ARM, GAP, NORMAL, OBSTACLE, SLOTS, STATUS
from ..forces.leaning import expect_no_pairs, expects_pairs_anew
from ..forces.resting import LANDS, LEAVES
from ..machine.jit import subroutine
from ..math.matrices import mat_vec
from ..math.memory import load3, load9, store3, take3
from ..math.vectors import add, cross, dot, scale
from .coupling import factorise_coupled, solve_coupled
from .nearing import step_over_room, way_over_room
from .tangent import balance

#: Farthest turn of a body in one step towards equilibrium, rad.
FARTHEST = 0.3

#: So often at most points are taken to do otherwise.
_MOST = 12


@subroutine
def land(bodies, q, world, work, shift, drag, follows, step):
    """Fill step (n, 3 of 4, world axes) with the answer of the tangent, factorised with the shift, to the gradient and,
    where it follows another step, to shift times that one's drag (n, 3 of 4, the bodies' frames), with the points that
    touch where it leads.

    Returns its turn (rad) and how many times it is as long as there is room, infinite where no points were found that
    do what they were taken to. Gradient and tangents are afterwards what they were.
    """
    turn, more = _answer(work, bodies, world, shift, drag, follows, step), 0
    far = way_over_room(world, work)
    while turn <= FARTHEST and far <= 1.0 and _expects_anew(world, work):
        balance(bodies, q, world, work, False)
        factorise_coupled(bodies, world, work, shift)
        turn = _answer(work, bodies, world, shift, drag, follows, step)
        far = way_over_room(world, work)
        more += 1
        if more == _MOST:
            far = math.inf
    if more > 0:
        _expect_nothing(world)
        balance(bodies, q, world, work, False)
    return turn, max(far, step_over_room(world, work))


@subroutine
def _answer(work, bodies, world, shift, drag, follows, step):
    for i in range(len(step)):
        moment = load3(work.gradient, i)
        if follows:
            moment = add(moment, mat_vec(load9(work.rotation, i), scale(shift, load3(drag, i))))
        store3(step, i, scale(-1.0, moment))
    return solve_coupled(bodies, world, work, step, step)


@subroutine
def _expects_anew(world, work):
    """Take points to do what they would after the last solve's step. Returns whether any was taken to do otherwise."""
    touching, changes = world.touching, expects_pairs_anew(world, work)
    for near in range(touching.counts[0]):
        k = touching.near[near]
        i = touching.shapes.body[k]
        turn, move = load3(work.turn, i), load3(work.move, i)
        for p in range(SLOTS * k, SLOTS * k + SLOTS):
            if touching.marks[p, OBSTACLE] < 0:
                break
            gap, j = touching.numbers[p, GAP], touching.marks[p, OBSTACLE]
            if is_left_alone(touching.left_alone, k, j, touching.numbers[p, ALONG]):
                continue
            was = touching.marks[p, STATUS]
            touches = was == LANDS or (was != LEAVES and gap < 0.0)
            moved = add(move, cross(turn, take3(touching.numbers, p, ARM)))
            will = gap + dot(moved, take3(touching.numbers, p, NORMAL)) < 0.0
            touching.marks[p, STATUS] = LANDS if will else LEAVES
            changes = changes or will != touches
    return changes


@subroutine
def _expect_nothing(world):
    """Let points touch again that are inside."""
    touching = world.touching
    expect_no_pairs(world.leaning.pairs)
    for near in range(touching.counts[0]):
        k = touching.near[near]
        for p in range(SLOTS * k, SLOTS * k + SLOTS):
            touching.marks[p, STATUS] = APART
