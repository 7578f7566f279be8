# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact of plants at rest: the one-sided springs of contact.py without friction, and what motion begins with.

Tangents leave out that a round obstacle's normal turns where a point slides on it: residuals are exact.
"""

from ..contact.finding import is_left_alone
from ..contact.obstacles import MARGIN
from ..contact.touch import (
    APART,
    ARM,
    BORE,
    DRAWN,
    FORCE,
    GAP,
    NORMAL,
    OBSTACLE,
    PUSH,
    REMEMBERED,
    SLOTS,
    STATUS,
    STICKS,
)
from ..machine.jit import inlined, subroutine
from ..math.matrices import hat_hat, mat_add, outer
from ..math.memory import keep3, load3, load9, store9, take3
from ..math.vectors import ZERO, add, cross, scale, sub
from .contact import on_shape, where
from .wrench import add_wrench


@inlined
def still_contacts(world, work):
    """One-sided springs along the normals at the points that have been found."""
    touching = world.touching
    shapes, traits = touching.shapes, touching.obstacles.traits
    for near in range(touching.counts[0]):
        k = touching.near[near]
        body, stiffness = shapes.body[k], shapes.stiffness[k]
        B, at = load9(work.rotation, body), load3(work.position, body)
        for i in range(SLOTS * k, SLOTS * k + SLOTS):
            j = touching.marks[i, OBSTACLE]
            if j < 0:
                break
            arm, radius = on_shape(touching, k, i, B)
            distance, n, _ = where(touching, i, j, add(at, arm))
            gap = distance - radius - traits[j, MARGIN]
            push = 0.0 if is_left_alone(touching, k, j, i) else max(0.0, -stiffness * gap)
            touching.numbers[i, GAP] = gap
            touching.numbers[i, PUSH] = push
            keep3(touching.numbers, i, ARM, sub(arm, scale(radius, n)))
            keep3(touching.numbers, i, NORMAL, n)
            if push > 0.0:
                _add_spring(work, body, arm, n, push, stiffness)


@inlined
def _add_spring(work, i, arm, n, push, stiffness):
    """Add a push (N) along n on a point of body i, from its joint, and its stiffness (N/m)."""
    up, lever = scale(-push, n), cross(arm, n)
    add_wrench(work, i, arm, up)
    turned = mat_add(hat_hat(up, arm), outer(scale(stiffness, lever), lever))
    store9(work.rr, i, mat_add(load9(work.rr, i), turned))
    store9(work.rt, i, mat_add(load9(work.rt, i), outer(scale(stiffness, lever), n)))
    store9(work.tr, i, mat_add(load9(work.tr, i), outer(scale(stiffness, n), lever)))
    store9(work.tt, i, mat_add(load9(work.tt, i), outer(scale(stiffness, n), n)))


@subroutine
def rest_on_contacts(touching):
    """Let all points that push stick with springs of friction that are not drawn, and friction know the push."""
    for near in range(touching.counts[0]):
        k = touching.near[near]
        for i in range(SLOTS * k, SLOTS * k + SLOTS):
            if touching.marks[i, OBSTACLE] < 0:
                break
            push = touching.numbers[i, PUSH]
            touching.marks[i, STATUS] = STICKS if push > 0.0 else APART
            touching.numbers[i, BORE] = push
            touching.numbers[i, REMEMBERED] = push
            keep3(touching.numbers, i, DRAWN, ZERO)
            keep3(touching.numbers, i, FORCE, scale(push, take3(touching.numbers, i, NORMAL)))
