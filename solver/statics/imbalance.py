# SPDX-License-Identifier: GPL-3.0-or-later
"""How far a still plant is from balance, measured at every joint by its loads, or by what rounding makes there."""

import math

from ..contact.pairs import ARM_B, NEAR, PAIR_SLOTS
from ..contact.touch import ARM, NORMAL, OBSTACLE, PUSH, RIGID, SLOTS
from ..forces.loads import gravity_of
from ..guides.pulls import STIFFNESS
from ..guides.ties import STIFFNESS as TIED
from ..guides.ties import still_end
from ..machine.jit import inlined, kernel, subroutine
from ..math.matrices import mat_vec
from ..math.memory import load3, load6, load9, store3, take3
from ..math.vectors import ZERO, add, cross, dot, scale, sub
from ..model.model import Bodies
from .tangent import Tangent

#: Rounding of an angle (rad) and, as a share, of a position; and how much larger than its moment is what unbalanced
#: moments are measured by, where nothing larger is.
_ROUNDING, _ROUNDED = 4e-16, 1e9

_AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@kernel
def load_scale(bodies: Bodies, work: Tangent) -> float:
    """Moment of the loads over the inertia, both at full lever (1/s2), at the joint where that moment is largest. Sets
    each joint's heft to that inertia, and its span."""
    moment, unit, hung = 0.0, 0.0, work.hung_r
    n = len(bodies.parent)
    for i in range(n):
        inertia, first = load6(work.inertia, i), load3(work.first, i)
        store3(hung, i, (bodies.mass[i], math.sqrt(dot(first, first)), 0.5 * (inertia[0] + inertia[3] + inertia[5])))
    for i in range(n - 1, -1, -1):
        k, (m, first, second) = bodies.parent[i], load3(hung, i)
        if k >= 0:
            offset = load3(work.offset, i)
            r = math.sqrt(dot(offset, offset))
            store3(hung, k, add(load3(hung, k), (m, first + r * m, second + r * (2.0 * first + r * m))))
        work.heft[i] = second
        work.span[i] = first
        if work.reach[i, 1] > moment:
            moment = work.reach[i, 1]
            unit = moment / second
    return unit


@subroutine
def imbalance(bodies, world, work):
    """Largest share that a joint's unbalanced moment has in what it is measured by, and the joint.

    It is measured by the moment of the joint's own loads or, if that is more, a thousandth of what they would have at
    full lever (as for a plumb stem), what their weight would, and what rounding makes a billionth of.
    """
    gravity = gravity_of(world.loads.shared[0])
    weight = math.sqrt(gravity[0] ** 2 + gravity[1] ** 2 + gravity[2] ** 2)
    _find_noise(bodies, world, work)
    worst, joint = 0.0, 0
    for i in range(len(work.gradient)):
        g, m, across = load3(work.gradient, i), load3(work.moment, i), load3(work.noise_across, i)
        own = max(math.sqrt(dot(m, m)), 1e-3 * work.reach[i, 1], weight * work.span[i], _ROUNDED * work.noise[i])
        side = math.sqrt(dot(across, across))
        axis = scale(1.0 / (side if side > 0.0 else 1.0), across)
        along = dot(g, axis)
        rest = sub(g, scale(along, axis))
        share = _share(along, own) + _share(math.sqrt(dot(rest, rest)), max(own, _ROUNDED * (side + work.noise[i])))
        if not share <= worst:
            worst, joint = (share if math.isfinite(share) else math.inf), i
    return worst, joint


@inlined
def _share(part, whole):
    return abs(part) / whole if whole > 0.0 else (0.0 if part == 0.0 else math.inf)


