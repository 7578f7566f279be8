# SPDX-License-Identifier: GPL-3.0-or-later
"""What joints follow and how, frame by frame: gains, and the path of the pose between frames.

Poses are known at frames only. The rate at a frame is the backward difference through the last three poses, its
acceleration the change of the rate in the frame, as the base's are (see base_motion.py): nothing is looked ahead, so
that what is previewed live is what is baked, and the path leads through every pose that is given.
"""

from typing import NamedTuple

import numpy as np

from ..base.arrays import Bools1, Floats, Floats1, Floats2, Ints, Ints1
from ..base.checks import finite
from ..base.constants import LARGEST
from ..data import columns as col
from ..data.rows import Rows, put_bodies
from ..machine.jit import inlined, kernel
from ..math.matrices import mat_vec
from ..math.memory import keep3, load3, load4, load6, store3, take3
from ..math.quaternions import quat_conj, quat_log, quat_mat, quat_mul
from ..math.rates import inverse_right_jacobian
from ..math.rotations import conjugate, multiply
from ..math.symmetric import sym_rotate
from ..math.vectors import add, scale, sub
from ..model.model import Bodies, Model
from ..world.sample import PER_ROD, Sample

#: Columns of how a joint follows: share, stiffness k (1/s2), damping (1/s), largest moment (N m).
SHARE, STIFFNESS, DAMPING, MOST, FOLLOW = 0, 1, 2, 3, 4

#: Columns of where a path has got to: rate at the frame (rad/s), mean rate of the frame, acceleration (rad/s2), and
#: what joints carry there, weighed (kg m2).
RATE, MEAN, GAIN, WEIGHED, REACHED = 0, 3, 6, 9, 15

#: Where in the path through a frame what joints carry begins.
WEIGHED_AT = 12

#: w of a joint that is one of n following ones on the longest path through it, of which h are outward, itself included,
#: is h (1 + A (h - 1) / (h + B)) (1 + (n - 1) / (n + C)): with it the largest eigenvalue of the joints' inertia matrix
#: over the joints' own blocks is 0.9 to 1.1 in chains of 1 to 100 bodies and in trees.
WHOLE = 2.2, 5.0, 1.5

_FIELDS = ("follow", "recovery", "recovery_damping", "largest_moment")

#: Where nothing is followed.
NOT_FOLLOWED, NO_PATH = np.zeros((0, FOLLOW)), np.zeros((0, REACHED))

#: Hz and damping ratio beyond which no difference is seen; their squares stay finite.
_MOST_RECOVERY, _MOST_RATIO = 1e6, 1e6

#: Damping ratio, at least, of joints that may give way: what bears weight has no energy where it is cut, and undamped
#: plants would swing more and more.
_LEAST_RATIO = 0.1

#: What nearly follows wholly is held still as if this share were left to springs.
_HARDLY_LEFT = 1e-6

#: No factor of all springs counts as less there.
_SOFTEST = 1e-12


def follow_of(sample: Sample, model: Model) -> Floats:
    """(n, 4) how each body's joint follows, NOT_FOLLOWED where none does. Raises SolverError for bad input."""

    def column(name: str, most: float) -> Floats:
        given, nothing = getattr(sample, name), PER_ROD[name]
        rods = (model.rod_count,)
        return np.full(rods, nothing) if given is None else finite(name, given, rods, 0.0, most)

    if all(getattr(sample, name) is None for name in _FIELDS):
        return NOT_FOLLOWED
    share, turning = column("follow", 1.0), 2.0 * np.pi * column("recovery", _MOST_RECOVERY)
    ratio, most = column("recovery_damping", _MOST_RATIO), np.minimum(column("largest_moment", np.inf), LARGEST)
    ratio = np.where(most < LARGEST, np.maximum(ratio, _LEAST_RATIO), ratio)
    if not share.any():
        return NOT_FOLLOWED
    rows = np.stack([share, turning**2, 2.0 * ratio * turning, most], axis=1)
    rows[share == 0.0] = 0.0
    return rows[model.body_rod]


@inlined
def all_together(outward, inward):
    """w of a joint with so many following joints outward and inward of it."""
    h, n = 1.0 + outward, 1.0 + outward + inward
    return h * (1.0 + WHOLE[0] * outward / (h + WHOLE[1])) * (1.0 + (n - 1.0) / (n + WHOLE[2]))


