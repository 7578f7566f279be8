# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants among obstacles from frame to frame: what overlaps when it is met is left alone until it parts."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from ...base.arrays import Bools1, Floats, Ints
from ...base.checks import is_empty
from ...contact.clearance import FAST
from ...contact.finding import find
from ...contact.obstacles import (
    NO_COLLIDERS,
    Colliders,
    Obstacles,
    obstacles_at,
    obstacles_between,
)
from ...contact.past import keep, leave_alone, stick
from ...contact.touch import (
    APART,
    ARM,
    FORCE,
    GAP,
    NO_CONTACTS,
    NORMAL,
    OBSTACLE,
    ROOM,
    SLOTS,
    STATUS,
    Contacts,
    Touch,
    chosen,
    contacts_of,
    new_touch,
    no_touch,
    put_contacts,
    renamed,
    touching_of,
)
from ...data.rows import Rows
from ...forces.resting import rest_on_contacts
from ...joints.loose import Loose, loose_of
from ...joints.springs import springs
from ...machine.jit import kernel
from ...math.vectors import ZERO
from ...model.model import Model
from ...world.base_motion import MovingBase, standing_of
from ...world.collider import Collider
from ..kinematics import Placed, at_present, kinematics
from .keeping import mean_pushes
from .standing import Standing
from .whole_rods import leave_alone_what_is_new, reach_down


class ContactPoints(NamedTuple):
    """Where k points of rods touch: rod (k,); collider (k,) in the order of the sample, -1 for another rod, which has a
    point of its own; point (k, 3) m, normal (k, 3) away from the collider and force (k, 3) N on the rod, in world axes;
    gap (k,) m, negative inside."""

    rod: Ints
    collider: Ints
    point: Floats
    normal: Floats
    force: Floats
    gap: Floats


def pushes_at(points: ContactPoints, rods: int) -> Floats:
    """(rods,) N: what all that they touch pushes rods with, whatever its directions."""
    return np.bincount(points.rod, np.linalg.norm(points.force, axis=1), rods).astype(np.float64)


