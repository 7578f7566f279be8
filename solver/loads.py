# SPDX-License-Identifier: GPL-3.0-or-later
"""What acts on a plant: the world at one frame, and the same interpolated inside a frame."""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ._jit import inlined
from .errors import SolverError
from .model import Floats, Ints

#: m/s2, towards the ground.
EARTH_GRAVITY = (0.0, 0.0, -9.81)

#: Larger numbers than this are refused: their products would not be finite.
LARGEST = 1e50


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

    numbers: one array of all the others but pull_body, which are views of it, to interpolate them together
    gravity (3,), stiffness_scale (1,); force (n, 3) N at the centre of mass and torque (n, 3) N m, world axes;
    twist (n,) N m about the body's y axis; pull_body (k,) with -1 for none; pull_point (k, 3) m in the body's frame;
    pull_target (k, 3) m; pull_stiffness, pull_damping (k,)
    """

    numbers: Floats
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


def new_loads(n: int, k: int) -> Loads:
    """Return zeroed loads on n bodies with k pulls."""
    body = np.full(k, -1, dtype=np.int64)
    numbers = np.zeros(4 + 7 * n + 8 * k)
    each, pulls = numbers[4 : 4 + 7 * n], numbers[4 + 7 * n :]
    return Loads(
        numbers, numbers[:3], numbers[3:4],
        each[: 3 * n].reshape(n, 3), each[3 * n : 6 * n].reshape(n, 3), each[6 * n :],
        body, pulls[: 3 * k].reshape(k, 3), pulls[3 * k : 6 * k].reshape(k, 3), pulls[6 * k : 7 * k], pulls[7 * k :],
    )  # fmt: skip


class FrameLoads(NamedTuple):
    """Loads at both ends of a frame, their numbers only, and those in between."""

    before: Floats
    after: Floats
    now: Loads


@inlined
def loads_at(loads, s):
    """Fill loads.now at the share s of a frame, linear in between."""
    now = loads.now.numbers
    for k in range(len(now)):
        now[k] = (1.0 - s) * loads.before[k] + s * loads.after[k]


def without_pulls_as_in(loads: Loads, after: Loads) -> Loads:
    """Return the same loads with the other's pulls at zero strength, for a frame in which other points are pulled."""
    n = len(loads.twist)
    result = new_loads(n, len(after.pull_body))
    result.numbers[: 4 + 7 * n] = loads.numbers[: 4 + 7 * n]
    result.pull_body[:] = after.pull_body
    result.pull_point[:] = after.pull_point
    result.pull_target[:] = after.pull_target
    return result


def finite(name: str, values: ArrayLike, shape: tuple[int, ...]) -> Floats:
    """Return a copy of the values as a contiguous array of the shape, or raise SolverError."""
    array: Floats = np.array(values, dtype=np.float64)
    if array.size != math.prod(shape):
        raise SolverError(f"{name} has {array.size} numbers, expected shape {shape}")
    if not (np.abs(array) < LARGEST).all():
        raise SolverError(f"{name} contains a number that is not finite or beyond {LARGEST:g}")
    return np.ascontiguousarray(array.reshape(shape))
