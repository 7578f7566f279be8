# SPDX-License-Identifier: GPL-3.0-or-later
"""Random plants in random guides in random worlds; and in guides that stand still, where none may gain energy.

    python -m tests.surveys.guided.guided_plants 10000        this many, from the first
    python -m tests.surveys.guided.guided_plants --only 1234  one again

Places, planes, curves, surfaces and ties, hard and soft, with friction and largest forces, that move, come and go.
Every case is made from its number alone.
"""

from dataclasses import replace

import numpy as np

from solver import AT_THE_BASE, Curve, Guide, Sample, Simulation, SolverError, Surface, discretize
from solver.math.rotations import exponential, rotate
from tests.oracles.energies import energy_of
from tests.oracles.guided.meshes import ball, grid
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

STILL_FRAMES, WEIGHTLESS = 72, (0.0, 0.0, 0.0)

#: Steps are at least so careful where energy is asked for.
CAREFUL = 1e-3

#: What rounding and the steps may make of the energy that there was.
NO_MORE = 1.01


def random_guide(dice: Dice, rod: int, place: np.ndarray, size: float, n: int, tied: bool = True) -> Guide:
    """Of a rod whose tip is at a place (m): through there, of a plant of a size (m) with n rods."""
    how = {
        "stiffness": dice.pick([np.inf, np.inf, dice.decades(1e-2, 1e6)]),
        "largest": dice.decades(1e-3, 1e3) if dice.chance(0.2) else np.inf,
        "friction": dice.or_zero(0.5, dice.decades(1e-2, 3.0)), "damping": dice.or_zero(0.7, dice.decades(1e-3, 1.0)),
    }  # fmt: skip
    by = dice.pick(["place", "plane", "curve", "surface"] + ["rod"] * (tied and n > 1))
    if by == "rod":
        other = int(dice.rng.integers(n - 1))
        return Guide(rod, by="rod", other_rod=other + (other >= rod), other_along=float(dice.rng.random()), **how)
    if by == "curve":
        return Guide(rod, by="curve", curve=_curve(dice, place, size), **how)
    if by == "surface":
        if not tied:
            how["stiffness"] = np.inf  # what is far inside a surface is nearest to many places
        return Guide(rod, by="surface", surface=_surface(dice, place, size), **how)
    return Guide(rod, by=by, position=place, normal=dice.direction(), **how)


def _curve(dice: Dice, place: np.ndarray, size: float) -> Curve:
    """Through a place, or a ring that touches it."""
    count, far = int(dice.rng.integers(2, 9)), size * dice.decades(0.05, 3.0)
    smooth = dice.chance(0.7)
    if dice.chance(0.3):
        angle = np.linspace(0.0, 2.0 * np.pi, 3 + count, endpoint=False)
        ring = np.stack([np.cos(angle) - 1.0, np.sin(angle), 0.0 * angle], axis=1)
        return Curve(place + far * rotate(_turn(dice), ring), closed=True, smooth=smooth, name="ring")
    steps = dice.direction() + 0.5 * dice.rng.normal(size=(count, 3))
    points = far * np.cumsum(steps, axis=0) / count
    return Curve(place + points - points[dice.rng.integers(count)], smooth=smooth, name="wire")


def _surface(dice: Dice, place: np.ndarray, size: float) -> Surface:
    """A hilly sheet or a ball, of which a vertex is at the place."""
    if dice.chance(0.5):
        vertices, triangles = ball(1.0, int(dice.rng.integers(1, 6)))
    else:
        vertices, triangles = grid(int(dice.rng.integers(1, 8)))
        vertices[:, 2] = dice.rng.random() * 0.2 * np.sin(6.0 * vertices[:, 0] + 4.0 * vertices[:, 1])
    vertices = size * dice.decades(0.1, 3.0) * rotate(_turn(dice), vertices)
    one = int(dice.rng.integers(len(vertices)))
    return Surface(vertices - vertices[one] + place, triangles, smooth=dice.chance(0.7), name="sheet")


def _turn(dice: Dice) -> np.ndarray:
    return exponential(dice.rng.uniform(0.0, np.pi) * dice.direction())


