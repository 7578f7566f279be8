# SPDX-License-Identifier: GPL-3.0-or-later
"""From what holds rods in a sample to pulls on the bodies of a model, and those of both ends of a frame together."""

import math
from collections.abc import Sequence

import numpy as np

from ..base.arrays import Bools, Floats, Ints
from ..base.checks import finite, indices, is_empty
from ..math.rotations import rotate
from ..model.model import Model
from ..world.guide import Guide
from ..world.sample import Sample
from .apart import are_firm, drawn_in, pulled_apart
from .pulls import (
    APART,
    DAMPING,
    FRICTION,
    GIVES,
    MOVED,
    NORMAL,
    NUMBERS,
    RIGID,
    STIFFNESS,
    Pulls,
    held_at_rest,
    points_of,
    stiffness_of,
)
from .shape_reader import ShapeReader
from .shapes import AT_PLACE, IN_PLANE, NO_SHAPES, chosen_shapes, joined_shapes, known_by, match_shapes, shifted
from .strengths import Strengths

#: Handles are at most so much stiffer than what they hold: as good as rigid, while the rounding of positions makes no
#: force that could be seen.
_STIFFEST = 1e6

#: N: less than this is no force.
LEAST_FORCE = 1e-9

#: Position (n, 3) m and orientation (n, 4) of bodies.
Placing = tuple[Floats, Floats]

_NONE: Ints = np.zeros(0, dtype=np.int64)

NO_PULLS = Pulls(_NONE, np.zeros((0, 3)), np.zeros((0, NUMBERS)), _NONE, np.zeros((0, 3)), NO_SHAPES)


def pulls_are_on(pulls: Pulls, bodies: slice) -> Bools:
    """(k,) which are on these bodies."""
    return np.asarray((pulls.body >= bodies.start) & (pulls.body < bodies.stop))


def pulls_on(pulls: Pulls, bodies: slice) -> Pulls:
    """Those on these bodies, which are counted from the first of them."""
    own = pulls_are_on(pulls, bodies)
    on, shapes = chosen_shapes(pulls.on[own], pulls.shapes)
    return Pulls(pulls.body[own] - bodies.start, pulls.point[own], pulls.numbers[own], on, pulls.held[own], shapes)


def joined_pulls(parts: Sequence[Pulls], first_body: Ints) -> Pulls:
    """Those of groups of plants side by side, whose bodies begin at first_body."""
    bodies = [np.where(one.body >= 0, one.body + first, -1) for one, first in zip(parts, first_body, strict=True)]
    shapes = [one.shapes for one in parts]
    on = [shifted(one.on, shapes[:i]) for i, one in enumerate(parts)]
    return Pulls(
        np.concatenate(bodies), np.concatenate([one.point for one in parts]),
        np.concatenate([one.numbers for one in parts]), np.concatenate(on), np.concatenate([one.held for one in parts]),
        joined_shapes(shapes),
    )  # fmt: skip


def _match(before: Pulls, after: Pulls) -> Ints:
    """(k,) which of those before each is, -1 where none is."""
    by_before, by = known_by(before.on, before.shapes), known_by(after.on, after.shapes)
    same = np.array_equal(before.body, after.body) and np.array_equal(before.point, after.point)
    if same and np.array_equal(by_before, by):
        return np.arange(len(after.body))
    match, free = np.full(len(after.body), -1), np.full(len(after.body), True)
    for k, (body, point) in enumerate(zip(before.body, before.point, strict=True)):
        alike = (after.body == body) & (after.point == point).all(axis=1) & (by == by_before[k])
        found = np.flatnonzero(alike & free)[:1]  # several may pull at one point
        match[found], free[found] = k, False
    return match


def numbers_before(
    before: Floats, after: Floats, rigid: Bools, match: Ints, strength: tuple[int, int]
) -> tuple[Floats, Bools]:
    """Numbers (k, c) at the beginning of a frame, and (k,) which were there: not those that match none (-1), nor rigid
    ones without strength, the two columns of stiffness and damping. Others begin at zero strength or, rigid, as they
    are at its end."""
    known = match >= 0
    known[known] &= ~rigid[known] | (before[match[known], strength[0]] > 0.0)
    if known.all():
        return before[match], known
    numbers = after.copy()
    numbers[np.ix_(~rigid, strength)] = 0.0
    numbers[known] = before[match[known]]
    return numbers, known


