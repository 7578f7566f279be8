# SPDX-License-Identifier: GPL-3.0-or-later
"""The solver's front door: start plants, advance them frame by frame, read where their rods are."""

import os
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from .base.arrays import Floats, Ints
from .base.checks import choice, finite, must_be
from .base.errors import SolverError
from .contact.obstacles import Obstacles
from .contact.touch import touching_nothing
from .data import columns as col
from .data.evolving import EVOLVING, get_fields
from .data.rows import get_bodies, put_bodies, rows_of
from .dynamics.breaking import Breaking
from .dynamics.energy import Energy, energy_of_plant
from .dynamics.integrate import advance_plants
from .dynamics.kinematics import Placed, place
from .dynamics.stability import LIMITED, RESTED, STOPPED, UNBOUNDED
from .dynamics.stepping import Frame, Report
from .dynamics.touching.meeting import ContactPoints, TouchedWorld, pushes_at
from .dynamics.touching.near_pairs import NearPairs, Paired, any_touch
from .finer_frames import FinerFrames
from .forces.interval import at_start, gone_on, interval_between
from .forces.leaning import LEANS_ON_NOTHING
from .forces.loads import STIFFNESS_SCALE, Loads, filled
from .guides.apart import keep_apart
from .guides.pull_reader import plant_of
from .guides.tie_reader import ties_cross
from .joints.reference import Followed, put_rest
from .machine.threads import in_shares
from .math.rotations import conjugate, exponential, multiply
from .model.forest import groups_of, join, models_of
from .model.model import Bodies, Model, State
from .present import Present
from .resting import Resting
from .rod_poses import rod_ends, rod_orientations
from .sampling import LoadReader, parting_speed, without_eddies
from .settings import Settings, in_steps
from .snapshot import Snapshot
from .statics.equilibrium import Equilibrium
from .statics.tangent import StillWorld
from .stress import bending_moments
from .world.base_motion import bases_at_rest, copy_bases
from .world.sample import Sample

Start = Literal["drawn", "settled", "keep_shape"]


