# SPDX-License-Identifier: GPL-3.0-or-later
"""What a step that is not gentle may give to each loose tree of bodies that go together.

All of them together get no energy in it. That lets what weighs a millionth of the others take all of theirs, so that a
loose tree may have no more than it had, or than all of it would with twice the speed of the fastest of the others,
which is what a wall that comes so fast gives to a ball; or with twice a speed at which nothing seems to be thrown.
"""

import math

from ..contact.obstacles import stand_still
from ..data import columns as col
from ..data.lanes import get3, get9, put3
from ..joints.loose import share_trial
from ..machine.jit import inlined, subroutine
from ..math.matrices import mat_vec
from ..math.vectors import add, cross, dot, scale
from .energy import energy_of_motion

#: Of a tree, on its root, in fields that nothing else uses meanwhile: energy of motion (J) at the step's beginning and
#: at its end, mass (kg), and the square of the largest speed (m2/s2) of a centre of mass at its beginning.
_BEFORE, _AFTER, _MASS, _SPEED2 = col.PA_R, col.PA_R + 8, col.PA_R + 16, col.PA_T

#: Of a body: the root of its tree, and at last what share of its rates is left.
_ROOT, _LEFT = col.PA_T + 8, col.PA_T + 16

#: What is hit by something much heavier leaves with at most so many times its speed, or so many times this one (m/s).
_TWICE, _SLOW = 2.0, 1.0


@inlined
def may_be_thrown(world):
    """Whether there may be loose trees beside others, and nothing moves that has no energy of its own."""
    return world.loose.used[0, 0] > 0 and len(world.pairs.ends) > 0 and stand_still(world.touching.obstacles)


@inlined
def _get(data, field, i):
    return data[i >> 3, field + (i & 7)]


@inlined
def _put(data, field, i, value):
    data[i >> 3, field + (i & 7)] = value


@inlined
def _energy_of(data, i):
    """Energy of motion (J) of body i."""
    shifting, turning = energy_of_motion(data, i)
    return shifting + turning


@inlined
def _speed2_of(data, i):
    """Square of the speed (m2/s2) of body i's centre."""
    b, lane = i >> 3, i & 7
    centre = mat_vec(get9(data, b, col.ROTATION + lane), get3(data, b, col.COM + lane))
    fast = add(get3(data, b, col.VELOCITY + lane), cross(get3(data, b, col.OMEGA + lane), centre))
    return dot(fast, fast)


@subroutine
def see_trees_before(data, parent):
    """Remember of each tree what it was at the step's beginning, where bodies' columns are."""
    for i in range(len(parent)):
        root = i if parent[i] < 0 else int(_get(data, _ROOT, parent[i]))
        _put(data, _ROOT, i, root)
        kinetic, mass, speed2 = _energy_of(data, i), _get(data, col.MASS, i), _speed2_of(data, i)
        first = root == i
        _put(data, _BEFORE, root, kinetic + (0.0 if first else _get(data, _BEFORE, root)))
        _put(data, _MASS, root, mass + (0.0 if first else _get(data, _MASS, root)))
        _put(data, _SPEED2, root, speed2 if first else max(speed2, _get(data, _SPEED2, root)))


@subroutine
def share_among_trees(data, parent, loose, rates):
    """Leave to loose trees of their rates (a field) and their way in the step what they may have, where bodies' columns
    are of the step's end."""
    fastest, second, who = 0.0, 0.0, -1
    for i in range(len(parent)):
        if parent[i] < 0:
            _put(data, _AFTER, i, 0.0)
            speed2 = _get(data, _SPEED2, i)
            second = max(second, min(speed2, fastest))
            fastest, who = (speed2, i) if speed2 > fastest else (fastest, who)
    for i in range(len(parent)):
        root = int(_get(data, _ROOT, i))
        _put(data, _AFTER, root, _get(data, _AFTER, root) + _energy_of(data, i))
    for i in range(len(parent)):
        if parent[i] >= 0:
            _put(data, _LEFT, i, _get(data, _LEFT, parent[i]))
        else:
            others = max(second if i == who else fastest, _SLOW * _SLOW)
            may_have = max(_get(data, _BEFORE, i), 0.5 * _get(data, _MASS, i) * _TWICE * _TWICE * others)
            has = _get(data, _AFTER, i)
            left = math.sqrt(may_have / has) if parent[i] < -1 and has > may_have else 1.0
            _put(data, _LEFT, i, left)
            if left < 1.0:
                share_trial(loose, -2 - parent[i], left)
        left = _get(data, _LEFT, i)
        if left < 1.0:
            b, lane = i >> 3, i & 7
            put3(data, b, rates + lane, scale(left, get3(data, b, rates + lane)))
            put3(data, b, col.TURN + lane, scale(left, get3(data, b, col.TURN + lane)))