def matched_pulls(
    before: Pulls, after: Pulls, first_body: Ints, placed: Placing, size: Floats, duration: float
) -> tuple[Ints, Ints, Pulls, Pulls]:
    """The pulls of a frame of a duration (s) in the order of their plants, of sizes (plants,) m: where each plant's
    begin (plants + 1,), where each stands in after, and both ends of all that there are after; bodies are counted from
    their plant's first. first_body (plants + 1,): the plants' bodies; placed: position and orientation of these.

    A point that was not pulled before begins to be at zero strength, or rigidly where it is; after learns how far off
    it still holds then.
    """
    if not len(after.body):
        return np.zeros(len(first_body), dtype=np.int64), _NONE, after, after
    rigid, match = after.numbers[:, RIGID] > 0.0, _match(before, after)
    numbers, matched = numbers_before(before.numbers, after.numbers, rigid, match, (STIFFNESS, DAMPING))
    held = np.where(matched[:, None], np.append(before.held, np.zeros((1, 3)), axis=0)[match], 0.0)
    plant = plant_of(after.body, first_body)
    new = ~matched & rigid
    if new.any():
        numbers[new, APART:MOVED] = pulled_apart(after, *placed)[new]
    after.numbers[:, APART:MOVED] = drawn_in(numbers[:, APART:MOVED], size[plant], duration)
    order = np.argsort(plant, kind="stable")
    local = np.where(after.body < 0, -1, after.body - first_body[plant])[order]
    start = np.searchsorted(plant[order], np.arange(len(first_body)))
    shapes, there = match_shapes(before.shapes, after.shapes)
    beyond = _beyond(after.on, after.numbers, held)
    numbers[:, :STIFFNESS] += beyond
    now = Pulls(local, after.point[order], after.numbers[order], after.on[order], held[order], there)
    now.numbers[:, :STIFFNESS] += beyond[order]
    return start, order, now._replace(numbers=numbers[order], shapes=shapes), now


def _beyond(on: Ints, numbers: Floats, held: Floats) -> Floats:
    """(k, 3) m: how far beyond their places and planes rigid pulls draw to in a frame, so that with the forces (k, 3) N
    that they hold with at its beginning points are where they are held; not where they give way."""
    firm = (numbers[:, RIGID] > 0.0) & ((on == AT_PLACE) | (on == IN_PLANE)) & (numbers[:, STIFFNESS] > 0.0)
    firm &= are_firm(held, numbers[:, GIVES])
    return np.where(firm[:, None], held / np.maximum(numbers[:, STIFFNESS, None], LEAST_FORCE), 0.0)


def hold_at_rest(pulls: Pulls, position: Floats, orientation: Floats) -> None:
    """Let pulls on bodies that stand still at position (n, 3) m and orientation (n, 4) have held with what they hold
    with, rigid ones besides what they held with already."""
    points = points_of(pulls)
    for j, i in enumerate(pulls.body.tolist()):
        if i >= 0:
            x = tuple((position[i] + rotate(orientation[i], points[j])).tolist())
            way = held_at_rest(pulls, j, x)[0]
            pulls.held[j] = stiffness_of(pulls.numbers, j, way) * np.array(way)


def gives(guide: Guide, most: float) -> float:
    """One over the largest force (1/N) of a guide, which is rigid where it gives that much at most."""
    largest = most if guide.largest == math.inf and guide.stiffness == math.inf else guide.largest
    return 1.0 / max(largest, LEAST_FORCE)


def plant_of(body: Ints, first_body: Ints) -> Ints:
    """Plant of every body; the base, -1, counts as the first's."""
    return np.maximum(np.searchsorted(first_body, body, "right") - 1, 0)


