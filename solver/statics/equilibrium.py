# SPDX-License-Identifier: GPL-3.0-or-later
"""Equilibrium before the first frame, so that no run-up is needed: how it went, and stiff handles on the way there."""

import math
from typing import NamedTuple

import numpy as np

from ..base.arrays import Floats
from ..base.interruption import interruption, unless_interrupted
from ..contact.touch import GAP, OBSTACLE, PUSH, SLOTS
from ..forces.loads import STIFFNESS_SCALE
from ..guides.pull_reader import hold_at_rest
from ..guides.pulls import RIGID, STIFFNESS
from ..guides.tie_reader import tie_at_rest
from ..guides.ties import RIGID as TIED_RIGID
from ..guides.ties import STIFFNESS as TIED
from ..math.rotations import conjugate, logarithm, multiply
from ..model.model import Bodies
from ..model.shapes import GIVES
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

#: What is rigid is at first so much stiffer. It holds exactly by what it has held with, which is found in so many
#: rounds at most, until it changes by less than this share, or it is not farther off than that share of the way from
#: the base. What comes in a round no nearer than to this share of how far off it was is so much stiffer in the next, up
#: to a limit. There it has so many rounds more: what is drawn taut in a line needs forces without end.
_FIRST_RIGID, _MOST_ROUNDS, _HELD, _CLOSE = 100.0, 40, 1e-10, 1e-9
_NEARER, _HARDER, _HARDEST, _MOST_MORE = 0.1, 10.0, 1e6, 4

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
    sways: whether none was found with what blades rise with in wind, or none in wind at all: it begins where it would
            be if blades only dragged, as near as that was found, or in still air
    rod: the one at whose joint most moment is unbalanced, -1 in balance; here still the index of the body, which
            Simulation.start makes the rod's
    """

    residual: float
    iterations: int
    stable: bool = True
    fell: bool = False
    turn: float = 0.0
    rod: int = -1
    sways: bool = False

    @property
    def balanced(self) -> bool:
        """Whether the forces are in balance, or there is none: the residual is at most 1e-8, or it sways."""
        return self.sways or self.residual <= BALANCED


def find_equilibrium(
    bodies: Bodies, q: Floats, world: StillWorld, tolerance: float, most_iterations: int
) -> Equilibrium:
    """Move the joint rotations q (n, 4) to equilibrium, in place.

    Where no finite pose was found the residual is not finite and q is of no use. Raises Interrupted.
    """
    steps, work = np.zeros((5, *q.shape)), new_tangent(len(q))
    corners = np.zeros((len(world.touching.shapes.body), CORNERS))
    wanted = np.append(world.loads.pulls.numbers[:, STIFFNESS], world.loads.ties.numbers[:, TIED])
    rigid = np.append(world.loads.pulls.numbers[:, RIGID], world.loads.ties.numbers[:, TIED_RIGID]) > 0.0
    share, is_firm = 1.0 if is_alone(world) else _FIRST_CONTACT, False
    balance(bodies, q, _softer(world, np.zeros(len(wanted)), share, is_firm), work, False)
    drawn = work.orientation.copy()
    resists, ways = _resistance(bodies, world, work)
    given = np.where(rigid, _FIRST_RIGID, _FIRST_HANDLE) * resists
    wanted = np.where(rigid, np.minimum(wanted, _HARDEST * resists), wanted)
    unit = load_scale(bodies, work)
    if unit == 0.0:  # there are handles only
        balance(bodies, q, _softer(world, np.minimum(wanted, given), share, is_firm), work, False)
        unit = load_scale(bodies, work)
    iterations, fell, off, more_rounds = 0, False, np.full(len(wanted), math.inf), 0
    for _ in range(_MOST_ROUNDS):
        softer = _softer(world, np.minimum(wanted, given), share, is_firm)
        left = max(0, most_iterations - iterations)
        residual, more, stable, fallen, worst = sink(
            bodies, q, softer, work, steps, corners, unit, tolerance, left, interruption()
        )
        unless_interrupted()
        iterations, fell = iterations + more, fell or fallen
        is_last = share == 1.0 and (rigid | (given >= wanted)).all()
        if is_last and not is_firm and residual <= BALANCED and _gives_way(world):
            is_firm = True  # only where it is needed: on the way its kink would make steps short
            continue
        if not math.isfinite(residual) or (is_last and (iterations >= most_iterations or not rigid.any())):
            break
        before = _held(world)
        _hold_more(softer, work)
        change = np.linalg.norm(_held(world) - before, axis=1)
        was, off = off, change / np.minimum(wanted, given)
        holds = (change <= _HELD * np.abs(_held(world)).max(initial=0.0)) | (off <= _CLOSE * ways)
        more_rounds += 1 if (holds | (given >= wanted))[rigid].all() else 0
        if is_last and (holds[rigid].all() or more_rounds > _MOST_MORE):
            break
        given = np.where(rigid, np.where(holds | (off <= _NEARER * was), given, _HARDER * given), _STIFFER * given)
        share = min(1.0, _STIFFER * share)
    turn = farthest_turn(drawn, work)
    balanced = residual <= BALANCED
    return Equilibrium(
        residual, iterations, stable and balanced, fell or turn > FELL, turn, -1 if balanced else worst
    )  # fmt: skip


def _gives_way(world: StillWorld) -> bool:
    """Whether an obstacle is pressed deeper in than to where the spring behind begins."""
    touching = world.touching
    near = touching.near[: touching.counts[0]]
    points = (SLOTS * near[:, None] + np.arange(SLOTS)).ravel()
    deep = touching.numbers[points, GAP] < -GIVES * touching.shapes.radius.min(axis=1)[points // SLOTS]
    presses = (touching.marks[points, OBSTACLE] >= 0) & (touching.numbers[points, PUSH] > 0.0)
    return bool((presses & deep & (touching.shapes.firm[points // SLOTS] > 0.0)).any())


def _softer(world: StillWorld, stiffness: Floats, share: float, is_firm: bool) -> StillWorld:
    """The same with handles, and ties behind them, of a stiffness (N/m), and contacts of a share of their own."""
    pulls, ties, touching = world.loads.pulls, world.loads.ties, world.touching
    numbers, tied, k = pulls.numbers.copy(), ties.numbers.copy(), len(pulls.body)
    numbers[:, STIFFNESS], tied[:, TIED] = stiffness[:k], stiffness[k:]
    shapes = touching.shapes._replace(stiffness=share * touching.shapes.stiffness)
    loads = world.loads._replace(pulls=pulls._replace(numbers=numbers), ties=ties._replace(numbers=tied))
    return world._replace(loads=loads, touching=touching._replace(shapes=shapes), is_firm=is_firm)


def _held(world: StillWorld) -> Floats:
    """(k, 3) N: what handles, and ties behind them, have held with."""
    return np.concatenate([world.loads.pulls.held, world.loads.ties.held])


def _hold_more(world: StillWorld, work: Tangent) -> None:
    """Let what is rigid have held with what it holds with (the method of multipliers, Hestenes 1969), so that nothing
    need be drawn for it."""
    hold_at_rest(world.loads.pulls, work.position, work.orientation)
    tie_at_rest(world.loads.ties, work.position, work.orientation)


def farthest_turn(drawn: Floats, work: Tangent) -> float:
    """Turn (rad) of the body that turned farthest from the orientations drawn (n, 4)."""
    turned = logarithm(multiply(conjugate(drawn), work.orientation))
    return float(np.linalg.norm(turned, axis=1).max())


def _resistance(bodies: Bodies, world: StillWorld, work: Tangent) -> tuple[Floats, Floats]:
    """(k,) N/m: what resists handles, and ties behind them, of a plant whose balance without them work has; and the
    way (m) from the base to each, or of the loop that it closes.

    Much stiffer ones let the plant turn but little at once: the way to where they hold leads along a narrow curved
    valley. Close to there they may be made stiffer.
    """
    springs = float(world.loads.shared[0, STIFFNESS_SCALE]) * bodies.stiffness.max(axis=1)
    lengths = np.linalg.norm(bodies.offset, axis=1)

    def inwards(body: int) -> list[int]:
        found = []
        while body >= 0:
            found.append(body)
            body = int(bodies.parent[body])
        return found

    def along(joints: list[int], ends: Floats) -> tuple[float, float]:
        path, moment = float(lengths[joints].sum() + np.linalg.norm(ends, axis=-1).sum()), 0.0
        if joints:
            moment = max(float(springs[joints].max()), float(work.reach[joints, 1].max()))
        return moment / path**2 if path > 0.0 and moment > 0.0 else math.inf, path

    pulls, ties = world.loads.pulls, world.loads.ties
    found = [along(inwards(int(i)), point) for i, point in zip(pulls.body, pulls.point, strict=True)]
    for pair, point in zip(ties.body.tolist(), ties.point, strict=True):
        one, other = (inwards(i) for i in pair)
        loop = sorted(set(one) ^ set(other))
        found.append(along(loop or one[:1], point.reshape(2, 3)))
    return np.array([one for one, _ in found]), np.array([way for _, way in found])
