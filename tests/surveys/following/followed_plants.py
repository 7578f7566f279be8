# SPDX-License-Identifier: GPL-3.0-or-later
"""Random plants that follow keyed poses with random gains in random worlds, and at rest, where none may gain energy.

    python -m tests.surveys.following.followed_plants 10000        this many, from the first
    python -m tests.surveys.following.followed_plants --only 1234  one again

Stiffnesses of 0 to 1e6 1/s2, bodies of 1e-6 to 1e3 kg. Every case is made from its number alone.
"""

from dataclasses import replace

import numpy as np

from solver import AT_THE_BASE, Model, Rods, Sample, Simulation, SolverError, discretize
from solver.base.constants import LARGEST
from solver.joints.reference import weighed_inertia
from solver.math.rotations import exponential
from tests.oracles.energies import energy_of, energy_of_a_yielding_spring
from tests.surveys.random_plants import (
    STATUSES,
    Dice,
    Outcome,
    improper,
    random_plant,
    random_settings,
    random_worlds,
    survey,
)

STILL_FRAMES = 72

#: What rounding may make of the energy that there was.
NO_MORE = 1.01


def weighed(dice: Dice, rods: Rods) -> Rods:
    """The rods, with densities that make the mean body weigh between 1e-6 and 1e3 kg."""
    volume = np.pi * rods.array("radius_base") ** 2 * rods.array("length")
    density = np.clip(dice.decades(1e-6, 1e3) / volume.mean() * dice.decades(0.1, 10.0, len(rods)), 1e-3, 1e7)
    return replace(rods, density=density)


def random_following(dice: Dice, n: int) -> dict[str, np.ndarray]:
    """Shares, recoveries with stiffnesses of 0 to 1e6, damping and largest moments."""
    share = dice.pick([np.ones(n), np.ones(n), dice.rng.random(n), np.float64(dice.rng.random(n) < 0.5)])
    stiffness = dice.or_zero(0.05, dice.decades(1e-2, 1e6, n if dice.chance(0.5) else None)) * np.ones(n)
    ratio = dice.or_zero(0.1, dice.decades(1e-2, 10.0, n if dice.chance(0.3) else None)) * np.ones(n)
    most = dice.decades(1e-6, 1e4, n) if dice.chance(0.3) else np.full(n, np.inf)
    return {
        "follow": share, "recovery": np.sqrt(stiffness) / (2.0 * np.pi), "recovery_damping": ratio,
        "largest_moment": most,
    }  # fmt: skip


def run_case(case: int) -> Outcome:
    """A case in a random world, or every third one at rest after a push, every ninth under weight as well."""
    return _at_rest(Dice(case), 0.0 if case % 9 else 9.81) if case % 3 == 0 else _in_any_world(Dice(case))


def _in_any_world(dice: Dice) -> Outcome:
    outcome, duration = Outcome([]), float(dice.pick([1.0 / 24.0, 1.0 / 60.0]))
    try:
        rods = weighed(dice, random_plant(dice))
        n = len(rods)
        plant = Simulation(discretize(rods, dice.pick(AT_THE_BASE), 1), random_settings(dice, duration))
        following, swing = random_following(dice, n), dice.decades(1e-3, 3.0) * dice.rng.normal(size=(n, 3))
        faster = dice.decades(0.1, 3.0)
        for frame, world in enumerate(random_worlds(dice, rods, duration)):
            keyed = replace(world, pose=exponential(np.sin(faster * frame) * swing), **following)
            if frame == 0:
                plant.start(keyed, dice.pick(["drawn", "settled"]))
                continue
            outcome.notes.append(STATUSES[plant.advance(keyed, duration).status])
            outcome.problem = improper(plant, f"frame {frame}, {outcome.notes[-1]}")
            if outcome.problem:
                break
    except SolverError as error:
        outcome.notes.append(f"refused: {error.message}")
    return outcome


def _at_rest(dice: Dice, gravity: float) -> Outcome:
    """Bent away from a still pose, without limits or anything else but weight: it moves, and not more and more."""
    outcome = Outcome([])
    try:
        rods = replace(weighed(dice, random_plant(dice)), bend_limit=np.inf, twist_limit=np.inf)
        plant = Simulation(discretize(rods, dice.pick(AT_THE_BASE), 1), random_settings(dice, 1.0 / 24.0))
        following = random_following(dice, len(rods)) | {"follow": np.ones(len(rods))}
        bent = dice.decades(1e-3, 1.0) * dice.rng.normal(size=(plant.model.body_count, 3))
        held = held_energy(plant.model, following, bent)
        if not np.all(following["largest_moment"] == np.inf):
            held += most_fall(plant.model, gravity)
        still = Sample(gravity=(0.0, 0.0, -gravity), **following)
        plant.start(still, "drawn", bent)
        for frame in range(STILL_FRAMES):
            outcome.notes.append(STATUSES[plant.advance(still, 1.0 / 24.0).status])
            moving = energy_of(plant, (0.0, 0.0, 0.0)).motion
            outcome.problem = improper(plant, outcome.notes[-1])
            if moving > NO_MORE * held:
                outcome.problem = f"frame {frame}: moves with {moving:g} J, {held:g} J were there"
            if outcome.problem:
                break
    except SolverError as error:
        outcome.notes.append(f"refused: {error.message}")
    return outcome


def held_energy(model: Model, following: dict[str, np.ndarray], bent: np.ndarray) -> float:
    """What joints that follow so hold (J), bent by (n, 3) rad."""
    n, straight = model.body_count, np.array([1.0, 0.0, 0.0, 0.0])
    carried = weighed_inertia(model.bodies, np.tile(straight, (n, 1)), np.ones((n, 4)))
    stiffness = (2.0 * np.pi * following["recovery"][model.body_rod]) ** 2
    springs = stiffness[:, None, None] * carried[:, [[0, 1, 2], [1, 3, 4], [2, 4, 5]]]
    most = np.minimum(following["largest_moment"][model.body_rod], LARGEST)
    return sum(map(energy_of_a_yielding_spring, springs, bent, most))


def most_fall(model: Model, gravity: float) -> float:
    """Energy (J) of all that falls from straight above the base to straight below it."""
    bodies = model.bodies
    reach = np.linalg.norm(bodies.offset, axis=1)
    for i, parent in enumerate(bodies.parent):
        reach[i] += reach[parent] if parent >= 0 else 0.0
    return float(2.0 * gravity * bodies.mass @ (reach + np.linalg.norm(bodies.com, axis=1)))


if __name__ == "__main__":
    survey(run_case, __doc__)
