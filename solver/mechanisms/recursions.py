# SPDX-License-Identifier: GPL-3.0-or-later
"""The recursions of Featherstone 2008 over a tree of joints with one to six rates, in body axes.

All of them are linear in the number of bodies but the mass matrix, which is quadratic where bodies hang on each other.
Nothing here knows what a joint is like: it takes S, c and the transformation X of each.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .spatial import cross_force, cross_motion, solved


class Tree(NamedTuple):
    """Bodies, parents before children. parent: -1 for the ground; inertia: (6, 6) each; own: which rates are whose."""

    parent: Sequence[int]
    inertia: Sequence[Any]
    own: Sequence[slice]


class Pose(NamedTuple):
    """By bodies: X (6, 6) from the parent's frame, S (6, k), c (6,) = S' u."""

    X: list[Any]
    S: list[Any]
    c: list[Any]


class Motions(NamedTuple):
    """By bodies, in their axes: velocities v and the accelerations zeta = c + v x S u that rates alone make (6,)."""

    v: list[Any]
    zeta: list[Any]


class Articulated(NamedTuple):
    """By bodies: U = IA S, D^-1 of D = S^T U, and the inertia that the parent feels of the body and all it carries."""

    U: list[Any]
    D_inverse: list[Any]
    Ia: list[Any]


def motions(tree: Tree, pose: Pose, u: Any) -> Motions:
    """Velocities from the ground up."""
    v: list[Any] = []
    zeta = []
    for i, k in enumerate(tree.parent):
        own = pose.S[i] @ u[tree.own[i]]
        v.append(own if k < 0 else pose.X[i] @ v[k] + own)
        zeta.append(pose.c[i] + cross_motion(v[i], own))
    return Motions(v, zeta)


def bias_forces(tree: Tree, moving: Motions, given: Sequence[Any]) -> list[Any]:
    """p = v x* I v less the given forces (6,) on each body."""
    return [cross_force(v, inertia @ v) - f for inertia, v, f in zip(tree.inertia, moving.v, given, strict=True)]


def inverse_dynamics(tree: Tree, pose: Pose, moving: Motions, p: Sequence[Any], a: Any, ground: Any) -> Any:
    """Generalized forces that the accelerations a take, by recursive Newton-Euler; table 5.1, any number of rates.

    ground: (6,) acceleration of the ground; against gravity it is (0, -g)
    """
    x: list[Any] = []
    f = []
    for i, k in enumerate(tree.parent):
        x.append(pose.X[i] @ (ground if k < 0 else x[k]) + moving.zeta[i] + pose.S[i] @ a[tree.own[i]])
        f.append(tree.inertia[i] @ x[i] + p[i])
    tau = []
    for i in reversed(range(len(f))):
        tau.append(pose.S[i].T @ f[i])
        if (k := tree.parent[i]) >= 0:
            f[k] = f[k] + pose.X[i].T @ f[i]
    return np.concatenate(tau[::-1])


def articulated(tree: Tree, pose: Pose) -> Articulated:
    """Articulated-body inertias from the tips down; table 7.1."""
    IA = list(tree.inertia)
    U, D_inverse, felt = [], [], []
    for i in reversed(range(len(IA))):
        S = pose.S[i]
        U.append(IA[i] @ S)
        D_inverse.append(solved(S.T @ U[-1], np.eye(S.shape[1])))
        felt.append(IA[i] - U[-1] @ D_inverse[-1] @ U[-1].T)
        if (k := tree.parent[i]) >= 0:
            IA[k] = IA[k] + pose.X[i].T @ felt[-1] @ pose.X[i]
    return Articulated(U[::-1], D_inverse[::-1], felt[::-1])


def forward_dynamics(
    tree: Tree, pose: Pose, moving: Motions, by: Articulated, p: Sequence[Any], tau: Any, ground: Any
) -> Any:
    """Accelerations by the articulated-body algorithm; table 7.1, any number of rates."""
    pA, left = list(p), []
    for i in reversed(range(len(pA))):
        left.append(tau[tree.own[i]] - pose.S[i].T @ pA[i])
        if (k := tree.parent[i]) >= 0:
            pa = pA[i] + by.Ia[i] @ moving.zeta[i] + by.U[i] @ (by.D_inverse[i] @ left[-1])
            pA[k] = pA[k] + pose.X[i].T @ pa
    return _accelerations(tree, pose, by, left[::-1], moving.zeta, ground)


def mass_solved(tree: Tree, pose: Pose, by: Articulated, B: Any) -> Any:
    """M^-1 B of columns B (rates, m), by the same recursions at rest and without weight."""
    still = [np.zeros((6, B.shape[1]))] * len(tree.parent)
    pA: list[Any] = list(still)
    left = []
    for i in reversed(range(len(pA))):
        left.append(B[tree.own[i]] - pose.S[i].T @ pA[i])
        if (k := tree.parent[i]) >= 0:
            pA[k] = pA[k] + pose.X[i].T @ (pA[i] + by.U[i] @ (by.D_inverse[i] @ left[-1]))
    return _accelerations(tree, pose, by, left[::-1], still, still[0])


def _accelerations(
    tree: Tree, pose: Pose, by: Articulated, left: Sequence[Any], zeta: Sequence[Any], ground: Any
) -> Any:
    x: list[Any] = []
    a = []
    for i, k in enumerate(tree.parent):
        carried = pose.X[i] @ (ground if k < 0 else x[k]) + zeta[i]
        a.append(by.D_inverse[i] @ (left[i] - by.U[i].T @ carried))
        x.append(carried + pose.S[i] @ a[i])
    return np.concatenate(a)


def mass_matrix(tree: Tree, pose: Pose) -> Any:
    """M by composite rigid bodies; table 6.2."""
    Ic, rates = list(tree.inertia), tree.own[-1].stop
    M = np.zeros((rates, rates), dtype=np.result_type(*pose.X, *pose.S))
    for i in reversed(range(len(Ic))):
        F, j = Ic[i] @ pose.S[i], i
        M[tree.own[i], tree.own[i]] = pose.S[i].T @ F
        while (k := tree.parent[j]) >= 0:
            F = pose.X[j].T @ F
            M[tree.own[k], tree.own[i]] = pose.S[k].T @ F
            M[tree.own[i], tree.own[k]] = (pose.S[k].T @ F).T
            j = k
        if (k := tree.parent[i]) >= 0:
            Ic[k] = Ic[k] + pose.X[i].T @ Ic[i] @ pose.X[i]
    return M


def reduced_mass_matrix(tree: Tree, pose: Pose, G: Any) -> Any:
    """G^T M G of rates u = G w, by the bodies' velocities per w: linear in the number of bodies."""
    J: list[Any] = []
    M = np.zeros((G.shape[1], G.shape[1]))
    for i, k in enumerate(tree.parent):
        own = pose.S[i] @ G[tree.own[i]]
        J.append(own if k < 0 else pose.X[i] @ J[k] + own)
        M = M + J[i].T @ tree.inertia[i] @ J[i]
    return M
