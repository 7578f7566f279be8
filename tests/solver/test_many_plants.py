# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants side by side move as each does alone, to the bit, on any number of cores."""

from itertools import product

import numpy as np
import pytest

from solver import GustyWind, Sample, Settings, Simulation, discretize
from tests.forms import IS_FULL
from tests.oracles.models import ALONG_Z, beam, binary_tree, random_rods

FRAMES = 12


def plants() -> list:
    """Of different sizes, layouts and materials; one with limits, one with leaves."""
    rng = np.random.default_rng(5)
    return [
        discretize(beam(1, length=0.3, radius=0.003, young=1e8, frame=ALONG_Z)),
        discretize(binary_tree(3, 4, damping_time=0.002), "double_root"),
        discretize(random_rods(rng, 17, blade_area=2e-3, young=3e8), "mid"),
        discretize(beam(9, radius=0.004, young=1e8, frame=ALONG_Z, bend_limit=0.1)),
        discretize(random_rods(rng, 60, damping_time=0.01)),
    ]


def worlds(models: list, pulled: list[int], wind) -> list[list[Sample]]:
    """For every frame: the sample of all plants together, then those of each. Pulled: plants with a pull each."""
    rng = np.random.default_rng(1)
    first = np.cumsum([0] + [m.rod_count for m in models])
    total = first[-1]
    frames = []
    for k in range(FRAMES):
        position, turn = rng.normal(size=(len(models), 3)) * 0.02, rng.normal(size=(len(models), 4)) * 0.02
        turn[:, 0] = 1.0
        force = rng.normal(size=(total, 3)) * 0.01
        targets = rng.normal(size=(len(pulled), 3)) * 0.2

        def sample(plants, k=k, position=position, turn=turn, force=force, targets=targets):
            chosen = [j for j, p in enumerate(pulled) if p in plants]
            rods = np.concatenate([np.arange(first[p], first[p + 1]) for p in plants])
            return Sample(
                base_position=position[plants], base_orientation=turn[plants], force=force[rods],
                wind=wind[rods] if isinstance(wind, np.ndarray) else wind, stiffness_scale=1.0 - 0.01 * k,
                pull_rod=[first[pulled[j] + 1] - 1 - (first[plants[0]] if len(plants) == 1 else 0) for j in chosen],
                pull_along=[0.7] * len(chosen), pull_target=targets[chosen], pull_stiffness=[3.0] * len(chosen),
                pull_damping=[0.01] * len(chosen),
            )  # fmt: skip

        frames.append([sample(list(range(len(models)))), *(sample([p]) for p in range(len(models)))])
    return frames


WINDS = {
    "none": None, "steady": (3.0, 1.0, 0.0), "per rod": np.random.default_rng(2).normal(size=(132, 3)),
    "gusts": GustyWind((8.0, 0.0, 0.0), seed=4),
}  # fmt: skip


#: How they begin, wind, threads; in the short form one thread in gusts only.
CASES = [
    case for case in product(("drawn", "settled"), WINDS, (1, 2)) if IS_FULL or case[1] == "gusts" or case[2] == 2
]


@pytest.mark.parametrize(("mode", "wind", "threads"), CASES)
def test_the_same_bits_as_one_by_one(mode, wind, threads):
    models = plants()
    # Those with the same pull in both ways of asking: one plant's pulls are its own.
    frames = worlds(models, [0, 1, 4], WINDS[wind])
    together = Simulation(models, Settings(threads=threads))
    alone = [Simulation(model) for model in models]
    together.start(frames[0][0], mode)
    for plant, sample in zip(alone, frames[0][1:], strict=True):
        plant.start(sample, mode)
    for frame in frames:
        report = together.advance(frame[0], 1 / 24)
        reports = [plant.advance(sample, 1 / 24) for plant, sample in zip(alone, frame[1:], strict=True)]
        for name in ("rod_tails", "rod_heads", "rod_orientations"):
            expected = np.concatenate([getattr(plant, name)() for plant in alone])
            assert np.array_equal(getattr(together, name)(), expected)
        for k in range(5):
            assert np.array_equal(together.state[k], np.concatenate([plant.state[k] for plant in alone]))
        assert report.status == max(r.status for r in reports)
        assert report.solves == sum(r.solves for r in reports)


def test_many_equal_plants_move_equally():
    """More plants than shares of the work, on two cores."""
    model = discretize(binary_tree(3, 3))
    together, alone = Simulation([model] * 50, Settings(threads=2)), Simulation(model)
    for plant in (together, alone):
        plant.start(Sample())
        for _ in range(6):
            plant.advance(Sample(wind=(4.0, 0.0, 0.0)), 1 / 24)
    tails = together.rod_tails().reshape(50, -1, 3)
    assert (tails == alone.rod_tails()).all()


def test_what_acts_on_one_plant_does_not_change_the_guard_of_another():
    """Energy is guarded where nothing drives a plant, whoever stands beside it, and zeros are no load."""
    model = discretize(binary_tree(3, 3, young=1e6, bend_limit=0.25))
    n = model.rod_count
    force = np.zeros((2 * n, 3))
    force[n:, 0] = 0.01
    samples = {1: Sample(), 2: Sample(force=force), 3: Sample(force=np.zeros((n, 3)), twist=np.zeros(n))}
    ends = []
    for count, sample in samples.items():
        plant = Simulation([model] * (2 if count == 2 else 1))
        plant.start(sample)
        for _ in range(36):
            plant.advance(sample, 1 / 24)
        ends.append(plant.rod_tails()[:n])
    assert np.array_equal(ends[0], ends[1])
    assert np.array_equal(ends[0], ends[2])
