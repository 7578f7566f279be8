# SPDX-License-Identifier: GPL-3.0-or-later
"""Guenter & Lee 2009, "Symbolic Lagrangian Multibody Dynamics", as code generated with SymPy.

A mechanism is a tree of bodies, each placed in its parent by a 4x4 matrix whose entries are any expressions of the
joint's coordinates; nothing is differentiated by hand. Their eq. 13, with the Lagrangian's sums factored out from tips
to root, gives every generalized force,

    Q_j = tr(W_parent dA_j/dq_j phi_j),   phi_j = t_cm a^T - 1/2 B U^T + sum over children A_c phi_c

and `coefficient` and `substitute` (section 4) turn that into M(q) q'' + c(q, q') = Q. Other than they print it, the
derivative of angular momentum in the body's axes has its gyroscopic part, I alpha + omega x I omega.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import sympy
from scipy.linalg import cho_factor, cho_solve
from sympy import Expr, Matrix, Symbol

from tests.oracles.symbolic_program import Operations, Program

Entries = list[list[Expr]]


@dataclass(frozen=True)
class SymbolicBody:
    """A body of a mechanism, parents before children.

    parent: index, -1 for the ground; placement (4, 4): where the joint sits in the parent; motion (4, 4): the joint's
    transformation as a function of its coordinates; com (3,) m and inertia (3, 3) kg m2 about it, body's axes
    """

    parent: int
    placement: np.ndarray
    coordinates: tuple[Symbol, ...]
    motion: Matrix
    mass: float
    com: np.ndarray
    inertia: np.ndarray


class Mechanism:
    """Equations of motion of a tree of bodies, on one shared program.

    Inputs of all generated functions: coordinates q, rates, then force (3 n,) N in world axes at the centres of mass
    and torque (3 n,) N m in the bodies' axes, gravity included in the forces.
    """

    def __init__(self, bodies: Sequence[SymbolicBody]):
        self._bodies = bodies
        self.q = [q for body in bodies for q in body.coordinates]
        self.rate = [Symbol(f"{q}_t") for q in self.q]
        self.acceleration = [Symbol(f"{q}_tt") for q in self.q]
        self.force = [Symbol(f"f{i}_{axis}") for i in range(len(bodies)) for axis in "xyz"]
        self.torque = [Symbol(f"t{i}_{axis}") for i in range(len(bodies)) for axis in "xyz"]
        self.program = Program(self.acceleration)
        self._generalized_forces = self._factored_lagrangian()
        self._reorganized: tuple[list[Expr], list[Expr]] | None = None

    def inverse_operations(self) -> Operations:
        return self.program.operations(self._generalized_forces)

    def forward_operations(self) -> Operations:
        """Of M (its lower triangle) and c, without the solution of the linear system."""
        M, c = self._mass_and_bias()
        return self.program.operations(M + c)

    def inverse_dynamics(self) -> Callable[..., np.ndarray]:
        """Generate Q(q, rates, accelerations, force, torque)."""
        generated = self.program.compiled(
            (self.q, self.rate, self.acceleration, self.force, self.torque), self._generalized_forces
        )
        return lambda *arguments: np.array(generated(*map(np.ravel, arguments)))

    def equations_of_motion(self) -> Callable[..., tuple[np.ndarray, np.ndarray]]:
        """Generate M (k, k) and c (k,) of (q, rates, force, torque)."""
        M, c = self._mass_and_bias()
        generated = self.program.compiled((self.q, self.rate, self.force, self.torque), M + c)
        k = len(self.q)
        lower = np.tril_indices(k)

        def evaluate(*arguments: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            numbers = np.array(generated(*map(np.ravel, arguments)), dtype=float)
            mass = np.zeros((k, k))
            mass[lower] = numbers[: len(M)]
            return mass + np.tril(mass, -1).T, numbers[len(M) :]

        return evaluate

    def forward_dynamics(self) -> Callable[..., np.ndarray]:
        """Generate accelerations of (q, rates, Q, force, torque), with their Cholesky decomposition."""
        evaluate = self.equations_of_motion()

        def solve(q, rate, Q, force, torque) -> np.ndarray:
            M, c = evaluate(q, rate, force, torque)
            return cho_solve(cho_factor(M), np.ravel(Q) - c)

        return solve

    def _mass_and_bias(self) -> tuple[list[Expr], list[Expr]]:
        """Lower triangle of M, row by row, and c. M is symmetric: acceleration j is looked for in equations i >= j."""
        if self._reorganized is None:
            program = self.program
            M = [
                program.coefficient(equation, self.acceleration[j])
                for i, equation in enumerate(self._generalized_forces)
                for j in range(i + 1)
            ]
            c = [program.without_linear(equation) for equation in self._generalized_forces]
            self._reorganized = [program.share(m) for m in M], [program.share(e) for e in c]
        return self._reorganized

    def _factored_lagrangian(self) -> list[Expr]:
        """Left hand sides of eq. 13: transformations root to tips, then phi tips to root."""
        at: list[_Moving] = []
        first = 0
        for body in self._bodies:
            own = slice(first, first + len(body.coordinates))
            first = own.stop
            at.append(self._transformation(body, at[body.parent] if body.parent >= 0 else None, own))
        phi: list[Entries] = []
        for i, body in enumerate(self._bodies):
            phi.append(self._own_phi(body, at[i], self.force[3 * i : 3 * i + 3], self.torque[3 * i : 3 * i + 3]))
        equations: list[Expr] = [sympy.Integer(0)] * len(self.q)
        last = len(self.q)
        for i in range(len(self._bodies) - 1, -1, -1):
            body, moving = self._bodies[i], at[i]
            first = last - len(body.coordinates)
            turned = self._times(phi[i], moving.joint[:3])
            for k, derivative in enumerate(moving.derivatives):  # tr(P dX phi) = tr(dX (phi P))
                pairs = [(derivative[a][b], turned[b][a]) for a in range(3) for b in range(4)]
                equations[first + k] = self.program.sum_of_products(pairs)
            last = first
            if body.parent >= 0:
                carried = self._times(_numbers(body.placement), self._times(moving.motion, phi[i]))
                phi[body.parent] = self._plus(phi[body.parent], carried)
        return equations

    def _transformation(self, body: SymbolicBody, parent: "_Moving | None", own: slice) -> "_Moving":
        """W = W_parent A and its time derivatives, with A = placement * motion."""
        program, fixed = self.program, _numbers(body.placement)
        q, rate, acceleration = body.coordinates, self.rate[own], self.acceleration[own]
        first = [[entry.diff(a) for entry in body.motion] for a in q]
        pairs = [(a, b) for a in range(len(q)) for b in range(a, len(q))]
        second = [[entry.diff(q[b]) for entry in first[a]] for a, b in pairs]
        shared = program.share_all([entry for matrix in (body.motion, *first, *second) for entry in matrix])
        motion, *rest = [_rows(shared[16 * k : 16 * k + 16]) for k in range(1 + len(first) + len(second))]
        d1, d2 = rest[: len(q)], rest[len(q) :]
        products = [program.share((1 if a == b else 2) * rate[a] * rate[b]) for a, b in pairs]
        speed = self._weighted(d1, rate)
        change = self._weighted(d1 + d2, [*acceleration, *products])
        if parent is None:
            return _Moving(fixed, motion, d1, *(self._times(fixed, m) for m in (motion, speed, change)))
        joint, joint_t, joint_tt = (self._times(m, fixed) for m in (parent.W, parent.W_t, parent.W_tt))
        return _Moving(
            joint, motion, d1,
            self._times(joint, motion),
            self._plus(self._times(joint_t, motion), self._times(joint, speed)),
            self._plus(
                self._times(joint_tt, motion), self._times(joint_t, [[2 * e for e in row] for row in speed]),
                self._times(joint, change),
            ),
        )  # fmt: skip

    def _own_phi(self, body: SymbolicBody, at: "_Moving", force: list[Symbol], torque: list[Symbol]) -> Entries:
        """t_cm a^T - 1/2 B U^T of one body, 4 x 4."""
        program = self.program
        t = [*(sympy.Float(x) if x else sympy.Integer(0) for x in body.com), sympy.Integer(1)]
        a = [
            program.share(program.sum_of_products(list(zip(at.W_tt[r], t, strict=True))) * body.mass - force[r])
            for r in range(3)
        ]
        R, R_t, R_tt = (list(zip(*(row[:3] for row in m[:3]), strict=True)) for m in (at.W, at.W_t, at.W_tt))  # columns
        around = [(2, 1), (0, 2), (1, 0)]
        omega = [program.sum_of_products(list(zip(R[i], R_t[j], strict=True))) for i, j in around]
        alpha = [
            program.share(
                program.sum_of_products(list(zip(R[i], R_tt[j], strict=True))) - program.share(omega[i] * omega[j])
            )
            for i, j in around
        ]
        inertia = [[sympy.Float(x) if x else sympy.Integer(0) for x in row] for row in body.inertia]
        h = [program.sum_of_products(list(zip(row, omega, strict=True))) for row in inertia]
        b = [
            program.share(
                program.sum_of_products(list(zip(inertia[k], alpha, strict=True)))
                + program.share(omega[i] * h[j] - omega[j] * h[i])
                - torque[k]
            )
            for k, (i, j) in enumerate([(1, 2), (2, 0), (0, 1)])
        ]
        half = [program.share(e / 2) for e in b]
        B = [[0, half[2], -half[1]], [-half[2], 0, half[0]], [half[1], -half[0], 0]]  # -1/2 of the skew matrix
        phi = [[program.share(t[r] * a[c]) for c in range(3)] for r in range(4)]
        for r in range(3):
            for c in range(3):
                turned = program.sum_of_products([(B[r][k], R[k][c]) for k in range(3)])
                phi[r][c] = program.share(phi[r][c] + turned)
        return phi

    def _times(self, a: Entries, b: Entries) -> Entries:
        columns = list(zip(*b, strict=True))
        return [[self.program.sum_of_products(list(zip(row, column, strict=True))) for column in columns] for row in a]

    def _plus(self, *matrices: Entries) -> Entries:
        return [
            [self.program.share(sum(entries)) for entries in zip(*rows, strict=True)]
            for rows in zip(*matrices, strict=True)
        ]

    def _weighted(self, matrices: list[Entries], weights: Sequence[Expr]) -> Entries:
        return [
            [
                self.program.sum_of_products([(m[r][c], w) for m, w in zip(matrices, weights, strict=True)])
                for c in range(4)
            ]
            for r in range(4)
        ]


@dataclass(frozen=True)
class _Moving:
    """joint = W_parent placement; motion and its derivatives by the coordinates; W and its time derivatives."""

    joint: Entries
    motion: Entries
    derivatives: list[Entries]
    W: Entries
    W_t: Entries
    W_tt: Entries


def _rows(entries: Sequence[Expr]) -> Entries:
    return [list(entries[4 * r : 4 * r + 4]) for r in range(4)]


def _numbers(matrix: np.ndarray) -> Entries:
    """Entries as SymPy numbers; 0, 1 and -1 exact, so that they cost nothing."""
    return [[sympy.Integer(int(x)) if x in (-1.0, 0.0, 1.0) else sympy.Float(x) for x in row] for row in matrix]
