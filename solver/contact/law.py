# SPDX-License-Identifier: GPL-3.0-or-later
"""The law of contact at one point: a one-sided spring that damps, and Coulomb's friction.

Where a shape is inside another by p it is pushed out along the normal by k (p + T p'), which never pulls: what
approaches is braked a little before, by the way of T, its landing, and the force has no jumps (Castro and others 2022,
An unconstrained convex formulation of compliant contact). Across the normal a spring as stiff holds it where it is, up
to friction times that push; what has begun to slide draws the spring along (Cundall and Strack 1979). Both are as they
are where the step ends, so that they limit no step.

Friction follows the push it is a share of with a delay (Prakash and Clifton 1993), without which the two excite each
other wherever a stiff rod leans on its tip. A solve takes that share as known (LOAD), so that all forces are the slope
of a potential, and a search along the correction leads nearer (see search.py).

Stiffness is chosen by what a plant may bear of itself. What something heavier presses deeper into an obstacle meets a
second such spring behind the first (see shapes.py of model). Pairs have none: their first one is chosen by both.

What is sticky and has touched is held back as well, by the same spring, and friction counts as if it were pushed that
much more. Where a step ends with more than it can hold it comes off.

marks, numbers: of points as of contact/touch.py; h: the step (s); c1, c2: its weights.
"""

import math
from typing import NamedTuple

from ..data import columns as col
from ..data.lanes import get3
from ..machine.jit import inlined
from ..math.memory import keep3, take3
from ..math.vectors import ZERO, add, cross, dot, scale, sub
from ..model.shapes import GIVES
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
    SUNK,
    THROWN,
    WAS,
    remembered,
)

#: What comes faster than this (m/s), and than it would fall in two steps, bounces if it does at all.
FAST, TWO_FALLS = 0.05, 20.0

#: What bounces may be this share of a radius inside where a step ends.
HIT_DEPTH = 0.05

#: Friction follows the push at once where what begins to touch is slower than this (m/s).
GENTLE = 0.1

#: Where a point slides slower than this (m/s), or friction is more than this share of what would hold it, the first
#: solves of a step take the secant of the spring across, which leads downhill from anywhere (iteratively reweighted
#: least squares). The slope along the slip, which is none, leads faster but would throw light twigs to and fro.
SLOW_SLIP, ALMOST_HELD = 3e-4, 0.5

#: The spring behind is braked by this share of the landing of the first, which is enough for what it catches not to be
#: thrown back. Pressed in by so many times GIVES of the radius it gives way as well: what is suddenly deep inside would
#: else be thrown by all of it.
FIRM_LANDING, FIRM_SPAN = 0.1, 12.0


class Law(NamedTuple):
    """At one point: stiffness (N/m), Coulomb's coefficient, restitution, with what force (N) it is held back, how
    softly it lands (s), the least radius (m) of what touches, and the stiffness (N/m) of the spring behind, if any."""

    stiffness: float
    friction: float
    bounce: float
    stickiness: float
    landing: float
    thin: float
    firm: float


@inlined
def passes(numbers, i):
    """Whether a point has no force in the step because it bounces: it comes fast, to be thrown back at the end, or was
    and is on its way out."""
    return numbers[i, THROWN] > 0.0


@inlined
def _bounces(marks, i, law, gap, parting, h):
    """The same for a point that would part so fast (m/s), or has come in far: past an edge it hardly comes any more."""
    comes = parting < -(FAST + TWO_FALLS * h) or gap < -HIT_DEPTH * law.thin
    return law.bounce > 0.0 and marks[i, WAS] == APART and (parting > 0.0 or comes)


@inlined
def depth_of_hit(marks, numbers, i, law):
    """How deep, in radii, a point is that is to be thrown back; or would have been in a shorter step: it came in deeper
    than it may, and hardly comes any more."""
    if numbers[i, THROWN] == HITS:
        return -numbers[i, GAP] / law.thin
    is_new = law.bounce > 0.0 and marks[i, WAS] == APART and (passes(numbers, i) or marks[i, STATUS] != APART)
    deep = -felt(numbers, i, numbers[i, GAP]) / law.thin
    return deep if is_new and deep > HIT_DEPTH else 0.0


@inlined
def _holds_back(marks, i, stickiness):
    """With what force (N) at most a point is held back, which sticks as it did at the step's beginning."""
    return stickiness if marks[i, WAS] != APART else 0.0


