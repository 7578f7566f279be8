# SPDX-License-Identifier: GPL-3.0-or-later
"""What joints must give for a motion: recursive Newton-Euler.

Featherstone, Rigid Body Dynamics Algorithms, 2008, table 5.1, in world axes about each body's inboard joint: velocities
and accelerations from the base to the tips, then forces from the tips to the base. With I about the joint, c the arm to
the centre of mass and a the joint's acceleration less gravity, a body needs the force m (a + alpha x c + w x (w x c))
and the moment c x m a + I alpha + w x I w. The last term is not in Kavafoglu's equations.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..base.arrays import Floats1, Floats2
from ..base.checks import finite
from ..base.constants import EARTH_GRAVITY
from ..machine.jit import kernel
from ..math.matrices import mat_mul, mat_t_vec, mat_vec
from ..math.memory import keep3, load3, load4, load6, load9, store3, store9, take3
from ..math.quaternions import quat_mat, quat_mul
from ..math.symmetric import sym_rotate, sym_vec
from ..math.vectors import add, cross, scale, sub
from ..model.model import Bodies

#: Columns of the kernel's work: arm from the parent's joint (m), angular velocity, angular acceleration, acceleration
#: of the joint less gravity, force and moment that the body needs; all of 3 numbers, in world axes.
_ARM, _OMEGA, _ALPHA, _ACCELERATION, _FORCE, _MOMENT, _WORK = 0, 3, 6, 9, 12, 15, 18


class BaseMotion(NamedTuple):
    """How the base stands and moves, in world axes: position (m), orientation (quaternion), velocity (m/s), angular
    velocity omega (rad/s), acceleration (m/s2) and angular acceleration alpha (rad/s2). At rest if nothing is said."""

    position: ArrayLike = (0.0, 0.0, 0.0)
    orientation: ArrayLike = (1.0, 0.0, 0.0, 0.0)
    velocity: ArrayLike = (0.0, 0.0, 0.0)
    omega: ArrayLike = (0.0, 0.0, 0.0)
    acceleration: ArrayLike = (0.0, 0.0, 0.0)
    alpha: ArrayLike = (0.0, 0.0, 0.0)


class JointLoads(NamedTuple):
    """What n inboard joints give to their bodies: moment (n, 3) N m in bodies' axes, force (n, 3) N in world axes."""

    moment: Floats2
    force: Floats2


def inverse_dynamics(
    bodies: Bodies, q: ArrayLike, u: ArrayLike, a: ArrayLike, base: BaseMotion | None = None,
    gravity: ArrayLike = EARTH_GRAVITY, force: ArrayLike | None = None, torque: ArrayLike | None = None,
) -> JointLoads:  # fmt: skip
    """What the joints of n bodies, a model's, must give so that these move as said. O(n).

    q (n, 4): quaternions of the joints' rotations from rest; u (n, 3) rad/s and a (n, 3) rad/s2: their rates and
    accelerations in the bodies' axes; base: at rest if None; gravity (3,) m/s2; force (n, 3) N at the centres of mass
    and torque (n, 3) N m: what acts besides, in world axes, nothing if None.
    Raises SolverError for what is not numbers or has another shape.
    """
    n = len(bodies.parent)
    stands = base or BaseMotion()
    now = np.zeros((6, 4))
    for row, (name, size) in enumerate(zip(BaseMotion._fields, (3, 4, 3, 3, 3, 3), strict=True)):
        now[row, :size] = finite(f"base's {name}", getattr(stands, name), (size,))
    now[1] /= np.linalg.norm(now[1])
    acts = [
        np.zeros((n, 3)) if given is None else finite(name, given, (n, 3))
        for name, given in (("forces", force), ("torques", torque))
    ]
    found = JointLoads(np.empty((n, 3)), np.empty((n, 3)))
    _newton_euler(
        bodies, finite("rotations", q, (n, 4)), finite("rates", u, (n, 3)), finite("accelerations", a, (n, 3)), now,
        finite("gravity", gravity, (3,)), *acts, np.empty((n, 9)), np.empty((n, _WORK)), found.moment, found.force,
    )  # fmt: skip
    return found


@kernel
def _newton_euler(
    bodies: Bodies, q: Floats2, u: Floats2, a: Floats2, base: Floats2, gravity: Floats1, given_force: Floats2,
    given_torque: Floats2, rotation: Floats2, work: Floats2, moment: Floats2, force: Floats2,
) -> None:  # fmt: skip
    """Fill moment (n, 3) and force (n, 3), see above; rotation (n, 9) and work (n, 18): scratch."""
    for i in range(len(q)):
        k = bodies.parent[i]
        if k < 0:
            Rp, omega, alpha = quat_mat(load4(base, 1)), load3(base, 3), load3(base, 5)
            acceleration = sub(load3(base, 4), (gravity[0], gravity[1], gravity[2]))
        else:
            Rp, omega, alpha = load9(rotation, k), take3(work, k, _OMEGA), take3(work, k, _ALPHA)
            acceleration = take3(work, k, _ACCELERATION)
        R = mat_mul(Rp, quat_mat(quat_mul(load4(bodies.rest, i), load4(q, i))))
        r, rate = mat_vec(Rp, load3(bodies.offset, i)), mat_vec(R, load3(u, i))
        acceleration = add(acceleration, add(cross(alpha, r), cross(omega, cross(omega, r))))
        alpha = add(alpha, add(cross(omega, rate), mat_vec(R, load3(a, i))))
        omega = add(omega, rate)
        m, c, inertia = bodies.mass[i], mat_vec(R, load3(bodies.com, i)), sym_rotate(R, load6(bodies.inertia, i))
        needed = scale(m, add(acceleration, add(cross(alpha, c), cross(omega, cross(omega, c)))))
        turning = add(sym_vec(inertia, alpha), cross(omega, sym_vec(inertia, omega)))
        turning = add(turning, cross(c, scale(m, acceleration)))
        acts = load3(given_force, i)
        store9(rotation, i, R)
        keep3(work, i, _ARM, r)
        keep3(work, i, _OMEGA, omega)
        keep3(work, i, _ALPHA, alpha)
        keep3(work, i, _ACCELERATION, acceleration)
        keep3(work, i, _FORCE, sub(needed, acts))
        keep3(work, i, _MOMENT, sub(turning, add(load3(given_torque, i), cross(c, acts))))
    for i in range(len(q) - 1, -1, -1):
        k, carried, turning = bodies.parent[i], take3(work, i, _FORCE), take3(work, i, _MOMENT)
        store3(moment, i, mat_t_vec(load9(rotation, i), turning))
        store3(force, i, carried)
        if k >= 0:
            keep3(work, k, _FORCE, add(take3(work, k, _FORCE), carried))
            shifted = add(turning, cross(take3(work, i, _ARM), carried))
            keep3(work, k, _MOMENT, add(take3(work, k, _MOMENT), shifted))