@subroutine
def _find_noise(bodies, world, work):
    """Fill noise and noise_across with the moments (N m) that rounding alone makes at each joint.

    A joint's spring has that of its angle. A handle has that of the positions along the path from the base to its point
    and of its target, at the joints of that path only, and there across the lever only: it does not hide what turns
    about the line to its point. Of several handles this is so for the one that makes most.
    """
    pulls = world.loads.pulls
    for i in range(len(work.noise)):
        K = load9(work.spring, i)
        work.noise[i] = _ROUNDING * max(abs(K[0]), abs(K[4]), abs(K[8]))
        store3(work.noise_across, i, ZERO)
    for j in range(len(pulls.body)):
        target, point, i = load3(pulls.numbers, j), load3(pulls.point, j), pulls.body[j]
        if i < 0:
            continue
        tip = add(load3(work.position, i), mat_vec(load9(work.rotation, i), point))
        path, k = math.sqrt(dot(point, point)), i
        while k >= 0:
            offset = load3(bodies.offset, k)
            path += math.sqrt(dot(offset, offset))
            k = bodies.parent[k]
        force = _ROUNDING * pulls.numbers[j, STIFFNESS] * (math.sqrt(dot(target, target)) + path)
        while i >= 0:
            lever, most = scale(force, sub(tip, load3(work.position, i))), load3(work.noise_across, i)
            if dot(lever, lever) > dot(most, most):
                lever, most = most, lever
                store3(work.noise_across, i, most)
            work.noise[i] += math.sqrt(dot(lever, lever))
            i = bodies.parent[i]
    _add_noise_of_contacts(bodies, world.touching, work)
    _add_noise_of_pairs(bodies, world, work)
    _add_noise_of_ties(bodies, world, work)


@subroutine
def _add_noise_of_contacts(bodies, touching, work):
    """Add to noise what rounding of the positions along the path from the base to points that touch makes there."""
    for near in range(touching.counts[0]):
        k = touching.near[near]
        for p in range(SLOTS * k, SLOTS * k + SLOTS):
            if touching.marks[p, OBSTACLE] < 0:
                break
            if touching.numbers[p, PUSH] == 0.0:
                continue
            arm, n = take3(touching.numbers, p, ARM), take3(touching.numbers, p, NORMAL)
            _add_noise_at(bodies, work, touching.shapes.body[k], arm, n, touching.numbers[p, RIGID])


@subroutine
def _add_noise_of_pairs(bodies, world, work):
    """The same of points at which bodies push each other."""
    pairs, shapes = world.leaning.pairs, world.touching.shapes
    for p in range(PAIR_SLOTS * pairs.counts[0, NEAR]):
        if pairs.marks[p, OBSTACLE] >= 0 and pairs.numbers[p, PUSH] > 0.0:
            k, m = pairs.ends[p // PAIR_SLOTS, 0], pairs.ends[p // PAIR_SLOTS, 1]
            n, stiffness = take3(pairs.numbers, p, NORMAL), pairs.numbers[p, RIGID]
            _add_noise_at(bodies, work, shapes.body[k], take3(pairs.numbers, p, ARM), n, stiffness)
            _add_noise_at(bodies, work, shapes.body[m], take3(pairs.numbers, p, ARM_B), n, stiffness)


@subroutine
def _add_noise_of_ties(bodies, world, work):
    """The same of ties."""
    ties = world.loads.ties
    for j in range(len(ties.body)):
        for end in range(2):
            e, _ = still_end(ties, work, j, end)
            for axis in range(3):
                _add_noise_at(bodies, work, ties.body[j, end], e, _AXES[axis], ties.numbers[j, TIED])


@inlined
def _add_noise_at(bodies, work, i, arm, n, stiffness):
    """Add what rounding of the positions makes of a spring along n at an arm from the joint of body i."""
    at = add(load3(work.position, i), arm)
    path, b = math.sqrt(dot(at, at)), i
    while b >= 0:
        offset = load3(bodies.offset, b)
        path += math.sqrt(dot(offset, offset))
        b = bodies.parent[b]
    force = _ROUNDING * stiffness * path
    while i >= 0:
        moment = cross(sub(at, load3(work.position, i)), n)
        work.noise[i] += force * math.sqrt(dot(moment, moment))
        i = bodies.parent[i]
