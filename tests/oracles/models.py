# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants that several tests use, and the solver's inner solve and step formula in a form that tests can call."""

from typing import NamedTuple

import numpy as np

from solver import Rods, Sample, Simulation
from solver.contact.obstacles import NO_COLLIDERS, obstacles_between
from solver.contact.pairs import pairs_of, room_for
from solver.contact.touch import no_touch, touching_of
from solver.data import columns as col
from solver.data.lanes import get3, get9
from solver.data.rows import put_bodies, rows_of
from solver.dynamics.forward_dynamics import solve
from solver.dynamics.multistep import weights
from solver.forces.interval import World
from solver.forces.loads import Loads
from solver.guides.pulls import NUMBERS, Pulling, Pulls
from solver.guides.shapes import AT_PLACE, NO_SHAPES
from solver.guides.tie_reader import NO_TIES, room_for_ties
from solver.guides.ties import Ties, Tying
from solver.joints.loose import CORRECTION, frames_for, loose_of
from solver.joints.stretch import no_stretching
from solver.machine.jit import kernel
from solver.math.matrices import mat_t_vec
from solver.math.memory import store3
from solver.math.rotations import conjugate, exponential, logarithm, multiply, rotate
from solver.math.vectors import add
from solver.model.model import Bodies, Panels
from solver.world.base_motion import MovingBase, Standing, bases_at_rest

#: Quaternions of frames whose y axis (the rod's) points along world x, and along world z.
ALONG_X = np.array([0.5**0.5, 0.0, 0.0, -(0.5**0.5)])
ALONG_Z = np.array([0.5**0.5, 0.5**0.5, 0.0, 0.0])


def beam(n: int, length=1.0, radius=0.01, young=8100e6, density=923.0, frame=ALONG_X, **columns) -> Rods:
    """Garcia's cantilever (section 8.3) of n equal internodes, or another straight rod along the frame's y axis."""
    along = rotate(frame, np.array([0.0, 1.0, 0.0]))
    return Rods(
        parent=np.arange(n) - 1, head=np.arange(n)[:, None] * (length / n) * along, frame=frame, length=length / n,
        radius_base=radius, radius_tip=radius, young=young, density=density, **columns,
    )  # fmt: skip


def binary_tree(internodes: int, orders: int, radius=0.004, young=1e8, density=900.0, taper=0.7, **columns) -> Rods:
    """internodes * (2^orders - 1) rods of 5 cm; every branch ends in two at +-30 degrees, turned by 90 degrees."""
    parent, head, frame, radii = [], [], [], []
    length = 0.05

    def branch(p, at, q, order, r):
        for _ in range(internodes):
            parent.append(p)
            head.append(at)
            frame.append(q)
            radii.append(r)
            p, at = len(parent) - 1, at + rotate(q, np.array([0.0, length, 0.0]))
        if order + 1 < orders:
            for side in (1.0, -1.0):
                turned = multiply(q, exponential(np.array([side * np.pi / 6, 0.0, 0.0])))
                branch(p, at, multiply(turned, exponential(np.array([0.0, np.pi / 2, 0.0]))), order + 1, r * taper)

    branch(-1, np.zeros(3), ALONG_Z, 0, radius)
    return Rods(
        parent=parent, head=head, frame=frame, length=length, radius_base=radii, radius_tip=radii, young=young,
        density=density, **columns,
    )  # fmt: skip


def random_rods(rng: np.random.Generator, n: int, **columns) -> Rods:
    """A tapered tree in which every rod grows from the tip of a random earlier one, in a random direction."""
    parent = np.array([-1, *(rng.integers(max(0, i - 4), i) for i in range(1, n))])
    frame = random_quaternions(rng, n)
    length = rng.uniform(0.03, 0.2, n)
    base = rng.uniform(0.003, 0.01, n)
    head = np.zeros((n, 3))
    for i in range(1, n):
        k = parent[i]
        head[i] = head[k] + rotate(frame[k], np.array([0.0, length[k], 0.0]))
    defaults = {"young": rng.uniform(1e8, 1e9, n), "density": rng.uniform(500, 1200, n)}
    return Rods(
        parent=parent, head=head, frame=frame, length=length, radius_base=base,
        radius_tip=base * rng.uniform(0.6, 1.0, n), **(defaults | columns),
    )  # fmt: skip


