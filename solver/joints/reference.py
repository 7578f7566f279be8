# SPDX-License-Identifier: GPL-3.0-or-later
"""What joints follow and how, frame by frame: gains, and the path of the pose between frames.

Poses are known at frames only. The rate at a frame is the backward difference through the last three poses, its
acceleration the change of the rate in the frame, as the base's are (see base_motion.py): nothing is looked ahead, so
that what is previewed live is what is baked, and the path leads through every pose that is given.
"""

import numpy as np

from ..base.arrays import Floats, Floats2
from ..base.checks import finite
from ..base.constants import LARGEST
from ..data import columns as col
from ..data.rows import Rows, put_bodies
from ..machine.jit import kernel
from ..math.memory import load3, store3
from ..math.rates import inverse_right_jacobian
from ..math.rotations import conjugate, multiply
from ..model.model import Bodies, Model
from ..world.sample import PER_ROD, Sample

#: Columns of how a joint follows: share, stiffness k (1/s2), damping (1/s), largest moment (N m).
SHARE, STIFFNESS, DAMPING, MOST, FOLLOW = 0, 1, 2, 3, 4

#: Columns of where a path has got to: rate at the frame (rad/s), mean rate of the frame, acceleration (rad/s2).
RATE, MEAN, GAIN, REACHED = 0, 3, 6, 9

#: Where nothing is followed.
NOT_FOLLOWED, NO_PATH = np.zeros((0, FOLLOW)), np.zeros((0, REACHED))

#: Hz and damping ratio beyond which no difference is seen; their squares stay finite.
_MOST_RECOVERY, _MOST_RATIO = 1e6, 1e6

#: What nearly follows wholly is held still as if this share were left to springs.
_HARDLY_LEFT = 1e-6


def follow_of(sample: Sample, model: Model) -> Floats:
    """(n, 4) how each body's joint follows, NOT_FOLLOWED where none does. Raises SolverError for bad input."""

    def column(name: str, most: float) -> Floats:
        given, nothing = getattr(sample, name), PER_ROD[name]
        rods = (model.rod_count,)
        return np.full(rods, nothing) if given is None else finite(name, given, rods, 0.0, most)

    if sample.follow is None:
        return NOT_FOLLOWED
    share, turning = column("follow", 1.0), 2.0 * np.pi * column("recovery", _MOST_RECOVERY)
    ratio, most = column("recovery_damping", _MOST_RATIO), np.minimum(column("largest_moment", np.inf), LARGEST)
    if not share.any():
        return NOT_FOLLOWED
    rows = np.column_stack([share, turning**2, 2.0 * ratio * turning, most])
    rows[share == 0.0] = 0.0
    return rows[model.body_rod]


def held_stiffness(bodies: Bodies, follow: Floats) -> Floats:
    """(n, 3) N m/rad springs with which still bodies are about where they are if they also follow the pose so (n, 4).

    Of their weight the share that is not followed bends springs, with the same share, and what leads back: as if this
    were stiffer by f / (1 - f).
    """
    mass, first = bodies.mass.copy(), bodies.mass * np.linalg.norm(bodies.com, axis=1)
    carried, arm = 0.5 * bodies.inertia[:, (0, 3, 5)].sum(axis=1), np.linalg.norm(bodies.offset, axis=1)
    for i in range(len(mass) - 1, 0, -1):
        k, r = bodies.parent[i], arm[i]
        if k >= 0:
            mass[k] += mass[i]
            first[k] += first[i] + r * mass[i]
            carried[k] += carried[i] + r * (2.0 * first[i] + r * mass[i])
    share = follow[:, SHARE] / np.maximum(1.0 - follow[:, SHARE], _HARDLY_LEFT)
    held: Floats = bodies.stiffness + (share * follow[:, STIFFNESS] * carried)[:, None]
    return held


def reached(path: Floats, turn: Floats, duration: float) -> Floats:
    """(n, 9) where a path has got to after a frame of duration (s) in which the pose turned by turn (n, 3) rad; path
    (n, 9): where it was."""
    mean = turn / duration
    rate = 1.5 * mean - 0.5 * path[:, MEAN : MEAN + 3]
    return np.column_stack([rate, mean, (rate - path[:, RATE : RATE + 3]) / duration])


def path_between(before: Floats, after: Floats, turn: Floats) -> Floats:
    """(n, 12) first and second derivative by time of the rotation vector (rad/s, rad/s2) from the pose at a frame's
    beginning, there and at its end, where it is turn (n, 3) rad; before, after (n, 9): where the path is then."""
    ends = [after[:, RATE : RATE + 3], after[:, GAIN : GAIN + 3]]
    return np.column_stack(
        [before[:, RATE : RATE + 3], before[:, GAIN : GAIN + 3], *(_of_vector(turn, one) for one in ends)]
    )


def _of_vector(turn: Floats, rate: Floats) -> Floats:
    """Derivative of a rotation vector, at turn (n, 3) rad, for rates (n, 3) in the axes that it leads to."""
    derivative = np.empty_like(rate)
    _fill_derivatives(turn, np.ascontiguousarray(rate), derivative)
    return derivative


def put_rest(rows: Rows, rest: Floats, drawn: Floats) -> None:
    """Let the springs' rest (n, 4) be another than the drawn one, to which the pose that is followed belongs."""
    put_bodies(rows, col.REST, rest)
    put_bodies(rows, col.DRAWN, multiply(conjugate(rest), drawn))


@kernel
def _fill_derivatives(turn: Floats2, rate: Floats2, derivative: Floats2) -> None:
    for i in range(len(turn)):
        store3(derivative, i, inverse_right_jacobian(load3(turn, i), load3(rate, i)))
