# SPDX-License-Identifier: GPL-3.0-or-later
"""The solver's front door: start a plant, advance it frame by frame, read where its rods are."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from .base_motion import MovingBase, base_at_rest, copy_base
from .errors import SolverError
from .forward_dynamics import place
from .integrate import Report, Stepping, advance_frame
from .loads import FrameLoads, Loads, Sample, finite, new_loads, without_pulls_as_in
from .model import Floats, Model, State, assign_state, copy_state, new_state, new_workspace
from .rotation import conjugate, exponential, logarithm, multiply, rotate
from .sampling import LoadConverter, base_pose
from .statics import Equilibrium, keep_shape, settle

Start = Literal["drawn", "settled", "keep_shape"]
SCHEMES = ("bdf2", "backward_euler")

#: A frame that would need more steps than this is refused, so that no number typed by the user hangs the program.
MOST_STEPS = 100_000


@dataclass(frozen=True)
class Snapshot:
    """Everything a simulation needs to go on from a frame; opaque to others."""

    state: State
    loads: Loads
    base: MovingBase
    time: float


@dataclass(frozen=True)
class Settings:
    """How to simulate.

    max_step (s): longest step; a frame is cut into equal steps. scheme: "bdf2" (second order) or
    "backward_euler" (more damping from the scheme itself). halvings: how often a step may be halved where bodies turn
    fast. settle_tolerance: residual at which settling stops; settle_iterations: at most so many.
    """

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
        self.time = 0.0
        self._bodies = model.bodies._replace(rest=model.bodies.rest.copy())
        self._state = new_state(self._bodies)
        self._work = new_workspace(self._bodies)
        self._orientation = np.zeros((model.body_count, 4))
        self._position = np.zeros((model.body_count, 3))
        self._base = base_at_rest(np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]))
        self._loads_of = LoadConverter(model)
        self._loads: Loads | None = None
        self._now = new_loads(model.body_count, 0)
        self._stepping = Stepping(
            float(self.settings.max_step), self.settings.scheme == "bdf2", int(self.settings.halvings)
        )

    def start(self, sample: Sample, mode: Start = "drawn", initial: ArrayLike | None = None) -> Equilibrium | None:
        """Put the plant at rest in the given world.

        mode "drawn" starts as drawn, with springs relaxed (or at the joint rotation vectors `initial`, (n, 3) rad);
        "settled" moves it to equilibrium; "keep_shape" changes the springs' rest so that the drawn shape is one.
        Raises SolverError when a joint is too soft to hold the drawn shape.
        """
        if mode not in ("drawn", "settled", "keep_shape"):
            raise SolverError(f"unknown start {mode!r}")
        self._loads = None  # until the start has succeeded there is nothing to advance
        loads = self._loads_of(sample)
        assign_state(self._state, new_state(self._bodies))
        self._bodies.rest[...] = self.model.bodies.rest
        if initial is not None:
            self._state.q[...] = exponential(finite("initial", initial, (self.model.body_count, 3)))
        self._base = base_at_rest(*base_pose(sample))
        self.time = 0.0
        result = None
        if mode == "settled":
            result = self._settle(loads)
        elif mode == "keep_shape":
            result = self._keep_shape(loads)
        self._place()
        self._loads = loads
        return result

    def _settle(self, loads: Loads) -> Equilibrium:
        tolerance, most = float(self.settings.settle_tolerance), int(self.settings.settle_iterations)
        result = Equilibrium(*settle(self._bodies, self._state, self._work, self._base.now, loads, tolerance, most))
        if not np.isfinite(result.residual):
            assign_state(self._state, new_state(self._bodies))
            raise SolverError("no equilibrium was found: the loads are too large for these springs")
        return result

    def _keep_shape(self, loads: Loads) -> Equilibrium:
        soft = keep_shape(self._bodies, self._state, self._work, self._base.now, loads)
        if soft >= 0:
            raise SolverError(
                "it is too soft to hold the drawn shape; make it stiffer or thicker, or start settled",
                int(np.flatnonzero(self.model.joint == soft)[0]),
            )
        return Equilibrium(0.0, 1)

    def advance(self, sample: Sample, duration: float) -> Report:
        """Move on by duration (s) to the world of the sample, which changes evenly in between."""
        if self._loads is None:
            raise SolverError("start the simulation before advancing it")
        duration = float(duration)
        if not duration > 0.0:
            raise SolverError("the frame's duration must be a positive number of seconds")
        if not duration <= MOST_STEPS * self.settings.max_step:
            raise SolverError(
                f"a frame of {duration:g} s would take more than {MOST_STEPS} steps of {self.settings.max_step:g} s"
            )
        position, orientation = base_pose(sample)
        after = self._loads_of(sample)
        before = self._loads
        if not np.array_equal(before.pull_body, after.pull_body):
            before = without_pulls_as_in(before, after)
        if len(self._now.pull_body) != len(after.pull_body):
            self._now = new_loads(self.model.body_count, len(after.pull_body))
        self._now.pull_body[:] = after.pull_body
        report = advance_frame(
            self._bodies, self._state, self._work, self._base, FrameLoads(before.numbers, after.numbers, self._now),
            position, orientation, duration, self._stepping,
        )  # fmt: skip
        self._place()
        self._loads = after
        self.time += duration
        return Report(*report)

    def snapshot(self) -> Snapshot:
        """The present, to return to with restore. Springs' rest set by a start is not part of it."""
        if self._loads is None:
            raise SolverError("start the simulation before taking a snapshot")
        return Snapshot(copy_state(self._state), self._loads, copy_base(self._base), self.time)

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of this simulation; advancing from it repeats the same motion exactly."""
        assign_state(self._state, snapshot.state)
        self._loads = snapshot.loads
        self._base = copy_base(snapshot.base)
        self.time = snapshot.time
        self._place()

    @property
    def state(self) -> State:
        """A copy of the present state."""
        return copy_state(self._state)

    def rod_orientations(self) -> Floats:
        """(m, 4) quaternions of the rods' frames in the base's frame."""
        model, base = self.model, self._base.now[1]
        orientation = self._orientation
        carrier = np.where((model.lower < 0)[:, None], base, orientation[model.lower])
        world = multiply(carrier, model.rod_rest)
        whole = model.bend_share == 1.0
        world[whole] = orientation[model.joint[whole]]
        part = np.flatnonzero((model.bend_share > 0.0) & ~whole)
        if part.size:
            # A rod that bends in its middle points half way between its two halves.
            bent = multiply(conjugate(world[part]), orientation[model.joint[part]])
            world[part] = multiply(world[part], exponential(model.bend_share[part, None] * logarithm(bent)))
        return multiply(conjugate(base), world)

    def rod_tails(self) -> Floats:
        """(m, 3) m: the rods' tip ends in world axes."""
        return self._points(self.model.upper, self.model.tail)

    def rod_heads(self) -> Floats:
        """(m, 3) m: the rods' base ends in world axes."""
        return self._points(self.model.lower, self.model.head)

    def _place(self) -> None:
        """Bring the bodies' poses up to the state, always by the same code, so that restored poses are equal bits."""
        place(self._bodies, self._state.q, self._base.now, self._orientation, self._position)

    def _points(self, body: np.ndarray, point: Floats) -> Floats:
        on_base = (body < 0)[:, None]
        position = np.where(on_base, self._base.now[0, :3], self._position[body])
        return position + rotate(np.where(on_base, self._base.now[1], self._orientation[body]), point)
