# SPDX-License-Identifier: GPL-3.0-or-later
"""Recursive Newton-Euler and composite rigid bodies in plain 6D vectors and body frames.

From Featherstone, Rigid Body Dynamics Algorithms (2008): spatial transforms (table 2.2, eq. 2.24), spatial inertia
(eq. 2.63), inverse dynamics (table 5.1), mass matrix (table 6.2). Vectors are (angular, linear). Shares no code with
the solver.
"""

import numpy as np
from scipy.spatial.transform import Rotation

from solver.model.model import Bodies

#: Motion subspace of a spherical joint.
S = np.vstack([np.eye(3), np.zeros((3, 3))])


def skew(v: np.ndarray) -> np.ndarray:
    x, y, z = v
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def motion_transform(E: np.ndarray, r: np.ndarray) -> np.ndarray:
    """(6, 6) X of motion vectors from a frame to one at r with axes E (rows)."""
    X = np.zeros((6, 6))
    X[:3, :3] = X[3:, 3:] = E
    X[3:, :3] = -E @ skew(r)
    return X


def cross_motion(v: np.ndarray) -> np.ndarray:
    """(6, 6) v x on motion vectors; on force vectors it is the negative transpose."""
    X = np.zeros((6, 6))
    X[:3, :3] = X[3:, 3:] = skew(v[:3])
    X[3:, :3] = skew(v[3:])
    return X


def rotation(q: np.ndarray) -> np.ndarray:
    """(..., 3, 3) matrices of quaternions w x y z."""
    return Rotation.from_quat(np.roll(q, -1, axis=-1)).as_matrix()


class SpatialTree:
    """Bodies at given joint rotations (n, 4)."""

    def __init__(self, bodies: Bodies, q: np.ndarray):
        self.parent = bodies.parent
        n = len(bodies.parent)
        in_parent = rotation(bodies.rest) @ rotation(q)
        self.X = [motion_transform(in_parent[i].T, bodies.offset[i]) for i in range(n)]
        self.world = np.zeros((n, 3, 3))
        self.inertia = []
        for i in range(n):
            k = bodies.parent[i]
            self.world[i] = in_parent[i] if k < 0 else self.world[k] @ in_parent[i]
            xx, xy, xz, yy, yz, zz = bodies.inertia[i]
            first = bodies.mass[i] * skew(bodies.com[i])
            about_joint = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            self.inertia.append(np.block([[about_joint, first], [first.T, bodies.mass[i] * np.eye(3)]]))

    def inverse_dynamics(self, u: np.ndarray, a: np.ndarray, gravity: np.ndarray, external: np.ndarray) -> np.ndarray:
        """(n, 3) joint torques for rates u, accelerations a (n, 3) and spatial forces (n, 6) in the bodies' frames."""
        n = len(self.parent)
        v, acc, f = np.zeros((n, 6)), np.zeros((n, 6)), np.zeros((n, 6))
        for i in range(n):
            k = self.parent[i]
            v_parent = v[k] if k >= 0 else np.zeros(6)
            a_parent = acc[k] if k >= 0 else np.concatenate([np.zeros(3), -gravity])
            joint_velocity = S @ u[i]
            v[i] = self.X[i] @ v_parent + joint_velocity
            acc[i] = self.X[i] @ a_parent + S @ a[i] + cross_motion(v[i]) @ joint_velocity
            f[i] = self.inertia[i] @ acc[i] - cross_motion(v[i]).T @ self.inertia[i] @ v[i] - external[i]
        tau = np.zeros((n, 3))
        for i in range(n - 1, -1, -1):
            tau[i] = S.T @ f[i]
            if self.parent[i] >= 0:
                f[self.parent[i]] += self.X[i].T @ f[i]
        return tau

    def mass_matrix(self) -> np.ndarray:
        """(3n, 3n)."""
        n = len(self.parent)
        composite = [inertia.copy() for inertia in self.inertia]
        H = np.zeros((3 * n, 3 * n))
        for i in range(n - 1, -1, -1):
            if self.parent[i] >= 0:
                composite[self.parent[i]] += self.X[i].T @ composite[i] @ self.X[i]
            F = composite[i] @ S
            at = slice(3 * i, 3 * i + 3)
            H[at, at] = S.T @ F
            j = i
            while self.parent[j] >= 0:
                F = self.X[j].T @ F
                j = self.parent[j]
                H[at, 3 * j : 3 * j + 3] = F.T @ S
                H[3 * j : 3 * j + 3, at] = H[at, 3 * j : 3 * j + 3].T
        return H

    def kinetic_energy(self, u: np.ndarray) -> float:
        """Sum over bodies of 1/2 v.I v."""
        v, energy = np.zeros((len(self.parent), 6)), 0.0
        for i, k in enumerate(self.parent):
            v[i] = (self.X[i] @ v[k] if k >= 0 else np.zeros(6)) + S @ u[i]
            energy += 0.5 * v[i] @ self.inertia[i] @ v[i]
        return energy

    def external(self, bodies: Bodies, loads) -> np.ndarray:
        """(n, 6) forces at the centres of mass, torques and twists, as spatial forces in the bodies' frames."""
        f = np.einsum("nji,nj->ni", self.world, loads.force)
        t = np.einsum("nji,nj->ni", self.world, loads.torque)
        t[:, 1] += loads.twist
        return np.hstack([t + np.cross(bodies.com, f), f])


def spring_torques(bodies: Bodies, joints, stiffness_scale: float) -> np.ndarray:
    """(n, 3) of springs and dampers: minus the gradient of 1/2 phi.K phi by turns of the body, by the series of J_r."""
    K = bodies.stiffness * stiffness_scale
    phi = Rotation.from_quat(np.roll(joints.q, -1, axis=1)).as_rotvec()
    torque = np.zeros_like(phi)
    for i, (p, k) in enumerate(zip(phi, K, strict=True)):
        angle = np.linalg.norm(p)
        s = skew(p)
        J = np.eye(3)
        if angle > 0.0:
            J += -(1 - np.cos(angle)) / angle**2 * s + (angle - np.sin(angle)) / angle**3 * s @ s
        torque[i] = -np.linalg.solve(J.T, k * p)
    damping = bodies.damping_time[:, None] * K + bodies.damping[:, None]
    return torque - damping * joints.u
