# SPDX-License-Identifier: GPL-3.0-or-later
"""What keeps a plant's motion finite, and passive where nothing drives it, when steps are too long for it."""

import math

from ._jit import inlined
from ._lanes import LANES, get3, get4, put3, put4
from ._linalg import ZERO, dot, scale
from .energy import energy_at, pull_energy
from .kinematics import turned
from .rows import INCREMENT, STATE_Q, STATE_U, TURN, U_BEFORE, A, Q, U

#: How a frame went.
OK, COARSE, LIMITED, STOPPED = 0, 1, 2, 3

#: Energy (J) that nothing reaches, where it is not known what it may be.
UNBOUNDED = 1e300

#: A body may turn by this much (rad) in a step before the step is halved: velocity products are evaluated at
#: predicted velocities, which holds only for small turns.
TURN_LIMIT = 0.25


@inlined
def limit_turns(data, parent, base, world, turn):
    """Slow down joints that turn too far for the shortest step, or stop the plant where it is.

    A step that was too long must not feed energy: of the kinetic energy as much is taken as the sum has grown.
    """
    if math.isnan(turn):
        _stop(data)
        return STOPPED
    for b in range(len(data)):
        for lane in range(LANES):
            own = get3(data, b, TURN + lane)
            size = math.sqrt(dot(own, own))
            shorter = TURN_LIMIT / (size if size > TURN_LIMIT else TURN_LIMIT)
            put3(data, b, U + lane, scale(shorter, get3(data, b, U + lane)))
            put3(data, b, TURN + lane, scale(shorter, own))
    _turn_by(data, 1.0)
    gravity, stiffness_scale = (world.now[0], world.now[1], world.now[2]), world.now[3]
    kinetic, elastic, gravitational = energy_at(data, parent, base, gravity, stiffness_scale)
    elastic += pull_energy(data, world)
    for b in range(len(data)):
        for lane in range(LANES):
            put3(data, b, A + lane, get3(data, b, U + lane))  # the acceleration is forgotten after such a step
            put3(data, b, U + lane, get3(data, b, STATE_U + lane))
    _turn_by(data, 0.0)
    before = energy_at(data, parent, base, gravity, stiffness_scale)
    left = before[0] + before[1] + before[2] + pull_energy(data, world) - elastic - gravitational
    if not left > 0.0:
        _stop(data)
        return LIMITED
    slower = math.sqrt(min(1.0, left / max(kinetic, left)))
    for b in range(len(data)):
        for lane in range(LANES):
            put3(data, b, U + lane, scale(slower, get3(data, b, A + lane)))
    _turn_by(data, 1.0)
    return LIMITED


@inlined
def _turn_by(data, share):
    """Let Q be the joint rotations after this share of the step."""
    for b in range(len(data)):
        for lane in range(LANES):
            turn = scale(share, get3(data, b, TURN + lane))
            put4(data, b, Q + lane, turned(get4(data, b, STATE_Q + lane), turn))


@inlined
def _stop(data):
    """Let the step end at rest where it began."""
    for b in range(len(data)):
        for lane in range(LANES):
            put4(data, b, Q + lane, get4(data, b, STATE_Q + lane))
            put3(data, b, U + lane, ZERO)


@inlined
def is_passive(base, world, driven):
    """Whether nothing from outside can have added energy in the frame; driven: by wind or applied loads."""
    passive = not driven
    for j in range(len(world.body)):
        for c in range(5):
            passive = passive and world.pulls_before[j, c] == world.pulls_after[j, c]
    for c in range(5):
        passive = passive and world.before[c] == world.after[c]
    for c in range(3):
        passive = passive and base.now[2, c] == 0.0 and base.now[3, c] == 0.0
        passive = passive and base.position[1, c] == base.position[0, c] and base.turn[1, c] == 0.0
    return passive


@inlined
def bound_energy(data, parent, base, world, bound):
    """Take from the kinetic energy what errors of the steps have added to the sum; return the bound (J)."""
    for b in range(len(data)):
        for lane in range(LANES):
            put4(data, b, Q + lane, get4(data, b, STATE_Q + lane))
            put3(data, b, U + lane, get3(data, b, STATE_U + lane))
    gravity = (world.now[0], world.now[1], world.now[2])
    kinetic, elastic, gravitational = energy_at(data, parent, base, gravity, world.now[3])
    total = kinetic + elastic + gravitational + pull_energy(data, world)
    if not total > bound:
        return total
    slower = math.sqrt(max(0.0, 1.0 - (total - bound) / kinetic))
    for b in range(len(data)):
        for lane in range(LANES):
            put3(data, b, STATE_U + lane, scale(slower, get3(data, b, STATE_U + lane)))
            put3(data, b, U_BEFORE + lane, scale(slower, get3(data, b, U_BEFORE + lane)))
            put3(data, b, INCREMENT + lane, scale(slower, get3(data, b, INCREMENT + lane)))
    return bound
