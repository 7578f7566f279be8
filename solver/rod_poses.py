# SPDX-License-Identifier: GPL-3.0-or-later
"""Where rods are, from where their bodies are.

Bodies' poses are given as orientation (n, 4) quaternions and position (n, 3) m of their inboard joints in world axes,
the base's as base_position (3,) and base_orientation (4,), or with a row for every rod where plants have their own.
"""

import numpy as np

from .model import Floats, Ints, Model
from .rotation import conjugate, multiply, rotate


def rod_ends(
    model: Model, base_position: Floats, base_orientation: Floats, orientation: Floats, position: Floats
) -> tuple[Floats, Floats]:
    """Heads and tails (m, 3) m in world axes."""
    body = np.stack([model.lower, model.upper])
    at, turned = _on_base(body, base_position, position), _on_base(body, base_orientation, orientation)
    heads, tails = at + rotate(turned, np.stack([model.head, model.tail]))
    return heads, tails


def rod_orientations(
    model: Model, base_position: Floats, base_orientation: Floats, orientation: Floats, position: Floats
) -> Floats:
    """(m, 4) quaternions of the rods' frames in the base's frame.

    The y axis points from the rod's head to its tail. About it a rod is turned like the mean of its parts: their
    quaternions weighted by their lengths, which for small differences is the mean of their rotation vectors.
    """
    world = multiply(_on_base(model.lower, base_orientation, orientation), model.rod_rest)
    whole = (model.joint_count == 1) & (model.stub == 0.0)
    world[whole] = orientation[model.first_joint[whole]]
    bent = np.flatnonzero((model.first_joint >= 0) & ~whole)
    if bent.size:
        mean = _mean_orientations(model, world, orientation)[bent]
        heads, tails = rod_ends(model, base_position, base_orientation, orientation, position)
        world[bent] = _point_along(mean, tails[bent] - heads[bent])
    return multiply(conjugate(base_orientation), world)


def _mean_orientations(model: Model, stub: Floats, orientation: Floats) -> Floats:
    """(m, 4) means of the rods' parts; stub (m, 4): the part below the first joint. What is welded stays."""
    moving = model.first_joint >= 0
    first = model.first_joint[moving]
    # q and -q are one orientation: take the sign with which a part is nearest to the one before it.
    before = np.empty_like(orientation)
    before[1:] = orientation[:-1]
    before[first] = stub[moving]
    turned = np.where((before * orientation).sum(axis=1) < 0.0, -1.0, 1.0)
    sign = np.cumprod(turned)
    parts = np.add.reduceat(orientation * (sign * model.length_share)[:, None], first)
    result = stub.copy()
    total = stub[moving] * (sign[first] * turned[first] * model.stub[moving])[:, None] + parts
    total *= (sign[first] * turned[first])[:, None]  # whatever the rods before this one
    size = np.sqrt((total * total).sum(axis=1))[:, None]
    result[moving] = np.where(size > 0.0, total, stub[moving]) / np.where(size > 0.0, size, 1.0)
    return result


def _point_along(orientation: Floats, direction: Floats) -> Floats:
    """The same frames (k, 4), each turned the shortest way so that its y axis has the direction (k, 3)."""
    w, x, y, z = orientation.T
    axis = (2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x))
    a, b, c = direction.T
    turn = np.empty_like(orientation)
    turn[:, 0] = np.sqrt(a * a + b * b + c * c) + axis[0] * a + axis[1] * b + axis[2] * c
    turn[:, 1] = axis[1] * c - axis[2] * b
    turn[:, 2] = axis[2] * a - axis[0] * c
    turn[:, 3] = axis[0] * b - axis[1] * a
    size = np.sqrt((turn * turn).sum(axis=1))
    lost = size == 0.0  # a rod bent into a ring has no direction
    turn[lost, 0] = 1.0
    return multiply(turn / np.where(lost, 1.0, size)[:, None], orientation)


def _on_base(body: Ints, of_base: Floats, of_bodies: Floats) -> Floats:
    """Rows of the bodies, the base's where body is -1."""
    return np.where((body < 0)[..., None], of_base, of_bodies[body])