class TouchedWorld:
    """Colliders as they are, and the points at which plants touch them."""

    def __init__(self, model: Callable[[], Model], rows: Rows):
        """model: that of the present, whose rods may have other lengths later."""
        self._model, self._rows, self._plants = model, rows, len(rows.first_body) - 1
        self.nothing, self._untouched = _nothing(self._plants)
        self._duration = 0.0  # of the last frame, none where there was none
        self._apart: tuple[Touch, Ints] | None = None  # what plants come to rest on one by one, and their first bodies
        self.touch = self._untouched
        self.colliders = NO_COLLIDERS
        self._standing = Standing()
        # What came off when shapes were last lengthened, and of which model they were.
        self._reached: tuple[Touch, Model, Ints] | None = None
        self.longer: Ints = np.zeros(0, dtype=np.int64)  # shapes that have been lengthened as this frame began

    def begin(self, given: Sequence[Collider], itself: bool, bases: MovingBase, loose: Loose) -> Obstacles:
        """Let the plants be where they are among these, and touch none of those that they overlap."""
        self.colliders, self.touch = NO_COLLIDERS, self._untouched
        obstacles = self.go_on(given, itself, bases, loose, 1.0)
        self._duration = 0.0
        return obstacles

    def one_by_one(self, first_body: Ints, obstacles: Obstacles) -> tuple[Touch, Obstacles]:
        """What each plant touches alone of these, which are where begin has left them, also where plants go together;
        their bodies are from first_body (plants + 1,)."""
        if len(first_body) == len(self.touch.first):
            self._apart = self.touch, first_body
            return self.touch, obstacles
        apart = new_touch(self._model(), first_body)
        self._apart = apart, first_body
        if len(obstacles.kind):
            apart = apart._replace(left_alone=self.touch.left_alone)
        return apart, obstacles._replace(now=np.repeat(obstacles.now[:1], len(first_body) - 1, axis=0))

    def rest(self, touch: Touch, obstacles: Obstacles, modes: Sequence[str]) -> None:
        """Let plants that have been brought to rest one by one begin with the points that they rest on. Those whose
        mode is to begin as drawn keep what they were left with where they are."""
        if len(obstacles.kind):
            before = contacts_of(self.touch)  # a copy, for plants may share what is left alone
            rest_on(obstacles, touch)
            as_drawn = np.array([mode == "drawn" for mode in modes])
            if touch is not self.touch or as_drawn.any():
                is_drawn = np.zeros(touch.first[-1], dtype=np.bool_)
                if as_drawn.any():  # not all go together then
                    is_drawn = np.repeat(as_drawn, np.diff(touch.first))
                joined = new_touch(self._model(), self._rows.first_body)
                self.touch = put_contacts(joined, chosen(before, contacts_of(touch), is_drawn), len(self.colliders.key))

    def go_on(
        self, given: Sequence[Collider], itself: bool, bases: MovingBase, loose: Loose, duration: float
    ) -> Obstacles:
        """The colliders on their way to these in a frame of duration (s), at whose beginning the plants are.

        Raises SolverError for what is no collider.
        """
        if itself and self.touch is self._untouched:
            self.touch = new_touch(self._model(), self._rows.first_body)
        self.touch.pushed[:], self._duration, self._apart = 0.0, duration, None
        if is_empty(given) and self.colliders is NO_COLLIDERS:
            self.longer, _ = self._reach_down(loose)
            return self.nothing
        before, after = self.colliders, self._standing.colliders(given, self.colliders)
        obstacles = self._standing.obstacles(before, after, duration, self._plants)
        if before is not after:
            self._meet_new(before, after, bases, loose, obstacles)
        self.longer, share = self._reach_down(loose)
        if len(self.longer):
            self._forget_ways()
            meet(self._rows, bases, loose, obstacles, self.touch, np.zeros(len(after.key), dtype=np.bool_))
            leave_alone_what_is_new(self.touch, self.longer, share)
        self._forget_ways()
        self.colliders = after
        return obstacles

    def _forget_ways(self) -> None:
        """Let all shapes be looked at anew."""
        self.touch.known[:, :, : ROOM + 1] = 0.0
        self.touch.room[:], self.touch.travel[:, : FAST + 1] = -np.inf, 0.0

    def _meet_new(
        self, before: Colliders, after: Colliders, bases: MovingBase, loose: Loose, obstacles: Obstacles
    ) -> None:
        """Leave what overlaps colliders alone that were not there before; forget those that are gone."""
        known = {key: j for j, key in enumerate(before.key.tolist())}
        was = np.array([known.get(key, -1) for key in after.key.tolist()], dtype=np.int64)
        if len(before.key) == len(after.key) and (was == np.arange(len(was))).all():
            return
        if self.touch is self._untouched:
            self.touch = new_touch(self._model(), self._rows.first_body)
            self._reach_down(loose)
        self.touch = renamed(self.touch, was)
        self.touch.room[:] = -np.inf
        meet(self._rows, bases, loose, obstacles, self.touch, was < 0)

    def pushes(self) -> Floats | None:
        """(m,) N: on rods in the last frame, None where there was none."""
        if self._duration == 0.0:
            return None
        return mean_pushes(self.touch, self._model().rod_count, self._duration)

    def _reach_down(self, loose: Loose) -> tuple[Ints, Floats]:
        """Once a frame: what comes off within one does so in the next. Returns as reach_down does."""
        longer: tuple[Ints, Floats] = np.zeros(0, dtype=np.int64), np.zeros(0)
        if self.touch is self._untouched or not loose.cracked.any():
            return longer
        model, last = self._model(), self._reached
        if last is None or last[0] is not self.touch or last[1] is not model or (last[2] != loose.cracked).any():
            longer = reach_down(self.touch, model, self._rows.first_body, loose.cracked)
            self._reached = self.touch, model, loose.cracked.copy()
        return longer

    def points(self, placed: Placed) -> ContactPoints:
        """Where bodies, which are placed so, touched at the end of the last step, or as they began at rest."""
        touch, first_body = self._apart or (self.touch, self._rows.first_body)
        count = touch.counts[:, 0].tolist()
        near = [
            touch.first[p] + touch.near[touch.first[p] : touch.first[p] + k] for p, k in enumerate(count) if k
        ]  # fmt: skip
        slots = (SLOTS * np.concatenate(near)[:, None] + np.arange(SLOTS)).ravel() if near else np.zeros(0, np.int64)
        slots = slots[(touch.marks[slots, OBSTACLE] >= 0) & (touch.marks[slots, STATUS] != APART)]
        shape, numbers = slots // SLOTS, touch.numbers[slots]
        plant = np.searchsorted(touch.first, shape, "right") - 1
        body = touch.shapes.body[shape] + first_body[plant]
        return ContactPoints(
            touch.shapes.rod[shape], touch.marks[slots, OBSTACLE], placed.position[body] + numbers[:, ARM : ARM + 3],
            numbers[:, NORMAL : NORMAL + 3], numbers[:, FORCE : FORCE + 3], numbers[:, GAP],
        )  # fmt: skip

    def contacts(self) -> Contacts:
        """What the present leaves for the next frame."""
        return NO_CONTACTS if self.colliders is NO_COLLIDERS else contacts_of(self.touch)

    def restore(self, colliders: Colliders, contacts: Contacts, itself: bool) -> None:
        """Let these be the colliders and what was left among them; itself: whether plants touch themselves."""
        self.colliders, self.touch, self._duration, self._apart = NO_COLLIDERS, self._untouched, 0.0, None
        if itself:
            self.touch = new_touch(self._model(), self._rows.first_body)
        if len(colliders.key):
            self.colliders = colliders
            new = new_touch(self._model(), self._rows.first_body)
            self.touch = put_contacts(new, contacts, len(colliders.key))


@cache
def _nothing(plants: int) -> tuple[Obstacles, Touch]:
    """What plants touch in an empty world."""
    return obstacles_between(NO_COLLIDERS, NO_COLLIDERS, 1.0, plants), no_touch(plants)


@kernel
def meet(
    rows: Rows, bases: MovingBase, all_loose: Loose, obstacles: Obstacles, touch: Touch, new: Bools1
) -> None:
    """Leave alone what overlaps new (c,) obstacles where they and all plants are at a frame's beginning, and let stick
    what stands on them."""
    for p in range(len(rows.first_body) - 1):
        data = rows.data[rows.first_block[p] : rows.first_block[p + 1]]
        parent = rows.parent[rows.first_body[p] : rows.first_body[p + 1]]
        touching = touching_of(touch, p, obstacles)
        loose = loose_of(all_loose, p, rows.first_body)
        at_present(data, loose)
        springs(data, 1.0)
        kinematics(data, parent, standing_of(bases, rows, p), loose, ZERO)
        obstacles_at(obstacles, touching.now, 0.0)
        find(data, touching, 0.0)
        leave_alone(touching, new)
        stick(touching, new)


@kernel
def rest_on(obstacles: Obstacles, touch: Touch) -> None:
    """Let the points that push the plants at rest be those of their last step."""
    for p in range(len(touch.counts)):
        touching = touching_of(touch, p, obstacles)
        rest_on_contacts(touching)
        keep(touching, 0.0)
