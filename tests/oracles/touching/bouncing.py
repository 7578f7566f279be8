# SPDX-License-Identifier: GPL-3.0-or-later
"""What bounces without loss: how much of its energy is gained and lost in a while."""

from collections.abc import Callable
from unittest.mock import patch

import numpy as np

from solver import Collider, Model, Rods, Sample, Simulation, discretize, solid, warm_up
from solver.dynamics import integrate
from solver.dynamics.energy import energy_at
from solver.dynamics.kinematics import at_present
from tests.oracles.touching.resting import box_mesh

FRAME, G = 1.0 / 24.0, 9.81

ALONG_X = (0.5**0.5, 0.0, 0.0, -(0.5**0.5))


def sticks(links: int, heights: tuple[float, ...], **given) -> Model:
    """Level chains of rigid loose links one above the other, each turned by 0.7 rad; to be let go."""
    each, heads, frames, parents = 0.4 / links, [], [], []
    for k, height in enumerate(heights):
        angle = 0.7 * k
        for i in range(links):
            parents.append(-1 if i == 0 else len(parents) - 1)
            heads.append(((i * each - 0.2) * np.cos(angle), (i * each - 0.2) * np.sin(angle), height))
            turn = 0.5 * (angle - 0.5 * np.pi)
            frames.append((np.cos(turn), 0.0, 0.0, np.sin(turn)))
    return discretize(
        Rods(
            parent=parents, head=heads, frame=frames, length=each, radius_base=0.015, radius_tip=0.015, young=1e9,
            density=500.0, stiffness=np.zeros((len(heads), 3)), bounce=1.0, **given,
        ), "base", segments=1,
    )  # fmt: skip


def _let_go(model: Model, friction: float, height: float, ground: Collider | None = None, **given):
    """With the work (J) of its weight on the way down, onto a plane or what is given."""
    off = (model.body_rod >= 0) & (model.bodies.parent < 0)
    cut = np.zeros(model.rod_count)
    cut[model.body_rod[off]] = 1.0
    ground = ground or Collider("plane", friction=friction, bounce=1.0)
    return model, Sample(colliders=[ground], cut=cut, **given), float(model.bodies.mass.sum()) * G * height


def _leaning(friction: float) -> tuple[Model, Sample, float]:
    """A stick that falls aslant, so that it spins after the first hit."""
    turn = 0.35
    model = sticks(1, (0.0,), friction=friction)
    return _let_go(
        model, friction, 0.4, base_position=(0.0, 0.0, 0.5),
        base_orientation=(np.cos(turn), 0.0, np.sin(turn), 0.0),
    )  # fmt: skip


def _box(friction: float, height: float) -> tuple[Model, Sample, float]:
    """A box that falls askew onto a level two-sided mesh."""
    turned = np.array((0.9, 0.3, 0.2, 0.24))
    model = solid("box", (0.05, 0.065, 0.035), friction=friction, bounce=1.0)
    block = Collider("mesh", position=(0, 0, -0.05), friction=friction, bounce=1.0, **box_mesh((2.5, 2.5, 0.05)))
    return _let_go(
        model, friction, height, block, base_position=(1.5e-4, 5e-5, 0.15 + height),
        base_orientation=turned / np.linalg.norm(turned),
    )  # fmt: skip


def _crowd(friction: float) -> tuple[list[Model], Sample, float]:
    """Balls, boxes and capsules between four walls: some are hit while they lie on the ground or lean on each other."""
    rng = np.random.default_rng(5)
    models, places, turns = [], [], rng.normal(size=(12, 4))
    for k in range(12):
        kind, size = (("ball", [0.05]), ("box", [0.05, 0.04, 0.06]), ("capsule", [0.03, 0.06]))[k % 3]
        models.append(solid(kind, size, friction=friction, bounce=1.0))
        places.append((0.18 * (k % 3) - 0.18, 0.0, 0.12 + 0.14 * (k // 3)) + 0.02 * rng.normal(size=3))
    half = 0.5**0.5
    around = [((0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)), ((-0.3, 0.0, 0.0), (half, 0.0, half, 0.0)),
              ((0.3, 0.0, 0.0), (half, 0.0, -half, 0.0)), ((0.0, -0.3, 0.0), (half, -half, 0.0, 0.0)),
              ((0.0, 0.3, 0.0), (half, half, 0.0, 0.0))]  # fmt: skip
    walls = [
        Collider("plane", (), str(k), *one, friction=friction, bounce=1.0) for k, one in enumerate(around)
    ]  # fmt: skip
    sample = Sample(
        places, base_orientation=turns / np.linalg.norm(turns, axis=1)[:, None], colliders=walls, touches_others=True,
        cut=np.ones(12),
    )  # fmt: skip
    fallen = sum(float(model.bodies.mass[0]) * G * place[2] for model, place in zip(models, places, strict=True))
    return models, sample, fallen


#: Its links whip about each other, of which steps of the usual tolerance would lose 6 % in flight.
WHIPS = "a chain of three loose links"

#: By name: friction -> model, sample, and the energy (J) of which shares are told.
SCENES: dict[str, Callable[[float], tuple[Model | list[Model], Sample, float]]] = {
    "a ball": lambda mu: _let_go(solid("ball", [0.05], friction=mu, bounce=1.0), mu, 0.25, base_position=(0, 0, 0.3)),
    "a ball from near": lambda mu: _let_go(
        solid("ball", [0.05], friction=mu, bounce=1.0), mu, 0.01, base_position=(0, 0, 0.06)
    ),
    "a box on a mesh": lambda mu: _box(mu, 0.25),
    "a box on a mesh from near": lambda mu: _box(mu, 0.01),
    "a stick that falls level": lambda mu: _let_go(sticks(1, (0.3,), friction=mu), mu, 0.3),
    "a stick that falls aslant": _leaning,
    WHIPS: lambda mu: _let_go(sticks(3, (0.3,), friction=mu), mu, 0.3),
    "two sticks, one on the other": lambda mu: _let_go(
        sticks(1, (0.2, 0.4), friction=mu), mu, 0.3, touches_itself=True
    ),
    "a crowd": _crowd,
}


def gained_and_lost(name: str, friction: float, seconds: float) -> tuple[float, float]:
    """Most by which the energy is above and below that at the start, at frames, of what falling gives."""
    model, sample, scale = SCENES[name](friction)
    plant = Simulation(model, together=isinstance(model, list))
    plant.start(sample)
    before, found = sum(plant.energy()), []
    for _ in range(round(seconds / FRAME)):
        plant.advance(sample, FRAME)
        found.append(sum(plant.energy()) - before)
    return max(0.0, max(found)) / scale, max(0.0, -min(found)) / scale


def changed_by_bounces(name: str, friction: float, seconds: float) -> tuple[float, int]:
    """The sum of what bounces alone change the energy by, each without its sign, of what falling gives, and how many
    there are; in plain Python, where they can be counted."""
    warm_up()
    bounce_off, changes = integrate.bounce_off, []

    def energy(data, parent, stands, world) -> float:
        at_present(data, world.loose)
        return sum(energy_at(data, parent, stands, world.loose, world.now))

    def counted(*plant) -> None:
        before = energy(*plant)
        bounce_off(*plant)
        changes.append(abs(energy(*plant) - before))

    model, sample, scale = SCENES[name](friction)
    simulation, advance = Simulation(model), integrate.advance_plants
    simulation.start(sample)
    with patch.object(integrate, "bounce_off", counted), patch.object(advance, "compiled", advance.python):
        for _ in range(round(seconds / FRAME)):
            simulation.advance(sample, FRAME)
    return sum(changes) / scale, len(changes)
