# SPDX-License-Identifier: GPL-3.0-or-later
"""Recursive Newton-Euler and composite rigid bodies in plain 6D vectors and body frames.

From Featherstone, Rigid Body Dynamics Algorithms (2008): spatial transforms (table 2.2, eq. 2.24), spatial inertia
(eq. 2.63), inverse dynamics (table 5.1), mass matrix (table 6.2). Vectors are (angular, linear). Shares no code with
the solver. All is done in the precision of the joints' rotations, double or extended.
"""

import numpy as np

from solver.model.model import Bodies

#: Motion subspace of a spherical joint.
S = np.vstack([np.eye(3), np.zeros((3, 3))])


def skew(v: np.ndarray) -> np.ndarray:
    x, y, z = v
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def motion_transform(E: np.ndarray, r: np.ndarray) -> np.ndarray:
    """(6, 6) X of motion vectors from a frame to one at r with axes E (rows)."""
    X = np.zeros((6, 6), dtype=E.dtype)
    X[:3, :3] = X[3:, 3:] = E
    X[3:, :3] = -E @ skew(r)
    return X


def cross_motion(v: np.ndarray) -> np.ndarray:
    """(6, 6) v x on motion vectors; on force vectors it is the negative transpose."""
    X = np.zeros((6, 6), dtype=v.dtype)
    X[:3, :3] = X[3:, 3:] = skew(v[:3])
    X[3:, :3] = skew(v[3:])
    return X


def rotation(q: np.ndarray) -> np.ndarray:
    """(n, 3, 3) matrices of quaternions w x y z."""
    w, v = q[:, :1, None], q[:, 1:]
    s = np.array([skew(one) for one in v])
    whole = (q**2).sum(axis=1)[:, None, None]
    return np.eye(3, dtype=q.dtype) + 2.0 * (w * s + s @ s) / whole


def stretched(r: np.ndarray, f: np.ndarray) -> np.ndarray:
    """(3, 3) stiffness against turns of an arm r (m) along which a force f (N) pulls; none where it pushes."""
    return max(0.0, f @ r) * (np.eye(3) - np.outer(r, r) / (r @ r))


class SpatialTree:
    """Bodies at given joint rotations (n, 4)."""

    def __init__(self, bodies: Bodies, q: np.ndarray):
        self.parent, self.number = bodies.parent, q.dtype
        n = len(bodies.parent)
        in_parent = rotation(bodies.rest.astype(self.number)) @ rotation(q)
        self.X = [motion_transform(in_parent[i].T, bodies.offset[i]) for i in range(n)]
        self.world = self._zeros(n, 3, 3)
        self.inertia = []
        for i in range(n):
            k = bodies.parent[i]
            self.world[i] = in_parent[i] if k < 0 else self.world[k] @ in_parent[i]
            xx, xy, xz, yy, yz, zz = bodies.inertia[i]
            first = bodies.mass[i] * skew(bodies.com[i].astype(self.number))
            about_joint = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            whole = np.block([[about_joint, first], [first.T, bodies.mass[i] * np.eye(3)]])
            self.inertia.append(whole.astype(self.number))

    def _zeros(self, *shape: int) -> np.ndarray:
        return np.zeros(shape, dtype=self.number)

    def inverse_dynamics(self, u: np.ndarray, a: np.ndarray, gravity: np.ndarray, external: np.ndarray) -> np.ndarray:
        """(n, 3) joint torques for rates u, accelerations a (n, 3) and spatial forces (n, 6) in the bodies' frames.
        Keeps the forces through the joints, see tension."""
        n = len(self.parent)
        v, acc, f = self._zeros(n, 6), self._zeros(n, 6), self._zeros(n, 6)
        for i in range(n):
            k = self.parent[i]
            v_parent = v[k] if k >= 0 else np.zeros(6)
            a_parent = acc[k] if k >= 0 else np.concatenate([np.zeros(3), -gravity])
            joint_velocity = S @ u[i]
            v[i] = self.X[i] @ v_parent + joint_velocity
            acc[i] = self.X[i] @ a_parent + S @ a[i] + cross_motion(v[i]) @ joint_velocity
            f[i] = self.inertia[i] @ acc[i] - cross_motion(v[i]).T @ self.inertia[i] @ v[i] - external[i]
        tau = self._zeros(n, 3)
        for i in range(n - 1, -1, -1):
            tau[i] = S.T @ f[i]
            if self.parent[i] >= 0:
                f[self.parent[i]] += self.X[i].T @ f[i]
        self.carried = np.einsum("nij,nj->ni", self.world, f[:, 3:])
        return tau

    def tension(self, bodies: Bodies) -> np.ndarray:
        """(3n, 3n) stiffness of what forces stretch, after inverse_dynamics: where a force f pulls along the arm r from
        a body's joint to its mass or to the next joint, f.r (1 - r r^T / r^2) on its turn."""
        held = self._zeros(len(self.parent), 3, 3)
        own = self.carried.copy()
        for i, k in enumerate(self.parent):
            if k >= 0:
                own[k] -= self.carried[i]
                held[k] += stretched(self.world[k] @ bodies.offset[i], -self.carried[i])
        for i, com in enumerate(bodies.com):
            held[i] += stretched(self.world[i] @ com, -own[i])
        n = 3 * len(held)
        K, turn = self._zeros(n, n), self._zeros(len(held), 3, n)  # turn: of each body, by those of the joints
        for i, k in enumerate(self.parent):
            if k >= 0:
                turn[i] = turn[k]
            turn[i][:, 3 * i : 3 * i + 3] = self.world[i]
            K += turn[i].T @ held[i] @ turn[i]
        return K

    def mass_matrix(self) -> np.ndarray:
        """(3n, 3n)."""
        n = len(self.parent)
        composite = [inertia.copy() for inertia in self.inertia]
        H = self._zeros(3 * n, 3 * n)
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
        v, energy = self._zeros(len(self.parent), 6), 0.0
        for i, k in enumerate(self.parent):
            v[i] = (self.X[i] @ v[k] if k >= 0 else self._zeros(6)) + S @ u[i]
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
    number = joints.q.dtype
    K = bodies.stiffness.astype(number) * stiffness_scale
    torque = np.zeros_like(K)
    for i, (p, k) in enumerate(zip(rotation_vectors(joints.q), K, strict=True)):
        torque[i] = -inverse_jacobian(p).T @ (k * p)
    damping = bodies.damping_time[:, None] * K + bodies.damping[:, None]
    return torque - damping * joints.u


