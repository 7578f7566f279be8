# SPDX-License-Identifier: GPL-3.0-or-later
"""Hall's chain algorithm over a tree of pseudo-rigid-body elements, in O(n^2) and in O(n).

A sweep visits the elements from the root to the tips. Each is bent by the loads of its subtree, which follows it
rigidly before the next is visited (Hall 2013, algorithms 3.1 and 4.1). Elements are in depth-first order, so that
element i's subtree is i .. last[i] - 1.
"""

import math
from typing import NamedTuple

from ..base.arrays import Floats2
from ..machine.jit import inlined, kernel
from ..math.matrices import mat_add, mat_mul, mat_t_vec, mat_vec, outer
from ..math.memory import load3, load4, load9, store3, store4, store9
from ..math.quaternions import quat_conj, quat_exp, quat_log, quat_mat, quat_mul, quat_unit
from ..math.vectors import ZERO, add, cross, dot, scale, sub
from .element import (
    Chain,
    Pose,
    column,
    moment_of,
    spring_share,
    transform_element,
    turned,
    update_element,
    update_ends,
    walk,
)

_ZERO9 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


class Sums(NamedTuple):
    """Sums over subtrees, and how far an element has been carried in this sweep (O(n) form only).

    force, torque (n, 3); PF (n, 9): sum of P F^T; turn (n, 4), shift (n, 3): point -> turn(point) + shift
    """

    force: Floats2
    torque: Floats2
    PF: Floats2
    turn: Floats2
    shift: Floats2


@inlined
def _motion_of_tip(pose, i, tip, tail):
    """How the tip of element i has moved from a former frame and place: turn and shift."""
    turn = quat_unit(quat_mul(load4(pose.tip, i), quat_conj(tip)))
    return turn, sub(load3(pose.tail, i), turned(turn, tail))


@inlined
def sweep_direct(chain, pose, share, cautious):
    """Sum over, and then carry along, the whole subtree at every element: O(n^2), algorithm 3.1."""
    asked = 0.0
    gravity = scale(share, load3(chain.gravity, 0))
    for i in range(len(chain.parent)):
        tail, tip = load3(pose.tail, i), load4(pose.tip, i)
        force, torque, lever = scale(share, load3(chain.force, i)), load3(chain.torque, i), _ZERO9
        for j in range(i + 1, chain.last[i]):
            weight, at_tail = scale(share, load3(chain.weight, j)), scale(share, load3(chain.force, j))
            force = add(force, add(weight, at_tail))
            torque = add(torque, load3(chain.torque, j))
            lever = mat_add(lever, outer(sub(load3(pose.center, j), tail), weight))
            lever = mat_add(lever, outer(sub(load3(pose.tail, j), tail), at_tail))
        asked = max(asked, update_element(chain, pose, i, force, scale(share, torque), lever, gravity, cautious))
        turn, shift = _motion_of_tip(pose, i, tip, tail)
        for j in range(i + 1, chain.last[i]):
            transform_element(chain, pose, j, turn, shift)
    return asked


@inlined
def sum_subtrees(chain, pose, sums, share):
    """Total force, torque and P F^T at and beyond every element's tip, from the tips to the root.

    Eq. 3.10, 3.12 and A.1; the weight of an element itself counts at its parent.
    """
    n = len(chain.parent)
    for i in range(n):
        force = scale(share, load3(chain.force, i))
        store3(sums.force, i, force)
        store3(sums.torque, i, scale(share, load3(chain.torque, i)))
        store9(sums.PF, i, outer(load3(pose.tail, i), force))
    for i in range(n - 1, -1, -1):
        k = chain.parent[i]
        if k >= 0:
            weight = scale(share, load3(chain.weight, i))
            store3(sums.force, k, add(load3(sums.force, k), add(load3(sums.force, i), weight)))
            store3(sums.torque, k, add(load3(sums.torque, k), load3(sums.torque, i)))
            own = mat_add(load9(sums.PF, i), outer(load3(pose.center, i), weight))
            store9(sums.PF, k, mat_add(load9(sums.PF, k), own))


@inlined
def sweep_fast(chain, pose, sums, share, cautious):
    """The same in O(n): sums of the unmoved subtree, moved along by Q = R S (algorithm 4.1, appendix A)."""
    sum_subtrees(chain, pose, sums, share)
    asked = 0.0
    gravity = scale(share, load3(chain.gravity, 0))
    for i in range(len(chain.parent)):
        k = chain.parent[i]
        turn, shift = (1.0, 0.0, 0.0, 0.0), ZERO
        if k >= 0:
            turn, shift = load4(sums.turn, k), load3(sums.shift, k)
            transform_element(chain, pose, i, turn, shift)
        tail, tip = load3(pose.tail, i), load4(pose.tip, i)
        force, torque = load3(sums.force, i), load3(sums.torque, i)
        lever = mat_add(mat_mul(quat_mat(turn), load9(sums.PF, i)), outer(sub(shift, tail), force))
        asked = max(asked, update_element(chain, pose, i, force, torque, lever, gravity, cautious))
        own_turn, own_shift = _motion_of_tip(pose, i, tip, tail)
        store4(sums.turn, i, quat_unit(quat_mul(own_turn, turn)))
        store3(sums.shift, i, add(turned(own_turn, shift), own_shift))
    return asked


