# SPDX-License-Identifier: GPL-3.0-or-later
"""What acts on plants in a frame: loads at both ends of it, and the same inside, where everything changes evenly."""

from typing import NamedTuple

import numpy as np

from ..base.arrays import Bools1, Floats, Floats1, Floats2, Ints, Ints1
from ..contact.obstacles import Obstacles, obstacles_at
from ..contact.pairs import Pairs, pairs_of
from ..contact.touch import Touching, touching_of
from ..data import columns as col
from ..data.rows import put_bodies_of, put_panels_of
from ..guides.pull_reader import Placing, matched_pulls
from ..guides.pulls import PRESENT, Pulling, pulls_at, steady_pulls
from ..guides.tie_reader import matched_ties, room_for_ties
from ..guides.ties import Tying, steady_ties, ties_at
from ..joints.loose import Loose, loose_of
from ..joints.reference import REACHED, WEIGHED, Followed, follow_through, turns_between, weighed_inertia
from ..joints.stretch import Stretching, moving_rods, way_at_start, way_on
from ..joints.stretching import stretch_at, stretching_of
from ..machine.jit import inlined, subroutine
from ..model.model import Bodies
from .air import air_drives
from .applied import loads_drive
from .driven import plants_with
from .force_field import field_drives
from .loads import GRAVITY, SHARED, Loads, filled

_NO_TURN, _NO_PATH = np.zeros((0, 3)), np.zeros((0, 24))


class Interval(NamedTuple):
    """Loads of plants side by side at both ends of a frame, brought together: each law has as many rows in both.

    pull_start (plants + 1,): pulls of plant p are start[p] to start[p + 1], pull_order (k,): where they are in the
    loads of the end; turn (n, 3): rotation vectors (rad) of the
    pose from the beginning to the end, (0, 3) where no spring has, or has had, another pose than as drawn
    follows (plants,): whether joints follow the pose, path (n, 24): then its path, see reference.py; leads (plants,):
    whether that, or rods that get longer, may add energy; bears (plants,): whether what follows bears weight and may
    give way
    driven (plants,): whether loads, wind, a force field or a moving pose can add energy
    shared_now (plants, 5), pulls_now (k, 19): scratch for the present
    obstacles: what may be touched; stretching: how rods get longer
    tie_start, tie_order: as of pulls; way_start (plants + 1,): rows of the ways of their ties; tying: all of them
    duration: s, of the frame
    """

    before: Loads
    after: Loads
    pull_start: Ints1
    pull_order: Ints1
    turn: Floats2
    follows: Bools1
    leads: Bools1
    bears: Bools1
    path: Floats2
    driven: Bools1
    shared_now: Floats2
    pulls_now: Floats2
    obstacles: Obstacles
    tie_start: Ints1
    tie_order: Ints1
    way_start: Ints1
    tying: Tying
    stretching: Stretching
    duration: float


class World(NamedTuple):
    """What one plant is in during a frame, but for what is in its bodies' columns.

    before, after, now (5,): what its bodies share at both ends and at present; pulls; field_before, field_after: the
    force field at both ends, (2 n, 24) or (0, 24); touching: its points near obstacles;
    loose: frames of its loose bodies; pairs: of its shapes; follows: whether joints follow the pose; is_led: whether
    that, or rods that get longer, may add energy; bears: whether what follows bears weight and may give way, which may
    raise what fell; ties: of its bodies; stretching: how rods get longer; duration: s, of
    the frame
    """

    before: Floats1
    after: Floats1
    now: Floats1
    pulls: Pulling
    field_before: Floats2
    field_after: Floats2
    touching: Touching
    loose: Loose
    pairs: Pairs
    follows: bool
    is_led: bool
    bears: bool
    ties: Tying
    stretching: Stretching
    duration: float


