# SPDX-License-Identifier: GPL-3.0-or-later
"""Weight, and forces, torques and twists that are given to bodies."""

import math

import numpy as np

from ..base.arrays import Bools, Floats, Ints
from ..base.checks import finite
from ..data import columns as col
from ..data.lanes import LANES, get3, get9, put3
from ..machine.jit import inlined
from ..math.matrices import hat, hat_hat, mat_add, mat_vec
from ..math.memory import load3, load9, store3, store9
from ..math.vectors import ZERO, add, cross, dot, scale, sub
from ..model.model import Model
from ..world.sample import Sample
from .driven import plants_with
from .loads import NOT_APPLIED, gravity_of

#: Columns of what is given to bodies: force (3), torque (3), twist (1).
FORCE, TORQUE, TWIST = 0, 3, 6


@inlined
def applied_loads(data, s):
    """Forces at the centres of mass, torques, and twists about the bodies' own axes."""
    for b in range(len(data)):
        for lane in range(LANES):
            before, after = col.LOADS_BEFORE + lane, col.LOADS_AFTER + lane
            force = _between(data, b, before, after, s)
            torque = _between(data, b, before + 3 * LANES, after + 3 * LANES, s)
            twist = (1.0 - s) * data[b, before + 6 * LANES] + s * data[b, after + 6 * LANES]
            R = get9(data, b, col.ROTATION + lane)
            center = mat_vec(R, get3(data, b, col.COM + lane))
            torque = add(torque, add(scale(twist, (R[1], R[4], R[7])), cross(center, force)))
            put3(data, b, col.PA_R + lane, sub(get3(data, b, col.PA_R + lane), torque))
            put3(data, b, col.PA_T + lane, sub(get3(data, b, col.PA_T + lane), force))


@inlined
def _between(data, b, before, after, s):
    return add(scale(1.0 - s, get3(data, b, before)), scale(s, get3(data, b, after)))


def loads_drive(before: Floats, after: Floats, plant_of_bodies: Ints, plants: int) -> Bools | bool:
    """(plants,) what is given to bodies (n, 7) may add energy to: weight has a potential, torques and twists none."""
    return plants_with((before, after), plant_of_bodies, plants)


@inlined
def still_loads(bodies, world, work, i):
    """Gravity, the body's force and torque, and its twist about its own y axis: sets wrench and tangent of body i."""
    shared, given = world.loads.shared, world.loads.applied
    R = load9(work.rotation, i)
    c = mat_vec(R, load3(bodies.com, i))
    force = scale(bodies.mass[i], gravity_of(shared[0]))
    twist, torque = ZERO, ZERO
    if len(given) > 0:
        force = add(force, load3(given, i))
        twist = scale(given[i, TWIST], (R[1], R[4], R[7]))
        torque = add((given[i, TORQUE], given[i, TORQUE + 1], given[i, TORQUE + 2]), twist)
    up = scale(-1.0, force)
    store3(work.force, i, up)
    store3(work.moment, i, sub(cross(c, up), torque))
    store9(work.rr, i, mat_add(hat_hat(up, c), hat(twist)))  # a turn turns the twist: -d twist = twist x turn
    for k in range(9):
        work.rt[i, k] = 0.0
        work.tr[i, k] = 0.0
        work.tt[i, k] = 0.0
    reach_force = math.sqrt(dot(force, force))
    work.reach[i, 0] = reach_force
    work.reach[i, 1] = math.sqrt(dot(c, c)) * reach_force + math.sqrt(dot(torque, torque))


class AppliedReader:
    """Forces, torques and twists of a sample, on the bodies of a model."""

    def __init__(self, model: Model):
        self._model = model
        movable, middle_moves = np.flatnonzero(model.upper >= 0), np.flatnonzero(model.middle >= 0)
        self._given = (
            ("force", FORCE, 3, middle_moves, model.middle),
            ("torque", TORQUE, 3, middle_moves, model.middle),
            ("twist", TWIST, 1, movable, model.upper),
        )

    def __call__(self, sample: Sample) -> Floats:
        """(n, 7), or (0, 7) without any. Raises SolverError for what is not numbers or has another shape."""
        m, found = self._model.rod_count, NOT_APPLIED
        for name, first, k, rods, carrier in self._given:
            given = getattr(sample, name)
            if given is None:
                continue
            values = finite(name, given, (m, k) if k > 1 else (m,)).reshape(m, k)
            if values.any():
                found = found if len(found) else np.zeros((self._model.body_count, 7))
                np.add.at(found[:, first : first + k], carrier[rods], values[rods])
        return found
