# SPDX-License-Identifier: GPL-3.0-or-later
"""The three kinds of data a simulation has: what never changes, what evolves, and scratch."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


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
    """

    parent: Ints
    offset: Floats
    rest: Floats
    mass: Floats
    com: Floats
    inertia: Floats
    stiffness: Floats
    damping_time: Floats
    damping: Floats


class State(NamedTuple):
    """What evolves. All but the first two fields are the past that predictions and a two-step scheme need.

    q         (n, 4) joint rotation from rest, quaternion
    u         (n, 3) rad/s joint rate in the body's frame
    a         (n, 3) rad/s2 joint acceleration at the end of the last step, in the body's frame
    increment (n, 3) rad: rotation vector of the last step
    u_before  (n, 3) rad/s joint rate one step ago
    last_step (1,)   s: length of the last step, 0 when there is no past
    """

    q: Floats
    u: Floats
    a: Floats
    increment: Floats
    u_before: Floats
    last_step: Floats


class Workspace(NamedTuple):
    """Scratch of the kernels; a reused workspace changes no result. World axes unless said otherwise.

    q, u, a     predicted joint rotation, rate and acceleration (n, 3) rad/s2 in the body's frame
    turn        (n, 3) rad: rotation vector of the step
    correction  (n, 3) of a, the result of a solve
    orientation (n, 4), rotation (n, 9), position (n, 3) of the inboard joint
    angular_velocity, velocity (n, 3) of the inboard joint
    angular_bias, bias         (n, 3) accelerations without the correction
    offset      (n, 3) from the parent's joint to this one
    IA_rr (n, 6), IA_rt (n, 9), IA_tt (n, 6)  articulated inertia about the joint
    pA_r, pA_t  (n, 3) bias moment and force
    Dinv        (n, 6), torque (n, 3) applied minus bias moment
    x_r, x_t    (n, 3) accelerations due to the correction
    """

    q: Floats
    u: Floats
    a: Floats
    turn: Floats
    correction: Floats
    orientation: Floats
    rotation: Floats
    position: Floats
    angular_velocity: Floats
    velocity: Floats
    angular_bias: Floats
    bias: Floats
    offset: Floats
    IA_rr: Floats
    IA_rt: Floats
    IA_tt: Floats
    pA_r: Floats
    pA_t: Floats
    Dinv: Floats
    torque: Floats
    x_r: Floats
    x_t: Floats


@dataclass(frozen=True)
class Model:
    """A discretized plant: its bodies and how its m rods sit on them.

    lower     (m,)   body that carries the rod's base end, -1 for the moving base
    upper     (m,)   body that carries the rod's tip end
    bend_share (m,)  share of the joint's rotation that the rod's own frame takes: 1 joint at the base, 0.5 in the
              middle, 0 welded
    rod_rest  (m, 4) quaternion: the rod's frame in the lower body's frame at rest
    head, tail (m, 3) m: the rod's ends in the frames of the lower and the upper body
    joint     (m,)   body whose inboard joint this rod bends at, -1 for a welded rod
    """

    bodies: Bodies
    lower: Ints
    upper: Ints
    bend_share: Floats
    rod_rest: Floats
    head: Floats
    tail: Floats
    joint: Ints

    @property
    def body_count(self) -> int:
        """Number of rigid bodies, each with one spherical joint."""
        return len(self.bodies.parent)

    @property
    def rod_count(self) -> int:
        """Number of rods the model was made from."""
        return len(self.joint)


def new_state(bodies: Bodies) -> State:
    """Return the state with all springs relaxed, at rest."""
    n = len(bodies.parent)
    q = np.zeros((n, 4))
    q[:, 0] = 1.0
    u, a, increment, u_before = np.zeros((4, n, 3))
    return State(q, u, a, increment, u_before, np.zeros(1))


def copy_state(state: State) -> State:
    """Return a state that shares nothing with the given one."""
    return State(*(a.copy() for a in state))


def assign_state(target: State, source: State) -> None:
    """Overwrite the target's arrays in place."""
    for to, of in zip(target, source, strict=True):
        to[...] = of


def new_workspace(bodies: Bodies) -> Workspace:
    """Return zeroed scratch for these bodies."""
    n = len(bodies.parent)
    widths = {"q": 4, "orientation": 4, "rotation": 9, "IA_rr": 6, "IA_rt": 9, "IA_tt": 6, "Dinv": 6}
    return Workspace(*(np.zeros((n, widths.get(name, 3))) for name in Workspace._fields))
