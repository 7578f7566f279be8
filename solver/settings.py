# SPDX-License-Identifier: GPL-3.0-or-later
"""How to simulate."""

from dataclasses import dataclass, field

import numpy as np

from .base.checks import FINITE, MORE_THAN_ZERO, choice, number, whole_number
from .base.errors import SolverError
from .dynamics.stepping import MOST_STEPS, Stepping
from .model.model import Model

SCHEMES = ("bdf2", "backward_euler")

#: Settings that are more than zero and at most so much: a tolerance may be infinite, a step not; and whole numbers.
_MOST = {"max_step": FINITE, "tolerance": np.inf, "newton_tolerance": np.inf, "settle_tolerance": np.inf}
_WHOLE = (("halvings", 0, 20), ("settle_iterations", 1, 1e9), ("threads", 0, FINITE))

#: Steps of what bounces back with all it has, and loses nothing in its joints, may be wrong by this share of the
#: tolerance: what they take would be all that it ever loses.
LOSSLESS = 1.0 / 30.0


@dataclass(frozen=True)
class Settings:
    """How to simulate.

    max_step (s): longest step; a frame is cut into equal steps
    tolerance: largest local error of a step, as a share of the plant's size; steps above it are halved. Of what bounces
    with 1 and is not damped a thirtieth of it
    newton_tolerance (1/s): what unfinished solves may leave in a second, as such a share, of bodies that turn by 1
    rad/s or faster; of slower ones less in proportion, and a tenth of it where joints have limits. More would feed
    energy into undamped plants
    scheme: "bdf2" (second order) or "backward_euler" (more damping from the scheme itself)
    halvings: how often a step may be halved
    settle_tolerance: residual at which settling stops; settle_iterations: at most so many
    threads: how many plants are advanced at the same time, 0 for one per core
    Raises SolverError for what is no number or out of range, and for an unknown scheme.
    """

    max_step: float = 1.0 / 240.0
    tolerance: float = 3e-5
    newton_tolerance: float = 1.5e-5
    scheme: str = "bdf2"
    halvings: int = 8
    settle_tolerance: float = 1e-9
    settle_iterations: int = 4000
    threads: int = field(default=0, compare=False)  # the motion is the same

    def __post_init__(self) -> None:
        choice("scheme", self.scheme, SCHEMES)
        for name, most in _MOST.items():
            object.__setattr__(self, name, number(name, getattr(self, name), MORE_THAN_ZERO, most))
        for name, low, high in _WHOLE:
            object.__setattr__(self, name, whole_number(name, getattr(self, name), low, high))

    def stepping_of(self, model: Model) -> Stepping:
        """How steps of this model are chosen."""
        is_damped = model.bodies.damping.any() or model.bodies.damping_time.any()
        is_lossless = not is_damped and (model.shapes.bounce == 1.0).any()
        tolerance = self.tolerance * (LOSSLESS if is_lossless else 1.0)
        return Stepping(self.max_step, self.scheme == "bdf2", self.halvings, tolerance, self.newton_tolerance)


def in_steps(duration: float, max_step: float) -> float:
    """The duration (s) of a frame. Raises SolverError where it is none, or takes too many steps of max_step (s)."""
    duration = number("duration", duration, MORE_THAN_ZERO)
    if not duration <= MOST_STEPS * max_step:
        raise SolverError(f"a frame of {duration:g} s would take more than {MOST_STEPS} steps of {max_step:g} s")
    return duration
