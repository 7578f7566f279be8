# SPDX-License-Identifier: GPL-3.0-or-later
"""The impulse of a collision at one point, with Coulomb's friction and Stronge's energetic restitution.

Arnold 1996, 2.4.3, after Bhatt and Koechling 1995. While the normal impulse grows, the relative velocity changes by K
times the impulse; friction opposes its tangential part, which turns, may come to a stop and stick, or slip again along
the one direction that leads outwards. Restitution ends when the normal force has given back e^2 of what it took.

Per unit of t the normal impulse grows by the tangential speed, which so falls exponentially where it comes to a stop:
that takes an infinite t and has no singularity.
"""

import math

from ..base.arrays import Floats1, Floats2, Ints1
from ..machine.jit import inlined, kernel, subroutine
from ..math.angles import sin_cos
from ..math.matrices import mat_inverse, mat_vec
from ..math.vectors import dot

#: Steps by so much of the direction (rad) and the velocities' shares, how many at most, and which share of the first
#: speed is none.
_STEP, _MOST, _NONE = 0.005, 90000, 1e-13

#: What turns by less than the first share of what it could has a straight way; steps stay stable where it turns back
#: to one.
_STRAIGHT, _STABLE = 1e-12, 0.1

#: Directions that are looked at for the one along which what stuck slips again, and halvings that find it.
_DIRECTIONS, _HALVINGS = 720, 60

#: The first of them, in steps: not an axis, where rounding would say on which side it is.
_BESIDE = 0.3819660112501051

#: Energy may seem to grow, and what has bounced to approach, by this share for rounding and the steps' error.
_ROUNDING = 1e-10


@inlined
def _rates(K, friction, c, s):
    """By a unit of normal impulse while slipping along (c, s): what the tangential speed gains, what the velocity
    across it does, and what the normal velocity does."""
    px, py = -friction * c, -friction * s
    ax, ay = K[0] * px + K[1] * py + K[2], K[3] * px + K[4] * py + K[5]
    return c * ax + s * ay, c * ay - s * ax, K[6] * px + K[7] * py + K[8]


@inlined
def _slope(K, friction, y):
    """Derivatives by t of y: direction (2), tangential and normal speed, impulse (3), work of the normal force."""
    c, s, speed, normal = y[0], y[1], y[2], y[3]
    outwards, around, pushed = _rates(K, friction, c, s)
    return (
        -s * around, c * around, speed * outwards, speed * pushed, -friction * c * speed, -friction * s * speed, speed,
        speed * normal,
    )  # fmt: skip


@inlined
def _ahead(y, h, d):
    return (
        y[0] + h * d[0], y[1] + h * d[1], y[2] + h * d[2], y[3] + h * d[3], y[4] + h * d[4], y[5] + h * d[5],
        y[6] + h * d[6], y[7] + h * d[7],
    )  # fmt: skip


@inlined
def _stepped(K, friction, y, h):
    """Runge and Kutta's step of fourth order."""
    a = _slope(K, friction, y)
    b = _slope(K, friction, _ahead(y, 0.5 * h, a))
    c = _slope(K, friction, _ahead(y, 0.5 * h, b))
    d = _slope(K, friction, _ahead(y, h, c))
    y = _ahead(_ahead(y, h / 6.0, a), h / 3.0, b)
    y = _ahead(_ahead(y, h / 3.0, c), h / 6.0, d)
    unit = 1.0 / math.sqrt(y[0] * y[0] + y[1] * y[1])
    return (unit * y[0], unit * y[1], y[2], y[3], y[4], y[5], y[6], y[7])


@inlined
def _ended(y, compressing, left):
    """Whether compression is over, or restitution: left (J) is the work that stays with the normal force."""
    return y[3] >= 0.0 if compressing else y[7] >= left