def interval_between(
    before: Loads, after: Loads, followed: Followed | None, was_posed: bool, first_body: Ints, plant_of_bodies: Ints,
    plant_of_panels: Ints, obstacles: Obstacles, stretching: Stretching, placed: Placing, size: Floats,
    duration: float,
) -> Interval:  # fmt: skip
    """Bring both ends together. followed: how plants follow their pose, if any does; was_posed: whether the columns
    hold another pose than the drawn one; placed: where bodies are; size (plants,) m; duration (s) of the frame."""
    plants, n, turn = len(first_body) - 1, len(plant_of_bodies), _NO_TURN
    panels = len(plant_of_panels)
    given = (
        ("applied", n), ("air", panels), ("plate_air", panels), ("field", 2 * n), ("follow", n), ("path", n),
    )  # fmt: skip
    for name, rows in given:
        one, other = getattr(before, name), getattr(after, name)
        if len(one) != len(other):
            before, after = (ends._replace(**{name: filled(getattr(ends, name), rows)}) for ends in (before, after))
    follows, leads, bears = np.zeros((3, plants), dtype=np.bool_)
    path = _NO_PATH
    if was_posed or before.is_posed or after.is_posed or followed is not None:
        before, after = (ends._replace(pose=ends.pose_of_joints(n)) for ends in (before, after))
        if followed is None:
            turn = turns_between(before.pose, after.pose)
        else:
            turn, path, follows, leads, yields = followed
            bears = yields & after.shared[:plants, GRAVITY : GRAVITY + 3].any(axis=1)
    turns = plants_with((turn,), plant_of_bodies, plants)
    leads |= moving_rods(stretching.way, stretching.first_rod)
    driven = np.full(plants, field_drives(after.field) or obstacles.move())
    driven |= loads_drive(before.applied, after.applied, plant_of_bodies, plants)
    driven |= air_drives(before.air, after.air, plant_of_panels, plants)
    flutter = after.plate_air[:, 3:] - before.plate_air[:, 3:]  # as what air they carry, and its energy, changes
    driven |= plants_with((flutter,), plant_of_panels, plants)
    driven |= turns | leads
    where = first_body, placed, size, duration
    start, order, pulls_before, pulls_after = matched_pulls(before.pulls, after.pulls, *where)
    tie_start, tie_order, ties_before, ties_after = matched_ties(before.ties, after.ties, *where)
    way_start = np.append(0, np.cumsum(ties_after.ways))[tie_start] if len(tie_order) else tie_start
    return Interval(
        before._replace(pulls=pulls_before), after._replace(pulls=pulls_after), start, order, turn, follows, leads,
        bears, path, driven, np.zeros((plants, SHARED)), np.zeros((len(pulls_after.body), PRESENT)), obstacles,
        tie_start, tie_order, way_start,
        room_for_ties(ties_before, ties_after, tie_start), stretching, duration,
    )  # fmt: skip


def at_start(loads: Loads, bodies: Bodies) -> Loads:
    """The loads, with the path of a pose that is followed, which begins at rest, and the way of lengths."""
    if len(loads.lengths):
        loads = loads._replace(way=way_at_start(loads.lengths))
    if not len(loads.follow):
        return loads
    still = np.zeros((len(loads.follow), REACHED))
    still[:, WEIGHED:] = weighed_inertia(bodies, loads.pose_of_joints(len(still)), loads.follow)
    return loads._replace(path=still)


def gone_on(
    before: Loads, after: Loads, duration: float, plant_of_bodies: Ints, bodies: Bodies
) -> tuple[Loads, Followed | None]:
    """The loads after a frame of duration (s), with where lengths have got to, and the path of the pose in plants that
    follow it; bodies: as they are then. And how they do, if any does."""
    n = len(plant_of_bodies)
    if len(after.lengths):
        after = after._replace(way=way_on(before.way, before.lengths, after.lengths, duration))
    if not len(before.follow) and not len(after.follow):
        return after, None
    pose = before.pose_of_joints(n), after.pose_of_joints(n)
    follow = filled(before.follow, n), filled(after.follow, n)
    path, followed = follow_through(
        pose, follow, filled(before.path, n), weighed_inertia(bodies, pose[1], follow[1]), duration, plant_of_bodies,
        int(plant_of_bodies[-1]) + 1,
    )
    return (after._replace(path=path) if len(after.follow) else after), followed


