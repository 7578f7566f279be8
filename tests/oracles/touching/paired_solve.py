# SPDX-License-Identifier: GPL-3.0-or-later
"""A solve of random bodies with random points between them that touch, by the solver and densely."""

from typing import NamedTuple

import numpy as np

from solver.contact.obstacles import NO_COLLIDERS, obstacles_between
from solver.contact.pair_forces import push_pairs
from solver.contact.pairs import ARM_B, NEAR, PAIR_SLOTS, POINTED, pairs_of, room_for
from solver.contact.touch import (
    ARM,
    FORCE,
    GAP,
    GRIP,
    NORMAL,
    OBSTACLE,
    PUSH,
    RIGID,
    SLIP,
    STATUS,
    STICKS,
    no_touch,
    touching_of,
)
from solver.data import columns as col
from solver.data.lanes import get3
from solver.data.rows import put_bodies, rows_of
from solver.dynamics.articulated_body import acceleration_pass, begin_sums, bias_pass, factorise
from solver.dynamics.kinematics import kinematics
from solver.dynamics.touching.arnold import response_between
from solver.dynamics.touching.coupling import couple
from solver.dynamics.touching.search import search
from solver.forces import laws
from solver.forces.interval import World
from solver.forces.loads import STIFFNESS_SCALE, gravity_of
from solver.joints.loose import CORRECTION, frames_for, loose_of
from solver.joints.springs import resist_turns, springs
from solver.joints.stretch import no_stretching
from solver.machine.jit import inlined, kernel
from solver.math.memory import keep3, store3
from solver.model.rods import LANDING_TIME

from ..models import no_panels, no_tying, pulling, standing, still_base


class Points(NamedTuple):
    """m points between bodies one and other (m,): arms (m, 3) m in world axes from their joints, normal, slip (m, 3),
    stiffness along the normal and across it (m,) kg, force (m, 3) N on the first."""

    one: np.ndarray
    other: np.ndarray
    arm: np.ndarray
    arm_b: np.ndarray
    normal: np.ndarray
    slip: np.ndarray
    rigid: np.ndarray
    grip: np.ndarray
    force: np.ndarray

    def resistance(self) -> np.ndarray:
        """(m, 3, 3) G of each."""
        n, t, one = self.normal, self.slip, np.eye(3)
        nn, tt = n[:, :, None] * n[:, None, :], t[:, :, None] * t[:, None, :]
        return self.rigid[:, None, None] * nn + self.grip[:, None, None] * (one - nn - tt)


def random_points(rng: np.random.Generator, places: np.ndarray, m: int, size: float) -> Points:
    """Between bodies with joints at places (n, 3) m, with resistances up to size (kg)."""
    n = len(places)
    one = rng.integers(0, n, m)
    other = (one + rng.integers(1, n, m)) % n
    normal = rng.normal(size=(m, 3))
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    across = np.cross(normal, rng.normal(size=(m, 3)))
    across /= np.linalg.norm(across, axis=1)[:, None]
    slip = across * rng.integers(0, 2, m)[:, None]
    arm = rng.normal(size=(m, 3)) * 0.1
    return Points(
        one, other, arm, places[one] + arm - places[other], normal, slip,
        size * 10.0 ** rng.uniform(-3.0, 0.0, m), size * 10.0 ** rng.uniform(-3.0, 0.0, m), rng.normal(size=(m, 3)),
    )  # fmt: skip


def in_order(points: Points) -> Points:
    """The same, each with the lower body first, in the order of these."""
    swapped = points.one > points.other
    s = swapped[:, None]
    points = points._replace(
        one=np.minimum(points.one, points.other), other=np.maximum(points.one, points.other),
        arm=np.where(s, points.arm_b, points.arm), arm_b=np.where(s, points.arm, points.arm_b),
        force=np.where(s, -points.force, points.force),
    )  # fmt: skip
    order = np.lexsort([points.other, points.one])
    return Points(*(column[order] for column in points))


def _prepared(bodies, joints, loads, points: Points, frames=()):
    """Rows and world of a solve with these points, of which bodies are on free frames."""
    n, m = len(bodies.parent), len(points.one)
    rows = rows_of([(bodies, no_panels(n))])
    put_bodies(rows, col.Q, joints.q)
    put_bodies(rows, col.U, joints.u)
    put_bodies(rows, col.A, np.zeros((n, 3)))
    given = loads.as_solver()
    put_bodies(rows, col.LOADS_AFTER, given.applied)
    shared = given.shared[0]
    touch = no_touch(1)
    touch = touch._replace(
        shapes=touch.shapes._replace(body=np.arange(n), rod=np.arange(n)), first=np.array([0, n])
    )
    touching = touching_of(touch, 0, obstacles_between(NO_COLLIDERS, NO_COLLIDERS, 1.0, 1))
    loose = loose_of(frames_for(np.full(1, len(frames)), n), 0, np.array([0, n]))
    loose.used[0, 0] = len(frames)
    for f, frame in enumerate(frames):
        rows.parent[frame.body] = -2 - f
        loose.now[f, :10] = np.concatenate([frame.place, frame.orientation, frame.velocity])
    pairs = room_for(np.array([m]), np.array([0, n]), np.full(n, -1), np.zeros(n, dtype=np.int64))
    pairs.counts[0, NEAR], pairs.counts[0, POINTED], pairs.with_points[:] = m, m, np.arange(m)
    pairs.ends[:] = np.column_stack([points.one, points.other])
    first = PAIR_SLOTS * np.arange(m)
    pairs.marks[first, OBSTACLE], pairs.marks[first, STATUS] = 0, STICKS
    for column, values in (
        (ARM, points.arm), (ARM_B, points.arm_b), (NORMAL, points.normal), (SLIP, points.slip), (FORCE, points.force)
    ):  # fmt: skip
        pairs.numbers[first, column : column + 3] = values
    pairs.numbers[first, RIGID], pairs.numbers[first, GRIP] = points.rigid, points.grip
    pulls = pulling(given.pulls)
    own = pairs_of(pairs, 0)
    fields, still = (given.field, given.field), no_stretching(1)
    led, touched = (False, False, False), (touching, loose, own)
    world = World(shared, shared, shared, pulls, *fields, *touched, *led, no_tying(), still, 1.0)
    return rows, world


