# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants among obstacles from frame to frame: what overlaps when it is met is left alone until it parts."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from ..base.arrays import Bools1
from ..contact.finding import find, leave_alone
from ..contact.obstacles import NO_COLLIDERS, Obstacles, Trees, colliders_of, obstacles_at, obstacles_between
from ..contact.touch import Touch, new_touch, no_touch, renamed, touching_of
from ..data.rows import Rows
from ..joints.springs import springs
from ..machine.jit import kernel
from ..math.vectors import ZERO
from ..model.model import Model
from ..world.base_motion import MovingBase, base_of
from ..world.collider import Collider
from .kinematics import at_present, kinematics


class TouchedWorld:
    """Colliders as they are, and the points at which plants touch them."""

    def __init__(self, model: Model, rows: Rows):
        self._model, self._rows, self._plants = model, rows, len(rows.first_body) - 1
        self._trees = Trees()
        self._nothing, self._untouched = _nothing(self._plants)
        self.touch = self._untouched
        self.colliders = NO_COLLIDERS

    def begin(self, given: Sequence[Collider], bases: MovingBase) -> None:
        """Let the plants be where they are among these, and touch none of those that they overlap."""
        self.colliders, self.touch = NO_COLLIDERS, self._untouched
        if given:
            self.touch = new_touch(self._model, self._rows.first_body)
            self.go_on(given, bases, 1.0)

    def go_on(self, given: Sequence[Collider], bases: MovingBase, duration: float) -> Obstacles:
        """The colliders on their way to these in a frame of duration (s), at whose beginning the plants are.

        Raises SolverError for what is no collider.
        """
        if not given and self.colliders is NO_COLLIDERS:
            return self._nothing
        before, after = self.colliders, colliders_of(given)
        obstacles = obstacles_between(before, after, self._trees, duration, self._plants)
        known = {key: j for j, key in enumerate(before.key.tolist())}
        was = np.array([known.get(key, -1) for key in after.key.tolist()], dtype=np.int64)
        if len(before.key) != len(after.key) or (was != np.arange(len(was))).any():
            if self.touch is self._untouched:
                self.touch = new_touch(self._model, self._rows.first_body)
            self.touch = renamed(self.touch, was)
            meet(self._rows, bases, obstacles, self.touch, was < 0)
        self.colliders = after
        return obstacles


@cache
def _nothing(plants: int) -> tuple[Obstacles, Touch]:
    """What plants touch in an empty world."""
    return obstacles_between(NO_COLLIDERS, NO_COLLIDERS, Trees(), 1.0, plants), no_touch(plants)


@kernel
def meet(rows: Rows, bases: MovingBase, obstacles: Obstacles, touch: Touch, new: Bools1) -> None:
    """Leave alone what overlaps new (c,) obstacles where they and all plants are at a frame's beginning."""
    for p in range(len(rows.first_body) - 1):
        data = rows.data[rows.first_block[p] : rows.first_block[p + 1]]
        parent = rows.parent[rows.first_body[p] : rows.first_body[p + 1]]
        touching = touching_of(touch, p, obstacles)
        at_present(data)
        springs(data, 1.0, 0.0, 0.0)
        kinematics(data, parent, base_of(bases, p).now, ZERO)
        obstacles_at(obstacles, touching.now, 0.0)
        find(data, touching, 0.0)
        leave_alone(touching, new)
