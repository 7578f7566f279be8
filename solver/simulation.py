# SPDX-License-Identifier: GPL-3.0-or-later
"""The solver's front door: start a plant, advance it frame by frame, read where its rods are."""

from copy import copy
from dataclasses import dataclass
from typing import Literal

import numpy as np

from .base_motion import BaseHistory, BaseTrack
from .errors import SolverError
from .forward_dynamics import outward_pass
from .integrate import Report, advance_frame
from .loads import Loads, Sample, finite
from .model import Floats, Model, State, assign_state, copy_state, new_state, new_workspace
from .rotation import conjugate, exponential, logarithm, multiply, rotate
from .statics import Equilibrium, keep_shape, settle

Start = Literal["drawn", "settled", "keep_shape"]
SCHEMES = ("bdf2", "backward_euler")


@dataclass(frozen=True)
class Snapshot:
    """Everything a simulation needs to go on from a frame; opaque to others."""

    state: State
    loads: Loads
    history: BaseHistory
    base: Floats
    time: float


@dataclass(frozen=True)
class Settings:
    """max_step (s): longest step; a frame is cut into equal steps. scheme: "bdf2" (second order) or
    "backward_euler" (more damping from the scheme itself). halvings: how often a step may be halved where bodies turn
    fast. settle_tolerance: residual at which settling stops; settle_iterations: at most so many."""

    max_step: float = 1.0 / 240.0
    scheme: str = "bdf2"
    halvings: int = 6
    settle_tolerance: float = 1e-9
    settle_iterations: int = 4000

    def __post_init__(self) -> None:
        if not (np.isfinite(self.max_step) and self.max_step > 0.0):
            raise SolverError("max_step must be a positive number of seconds")
        if self.scheme not in SCHEMES:
            raise SolverError(f"unknown scheme {self.scheme!r}, choose one of {', '.join(SCHEMES)}")
        if not 0 <= self.halvings <= 20:
            raise SolverError("halvings must be between 0 and 20")


