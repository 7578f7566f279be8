# SPDX-License-Identifier: GPL-3.0-or-later
"""The law of contact at one point: a one-sided spring that damps, and Coulomb's friction.

Where a shape is inside another by p it is pushed out along the normal by k (p + RELAXATION p'), which never pulls:
what approaches is braked a little before, and the force has no jumps (Castro and others 2022, An unconstrained convex
formulation of compliant contact). Across the normal a spring as stiff holds it where it is, up to friction times that
push; what has begun to slide draws the spring along (Cundall and Strack 1979). Both are as they are where the step
ends, so that they limit no step.

Friction follows the push it is a share of with a delay (Prakash and Clifton 1993), without which the two excite each
other wherever a stiff rod leans on its tip. A solve takes that share as known (LOAD), so that all forces are the slope
of a potential, and a search along the correction leads nearer (see search.py).

points: what has marks and numbers as of contact/touch.py; h: the step (s); c1, c2: its weights.
"""

import math

from ..machine.jit import inlined
from ..math.memory import keep3, take3
from ..math.vectors import ZERO, add, dot, scale, sub
from ..model.shapes import RELAXATION
from .touch import (
    APART,
    BORE,
    DRAWN,
    FORCE,
    GAP,
    GRIP,
    HITS,
    LOAD,
    NORMAL,
    PARTS,
    PASSES,
    PUSH,
    REMEMBERED,
    RIGID,
    SLIDES,
    SLIP,
    SPEED,
    STATUS,
    STICKS,
    THROWN,
    WAS,
    remembered,
)

#: What comes faster than this (m/s), and than it would fall in two steps, bounces if it does at all.
FAST, TWO_FALLS = 0.05, 20.0

#: Friction follows the push at once where what begins to touch is slower than this (m/s).
GENTLE = 0.1


@inlined
def passes(points, i):
    """Whether a point has no force in the step because it bounces: it comes fast, to be thrown back at the end, or was
    and is on its way out."""
    return points.numbers[i, THROWN] > 0.0


@inlined
def _bounces(points, i, bounce, parting, h):
    """The same for a point that would part so fast (m/s)."""
    comes_fast = parting < -(FAST + TWO_FALLS * h)
    return bounce > 0.0 and points.marks[i, WAS] == APART and (parting > 0.0 or comes_fast)


@inlined
def force_at(points, i, gap, n, speed, stiffness, friction, bounce, is_alone, h, c1, c2, is_first, learns):
    """Find the force at one point that parts with a speed (m/s). Returns 1 where it touches, else 0."""
    push = push_at(stiffness, gap, dot(n, speed))
    points.numbers[i, GAP] = gap
    if is_first:
        points.numbers[i, PARTS] = dot(n, speed)
        points.numbers[i, THROWN] = PASSES if _bounces(points, i, bounce, dot(n, speed), h) else 0.0
    keep3(points.numbers, i, NORMAL, n)
    keep3(points.numbers, i, SPEED, speed)
    if learns:
        points.numbers[i, LOAD] = _remembered(points, i, push, h)
    if push == 0.0 or is_alone or passes(points, i):
        let_go_of(points, i)
        return 0
    drawn = drawn_at(points, i, n, speed, h)
    sticks = turns_back(points, i, drawn)
    hold(points, i, n, drawn, sticks, push, friction, stiffness, h)
    points.numbers[i, RIGID] = stiffness * (c2 + c1 * RELAXATION)
    points.numbers[i, GRIP] *= c1
    return 1


@inlined
def push_at(stiffness, gap, parting):
    """Force (N) along the normal of a point that parts with so many m/s."""
    return max(0.0, -stiffness * (gap + RELAXATION * parting))


@inlined
def let_go_of(touching, i):
    """Let a point have no force."""
    touching.marks[i, STATUS] = APART
    touching.numbers[i, PUSH] = 0.0
    touching.numbers[i, RIGID] = 0.0
    touching.numbers[i, GRIP] = 0.0
    keep3(touching.numbers, i, FORCE, ZERO)
    keep3(touching.numbers, i, SLIP, ZERO)


@inlined
def _remembered(touching, i, push, h):
    """Normal force (N) that friction has at the end of a step of h (s), at which it is `push`."""
    if touching.marks[i, WAS] == APART and touching.numbers[i, PARTS] > -GENTLE:
        return push
    return remembered(touching.numbers[i, REMEMBERED], touching.numbers[i, BORE], push, h)


@inlined
def _across(v, n):
    return sub(v, scale(dot(v, n), n))


@inlined
def drawn_at(touching, i, n, speed, h):
    """How far (m) the spring across the normal is drawn at the end of a step of h (s), were it to stick; it damps as
    the one along the normal."""
    return add(_across(take3(touching.numbers, i, DRAWN), n), scale(h + RELAXATION, _across(speed, n)))


