# SPDX-License-Identifier: GPL-3.0-or-later
"""The solver's front door: start plants, advance them frame by frame, read where their rods are."""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from .base.arrays import Floats
from .base.checks import MORE_THAN_ZERO, choice, finite, must_be, number
from .base.errors import SolverError
from .contact.obstacles import NO_COLLIDERS, Colliders, Obstacles
from .contact.touch import NO_CONTACTS, Contacts, Touching, touching_nothing
from .data import columns as col
from .data.rows import get_bodies, put_bodies, rows_of
from .dynamics.energy import Energy, energy_of_plant
from .dynamics.integrate import MOST_STEPS, Frame, Report, Stepping, advance_plants
from .dynamics.kinematics import Placed, place
from .dynamics.meeting import ContactPoints, TouchedWorld
from .dynamics.stability import LIMITED, RESTED, STOPPED, UNBOUNDED
from .forces.air import wind_field_of
from .forces.force_field import force_field_of
from .forces.interval import interval_between
from .forces.loads import STIFFNESS_SCALE, Loads
from .forces.pulls import plant_of
from .math.rotations import conjugate, exponential, multiply
from .model.forest import join
from .model.model import Bodies, Model, State
from .rod_poses import rod_ends, rod_orientations
from .sampling import LoadReader, base_poses
from .settings import Settings
from .statics.equilibrium import Equilibrium, find_equilibrium
from .statics.held_shape import hold_shape
from .statics.settling import settle_in_fields, together
from .statics.tangent import StillWorld, joint_places
from .stress import bending_moments
from .world.base_motion import MovingBase, bases_at_rest, copy_bases
from .world.sample import Sample

Start = Literal["drawn", "settled", "keep_shape"]
#: A plant that no step led anywhere stands rightly where so few iterations find an equilibrium so near, over its size.
_STANDS, _FEW = 1e-3, 200

#: The fields of the state, which lie one after the other.
_STATE = (
    ("q", col.STATE_Q, 4),
    ("u", col.STATE_U, 3),
    ("a", col.STATE_A, 3),
    ("increment", col.INCREMENT, 3),
    ("gain", col.GAIN, 3),
    ("older_increment", col.OLDER_INCREMENT, 3),
    ("older_gain", col.OLDER_GAIN, 3),
    ("a_gain", col.A_GAIN, 3),
)


@dataclass(frozen=True)
class Snapshot:
    """Everything a simulation needs to go on from a frame; opaque to others."""

    state: State
    loads: Loads
    bases: MovingBase
    time: float
    colliders: Colliders = NO_COLLIDERS
    contacts: Contacts = NO_CONTACTS


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    """Threads that wait for work; making them anew for every frame takes long."""
    return ThreadPoolExecutor(threads, thread_name_prefix="plants")