def inverse_jacobian(p: np.ndarray) -> np.ndarray:
    """(3, 3) how a rotation vector changes with turns of the body: J_r^-1, of the series of J_r."""
    angle, s, J = np.sqrt(p @ p), skew(p), np.eye(3, dtype=p.dtype)
    if angle > 0.0:
        J += -(1 - np.cos(angle)) / angle**2 * s + (angle - np.sin(angle)) / angle**3 * s @ s
    a, b, c = J.T
    return np.array([np.cross(b, c), np.cross(c, a), np.cross(a, b)]) / (a @ np.cross(b, c))


def implicit_joints(bodies: Bodies, joints, stiffness_scale: float, c1: float, c2: float) -> np.ndarray:
    """(3n, 3n) what a step adds of joints: c1 B + c2 (k + J^T (K - k) J + |m| / 2), k being the least of K, J how the
    rotation vector changes with the joint's turn and m = K phi."""
    number = joints.q.dtype
    K = bodies.stiffness.astype(number) * stiffness_scale
    B = bodies.damping_time[:, None] * K + bodies.damping[:, None]
    added = np.zeros((K.size, K.size), dtype=number)
    for i, p in enumerate(rotation_vectors(joints.q)):
        J, least, moment, own = inverse_jacobian(p), K[i].min(), K[i] * p, slice(3 * i, 3 * i + 3)
        stiff = J.T @ np.diag(K[i] - least) @ J + (least + 0.5 * np.sqrt(moment @ moment)) * np.eye(3)
        added[own, own] = c1 * np.diag(B[i]) + c2 * stiff
    return added


def rotation_vectors(q: np.ndarray) -> np.ndarray:
    """(n, 3) rad, of quaternions w x y z; at most half a turn."""
    q = np.where(q[:, :1] < 0.0, -q, q)
    sine = np.sqrt((q[:, 1:] ** 2).sum(axis=1))
    factor = 2.0 * np.arctan2(sine, q[:, 0]) / np.where(sine > 0.0, sine, 1.0)
    return q[:, 1:] * factor[:, None]


def accelerations(bodies: Bodies, joints, loads, c1: float = 0.0, c2: float = 0.0) -> np.ndarray:
    """(3n,) of joints of bodies on a still base, by the mass matrix: solved in double precision, and mended by what is
    missing in that of the joints until that adds nothing. With c1 and c2 those of an implicit step's end point."""
    tree = SpatialTree(bodies, joints.q)
    external = tree.external(bodies, loads)
    needed = tree.inverse_dynamics(joints.u, np.zeros_like(joints.u), loads.gravity, external)
    missing = (spring_torques(bodies, joints, loads.stiffness_scale[0]) - needed).ravel()
    H = tree.mass_matrix()
    if c2 > 0.0:
        H = H + implicit_joints(bodies, joints, loads.stiffness_scale[0], c1, c2) + c2 * tree.tension(bodies)
    rough, a = H.astype(np.float64), np.zeros_like(missing)
    for _ in range(6):
        a = a + np.linalg.solve(rough, (missing - H @ a).astype(np.float64))
    return a