@inlined
def imbalance(chain, pose, sums):
    """Largest turn (rad) that a joint's springs are away from what its load asks; fills pose.moment."""
    sum_subtrees(chain, pose, sums, 1.0)
    links = chain.links.shape[1]
    gravity = load3(chain.gravity, 0)
    worst = 0.0
    for i in range(len(chain.parent)):
        at = load3(pose.head, i)
        force = load3(sums.force, i)
        beyond = add(load3(sums.torque, i), sub(moment_of(load9(sums.PF, i)), cross(load3(pose.tail, i), force)))
        for m in range(1, links):
            row = i * (links - 1) + m - 1
            at = add(at, scale(chain.links[i, m - 1], column(quat_mat(load4(pose.link, i * links + m - 1)), 1)))
            load = beyond
            if not chain.loaded_at_tip:
                tail, mass, first_moment = walk(chain, pose, i, m, at)
                load = add(load, cross(sub(tail, at), force))
                load = add(load, cross(sub(first_moment, scale(mass, at)), gravity))
            r = quat_mat(load4(pose.link, i * links + m))
            load = mat_t_vec(r, load)
            angles, c = load3(pose.angles, row), load3(chain.compliance, row)
            held = spring_share(angles, load) if chain.whole_turns else load
            for u in range(3):
                worst = max(worst, abs(c[u] * held[u] - angles[u]))
            if m == 1:
                gap = (
                    held[0] - angles[0] / c[0] if c[0] > 0.0 else 0.0,
                    held[1] - angles[1] / c[1] if c[1] > 0.0 else 0.0,
                    held[2] - angles[2] / c[2] if c[2] > 0.0 else 0.0,
                )
                store3(pose.moment, i, mat_vec(r, sub(load, gap)))
    return worst


@inlined
def _named_turn(chain, angles):
    """Quaternion that a joint's angles stand for: a rotation vector, or turns about y, z and x as one sweep makes."""
    if chain.whole_turns:
        return quat_exp(angles)
    first = quat_mul(quat_exp((0.0, angles[1], 0.0)), quat_exp((0.0, 0.0, angles[2])))
    return quat_mul(first, quat_exp((angles[0], 0.0, 0.0)))


@inlined
def path_error(chain, pose):
    """Largest turn (rad) between a joint and what its angles stand for, and by how much it is more than it may be.

    Turns made in many sweeps do not add up to one sweep with the summed angles, for rotations do not commute. Along a
    direct way to the equilibrium the two differ by no more than two orders of turning about x, y and z differ.
    """
    links = chain.links.shape[1]
    largest, excess = 0.0, 0.0
    for i in range(len(chain.parent)):
        for m in range(1, links):
            a = load3(pose.angles, i * (links - 1) + m - 1)
            turn = quat_mul(quat_conj(load4(pose.link, i * links + m - 1)), load4(pose.link, i * links + m))
            off = quat_log(quat_mul(quat_conj(_named_turn(chain, a)), turn))
            error = math.sqrt(dot(off, off))
            largest = max(largest, error)
            excess = max(excess, error - dot(a, a))
    return largest, excess


@kernel
def solve_chain(
    chain: Chain, pose: Pose, sums: Sums, fast: bool, cautious: bool, increments: int, tolerance: float,
    most_iterations: int,
) -> tuple[float, float, float, int]:  # fmt: skip
    """Load increments with end iterations nested in them (Hall 3.2.2).

    Returns (residual, path error, its excess, iterations in all), the first three in rad.
    """
    iterations = 0
    for i in range(len(chain.parent)):
        update_ends(chain, pose, i)
    for step in range(increments):
        share = (step + 1) / increments
        for _ in range(most_iterations):
            if fast:
                asked = sweep_fast(chain, pose, sums, share, cautious)
            else:
                asked = sweep_direct(chain, pose, share, cautious)
            iterations += 1
            if asked <= tolerance and (step + 1 < increments or imbalance(chain, pose, sums) <= tolerance):
                break
    largest, excess = path_error(chain, pose)
    return imbalance(chain, pose, sums), largest, excess, iterations