class Simulation:
    """One plant in motion, or several side by side: then rods and bodies are those of all plants one after the other.

    The model's springs are copied, so several simulations can share a model.
    """

    def __init__(self, model: Model | Sequence[Model], settings: Settings | None = None):
        models = list(model) if isinstance(model, Sequence) else [model]
        if not models:
            raise SolverError("there is nothing to simulate")
        for one in models:
            must_be(Model, one)
        settings = Settings() if settings is None else settings
        must_be(Settings, settings)
        self.model = join(models)
        self.settings = settings
        self.time = 0.0
        self._models = models
        self._rows = rows_of([(m.bodies, m.panels) for m in models])
        n, plants = self.model.body_count, len(models)
        self._last_steps, self._energy_bound = np.zeros((plants, 2)), np.full(plants, UNBOUNDED)
        self._placed = Placed(np.zeros((n, 4)), np.zeros((n, 3)), np.zeros((n, 3)), np.zeros((n, 3)))
        self._bases = bases_at_rest(np.zeros((plants, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (plants, 1)))
        self._loads: Loads | None = None
        self._is_posed = False  # whether the rows still hold another pose than the drawn one
        self._threads = min(self.settings.threads or os.cpu_count() or 1, plants)
        self._touched = TouchedWorld(self.model, self._rows)
        self._reports = np.zeros((plants, 5), dtype=np.int64)
        self._stepping = Stepping(
            settings.max_step, settings.scheme == "bdf2", settings.halvings, settings.tolerance,
            settings.newton_tolerance,
        )  # fmt: skip
        rods = self._first_rod = np.cumsum([0] + [m.rod_count for m in models])
        self._plant_of_rod = np.repeat(np.arange(plants), np.diff(rods))
        self._plant_of_bodies = plant_of(np.arange(n), self._rows.first_body)
        self._loads_of = LoadReader(self.model, self._plant_of_bodies)
        self._plant_of_panels = np.repeat(self._plant_of_bodies, np.diff(self.model.panels.start))
        self._place()
        ends = np.stack(rod_ends(self.model, *self._poses()))
        self._size = np.array([np.ptp(ends[:, a:b].reshape(-1, 3), axis=0).max() for a, b in pairwise(rods)])
        limits = [np.minimum(m.bodies.bend_limit, m.bodies.twist_limit) for m in models]
        self._limited = np.array([bool(np.isfinite(limit).any()) for limit in limits])

    @property
    def models(self) -> list[Model]:
        """Those of the plants."""
        return list(self._models)

    @property
    def plant_count(self) -> int:
        """Number of plants side by side."""
        return len(self._models)

    def start(self, sample: Sample, mode: Start = "drawn", initial: ArrayLike | None = None) -> Equilibrium | None:
        """Put the plants at rest in the given world.

        mode "drawn" starts as drawn, or posed, with springs relaxed; "settled" moves them to equilibrium; "keep_shape"
        changes the springs' rest so that the drawn, or posed, shape is one.
        Joints begin at the rotation vectors `initial`, (n, 3) rad, from there where given.
        Returns how it went: of several plants the largest residual and turn, the sum of iterations, whether all are
        stable, whether any fell. Raises SolverError for bad input and when there is no equilibrium.
        """
        choice("start", mode, get_args(Start))
        must_be(Sample, sample)
        self._loads = None  # until the start has succeeded there is nothing to advance
        n = self.model.body_count
        q = np.tile([1.0, 0.0, 0.0, 0.0], (n, 1))
        if initial is not None:
            q = exponential(finite("initial", initial, (n, 3)))
        put_bodies(self._rows, col.REST, self.model.bodies.rest)
        still = {name: np.zeros((n, k)) for name, _, k in _STATE} | {"q": q}
        last_steps, bound = np.zeros((self.plant_count, 2)), np.full(self.plant_count, UNBOUNDED)
        self._put_state(State(**still, last_steps=last_steps, energy_bound=bound))
        self._bases = bases_at_rest(*base_poses(sample, self.plant_count))
        self.time = 0.0
        self._place()
        loads = self._loads_of(sample, self._placed, 0.0, 0.0)
        self._put_pose(loads.pose_of_joints(self.model.body_count))
        if loads.is_posed:
            put_bodies(self._rows, col.STATE_Q, multiply(loads.pose, q))
            self._place()
            loads = self._loads_of(sample, self._placed, 0.0, 0.0)
        obstacles = self._touched.begin(sample.colliders, self._bases)
        found = None
        if mode != "drawn":
            found = self._find_equilibria(mode, sample, loads, q, obstacles)
            self._place()
            self._touched.rest(obstacles)
        self._loads = loads
        return found

    def _find_equilibria(
        self, mode: Start, sample: Sample, loads: Loads, q: Floats, obstacles: Obstacles
    ) -> Equilibrium:
        """Move q, from the pose, and in fields what the loads say of them, to equilibrium on obstacles, or the springs'
        rest to keep the shape."""
        pose = loads.pose_of_joints(self.model.body_count)
        rest = multiply(self.model.bodies.rest, pose)
        tolerance, most = self.settings.settle_tolerance, self.settings.settle_iterations
        time = 0.0 if sample.time is None else float(sample.time)
        wind = wind_field_of(sample, time)
        found = []
        for p, model in enumerate(self._models):
            bodies, rod = self._bodies_of(p), int(self._first_rod[p])
            own = model.bodies._replace(rest=rest[bodies])
            world = self._world(p, loads, self._touched.around(p, obstacles))
            if mode == "settled":
                force = force_field_of(sample, time, model)
                if wind is None and force is None:
                    result = find_equilibrium(own, q[bodies], world, tolerance, most)
                else:
                    result = settle_in_fields(own, q[bodies], world, wind, force, tolerance, most)
                if not np.isfinite(result.residual):
                    raise SolverError("no equilibrium was found: the loads are too large for these springs")
            else:
                soft, result = hold_shape(own, q[bodies], world)
                if soft >= 0:
                    raise SolverError(
                        "it is too soft to hold the drawn shape; make it stiffer or thicker, or start settled",
                        rod + int(model.body_rod[soft]),
                    )
            if result.rod >= 0:
                result = result._replace(rod=rod + int(model.body_rod[result.rod]))
            found.append(result)
        put_bodies(self._rows, col.REST, multiply(rest, conjugate(pose)))
        put_bodies(self._rows, col.STATE_Q, multiply(pose, q))
        return together(found)

    def at_rest(self, plant: int = 0) -> tuple[Bodies, Floats, StillWorld]:
        """Of a plant as it is: bodies with its springs' rest, joint rotations, what it stands in.

        The pose is part of that rest. Colliders are not part of what it stands in.
        """
        loads = self._started("asking where it rests")
        own, pose = self._bodies_of(plant), loads.pose_of_joints(self.model.body_count)
        rest = multiply(get_bodies(self._rows, col.REST, 4), pose)[own]
        q = multiply(conjugate(pose), get_bodies(self._rows, col.STATE_Q, 4))[own]
        return self._models[plant].bodies._replace(rest=rest), q, self._world(plant, loads, touching_nothing())

    def _bodies_of(self, plant: int) -> slice:
        return slice(int(self._rows.first_body[plant]), int(self._rows.first_body[plant + 1]))

    def _world(self, plant: int, loads: Loads, touching: Touching) -> StillWorld:
        """What one plant stands in."""
        bodies, model = self._bodies_of(plant), self._models[plant]
        first = int(self.model.panels.start[bodies.start])
        panels = slice(first, first + len(model.panels.rod))
        own = loads.on(slice(plant, plant + 1), bodies, panels)
        return StillWorld(own, model.panels, self._bases.now[plant], touching)

    def advance(self, sample: Sample, duration: float) -> Report:
        """Move on by duration (s) to the world of the sample, which changes evenly in between.

        Fields are read where the plants will be if they go on as they are. Returns the worst status and the sums
        of all plants' counts. Raises SolverError for bad input, which changes nothing.
        """
        before = self._started("advancing it")
        must_be(Sample, sample)
        duration = number("duration", duration, MORE_THAN_ZERO)
        if not duration <= MOST_STEPS * (step := self.settings.max_step):
            raise SolverError(f"a frame of {duration:g} s would take more than {MOST_STEPS} steps of {step:g} s")
        after = self._loads_of(sample, self._placed, self.time, duration)
        obstacles = self._touched.go_on(sample.colliders, self._bases, duration)
        frame = Frame(self._size, self._limited, *base_poses(sample, self.plant_count), duration)
        self._run(before, after, obstacles, frame)
        self._is_posed = before.is_posed or after.is_posed
        self._loads = after
        self.time += duration
        for p in np.flatnonzero(self._reports[:, 0] == RESTED).tolist():
            self._reports[p, 0] = LIMITED if self._stands_rightly(p) else STOPPED
        return self.report_of(0, self.plant_count)

    def _stands_rightly(self, plant: int) -> bool:
        """Whether an equilibrium of the plant is so near that nobody sees that it does not go there. A thread may turn
        about itself on the way."""
        bodies, q, world = self.at_rest(plant)
        here = joint_places(bodies, q, world)
        near = find_equilibrium(bodies, q, world, self.settings.settle_tolerance, _FEW)
        away = float(np.abs(joint_places(bodies, q, world) - here).max())
        return near.balanced and away <= _STANDS * float(self._size[plant])

    def report_of(self, first: int, last: int) -> Report:
        """How the last frame went for plants first to last - 1; rods are counted from the first one's."""
        reports = self._reports[first:last]
        worst = int(reports[:, 0].argmax()) if last - first > 1 else 0
        status, steps, rejected, solves, at = reports[worst].tolist()
        if last - first > 1:
            steps, rejected, solves = reports[:, 1:4].sum(axis=0).tolist()
        rod = int(self.model.body_rod[self._rows.first_body[first + worst] + at] - self._first_rod[first])
        return Report(status, steps, rejected, solves, rod if at >= 0 else -1)

    def _run(self, before: Loads, after: Loads, obstacles: Obstacles, frame: Frame) -> None:
        """Advance all plants while loads change evenly, on several cores where there are several."""
        interval = interval_between(
            before, after, self._is_posed, self._rows.first_body, self._plant_of_bodies, self._plant_of_panels,
            obstacles,
        )  # fmt: skip

        def advance(first: int, last: int) -> None:
            advance_plants(
                first, last, self._rows, self._last_steps, self._energy_bound, self._bases, interval,
                self._touched.touch, frame, self._stepping, self._reports, self._placed,
            )  # fmt: skip

        if self._threads == 1:
            advance(0, self.plant_count)
            return
        # A few shares of equal size per core, so that none waits long for the slowest.
        shares = np.searchsorted(
            self._rows.first_block, np.linspace(0, self._rows.first_block[-1], 4 * self._threads + 1)
        ).tolist()
        list(_pool(self._threads).map(advance, shares[:-1], shares[1:]))

    def snapshot(self) -> Snapshot:
        """The present, to return to with restore. Springs' rest set by a start is not part of it."""
        loads = self._started("taking a snapshot")
        touched = self._touched
        return Snapshot(
            self.state, loads, copy_bases(self._bases), self.time, touched.colliders, touched.contacts()
        )  # fmt: skip

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of this simulation; advancing from it repeats the same motion exactly."""
        if len(snapshot.state.q) != self.model.body_count or len(snapshot.bases.now) != self.plant_count:
            raise SolverError("the snapshot is of another plant")
        self._put_state(snapshot.state)
        self._loads = snapshot.loads
        self._put_pose(snapshot.loads.pose_of_joints(self.model.body_count))
        self._bases = copy_bases(snapshot.bases)
        self.time = snapshot.time
        self._touched.restore(snapshot.colliders, snapshot.contacts)
        self._place()

    def rest(self) -> Floats:
        """(n, 4) rest of the springs, which a start may have set."""
        return get_bodies(self._rows, col.REST, 4)

    def set_rest(self, rest: Floats) -> None:
        """Let the springs' rest be this one (n, 4)."""
        put_bodies(self._rows, col.REST, rest)

    def _started(self, what: str) -> Loads:
        """The present loads. Raises SolverError before the first start."""
        if self._loads is None:
            raise SolverError(f"start the simulation before {what}")
        return self._loads

    @property
    def state(self) -> State:
        """A copy of the present state."""
        width = sum(k for _, _, k in _STATE)
        numbers, columns, first = get_bodies(self._rows, _STATE[0][1], width), {}, 0
        for name, _, k in _STATE:
            columns[name] = numbers[:, first : first + k].copy()
            first += k
        return State(last_steps=self._last_steps.copy(), energy_bound=self._energy_bound.copy(), **columns)

    def _put_state(self, state: State) -> None:
        for name, column, _ in _STATE:
            put_bodies(self._rows, column, getattr(state, name))
        self._last_steps[:], self._energy_bound[:] = state.last_steps, state.energy_bound

    def _put_pose(self, pose: Floats) -> None:
        """Let the springs' pose be this one (n, 4), at rest."""
        self._is_posed = False
        put_bodies(self._rows, col.POSE, pose)
        put_bodies(self._rows, col.POSE_RATE, np.zeros((len(pose), 3)))

    def energy(self) -> Energy:
        """Mechanical energy of all plants under the present gravity and stiffness scale (J)."""
        loads = self._started("asking for its energy")
        each = [energy_of_plant(p, self._rows, self._bases, loads.shared) for p in range(self.plant_count)]
        return Energy(*np.sum(each, axis=0).tolist())

    def bending_moments(self) -> Floats:
        """(n,) N m: what the joints' springs bend the rods with, without damping. For rod_stresses of stress.py."""
        loads = self._started("asking for its moments")
        turn = multiply(conjugate(loads.pose_of_joints(self.model.body_count)), get_bodies(self._rows, col.STATE_Q, 4))
        scales = loads.shared[self._plant_of_bodies, STIFFNESS_SCALE : STIFFNESS_SCALE + 1]
        return bending_moments(self.model.bodies, turn, scales)

    def contacts(self) -> ContactPoints:
        """Where rods touched colliders at the end of the last frame."""
        return self._touched.points(self._placed)

    def rod_orientations(self) -> Floats:
        """(m, 4) quaternions of the rods' frames in their base's frame."""
        return rod_orientations(self.model, *self._poses())

    def rod_tails(self) -> Floats:
        """(m, 3) m: the rods' tip ends in world axes."""
        return rod_ends(self.model, *self._poses())[1]

    def rod_heads(self) -> Floats:
        """(m, 3) m: the rods' base ends in world axes."""
        return rod_ends(self.model, *self._poses())[0]

    def _place(self) -> None:
        """Bring the bodies' poses up to the state, always by the same code, so that restored poses are equal bits."""
        place(0, self.plant_count, self._rows, self._bases, self._placed)

    def _poses(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Position and orientation of every rod's base, orientations and positions of the bodies."""
        now = self._bases.now if self.plant_count == 1 else self._bases.now[self._plant_of_rod]
        position, orientation = np.ascontiguousarray(now[:, 0, :3]), np.ascontiguousarray(now[:, 1])
        return position, orientation, self._placed.orientation, self._placed.position