@subroutine
def put_loads_of(first, last, rows, interval):
    """Write what acts on bodies, panels and joints into the columns of plants first to last - 1."""
    before, after = interval.before, interval.after
    if len(after.applied) > 0:
        put_bodies_of(first, last, rows, col.LOADS_BEFORE, before.applied)
        put_bodies_of(first, last, rows, col.LOADS_AFTER, after.applied)
    if len(after.air) > 0:
        put_panels_of(first, last, rows, col.AIR_BEFORE, before.air)
        put_panels_of(first, last, rows, col.AIR_AFTER, after.air)
    if len(after.plate_air) > 0:
        put_panels_of(first, last, rows, col.PLATE_AIR_BEFORE, before.plate_air)
        put_panels_of(first, last, rows, col.PLATE_AIR_AFTER, after.plate_air)
    if len(interval.turn) > 0:
        put_bodies_of(first, last, rows, col.POSE_BEFORE, before.pose)
        put_bodies_of(first, last, rows, col.POSE_TURN, interval.turn)
    if len(interval.path) > 0:
        put_bodies_of(first, last, rows, col.PATH, interval.path)
        put_bodies_of(first, last, rows, col.FOLLOW_BEFORE, before.follow)
        put_bodies_of(first, last, rows, col.FOLLOW_AFTER, after.follow)


@inlined
def world_of(interval, p, first_body, touch, loose, pairs):
    """The world of plant p in the frame, with its part of what touches, is loose and is near."""
    before, after = interval.before, interval.after
    own = slice(interval.pull_start[p], interval.pull_start[p + 1])
    halves = slice(2 * first_body[p], 2 * first_body[p + 1])
    pulls = Pulling(
        after.pulls.body[own], after.pulls.point[own],
        before.pulls.numbers[own], after.pulls.numbers[own], interval.pulls_now[own], after.pulls.on[own],
        after.pulls.held[own], before.pulls.shapes, after.pulls.shapes,
    )  # fmt: skip
    return World(
        before.shared[p], after.shared[p], interval.shared_now[p], pulls, before.field[halves], after.field[halves],
        touching_of(touch, p, interval.obstacles), loose_of(loose, p, first_body),
        pairs_of(pairs, p), interval.follows[p], interval.leads[p],
        interval.bears[p], _tying_of(interval, p),
        stretching_of(interval.stretching, p, first_body, touch.first), interval.duration,
    )  # fmt: skip


@inlined
def _tying_of(interval, p):
    """The ties of plant p."""
    ties, t = interval.tying, slice(interval.tie_start[p], interval.tie_start[p + 1])
    w, m = slice(interval.way_start[p], interval.way_start[p + 1]), slice(3 * t.start, 3 * t.stop)
    return Tying(
        ties.body[t], ties.point[t], ties.before[t], ties.after[t], ties.now[t], ties.held[t], ties.arms[t],
        ties.resists[t], ties.wants[t], ties.gains[t], ties.rows[w], ties.bears[w], ties.ends[t],
        ties.whole[m], ties.factor[m], ties.factored[t], ties.other[p : p + 1],
        ties.borne[12 * p : 12 * p + 12],
    )  # fmt: skip


@inlined
def world_at(data, parent, world, s, duration):
    """Fill what is now at the share s of a frame of duration (s), linear in between, and where rods' lengths are."""
    for c in range(SHARED):
        world.now[c] = (1.0 - s) * world.before[c] + s * world.after[c]
    pulls_at(world.pulls, s, duration)
    ties_at(world.ties, s)
    obstacles_at(world.touching.obstacles, world.touching.now, s)
    if world.stretching.stretches[0]:
        stretch_at(data, parent, world.loose.cracked, world.touching, world.stretching, s, duration)


@inlined
def is_steady(world):
    """Whether what bodies share and what pulls and ties are the same at both ends, so that they add no energy."""
    steady = steady_pulls(world.pulls) and steady_ties(world.ties)
    for c in range(SHARED):
        steady = steady and world.before[c] == world.after[c]
    return steady