class PullReader:
    """The pulls of a sample, on the bodies of a model."""

    def __init__(self, model: Model):
        self._model = model
        self._strengths = Strengths(model)
        self._shapes = ShapeReader()
        self._places: tuple[list[tuple[int, float]], float] = [], 0.0
        self._held = _NONE, np.zeros((0, 3)), np.zeros(0), np.zeros(0)

    def __call__(self, sample: Sample, guides: Sequence[Guide], present: Model, pursuit: float) -> Pulls:
        """Those of the sample, whose guides have been checked; present: the model with rods as long as they are;
        pursuit: see pursuit_of.

        Raises SolverError for what is not numbers, is out of range or has another shape.
        """
        both = self._handles(sample, present), self._guides(guides, present, pursuit)
        parts = [one for one in both if len(one.body)]
        if len(parts) < 2:
            return parts[0] if parts else NO_PULLS
        return joined_pulls(parts, np.zeros(2, dtype=np.int64))

    def _handles(self, sample: Sample, present: Model) -> Pulls:
        given = sample.pull_rod, sample.pull_along, sample.pull_target, sample.pull_stiffness, sample.pull_damping
        if all(map(is_empty, given)):
            return NO_PULLS
        rod = indices("pull_rod", sample.pull_rod, 0, self._model.rod_count - 1, "k")
        k = len(rod)
        along = finite("pull_along", sample.pull_along, (k,), 0.0, 1.0)
        numbers = np.zeros((k, NUMBERS))
        numbers[:, :STIFFNESS] = finite("pull_target", sample.pull_target, (k, 3))
        stiffness = finite("pull_stiffness", sample.pull_stiffness, (k,), 0.0)
        numbers[:, DAMPING] = finite("pull_damping", sample.pull_damping, (k,), 0.0)
        if k == 0:
            return NO_PULLS
        body, point = points_on_rods(self._model, rod, along)
        numbers[:, MOVED:] = self._moved(present, rod, along, point)
        numbers[:, STIFFNESS] = np.minimum(stiffness, _STIFFEST * self._strengths(body, np.linalg.norm(point, axis=1)))
        return Pulls(body, point, numbers, np.full(k, AT_PLACE), np.zeros((k, 3)), NO_SHAPES)

    def _moved(self, present: Model, rod: Ints, along: Floats, point: Floats) -> Floats | float:
        """By what points are away from where they are on rods as drawn."""
        return 0.0 if present is self._model else points_on_rods(present, rod, along)[1] - point

    def _guides(self, guides: Sequence[Guide], present: Model, pursuit: float) -> Pulls:
        """Of the guides those that hold at the world."""
        guides = [one for one in guides if one.by != "rod"]
        k = len(guides)
        if k == 0:
            return NO_PULLS
        places = [(one.rod, one.along) for one in guides]
        numbers, (body, point, rigid, most) = np.zeros((k, NUMBERS)), self._held_at(places, pursuit)
        rod, along = np.array([one.rod for one in guides]), np.array([one.along for one in guides])
        numbers[:, MOVED:] = self._moved(present, rod, along, point)
        on, shapes = self._shapes(guides)
        for j, one in enumerate(guides):
            numbers[j, :STIFFNESS], numbers[j, NORMAL:FRICTION] = one.position, one.normal
            numbers[j, STIFFNESS] = min(one.stiffness, rigid[j])
            numbers[j, DAMPING], numbers[j, FRICTION] = one.damping, one.friction
            numbers[j, RIGID] = one.stiffness >= rigid[j]
            numbers[j, GIVES] = gives(one, float(most[j]))
        return Pulls(body, point, numbers, on, np.zeros((k, 3)), shapes)

    def _held_at(self, places: list[tuple[int, float]], pursuit: float) -> tuple[Ints, Floats, Floats, Floats]:
        """(k,) bodies and (k, 3) m points at places on rods, stiffness (N/m) that is as good as rigid there, and what
        that gives at most (N); of the last frame, where they are the same."""
        if (places, pursuit) != self._places:
            rod = np.array([one for one, _ in places])
            body, point = points_on_rods(self._model, rod, np.array([along for _, along in places]))
            self._held = body, point, *self._strengths.rigid_at(rod, body, point, pursuit)
            self._places = places, pursuit
        return self._held


def points_on_rods(model: Model, rod: Ints, along: Floats) -> tuple[Ints, Floats]:
    """(k,) bodies, -1 for the base, and (k, 3) m in their frames, of the places along (0 base, 1 tip) on rods (k,)."""
    # Joints are in order of their rods and along these, so those passed are found in one search.
    joint = np.searchsorted(model.body_rod + model.body_at, rod + np.clip(along, 0.0, 1.0 - 1e-9), "right") - 1
    own = (joint >= 0) & (model.body_rod[joint] == rod)
    y = np.zeros((len(rod), 3))
    y[:, 1] = (along - np.where(own, model.body_at[joint], 0.0)) * model.length[rod]
    on_lower = model.head[rod] + rotate(model.rod_rest[rod], y)
    return np.where(own, joint, model.lower[rod]), np.where(own[:, None], y, on_lower)
