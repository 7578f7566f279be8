# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants that touch themselves and each other, from frame to frame: what overlaps as that begins is left alone until it
parts."""

from typing import NamedTuple

import numpy as np

from ...base.arrays import Bools, Floats, Ints
from ...contact.obstacles import Obstacles
from ...contact.pairs import ARM_B, CROWDED, DENSE, EQUATIONS, NEAR, PAIR_SLOTS, Pairs, room_for
from ...contact.touch import APART, ARM, FORCE, GAP, KEPT, MARKS, NORMAL, OBSTACLE, STATUS, Touch
from ...data.rows import Rows
from ...forces.leaning import LEANS_ON_NOTHING, Leaning, leaning_of
from ...joints.loose import Loose
from ...model.model import Model
from ...world.base_motion import MovingBase
from ..kinematics import Placed
from .looking import look
from .meeting import ContactPoints, TouchedWorld

#: Rows that there are for pairs at first, and at most for each shape.
FEW, PER_SHAPE = 64, 100


class Paired(NamedTuple):
    """What a frame leaves of pairs for the next one: those that touch, or are left alone.

    used (systems,): how many of each; dense (systems,): for how many frames each is solved densely, the last one among
    them; ends (r, 2), alone (r,), allowed (r,), marks (4 r, 5), kept (4 r, 12): of Pairs
    wanted (plants, 2): see sampling.py
    """

    used: Ints
    dense: Ints
    ends: Ints
    alone: Bools
    allowed: Floats
    marks: Ints
    kept: Floats
    wanted: Ints


#: Of a plant that touches neither itself nor others.
_NO_WISH = np.array([0, -1])


def nothing_wanted(plants: int) -> Ints:
    """(plants, 2) of NearPairs where nothing touches."""
    return np.full((plants, 2), _NO_WISH)


def any_touch(wanted: Ints) -> bool:
    """Whether any of plants (p, 2) touch."""
    return bool((wanted != _NO_WISH).any())


def no_pairs(systems: int, plants: int) -> Paired:
    """Of plants that touch nothing."""
    none = np.zeros((0, 2), dtype=np.int64)
    return Paired(
        np.zeros(systems, dtype=np.int64), np.zeros(systems, dtype=np.int64), none, np.zeros(0, dtype=np.bool_),
        np.zeros(0), np.zeros((0, MARKS), dtype=np.int64), np.zeros((0, KEPT)), nothing_wanted(plants),
    )  # fmt: skip


class NearPairs:
    """The pairs of plants side by side.

    wanted (plants, 2): 1 for those that touch themselves; and of which company, 0 or more, they touch others
    """

    def __init__(self, model: Model, rows: Rows, groups: Ints):
        """groups (plants,): plants of one touch each other as parts of one plant do."""
        self._groups = groups
        self._model, self._rows, self._plants = model, rows, len(rows.first_body) - 1
        zeros = np.zeros(self._plants + 1, dtype=np.int64)
        none = np.zeros((0, EQUATIONS))  # nothing is coupled, for which there would be as much room for each plant
        self._nothing = room_for(zeros[1:], zeros, zeros[:0], zeros[:0])._replace(whole=none, factor=none)
        self.pairs = self._nothing
        self.wanted = nothing_wanted(int(rows.first_base[-1]))
        self.least_rows, self._parting = FEW, 0.0

    def go_on(
        self, wanted: Ints, parting: float, bases: MovingBase, loose: Loose, obstacles: Obstacles,
        touched: TouchedWorld, ahead: float, left: Paired | None,
    ) -> Pairs:  # fmt: skip
        """What may touch in a frame, at whose beginning the plants are. ahead (s): shapes have room to go on so long;
        left: what paired says at present, where that is known.

        Where it begins to be wanted that they touch, what overlaps is pushed apart with parting (m/s), or left alone;
        and what rods that have come off overlap with what they have become longer by is left alone.
        """
        is_known, begins, touch = wanted is self.wanted, False, touched.touch
        if is_known and self.pairs is self._nothing:
            return self.pairs
        if left is None and not any_touch(wanted):
            self.pairs, self.wanted = self._nothing, wanted
            return self.pairs
        changed = None if is_known else wanted != self.wanted
        if changed is not None:
            begins, self.wanted = any_touch(np.where(changed, wanted, _NO_WISH)), wanted
        if not len(self.pairs.ends):
            self._make_room(touch, np.full(self._plants, self.least_rows))
        elif changed is not None and changed.any():
            self._want(touch)
        self._parting = parting
        self.pairs.counts[:, CROWDED], self.pairs.parting[:] = 0, parting
        times = np.full(self._plants, ahead)
        found = np.zeros(self._plants, dtype=np.int64)
        kept = self._left() if left is None else left
        look(self._rows, bases, loose, obstacles, touch, self.pairs, times, begins, found)
        rows = np.diff(self.pairs.first)
        if (2 * found > rows).any():
            more = np.minimum(np.maximum(rows, 2 * found + FEW), self._most(touch))
            if (more > rows).any():
                self._make_room(touch, more)
                self._put(kept)
                look(self._rows, bases, loose, obstacles, touch, self.pairs, times, begins, found)
        self.pairs.counts[:, DENSE] = np.maximum(kept.dense - 1, 0)
        if len(touched.longer):
            rows, plant = self._in_use()
            is_longer = np.isin(touch.first[plant][:, None] + self.pairs.ends[rows], touched.longer).any(axis=1)
            self.pairs.is_new[rows] |= is_longer & ~self._stay(rows)
        return self.pairs

    def are_crowded(self, first: int, last: int) -> bool:
        """Whether the last frame brought more near than there was room for, to any of systems first to last - 1."""
        return self.pairs is not self._nothing and bool((self.pairs.counts[first:last, CROWDED] > 0).any())

    def wants_room(self, touch: Touch) -> bool:
        """Whether a frame brought more near than there was room for, and more room may be; which is then made."""
        if not (self.pairs.counts[:, CROWDED] > 0).any() or self.least_rows >= self._most(touch).max():
            return False
        self.least_rows = 4 * max(self.least_rows, int(np.diff(self.pairs.first).max()))
        return True

    def _most(self, touch: Touch) -> Ints:
        """Rows that plants may have, so that time and memory are bounded."""
        return np.maximum(FEW, PER_SHAPE * np.diff(touch.first))

    def _make_room(self, touch: Touch, rows: Ints) -> None:
        """Let there be no pairs, and room for so many (plants,)."""
        rows = np.minimum(np.maximum(rows, self.least_rows), self._most(touch))
        first, parent = self._rows.first_body, self._model.bodies.parent
        plant = np.repeat(np.arange(self._plants), np.diff(touch.first))
        body = touch.shapes.body + first[plant]
        on = parent[body]
        skips = np.where(on >= 0, on - first[plant], -1)
        self.pairs = room_for(rows, touch.first, skips, self._groups[self._plant_of(touch)])
        self.pairs.parting[:] = self._parting
        self._want(touch)

    def _plant_of(self, touch: Touch) -> Ints:
        """(k,) that each shape is of."""
        system = np.repeat(np.arange(self._plants), np.diff(touch.first))
        body = touch.shapes.body + self._rows.first_body[system]
        of: Ints = self._rows.first_base[system] + self._rows.base[body]
        return of

    def _want(self, touch: Touch) -> None:
        """Let those touch of which it is wanted."""
        wanted = self.wanted[self._plant_of(touch)]
        self.pairs.itself[:], self.pairs.company[:] = wanted[:, 0] > 0, wanted[:, 1]

    def leaning(self) -> list[Leaning]:
        """What of those that go together touches each other at rest."""
        found, rows = [LEANS_ON_NOTHING] * self._plants, self._rows
        for p, bodies in enumerate(np.diff(rows.first_body).tolist()):
            own = self.wanted[rows.first_base[p] : rows.first_base[p + 1]]
            if any_touch(own) and (own[:, 0].any() or len(own) > 1):
                found[p] = leaning_of(self.pairs, p, bodies)
        return found

    def paired(self) -> Paired | None:
        """What the present leaves, None where nothing is wanted to touch."""
        return self._left() if any_touch(self.wanted) else None

    def _left(self) -> Paired:
        pairs, (rows, plant) = self.pairs, self._in_use()
        marks, kept = (points.reshape(-1, PAIR_SLOTS, points.shape[1]) for points in (pairs.kept_marks, pairs.kept))
        stay = self._stay(rows)
        rows = rows[stay]
        return Paired(
            np.bincount(plant[stay], minlength=self._plants), pairs.counts[:, DENSE].copy(), pairs.ends[rows],
            pairs.alone[rows], pairs.allowed[rows], marks[rows].reshape(-1, MARKS), kept[rows].reshape(-1, KEPT),
            self.wanted,
        )  # fmt: skip

    def _stay(self, rows: Ints) -> Bools:
        """Whether the pairs of all rows in use touch, as what bounces does inside, or are left alone."""
        used = slice(len(rows)) if self._plants == 1 else rows
        marks = self.pairs.kept_marks.reshape(-1, PAIR_SLOTS, MARKS)[used]
        is_inside = self.pairs.kept.reshape(-1, PAIR_SLOTS, KEPT)[used][:, :, GAP] < 0.0
        touches = (marks[:, :, OBSTACLE] >= 0) & ((marks[:, :, STATUS] != APART) | is_inside)
        stay = np.logical_or.reduce(touches, axis=1) | self.pairs.alone[used] | (self.pairs.allowed[used] > 0.0)
        return np.asarray(stay)

    def points(self, touch: Touch, placed: Placed) -> ContactPoints:
        """Where bodies, which are placed so, touched each other at the end of the last step: each pair both ways."""
        rows, plant = self._in_use()
        points = (PAIR_SLOTS * rows[:, None] + np.arange(PAIR_SLOTS)).ravel()
        touches = (self.pairs.marks[points, OBSTACLE] >= 0) & (self.pairs.marks[points, STATUS] != APART)
        points, plant = points[touches], np.repeat(plant, PAIR_SLOTS)[touches]
        numbers, found = self.pairs.numbers[points], []
        for end, arm, side in ((0, ARM, 1.0), (1, ARM_B, -1.0)):
            shape = touch.first[plant] + self.pairs.ends[points // PAIR_SLOTS, end]
            body = touch.shapes.body[shape] + self._rows.first_body[plant]
            found.append(
                ContactPoints(
                    touch.shapes.rod[shape], np.full(len(points), -1),
                    placed.position[body] + numbers[:, arm : arm + 3], side * numbers[:, NORMAL : NORMAL + 3],
                    side * numbers[:, FORCE : FORCE + 3], numbers[:, GAP],
                )
            )  # fmt: skip
        return ContactPoints(*map(np.concatenate, zip(*found, strict=True)))

    def _in_use(self) -> tuple[Ints, Ints]:
        """Rows that are, and the plants they are of."""
        if self._plants == 1:
            used = int(self.pairs.counts[0, NEAR])
            return np.arange(used), np.zeros(used, dtype=np.int64)
        plant = np.repeat(np.arange(self._plants), np.diff(self.pairs.first))
        rows = np.flatnonzero(np.arange(len(plant)) - self.pairs.first[plant] < self.pairs.counts[plant, NEAR])
        return rows, plant[rows]

    def _put(self, paired: Paired) -> None:
        """Let these be the pairs."""
        self.pairs.counts[:, NEAR], self.pairs.counts[:, DENSE] = paired.used, paired.dense
        rows, _ = self._in_use()
        points = (PAIR_SLOTS * rows[:, None] + np.arange(PAIR_SLOTS)).ravel()
        self.pairs.ends[rows], self.pairs.alone[rows] = paired.ends, paired.alone
        self.pairs.allowed[rows] = paired.allowed
        self.pairs.kept_marks[points], self.pairs.kept[points] = paired.marks, paired.kept

    def restore(self, paired: Paired | None, touch: Touch) -> None:
        """Let these be what was left, None where plants touched neither themselves nor each other."""
        self.pairs, self.wanted = self._nothing, nothing_wanted(len(self.wanted))
        if paired is not None:
            self.wanted = paired.wanted
            self._make_room(touch, 2 * paired.used + FEW)
            self._put(paired)
