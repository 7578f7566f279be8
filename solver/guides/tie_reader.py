# SPDX-License-Identifier: GPL-3.0-or-later
"""From rods that hold each other in a sample to ties of a model's bodies, and those of both ends of a frame."""

from collections.abc import Sequence
from operator import is_

import numpy as np

from ..base.arrays import Bools, Floats, Ints
from ..base.errors import SolverError
from ..model.model import Model
from ..world.guide import Guide
from .apart import drawn_in, tied_apart
from .pull_reader import Placing, gives, numbers_before, plant_of, points_on_rods
from .strengths import Strengths
from .ties import APART, DAMPING, GIVES, MOVED, NUMBERS, RIGID, STIFFNESS, Ties, Tying, tied_stiffness, ways_of

_NONE: Ints = np.zeros(0, dtype=np.int64)

NO_TIES = Ties(np.zeros((0, 2), dtype=np.int64), np.zeros((0, 6)), np.zeros((0, NUMBERS)), np.zeros((0, 3)), _NONE)


class TieReader:
    """The ties of a sample, on the bodies of a model."""

    def __init__(self, model: Model, system_of_bodies: Ints):
        """system_of_bodies (n,): bodies of different systems do not go in the same steps."""
        self._model, self._system_of_bodies = model, system_of_bodies
        self._strengths = Strengths(model)
        self._last: tuple[list[Guide], float, Ties] = [], 0.0, NO_TIES
        self._depth = np.zeros(model.body_count, dtype=np.int64)
        for i, k in enumerate(model.bodies.parent.tolist()):
            self._depth[i] = 1 if k < 0 else self._depth[k] + 1

    def __call__(self, guides: Sequence[Guide], present: Model, pursuit: float) -> Ties:
        """Those of guides that have been checked; present: the model with rods as long as they are; pursuit: see
        pursuit_of.

        Raises SolverError where bodies cannot be tied.
        """
        ties = [one for one in guides if one.by == "rod"]
        if not ties:
            return NO_TIES
        before, pursued, made = self._last
        if not (len(before) == len(ties) and all(map(is_, before, ties)) and pursued == pursuit):
            made = self._read(ties, pursuit)
            self._last = ties, pursuit, made
        made = made._replace(numbers=made.numbers.copy(), held=np.zeros((len(ties), 3)))
        if present is not self._model:
            point = np.concatenate([place[1] for place in _places(present, ties)], axis=1)
            made.numbers[:, MOVED:] = point - made.point
        return made

    def _read(self, ties: Sequence[Guide], pursuit: float) -> Ties:
        placed = _places(self._model, ties)
        body, point = (np.stack(part, axis=1) for part in zip(*placed, strict=True))
        for j, one in enumerate(ties):
            for end, rod in enumerate((one.rod, one.other_rod)):
                if body[j, end] < 0:
                    raise SolverError("it does not move, so that no rod can be tied to it: hold that at a place", rod)
            if one.rod == one.other_rod:
                raise SolverError("it is tied to itself: choose another rod", one.rod)
            if self._system_of_bodies[body[j, 0]] != self._system_of_bodies[body[j, 1]]:
                raise SolverError("it is tied to a rod of a plant that does not go together with its own", one.rod)
        rods = np.array([(one.rod, one.other_rod) for one in ties])
        rigid = [self._strengths.rigid_at(rods[:, end], *placed[end], pursuit) for end in range(2)]
        rigid.append(self._strengths.between(body, point.reshape(-1, 2, 3)))
        strongest, most = (np.max(each, axis=0) for each in zip(*rigid, strict=True))
        numbers = np.zeros((len(ties), NUMBERS))
        numbers[:, STIFFNESS] = np.minimum([one.stiffness for one in ties], strongest)
        numbers[:, RIGID] = numbers[:, STIFFNESS] == strongest
        numbers[:, DAMPING] = [one.damping for one in ties]
        numbers[:, GIVES] = [gives(one, limit) for one, limit in zip(ties, most.tolist(), strict=True)]
        ways = self._depth[body].sum(axis=1) + 2
        return Ties(body, point.reshape(-1, 6), numbers, np.zeros((len(ties), 3)), ways)


def _places(model: Model, ties: Sequence[Guide]) -> list[tuple[Ints, Floats]]:
    """Bodies and points of both ends, on the rods of a model."""
    ends = [[(one.rod, one.along) for one in ties], [(one.other_rod, one.other_along) for one in ties]]
    return [points_on_rods(model, np.array([r for r, _ in e]), np.array([a for _, a in e])) for e in ends]