@inlined
def force_at(
    marks, numbers, i, gap, n, speed, law, is_alone, begins_deep, h, c1, c2, is_first, learns, by_secant
):  # fmt: skip
    """Find the force at one point that parts with a speed (m/s). Returns 1 where it touches, else 0. What begins_deep
    has bounced in vain, because it has been pressed in again, and touches."""
    held = _holds_back(marks, i, law.stickiness)
    push = push_at(law, felt(numbers, i, gap), dot(n, speed), held)
    numbers[i, GAP] = gap
    if is_first:
        numbers[i, PARTS] = dot(n, speed)
        bounces = _bounces(marks, i, law, felt(numbers, i, gap), dot(n, speed), h)
        numbers[i, THROWN] = PASSES if bounces and not begins_deep else 0.0
    keep3(numbers, i, NORMAL, n)
    keep3(numbers, i, SPEED, speed)
    if is_first or learns:
        load = _load(push, held) if learns else numbers[i, BORE]
        numbers[i, LOAD] = _remembered(marks, numbers, i, load, h, law)
    if (push == 0.0 and held == 0.0) or is_alone or passes(numbers, i):
        let_go_of(marks, numbers, i)
        return 0
    drawn = drawn_at(numbers, i, n, speed, h, law.landing)
    sticks = turns_back(marks, numbers, i, drawn)
    hold(marks, numbers, i, n, drawn, sticks, push, law, h, by_secant)
    numbers[i, RIGID] = _rigid(law, _is_between(law, past_give(law, felt(numbers, i, gap), dot(n, speed))), c1, c2)
    numbers[i, GRIP] *= c1
    return 1


@inlined
def surely_goes_on(marks, numbers, i, law, is_alone, c1, c2):
    """How large an acceleration (m/s2) gained by a point may be at least, whatever its direction, before it does
    something else than force_at has taken it to do. Nothing is sure of what slides or is held back."""
    if is_alone or passes(numbers, i):
        return math.inf
    n, push = take3(numbers, i, NORMAL), numbers[i, PUSH]
    if marks[i, STATUS] == APART:
        ahead = felt(numbers, i, numbers[i, GAP]) + law.landing * dot(n, take3(numbers, i, SPEED))
        return min(ahead / (c2 + c1 * law.landing), _sure_of_firmness(numbers, i, law, c1, c2))
    if marks[i, STATUS] == SLIDES or push <= 0.0:
        return 0.0
    across = sub(take3(numbers, i, FORCE), scale(push, n))
    left = law.friction * numbers[i, LOAD] - math.sqrt(dot(across, across))
    sure = min(push / numbers[i, RIGID], left / numbers[i, GRIP])
    return min(sure, _sure_of_firmness(numbers, i, law, c1, c2))


@inlined
def _sure_of_firmness(numbers, i, law, c1, c2):
    """The same of the spring behind, which presses or does not."""
    past = past_give(law, felt(numbers, i, numbers[i, GAP]), dot(take3(numbers, i, NORMAL), take3(numbers, i, SPEED)))
    ahead = min(abs(past), abs(past - FIRM_SPAN * GIVES * law.thin))
    return ahead / (c2 + c1 * FIRM_LANDING * law.landing) if law.firm > 0.0 else math.inf


@inlined
def past_give(law, gap, parting):
    """How far (m) the spring behind is pressed in by a point that parts with so many m/s; negative where it is not."""
    return -(gap + GIVES * law.thin + FIRM_LANDING * law.landing * parting)


@inlined
def _is_between(law, past):
    """Whether the spring behind presses, and does not give way."""
    return law.firm > 0.0 and 0.0 < past < FIRM_SPAN * GIVES * law.thin


@inlined
def _rigid(law, is_firm, c1, c2):
    """What resists an acceleration along the normal (kg)."""
    rigid = law.stiffness * (c2 + c1 * law.landing)
    return rigid + law.firm * (c2 + c1 * FIRM_LANDING * law.landing) if is_firm else rigid


@inlined
def felt(numbers, i, gap):
    """The gap (m) that counts: what has bounced inside touches from there, not from where it would touch else."""
    return gap + numbers[i, SUNK]


@inlined
def _is_firm(numbers, i, law, c1, c2):
    """Whether a point that touches was taken to press the spring behind, which does not give way."""
    return numbers[i, RIGID] > 0.5 * (_rigid(law, False, c1, c2) + _rigid(law, True, c1, c2))


@inlined
def push_at(law, gap, parting, held):
    """Force (N) along the normal of a point that parts with so many m/s, negative only where it is held back."""
    push = -law.stiffness * (gap + law.landing * parting)
    past = min(max(0.0, past_give(law, gap, parting)), FIRM_SPAN * GIVES * law.thin)
    return (push if held > 0.0 else max(0.0, push)) + law.firm * past