def coupled(
    bodies, joints, base, loads, points: Points, left_over=1e-12, push=0.0
) -> tuple[np.ndarray, np.ndarray, int]:
    """(n, 3) corrections of the joints' accelerations in world axes, orientations (n, 9), and passes. push (m,): what
    points push with (N) where the bodies are."""
    rows, world = _prepared(bodies, joints, loads, points)
    world.pairs.numbers[PAIR_SLOTS * np.arange(len(points.one)), PUSH] = push
    n = len(bodies.parent)
    found, turned = np.zeros((n, 3)), np.zeros((n, 9))
    passes = _coupled(rows, standing(base, n), world, left_over, found, turned)
    return found, turned, passes


def heaped(bodies, joints, loads, points: Points, frames, left_over: float) -> tuple[np.ndarray, np.ndarray, int]:
    """(n, 6) corrections of the accelerations of loose bodies, turn and shift of their joints in world axes, their
    orientations (n, 9), and passes."""
    rows, world = _prepared(bodies, joints, loads, points, frames)
    n = len(bodies.parent)
    turns, turned = np.zeros((n, 3)), np.zeros((n, 9))
    passes = _coupled(rows, standing(still_base(), n), world, left_over, turns, turned)
    shifts = np.zeros((n, 3))
    shifts[[frame.body for frame in frames]] = world.loose.trial[:, CORRECTION : CORRECTION + 3]
    return np.concatenate([turns, shifts], axis=1), turned, passes


def let_go(bodies, joints, loads, points: Points, frames) -> tuple[float, np.ndarray]:
    """The share to which the search shortens a solve's correction after which all points are apart, and what is left of
    it: (n, 9) turn of each loose body, shift of its joint and shift of its frame, in world axes."""
    rows, world = _prepared(bodies, joints, loads, points, frames)
    n, given = len(bodies.parent), world.touching.shapes
    ones, none = np.ones(n), np.zeros(n)
    shapes = given._replace(
        friction=none, bounce=none, stiffness=ones, landing=LANDING_TIME * ones, stickiness=none, radius=np.ones((n, 2))
    )
    world.pairs.numbers[:, GAP] = 1e9
    found, turned, left = np.zeros((n, 3)), np.zeros((n, 9)), np.zeros((n, 9))
    _coupled(rows, standing(still_base(), n), world, 1e-12, found, turned)
    share = _searched(rows, world._replace(touching=world.touching._replace(shapes=shapes)), left)
    left[[frame.body for frame in frames], 6:] = world.loose.trial[:, CORRECTION : CORRECTION + 3]
    return share, left


@kernel
def _searched(rows, world, left):
    share, _, _, _ = search(rows.data, world.loose, world.touching, world.pairs, 1.0, 1.0, 1.0, True, False)
    for i in range(len(left)):
        keep3(left, i, 0, get3(rows.data, i >> 3, col.X_R + (i & 7)))
        keep3(left, i, 3, get3(rows.data, i >> 3, col.X_T + (i & 7)))
    return share


@kernel
def _coupled(rows, stands, world, left_over, found, turned):
    data, parent = rows.data, rows.parent
    _factors(data, rows.slots, parent, stands, world)
    push_pairs(data, world.touching.shapes, world.pairs)
    bias_pass(data, parent, world.loose)
    acceleration_pass(data, parent, world.loose)
    shapes, ties = world.touching.shapes, world.ties
    passes, _, _ = couple(data, parent, world.loose, ties, shapes, world.pairs, True, left_over, 0.0)
    for i in range(len(found)):
        b, lane = i >> 3, i & 7
        store3(found, i, get3(data, b, col.CORRECTION + lane))
        for c in range(9):
            turned[i, c] = data[b, col.ROTATION + 8 * c + lane]
    return passes


def responses(bodies, joints, base, loads, points: Points) -> np.ndarray:
    """(m, 6, 6) what the bodies of each point do to each other: angular acceleration first, about one's joint."""
    rows, world = _prepared(bodies, joints, loads, points)
    _respond(rows, standing(base, len(bodies.parent)), world)
    return world.pairs.responses.reshape(-1, 6, 6)


@kernel
def _respond(rows, stands, world):
    _factors(rows.data, rows.slots, rows.parent, stands, world)
    pairs = world.pairs
    for row in range(pairs.counts[0, NEAR]):
        one, other = pairs.ends[row, 0], pairs.ends[row, 1]
        response_between(rows.data, rows.parent, world.loose, one, other, pairs.responses, row, pairs.borne)


@inlined
def _factors(data, slots, parent, stands, world):
    springs(data, world.now[STIFFNESS_SCALE])
    kinematics(data, parent, stands, world.loose, gravity_of(world.now))
    resist_turns(data, world.now[STIFFNESS_SCALE], 0.0, 0.0)
    laws.moving(data, slots, parent, stands, world, 1.0, True, 0.0, 0.0, True)
    begin_sums(data)
    factorise(data, parent, world.loose, 0.0)
