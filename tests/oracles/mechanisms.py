# SPDX-License-Identifier: GPL-3.0-or-later
"""Mechanisms for the generated Lagrangian equations: our plants' bodies with Euler angles, and two of the paper's."""

from typing import NamedTuple

import numpy as np
import sympy
from sympy import Matrix, Symbol, cos, sin

from solver.math.rotations import matrices, multiply
from solver.model.model import Bodies
from tests.oracles.guenter_lee import SymbolicBody


def turned(axis: int, angle: Symbol) -> Matrix:
    """4x4 rotation about a coordinate axis."""
    c, s = cos(angle), sin(angle)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    matrix = sympy.eye(4)
    matrix[i, i] = matrix[j, j] = c
    matrix[i, j], matrix[j, i] = -s, s
    return matrix


def placed(rotation: np.ndarray, offset: np.ndarray) -> np.ndarray:
    """4x4 transformation of a rotation matrix and an offset."""
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = rotation, offset
    return matrix


def ball_jointed(bodies: Bodies) -> list[SymbolicBody]:
    """Our bodies; every spherical joint is one transformation of three coordinates, turns about x, then y, then z."""
    xx, xy, xz, yy, yz, zz = bodies.inertia.T
    about_joint = np.moveaxis(np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]), -1, 0)
    rest = matrices(bodies.rest)
    result = []
    for i, (m, c) in enumerate(zip(bodies.mass, bodies.com, strict=True)):
        q = tuple(Symbol(f"q{i}_{axis}") for axis in "xyz")
        result.append(
            SymbolicBody(
                int(bodies.parent[i]), placed(rest[i], bodies.offset[i]), q,
                turned(0, q[0]) * turned(1, q[1]) * turned(2, q[2]), float(m), c,
                about_joint[i] - m * (c @ c * np.eye(3) - np.outer(c, c)),
            )
        )  # fmt: skip
    return result


class EulerJoints(NamedTuple):
    """Joints turned about x, y, z by angles (n, 3) rad that change at rates (n, 3)."""

    angles: np.ndarray
    rates: np.ndarray

    def quaternions(self) -> np.ndarray:
        half = 0.5 * self.angles
        turns = np.zeros((3, len(half), 4))
        for axis in range(3):
            turns[axis, :, 0], turns[axis, :, 1 + axis] = np.cos(half[:, axis]), np.sin(half[:, axis])
        return multiply(multiply(turns[0], turns[1]), turns[2])

    def axes(self) -> np.ndarray:
        """(n, 3, 3): the joint's angular velocity in the body's frame is this times the rates."""
        (sy, sz), (cy, cz) = np.sin(self.angles[:, 1:]).T, np.cos(self.angles[:, 1:]).T
        zero, one = np.zeros_like(sy), np.ones_like(sy)
        return np.array([[cy * cz, sz, zero], [-cy * sz, cz, zero], [sy, zero, one]]).transpose(2, 0, 1)

    def axes_rate(self) -> np.ndarray:
        """(n, 3, 3) derivative of axes by time."""
        (sy, sz), (cy, cz) = np.sin(self.angles[:, 1:]).T, np.cos(self.angles[:, 1:]).T
        y, z = self.rates[:, 1:].T
        zero = np.zeros_like(sy)
        return np.array(
            [
                [-sy * cz * y - cy * sz * z, cz * z, zero],
                [sy * sz * y - cy * cz * z, -sz * z, zero],
                [cy * y, zero, zero],
            ]
        ).transpose(2, 0, 1)

    def angular_velocity(self) -> np.ndarray:
        return np.einsum("nij,nj->ni", self.axes(), self.rates)

    def angular_acceleration(self, second_rates: np.ndarray) -> np.ndarray:
        return np.einsum("nij,nj->ni", self.axes(), second_rates) + np.einsum(
            "nij,nj->ni", self.axes_rate(), self.rates
        )


def revolute_chain(n: int) -> list[SymbolicBody]:
    """A linear chain of revolute joints at right angles to each other, as on an arm."""
    crosswise = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
    result = []
    for i in range(n):
        q = Symbol(f"q{i}")
        placement = placed(crosswise if i % 2 else np.eye(3), np.array([0.7 if i else 0.0, 0.0, 0.0]))
        result.append(
            SymbolicBody(i - 1, placement, (q,), turned(2, q), 1.3, np.array([0.3, 0.0, 0.0]), np.diag([0.1, 0.2, 0.3]))
        )
    return result


def torus_chain(n: int, large=1.0, small=0.3) -> list[SymbolicBody]:
    """Tori that touch each other anywhere on their surfaces, four coordinates each (their eq. 15 and fig. 5b)."""
    result = []
    for i in range(n):
        q = tuple(Symbol(f"q{i}_{k}") for k in "abcd")
        motion = torus_frame(q[0], q[1], large, small) * inverse(torus_frame(q[2], q[3], large, small))
        result.append(SymbolicBody(i - 1, np.eye(4), q, motion, 1.3, np.zeros(3), np.diag([0.4, 0.4, 0.7])))
    return result


def torus_frame(u: Symbol, v: Symbol, large: float, small: float) -> Matrix:
    """Frame on a torus about z: two unit tangents, the normal, the point."""
    out = Matrix([cos(u), sin(u), 0])
    tangent, normal = Matrix([-sin(u), cos(u), 0]), cos(v) * out + Matrix([0, 0, sin(v)])
    point = large * out + small * normal
    return Matrix.vstack(Matrix.hstack(tangent, normal.cross(tangent), normal, point), Matrix([[0, 0, 0, 1]]))


def inverse(transformation: Matrix) -> Matrix:
    """Inverse of a rigid 4x4 transformation."""
    R, t = transformation[:3, :3], transformation[:3, 3]
    return Matrix.vstack(Matrix.hstack(R.T, -R.T * t), Matrix([[0, 0, 0, 1]]))
