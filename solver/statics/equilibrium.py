# SPDX-License-Identifier: GPL-3.0-or-later
"""Equilibrium before the first frame, so that no run-up is needed: how it went, and stiff handles on the way there."""

import math
from typing import NamedTuple

import numpy as np

from ..base.arrays import Floats
from ..forces.loads import STIFFNESS_SCALE
from ..guides.pull_reader import hold_at_rest
from ..guides.pulls import RIGID, STIFFNESS
from ..guides.tie_reader import tie_at_rest
from ..guides.ties import RIGID as TIED_RIGID
from ..guides.ties import STIFFNESS as TIED
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

#: What is rigid is no stiffer than it begins with; it holds exactly by what it has held with, which is found in so many
#: rounds at most, until it changes by less than this share.
_MOST_ROUNDS, _HELD = 12, 1e-10

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
    wanted = np.append(world.loads.pulls.numbers[:, STIFFNESS], world.loads.ties.numbers[:, TIED])
    share = 1.0 if is_alone(world) else _FIRST_CONTACT
    balance(bodies, q, _softer(world, np.zeros(len(wanted)), share), work, False)
    drawn, given = work.orientation.copy(), _handles_to_begin_with(bodies, world, work)
    rigid = np.append(world.loads.pulls.numbers[:, RIGID], world.loads.ties.numbers[:, TIED_RIGID]) > 0.0
    wanted = np.where(rigid, np.minimum(wanted, given), wanted)
    unit = load_scale(bodies, work)
    if unit == 0.0:  # there are handles only
        balance(bodies, q, _softer(world, np.minimum(wanted, given), share), work, False)
        unit = load_scale(bodies, work)
    iterations, fell, rounds = 0, False, 0
    while True:
        softer = _softer(world, np.minimum(wanted, given), share)
        left = max(0, most_iterations - iterations)
        residual, more, stable, fallen, worst = sink(bodies, q, softer, work, steps, corners, unit, tolerance, left)
        iterations, fell = iterations + more, fell or fallen
        if not math.isfinite(residual):
            break
        if (given >= wanted).all() and share == 1.0:
            if rounds == _MOST_ROUNDS or iterations >= most_iterations or not _hold_more(softer, work):
                break
            rounds += 1
            continue
        given, share = _STIFFER * given, min(1.0, _STIFFER * share)
    turn = farthest_turn(drawn, work)
    balanced = residual <= BALANCED
    return Equilibrium(
        residual, iterations, stable and balanced, fell or turn > FELL, turn, -1 if balanced else worst
    )  # fmt: skip


def _softer(world: StillWorld, stiffness: Floats, share: float) -> StillWorld:
    """The same with handles, and ties behind them, of a stiffness (N/m), and contacts of a share of their own."""
    pulls, ties, touching = world.loads.pulls, world.loads.ties, world.touching
    numbers, tied, k = pulls.numbers.copy(), ties.numbers.copy(), len(pulls.body)
    numbers[:, STIFFNESS], tied[:, TIED] = stiffness[:k], stiffness[k:]
    shapes = touching.shapes._replace(stiffness=share * touching.shapes.stiffness)
    loads = world.loads._replace(pulls=pulls._replace(numbers=numbers), ties=ties._replace(numbers=tied))
    return world._replace(loads=loads, touching=touching._replace(shapes=shapes))


def _hold_more(world: StillWorld, work: Tangent) -> bool:
    """Let what is rigid have held with what it holds with (the method of multipliers, Hestenes 1969), so that nothing
    need be drawn for it. Returns whether that changes much."""
    pulls, ties = world.loads.pulls, world.loads.ties
    before = np.concatenate([pulls.held, ties.held])
    hold_at_rest(pulls, work.position, work.orientation)
    tie_at_rest(ties, work.position, work.orientation)
    after = np.concatenate([pulls.held, ties.held])
    return bool((np.abs(after - before) > _HELD * np.abs(after).max(initial=0.0)).any())


def farthest_turn(drawn: Floats, work: Tangent) -> float:
    """Turn (rad) of the body that turned farthest from the orientations drawn (n, 4)."""
    turned = logarithm(multiply(conjugate(drawn), work.orientation))
    return float(np.linalg.norm(turned, axis=1).max())


def _handles_to_begin_with(bodies: Bodies, world: StillWorld, work: Tangent) -> Floats:
    """Stiffness (N/m) of handles, and of ties behind them, with which the search is as quick as without them; work has
    the balance so.

    A stiffer one lets the plant turn but little at once: the way to where it holds leads along a narrow curved valley.
    Close to there it may be made stiffer.
    """
    springs = float(world.loads.shared[0, STIFFNESS_SCALE]) * bodies.stiffness.max(axis=1)
    lengths = np.linalg.norm(bodies.offset, axis=1)

    def stiffness(body: int, point: Floats) -> float:
        path, moment, k = float(np.linalg.norm(point)), 0.0, body
        while k >= 0:
            path, moment = path + lengths[k], max(moment, springs[k], work.reach[k, 1])
            k = int(bodies.parent[k])
        return _FIRST_HANDLE * moment / path**2 if path > 0.0 and moment > 0.0 else math.inf

    pulls, ties = world.loads.pulls, world.loads.ties
    held = [stiffness(int(i), point) for i, point in zip(pulls.body, pulls.point, strict=True)]
    tied = [
        max(stiffness(int(one), point[:3]), stiffness(int(other), point[3:]))
        for (one, other), point in zip(ties.body, ties.point, strict=True)
    ]
    return np.array(held + tied)
