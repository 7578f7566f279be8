# SPDX-License-Identifier: GPL-3.0-or-later
"""Equilibrium before the first frame, so that no run-up is needed: how it went, and stiff handles on the way there."""

import math
from typing import NamedTuple

import numpy as np

from ..base.arrays import Floats
from ..forces.loads import STIFFNESS_SCALE
from ..forces.pulls import STIFFNESS
from ..math.rotations import conjugate, logarithm, multiply
from ..model.model import Bodies
from .crossing import CORNERS
from .imbalance import load_scale
from .nearing import is_alone
from .sinking import sink
from .tangent import StillWorld, Tangent, balance, new_tangent

#: A body that turns farther than this (rad) has not bent but fallen.
FELL = 2.0 * math.pi / 3.0

#: With a larger residual a plant is not in balance, and nothing can be said to be stable.
BALANCED = 1e-8

#: Handles are at first at most so much stiffer than the plant, and then each time so much stiffer than before.
_FIRST_HANDLE, _STIFFER = 1e4, 100.0

#: Contacts are at first this share as stiff as in motion: the way along a table is else as narrow a valley.
#: What stands on one alone then sinks in by a small part of its radius, so that it does not come out on the other side.
_FIRST_CONTACT = 0.2


class Equilibrium(NamedTuple):
    """How a start went.

    residual: largest share that a joint's unbalanced moment has in the moment of the loads outboard of the joint or,
            if that is more, in their weight's at full lever, a thousandth of all of them at full lever, or a billion
            times what rounding makes of stiff springs and handles; in a wind field with the air that is where the
            plant stands now
    iterations: factorisations of the tangent
    stable: whether the residual is small (1e-8) and the plant stays there when touched (with twists, torques or wind:
            does not topple; flutter is not looked for), and in a wind field whether it is still there to the tolerance
    fell: whether the plant toppled: left an equilibrium that is not stable, or turned a body by more than 120 degrees.
            Other equilibria are likely then; this is the one it sinks to from the given pose
    turn: rad, how far the body that turned farthest did
    rod: the one at whose joint most moment is unbalanced, -1 in balance; here still the index of the body, which
            Simulation.start makes the rod's
    """

    residual: float
    iterations: int
    stable: bool = True
    fell: bool = False
    turn: float = 0.0
    rod: int = -1

    @property
    def balanced(self) -> bool:
        """Whether the forces are in balance: the residual is at most 1e-8."""
        return self.residual <= BALANCED


def find_equilibrium(
    bodies: Bodies, q: Floats, world: StillWorld, tolerance: float, most_iterations: int
) -> Equilibrium:
    """Move the joint rotations q (n, 4) to equilibrium, in place.

    Where no finite pose was found the residual is not finite and q is of no use.
    """
    steps, work = np.zeros((4, *q.shape)), new_tangent(len(q))
    corners = np.zeros((len(world.touching.shapes.body), CORNERS))
    wanted = world.loads.pulls.numbers[:, STIFFNESS]
    share = 1.0 if is_alone(world) else _FIRST_CONTACT
    balance(bodies, q, _softer(world, np.zeros(len(wanted)), share), work, False)
    drawn, given = work.orientation.copy(), _handles_to_begin_with(bodies, world, work)
    unit = load_scale(bodies, work)
    if unit == 0.0:  # there are handles only
        balance(bodies, q, _softer(world, np.minimum(wanted, given), share), work, False)
        unit = load_scale(bodies, work)
    iterations, fell = 0, False
    while True:
        softer = _softer(world, np.minimum(wanted, given), share)
        left = max(0, most_iterations - iterations)
        residual, more, stable, fallen, worst = sink(bodies, q, softer, work, steps, corners, unit, tolerance, left)
        iterations, fell = iterations + more, fell or fallen
        if not math.isfinite(residual) or ((given >= wanted).all() and share == 1.0):
            break
        given, share = _STIFFER * given, min(1.0, _STIFFER * share)
    turn = farthest_turn(drawn, work)
    balanced = residual <= BALANCED
    return Equilibrium(
        residual, iterations, stable and balanced, fell or turn > FELL, turn, -1 if balanced else worst
    )  # fmt: skip


def _softer(world: StillWorld, stiffness: Floats, share: float) -> StillWorld:
    """The same with handles of a stiffness (N/m), and contacts of a share of their own."""
    pulls, touching = world.loads.pulls, world.touching
    numbers = pulls.numbers.copy()
    numbers[:, STIFFNESS] = stiffness
    shapes = touching.shapes._replace(stiffness=share * touching.shapes.stiffness)
    return world._replace(
        loads=world.loads._replace(pulls=pulls._replace(numbers=numbers)), touching=touching._replace(shapes=shapes)
    )


def farthest_turn(drawn: Floats, work: Tangent) -> float:
    """Turn (rad) of the body that turned farthest from the orientations drawn (n, 4)."""
    turned = logarithm(multiply(conjugate(drawn), work.orientation))
    return float(np.linalg.norm(turned, axis=1).max())


def _handles_to_begin_with(bodies: Bodies, world: StillWorld, work: Tangent) -> Floats:
    """Stiffness (N/m) of handles with which the search is as quick as without them; work has the balance so.

    A stiffer one lets the plant turn but little at once: the way to where it holds leads along a narrow curved valley.
    Close to there it may be made stiffer.
    """
    springs = float(world.loads.shared[0, STIFFNESS_SCALE]) * bodies.stiffness.max(axis=1)
    lengths = np.linalg.norm(bodies.offset, axis=1)
    pulls = world.loads.pulls
    stiffness = np.zeros(len(pulls.body))
    for j, (body, point) in enumerate(zip(pulls.body, pulls.point, strict=True)):
        path, moment, k = float(np.linalg.norm(point)), 0.0, int(body)
        while k >= 0:
            path, moment = path + lengths[k], max(moment, springs[k], work.reach[k, 1])
            k = int(bodies.parent[k])
        stiffness[j] = _FIRST_HANDLE * moment / path**2 if path > 0.0 and moment > 0.0 else np.inf
    return stiffness