@subroutine
def _slide(K, friction, y, compressing, left, none):
    """Slip until the phase is over or, below the speed `none`, slipping is. Returns y, and 0, 1, or 2 for neither."""
    # How fast the direction can turn, and turn back to one along which it is straight.
    turns = friction * (abs(K[0]) + 2.0 * abs(K[1]) + abs(K[4])) + abs(K[2]) + abs(K[5])
    for _ in range(_MOST):
        outwards, around, pushed = _rates(K, friction, y[0], y[1])
        if abs(around) <= _STRAIGHT * turns:
            return _slide_straight(friction, y, outwards, pushed, compressing, left)
        size = max(abs(outwards) + abs(around) + abs(pushed) * y[2] / (abs(y[3]) + y[2]), _STABLE * turns)
        h = _STEP / max(size, 1e-300)
        after = _stepped(K, friction, y, h)
        if _ended(after, compressing, left):
            low, high = 0.0, 1.0
            for _ in range(_HALVINGS):
                middle = 0.5 * (low + high)
                if _ended(_stepped(K, friction, y, middle * h), compressing, left):
                    high = middle
                else:
                    low = middle
            return _stepped(K, friction, y, high * h), 0
        y = after
        if y[2] < none:
            return y, 1
    return y, 2


@inlined
def _slide_straight(friction, y, outwards, pushed, compressing, left):
    """What _slide returns, along a direction that does not turn any more."""
    end, is_end = _straight(y, -friction * y[0], -friction * y[1], pushed, compressing, left)
    stops = -y[2] / outwards if outwards < 0.0 else math.inf
    p = end[6] - y[6]
    if is_end and p <= stops:
        return (y[0], y[1], y[2] + p * outwards, end[3], end[4], end[5], end[6], end[7]), 0
    if outwards >= 0.0:
        return y, 2
    px, py, done = -friction * y[0] * stops, -friction * y[1] * stops, (y[3] + 0.5 * stops * pushed) * stops
    return (y[0], y[1], 0.0, y[3] + stops * pushed, y[4] + px, y[5] + py, y[6] + stops, y[7] + done), 1


@inlined
def _straight(y, px, py, pushed, compressing, left):
    """Go along (px, py, 1), by which the normal velocity gains `pushed`, to the end of the phase; the work done is
    (v + p pushed / 2) p. Returns y and whether there is an end."""
    v, work = y[3], y[7]
    under = v * v if compressing else v * v + 2.0 * (left - work) * pushed
    if pushed <= 0.0 or under < 0.0:
        return y, False
    p = max(-v / pushed if compressing else (-v + math.sqrt(under)) / pushed, 0.0)
    done = (v + 0.5 * p * pushed) * p
    return (y[0], y[1], y[2], v + p * pushed, y[4] + p * px, y[5] + p * py, y[6] + p, work + done), True


@inlined
def _holds(K, friction):
    """Tangential impulse by a unit of the normal one at which what sticks stays, and whether friction can give it."""
    determinant = K[0] * K[4] - K[1] * K[3]
    px, py = (K[1] * K[5] - K[4] * K[2]) / determinant, (K[3] * K[2] - K[0] * K[5]) / determinant
    return px, py, px * px + py * py <= friction * friction


@subroutine
def _way_out(K, friction):
    """Direction along which what stuck slips, straight and ever faster."""
    best, fastest, before = (1.0, 0.0), -1e300, 0.0
    for i in range(_DIRECTIONS + 1):
        angle = 2.0 * math.pi * (i + _BESIDE) / _DIRECTIONS
        s, c = sin_cos(angle)
        _, around, _ = _rates(K, friction, c, s)
        if i > 0 and (before > 0.0) != (around > 0.0):
            low, high = angle - 2.0 * math.pi / _DIRECTIONS, angle
            for _ in range(_HALVINGS):
                middle = 0.5 * (low + high)
                s, c = sin_cos(middle)
                if (_rates(K, friction, c, s)[1] > 0.0) == (before > 0.0):
                    low = middle
                else:
                    high = middle
            s, c = sin_cos(high)
            outwards, _, _ = _rates(K, friction, c, s)
            if outwards > fastest:
                best, fastest = (c, s), outwards
        before = around
    return best


