# SPDX-License-Identifier: GPL-3.0-or-later
"""Spatial vectors in body axes, turning part first (Featherstone 2008, chapter 2), and rotations.

All of it takes arrays of any number type, so that what is run may also be counted.
"""

from typing import Any

import numpy as np

from ..base.errors import SolverError

#: A pivot below this share of its diagonal entry is rounding.
_SINGULAR = 1e-13

#: Axes after and before each.
_NEXT, _LAST = np.array([1, 2, 0]), np.array([2, 0, 1])


def cross(a: Any, b: Any) -> Any:
    """The cross product of two vectors (3,)."""
    x, y, z = a.tolist()
    p, q, r = b.tolist()
    return np.array([y * r - z * q, z * p - x * r, x * q - y * p])


def crosses(a: Any, b: Any) -> Any:
    """The cross products of vectors (..., 3)."""
    return a.take(_NEXT, -1) * b.take(_LAST, -1) - a.take(_LAST, -1) * b.take(_NEXT, -1)


def skew(a: Any) -> Any:
    """The skew matrix (3, 3) whose product with b is a x b."""
    x, y, z = a.tolist()
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def unskew(M: Any) -> Any:
    """The vectors (..., 3) of the skew part of matrices (..., 3, 3)."""
    return 0.5 * (M[..., [2, 0, 1], [1, 2, 0]] - M[..., [1, 2, 0], [2, 0, 1]])


def transform(R: Any, t: Any) -> Any:
    """Motion vectors from the parent's frame into one that is placed in it by R and t (6, 6); eq. 2.24."""
    X = np.zeros((6, 6), dtype=np.result_type(R, t))
    X[:3, :3] = X[3:, 3:] = R.T
    X[3:, :3] = -R.T @ skew(t)
    return X


def cross_motion(v: Any, m: Any) -> Any:
    """v x m of motion vectors (6,); eq. 2.31."""
    return np.concatenate([cross(v[:3], m[:3]), cross(v[:3], m[3:]) + cross(v[3:], m[:3])])


def cross_force(v: Any, f: Any) -> Any:
    """v x* f of a motion vector and a force vector (6,); eq. 2.32."""
    return np.concatenate([cross(v[:3], f[:3]) + cross(v[3:], f[3:]), cross(v[:3], f[3:])])


def spatial_inertia(mass: float, com: Any, inertia: Any) -> Any:
    """Inertia (6, 6) about the frame's origin from that about the centre of mass (3, 3); eq. 2.63."""
    c = skew(com)
    return np.block([[inertia + mass * c @ c.T, mass * c], [mass * c.T, mass * np.eye(3)]])


def turned(axis: Any, angle: Any) -> Any:
    """Rotation matrix about a unit axis."""
    K = skew(axis)
    return np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * (K @ K)


def shortest_turn(a: Any, b: Any) -> Any:
    """Rotation matrix that turns unit vector a into b about their common normal; not for opposite ones."""
    K = skew(cross(a, b))
    return np.eye(3) + K + K @ K / (1.0 + a @ b)


def solved(M: Any, B: Any) -> Any:
    """M^-1 B for a symmetric, positive definite M (n, n) and B (n, ...), by M = L D L^T.

    Raises SolverError where M is singular.
    """
    M, X, n = M.copy(), np.array(B).reshape(len(M), -1), len(M)
    M, X = (one.astype(np.result_type(M, X)) for one in (M, X))
    least = [_SINGULAR * M[k, k] for k in range(n)]
    below: list[Any] = []
    for k in range(n):
        if not M[k, k] > least[k]:
            raise SolverError(
                f"rate {k} moves no mass that no other one moves: give its body mass or inertia, or move away from a"
                " pose in which two coordinates do the same"
            )
        below.append(M[k + 1 :, k] / M[k, k])
        M[k + 1 :, k + 1 :] -= np.multiply.outer(below[k], M[k, k + 1 :])
        X[k + 1 :] -= np.multiply.outer(below[k], X[k])
    for k in reversed(range(n)):
        X[k] = X[k] / M[k, k] - below[k] @ X[k + 1 :]
    return X.reshape(np.shape(B))
