# SPDX-License-Identifier: GPL-3.0-or-later
"""The linearly implicit articulated-body algorithm.

Featherstone's three passes (Rigid Body Dynamics Algorithms, 2008, table 7.1; Garcia 2023, 4.4.5), written in world
axes about each body's inboard joint, so that spatial transforms are pure shifts. Two things are added:

* The passes solve for a correction of a predicted joint acceleration: velocity products, gravity, the base's motion
  and the prediction enter as the accelerations the bodies would have without it.
* Springs, dampers, pulls, air drag and force fields are evaluated where the step will end, which adds c1 * damping +
  c2 * stiffness to the 3x3 block of the joint (or to the inertia of a body) and nothing else: a correction da changes
  the rate at the end of the step by c1 da and the rotation vector by c2 da.

So one solve is one Newton step on the equations of motion at the end of the time step, and costs O(n). What a body can
do without its neighbours is done for a block of eight bodies at once; only the passes along the tree go one by one.
"""

import math

from ..contact.finding import find
from ..contact.pair_forces import pair_forces, push_pairs
from ..contact.pair_points import find_pair_points
from ..contact.pairs import has_left_its_room, look_for_pairs
from ..forces import laws
from ..forces.contact import contact_forces, resists_otherwise
from ..forces.loads import STIFFNESS_SCALE, gravity_of
from ..guides.pulls import bear_as_held
from ..joints.springs import resist_turns, springs
from ..machine.jit import inlined
from .articulated_body import acceleration_pass, begin_sums, bias_pass, factorise
from .closing import close_loops, factorise_ties, keep_gains, know_ways
from .kinematics import kinematics
from .touching.coupling import LEFT_OVER, couple

#: What the solves of a step may always leave over the plant's size: the rounding of positions.
ROUNDING = 1e-14

#: Of what a step's solves may leave, the coupling of pairs leaves this share.
_OF_PAIRS = 1e-3


@inlined
def may_be_left(tolerable, h, fastest, size):
    """How far (m) bodies may be from where a step of h (s) should end, of a plant of a size (m) none of which turns
    faster (rad/s). tolerable (1/s): as newton_tolerance of Stepping.

    In slow motion less may be left, or what was left would be the motion, and grow where nothing damps it.
    """
    return max(tolerable * h * min(1.0, fastest), ROUNDING) * size


@inlined
def solve(
    data, slots, parent, stands, world, s, h, is_applied, c1, c2, is_first, factor, still, learns, by_secant, tolerable,
    size,
):  # fmt: skip
    """One O(n) solve at Q, U, A with the weights c1 (s) and c2 (s2) of a step of h (s) that ends at the share s of the
    frame.

    is_first: whether it is the step's first; factor: whether to compute the articulated inertias anew or to take those
    of an earlier solve, which are computed anew where other points touch, or plants each other, unless bodies are as
    good as still; learns: whether friction is to have the present push; by_secant: whether what almost sticks resists
    as if it did; tolerable, size: as of may_be_left. Returns the largest angular velocity (rad/s), whether the inertias
    have been computed, with which acceleration (m/s2) more all points on obstacles surely go on as they do, about how
    many passes it took to couple pairs, and whether that is lost.
    """
    springs(data, world.now[STIFFNESS_SCALE])
    kinematics(data, parent, stands, world.loose, gravity_of(world.now))
    touched, sure = 0, math.inf
    if len(world.touching.obstacles.kind) > 0:
        if is_first:
            find(data, world.touching, h)
        touched, sure = contact_forces(data, world.touching, h, c1, c2, is_first, learns, by_secant)
    paired, passes, is_lost = 0, 0, False
    if len(world.pairs.ends) > 0:
        if is_first:
            if has_left_its_room(data, world.touching.shapes, world.pairs, h):
                look_for_pairs(data, world.touching.shapes, world.pairs, h)
            find_pair_points(data, world.touching.shapes, world.pairs, h)
        paired = pair_forces(data, world.touching.shapes, world.pairs, h, c1, c2, is_first, learns, by_secant)
    factor = factor or (paired > 0 and not still) or resists_otherwise(world.touching, touched)
    if factor:
        resist_turns(data, world.now[STIFFNESS_SCALE], c1, c2)
    fastest = laws.moving(data, slots, parent, stands, world, s, is_applied, c1, c2, factor)
    if factor:
        begin_sums(data)
        bear_as_held(data, world.pulls)
        factorise(data, parent, world.loose, c2)
        if len(world.ties.body) > 0:
            know_ways(data, parent, world.loose, world.ties)
    if paired > 0:
        push_pairs(data, world.touching.shapes, world.pairs)
    bias_pass(data, parent, world.loose)
    if len(world.ties.body) > 0:
        factorise_ties(world.ties)
        close_loops(data, world.loose, world.ties, 1.0)
        keep_gains(world.ties, 0.0, 1.0)
    acceleration_pass(data, parent, world.loose)
    if paired > 0:
        enough = _OF_PAIRS * may_be_left(tolerable, h, fastest, size) / c2
        passes, filled, is_lost = couple(
            data, parent, world.loose, world.ties, world.touching.shapes, world.pairs, factor, LEFT_OVER, enough
        )
        passes += filled
    return fastest, factor, sure, passes, is_lost
