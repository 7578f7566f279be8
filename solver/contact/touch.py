# SPDX-License-Identifier: GPL-3.0-or-later
"""Points at which shapes of plants may touch obstacles in a step.

A shape has SLOTS of them. They are found where the step is predicted to end, and stay the same points of the shape, and
features of the obstacle, in all solves of the step; but on what is round they slide, to stay the nearest. Those of the
last step are kept, because friction has a past.
"""

import math
from functools import cache
from typing import NamedTuple

import numpy as np

from ..base.arrays import Bools1, Bools2, Floats1, Floats2, Floats3, Ints1, Ints2
from ..machine.jit import inlined
from ..model.model import Model
from ..model.rods import LANDING_TIME
from ..model.shapes import UNLIKE, Shapes, firmness
from .clearance import LONGEST, TRAVEL
from .obstacles import NO_COLLIDERS, Obstacles, obstacles_between

#: Points of a shape.
SLOTS = 6

#: What a point is: obstacle, -1 for none; its triangle; from which side of it, 1 or -1, or led out over an edge, see
#: WITHIN of obstacles.py; whether it is apart, sticks or slides; and which of these it did at the step's beginning.
OBSTACLE, FEATURE, SIDE, STATUS, WAS, MARKS = 0, 1, 2, 3, 4, 5
APART, STICKS, SLIDES = 0, 1, 2

#: Where it is on the shape: share of the segment and of half the strip; how far (3, m) it has been drawn from where it
#: began to stick; normal force (N), and that which friction remembers; gap (m) and normal (3) by the last solve; how
#: deep (m) it was as it bounced, where it touches until it has come out. These are kept. By the last solve: arm (3, m)
#: from the body's joint, relative velocity (3, m/s), normal force (N), whole force (3, N), direction of slip (3), what
#: resists an acceleration along the normal, and across it (kg), the normal force (N) that friction is taken to have,
#: how fast (m/s) it would part if it touched nothing, and whether it has no force as it bounces: PASSES, or HITS at
#: the end of the step; before the first solve how deep (m, negative) it was as it bounced. By the last solve that
#: factorised: arm, normal, direction of slip, what resisted along the normal and across it, the normal force (N), and
#: by how much of it a turn of the body was resisted because the point slides then (kg m2/N), which stay where other
#: points are found.
ALONG, ACROSS, DRAWN, BORE, REMEMBERED, GAP, NORMAL, SUNK, KEPT = 0, 1, 2, 5, 6, 7, 8, 11, 12
ARM, SPEED, PUSH, FORCE, SLIP = 12, 15, 18, 19, 22
RIGID, GRIP, LOAD, PARTS, THROWN = 25, 26, 27, 28, 29
HELD_ARM, HELD_NORMAL, HELD_SLIP, HELD_RIGID, HELD_GRIP, HELD_PUSH, HELD_ROLL, NUMBERS = 30, 33, 36, 39, 40, 41, 42, 43
PASSES, HITS = 1.0, 2.0

#: Of a shape and a mesh: how many triangles are listed that were nearer than how far (m), when (share of the frame),
#: and where its start, end and side (3, m, in the mesh's axes) were then. And of a shape: of which mesh its list is,
#: and about how many triangles it has room for. See nearby.py.
LISTED, ROOM, KNOWN_AT, KNOWN_START, KNOWN_END, KNOWN_SIDE, KNOWN = 0, 1, 2, 3, 6, 9, 12
MESH_OF_LIST, MOST_LISTED, LIST = 0, 96, 101

#: Columns of room: how far (m) the plant has gone where a shape must be looked at, while it has no points, and while it
#: has some.
FREE, SAME = 0, 1

#: Friction follows the normal force with a delay of so many times how softly it lands, and where that is harder than
#: usual with the square of it: with the same share of it hits would lack the same friction however hard they are.
MEMORY = 2.5


@inlined
def remembered(was, before, after, h, landing):
    """Normal force (N) that friction has after a step of h (s) in which it goes evenly from before to after."""
    x = h / (MEMORY * landing * min(1.0, landing / LANDING_TIME))
    share = (x + 0.5 * x * x) / (1.0 + x + 0.5 * x * x)  # 1 - exp(-x)
    return was + share * (0.5 * (before + after) - was)


