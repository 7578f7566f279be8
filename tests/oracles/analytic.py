# SPDX-License-Identifier: GPL-3.0-or-later
"""Closed forms and an independent Newton-Euler: what the solver is measured against. Shares no code with it."""

import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

GRAVITY = 9.81

# Garcia's cantilever, section 8.3.
LENGTH, RADIUS, YOUNG, DENSITY = 1.0, 0.01, 8100e6, 923.0
SECOND_MOMENT = np.pi * RADIUS**4 / 4
LINE_WEIGHT = DENSITY * np.pi * RADIUS**2 * GRAVITY
#: w l^4 / (8 E I) = 0.0055893 m, his eq. 8.8.
SAG = LINE_WEIGHT * LENGTH**4 / (8 * YOUNG * SECOND_MOMENT)


def sag_ratio(layout: str, n: int) -> float:
    """Tip deflection under self weight of n internodes over w l^4 / (8 E I)."""
    return {"base": (1 + 1 / n) ** 2, "double_root": 1 + 1 / n**2, "mid": 1 - 1 / (2 * n**2)}[layout]


def tip_force_ratio(layout: str, n: int) -> float:
    """Tip deflection under a small force at the tip over F l^3 / (3 E I): the sum of F x^2 / k over the joints."""
    return {"base": 1 + 3 / (2 * n) + 1 / (2 * n**2), "double_root": 1 + 1 / (2 * n**2), "mid": 1 - 1 / (4 * n**2)}[
        layout
    ]


def twist_ratio(layout: str, n: int) -> float:
    """Twist of the tip over T l / (G J): double_root has no joint for the outer half of the last internode."""
    return {"base": 1.0, "double_root": 1 - 1 / (2 * n), "mid": 1.0}[layout]


def pendulum_acceleration(mass: float, to_com: float, inertia: float, theta):
    """Garcia eq. 8.3; inertia about the hinge, theta from the downward vertical."""
    return -mass * GRAVITY * to_com / inertia * np.sin(theta)


def double_pendulum_accelerations(m, length, inertia, theta, rate, gravity=GRAVITY):
    """Both accelerations of Garcia eq. A.15 and A.16 for rods with given inertia about their centres.

    m, length, inertia, theta, rate: pairs; angles from the downward vertical.
    """
    ja = inertia[0] + m[0] * length[0] ** 2 / 4 + m[1] * length[0] ** 2
    jb = inertia[1] + m[1] * length[1] ** 2 / 4
    jx = 0.5 * m[1] * length[0] * length[1]
    mu1, mu2 = (0.5 * m[0] + m[1]) * gravity * length[0], 0.5 * m[1] * gravity * length[1]
    cos, sin = np.cos(theta[0] - theta[1]), np.sin(theta[0] - theta[1])
    left = np.array([[ja, jx * cos], [jx * cos, jb]])
    right = -np.array(
        [jx * sin * rate[1] ** 2 + mu1 * np.sin(theta[0]), -jx * sin * rate[0] ** 2 + mu2 * np.sin(theta[1])]
    )
    return np.linalg.solve(left, right)


def double_pendulum(m, length, inertia, theta, rate, times):
    """(len(times), 2) angles, integrated to 1e-12."""

    def slope(_, y):
        return np.concatenate([y[2:], double_pendulum_accelerations(m, length, inertia, y[:2], y[2:])])

    start = np.concatenate([theta, rate])
    return solve_ivp(slope, (0, times[-1]), start, "DOP853", times, rtol=1e-12, atol=1e-13).y[:2].T


def pendulum(factor, theta, times):
    """Angles of theta'' = -factor sin theta from rest, integrated to 1e-12."""

    def slope(_, y):
        return [y[1], -factor * np.sin(y[0])]

    return solve_ivp(slope, (0, times[-1]), [theta, 0.0], "DOP853", times, rtol=1e-12, atol=1e-13).y[0]


# Newton-Euler by plain sums over all bodies, in world axes.