@inlined
def push_at_rest(stiffness, firm, give, gap):
    """Force (N) along the normal of a point at rest, that of the first spring, and what resists (N/m) where it is. firm
    (N/m), give (m): of the spring behind."""
    first, past = max(0.0, -stiffness * gap), max(0.0, -gap - give)
    resists = stiffness + firm if 0.0 < past < FIRM_SPAN * give else stiffness
    return first + firm * min(past, FIRM_SPAN * give), first, resists


@inlined
def energy_of(marks, i, law, gap):
    """Energy (J) of the springs along the normal of a point: compressed, or stretched where it is held back."""
    drawn = gap if law.stickiness > 0.0 and marks[i, STATUS] != APART else min(gap, 0.0)
    past, span = max(0.0, past_give(law, gap, 0.0)), FIRM_SPAN * GIVES * law.thin
    behind = past * past if past < span else span * (2.0 * past - span)
    return 0.5 * (law.stiffness * drawn * drawn + law.firm * behind)


@inlined
def _load(push, held):
    """Normal force (N) that friction is a share of."""
    return max(0.0, push + held)


@inlined
def let_go_of(marks, numbers, i):
    """Let a point have no force."""
    marks[i, STATUS] = APART
    numbers[i, PUSH] = 0.0
    numbers[i, RIGID] = 0.0
    numbers[i, GRIP] = 0.0
    keep3(numbers, i, FORCE, ZERO)
    keep3(numbers, i, SLIP, ZERO)


@inlined
def _remembered(marks, numbers, i, push, h, law):
    """Normal force (N) that friction has at the end of a step of h (s), at which it is `push`. What the spring behind
    bears counts at once: it comes and goes faster than the rest is followed."""
    if marks[i, WAS] == APART and numbers[i, PARTS] > -GENTLE:
        return push
    most, before = (law.stiffness * GIVES * law.thin if law.firm > 0.0 else math.inf), numbers[i, BORE]
    was = max(0.0, numbers[i, REMEMBERED] - max(0.0, before - most))
    return remembered(was, min(before, most), min(push, most), h, law.landing) + max(0.0, push - most)


@inlined
def _across(v, n):
    return sub(v, scale(dot(v, n), n))


@inlined
def drawn_at(numbers, i, n, speed, h, landing):
    """How far (m) the spring across the normal is drawn at the end of a step of h (s), were it to stick; it damps as
    the one along the normal."""
    return add(_across(take3(numbers, i, DRAWN), n), scale(h + landing, _across(speed, n)))


@inlined
def turns_back(marks, numbers, i, drawn):
    """Whether a point slid in the last solve, and would now slide to the other side: what it does is to stick."""
    return marks[i, STATUS] == SLIDES and dot(take3(numbers, i, SLIP), drawn) < 0.0


@inlined
def hold(marks, numbers, i, n, drawn, sticks, push, law, h, by_secant):
    """Friction at one point: force, and what resists a velocity across the normal (kg/s). sticks: whatever it takes;
    by_secant: where it almost sticks."""
    stiffness, most = law.stiffness, law.friction * numbers[i, LOAD]
    held = sticks or is_held(stiffness, drawn, most)
    marks[i, STATUS] = STICKS if held else SLIDES
    numbers[i, PUSH] = push
    share, slip = 1.0, ZERO
    if not held:
        wanted = stiffness * math.sqrt(dot(drawn, drawn))
        share = most / wanted
        almost = by_secant and (share > ALMOST_HELD or wanted < stiffness * SLOW_SLIP * (h + law.landing))
        slip = ZERO if almost else scale(stiffness / wanted, drawn)
    numbers[i, GRIP] = share * stiffness * (h + law.landing)
    keep3(numbers, i, FORCE, add(scale(push, n), scale(-share * stiffness, drawn)))
    keep3(numbers, i, SLIP, slip)


@inlined
def is_held(stiffness, drawn, most):
    """Whether friction (N), at most so much, holds a spring that is drawn so far (m) across the normal."""
    return stiffness * stiffness * dot(drawn, drawn) <= most * most