def weighed_inertia(bodies: Bodies, pose: Floats, follow: Floats) -> Floats:
    """(n, 6) kg m2, in bodies' axes: w times the inertia about each joint of all that it carries in the pose (n, 4), as
    if that were rigid, for joints that follow so (n, 4)."""
    n = len(pose)
    found = np.empty((n, 6))
    _weigh(bodies, pose, np.ascontiguousarray(follow[:, SHARE]), np.empty((n, 6)), found)
    return found


@kernel
def _weigh(bodies: Bodies, pose: Floats2, share: Floats1, carried: Floats2, found: Floats2) -> None:
    """Fill found (n, 6); carried (n, 6): scratch for mass, first moment, joints outward and inward."""
    for i in range(len(pose)):
        k, m = bodies.parent[i], bodies.mass[i]
        carried[i, 0] = m
        for c in range(3):
            carried[i, 1 + c] = m * bodies.com[i, c]
        carried[i, 4] = 0.0
        carried[i, 5] = share[k] * (1.0 + carried[k, 5]) if k >= 0 else 0.0
        for c in range(6):
            found[i, c] = bodies.inertia[i, c]
    for i in range(len(pose) - 1, -1, -1):
        k, inertia = bodies.parent[i], load6(found, i)
        mass, first, joints = carried[i, 0], (carried[i, 1], carried[i, 2], carried[i, 3]), carried[i, 4]
        w = all_together(joints, carried[i, 5])
        for c in range(6):
            found[i, c] = w * inertia[c]
        if k >= 0:
            R, r = quat_mat(quat_mul(load4(bodies.rest, i), load4(pose, i))), load3(bodies.offset, i)
            first = mat_vec(R, first)
            shifted = _about_parent(sym_rotate(R, inertia), first, mass, r)
            for c in range(6):
                found[k, c] += shifted[c]
            carried[k, 0] += mass
            for c in range(3):
                carried[k, 1 + c] += first[c] + mass * r[c]
            carried[k, 4] = max(carried[k, 4], share[i] * (1.0 + joints))


@inlined
def _about_parent(inertia, first, mass, r):
    """Inertia about a point from which the joint is at r, of what has this inertia and first moment about the joint."""
    x, y, z = r
    u, v, w = add(scale(2.0, first), scale(mass, r))
    # (r . s) 1 - (r s^T + s r^T) / 2 with s = 2 first + mass r.
    d = x * u + y * v + z * w
    return (
        inertia[0] + d - x * u, inertia[1] - 0.5 * (x * v + y * u), inertia[2] - 0.5 * (x * w + z * u),
        inertia[3] + d - y * v, inertia[4] - 0.5 * (y * w + z * v), inertia[5] + d - z * w,
    )  # fmt: skip


def held_stiffness(bodies: Bodies, follow: Floats, weighed: Floats, scale: float) -> Floats:
    """(n, 3) N m/rad springs with which still bodies are about where they are if they also follow the pose so (n, 4),
    with what their joints carry weighed (n, 6). scale: factor of all springs, which these are yet to be multiplied by.

    Of their weight the share that is not followed bends springs, with the same share, and what leads back: as if this
    were stiffer by f / (1 - f).
    """
    share = follow[:, SHARE] / np.maximum(1.0 - follow[:, SHARE], _HARDLY_LEFT)
    by_pose = (share * follow[:, STIFFNESS])[:, None] * weighed[:, (0, 3, 5)]
    held: Floats = bodies.stiffness + by_pose / max(scale, _SOFTEST)
    return held


def turns_between(before: Floats, after: Floats) -> Floats:
    """(n, 3) rad: rotation vectors from one pose (n, 4) to another."""
    turn = np.empty((len(before), 3))
    _fill_pose_turns(before, after, turn)
    return turn


@kernel
def _fill_pose_turns(before: Floats2, after: Floats2, turn: Floats2) -> None:
    for i in range(len(turn)):
        store3(turn, i, _turn(before, after, i))


@inlined
def _turn(before, after, i):
    return quat_log(quat_mul(quat_conj(load4(before, i)), load4(after, i)))