class Simulation:
    """One plant in motion. The model's springs are copied, so several simulations can share a model."""

    def __init__(self, model: Model, settings: Settings | None = None):
        self.model = model
        self.settings = settings or Settings()
        self._bodies = model.bodies._replace(rest=model.bodies.rest.copy())
        self._state = new_state(self._bodies)
        self._work = new_workspace(self._bodies)
        self._base = np.zeros((6, 4))
        self._base[1, 0] = 1.0
        self._loads: Loads | None = None
        self._history: BaseHistory | None = None
        self.time = 0.0

    def start(self, sample: Sample, mode: Start = "drawn", initial: Floats | None = None) -> Equilibrium | None:
        """Put the plant at rest in the given world.

        mode "drawn" starts as drawn, with springs relaxed (or at the joint rotation vectors `initial`, (n, 3) rad);
        "settled" moves it to equilibrium; "keep_shape" changes the springs' rest so that the drawn shape is one.
        Raises SolverError when a joint is too soft to hold the drawn shape.
        """
        assign_state(self._state, new_state(self._bodies))
        self._bodies.rest[...] = self.model.bodies.rest
        if initial is not None:
            self._state.q[...] = exponential(finite("initial", initial, (self.model.body_count, 3)))
        self._loads = self._convert(sample)
        position, orientation = _base_pose(sample)
        self._history = BaseHistory(position, orientation)
        self._base[:] = 0.0
        self._base[0, :3], self._base[1] = position, orientation
        self.time = 0.0
        result = None
        if mode == "settled":
            tolerance, most = self.settings.settle_tolerance, self.settings.settle_iterations
            result = Equilibrium(*settle(self._bodies, self._state, self._work, self._base, self._loads, tolerance, most))
            if not np.isfinite(result.residual):
                raise SolverError("no equilibrium was found: the loads are too large for these springs")
        elif mode == "keep_shape":
            soft = keep_shape(self._bodies, self._state, self._work, self._base, self._loads)
            if soft >= 0:
                raise SolverError(
                    "is too soft to hold the drawn shape; make it stiffer or thicker, or start settled",
                    int(np.flatnonzero(self.model.joint == soft)[0]),
                )
            result = Equilibrium(0.0, 1)
        elif mode != "drawn":
            raise SolverError(f"unknown start {mode!r}")
        self._refresh()
        return result

    def advance(self, sample: Sample, duration: float) -> Report:
        """Move on by duration (s) to the world of the sample, which changes evenly in between."""
        if self._history is None or self._loads is None:
            raise SolverError("start the simulation before advancing it")
        if not (np.isfinite(duration) and duration > 0.0):
            raise SolverError("the frame's duration must be a positive number of seconds")
        after = self._convert(sample)
        if len(after.pull_body) != len(self._loads.pull_body):
            self._loads = _with_pulls_of(self._loads, after)
        track = self._history.track_to(*_base_pose(sample), duration)
        report = self._advance(track, after)
        self._loads = after
        self.time += duration
        return report

    def _advance(self, track: BaseTrack, after: Loads) -> Report:
        assert self._loads is not None
        now = Loads(*(a.copy() for a in after))
        two_step = self.settings.scheme == "bdf2"
        result = advance_frame(
            self._bodies, self._state, self._work, track, self._loads, after, now, self._base,
            self.settings.max_step, two_step, self.settings.halvings,
        )  # fmt: skip
        self._refresh()
        return Report(*result)

    def snapshot(self) -> Snapshot:
        """The present, to return to with restore. Springs' rest set by a start is not part of it."""
        if self._history is None or self._loads is None:
            raise SolverError("start the simulation before taking a snapshot")
        return Snapshot(copy_state(self._state), self._loads, copy(self._history), self._base.copy(), self.time)

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of this simulation; advancing from it repeats the same motion exactly."""
        assign_state(self._state, snapshot.state)
        self._loads = snapshot.loads
        self._history = copy(snapshot.history)
        self._base[...] = snapshot.base
        self.time = snapshot.time
        self._refresh()

    @property
    def state(self) -> State:
        """A copy of the present state."""
        return copy_state(self._state)

    def rod_orientations(self) -> Floats:
        """(m, 4) quaternions of the rods' frames in the base's frame."""
        model, base = self.model, self._base[1]
        orientation = self._work.orientation
        carrier = np.where((model.lower < 0)[:, None], base, orientation[model.lower])
        welded = multiply(carrier, model.rod_rest)
        bent = exponential(model.bend_share[:, None] * logarithm(self._state.q[model.joint]))
        # A joint's own frame is its rod's, so the share of its rotation follows the rod's frame at the lower body.
        # After keep_shape the springs' rest differs from the drawn shape: take it from the body itself.
        rest = self._bodies.rest[model.joint]
        sprung = multiply(multiply(carrier, rest), bent)
        world = np.where((model.joint < 0)[:, None], welded, sprung)
        return multiply(conjugate(base), world)

    def rod_tails(self) -> Floats:
        """(m, 3) m: the rods' tip ends in world axes."""
        return self._points(self.model.upper, self.model.tail)

    def rod_heads(self) -> Floats:
        """(m, 3) m: the rods' base ends in world axes."""
        return self._points(self.model.lower, self.model.head)

    def _points(self, body: np.ndarray, point: Floats) -> Floats:
        on_base = self._base[0, :3] + rotate(self._base[1], point)
        on_body = self._work.position[body] + rotate(self._work.orientation[body], point)
        return np.where((body < 0)[:, None], on_base, on_body)

    def _refresh(self) -> None:
        """Bring the workspace's positions up to the state."""
        assert self._loads is not None
        self._work.q[...] = self._state.q
        self._work.u[...] = self._state.u
        self._work.a[...] = 0.0
        outward_pass(self._bodies, self._work, self._base, self._loads)

    def _convert(self, sample: Sample) -> Loads:
        """Per body what the sample gives per rod; everything checked to be finite."""
        model = self.model
        m, n = model.rod_count, model.body_count
        movable = model.upper >= 0

        def of_bodies(name: str, width: int) -> Floats:
            total = np.zeros((n, width))
            values = getattr(sample, name)
            if values is not None:
                np.add.at(total, model.upper[movable], finite(name, values, (m, width))[movable])
            return total

        rod = np.asarray(sample.pull_rod, dtype=np.int64).reshape(-1)
        if ((rod < 0) | (rod >= m)).any():
            raise SolverError(f"pull_rod must be between 0 and {m - 1}")
        k = len(rod)
        along = finite("pull_along", sample.pull_along, (k,))
        head = _in_upper(model, rod)
        scale = float(sample.stiffness_scale)
        if not (np.isfinite(scale) and scale >= 0.0):
            raise SolverError("stiffness_scale must be a number not below zero")
        return Loads(
            gravity=finite("gravity", sample.gravity, (3,)),
            stiffness_scale=np.array([scale]),
            force=of_bodies("force", 3),
            torque=of_bodies("torque", 3),
            twist=of_bodies("twist", 1)[:, 0].copy(),
            pull_body=np.ascontiguousarray(model.upper[rod]),
            pull_point=np.ascontiguousarray(head + along[:, None] * (model.tail[rod] - head)),
            pull_target=finite("pull_target", sample.pull_target, (k, 3)),
            pull_stiffness=np.maximum(finite("pull_stiffness", sample.pull_stiffness, (k,)), 0.0),
            pull_damping=np.maximum(finite("pull_damping", sample.pull_damping, (k,)), 0.0),
        )


def _in_upper(model: Model, rod: np.ndarray) -> Floats:
    """Where the rods' movable part begins, in their upper body's frame: the joint, or the head where welded."""
    welded = model.joint[rod] < 0
    return np.where(welded[:, None], model.head[rod], 0.0)


def _base_pose(sample: Sample) -> tuple[Floats, Floats]:
    orientation = finite("base_orientation", sample.base_orientation, (4,))
    norm = float(np.linalg.norm(orientation))
    if norm < 1e-6:
        raise SolverError("base_orientation is not a rotation")
    return finite("base_position", sample.base_position, (3,)), orientation / norm


def _with_pulls_of(loads: Loads, after: Loads) -> Loads:
    """The same loads with the other's pulls at zero strength, for a frame in which the number of pulls changes."""
    return loads._replace(
        pull_body=after.pull_body,
        pull_point=after.pull_point,
        pull_target=after.pull_target,
        pull_stiffness=np.zeros_like(after.pull_stiffness),
        pull_damping=np.zeros_like(after.pull_damping),
    )
