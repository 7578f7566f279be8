# SPDX-License-Identifier: GPL-3.0-or-later
"""What both dynamics of a mechanism cost, counted as they run: the chains of Guenter & Lee's figures 6 and 7."""

from collections.abc import Callable

import numpy as np

from solver import mechanisms as m
from tests.oracles.jointed.counted import Counter
from tests.oracles.jointed.figures import at, ring_inertia
from tests.oracles.symbolic_program import Operations


def revolute_arm(n: int) -> m.Mechanism:
    """Revolute joints, each at a right angle to the one before, as on an arm."""
    crosswise = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
    return m.Mechanism(
        [
            m.Body(
                m.Revolute(), 1.3, (0.3, 0.0, 0.0), (0.1, 0.2, 0.3), i - 1,
                at(0.7 if i else 0.0, R=crosswise if i else None),
            )
            for i in range(n)
        ]
    )  # fmt: skip


def ring_chain(n: int) -> m.Mechanism:
    """Rings that hang in each other, four coordinates each."""
    ring = m.Torus(1.0, 0.2)
    joint = m.surface_on_surface(ring, m.Flipped(ring))
    return m.Mechanism([m.Body(joint, 3.0, inertia=ring_inertia(), parent=i - 1) for i in range(n)])


Measured = Callable[[m.Mechanism, np.ndarray, np.ndarray, np.ndarray], object]


def INVERSE(system, q, u, a):
    """Recursive Newton-Euler."""
    return system.inverse_dynamics(q, u, a)


def FORWARD(system, q, u, a):
    """Articulated bodies."""
    return system.forward_dynamics(q, u)


def MATRIX(system, q, u, a):
    """M, c and the solution."""
    return system.forward_dynamics_by_matrix(q, u)


def MASS_AND_BIAS(system, q, u, a):
    """M and c."""
    return system.equations_of_motion(q, u)


def operations(system: m.Mechanism, what: Measured) -> Operations:
    """Of one evaluation in a pose without special angles."""
    counter, rng = Counter(), np.random.default_rng(1)
    regular = 0.5 + 0.3 * rng.uniform(size=len(system.start))
    u, a = rng.normal(size=(2, system.rates))
    what(system, *(counter.row(values) for values in (regular, u, a)))
    return counter.count()