def random_bodies(rng: np.random.Generator, n: int, springs=1.0, damping=1.0) -> Bodies:
    """General rigid bodies: full inertia tensors, centres of mass off the axis, three different stiffnesses."""
    mass, com = rng.uniform(0.2, 2.0, n), rng.normal(size=(n, 3)) * 0.3
    about_com = np.array([a @ a.T + 0.05 * np.eye(3) for a in rng.normal(size=(n, 3, 3)) * 0.2])
    about_joint = np.array(
        [i + m * (c @ c * np.eye(3) - np.outer(c, c)) for i, m, c in zip(about_com, mass, com, strict=True)]
    )
    return Bodies(
        parent=np.array([-1, *(rng.integers(-1 if i % 7 == 0 else max(0, i - 5), i) for i in range(1, n))]),
        offset=rng.normal(size=(n, 3)) * 0.4,
        rest=random_quaternions(rng, n),
        mass=mass,
        com=com,
        inertia=np.ascontiguousarray(about_joint[:, (0, 0, 0, 1, 1, 2), (0, 1, 2, 1, 2, 2)]),
        stiffness=springs * rng.uniform(0.5, 20.0, (n, 3)),
        damping_time=damping * rng.uniform(0.0, 0.1, n),
        damping=damping * rng.uniform(0.0, 0.5, n),
        bend_limit=np.full(n, np.inf),
        twist_limit=np.full(n, np.inf),
        limit_stiffness=np.ones(n),
        strength=np.full(n, np.inf),
        modulus=np.ones((n, 3)),
        fibres=np.zeros(n),
    )


def random_quaternions(rng: np.random.Generator, n: int) -> np.ndarray:
    q = rng.normal(size=(n, 4))
    return q / np.linalg.norm(q, axis=1)[:, None]


class GivenLoads:
    """Loads on n bodies of one plant by their names, as oracles take them; zero until they are set."""

    def __init__(self, n: int, pulls: int = 0):
        self.gravity, self.stiffness_scale, self.air_density = np.zeros(3), np.zeros(1), np.zeros(1)
        self.force, self.torque, self.twist = np.zeros((n, 3)), np.zeros((n, 3)), np.zeros(n)
        self.air = np.zeros((0, 3))
        self.pull_body = np.full(pulls, -1, dtype=np.int64)
        self.pull_point, self.pull_target = np.zeros((pulls, 3)), np.zeros((pulls, 3))
        self.pull_stiffness, self.pull_damping = np.zeros(pulls), np.zeros(pulls)

    def as_solver(self) -> Loads:
        """The same as the solver takes it."""
        shared = np.concatenate([self.gravity, self.stiffness_scale, self.air_density])[None]
        k = len(self.pull_body)
        numbers = np.column_stack(
            [self.pull_target, self.pull_stiffness, self.pull_damping, np.zeros((k, NUMBERS - 5))]
        )
        return Loads(
            shared, Pulls(self.pull_body, self.pull_point, numbers, np.full(k, AT_PLACE), np.zeros((k, 3)), NO_SHAPES),
            np.column_stack([self.force, self.torque, self.twist]), self.air,
            plate_air=np.tile([0.0, 0.0, 0.0, 1.0], (len(self.air), 1)),
        )  # fmt: skip


def random_loads(rng: np.random.Generator, n: int, pulls=0) -> GivenLoads:
    loads = GivenLoads(n, pulls)
    for field in (loads.force, loads.torque, loads.twist, loads.pull_point, loads.pull_target):
        field[:] = rng.normal(size=field.shape)
    loads.gravity[:] = rng.normal(size=3) * 10.0
    loads.stiffness_scale[0] = 1.3
    loads.pull_body[:] = rng.integers(0, n, pulls)
    loads.pull_stiffness[:] = rng.uniform(1.0, 50.0, pulls)
    loads.pull_damping[:] = rng.uniform(0.0, 5.0, pulls)
    return loads


def random_base(rng: np.random.Generator) -> np.ndarray:
    """(6, 4) pose, velocities and accelerations of a base in any motion."""
    base = np.zeros((6, 4))
    base[:, :3] = rng.normal(size=(6, 3))
    base[1] = random_quaternions(rng, 1)[0]
    return base


def base_at_rest(position: np.ndarray, orientation: np.ndarray) -> MovingBase:
    """One plant's base without a past."""
    return MovingBase(*(a[0] for a in bases_at_rest(position[None], orientation[None])))


def still_base() -> np.ndarray:
    return base_at_rest(np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0])).now


def standing(base: np.ndarray, n: int) -> Standing:
    """What n bodies stand on that are all of one base (6, 4)."""
    return Standing(base[None], np.zeros(n, dtype=np.int64))


class Joints(NamedTuple):
    """Joint rotations (n, 4) from rest and rates (n, 3)."""

    q: np.ndarray
    u: np.ndarray


def random_joints(rng: np.random.Generator, n: int) -> Joints:
    return Joints(exponential(rng.normal(size=(n, 3)) * 0.8), rng.normal(size=(n, 3)) * 3.0)


def pulling(pulls: Pulls) -> Pulling:
    """Pulls that are the same at both ends of a frame of a second, at its end."""
    now = np.column_stack([pulls.numbers, np.ones((len(pulls.body), 2)), pulls.held])
    return Pulling(
        pulls.body, pulls.point, pulls.numbers, pulls.numbers, now, pulls.on, pulls.held, pulls.shapes, pulls.shapes
    )


def no_tying() -> Tying:
    """No ties, of one plant."""
    return _tying(NO_TIES)


def _tying(ties: Ties) -> Tying:
    """Ties of one plant that are the same at both ends of a frame, at its end."""
    tying = room_for_ties(ties, ties, np.array([0, len(ties.body)]))
    tying.now[:] = ties.numbers
    return tying


