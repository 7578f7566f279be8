# SPDX-License-Identifier: GPL-3.0-or-later
"""How deep random chains of loose hinges lie in what they have fallen on."""

from itertools import product

import numpy as np

from solver import Collider, Sample, Simulation, discretize

from ..models import beam
from .depth import inside

FRAME, SECONDS = 1.0 / 24.0, 3.0

#: What there is to lie on; a mesh is that of a box.
KINDS = ("plane", "ball", "capsule", "box", "mesh", "one-sided mesh")

FACES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))


def box_mesh(half) -> dict[str, np.ndarray]:
    """Vertices and triangles, seen from outside, of a box."""
    corners = np.array(list(product((-1.0, 1.0), repeat=3))) * half
    return {"vertices": corners, "triangles": np.array([t for a, b, c, d in FACES for t in ((a, b, c), (a, c, d))])}


def thing(rng: np.random.Generator, kind: str, length: float, radius: float) -> tuple[Collider, Collider]:
    """Below a level chain from the origin along x; and the same as a solid."""
    at, below, turn = rng.uniform(0.3, 0.9) * length, rng.uniform(0.02, 0.15) + radius, 0.5 * rng.uniform(-0.3, 0.3)
    half, size = rng.uniform(0.03, 0.2, 3), rng.uniform(0.03, 0.2)
    turned = (np.cos(turn), 0.0, np.sin(turn), 0.0)
    if kind == "plane":
        one = Collider("plane", position=(0.0, 0.0, -below), friction=0.5)
    elif kind == "ball":
        one = Collider("ball", size=[size], position=(at, 0.0, -below - size), friction=0.5)
    elif kind == "capsule":
        one = Collider("capsule", size=[size, 0.3], position=(at, 0.0, -below - size), friction=0.5)
    else:
        high = half[2] + half[0] * abs(np.sin(2.0 * turn))
        where = {"position": (at, 0.0, -below - high), "orientation": turned, "friction": 0.5}
        one = Collider("box", size=half, **where)
        if kind != "box":
            return Collider("mesh", **box_mesh(half), one_sided=kind != "mesh", **where), one
    return one, one


def at_rest(kind: str, seed: int) -> float:
    """Of its radius."""
    rng = np.random.default_rng([KINDS.index(kind), seed])
    n, length, radius = int(rng.integers(1, 6)), rng.uniform(0.3, 0.8), 10.0 ** rng.uniform(-2.7, -1.8)
    given = {"stiffness": np.full((n, 3), 0.05 if n > 1 else 0.0), "joint_damping": 0.05, "friction": 0.5}
    collider, solid = thing(rng, kind, length, radius)
    plant = Simulation(discretize(beam(n, length, radius, density=600.0, **given), "base", segments=1))
    sample = Sample(colliders=[collider])
    plant.start(sample)
    for _ in range(round(SECONDS / FRAME)):
        plant.advance(sample, FRAME)
    return max(0.0, float(inside(plant, [solid], 401).max()))
