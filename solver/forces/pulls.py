# SPDX-License-Identifier: GPL-3.0-or-later
"""Pulls: springs and dampers from points of bodies to targets, as handles are.

A pull feeds energy where its target moves or its strength changes, and nowhere else.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..base.arrays import Floats, Floats2, Ints, Ints1
from ..base.checks import finite, indices, is_empty
from ..base.constants import GRAVITY
from ..data import columns as col
from ..data.lanes import add3, add6, get3, get9
from ..machine.jit import inlined
from ..math.matrices import hat, hat_hat, mat_add, mat_scale, mat_transpose, mat_vec
from ..math.memory import load3, load9, store9, take3
from ..math.rotations import rotate
from ..math.vectors import add, cross, dot, scale, sub
from ..model.model import Model
from ..world.sample import Sample
from .implicit import add_point, stretched
from .wrench import add_wrench

#: Handles are at most so much stiffer than what they hold: as good as rigid, while the rounding of positions makes no
#: force that could be seen.
_STIFFEST = 1e6


#: Columns of a pull's numbers: target (3) m, stiffness (N/m), damping (N s/m), and by what the point is away (3, m)
#: from where it is on rods as drawn.
STIFFNESS, DAMPING, MOVED, NUMBERS = 3, 4, 5, 8


class Pulls(NamedTuple):
    """body (k,) pulled, -1 for the base; point (k, 3) m in its frame, of rods as drawn; numbers (k, 8): see above."""

    body: Ints1
    point: Floats2
    numbers: Floats2


class Pulling(NamedTuple):
    """Pulls of one plant in a frame: body and point as of Pulls, their numbers at both ends and at present."""

    body: Ints1
    point: Floats2
    before: Floats2
    after: Floats2
    now: Floats2


@inlined
def pulls_at(pulls, s):
    """Fill the numbers of the present at the share s of a frame, linear in between."""
    for j in range(len(pulls.body)):
        for c in range(NUMBERS):
            pulls.now[j, c] = (1.0 - s) * pulls.before[j, c] + s * pulls.after[j, c]


@inlined
def steady_pulls(pulls):
    """Whether they are the same at both ends of the frame, so that they add no energy."""
    steady = True
    for j in range(len(pulls.body)):
        for c in range(NUMBERS):
            steady = steady and pulls.before[j, c] == pulls.after[j, c]
    return steady


@inlined
def pull_forces(data, pulls, c1, c2, factor):
    """Springs from points of bodies to targets: explicit part in the bias force, implicit part as a point mass."""
    for j in range(len(pulls.body)):
        i = pulls.body[j]
        stiffness, damping = pulls.now[j, STIFFNESS], pulls.now[j, DAMPING]
        if i < 0 or (stiffness == 0.0 and damping == 0.0):
            continue
        b, lane = i >> 3, i & 7
        e = mat_vec(get9(data, b, col.ROTATION + lane), add(load3(pulls.point, j), take3(pulls.now, j, MOVED)))
        stretch = sub(load3(pulls.now, j), add(get3(data, b, col.POSITION + lane), e))
        speed = add(get3(data, b, col.VELOCITY + lane), cross(get3(data, b, col.OMEGA + lane), e))
        force = sub(scale(stiffness, stretch), scale(damping, speed))
        add3(data, b, col.PA_T + lane, scale(-1.0, force))
        add3(data, b, col.PA_R + lane, cross(force, e))
        if factor:
            g = c1 * damping + c2 * stiffness
            add_point(data, b, lane, e, (g, 0.0, 0.0, g, 0.0, g))
            add6(data, b, col.IA_RR + lane, stretched(e, scale(c2, force)))


@inlined
def still_pulls(world, work):
    """Springs from points of bodies to targets."""
    pulls = world.loads.pulls
    for j in range(len(pulls.body)):
        i, k = pulls.body[j], pulls.numbers[j, STIFFNESS]
        if i < 0 or k == 0.0:
            continue
        e = mat_vec(load9(work.rotation, i), add(load3(pulls.point, j), take3(pulls.numbers, j, MOVED)))
        up = scale(k, sub(add(load3(work.position, i), e), load3(pulls.numbers, j)))
        add_wrench(work, i, e, up)
        lever = mat_scale(k, hat(e))
        store9(work.rr, i, mat_add(load9(work.rr, i), mat_add(hat_hat(up, e), mat_scale(-k, hat_hat(e, e)))))
        store9(work.rt, i, mat_add(load9(work.rt, i), lever))
        store9(work.tr, i, mat_add(load9(work.tr, i), mat_transpose(lever)))
        work.tt[i, 0] += k
        work.tt[i, 4] += k
        work.tt[i, 8] += k


@inlined
def pull_energy(data, pulls):
    """Energy (J) of the pulls' springs, after energy_at."""
    energy = 0.0
    for j in range(len(pulls.body)):
        i = pulls.body[j]
        if i >= 0:
            b, lane = i >> 3, i & 7
            e = mat_vec(get9(data, b, col.ROTATION + lane), add(load3(pulls.point, j), take3(pulls.now, j, MOVED)))
            stretch = sub(load3(pulls.now, j), add(get3(data, b, col.POSITION + lane), e))
            energy += 0.5 * pulls.now[j, STIFFNESS] * dot(stretch, stretch)
    return energy


NO_PULLS = Pulls(np.zeros(0, dtype=np.int64), np.zeros((0, 3)), np.zeros((0, NUMBERS)))


def pulls_on(pulls: Pulls, bodies: slice) -> Pulls:
    """Those on these bodies, which are counted from the first of them."""
    on = np.flatnonzero((pulls.body >= bodies.start) & (pulls.body < bodies.stop))
    return Pulls(pulls.body[on] - bodies.start, pulls.point[on], pulls.numbers[on])


