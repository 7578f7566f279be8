# SPDX-License-Identifier: GPL-3.0-or-later
"""Pulls: springs and dampers from points of bodies to targets, as handles are.

A pull feeds energy where its target moves or its strength changes, and nowhere else.
"""

from functools import cached_property

import numpy as np

from ..base.arrays import Floats, Ints
from ..base.checks import finite, indices
from ..data import columns as col
from ..data.lanes import add3, add6, get3, get9
from ..machine.jit import inlined
from ..math.matrices import hat, hat_hat, mat_add, mat_scale, mat_transpose
from ..math.rotations import rotate
from ..math.vectors import add, cross, dot, load3, load9, mat_vec, scale, store9, sub
from ..model.model import Model
from ..world.loads import Loads, Sample
from .implicit import add_point, stretched
from .wrench import add_wrench

#: Handles are at most so much stiffer than what they hold: as good as rigid, while the rounding of positions makes no
#: force that could be seen.
_STIFFEST = 1e6


@inlined
def pulls(data, world, c1, c2, factor):
    """Springs from points of bodies to targets: explicit part in the bias force, implicit part as a point mass."""
    for j in range(len(world.body)):
        i = world.body[j]
        stiffness, damping = world.pulls_now[j, 3], world.pulls_now[j, 4]
        if i < 0 or (stiffness == 0.0 and damping == 0.0):
            continue
        b, lane = i >> 3, i & 7
        e = mat_vec(get9(data, b, col.ROTATION + lane), load3(world.point, j))
        stretch = sub(load3(world.pulls_now, j), add(get3(data, b, col.POSITION + lane), e))
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
    loads = world.loads
    for j in range(len(loads.pull_body)):
        i, k = loads.pull_body[j], loads.pull_stiffness[j]
        if i < 0 or k == 0.0:
            continue
        e = mat_vec(load9(work.rotation, i), load3(loads.pull_point, j))
        up = scale(k, sub(add(load3(work.position, i), e), load3(loads.pull_target, j)))
        add_wrench(work, i, e, up)
        lever = mat_scale(k, hat(e))
        store9(work.rr, i, mat_add(load9(work.rr, i), mat_add(hat_hat(up, e), mat_scale(-k, hat_hat(e, e)))))
        store9(work.rt, i, mat_add(load9(work.rt, i), lever))
        store9(work.tr, i, mat_add(load9(work.tr, i), mat_transpose(lever)))
        work.tt[i, 0] += k
        work.tt[i, 4] += k
        work.tt[i, 8] += k


@inlined
def pull_energy(data, world):
    """Energy (J) of the pulls' springs, after energy_at."""
    energy = 0.0
    for j in range(len(world.body)):
        i = world.body[j]
        if i >= 0:
            b, lane = i >> 3, i & 7
            end = add(
                get3(data, b, col.POSITION + lane), mat_vec(get9(data, b, col.ROTATION + lane), load3(world.point, j))
            )
            stretch = sub(load3(world.pulls_now, j), end)
            energy += 0.5 * world.pulls_now[j, 3] * dot(stretch, stretch)
    return energy


def pull_numbers(loads: Loads) -> Floats:
    """(k, 5) target, stiffness, damping of the pulls."""
    numbers = np.empty((len(loads.pull_body), 5))
    numbers[:, :3], numbers[:, 3], numbers[:, 4] = loads.pull_target, loads.pull_stiffness, loads.pull_damping
    return numbers


def pulls_of_frame(before: Loads, after: Loads, first_body: Ints) -> tuple[Ints, Ints, Floats, Floats, Floats, Floats]:
    """Pulls in the order of their plants, as in integrate.Frame. first_body (plants + 1,): the plants' bodies."""
    plants = len(first_body) - 1
    if not len(after.pull_body):
        nothing = np.zeros((0, 5))
        return np.zeros(plants + 1, dtype=np.int64), after.pull_body, after.pull_point, nothing, nothing, nothing
    pulls_after = pull_numbers(after)
    # A point that was not pulled before begins to be at zero strength.
    pulls_before = pulls_after * (1.0, 1.0, 1.0, 0.0, 0.0)
    unmatched = np.full(len(after.pull_body), True)
    for j, numbers in enumerate(pull_numbers(before)):
        same = (after.pull_body == before.pull_body[j]) & (after.pull_point == before.pull_point[j]).all(axis=1)
        match = np.flatnonzero(same & unmatched)[:1]  # several may pull at one point
        pulls_before[match] = numbers
        unmatched[match] = False
    plant = plant_of(after.pull_body, first_body)
    order = np.argsort(plant, kind="stable")
    local = np.where(after.pull_body < 0, -1, after.pull_body - first_body[plant])
    start = np.searchsorted(plant[order], np.arange(plants + 1))
    return (
        start, local[order], after.pull_point[order],
        pulls_before[order], pulls_after[order], np.zeros((len(order), 5)),
    )  # fmt: skip


def plant_of(body: Ints, first_body: Ints) -> Ints:
    """Plant of every body; the base, -1, counts as the first's."""
    return np.maximum(np.searchsorted(first_body, body, "right") - 1, 0)


class PullReader:
    """The pulls of a sample, on the bodies of a model."""

    def __init__(self, model: Model):
        self._model = model
        self._stiffest: dict[tuple[int, float], float] = {}

    def __call__(self, sample: Sample) -> dict[str, Floats | Ints]:
        """The pulls' fields of Loads, none without pulls."""
        rod = indices("pull_rod", sample.pull_rod, 0, self._model.rod_count - 1, "k")
        k = len(rod)
        along = finite("pull_along", sample.pull_along, (k,), 0.0, 1.0)
        target = finite("pull_target", sample.pull_target, (k, 3))
        stiffness = finite("pull_stiffness", sample.pull_stiffness, (k,), 0.0)
        damping = finite("pull_damping", sample.pull_damping, (k,), 0.0)
        if k == 0:
            return {}
        body, point = points_on_rods(self._model, rod, along)
        return {
            "pull_body": body, "pull_point": point, "pull_target": target, "pull_damping": damping,
            "pull_stiffness": np.minimum(stiffness, self._stiffest_handles(body, point)),
        }  # fmt: skip

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
        return max(1.0 / gives if gives > 0.0 else 0.0, 9.81 * hung / length) if length > 0.0 else 0.0

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
