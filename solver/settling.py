# SPDX-License-Identifier: GPL-3.0-or-later
"""Equilibrium in a wind field, which blows differently wherever the plant bends to.

The plant settles in the air that is where it stands, the field is read there again, and so on until it is still. Each
time the air goes a share of the way to what was read: with the whole of it a plant that stands lower in less wind would
rise and sink for ever where the field is steep. The share is Aitken's in the form for vectors (Irons and Tuck 1969, A
version of the Aitken accelerator for computer iteration; Kuettler and Wall 2008, Fixed-point fluid-structure
interaction solvers with dynamic relaxation). It is kept positive: then it does not find equilibria that the field
pushes the plant away from.
"""

import math
from collections.abc import Callable

import numpy as np

from .model import Bodies, Floats
from .rotation import conjugate, logarithm, multiply, rotate
from .statics import FELL, Equilibrium, find_equilibrium
from .tangent import StillWorld, balance, new_tangent

#: A field is read at most so often, and the air goes at least and at most such a share of the way to what was read.
_MOST_READINGS, _LEAST_SHARE, _MOST_SHARE = 100, 0.01, 10.0

#: Air is the same if it differs by rounding only.
_SAME = 1e-15


def settle_in_field(
    bodies: Bodies,
    q: Floats,
    world: StillWorld,
    field: Callable[[Floats], Floats],
    tolerance: float,
    most_iterations: int,
) -> Equilibrium:
    """Move the joint rotations q (n, 4) to equilibrium in a field of the air's velocity at points (k, 3), in place.

    The loads' air is that at the given pose; it becomes that at the found one, and so are residual and stable. Where
    no pose is found that is still to the tolerance, it is said not to be stable.
    """
    work, air = new_tangent(len(q)), world.loads.air
    body = np.repeat(np.arange(len(q)), np.diff(world.panels.start))
    balance(bodies, q, world, work, False)
    drawn = work.orientation.copy()
    found = find_equilibrium(bodies, q, world, tolerance, most_iterations)
    asked, before, share, is_still = air.copy(), air, 1.0, True
    for reading in range(1, _MOST_READINGS + 1):
        if not math.isfinite(found.residual):
            return found
        balance(bodies, q, world, work, False)
        air[:] = field(work.position[body] + rotate(work.orientation[body], world.panels.center))
        gap = air - asked
        if np.abs(gap).max(initial=0.0) <= _SAME * np.abs(air).max(initial=0.0):
            break
        here = find_equilibrium(bodies, q, world, tolerance, 0)
        found, left = found._replace(residual=here.residual, stable=here.stable), most_iterations - found.iterations
        is_still = here.residual <= tolerance
        if is_still or left <= 0 or reading == _MOST_READINGS:
            break
        if reading > 1:
            share = _next_share(share, before, gap)
        before = gap
        asked += share * gap
        air[:] = asked
        last = find_equilibrium(bodies, q, world, tolerance, left)
        found = last._replace(iterations=found.iterations + last.iterations, fell=found.fell or last.fell)
    balance(bodies, q, world, work, False)
    turned = logarithm(multiply(conjugate(drawn), work.orientation))
    turn = float(np.linalg.norm(turned, axis=1).max())
    return found._replace(stable=found.stable and is_still, fell=found.fell or turn > FELL, turn=turn)


def _next_share(share: float, before: Floats, gap: Floats) -> float:
    """Aitken's share from the last one and the last two differences between the air that was read and asked for."""
    change = gap - before
    size = float((change * change).sum())
    if size > 0.0:
        share *= -float((before * change).sum()) / size
    return min(max(share, _LEAST_SHARE), _MOST_SHARE)