def joined_pulls(parts: Sequence[Pulls], first_body: Ints) -> Pulls:
    """Those of groups of plants side by side, whose bodies begin at first_body."""
    bodies = [np.where(one.body >= 0, one.body + first, -1) for one, first in zip(parts, first_body, strict=True)]
    return Pulls(
        np.concatenate(bodies), np.concatenate([one.point for one in parts]),
        np.concatenate([one.numbers for one in parts]),
    )  # fmt: skip


def matched_pulls(before: Pulls, after: Pulls, first_body: Ints) -> tuple[Ints, Pulls, Pulls]:
    """The pulls of a frame in the order of their plants: where each plant's begin (plants + 1,), and both ends of all
    that there are after; bodies are counted from their plant's first. first_body (plants + 1,): the plants' bodies.

    A point that was not pulled before begins to be at zero strength.
    """
    if not len(after.body):
        return np.zeros(len(first_body), dtype=np.int64), after, after
    numbers = after.numbers.copy()
    numbers[:, STIFFNESS:MOVED] = 0.0
    unmatched = np.full(len(after.body), True)
    for body, point, row in zip(*before, strict=True):
        same = (after.body == body) & (after.point == point).all(axis=1)
        match = np.flatnonzero(same & unmatched)[:1]  # several may pull at one point
        numbers[match] = row
        unmatched[match] = False
    plant = plant_of(after.body, first_body)
    order = np.argsort(plant, kind="stable")
    local = np.where(after.body < 0, -1, after.body - first_body[plant])[order]
    start = np.searchsorted(plant[order], np.arange(len(first_body)))
    point = after.point[order]
    return start, Pulls(local, point, numbers[order]), Pulls(local, point, after.numbers[order])


def plant_of(body: Ints, first_body: Ints) -> Ints:
    """Plant of every body; the base, -1, counts as the first's."""
    return np.maximum(np.searchsorted(first_body, body, "right") - 1, 0)


class PullReader:
    """The pulls of a sample, on the bodies of a model."""

    def __init__(self, model: Model):
        self._model = model
        self._stiffest: dict[tuple[int, float], float] = {}

    def __call__(self, sample: Sample, present: Model) -> Pulls:
        """Those of the sample; present: the model with rods as long as they are.

        Raises SolverError for what is not numbers, is out of range or has another shape.
        """
        given = sample.pull_rod, sample.pull_along, sample.pull_target, sample.pull_stiffness, sample.pull_damping
        if all(map(is_empty, given)):
            return NO_PULLS
        rod = indices("pull_rod", sample.pull_rod, 0, self._model.rod_count - 1, "k")
        k = len(rod)
        along = finite("pull_along", sample.pull_along, (k,), 0.0, 1.0)
        target = finite("pull_target", sample.pull_target, (k, 3))
        stiffness = finite("pull_stiffness", sample.pull_stiffness, (k,), 0.0)
        damping = finite("pull_damping", sample.pull_damping, (k,), 0.0)
        if k == 0:
            return NO_PULLS
        body, point = points_on_rods(self._model, rod, along)
        moved = points_on_rods(present, rod, along)[1] - point if present is not self._model else np.zeros((k, 3))
        stiffness = np.minimum(stiffness, self._stiffest_handles(body, point))
        return Pulls(body, point, np.column_stack([target, stiffness, damping, moved]))

    def _stiffest_handles(self, body: Ints, point: Floats) -> Floats:
        """(k,) N/m: the stiffest that handles at points of bodies are taken to be, 0 at the base itself."""
        reach = np.linalg.norm(point, axis=1).tolist()
        found = np.zeros(len(body))
        for j, key in enumerate(zip(body.tolist(), reach, strict=True)):
            if key not in self._stiffest:
                self._stiffest[key] = _STIFFEST * self._strength(*key)
            found[j] = self._stiffest[key]
        return found

    def _strength(self, body: int, reach: float) -> float:
        """N/m: what resists at a point so far (m) from a body's joint: the springs of the joints on the way from the
        base or, if that is more, the weight of all that they carry over the length of the way."""
        bodies, length, gives, hung = self._model.bodies, reach, 0.0, 0.0
        while body >= 0:
            soft = float(bodies.stiffness[body].min())
            gives = gives + length * length / soft if soft > 0.0 else np.inf
            length += float(np.linalg.norm(bodies.offset[body]))
            hung = float(self._outboard[body])
            body = int(bodies.parent[body])
        return max(1.0 / gives if gives > 0.0 else 0.0, GRAVITY * hung / length) if length > 0.0 else 0.0

    @cached_property
    def _outboard(self) -> Floats:
        """(n,) kg: mass of the bodies and of all that they carry."""
        mass = self._model.bodies.mass.tolist()
        for i in range(len(mass) - 1, 0, -1):
            if (k := int(self._model.bodies.parent[i])) >= 0:
                mass[k] += mass[i]
        return np.array(mass)


def points_on_rods(model: Model, rod: Ints, along: Floats) -> tuple[Ints, Floats]:
    """(k,) bodies, -1 for the base, and (k, 3) m in their frames, of the places along (0 base, 1 tip) on rods (k,)."""
    # Joints are in order of their rods and along these, so those passed are found in one search.
    joint = np.searchsorted(model.body_rod + model.body_at, rod + np.clip(along, 0.0, 1.0 - 1e-9), "right") - 1
    own = (joint >= 0) & (model.body_rod[joint] == rod)
    y = np.zeros((len(rod), 3))
    y[:, 1] = (along - np.where(own, model.body_at[joint], 0.0)) * model.length[rod]
    on_lower = model.head[rod] + rotate(model.rod_rest[rod], y)
    return np.where(own, joint, model.lower[rod]), np.where(own[:, None], y, on_lower)