@subroutine
def _phase(K, friction, y, compressing, left, none):
    """Go on to the end of compression or restitution. Returns y, and whether there is an end."""
    if y[2] > none:
        y, how = _slide(K, friction, y, compressing, left, none)
        if how != 1:
            return y, how == 0
    y = (y[0], y[1], 0.0, y[3], y[4], y[5], y[6], y[7])
    px, py, holds = _holds(K, friction)
    if holds:
        return _straight(y, px, py, K[6] * px + K[7] * py + K[8], compressing, left)
    c, s = _way_out(K, friction)
    outwards, _, pushed = _rates(K, friction, c, s)
    before = y[6]
    y, is_end = _straight(y, -friction * c, -friction * s, pushed, compressing, left)
    return (c, s, (y[6] - before) * outwards, y[3], y[4], y[5], y[6], y[7]), is_end


@inlined
def _followed(K, v, friction, bounce, size):
    """The impulse by the law, and whether it has an end."""
    speed, none = math.sqrt(v[0] * v[0] + v[1] * v[1]), _NONE * size
    c, s = (v[0] / speed, v[1] / speed) if speed > none else (1.0, 0.0)
    y, is_end = _phase(K, friction, (c, s, speed, v[2], 0.0, 0.0, 0.0, 0.0), True, 0.0, none)
    if is_end and bounce > 0.0:
        y, is_end = _phase(K, friction, y, False, (1.0 - bounce * bounce) * y[7], none)
    return (y[4], y[5], y[6]), is_end


@inlined
def _is_wrong(K, v, p, size):
    """Whether an impulse adds energy, leaves the two approaching, or pulls."""
    gained = mat_vec(K, p)
    energy = dot(v, p) + 0.5 * dot(p, gained)
    feeds = energy > _ROUNDING * size * math.sqrt(dot(p, p))
    return feeds or v[2] + gained[2] < -_ROUNDING * size or not p[2] >= 0.0


@inlined
def _without_friction(K, v, bounce):
    return 0.0, 0.0, -(1.0 + bounce) * v[2] / K[8]


@subroutine
def impulse(K, v, friction, bounce):
    """Impulse (N s) on the first of two things that meet, in axes of which z is the normal towards it.

    K (9) 1/kg: what velocities gain by an impulse; v (3) m/s: how the first moves relative to the other; friction:
    Coulomb's; bounce: energetic restitution. Returns the impulse, and 0 or, where the law has no answer (jamming), 1
    for that after what slips was stopped, as Arnold does, or 2 for one without friction.
    """
    if v[2] >= 0.0:
        return (0.0, 0.0, 0.0), 0
    if friction == 0.0:
        return _without_friction(K, v, bounce), 0
    size = math.sqrt(dot(v, v))
    p, is_end = _followed(K, v, friction, bounce, size)
    if is_end and not _is_wrong(K, v, p, size):
        return p, 0
    q = mat_vec(mat_inverse(K), (-v[0], -v[1], 0.0))
    p, is_end = _followed(K, (0.0, 0.0, v[2]), friction, bounce, size)
    p = (p[0] + q[0], p[1] + q[1], p[2] + q[2])
    if is_end and not _is_wrong(K, v, p, size):
        return p, 1
    return _without_friction(K, v, bounce), 2


@kernel
def impulses(K: Floats2, v: Floats2, friction: Floats1, bounce: Floats1, p: Floats2, how: Ints1) -> None:
    """Fill the impulses p (k, 3) of collisions K (k, 9), v (k, 3), and how each was found (see impulse)."""
    for i in range(len(K)):
        one = (K[i, 0], K[i, 1], K[i, 2], K[i, 3], K[i, 4], K[i, 5], K[i, 6], K[i, 7], K[i, 8])
        found, way = impulse(one, (v[i, 0], v[i, 1], v[i, 2]), friction[i], bounce[i])
        p[i, 0], p[i, 1], p[i, 2] = found
        how[i] = way