class Touch(NamedTuple):
    """Points of plants side by side: those of shape i are from SLOTS i.

    shapes of all plants, whose bodies are counted from their plant's first; first (plants + 1,): shapes of plant p are
    first[p] to first[p + 1]
    kept_marks (m, 5), kept (m, 12): of the last step; marks (m, 5), numbers (m, 43): of the present one
    near (k,), counts (plants, 3): shapes, counted from their plant's first, that have points, and how many; how many
    had at the last step, which are in was_near; and how many points the articulated inertias know of
    left_alone (k, 2 c): lower and upper halves of shapes that overlapped an obstacle when they began, and still do
    responses (plants, 36), borne (12 plants, 6): scratch, see arnold.py
    known (k, c, 12), listed (k, 101): see above, of a frame
    room (k, 2): see above; travel (plants, 4): how far (m) the plant has gone, see clearance.py
    pushed (k,): what all pushes of the frame on a shape's points come to (N s), whatever their directions
    """

    shapes: Shapes
    first: Ints1
    kept_marks: Ints2
    kept: Floats2
    marks: Ints2
    numbers: Floats2
    near: Ints1
    was_near: Ints1
    counts: Ints2
    left_alone: Bools2
    responses: Floats2
    borne: Floats2
    known: Floats3
    listed: Ints2
    room: Floats2
    travel: Floats2
    pushed: Floats1


class Touching(NamedTuple):
    """What one plant touches: as of Touch, of its own; obstacles and where they are now (c, 19)."""

    shapes: Shapes
    kept_marks: Ints2
    kept: Floats2
    marks: Ints2
    numbers: Floats2
    near: Ints1
    was_near: Ints1
    counts: Ints1
    left_alone: Bools2
    obstacles: Obstacles
    now: Floats2
    responses: Floats2
    borne: Floats2
    known: Floats3
    listed: Ints2
    room: Floats2
    travel: Floats2
    pushed: Floats1


class Contacts(NamedTuple):
    """What a frame leaves for the next one: points that touch, counted over all plants, with what they remember.

    point (m,), marks (m, 5), kept (m, 12): as of Touch; left_alone (l, 2): shapes and halves, as of Touch
    """

    point: Ints1
    marks: Ints2
    kept: Floats2
    left_alone: Ints2


NO_CONTACTS = Contacts(
    np.zeros(0, dtype=np.int64), np.zeros((0, MARKS), dtype=np.int64), np.zeros((0, KEPT)),
    np.zeros((0, 2), dtype=np.int64),
)  # fmt: skip


def contacts_of(touch: Touch) -> Contacts:
    """Those of the last step."""
    there = np.flatnonzero(touch.kept_marks[:, OBSTACLE] >= 0)
    marks, kept = touch.kept_marks[there], touch.kept[there]
    touched = (marks[:, STATUS] != APART) | (kept[:, GAP] < 0.0)  # as what bounces has
    return Contacts(there[touched], marks[touched], kept[touched], np.argwhere(touch.left_alone))


