# SPDX-License-Identifier: GPL-3.0-or-later
"""The world of plants at one frame, as it is given: per rod, in world axes."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from numpy.typing import ArrayLike

from ..base.arrays import Floats, Ints
from ..base.constants import AIR_DENSITY, EARTH_GRAVITY
from .collider import Collider
from .guide import Guide

#: Velocity (k, 3) m/s of the air at points (k, 3) m and a time in s.
WindField = Callable[[Floats, float], Floats]

#: Acceleration (k, 3) m/s2 of mass at points (k, 3) m that moves with velocities (k, 3) m/s, at a time in s.
ForceField = Callable[[Floats, Floats, float], Floats]

#: Where points (k, 3) m of bodies (k,), in their frames, will be when a field is read: (k, 3) m, and (k, 3) m/s.
Place = Callable[[Ints, Floats], tuple[Floats, Floats]]


@dataclass(frozen=True)
class Sample:
    """The world at one frame. Vectors are in world axes, one row of force, torque and twist per rod.

    Whoever takes a sample raises SolverError for what is not numbers, is out of range or has another shape.

    base_position (3,) m, base_orientation (4,) quaternion: the moving base, or one row of each per plant
    gravity (3,) m/s2, or one row per plant
    stiffness_scale: multiplies every joint's stiffness, keyed to let a plant wilt, or (plants,) one for each
    flutter: multiplies what blades rise with and the air that they carry, and up to 1 how far their pressure moves;
    keyed to let leaves come to rest, or (plants,) one for each
    pose (m, 4): quaternions by which rods are turned at their base, in their own axes, when their springs are relaxed,
    as if they were animated joints with springs on them; their joints must be at their bases. None: as drawn
    follow (m,): by what share, 0 to 1, rods' joints follow the pose, moving as it does, instead of only having springs
    about it; None: none do. recovery (m,) Hz: how fast they come back after what disturbs them, 2 where None;
    recovery_damping (m,): its damping ratio, 1 where None; largest_moment (m,) N m: what joints give at most, infinite
    where None
    stretch (m,): so many times as long as drawn rods are, 1 where None; thickness (m,): so many times as thick, where
    None what keeps the volume. Of the same material: where the volume changes, so does the mass
    shift (m, 3) m: how far rods' bases are from where they are as drawn on the tip of their parent's rod or the base,
    in the axes of that rod or base; None: not at all
    force (m, 3) N at the centre of the body that carries the rod's middle; torque (m, 3) N m on the same body
    twist (m,) N m about the rod's own axis, on the body that carries its tip end and turning with it
    lift (m,): share of the rod's weight by which it is carried; more than 1 draws it up
    wind: velocity of the air, (3,) or per rod (m, 3) m/s, or a field of points and time (see wind.py); None: without
    air. Still air, which damps, is (0, 0, 0)
    air_density kg/m3; buoyancy: whether the air, or water, also carries the rods
    force_field: accelerations of all mass, a field of points, velocities and time whose rows do not depend on each
    other (see force_field.py); None: none
    time (s) of a wind or force field, else the simulation's own
    pull_rod (k,) index; pull_along (k,) where on the rod, 0 base to 1 tip; pull_target (k, 3) m;
    pull_stiffness (k,) N/m and pull_damping (k,) N s/m, with the handle's influence multiplied in
    guides: what points of rods are held by, see guide.py
    colliders: what rods touch, see collider.py
    touches_itself: whether rods of a plant touch each other, or (plants,) of each
    touches_others: whether plants that go together touch each other, or (plants,) whole numbers: those of one number
    touch each other, those of -1 none
    parting_speed (m/s): what overlaps as they begin to touch each other is pushed apart at most so fast; 0: it is left
    alone until it parts
    cut (m,): whether rods are cut off at their base; what has once come off stays so
    """

    base_position: ArrayLike = (0.0, 0.0, 0.0)
    base_orientation: ArrayLike = (1.0, 0.0, 0.0, 0.0)
    gravity: ArrayLike = EARTH_GRAVITY
    stiffness_scale: ArrayLike = 1.0
    flutter: ArrayLike = 1.0
    pose: ArrayLike | None = None
    follow: ArrayLike | None = None
    recovery: ArrayLike | None = None
    recovery_damping: ArrayLike | None = None
    largest_moment: ArrayLike | None = None
    stretch: ArrayLike | None = None
    thickness: ArrayLike | None = None
    shift: ArrayLike | None = None
    force: ArrayLike | None = None
    torque: ArrayLike | None = None
    twist: ArrayLike | None = None
    lift: ArrayLike | None = None
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
    guides: Sequence[Guide] = ()
    colliders: Sequence[Collider] = ()
    touches_itself: ArrayLike = False
    touches_others: ArrayLike = False
    parting_speed: float = 0.0
    cut: ArrayLike | None = None


#: Hz: how fast joints that follow come back where nothing is said.
RECOVERY = 2.0

#: Fields with a row for every plant or one for all, and how many columns they have; with a row for every rod, and what
#: a rod has without; and with a row for every pull, besides pull_rod.
PER_PLANT = {"base_position": 3, "base_orientation": 4, "gravity": 3, "stiffness_scale": 1, "flutter": 1}
PER_ROD = {
    "pose": (1.0, 0.0, 0.0, 0.0), "follow": 0.0, "recovery": RECOVERY, "recovery_damping": 1.0,
    "largest_moment": math.inf, "stretch": 1.0, "thickness": 1.0, "shift": (0.0,) * 3,
    "force": (0.0,) * 3, "torque": (0.0,) * 3, "twist": 0.0, "lift": 0.0, "cut": 0.0,
}  # fmt: skip
PER_PULL = ("pull_along", "pull_target", "pull_stiffness", "pull_damping")
