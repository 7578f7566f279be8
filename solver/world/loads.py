# SPDX-License-Identifier: GPL-3.0-or-later
"""What acts on plants: the world at one frame, and the same interpolated inside a frame."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..base.arrays import Floats, Floats1, Floats2, Ints, Ints1
from ..base.constants import AIR_DENSITY, EARTH_GRAVITY
from ..machine.jit import inlined

#: Velocity (k, 3) m/s of the air at points (k, 3) m and a time in s.
WindField = Callable[[Floats, float], Floats]

#: Acceleration (k, 3) m/s2 of mass at points (k, 3) m that moves with velocities (k, 3) m/s, at a time in s.
ForceField = Callable[[Floats, Floats, float], Floats]

#: Where points (k, 3) m of bodies (k,), in their frames, will be when a field is read: (k, 3) m, and (k, 3) m/s.
Place = Callable[[Ints, Floats], tuple[Floats, Floats]]

#: Numbers of a force field at one of a body's two places, see force_field.py.
FIELD_COLUMNS = 24

_NO_FIELD: Floats = np.zeros((0, FIELD_COLUMNS))

#: The pose of springs that are relaxed as drawn.
AS_DRAWN: Floats = np.zeros((0, 4))


@dataclass(frozen=True)
class Sample:
    """The world at one frame. Vectors are in world axes, one row of force, torque and twist per rod.

    Whoever takes a sample raises SolverError for what is not numbers, is out of range or has another shape.

    base_position (3,) m, base_orientation (4,) quaternion: the moving base, or one row of each per plant
    gravity (3,) m/s2, or one row per plant
    stiffness_scale: multiplies every joint's stiffness, keyed to let a plant wilt, or (plants,) one for each
    pose (m, 4): quaternions by which rods are turned at their base, in their own axes, when their springs are relaxed,
    as if they were animated joints with springs on them; their joints must be at their bases. None: as drawn
    force (m, 3) N at the centre of the body that carries the rod's middle; torque (m, 3) N m on the same body
    twist (m,) N m about the rod's own axis, on the body that carries its tip end and turning with it
    wind: velocity of the air, (3,) or per rod (m, 3) m/s, or a field of points and time (see wind.py); None: without
    air. Still air, which damps, is (0, 0, 0)
    air_density kg/m3; buoyancy: whether the air, or water, also carries the rods
    force_field: accelerations of all mass, a field of points, velocities and time whose rows do not depend on each
    other (see force_field.py); None: none
    time (s) of a wind or force field, else the simulation's own
    pull_rod (k,) index; pull_along (k,) where on the rod, 0 base to 1 tip; pull_target (k, 3) m;
    pull_stiffness (k,) N/m and pull_damping (k,) N s/m, with the handle's influence multiplied in
    """

    base_position: ArrayLike = (0.0, 0.0, 0.0)
    base_orientation: ArrayLike = (1.0, 0.0, 0.0, 0.0)
    gravity: ArrayLike = EARTH_GRAVITY
    stiffness_scale: ArrayLike = 1.0
    pose: ArrayLike | None = None
    force: ArrayLike | None = None
    torque: ArrayLike | None = None
    twist: ArrayLike | None = None
    wind: ArrayLike | WindField | None = None
    air_density: float = AIR_DENSITY
    buoyancy: bool = False
    force_field: ForceField | None = None
    time: float | None = None
    pull_rod: ArrayLike = ()
    pull_along: ArrayLike = ()
    pull_target: ArrayLike = ()
    pull_stiffness: ArrayLike = ()
    pull_damping: ArrayLike = ()


class Loads(NamedTuple):
    """A Sample as the solver takes it, per body instead of per rod.

    gravity (3,), stiffness_scale (1,), air_density (1,) kg/m3, 0 without air, or a row of each per plant;
    force (n, 3) N at the centre of mass and
    torque (n, 3) N m, world axes; twist (n,) N m about the body's y axis; air (p, 3) m/s at the panels; pull_body (k,)
    with -1 for none; pull_point (k, 3) m in the body's frame; pull_target (k, 3) m; pull_stiffness, pull_damping (k,)
    applied: whether there is any force, torque or twist; field (2 n, 24) a force field as force_field.py reads it, or
    (0, 24) without one; pose (n, 4) quaternions of the joints, or (0, 4) as drawn
    """

    gravity: Floats1
    stiffness_scale: Floats1
    air_density: Floats1
    force: Floats2
    torque: Floats2
    twist: Floats1
    air: Floats2
    pull_body: Ints1
    pull_point: Floats2
    pull_target: Floats2
    pull_stiffness: Floats1
    pull_damping: Floats1
    applied: bool
    field: Floats2 = _NO_FIELD
    pose: Floats2 = AS_DRAWN

    @property
    def is_posed(self) -> bool:
        """Whether the springs' pose is another than as drawn."""
        return len(self.pose) > 0

    def applied_to_bodies(self) -> Floats:
        """(n, 7) force, torque and twist."""
        return np.column_stack([self.force, self.torque, self.twist])


def new_loads(n: int, k: int, panels: int = 0) -> Loads:
    """Return zeroed loads on n bodies with k pulls and so many panels."""
    return Loads(
        np.zeros(3), np.zeros(1), np.zeros(1), np.zeros((n, 3)), np.zeros((n, 3)), np.zeros(n), np.zeros((panels, 3)),
        np.full(k, -1, dtype=np.int64), np.zeros((k, 3)), np.zeros((k, 3)), np.zeros(k), np.zeros(k), True,
    )  # fmt: skip


class World(NamedTuple):
    """What all bodies of a plant share and what is on few of them, at both ends of a frame and in between.

    before, after, now (5,): gravity, stiffness scale, air density
    body (k,) pulled, -1 for none; point (k, 3) m in its frame; pulls_before, pulls_after, pulls_now (k, 5): target (m),
    stiffness (N/m), damping (N s/m)
    field_before, field_after (2 n, 24): force fields at both ends as force_field.py reads them, or (0, 24) without any
    """

    before: Floats
    after: Floats
    now: Floats
    body: Ints
    point: Floats
    pulls_before: Floats
    pulls_after: Floats
    pulls_now: Floats
    field_before: Floats = _NO_FIELD
    field_after: Floats = _NO_FIELD


@inlined
def world_at(world, s):
    """Fill what is now at the share s of a frame, linear in between."""
    for c in range(5):
        world.now[c] = (1.0 - s) * world.before[c] + s * world.after[c]
    for j in range(len(world.body)):
        for c in range(5):
            world.pulls_now[j, c] = (1.0 - s) * world.pulls_before[j, c] + s * world.pulls_after[j, c]


def shared_numbers(loads: Loads, plants: int) -> Floats:
    """(plants, 5) gravity, stiffness scale, air density."""
    numbers = np.empty((plants, 5))
    numbers[:, :3], numbers[:, 3], numbers[:, 4] = loads.gravity, loads.stiffness_scale, loads.air_density
    return numbers
