# SPDX-License-Identifier: GPL-3.0-or-later
"""Mechanical energy of a plant: what shows whether a motion is right, and guards it where steps are too long."""

from typing import NamedTuple

from ..base.arrays import Floats2
from ..data import columns as col
from ..data.lanes import get3, get6, get9
from ..data.rows import Rows
from ..forces.loads import STIFFNESS_SCALE, gravity_of
from ..joints.limits import limit_energy
from ..joints.loose import Loose, loose_of
from ..joints.springs import from_pose, rotation_vector, springs
from ..machine.jit import inlined, kernel
from ..math.matrices import mat_t_vec, mat_vec
from ..math.symmetric import sym_vec
from ..math.vectors import add, cross, dot, scale, times
from ..world.base_motion import MovingBase, standing_of
from .kinematics import at_present, kinematics


class Energy(NamedTuple):
    """kinetic; elastic, of the joints' springs and limits; gravitational, zero at the world's origin (J)."""

    kinetic: float
    elastic: float
    gravitational: float


@inlined
def energy_of_motion(data, i):
    """Kinetic energy (J) of body i where its columns are, in two parts that add up to it: m (v^2 / 2 + v (omega x c)),
    with v of its joint and c its centre from there, and omega I omega / 2."""
    b, lane = i >> 3, i & 7
    R, mass = get9(data, b, col.ROTATION + lane), data[b, col.MASS + lane]
    velocity, omega = get3(data, b, col.VELOCITY + lane), get3(data, b, col.OMEGA + lane)
    own, centre = mat_t_vec(R, omega), mat_vec(R, get3(data, b, col.COM + lane))
    shifting = 0.5 * mass * dot(velocity, velocity) + mass * dot(velocity, cross(omega, centre))
    return shifting, 0.5 * dot(own, sym_vec(get6(data, b, col.INERTIA + lane), own))


@inlined
def energy_at(data, parent, stands, loose, shared):
    """Kinetic, elastic and gravitational energy (J) for the joint rotations Q and rates U, which may be any.

    shared (5,): gravity and stiffness scale, see loads.py.
    """
    gravity, stiffness_scale = gravity_of(shared), shared[STIFFNESS_SCALE]
    springs(data, stiffness_scale)
    kinematics(data, parent, stands, loose, gravity)
    kinetic, elastic, gravitational = 0.0, 0.0, 0.0
    stretches = data[0, col.STRETCHES] > 0.0
    for i in range(len(parent)):
        b, lane = i >> 3, i & 7
        R, mass = get9(data, b, col.ROTATION + lane), data[b, col.MASS + lane]
        center = mat_vec(R, get3(data, b, col.COM + lane))
        shifting, turning = energy_of_motion(data, i)
        kinetic += shifting
        kinetic += turning
        if stretches:
            velocity, own = get3(data, b, col.VELOCITY + lane), mat_t_vec(R, get3(data, b, col.OMEGA + lane))
            W, moved = get9(data, b, col.SPREAD_RATE + lane), mat_vec(R, get3(data, b, col.FIRST_RATE + lane))
            spun = (W[5] - W[7], W[6] - W[2], W[1] - W[3])
            kinetic += dot(velocity, moved) + dot(own, spun) + data[b, col.OWN_MOTION + lane]
        gravitational -= mass * dot(gravity, add(get3(data, b, col.POSITION + lane), center))
        phi, _, _ = rotation_vector(from_pose(data, b, lane))
        left = 1.0 - data[b, col.FOLLOW + lane]
        K = scale(left * stiffness_scale, get3(data, b, col.STIFFNESS + lane))
        limits = data[b, col.BEND_LIMIT + lane], data[b, col.TWIST_LIMIT + lane]
        elastic += 0.5 * dot(phi, times(K, phi)) + limit_energy(phi, *limits, data[b, col.LIMIT_STIFFNESS + lane])
    return kinetic, elastic, gravitational


@kernel
def energy_of_plant(
    p: int, rows: Rows, bases: MovingBase, all_loose: Loose, shared: Floats2
) -> tuple[float, float, float]:
    """Kinetic, elastic and gravitational energy (J) of plant p in its present state."""
    data = rows.data[rows.first_block[p] : rows.first_block[p + 1]]
    loose = loose_of(all_loose, p, rows.first_body)
    at_present(data, loose)
    parent = rows.parent[rows.first_body[p] : rows.first_body[p + 1]]
    return energy_at(data, parent, standing_of(bases, rows, p), loose, shared[p])
