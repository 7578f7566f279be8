# SPDX-License-Identifier: GPL-3.0-or-later
"""What acts on a plant: the world at one frame, and the same interpolated inside a frame."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ._jit import inlined
from .errors import SolverError
from .model import Floats, Ints

#: m/s2, towards the ground.
EARTH_GRAVITY = (0.0, 0.0, -9.81)


@dataclass(frozen=True)
class Sample:
    """The world at one frame. Vectors are in world axes, one row of force, torque and twist per rod.

    base_position (3,) m, base_orientation (4,) quaternion: the moving base
    gravity (3,) m/s2
    stiffness_scale: multiplies every joint's stiffness, keyed to let a plant wilt
    force (m, 3) N at the centre of the body that carries the rod's tip end; torque (m, 3) N m on the same body
    twist (m,) N m about the same body's own axis, turning with it
    pull_rod (k,) index; pull_along (k,) where on the rod, 0 base to 1 tip; pull_target (k, 3) m;
    pull_stiffness (k,) N/m and pull_damping (k,) N s/m, with the handle's influence multiplied in
    """

    base_position: ArrayLike = (0.0, 0.0, 0.0)
    base_orientation: ArrayLike = (1.0, 0.0, 0.0, 0.0)
    gravity: ArrayLike = EARTH_GRAVITY
    stiffness_scale: float = 1.0
    force: ArrayLike | None = None
    torque: ArrayLike | None = None
    twist: ArrayLike | None = None
    pull_rod: ArrayLike = ()
    pull_along: ArrayLike = ()
    pull_target: ArrayLike = ()
    pull_stiffness: ArrayLike = ()
    pull_damping: ArrayLike = ()


class Loads(NamedTuple):
    """A Sample as the kernels take it, per body instead of per rod.

    gravity (3,), stiffness_scale (1,), force (n, 3) N at the joint with its moment in torque (n, 3) is not meant:
    force acts at the centre of mass; twist (n,) N m about the body's y axis; pull_body (k,) with -1 for none;
    pull_point (k, 3) m in the body's frame; pull_target (k, 3) m; pull_stiffness, pull_damping (k,)
    """

    gravity: Floats
    stiffness_scale: Floats
    force: Floats
    torque: Floats
    twist: Floats
    pull_body: Ints
    pull_point: Floats
    pull_target: Floats
    pull_stiffness: Floats
    pull_damping: Floats


@inlined
def _mix(before, after, s, out):
    flat_before, flat_after, flat_out = before.ravel(), after.ravel(), out.ravel()
    for k in range(flat_out.size):
        flat_out[k] = (1.0 - s) * flat_before[k] + s * flat_after[k]


@inlined
def interpolate_loads(before, after, s, out):
    """Loads at the share s of a frame, linear in between; out is overwritten."""
    _mix(before.gravity, after.gravity, s, out.gravity)
    _mix(before.stiffness_scale, after.stiffness_scale, s, out.stiffness_scale)
    _mix(before.force, after.force, s, out.force)
    _mix(before.torque, after.torque, s, out.torque)
    _mix(before.twist, after.twist, s, out.twist)
    _mix(before.pull_target, after.pull_target, s, out.pull_target)
    _mix(before.pull_stiffness, after.pull_stiffness, s, out.pull_stiffness)
    _mix(before.pull_damping, after.pull_damping, s, out.pull_damping)
    _mix(before.pull_point, after.pull_point, s, out.pull_point)
    for k in range(len(out.pull_body)):
        out.pull_body[k] = after.pull_body[k]


def finite(name: str, values: ArrayLike, shape: tuple[int, ...]) -> Floats:
    """The values as a contiguous float array of the shape, or SolverError."""
    array = np.array(values, dtype=np.float64).reshape(-1)
    if array.size != int(np.prod(shape)):
        raise SolverError(f"{name} has {array.size} numbers, expected shape {shape}")
    if not np.isfinite(array).all():
        raise SolverError(f"{name} contains a number that is not finite")
    return np.ascontiguousarray(array.reshape(shape))