@inlined
def turns_back(touching, i, drawn):
    """Whether a point slid in the last solve, and would now slide to the other side: what it does is to stick."""
    return touching.marks[i, STATUS] == SLIDES and dot(take3(touching.numbers, i, SLIP), drawn) < 0.0


@inlined
def hold(touching, i, n, drawn, sticks, push, friction, stiffness, h):
    """Friction at one point: force, and what resists a velocity across the normal (kg/s). sticks: whatever it takes."""
    wanted, most = stiffness * math.sqrt(dot(drawn, drawn)), friction * touching.numbers[i, LOAD]
    held = sticks or wanted <= most
    share = 1.0 if held else most / wanted
    touching.marks[i, STATUS] = STICKS if held else SLIDES
    touching.numbers[i, PUSH] = push
    touching.numbers[i, GRIP] = share * stiffness * (h + RELAXATION)
    keep3(touching.numbers, i, FORCE, add(scale(push, n), scale(-share * stiffness, drawn)))
    keep3(touching.numbers, i, SLIP, ZERO if held else scale(stiffness / wanted, drawn))


@inlined
def missed_at(points, i, gained, stiffness, friction, h, c1, c2):
    """The same of one point that has gained an acceleration: work, 0 or 1, by how much friction's push is wrong, and
    push (N)."""
    n, was = take3(points.numbers, i, NORMAL), points.marks[i, STATUS]
    _, push = _after(points, i, gained, n, stiffness, c1, c2)
    if push == 0.0 and was == APART:
        return 0.0, 0, 0.0, 0.0
    speed = add(take3(points.numbers, i, SPEED), scale(c1, gained))
    drawn = drawn_at(points, i, n, speed, h)
    wanted, most = stiffness * math.sqrt(dot(drawn, drawn)), friction * points.numbers[i, LOAD]
    status = APART if push == 0.0 else (STICKS if wanted <= most else SLIDES)
    unknown = 1 if status != was or turns_back(points, i, drawn) else 0
    wrong = abs(_remembered(points, i, push, h) - points.numbers[i, LOAD]) if status == SLIDES else 0.0
    force = ZERO
    if push > 0.0:
        held = stiffness if wanted <= most else stiffness * most / wanted
        force = add(scale(push, n), scale(-held, drawn))
    more = add(sub(force, take3(points.numbers, i, FORCE)), resisted(points, i, gained))
    return dot(gained, more), unknown, wrong, push


@inlined
def resisted(touching, i, gained):
    """Force (N) that a point was taken to set against an acceleration of it."""
    n, t = take3(touching.numbers, i, NORMAL), take3(touching.numbers, i, SLIP)
    across = _across(gained, n)
    across = scale(touching.numbers[i, GRIP], sub(across, scale(dot(across, t), t)))
    return add(scale(touching.numbers[i, RIGID] * dot(gained, n), n), across)


@inlined
def _after(points, i, gained, n, stiffness, c1, c2):
    """Gap (m) and push (N) of a point after a correction of its acceleration."""
    closer = dot(n, gained)
    gap = points.numbers[i, GAP] + c2 * closer
    return gap, push_at(stiffness, gap, dot(n, take3(points.numbers, i, SPEED)) + c1 * closer)


@inlined
def finish_at(points, i, gained, stiffness, friction, is_alone, h, c1, c2, slow):
    """Let a point be what it is at the step's corrected end. Returns whether it has begun to touch, faster than a speed
    (m/s) that counts as none."""
    n = take3(points.numbers, i, NORMAL)
    gap, push = _after(points, i, gained, n, stiffness, c1, c2)
    points.numbers[i, GAP] = gap
    if passes(points, i):
        parting = dot(n, take3(points.numbers, i, SPEED)) + c1 * dot(n, gained)
        hits = not is_alone and gap < 0.0 and parting < -(FAST + TWO_FALLS * h)
        points.numbers[i, THROWN] = HITS if hits else PASSES
    if push == 0.0 or is_alone or passes(points, i):
        let_go_of(points, i)
        points.numbers[i, BORE] = 0.0
        points.numbers[i, REMEMBERED] = 0.0
        keep3(points.numbers, i, DRAWN, ZERO)
        return False
    speed = add(take3(points.numbers, i, SPEED), scale(c1, gained))
    drawn = drawn_at(points, i, n, speed, h)
    hold(points, i, n, drawn, False, push, friction, stiffness, h)
    points.numbers[i, REMEMBERED] = _remembered(points, i, push, h)
    points.numbers[i, BORE] = push
    across = sub(take3(points.numbers, i, FORCE), scale(push, n))
    drawn = scale(-1.0 / stiffness, across)
    keep3(points.numbers, i, DRAWN, sub(drawn, scale(RELAXATION, _across(speed, n))))
    return points.marks[i, WAS] == APART and points.numbers[i, PARTS] < -slow
