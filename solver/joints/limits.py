# SPDX-License-Identifier: GPL-3.0-or-later
"""What a joint's cone and twist limits are: a stiff spring on what its bend or its twist is beyond."""

import math

from ..machine.jit import inlined

#: Beyond a limit the stiffness grows in proportion over so many rad, and stays from there on. Where it jumps instead,
#: solves take longer to find out which joints are beyond, and steps must be shorter.
ONSET = 0.008

#: So far (rad) beyond a limit its moment is twice as large as with that stiffness. It grows with the third power of
#: what is beyond, so that loads are held as well that are a thousand times the weight.
STEEP = 0.03

#: A bend below this (rad) has no direction. Far above the smallest numbers, so that no product with its inverse
#: overflows.
STRAIGHT = 1e-30


@inlined
def beyond(phi, bend_limit, twist_limit):
    """Bend (about x and z) of a joint turned by phi, and what bend and twist (about y) exceed their limits by (rad)."""
    bend = math.sqrt(phi[0] * phi[0] + phi[2] * phi[2])
    over_bend, over_twist = bend - bend_limit, abs(phi[1]) - twist_limit
    return bend, over_bend if over_bend > 0.0 else 0.0, over_twist if over_twist > 0.0 else 0.0


@inlined
def _spring(over):
    """Energy, moment and stiffness of a limit's spring over its stiffness, at what is beyond it, not negative (rad)."""
    soft = over if over < ONSET else ONSET
    rest, steep = over - soft, over * (1.0 / STEEP)
    energy = soft * soft * soft / (6.0 * ONSET) + 0.5 * rest * (ONSET + rest)
    moment = soft * soft * (0.5 / ONSET) + rest
    steep2 = steep * steep
    return energy + 0.25 * over * over * steep2, moment + over * steep2, soft * (1.0 / ONSET) + 3.0 * steep2


@inlined
def limit_energy(phi, bend_limit, twist_limit, hard):
    """J, with hard the stiffness (N m/rad) well beyond a limit."""
    _, over_bend, over_twist = beyond(phi, bend_limit, twist_limit)
    bending, _, _ = _spring(over_bend)
    twisting, _, _ = _spring(over_twist)
    return hard * (bending + twisting)


@inlined
def limit_spring(phi, bend_limit, twist_limit, hard):
    """First (N m) and second (N m/rad: xx, yy, zz, xz; the others are 0) derivatives of that energy by phi.

    No branch, so that blocks of bodies can be computed at once.
    """
    bend, over_bend, over_twist = beyond(phi, bend_limit, twist_limit)
    _, bending, radial = _spring(over_bend)
    _, twisting, about_y = _spring(over_twist)
    per_bend = 1.0 / (bend if bend > STRAIGHT else STRAIGHT)
    x, z = per_bend * phi[0], per_bend * phi[2]
    # Outwards the spring is as stiff as it is there; along the cone only its moment, which turns with the bend, holds.
    along = hard * bending * per_bend
    outwards = hard * radial - along
    moment_y = hard * (twisting if phi[1] > 0.0 else -twisting)
    return (
        (along * phi[0], moment_y, along * phi[2]),
        (along + outwards * x * x, hard * about_y, along + outwards * z * z, outwards * x * z),
    )
