# SPDX-License-Identifier: GPL-3.0-or-later
"""The mechanical energy of a plant in motion, from its joints alone, and of springs that yield. Shares no code with
the solver."""

from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.spatial.transform import Rotation

from solver import EARTH_GRAVITY, Simulation


class Energy(NamedTuple):
    """J: of motion, in the springs (limits included), and of the weight over that of the bodies at z = 0."""

    motion: float
    springs: float
    weight: float

    @property
    def total(self) -> float:
        return self.motion + self.springs + self.weight


def energy_of(plant: Simulation, gravity=EARTH_GRAVITY, air_density=0.0) -> Energy:
    """Of one plant, or of all of several, on a base at rest in the origin, and of the still air (kg/m3) that its plates
    carry with them."""
    bodies, state = plant.model.bodies, plant.state
    n = len(bodies.parent)
    turned, own = _rotation(state.q), _rotation(bodies.rest)
    # From the bases outwards, all bodies of a generation at once.
    R, p, w, v = np.zeros((n, 3, 3)), np.zeros((n, 3)), np.zeros((n, 3)), np.zeros((n, 3))
    local = (own * turned).as_matrix()
    for now in _generations(bodies.parent):
        k = bodies.parent[now]
        if (k < 0).all():
            R[now], p[now] = local[now], bodies.offset[now]
        else:
            arm = np.einsum("nij,nj->ni", R[k], bodies.offset[now])
            R[now], p[now] = R[k] @ local[now], p[k] + arm
            v[now], w[now] = v[k] + np.cross(w[k], arm), w[k]
        w[now] += np.einsum("nij,nj->ni", R[now], state.u[now])
    inside = np.einsum("nji,nj->ni", R, w)
    about_joint = bodies.inertia[:, (0, 1, 2, 1, 3, 4, 2, 4, 5)].reshape(n, 3, 3)
    to_com = np.einsum("nij,nj->ni", R, bodies.com)
    turning = 0.5 * np.einsum("ni,nij,nj->", inside, about_joint, inside)
    # Of a body that turns about its joint while the joint moves.
    moving = (bodies.mass * (0.5 * (v**2).sum(1) + (v * np.cross(w, to_com)).sum(1))).sum()
    panels = plant.model.panels
    at = np.repeat(np.arange(n), np.diff(panels.start))
    center, normal, chord = (np.einsum("pij,pj->pi", R[at], of) for of in (panels.center, panels.axis, panels.chord))
    meets = ((v[at] + np.cross(w[at], center)) * normal).sum(1)
    turns = (w[at] * np.cross(normal, chord)).sum(1)
    carried = 0.5 * air_density * (panels.air_volume * (meets**2 + turns**2 / 32.0)).sum()
    phi = turned.as_rotvec()
    bend, twist = np.hypot(phi[:, 0], phi[:, 2]), np.abs(phi[:, 1])
    beyond = beyond_limit(bend - bodies.bend_limit) + beyond_limit(twist - bodies.twist_limit)
    springs = 0.5 * (bodies.stiffness * phi**2).sum() + (bodies.limit_stiffness * beyond).sum()
    weight = -(bodies.mass * ((p + to_com) @ np.asarray(gravity))).sum()
    return Energy(float(turning + moving + carried), float(springs), float(weight))


def beyond_limit(angle):
    """J of a limit's spring per N m/rad: its stiffness grows from 0 to 1 over the first 0.008 rad beyond the limit, and
    its moment by (angle / 0.03 rad)^2 of the angle."""
    far = 0.5 * (angle - 0.004) ** 2 + 0.008**2 / 24.0
    steep = 0.25 * np.maximum(angle, 0.0) ** 4 / 0.03**2
    return np.where(angle > 0.008, far, np.maximum(angle, 0.0) ** 3 / 0.048) + steep


def _rotation(q: np.ndarray) -> Rotation:
    return Rotation.from_quat(q[:, (1, 2, 3, 0)])


def _generations(parent: np.ndarray) -> list[np.ndarray]:
    depth = np.zeros(len(parent), dtype=int)
    for i, k in enumerate(parent.tolist()):
        depth[i] = depth[k] + 1 if k >= 0 else 0
    return [np.flatnonzero(depth == d) for d in range(depth.max() + 1)]


def energy_of_a_yielding_spring(stiffness: np.ndarray, turn: np.ndarray, most: float) -> float:
    """J of a spring (3, 3) N m/rad in a row with one that yields at a moment (N m), both turned by (3,) rad: the least
    that all ways to share the turn come to. Along the spring's axes they differ by one number, which is sought."""
    stiff, axes = np.linalg.eigh(stiffness)
    own = axes.T @ turn
    if np.linalg.norm(stiff * own) <= most:
        return 0.5 * float(own @ (stiff * own))

    def bent(slip: float) -> np.ndarray:
        return own / (1.0 + slip * stiff)

    end = 2.0 * float(np.linalg.norm(own)) / most
    slip = brentq(lambda slip: np.linalg.norm(stiff * bent(slip)) - most, 0.0, end, xtol=1e-300, rtol=1e-14)
    return 0.5 * float(bent(slip) @ (stiff * bent(slip))) + most * float(np.linalg.norm(own - bent(slip)))