def chosen(before: Contacts, after: Contacts, is_before: Bools1) -> Contacts:
    """Those after, but of some shapes (k,) those before."""
    old, new = is_before[before.point // SLOTS], ~is_before[after.point // SLOTS]
    left = before.left_alone[is_before[before.left_alone[:, 0]]], after.left_alone[~is_before[after.left_alone[:, 0]]]
    return Contacts(
        np.concatenate((before.point[old], after.point[new])), np.concatenate((before.marks[old], after.marks[new])),
        np.concatenate((before.kept[old], after.kept[new])), np.concatenate(left),
    )  # fmt: skip


def put_contacts(touch: Touch, contacts: Contacts, colliders: int) -> Touch:
    """The same, where nothing touches yet, as it was left among so many colliders."""
    touch = renamed(touch, np.full(colliders, -1, dtype=np.int64))
    touch.kept_marks[contacts.point], touch.kept[contacts.point] = contacts.marks, contacts.kept
    touch.left_alone[contacts.left_alone[:, 0], contacts.left_alone[:, 1]] = True
    near = np.unique(contacts.point // SLOTS)
    plant = np.searchsorted(touch.first, near, "right") - 1
    for p, first in enumerate(touch.first[:-1].tolist()):
        own = near[plant == p] - first
        touch.was_near[first : first + len(own)] = own
        touch.counts[p, 1] = len(own)
    return touch


@inlined
def thinnest(radii, k, m):
    """The least radius (m) of shapes k and m, of radii (k, 2)."""
    return min(radii[k, 0], radii[k, 1], radii[m, 0], radii[m, 1])


@inlined
def landing_of(landing, k, m):
    """How softly (s) shapes k and m land on each other: the geometric mean of their landing (k,), which is damped as
    well as theirs with the mean of the stiffnesses."""
    return math.sqrt(landing[k] * landing[m])


@inlined
def stiffness_of(shapes, k, m):
    """Stiffness (N/m) of shapes k and m on each other: the geometric mean. That of the lighter one would let a heavy
    one deep into it before it goes along, and that of the heavier one would throw it, as would the mean of all too
    unlike ones."""
    one, other = shapes.stiffness[k], shapes.stiffness[m]
    return min(math.sqrt(one * other), UNLIKE * min(one, other))


@inlined
def touching_of(touch, p, obstacles):
    """What plant p touches."""
    own = slice(touch.first[p], touch.first[p + 1])
    points = slice(SLOTS * touch.first[p], SLOTS * touch.first[p + 1])
    of = touch.shapes
    shapes = Shapes(
        of.body[own], of.rod[own], of.start[own], of.end[own], of.side[own], of.radius[own], of.friction[own],
        of.bounce[own], of.stiffness[own], of.landing[own], of.stickiness[own], of.inside[own],
        of.firm[own],
    )  # fmt: skip
    return Touching(
        shapes, touch.kept_marks[points], touch.kept[points], touch.marks[points], touch.numbers[points],
        touch.near[own], touch.was_near[own], touch.counts[p], touch.left_alone[own], obstacles, obstacles.now[p],
        touch.responses[p : p + 1], touch.borne[12 * p : 12 * p + 12], touch.known[own],
        touch.listed[own], touch.room[own], touch.travel[p : p + 1], touch.pushed[own],
    )  # fmt: skip


def no_touch(plants: int) -> Touch:
    """One of plants without shapes."""
    none, no_ints = np.zeros((0, 3)), np.zeros(0, dtype=np.int64)
    number = none[:, 0]
    shapes = Shapes(no_ints, no_ints, none, none, none, none, number, number, number, number, number, none, number)
    return _touch(shapes, np.zeros(plants + 1, dtype=np.int64))


@cache
def touching_nothing() -> Touching:
    """What a plant touches in an empty world."""
    return touching_of(no_touch(1), 0, obstacles_between(NO_COLLIDERS, NO_COLLIDERS, 1.0, 1))


def new_touch(model: Model, first_body: Ints1) -> Touch:
    """One in which nothing touches, of a model whose plants' bodies begin at first_body (plants + 1,)."""
    shapes, plants = model.shapes, len(first_body) - 1
    order = np.argsort(shapes.body, kind="stable")
    shapes = Shapes(*(np.ascontiguousarray(column[order]) for column in shapes))
    shapes = shapes._replace(firm=firmness(shapes, model.bodies.mass, model.bodies.parent, first_body))
    first = np.searchsorted(shapes.body, first_body)
    plant = np.repeat(np.arange(plants), np.diff(first))
    return _touch(shapes._replace(body=shapes.body - first_body[plant]), first.astype(np.int64))


def _touch(shapes: Shapes, first: Ints1) -> Touch:
    k, plants = len(shapes.body), len(first) - 1
    marks = np.zeros((SLOTS * k, MARKS), dtype=np.int64)
    marks[:, OBSTACLE] = -1
    ends = np.sqrt(np.maximum((shapes.start**2).sum(axis=1), (shapes.end**2).sum(axis=1)))
    reach = ends + np.sqrt((shapes.side**2).sum(axis=1)) + shapes.radius.max(axis=1, initial=0.0)
    travel = np.zeros((plants, TRAVEL))
    for p in range(plants):
        travel[p, LONGEST] = reach[first[p] : first[p + 1]].max(initial=0.0)
    return Touch(
        shapes, first, marks,
        np.zeros((SLOTS * k, KEPT)), marks.copy(), np.zeros((SLOTS * k, NUMBERS)), np.zeros(k, dtype=np.int64),
        np.zeros(k, dtype=np.int64), np.zeros((plants, 3), dtype=np.int64), np.zeros((k, 0), dtype=np.bool_),
        np.zeros((plants, 36)), np.zeros((12 * plants, 6)), np.zeros((k, 0, KNOWN)),
        np.zeros((k, LIST), dtype=np.int64), np.full((k, 2), -np.inf), travel, np.zeros(k),
    )  # fmt: skip


def renamed(touch: Touch, was: Ints1) -> Touch:
    """The same of colliders that were these before (c,), -1 for new ones."""
    now = np.full(touch.left_alone.shape[1] // 2 + 1, -1, dtype=np.int64)
    now[was[was >= 0]] = np.flatnonzero(was >= 0)
    marks = touch.kept_marks.copy()
    marks[:, OBSTACLE] = now[marks[:, OBSTACLE]]
    k, old = len(touch.left_alone), was >= 0
    left = np.zeros((k, len(was), 2), dtype=np.bool_)
    left[:, old] = touch.left_alone.reshape(k, touch.left_alone.shape[1] // 2, 2)[:, was[old]]
    return touch._replace(
        kept_marks=marks, left_alone=left.reshape(k, 2 * len(was)), known=np.zeros((k, len(was), KNOWN))
    )
