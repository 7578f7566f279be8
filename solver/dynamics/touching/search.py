# SPDX-License-Identifier: GPL-3.0-or-later
"""How far to go along a correction where points begin or end to touch, stick or slide.

A solve takes them to go on as they are. Its correction goes down the potential whose slope the equations of motion at
a step's end are, and so far along it as that has its least, which is always nearer to where they hold (as Castro and
others 2022 search). By the solve itself the slope along the correction is -(1 - share) x . H x, besides what the points
do that they were not taken to.
"""

from ...contact.pair_forces import pairs_missed
from ...data import columns as col
from ...data.lanes import LANES, get3, get6
from ...forces.contact import missed
from ...joints.loose import CORRECTION
from ...machine.jit import inlined, subroutine
from ...math.memory import keep3, take3
from ...math.symmetric import sym_inverse, sym_vec
from ...math.vectors import dot, scale
from ..articulated_body import yields_of
from ..multistep import slow
from ..stability import TURN_LIMIT
from .coupling import resisted_by_pairs

#: The slope is brought down to this share of what it is at the beginning, by so many trials at most.
_FLAT, _TRIALS = 0.1, 12


@inlined
def _steepness(data, loose):
    """x . H x of the correction x (N m/s2, per acceleration): the sum of what joints would do, D^-1 torque . torque,
    and loose bodies by their shifts."""
    total = 0.0
    for f in range(loose.used[0, 0]):
        shift = take3(loose.trial, f, CORRECTION)
        total += dot(shift, sym_vec(sym_inverse(yields_of(loose, f)), shift))
    for b in range(len(data)):
        for lane in range(LANES):
            torque = get3(data, b, col.SPRING + lane)
            total += dot(torque, sym_vec(get6(data, b, col.D_INVERSE + lane), torque))
    return total


@inlined
def _turns_far(data, c2):
    """Whether the correction turns a body farther than a step may."""
    farthest = 0.0
    for b in range(len(data)):
        for lane in range(LANES):
            turn = get3(data, b, col.X_R + lane)
            farthest = max(farthest, dot(turn, turn))
    return c2 * c2 * farthest > TURN_LIMIT * TURN_LIMIT


@inlined
def _missed(data, touching, pairs, h, c1, c2, share, go_on):
    """Of obstacles and pairs: work, how many points do something else, how many slide by the secant, and by which share
    of the largest push that of friction is wrong. go_on: whether those on obstacles surely go on as they do."""
    work, unknown, led, wrong, push = pairs_missed(data, touching.shapes, pairs, h, c1, c2, share)
    if go_on and wrong == 0.0:
        return work, unknown, led, 0.0
    more, others, too, lost, largest = missed(data, touching, h, c1, c2, share)
    return more + work, others + unknown, too + led, max(lost, wrong) / max(largest, push, 1e-300)


@subroutine
def search(data, loose, touching, pairs, h, c1, c2, shortens, go_on):
    """Look what points do after the last solve's correction, and shorten it to where the potential along it is least if
    that is to be done, or where it turns a body farther than a step may: whole ones find out faster, but may go round
    in circles, and where friction throws what is light they lead nowhere. go_on: whether those on obstacles surely do
    what they were taken to do.

    Returns the share of it that is left, how many points do something else than they were taken to, how many slide by
    the secant, and by which share of the largest push that of friction is wrong.
    """
    work, unknown, led, wrong = _missed(data, touching, pairs, h, c1, c2, 1.0, go_on)
    if unknown == 0 or work >= 0.0 or not (shortens or _turns_far(data, c2)):
        return 1.0, unknown, led, wrong
    steep = _steepness(data, loose) + resisted_by_pairs(data, touching.shapes, pairs)
    low, high, at_low, at_high, share = 0.0, 1.0, -steep, -work, 1.0
    if at_high <= _FLAT * steep:
        return 1.0, unknown, led, wrong
    side = 0
    for _ in range(_TRIALS):
        share = (low * at_high - high * at_low) / (at_high - at_low)
        slope = -(1.0 - share) * steep - _missed(data, touching, pairs, h, c1, c2, share, go_on)[0] / share
        if abs(slope) <= _FLAT * steep:
            break
        # Regula falsi; an end that stays twice counts half (Illinois).
        if slope < 0.0:
            low, at_low = share, slope
            at_high = 0.5 * at_high if side == -1 else at_high
            side = -1
        else:
            high, at_high = share, slope
            at_low = 0.5 * at_low if side == 1 else at_low
            side = 1
    if not share < 1.0:  # or not a number
        return 1.0, unknown, led, wrong
    for field in (col.X_R, col.X_T, col.CORRECTION):
        slow(data, field, share)
    for f in range(loose.used[0, 0]):
        keep3(loose.trial, f, CORRECTION, scale(share, take3(loose.trial, f, CORRECTION)))
    return share, unknown, led, wrong