@kernel
def _implicit_solve(rows, parent, stands, world, c1, c2, found):
    first, anew, no = True, True, False
    solve(rows.data, rows.slots, parent, stands, world, 1.0, 0.0, True, c1, c2, first, anew, no, no, no, 0.0, 1.0)
    for i in range(len(found)):
        b, lane = i >> 3, i & 7
        correction = get3(rows.data, b, col.CORRECTION + lane)
        rotation = get9(rows.data, b, col.ROTATION + lane)
        store3(found, i, add(get3(rows.data, b, col.A + lane), mat_t_vec(rotation, correction)))


class FreeFrame(NamedTuple):
    """What a loose body hangs on: place (3,) m, orientation (4,), velocity (3,) m/s."""

    body: int
    place: np.ndarray
    orientation: np.ndarray
    velocity: np.ndarray


def random_frames(rng: np.random.Generator, bodies: Bodies, count: int) -> tuple[Bodies, list[FreeFrame]]:
    """The bodies, of which so many are loose, and their frames."""
    loose = rng.choice(len(bodies.parent), count, replace=False)
    parent, stiffness, damping = bodies.parent.copy(), bodies.stiffness.copy(), bodies.damping.copy()
    parent[loose], stiffness[loose], damping[loose] = -1, 0.0, 0.0
    frames = [FreeFrame(int(i), rng.normal(size=3), random_quaternions(rng, 1)[0], rng.normal(size=3)) for i in loose]
    return bodies._replace(parent=parent, stiffness=stiffness, damping=damping), frames


def accelerations(
    bodies, joints, base, loads, c1=0.0, c2=0.0, predicted=None, rows=None, frames=(), ties=NO_TIES
) -> np.ndarray:
    """(n, 3) joint accelerations in the bodies' frames, and of free frames (k, 3) in theirs; with c1 and c2 those of an
    implicit step's end point."""
    n = len(bodies.parent)
    rows = rows or rows_of([(bodies, no_panels(n))])
    put_bodies(rows, col.Q, joints.q)
    put_bodies(rows, col.U, joints.u)
    put_bodies(rows, col.A, np.zeros((n, 3)) if predicted is None else predicted)
    given = loads.as_solver()
    put_bodies(rows, col.LOADS_AFTER, given.applied)
    shared, pulls = given.shared[0], pulling(given.pulls)
    touching = touching_of(no_touch(1), 0, obstacles_between(NO_COLLIDERS, NO_COLLIDERS, 1.0, 1))
    own_loose = loose_of(frames_for(np.full(1, len(frames)), n), 0, np.array([0, n]))
    none = np.zeros(2, dtype=np.int64)
    own_pairs = pairs_of(room_for(none[:1], none, none[:0], none[:0]), 0)
    own_loose.used[0, 0], parent = len(frames), rows.parent.copy()
    for f, frame in enumerate(frames):
        parent[frame.body] = -2 - f
        own_loose.now[f, :10] = np.concatenate([frame.place, frame.orientation, frame.velocity])
    fields, tying = (given.field, given.field), _tying(ties)
    still = no_stretching(1)
    holds = touching, own_loose, own_pairs, False, False, False, tying, still
    world = World(shared, shared, shared, pulls, *fields, *holds, 1.0)
    found = np.zeros((n, 3))
    _implicit_solve(rows, parent, standing(base, n), world, c1, c2, found)
    turns = np.array([frame.orientation for frame in frames]).reshape(-1, 4)
    return np.concatenate([found, rotate(conjugate(turns), own_loose.trial[:, CORRECTION : CORRECTION + 3])])


@kernel
def _weights(last_steps, h, multistep):
    return weights(last_steps, h, multistep)


def weights_of(last_steps: np.ndarray, h: float, multistep=True) -> tuple[float, float, float, float]:
    """past, older, g and the error's share, as in solver.multistep."""
    return _weights(np.asarray(last_steps, dtype=float), h, multistep)


def no_panels(n: int) -> Panels:
    """Panels of n bodies without any."""
    none = np.zeros((0, 3))
    start, rod = np.zeros(n + 1, dtype=np.int64), np.zeros(0, dtype=np.int64)
    return Panels(start, none, none, *[none[:, 0]] * 4, none, rod, *[none[:, 0]] * 4)


def run(plant: Simulation, seconds: float, fps=24.0, sample=None) -> np.ndarray:
    """Advance frame by frame; (frames, m, 3) the rods' tip ends."""
    sample = sample or Sample()
    tails = []
    for _ in range(round(seconds * fps)):
        plant.advance(sample, 1.0 / fps)
        tails.append(plant.rod_tails())
    return np.array(tails)


def read_anew(plant: Simulation, sample: Sample) -> Simulation:
    """Another simulation of the model, which has just been put where this one is and reads its loads there."""
    other = Simulation(plant.model)
    other.start(sample, "drawn", initial=logarithm(plant.state.q))
    return other