@inlined
def missed_at(marks, numbers, i, gained, law, h, c1, c2):
    """The same of one point that has gained an acceleration: work, 0 or 1, and again, by how much friction's push is
    wrong, and push (N). Where it would slide to the other side than it was taken to, or the spring behind does
    something else, it is led as well: nothing of that is left."""
    n, was, held = take3(numbers, i, NORMAL), marks[i, STATUS], _holds_back(marks, i, law.stickiness)
    gap, parting = _after(numbers, i, gained, n, c1, c2)
    push = push_at(law, gap, parting, held)
    is_apart = push == 0.0 and held == 0.0
    if is_apart and was == APART:
        return 0.0, 0, 0, 0.0, 0.0
    speed = add(take3(numbers, i, SPEED), scale(c1, gained))
    drawn = drawn_at(numbers, i, n, speed, h, law.landing)
    most = law.friction * numbers[i, LOAD]
    holds = is_held(law.stiffness, drawn, most)
    status = APART if is_apart else (STICKS if holds else SLIDES)
    is_firmer = was != APART and _is_firm(numbers, i, law, c1, c2) != _is_between(law, past_give(law, gap, parting))
    if status == STICKS and was == STICKS and not is_firmer:  # springs alone, which the solve knew
        return 0.0, 0, 0, 0.0, _load(push, held)
    slip, turned = take3(numbers, i, SLIP), turns_back(marks, numbers, i, drawn)
    led = 1 if turned or is_firmer or (was == SLIDES and dot(slip, slip) == 0.0) else 0
    unknown = 1 if status != was or turned or is_firmer else 0
    load = _load(push, held)
    wrong = abs(_remembered(marks, numbers, i, load, h, law) - numbers[i, LOAD]) if status == SLIDES else 0.0
    force = ZERO
    if not is_apart:
        grip = law.stiffness if holds else most / math.sqrt(dot(drawn, drawn))
        force = add(scale(push, n), scale(-grip, drawn))
    more = add(sub(force, take3(numbers, i, FORCE)), resisted(numbers, i, gained))
    return dot(gained, more), unknown, led, wrong, load


@inlined
def gained_at(data, body, arm):
    """Acceleration (m/s2) that the last solve has added at an arm from a body's joint."""
    b, lane = body >> 3, body & 7
    return add(get3(data, b, col.X_T + lane), cross(get3(data, b, col.X_R + lane), arm))


@inlined
def resisted(numbers, i, gained):
    """Force (N) that a point was taken to set against an acceleration of it."""
    n, t = take3(numbers, i, NORMAL), take3(numbers, i, SLIP)
    across = _across(gained, n)
    across = scale(numbers[i, GRIP], sub(across, scale(dot(across, t), t)))
    return add(scale(numbers[i, RIGID] * dot(gained, n), n), across)


@inlined
def resistance(numbers, i):
    """The same as a symmetric matrix: r n n^T + g (1 - n n^T - t t^T), t the direction of slip, along which friction
    does not change."""
    x, y, z = take3(numbers, i, NORMAL)
    u, v, w = take3(numbers, i, SLIP)
    g = numbers[i, GRIP]
    r = numbers[i, RIGID] - g
    return (
        g + r * x * x - g * u * u, r * x * y - g * u * v, r * x * z - g * u * w,
        g + r * y * y - g * v * v, r * y * z - g * v * w, g + r * z * z - g * w * w,
    )  # fmt: skip


@inlined
def _after(numbers, i, gained, n, c1, c2):
    """Gap (m) that counts, and how fast (m/s) a point parts, after a correction of its acceleration."""
    more = dot(n, gained)
    return felt(numbers, i, numbers[i, GAP] + c2 * more), dot(n, take3(numbers, i, SPEED)) + c1 * more


@inlined
def finish_at(marks, numbers, i, gained, law, is_alone, h, c1, c2, slow):
    """Let a point be what it is at the step's corrected end. Returns whether it has begun to touch, faster than a speed
    (m/s) that counts as none."""
    n, held = take3(numbers, i, NORMAL), _holds_back(marks, i, law.stickiness)
    gap, parting = _after(numbers, i, gained, n, c1, c2)
    push = push_at(law, gap, parting, held)
    numbers[i, GAP] += c2 * dot(n, gained)
    if passes(numbers, i):
        hits = not is_alone and numbers[i, GAP] < 0.0 and parting < -(FAST + TWO_FALLS * h)
        numbers[i, THROWN] = HITS if hits else PASSES
    is_apart = push < -held or (push == 0.0 and held == 0.0)
    if is_apart or is_alone or passes(numbers, i):
        let_go_of(marks, numbers, i)
        numbers[i, BORE] = 0.0
        numbers[i, REMEMBERED] = 0.0
        keep3(numbers, i, DRAWN, ZERO)
        return False
    speed = add(take3(numbers, i, SPEED), scale(c1, gained))
    drawn = drawn_at(numbers, i, n, speed, h, law.landing)
    hold(marks, numbers, i, n, drawn, False, push, law, h, False)
    numbers[i, REMEMBERED] = _remembered(marks, numbers, i, _load(push, held), h, law)
    numbers[i, BORE] = _load(push, held)
    across = sub(take3(numbers, i, FORCE), scale(push, n))
    drawn = scale(-1.0 / law.stiffness, across)
    keep3(numbers, i, DRAWN, sub(drawn, scale(law.landing, _across(speed, n))))
    return marks[i, WAS] == APART and numbers[i, PARTS] < -slow
