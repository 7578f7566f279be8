# SPDX-License-Identifier: GPL-3.0-or-later
"""Momenta of plants from where their bodies are and how they move."""

import numpy as np

from solver import Simulation
from solver.math.rotations import rotate, unrotate


def momenta(plant: Simulation) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Linear, angular about the origin, and the centre of mass (m), of all bodies."""
    bodies, placed = plant.model.bodies, plant.placed()
    center = rotate(placed.orientation, bodies.com)
    velocity, at = placed.velocity + np.cross(placed.omega, center), placed.position + center
    linear = bodies.mass[:, None] * velocity
    xx, xy, xz, yy, yz, zz = bodies.inertia.T
    about_joint = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]).transpose(2, 0, 1)
    c, own = bodies.com, unrotate(placed.orientation, placed.omega)
    shift = (c**2).sum(axis=1)[:, None, None] * np.eye(3) - c[:, :, None] * c[:, None, :]
    spin = np.einsum("nij,nj->ni", about_joint - bodies.mass[:, None, None] * shift, own)
    angular = np.cross(at, linear) + rotate(placed.orientation, spin)
    whole = (bodies.mass[:, None] * at).sum(axis=0) / bodies.mass.sum()
    return linear.sum(axis=0), angular.sum(axis=0), whole
