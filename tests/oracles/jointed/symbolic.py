# SPDX-License-Identifier: GPL-3.0-or-later
"""Our joints once more as SymPy's matrices, for the Lagrangian equations of Guenter & Lee (their eq. 13)."""

import sympy
from sympy import Matrix, Symbol, cos, sin, sqrt

from tests.oracles.mechanisms import inverse, torus_frame, turned

X, Y, Z = range(3)


def shifted(x=0, y=0, z=0) -> Matrix:
    matrix = sympy.eye(4)
    matrix[:3, 3] = Matrix([x, y, z])
    return matrix


def on_helix(s: Symbol, roll: Symbol, radius: float, rise: float, begin: Matrix) -> Matrix:
    """A parallel-transport frame: that of Frenet, turned back about the tangent by the torsion, and the roll.

    begin: (4, 4), what our frame is at s = 0 in that of Frenet
    """
    length = sqrt(radius**2 + rise**2)
    tangent = Matrix([-radius * sin(s), radius * cos(s), rise]) / length
    normal = Matrix([-cos(s), -sin(s), 0])
    place = Matrix([radius * cos(s), radius * sin(s), rise * s])
    frenet = Matrix.hstack(tangent, normal, tangent.cross(normal), place)
    frenet = Matrix.vstack(frenet, Matrix([[0, 0, 0, 1]]))
    return frenet * turned(X, -rise * s / length) * begin * turned(X, roll)


def flipped(frame: Matrix) -> Matrix:
    """The frame of a surface whose coordinates are swapped, where its tangents are at right angles."""
    tangent, normal = frame[:3, 1], -frame[:3, 2]
    rotation = Matrix.hstack(tangent, normal.cross(tangent), normal, frame[:3, 3])
    return Matrix.vstack(rotation, Matrix([[0, 0, 0, 1]]))


def linked_tori(q: list[Symbol], large: float, small: float) -> Matrix:
    """The joint of two rings of a chain, tube on tube from outside."""
    return torus_frame(q[0], q[1], large, small) * inverse(flipped(torus_frame(q[3], q[2], large, small)))


def wheel_in_cup(s: Symbol, cup: float, radius: float) -> Matrix:
    """A wheel whose centre goes around in a cup of this radius and which turns against it without sliding."""
    matrix = turned(Z, s + sympy.pi / 2 - s * cup / radius)
    return shifted((cup - radius) * cos(s), (cup - radius) * sin(s)) * matrix