class Followed(NamedTuple):
    """How plants with n joints follow their pose through a frame. turn (n, 3): rotation vectors (rad) of the pose from
    the beginning to the end; path (n, 24): first and second derivative by time of the rotation vector (rad/s, rad/s2)
    from the beginning, there and at the end, and what joints carry at both; follows (plants,): whether joints do at
    either end; leads (plants,): whether that may add energy, for the pose moves or how it is followed changes, or by
    shares that differ; yields (plants,): whether joints may give way, which adds energy where they bear weight"""

    turn: Floats2
    path: Floats2
    follows: Bools1
    leads: Bools1
    yields: Bools1


def follow_through(
    pose: tuple[Floats, Floats], follow: tuple[Floats, Floats], path: Floats, weighed: Floats, duration: float,
    plant_of: Ints, plants: int,
) -> tuple[Floats, Followed]:  # fmt: skip
    """Where a path has got to after a frame of duration (s), (n, 15), none where nothing follows then; and the way.

    pose (n, 4), follow (n, 4): how at both ends; path (n, 15): where it was; weighed (n, 6): what joints carry at the
    end; plant_of (n,): whose joints they are.
    """
    n = len(weighed)
    reached, follows_on = np.zeros((n, REACHED)), np.zeros(plants, dtype=np.bool_)
    way = Followed(np.empty((n, 3)), np.empty((n, 24)), *np.zeros((3, plants), np.bool_))
    _follow_through(plant_of, *pose, *follow, path, weighed, duration, reached, follows_on, way)
    return reached, way


@kernel
def _follow_through(
    plant_of: Ints1, pose_before: Floats2, pose_after: Floats2, before: Floats2, after: Floats2, path: Floats2,
    weighed: Floats2, duration: float, reached: Floats2, follows_on: Bools1, way: Followed,
) -> None:  # fmt: skip
    """Fill reached (n, 15), zeros yet; follows_on (plants,): whether joints do at the end; and the way."""
    n, share = len(weighed), 0.0
    for i in range(n):
        for c in range(FOLLOW):
            if after[i, c] != 0.0:
                follows_on[plant_of[i]] = True
            if before[i, c] != 0.0 or after[i, c] != 0.0:
                way.follows[plant_of[i]] = True
    for i in range(n):
        p = plant_of[i]
        share = after[i, SHARE] if i == 0 or plant_of[i - 1] != p else share
        turn = _turn(pose_before, pose_after, i)
        store3(way.turn, i, turn)
        if follows_on[p]:
            mean = scale(1.0 / duration, turn)
            rate = sub(scale(1.5, mean), scale(0.5, take3(path, i, MEAN)))
            keep3(reached, i, RATE, rate)
            keep3(reached, i, MEAN, mean)
            keep3(reached, i, GAIN, scale(1.0 / duration, sub(rate, take3(path, i, RATE))))
            for c in range(6):
                reached[i, WEIGHED + c] = weighed[i, c]
        way.yields[p] = way.yields[p] or after[i, MOST] < LARGEST
        leads = before[i, MOST] != after[i, MOST] or after[i, SHARE] != share
        for c in range(3):
            leads = leads or before[i, c] != after[i, c] or turn[c] != 0.0
        for k, ends in ((0, path), (6, reached)):
            rate, gain = take3(ends, i, RATE), take3(ends, i, GAIN)
            if k > 0:  # of the vector, for rates in the axes that it leads to
                rate, gain = inverse_right_jacobian(turn, rate), inverse_right_jacobian(turn, gain)
            keep3(way.path, i, k, rate)
            keep3(way.path, i, k + 3, gain)
            for c in range(6):
                leads = leads or way.path[i, k + c] != 0.0 or path[i, WEIGHED + c] != reached[i, WEIGHED + c]
                way.path[i, WEIGHED_AT + k + c] = ends[i, WEIGHED + c]
        if leads and way.follows[p]:
            way.leads[p] = True


def put_rest(rows: Rows, rest: Floats, drawn: Floats) -> None:
    """Let the springs' rest (n, 4) be another than the drawn one, to which the pose that is followed belongs."""
    put_bodies(rows, col.REST, rest)
    put_bodies(rows, col.DRAWN, multiply(conjugate(rest), drawn))