def _moved(guide: Guide, way: np.ndarray) -> Guide:
    if guide.by == "curve":
        return replace(guide, curve=replace(guide.curve, points=guide.curve.points + way))
    if guide.by == "surface":
        return replace(guide, surface=replace(guide.surface, vertices=guide.surface.vertices + way))
    return replace(guide, position=guide.position + way)


def run_case(case: int) -> Outcome:
    """A case in a random world, or every third one in guides that stand still."""
    return _standing(Dice(case)) if case % 3 == 0 else _in_any_world(Dice(case))


def _in_any_world(dice: Dice) -> Outcome:
    outcome, duration = Outcome([]), float(dice.pick([1.0 / 24.0, 1.0 / 60.0]))
    try:
        rods = random_plant(dice)
        n = len(rods)
        plant = Simulation(discretize(rods, dice.pick(AT_THE_BASE), 1), random_settings(dice, duration))
        start, size = dice.pick(["drawn", "settled", "keep_shape"]), float(rods.array("length").sum())
        guides, speed = None, size * dice.or_zero(0.3, dice.decades(1e-3, 3.0)) * dice.direction()
        for frame, world in enumerate(random_worlds(dice, rods, duration)):
            if guides is None:
                plant.start(replace(world, wind=None, force_field=None))
                tips = plant.rod_tails() + dice.or_zero(0.4, dice.decades(1e-3, 1.0)) * size * dice.direction()
                chosen = dice.rng.integers(n, size=dice.rng.integers(1, 7)).tolist()
                guides = [random_guide(dice, rod, tips[rod], size, n) for rod in chosen]
            there = [one for one in guides if not dice.chance(0.02)]
            held = replace(world, guides=[_moved(one, frame * duration * speed) for one in there])
            if frame == 0:
                plant.start(held, start)
                continue
            outcome.notes.append(STATUSES[plant.advance(held, duration).status])
            outcome.problem = improper(plant, f"frame {frame}, {outcome.notes[-1]}")
            if outcome.problem:
                break
    except SolverError as error:
        outcome.notes.append(f"refused: {error.message}")
    return outcome


def _standing(dice: Dice) -> Outcome:
    """Bent away from rest, without weight or anything else, in guides through where its tips are: the energy of the
    springs is all that there is. Of plants that keep it without guides."""
    outcome = Outcome([])
    try:
        rods = replace(random_plant(dice), bend_limit=np.inf, twist_limit=np.inf)
        n = len(rods)
        model, settings = discretize(rods, dice.pick(AT_THE_BASE), 1), random_settings(dice, 1.0 / 24.0)
        plant = Simulation(model, replace(settings, tolerance=min(settings.tolerance, CAREFUL)))
        bent = dice.decades(1e-2, 1.0) * dice.rng.normal(size=(plant.model.body_count, 3))
        if _gain(plant, Sample(gravity=WEIGHTLESS), bent, outcome):
            return Outcome(["gains without guides"])
        plant.start(Sample(gravity=WEIGHTLESS), "drawn", bent)
        tips, size = plant.rod_tails(), float(rods.array("length").sum())
        chosen = dice.rng.integers(n, size=dice.rng.integers(1, 5)).tolist()
        guides = [random_guide(dice, rod, tips[rod], size, n, tied=False) for rod in chosen]
        outcome.problem = _gain(plant, Sample(gravity=WEIGHTLESS, guides=guides), bent, outcome)
    except SolverError as error:
        outcome.notes.append(f"refused: {error.message}")
    return outcome


def _gain(plant: Simulation, still: Sample, bent: np.ndarray, outcome: Outcome) -> str:
    """What energy a plant gains that was bent in a still world; empty where none."""
    plant.start(still, "drawn", bent)
    held = energy_of(plant, WEIGHTLESS).total
    for frame in range(STILL_FRAMES):
        outcome.notes.append(STATUSES[plant.advance(still, 1.0 / 24.0).status])
        energy = energy_of(plant, WEIGHTLESS).total
        if not energy <= NO_MORE * held:
            return f"frame {frame}: {energy:g} J, of {held:g} J; {outcome.notes[-1]}"
    return improper(plant, outcome.notes[-1])


if __name__ == "__main__":
    survey(run_case, __doc__)
