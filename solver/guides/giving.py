# SPDX-License-Identifier: GPL-3.0-or-later
"""How springs of guides give way: over the way at which they reach their largest force on it grows but by little, so
that what two of them cannot both hold has one place between them. It is braked there, by a small share of that force,
for the springs of a plant are weak beside it and would swing for long."""

import math

from ..machine.jit import inlined
from ..math.vectors import dot

#: From its largest force on a spring's force grows by this share of it while the way grows to e times what it was.
_YIELDS = 1e-3

#: What held with this share of its largest force gives way.
_GIVES_WAY = 0.9

#: s: what gives way without anything else would come back in this time if it was braked by any force; and the share of
#: the largest force that brakes at most.
_EASES, _BRAKES = 1.0, 0.05


@inlined
def gives_way(held, gives):
    """Whether what held with a force (N) gives way, and not only where solves find out what holds."""
    return math.sqrt(dot(held, held)) * gives > _GIVES_WAY


@inlined
def given_stiffness(stiffness, gives, stretch):
    """N/m: force over way of a spring of a stiffness (N/m), stretched (m); gives: one over its largest force (1/N)."""
    over = stiffness * stretch * gives
    return stiffness * (1.0 + _YIELDS * math.log(over)) / over if over > 1.0 else stiffness


@inlined
def given_slope(stiffness, gives, stretch):
    """N/m: by how much its force grows with the way."""
    over = stiffness * stretch * gives
    return stiffness * _YIELDS / over if over > 1.0 else stiffness


@inlined
def given_damping(stiffness, gives, stretch, speed):
    """N s/m: what brakes a spring that gives way at a speed (m/s)."""
    over = stiffness * stretch * gives
    if not over > 1.0:
        return 0.0
    return (1.0 - 1.0 / over) / (gives * (stretch / _EASES + speed / _BRAKES))


@inlined
def given_energy(stiffness, gives, stretch):
    """Its energy (J)."""
    over = stiffness * stretch * gives
    if not over > 1.0:
        return 0.5 * stiffness * stretch * stretch
    beyond = (over - 1.0) + _YIELDS * (over * math.log(over) - (over - 1.0))
    return (0.5 + beyond) / (gives * gives * stiffness)