class Simulation:
    """One plant in motion, or several side by side: then rods and bodies are those of all plants one after the other.

    The model's springs are copied, so several simulations can share a model.
    together: plants go in the same steps and may touch each other; given as a number for each, those of one number do
    as parts of one plant. They have the same gravity and stiffness scale then.
    """

    def __init__(self, model: Model | Sequence[Model], settings: Settings | None = None, *,
                 together: bool | Sequence[int] = False):  # fmt: skip
        models = models_of(model)
        settings = Settings() if settings is None else settings
        must_be(Settings, settings)
        self.model, self.settings, self.time = join(models), settings, 0.0
        n, plants = self.model.body_count, len(models)
        self._plant_of_bodies = np.repeat(np.arange(plants), [m.body_count for m in models])
        self._rows = rows_of([(m.bodies, m.panels) for m in models])
        together, groups = groups_of(together, plants)
        if together:
            self._rows = rows_of([(self.model.bodies, self.model.panels)], [self._plant_of_bodies])
        self.system_count = systems = 1 if together else plants
        self._present = Present(models, self._rows)
        self._resting = Resting(self._present, settings)
        self._last_steps, self._energy_bound = np.zeros((systems, 2)), np.full(systems, UNBOUNDED)
        self._placed = Placed(np.zeros((n, 4)), np.zeros((n, 3)), np.zeros((n, 3)), np.zeros((n, 3)))
        self._bases = bases_at_rest(np.zeros((plants, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (plants, 1)))
        self._loads: Loads | None = None
        self._is_posed = False  # whether the rows still hold another pose than the drawn one
        self._threads = min(settings.threads or os.cpu_count() or 1, systems)
        self._touched = TouchedWorld(lambda: self._present.model, self._rows)
        self._breaking = Breaking(self.model, self._rows)
        self._near = NearPairs(self.model, self._rows, groups)
        self._reports = np.zeros((systems, 5), dtype=np.int64)
        self._stepping = settings.stepping_of(self.model)
        rods = self._first_rod = np.cumsum([0] + [m.rod_count for m in models])
        self._plant_of_rod = np.repeat(np.arange(plants), np.diff(rods))
        self.system_of_bodies = plant_of(np.arange(n), self._rows.first_body)
        self._loads_of = LoadReader(self.model, self._plant_of_bodies, together, lambda one: self._present.of(one)[1])
        self._system_of_panels = np.repeat(self.system_of_bodies, np.diff(self.model.panels.start))
        self._place()
        ends = np.stack(rod_ends(self.model, *self._poses()))
        self.sizes = np.array([np.ptp(ends[:, a:b].reshape(-1, 3), axis=0).max() for a, b in pairwise(rods)])
        if together:  # small ones are to be as exact as alone, but for specks
            self.sizes = np.array([max(self.sizes.min(), 0.1 * self.sizes.max())])
        limit = np.minimum(self.model.bodies.bend_limit, self.model.bodies.twist_limit)
        self._limited = np.logical_or.reduceat(np.isfinite(limit), self._rows.first_body[:-1])

    @property
    def models(self) -> list[Model]:
        """Those of the plants."""
        return list(self._present.drawn)

    @property
    def systems(self) -> list[Model]:
        """Those of what goes in steps of its own: the plants, or all of them together."""
        return self.models if self.system_count == self.plant_count else [self.model]

    @property
    def loads(self) -> Loads:
        """What acts at present, not to be written to."""
        return self._started("asking what acts")

    @property
    def plant_count(self) -> int:
        """Number of plants side by side."""
        return len(self._present.drawn)

    def start(
        self, sample: Sample, mode: Start | Sequence[Start] = "drawn", initial: ArrayLike | None = None
    ) -> Equilibrium | None:
        """Put the plants at rest in the given world.

        mode "drawn" starts as drawn, or posed, with springs relaxed; "settled" moves them to equilibrium; "keep_shape"
        changes the springs' rest so that the drawn, or posed, shape is one. One for all plants, or one for each.
        Joints begin at the rotation vectors `initial`, (n, 3) rad, from there where given.
        Returns how it went: of several plants the largest residual and turn, the sum of iterations, whether all are
        stable, whether any fell. Raises SolverError for bad input and when there is no equilibrium.
        """
        modes = [mode] * self.plant_count if isinstance(mode, str) else list(mode)
        for one in modes:
            choice("start", one, get_args(Start))
        if len(modes) != self.plant_count:
            raise SolverError(f"start has {len(modes)} modes, expected one for each of {self.plant_count} plants")
        must_be(Sample, sample)
        self._loads = None  # until the start has succeeded there is nothing to advance
        sample = sample if set(modes) == {"drawn"} else without_eddies(sample)
        n = self.model.body_count
        q = exponential(np.zeros((n, 3)) if initial is None else finite("initial", initial, (n, 3)))
        self.set_rest(self.model.bodies.rest)
        still = {name: np.zeros((n, k)) for name, _, k in EVOLVING} | {"q": q}
        last_steps, bound = np.zeros((self.system_count, 2)), np.full(self.system_count, UNBOUNDED)
        self._breaking.mend()
        to_cut = self._breaking.to_cut(sample.cut)
        self._put_state(State(**still, last_steps=last_steps, energy_bound=bound))
        self._bases = bases_at_rest(*self._loads_of.base_poses(sample))
        self.time = 0.0
        self._place()
        loads = self._loads_of(sample, self._placed, 0.0, 0.0)
        self._put_pose(loads)
        if self._present.take(loads, self._breaking.loose, None) or loads.is_posed:
            put_bodies(self._rows, col.STATE_Q, multiply(loads.pose_of_joints(n), q))
            self._place()
            loads = self._loads_of(sample, self._placed, 0.0, 0.0)
        loads = at_start(loads, self._present.model.bodies)
        wanted = self._loads_of.touching_wanted(sample)
        obstacles = self._touched.begin(sample.colliders, any_touch(wanted), self._bases, self._breaking.loose)
        leans = any_touch(wanted) or ties_cross(loads.ties, self._plant_of_bodies)
        found, lean = None, leans and (self.system_count == self.plant_count or len(set(modes)) == 1)
        self._near.restore(None, self._touched.touch)
        if lean:
            self._look_for_pairs(wanted, sample, self._touched.nothing, None)
        if set(modes) != {"drawn"}:
            found = self._find_equilibria(modes, sample, loads, q, obstacles, lean)
            self._place()
            if self._near.wants_room(self._touched.touch):
                return self.start(sample, mode, initial)
        if not lean:
            self._look_for_pairs(wanted, sample, self._touched.nothing, None)
        self._breaking.cut(to_cut, self._bases, self._last_steps)
        drawn = np.array([one != "settled" for one in modes])[self._plant_of_bodies]
        if len(loads.follow):
            drawn |= loads.follow[:, 0] >= 1.0  # no load moves what follows its pose exactly
        size = self.sizes[self.system_of_bodies]
        keep_apart(loads.pulls, loads.ties, self._placed.position, self._placed.orientation, drawn, size)
        self._loads = loads
        return found

    def _look_for_pairs(self, wanted: Ints, sample: Sample, obstacles: Obstacles, left: Paired | None) -> None:
        loose, speed, ahead = self._breaking.loose, parting_speed(sample), self.settings.max_step
        self._near.go_on(wanted, speed, self._bases, loose, obstacles, self._touched, ahead, left)

    def _find_equilibria(
        self, modes: list[Start], sample: Sample, loads: Loads, q: Floats, obstacles: Obstacles, lean: bool
    ) -> Equilibrium:
        """Move q, from the pose, to equilibrium on obstacles, and on each other where plants lean, or the springs' rest
        to keep the shape."""
        pose = loads.pose_of_joints(self.model.body_count)
        rest = multiply(self.model.bodies.rest, pose)
        touch, around, leaning = self._touched.touch, obstacles, self._near.leaning()
        if not lean:
            touch, around = self._touched.one_by_one(self._resting.first_body, obstacles)
            leaning = [LEANS_ON_NOTHING] * self.plant_count
        found = self._resting.start(modes, sample, loads, self._bases.now, rest, q, touch, around, leaning)
        self._touched.rest(touch, around, modes)
        self.set_rest(multiply(rest, conjugate(pose)))
        put_bodies(self._rows, col.STATE_Q, multiply(pose, q))
        return found

    def at_rest(self, plant: int = 0) -> tuple[Bodies, Floats, StillWorld]:
        """Of a plant as it is: bodies with its springs' rest, joint rotations, what it stands in.

        The pose is part of that rest. Colliders are not part of what it stands in.
        """
        loads = self._started("asking where it rests")
        own, pose = self._resting.bodies_of(plant), loads.pose_of_joints(self.model.body_count)
        rest = multiply(get_bodies(self._rows, col.REST, 4), pose)[own]
        q = multiply(conjugate(pose), get_bodies(self._rows, col.STATE_Q, 4))[own]
        world = self._resting.world(plant, loads, self._bases.now, touching_nothing())
        return self._present.models[plant].bodies._replace(rest=rest), q, world

    def advance(self, sample: Sample, duration: float) -> Report:
        """Move on by duration (s) to the world of the sample, which changes evenly in between.

        Fields are read where plants will be if they go on as they are; steep ones as finer_frames does. Returns the
        worst status and the sums of all plants' counts. Raises SolverError for bad input, which changes nothing.
        """
        self._started("advancing it")
        must_be(Sample, sample)
        duration = in_steps(duration, self.settings.max_step)
        if sample.force_field is None:
            self.go_on(sample, duration)
        else:
            FinerFrames(self, self._reports).advance(sample, duration)
        return self.report_of(0, self.plant_count)

    def go_on(self, sample: Sample, duration: float) -> None:
        """Advance in one go, however steep a field is."""
        before = self._started("advancing it")
        after = self._loads_of(sample, self._placed, self.time, duration)
        after, led = gone_on(before, after, duration, self.system_of_bodies, self._present.of(after.lengths)[1].bodies)
        to_cut = self._breaking.to_cut(sample.cut)
        wanted = self._loads_of.touching_wanted(sample)
        start, loose = self.snapshot() if any_touch(wanted) else None, self._breaking.loose
        obstacles = self._touched.go_on(sample.colliders, start is not None, self._bases, loose, duration)
        self._look_for_pairs(wanted, sample, obstacles, start.paired if start is not None else None)
        poses = self._loads_of.base_poses(sample)
        frame = Frame(self.sizes, self._limited, self._breaking.breaks, *poses, duration)
        self._run(before, after, led, obstacles, frame)
        if start is not None and self._near.wants_room(self._touched.touch):
            self.restore(start)
            self.go_on(sample, duration)
            return
        self._breaking.cut(to_cut, self._bases, self._last_steps)
        if self._present.take(after, self._breaking.loose, self._touched.touch):
            self._place()
        self._is_posed = before.is_posed or after.is_posed
        self._loads, self.time = after, self.time + duration
        for k, status in enumerate(self._reports[:, 0].tolist()):
            if status == RESTED:
                plants = [k] if self.system_count == self.plant_count else range(self.plant_count)
                self._reports[k, 0] = LIMITED if all(map(self._stands_rightly, plants)) else STOPPED

    def _stands_rightly(self, plant: int) -> bool:
        system = int(self.system_of_bodies[self._resting.bodies_of(plant).start])
        if self._breaking.loose.used[system, 0] > 0:
            return False  # what nothing holds has no equilibrium of its own
        return self._resting.stands_rightly(*self.at_rest(plant), float(self.sizes[system]))

    def report_of(self, first: int, last: int) -> Report:
        """How the last frame went for plants first to last - 1; rods are counted from the first one's. Those that go
        together have one report."""
        first, last = (0, 1) if self.system_count == 1 else (first, last)
        reports = self._reports[first:last]
        worst = int(reports[:, 0].argmax()) if len(reports) > 1 else 0
        status, *counts, at = reports[worst].tolist()
        steps, rejected, solves = counts if len(reports) == 1 else reports[:, 1:4].sum(axis=0).tolist()
        rod = self.model.body_rod[self._rows.first_body[first + worst] + at] - self._first_rod[first] if at >= 0 else -1
        return Report(status, steps, rejected, solves, int(rod), self._near.are_crowded(first, last))

    def _run(self, before: Loads, after: Loads, led: Followed | None, obstacles: Obstacles, frame: Frame) -> None:
        """Advance all plants while loads change evenly, on several cores where there are several."""
        interval = interval_between(
            before, after, led, self._is_posed, self._rows.first_body, self.system_of_bodies, self._system_of_panels,
            obstacles, self._present.between(before, after, self._touched.touch, self._breaking.loose.cracked),
            (self._placed.position, self._placed.orientation), self.sizes, frame.duration,
        )  # fmt: skip

        def advance(first: int, last: int) -> None:
            advance_plants(
                first, last, self._rows, self._last_steps, self._energy_bound, self._bases, interval,
                self._touched.touch, self._breaking.loose, self._near.pairs, frame, self._stepping,
                self._reports, self._placed,
            )  # fmt: skip

        in_shares(advance, self._rows.first_block, self._threads)
        after.pulls.held[interval.pull_order] = interval.after.pulls.held
        after.ties.held[interval.tie_order] = interval.tying.held

    def snapshot(self) -> Snapshot:
        """The present, to return to with restore. Springs' rest set by a start is not part of it."""
        return Snapshot(
            self.state, self._started("taking a snapshot"), copy_bases(self._bases), self.time, self._breaking.state(),
            self._touched.colliders, self._touched.contacts(), self._near.paired(),
        )  # fmt: skip

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of this simulation; advancing from it repeats the same motion exactly."""
        if len(snapshot.state.q) != self.model.body_count or len(snapshot.bases.now) != self.plant_count:
            raise SolverError("the snapshot is of another plant")
        self._put_state(snapshot.state)
        self._loads = snapshot.loads
        self._put_pose(snapshot.loads)
        self._bases = copy_bases(snapshot.bases)
        self.time = snapshot.time
        self._breaking.restore(snapshot.broken)
        self._present.take(snapshot.loads, self._breaking.loose, None)
        self._touched.restore(snapshot.colliders, snapshot.contacts, snapshot.paired is not None)
        self._near.restore(snapshot.paired, self._touched.touch)
        self._place()

    def rest(self) -> Floats:
        """(n, 4) rest of the springs, which a start may have set."""
        return get_bodies(self._rows, col.REST, 4)

    def set_rest(self, rest: Floats) -> None:
        """Let the springs' rest be this one (n, 4)."""
        put_rest(self._rows, rest, self.model.bodies.rest)

    def _started(self, what: str) -> Loads:
        """The present loads. Raises SolverError before the first start."""
        if self._loads is None:
            raise SolverError(f"start the simulation before {what}")
        return self._loads

    @property
    def state(self) -> State:
        """A copy of the present state."""
        columns = get_fields(self._rows, EVOLVING)
        return State(last_steps=self._last_steps.copy(), energy_bound=self._energy_bound.copy(), **columns)

    def _put_state(self, state: State) -> None:
        for name, column, _ in EVOLVING:
            put_bodies(self._rows, column, getattr(state, name))
        self._last_steps[:], self._energy_bound[:] = state.last_steps, state.energy_bound

    def _put_pose(self, loads: Loads) -> None:
        """Let the springs' pose be that of the loads, at rest, and followed so."""
        self._is_posed, n = False, self.model.body_count
        put_bodies(self._rows, col.POSE, loads.pose_of_joints(n))
        put_bodies(self._rows, col.POSE_RATE, np.zeros((n, 3)))
        put_bodies(self._rows, col.FOLLOW, filled(loads.follow, n))

    def energy(self) -> Energy:
        """Mechanical energy of all plants under the present gravity and stiffness scale (J)."""
        shared, loose = self._started("asking for its energy").shared, self._breaking.loose
        each = [energy_of_plant(p, self._rows, self._bases, loose, shared) for p in range(self.system_count)]
        return Energy(*np.sum(each, axis=0).tolist())

    def bending_moments(self) -> Floats:
        """(n,) N m: what the joints' springs bend the rods with, without damping. For rod_stresses of stress.py."""
        loads = self._started("asking for its moments")
        turn = multiply(conjugate(loads.pose_of_joints(self.model.body_count)), get_bodies(self._rows, col.STATE_Q, 4))
        scales = loads.shared[self._plant_of_bodies, STIFFNESS_SCALE : STIFFNESS_SCALE + 1]
        bodies = self._present.model.bodies._replace(stiffness=get_bodies(self._rows, col.STIFFNESS, 3))
        return bending_moments(bodies, turn, scales)

    def placed(self) -> Placed:
        """Where bodies are and how they move, a copy."""
        return Placed(*(part.copy() for part in self._placed))

    def broken(self) -> Ints:
        """(m,) what has become of the rods' joints: 0 whole, 1 hangs on fibres, 2 off. The worst of each rod's."""
        return self._breaking.of_rods()

    def contacts(self) -> ContactPoints:
        """Where rods touched colliders and each other at the end of the last frame."""
        touched = self._touched.points(self._placed), self._near.points(self._touched.touch, self._placed)
        return ContactPoints(*map(np.concatenate, zip(*touched, strict=True)))

    def pushes(self) -> Floats:
        """(m,) N: what all contacts push each rod with, on average over the last frame, or at the start."""
        pushed = self._touched.pushes()
        return pushes_at(self.contacts(), self.model.rod_count) if pushed is None else pushed

    def rod_orientations(self) -> Floats:
        """(m, 4) quaternions of the rods' frames in their base's frame."""
        return rod_orientations(self._breaking.shown(self._present.model), *self._poses())

    def rod_tails(self) -> Floats:
        """(m, 3) m: the rods' tip ends in world axes."""
        return rod_ends(self._breaking.shown(self._present.model), *self._poses())[1]

    def rod_heads(self) -> Floats:
        """(m, 3) m: the rods' base ends in world axes."""
        return rod_ends(self._breaking.shown(self._present.model), *self._poses())[0]

    def _place(self) -> None:
        """Bring the bodies' poses up to the state, always by the same code, so that restored poses are equal bits."""
        place(0, self.system_count, self._rows, self._bases, self._breaking.loose, self._placed)

    def _poses(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Position and orientation of every rod's base, orientations and positions of the bodies."""
        now = self._bases.now if self.plant_count == 1 else self._bases.now[self._plant_of_rod]
        position, orientation = np.ascontiguousarray(now[:, 0, :3]), np.ascontiguousarray(now[:, 1])
        return position, orientation, self._placed.orientation, self._placed.position