def are_on(ties: Ties, bodies: slice) -> Bools:
    """(t,) which are on these bodies."""
    return np.asarray(((ties.body >= bodies.start) & (ties.body < bodies.stop)).all(axis=1))


def ties_cross(ties: Ties, plant_of_bodies: Ints) -> bool:
    """Whether bodies of different plants are tied."""
    return bool(np.diff(plant_of_bodies[ties.body], axis=1).any())


def ties_on(ties: Ties, bodies: slice) -> Ties:
    """Those on these bodies, which are counted from the first of them."""
    on = are_on(ties, bodies)
    return Ties(ties.body[on] - bodies.start, ties.point[on], ties.numbers[on], ties.held[on], ties.ways[on])


def joined_ties(parts: Sequence[Ties], first_body: Ints) -> Ties:
    """Those of groups of plants side by side, whose bodies begin at first_body."""
    moved = [one._replace(body=one.body + first) for one, first in zip(parts, first_body.tolist(), strict=True)]
    return Ties(*map(np.concatenate, zip(*moved, strict=True)))


def _match(before: Ties, after: Ties) -> Ints:
    """(t,) which of those before each is, -1 where none is."""
    if np.array_equal(before.body, after.body) and np.array_equal(before.point, after.point):
        return np.arange(len(after.body))
    match, free = np.full(len(after.body), -1), np.full(len(after.body), True)
    for k in range(len(before.body)):
        same = (after.body == before.body[k]).all(axis=1) & (after.point == before.point[k]).all(axis=1)
        found = np.flatnonzero(same & free)[:1]
        match[found], free[found] = k, False
    return match


def matched_ties(
    before: Ties, after: Ties, first_body: Ints, placed: Placing, size: Floats, duration: float
) -> tuple[Ints, Ints, Ties, Ties]:
    """The ties of a frame as matched_pulls of pull_reader.py has pulls."""
    if not len(after.body):
        return np.zeros(len(first_body), dtype=np.int64), _NONE, after, after
    rigid, match = after.numbers[:, RIGID] > 0.0, _match(before, after)
    numbers, matched = numbers_before(before.numbers, after.numbers, rigid, match, (STIFFNESS, DAMPING))
    held = np.where(matched[:, None], np.append(before.held, np.zeros((1, 3)), axis=0)[match], 0.0)
    system, new = plant_of(after.body[:, 0], first_body), ~matched & rigid
    if new.any():
        numbers[new, APART:MOVED] = tied_apart(after, *placed)[new]
    after.numbers[:, APART:MOVED] = drawn_in(numbers[:, APART:MOVED], size[system], duration)
    order = np.argsort(system, kind="stable")
    start = np.searchsorted(system[order], np.arange(len(first_body)))
    body = (after.body - first_body[system][:, None])[order]
    now = Ties(body, after.point[order], after.numbers[order], held[order], after.ways[order])
    return start, order, now._replace(numbers=numbers[order]), now


def room_for_ties(before: Ties, after: Ties, start: Ints) -> Tying:
    """Both ends of a frame's ties together, those of system p from start[p] on."""
    if not len(after.body):
        return _NO_ROOM
    return _room(before, after, int(np.diff(start).max()), len(start) - 1)


def _room(before: Ties, after: Ties, most: int, systems: int) -> Tying:
    t, w = len(after.body), int(after.ways.sum())
    return Tying(
        after.body, after.point, before.numbers, after.numbers, np.zeros((t, NUMBERS)), after.held, np.zeros((t, 6)),
        np.zeros(t), np.zeros((t, 3)), np.zeros((t, 3)), np.zeros((w, 2), dtype=np.int64), np.zeros((w, 24)),
        np.zeros((t, 2), dtype=np.int64), np.zeros((3 * t, 3 * most)), np.zeros((3 * t, 3 * most)), np.full(t, -1.0),
        np.zeros((systems, 3 * most)), np.zeros((12 * systems, 4)),
    )  # fmt: skip


_NO_ROOM = _room(NO_TIES, NO_TIES, 0, 0)


def tie_at_rest(ties: Ties, position: Floats, orientation: Floats) -> None:
    """Let ties of bodies that stand still at position (n, 3) m and orientation (n, 4) have held with what they hold
    with, rigid ones besides what they held with already."""
    for j, way in enumerate((ways_of(ties, position, orientation) - ties.numbers[:, APART:MOVED]).tolist()):
        before = ties.held[j] if ties.numbers[j, RIGID] > 0.0 else 0.0
        ties.held[j] = before + tied_stiffness(ties.numbers, j, way) * np.array(way)