class Motion:
    """Where all bodies are and how they move, for joint rotations q, rates u and accelerations a."""

    def __init__(self, bodies, q, u, a, base):
        n = len(bodies.parent)
        self.bodies = bodies
        self.R, self.p, self.w, self.v = np.zeros((n, 3, 3)), np.zeros((n, 3)), np.zeros((n, 3)), np.zeros((n, 3))
        self.alpha, self.acc = np.zeros((n, 3)), np.zeros((n, 3))
        for i in range(n):
            k = bodies.parent[i]
            if k < 0:
                R, p, w, v = _matrix(base[1]), base[0, :3], base[3, :3], base[2, :3]
                alpha, acc = base[5, :3], base[4, :3]
            else:
                R, p, w, v, alpha, acc = self.R[k], self.p[k], self.w[k], self.v[k], self.alpha[k], self.acc[k]
            r = R @ bodies.offset[i]
            self.R[i] = R @ _matrix(bodies.rest[i]) @ _matrix(q[i])
            own = self.R[i] @ u[i]
            self.p[i], self.v[i], self.w[i] = p + r, v + np.cross(w, r), w + own
            self.acc[i] = acc + np.cross(alpha, r) + np.cross(w, np.cross(w, r))
            self.alpha[i] = alpha + np.cross(w, own) + self.R[i] @ a[i]
        self.c = np.einsum("nij,nj->ni", self.R, bodies.com)
        self.com = self.p + self.c
        self.v_com = self.v + np.cross(self.w, self.c)
        self.a_com = self.acc + np.cross(self.alpha, self.c) + np.cross(self.w, np.cross(self.w, self.c))
        about_joint = bodies.inertia[:, (0, 1, 2, 1, 3, 4, 2, 4, 5)].reshape(n, 3, 3)
        c = bodies.com
        parallel = (c * c).sum(1)[:, None, None] * np.eye(3) - c[:, :, None] * c[:, None, :]
        self.inertia = self.R @ (about_joint - bodies.mass[:, None, None] * parallel) @ self.R.transpose(0, 2, 1)

    def joint_moments(self, gravity, force=None, torque=None):
        """(n, 3) moments in the bodies' frames that the joints must supply; force at the centres of mass."""
        n = len(self.p)
        mass = self.bodies.mass[:, None]
        force = mass * (self.a_com - gravity) - (0.0 if force is None else force)
        turn = np.einsum("nij,nj->ni", self.inertia, self.alpha)
        turn = turn + np.cross(self.w, np.einsum("nij,nj->ni", self.inertia, self.w))
        turn = turn - (0.0 if torque is None else torque)
        moments = np.zeros((n, 3))
        for i in range(n):
            moments[i] += turn[i]
            j = i
            while j >= 0:  # every joint between the body and the base carries it
                moments[j] += np.cross(self.com[i] - self.p[j], force[i]) + (turn[i] if j != i else 0.0)
                j = self.bodies.parent[j]
        return np.einsum("nji,nj->ni", self.R, moments)

    def kinetic_energy(self):
        spin = np.einsum("ni,nij,nj->", self.w, self.inertia, self.w)
        return 0.5 * (self.bodies.mass * (self.v_com**2).sum(1)).sum() + 0.5 * spin

    def weight_energy(self, gravity):
        return -(self.bodies.mass * (self.com @ gravity)).sum()

    def angular_momentum(self, about):
        spin = np.einsum("nij,nj->ni", self.inertia, self.w)
        return (spin + np.cross(self.com - about, self.bodies.mass[:, None] * self.v_com)).sum(0)


def spring_energy(bodies, q):
    phi = Rotation.from_quat(q[:, (1, 2, 3, 0)]).as_rotvec()
    return 0.5 * (bodies.stiffness * phi**2).sum()


def spring_moments(stiffness, q, step=1e-6):
    """(n, 3) -gradient of phi^T K phi / 2 with respect to a turn in the body's frame, by central differences."""
    rotation = Rotation.from_quat(q[:, (1, 2, 3, 0)])
    gradient = np.zeros_like(stiffness)
    for axis in range(3):
        turn = np.zeros(3)
        turn[axis] = step
        energy = [
            0.5 * (stiffness * (rotation * Rotation.from_rotvec(side * turn)).as_rotvec() ** 2).sum(1)
            for side in (1.0, -1.0)
        ]
        gradient[:, axis] = (energy[0] - energy[1]) / (2 * step)
    return -gradient


def _matrix(q):
    return Rotation.from_quat([q[1], q[2], q[3], q[0]]).as_matrix()
