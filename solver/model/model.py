# SPDX-License-Identifier: GPL-3.0-or-later
"""What never changes in a simulation, and what evolves; the kernels' own layout of both is in columns.py."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from numpy.typing import ArrayLike

from ..base.arrays import Floats, Floats1, Floats2, Ints, Ints1
from .shapes import Shapes
from .stretched import AS_LONG_AS_DRAWN, Matter


class Bodies(NamedTuple):
    """Constant arrays of n rigid bodies, parents before children. A body's frame sits at its inboard joint.

    parent      (n,)   index of the parent body, -1 for the moving base
    offset      (n, 3) m: inboard joint in the parent's frame
    rest        (n, 4) quaternion: orientation in the parent's frame when the joint's spring is relaxed
    mass        (n,)   kg
    com         (n, 3) m: centre of mass in the body's frame
    inertia     (n, 6) kg m2: (xx, xy, xz, yy, yz, zz) about the inboard joint, in the body's frame
    stiffness   (n, 3) N m/rad about the body's x, y, z; y is the rod's axis, so this is (bend, twist, bend)
    damping_time (n,)  s: stiffness-proportional damping, torque = damping_time * stiffness * rate
    damping     (n,)   N m s/rad: Garcia's constant b (eq. 6.19), the same about all axes
    bend_limit, twist_limit (n,) rad: how far the joint turns freely, infinite where there is no limit
    limit_stiffness (n,) N m/rad beyond a limit
    strength    (n,)   N m: bending moment at which the joint breaks, were it round; infinite where it does not
    modulus     (n, 3) section modulus about the x and z axes over that of a round one, and corner as of Section
    fibres      (n,)   share of its stiffness that is left then; 0 where nothing holds the body any more
    """

    parent: Ints1
    offset: Floats2
    rest: Floats2
    mass: Floats1
    com: Floats2
    inertia: Floats2
    stiffness: Floats2
    damping_time: Floats1
    damping: Floats1
    bend_limit: Floats1
    twist_limit: Floats1
    limit_stiffness: Floats1
    strength: Floats1
    modulus: Floats2
    fibres: Floats1


class Panels(NamedTuple):
    """Small surfaces of n bodies that the air acts on, those of one body one after the other.

    start  (n + 1,) panels of body i are start[i] to start[i + 1]
    center (p, 3)   m in the body's frame
    axis   (p, 3)   unit vector in the body's frame: the rod's axis for a cylinder, the normal for a blade
    along  (p,)     m2: drag coefficient times area for the flow along that axis
    across (p,)     m2: the same for the flow across it
    plate  (p,)     m2: of a plate, what it rises with times area, in flow across the rod, see forces/air.py
    plate_along (p,) m2: the same, in flow along the rod
    chord  (p, 3)   m in the body's frame, from one edge of a plate to the other, across the rod
    rod    (p,)     rod of the panel
    cup    (p,)     m2: by how much along is more in flow against the axis, and less in flow that goes with it
    air_volume (p,) m3: of air that a plate carries with it across itself
    shift  (p,)     how far the centre of pressure of a plate's drag moves, 1 as behind free streamlines
    rolls  (p,)     1/Pa: how easily a blade rolls up, see forces/air.py

    Force of air that flows with v relative to the panel, v_a along the axis and v_p across it:
    density / 2 ((along -+ cup) |v_a| v_a + across |v_p| v_p), and of a plate besides plate |v_p| v_a a quarter of the
    way across it, towards where the air comes from.
    """

    start: Ints1
    center: Floats2
    axis: Floats2
    along: Floats1
    across: Floats1
    plate: Floats1
    plate_along: Floats1
    chord: Floats2
    rod: Ints1
    cup: Floats1
    air_volume: Floats1
    shift: Floats1
    rolls: Floats1


class State(NamedTuple):
    """What evolves. All but the first two fields are the past that the formula of a step needs.

    q         (n, 4) joint rotation from rest, quaternion
    u         (n, 3) rad/s joint rate in the body's frame
    a         (n, 3) rad/s2 joint acceleration at the end of the last step, in the body's frame
    increment (n, 3) rad: rotation vector of the last step
    gain      (n, 3) rad/s: change of the joint rate in the last step
    older_increment, older_gain: those of the step before
    a_gain    (n, 3) rad/s2: change of the joint acceleration in the last step
    last_steps (plants, 2) s: lengths of the last step and of the one before, 0 where there is none
    energy_bound (plants,) J: what the energy may be while nothing adds to it, 1e300 when not known
    """

    q: Floats
    u: Floats
    a: Floats
    increment: Floats
    gain: Floats
    older_increment: Floats
    older_gain: Floats
    a_gain: Floats
    last_steps: Floats
    energy_bound: Floats


@dataclass(frozen=True)
class Model:
    """A discretized plant: its n bodies and how its m rods sit on them.

    A rod is carried by the body `lower` up to its first joint and from there by bodies of its own, one after the
    other, each from its inboard joint to the next; their frames are the rod's. A welded rod has no joint.

    lower, upper (m,) bodies that carry the rod's base end and its tip end, -1 for the moving base
    middle       (m,) body that carries the rod's middle
    first_joint  (m,) body whose inboard joint is the rod's first, -1 for a welded rod; joint_count (m,)
    length       (m,) m
    stub         (m,) share of the rod's length below its first joint, 1 for a welded rod
    rod_rest     (m, 4) quaternion: the rod's frame in the lower body's frame at rest
    head, tail   (m, 3) m: the rod's ends in the frames of the lower and the upper body
    body_volume  (n,) m3 that the body displaces, hollows included
    body_rod     (n,) rod that bends at the body's inboard joint
    body_at      (n,) where on the rod this joint is, 0 base to 1 tip
    length_share (n,) share of the rod's length from this joint to the next
    bend_share   (n,) share of the rod's bending compliance that the joint has
    thin         (n,) kg m2 of the bodies' inertia that make up for rods as thin as threads
    make_shapes  what tells the shapes by which the bodies touch; make_matter: what they are made of
    make_stretched  what makes the same plant of rods that are (m, 5) as stretched.py has it
    """

    bodies: Bodies
    panels: Panels
    lower: Ints
    upper: Ints
    middle: Ints
    first_joint: Ints
    joint_count: Ints
    length: Floats
    stub: Floats
    rod_rest: Floats
    head: Floats
    tail: Floats
    body_volume: Floats
    body_rod: Ints
    body_at: Floats
    length_share: Floats
    bend_share: Floats
    thin: Floats
    make_shapes: Callable[[], Shapes]
    make_matter: Callable[[], Matter]
    make_stretched: Callable[[Floats], "Model"]

    @cached_property
    def shapes(self) -> Shapes:
        """By which the bodies touch."""
        return self.make_shapes()

    @cached_property
    def matter(self) -> Matter:
        """What the bodies are made of."""
        return self.make_matter()

    def stretched(self, lengths: Floats) -> "Model":
        """The same plant with rods that are (m, 5) as stretched.py has it; this one where all are as drawn.

        Raises SolverError for rods that cannot be simulated.
        """
        return self.make_stretched(lengths) if (lengths != AS_LONG_AS_DRAWN).any() else self

    @property
    def body_count(self) -> int:
        """Number of rigid bodies, each with one spherical joint."""
        return len(self.bodies.parent)

    @property
    def rod_count(self) -> int:
        """Number of rods the model was made from."""
        return len(self.first_joint)

    def share_out(self, rotation: ArrayLike) -> Floats:
        """Joint rotation vectors (n, 3) in rad of rods that bend by the given ones (m, 3), in the rods' frames.

        Raises SolverError for what is not finite numbers or has another shape.
        """
        from ..base.checks import finite  # which needs the types of this file

        shared: Floats = self.bend_share[:, None] * finite("rotation", rotation, (self.rod_count, 3))[self.body_rod]
        return shared
