# SPDX-License-Identifier: GPL-3.0-or-later
"""The moments of joints that a motion of rods needs, and those that hold the same bones out level. Needs no Blender."""

from collections.abc import Iterator
from math import dist
from typing import NamedTuple

import numpy as np

from ...solver import EARTH_GRAVITY, Model, inverse_dynamics, rotations
from .rates import accelerations, turning

_STILL = (1.0, 0.0, 0.0, 0.0)


class RodMotion(NamedTuple):
    """Of k frames: world orientations (k, m, 4) and heads (k, m, 3) m of m rods, and gravity (k, 3) m/s2."""

    orientation: np.ndarray
    head: np.ndarray
    gravity: np.ndarray


def joint_moments(model: Model, motion: RodMotion, frame_time: float) -> Iterator[np.ndarray]:
    """For each frame the moment (n, 3) N m, in the bodies' axes, that every joint gives to what it bears.

    The model has its joints at the rods' bases, one for each. What stands on the base may move in any way: where it
    speeds up, all that it bears is pulled back by as much.
    """
    bodies, rod = model.bodies, model.body_rod
    world, parent, root = motion.orientation[:, rod], bodies.parent, roots(bodies.parent)
    carrier = np.where((parent < 0)[:, None], _STILL, world[:, parent])
    q = rotations.multiply(rotations.conjugate(rotations.multiply(carrier, bodies.rest)), world)
    u, a = turning(q, frame_time)
    stands = np.flatnonzero(parent < 0)
    of_stand = np.searchsorted(stands, root)
    pulled_back = -accelerations(motion.head[:, rod[stands]], frame_time)[:, of_stand] * bodies.mass[:, None]
    for frame, gravity in enumerate(motion.gravity):
        yield inverse_dynamics(
            bodies, q[frame], u[frame], a[frame], gravity=gravity, force=pulled_back[frame]
        ).moment


def holding_moments(model: Model) -> np.ndarray:
    """(n,) N m that hold what each joint bears against Earth's gravity, drawn out level: the weight of every body
    beyond times how far its centre of mass is from the joint at rest."""
    bodies = model.bodies
    frame, head = _at_rest(model)
    centre = (head + rotations.rotate(frame, bodies.com)).tolist()
    joint, parent, weight = head.tolist(), bodies.parent.tolist(), (-EARTH_GRAVITY[2] * bodies.mass).tolist()
    found = [0.0] * len(parent)
    for i in range(len(parent)):
        bearer = i
        while bearer >= 0:
            found[bearer] += weight[i] * dist(centre[i], joint[bearer])
            bearer = parent[bearer]
    return np.array(found)


def roots(parent: np.ndarray) -> np.ndarray:
    """(n,) for each body the one that stands on the base and bears it."""
    found = np.arange(len(parent))
    for i, below in enumerate(parent.tolist()):
        if below >= 0:
            found[i] = found[below]
    return found


def _at_rest(model: Model) -> tuple[np.ndarray, np.ndarray]:
    """Orientations (n, 4) and joints (n, 3) m of the bodies in their base's frame."""
    bodies = model.bodies
    frame, head = bodies.rest.copy(), bodies.offset.copy()
    for i, below in enumerate(bodies.parent.tolist()):
        if below >= 0:
            frame[i] = rotations.multiply(frame[below], bodies.rest[i])
            head[i] = head[below] + rotations.rotate(frame[below], bodies.offset[i])
    return frame, head
