# SPDX-License-Identifier: GPL-3.0-or-later
"""Both dynamics against Guenter & Lee's eq. 13, 4x4 matrices and traces that SymPy has differentiated, with the
gyroscopic term that they leave out."""

from functools import cache
from typing import NamedTuple

import numpy as np
import pytest
import sympy
from scipy.integrate import solve_ivp
from sympy import Matrix, Symbol

from solver import mechanisms as m
from tests.oracles.guenter_lee import Mechanism, SymbolicBody
from tests.oracles.jointed import symbolic
from tests.oracles.jointed.symbolic import X, Y, Z
from tests.oracles.mechanisms import turned


class Pair(NamedTuple):
    """The same joint twice, and coordinates at which it is regular."""

    joint: m.Joint
    symbols: tuple[Symbol, ...]
    motion: Matrix
    at: tuple[float, ...]


def names(i: int, k: int) -> tuple[Symbol, ...]:
    return tuple(Symbol(f"q{i}_{j}") for j in range(k))


def hinge(i: int) -> Pair:
    q = names(i, 1)
    return Pair(m.Revolute((0, 1, 0)), q, turned(Y, q[0]), (0.6,))


def slider(i: int) -> Pair:
    q = names(i, 1)
    return Pair(m.Prismatic((1, 0, 0)), q, symbolic.shifted(q[0]), (0.3,))


def cardan(i: int) -> Pair:
    q = names(i, 2)
    return Pair(m.universal(), q, turned(X, q[0]) * turned(Y, q[1]), (0.5, -0.8))


def disc(i: int) -> Pair:
    q = names(i, 3)
    return Pair(m.planar(), q, symbolic.shifted(q[0], q[1]) * turned(Z, q[2]), (0.2, -0.1, 0.7))


def helix(i: int) -> Pair:
    q, r, rise = names(i, 2), 0.8, 0.3
    joint = m.point_on_curve(m.Path(lambda s: (r * np.cos(s), r * np.sin(s), rise * s), 0.0, 4.0))
    frenet = np.array(symbolic.on_helix(0, 0, r, rise, sympy.eye(4)), dtype=float)[:3, :3]
    begin = sympy.eye(4)
    begin[:3, :3] = Matrix(frenet.T @ joint.at(np.zeros(2), np.zeros(2)).R)
    return Pair(joint, q, symbolic.on_helix(q[0], q[1], r, rise, begin), (2.3, 0.4))


def tori(i: int) -> Pair:
    q, ring = names(i, 4), m.Torus(1.0, 0.2)
    joint = m.surface_on_surface(ring, m.Flipped(ring))
    return Pair(joint, q, symbolic.linked_tori(q, 1.0, 0.2), (-1.4, 3.3, 3.0, 1.5))


def wheel(i: int) -> Pair:
    q = names(i, 1)
    return Pair(m.RollingWheel(m.circle(1.0), 0.3), q, symbolic.wheel_in_cup(q[0], 1.0, 0.3), (0.9,))


@cache
def models(name):
    """A mechanism, their generalized forces of the same as a function, and coordinates."""
    rng = np.random.default_rng(11)
    kinds, parents = CHAINS[name]
    ours, theirs, q = [], [], []
    for i, (kind, parent) in enumerate(zip(kinds, parents, strict=True)):
        pair = kind(i)
        placement = np.eye(4)
        placement[:3, :3] = m.Spherical().at(rng.normal(size=4), np.zeros(3)).R
        placement[:3, 3] = rng.uniform(-0.5, 0.5, 3)
        spread = rng.normal(size=(3, 3))
        inertia = 0.1 * spread @ spread.T + 0.1 * np.eye(3)
        mass, com = rng.uniform(0.5, 2.0), rng.uniform(-0.3, 0.3, 3)
        ours.append(m.Body(pair.joint, mass, com, inertia, parent, placement))
        theirs.append(SymbolicBody(parent, placement, pair.symbols, pair.motion, mass, com, inertia))
        q += pair.at
    return m.Mechanism(ours), Mechanism(theirs).inverse_dynamics(), np.array(q)


CHAINS = {
    "cardan, hinge, slider": ((cardan, hinge, slider), (-1, 0, 1)),
    "disc that carries two": ((disc, cardan, hinge), (-1, 0, 0)),
    "bead on a helix with a hinge": ((helix, hinge), (-1, 0)),
    "tori": ((cardan, tori), (-1, 0)),
    "wheels": ((wheel, wheel, hinge), (-1, 0, 1)),
}


@pytest.mark.parametrize("name", CHAINS)
def test_both_dynamics_are_the_lagrangian_ones(name):
    rng = np.random.default_rng(12)
    ours, inverse, q = models(name)
    n, g = len(ours.bodies), np.array([1.0, -2.0, -9.81])
    u, a, effort = rng.normal(size=(3, ours.rates))
    force, torque = rng.normal(size=(2, n, 3))
    W = ours.placed(q)
    weight = np.array([body.mass for body in ours.bodies])[:, None] * g
    own = np.einsum("nji,nj->ni", W[:, :3, :3], torque)
    loads = m.Loads(g, force, torque, effort)

    def Q(u, a):
        return inverse(q, u, a, force + weight, own)

    tau = ours.inverse_dynamics(q, u, a, loads)
    assert np.abs(tau + effort - Q(u, a)).max() < 1e-11 * np.abs(Q(u, a)).max()  # both round some thousand operations
    M = np.array([Q(u, one) - Q(u, 0.0 * one) for one in np.eye(ours.rates)])  # row by column, and symmetric
    assert np.abs(ours.mass_matrix(q) - M).max() < 1e-11 * np.abs(Q(u, a)).max()
    for found in (ours.forward_dynamics(q, u, loads), ours.forward_dynamics_by_matrix(q, u, loads)):
        assert np.abs(Q(u, found) - effort).max() < 1e-11 * np.abs(Q(u, a)).max()


def test_two_rings_move_as_their_equations_say():
    """M(q) u' + c(q, u) = 0 of eq. 14, from eq. 13 column by column, integrated to rounding."""
    ours, inverse, q = models("tori")
    k, g = ours.rates, m.WEIGHT.gravity
    weight, none = np.array([np.array(g) * body.mass for body in ours.bodies]), np.zeros((2, 3))

    def slope(_, y):
        q, u = y[:k], y[k:]
        c = inverse(q, u, np.zeros(k), weight, none)
        M = np.array([inverse(q, u, one, weight, none) - c for one in np.eye(k)])
        return np.concatenate([u, np.linalg.solve(M, -c)])

    begin = np.concatenate([q, np.linspace(-0.5, 0.5, k)])
    expected = solve_ivp(slope, (0.0, 0.5), begin, method="DOP853", rtol=1e-10, atol=1e-10).y[:, -1]
    run = m.Run(ours, q, begin[k:], tolerance=1e-4)
    for _ in range(15):
        run.advance(1 / 30)
    assert np.abs(run.q - q).max() > 0.3
    assert np.concatenate([run.q, run.u]) == pytest.approx(expected, abs=1e-6)  # steps at the frame rate
