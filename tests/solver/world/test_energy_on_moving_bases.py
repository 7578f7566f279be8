# SPDX-License-Identifier: GPL-3.0-or-later
"""Energy on a base that moves: errors of the steps add none, and what the base adds stays."""

from itertools import cycle, product

import numpy as np
import pytest

from solver import OK, Sample, Settings, Simulation, discretize
from solver.math.rotations import exponential
from tests.forms import IS_FULL
from tests.oracles.models import binary_tree
from tests.surveys.whipping.whipping_plants import HOW, NEXT_TO_NOTHING, run

#: A small plant in all, a large one in each once; in the short form both each once, the large one where it turns.
ONCE = list(zip(cycle(NEXT_TO_NOTHING), HOW))
CASES = [(6, *both) for both in (product(NEXT_TO_NOTHING, HOW) if IS_FULL else ONCE)]
CASES += [(72, *both) for both in (ONCE if IS_FULL else ONCE[-1:])]


@pytest.mark.parametrize(("case", "where", "how"), CASES)
def test_an_undamped_plant_that_whips_gains_no_energy(case, where, how):
    """As it is seen from the base, and, where that goes faster or turns, with what stands for it."""
    found = run(case, how, 48, where)
    print(f"case {case}, {how}: gained {100.0 * found.gain:.2f} %, lost {100.0 * found.loss:.0f} %")
    assert found.gain < 0.01


def led_about(seconds: float) -> Sample:
    """A base that is shaken and turned."""
    place = 0.05 * np.array([np.sin(17.0 * seconds), np.cos(13.0 * seconds) - 1.0, np.sin(7.0 * seconds)])
    turn = np.array([0.3 * np.sin(11.0 * seconds), 0.4 * np.sin(5.0 * seconds), 1.5 * seconds])
    return Sample(base_position=place, base_orientation=exponential(turn))


def tips(settings: Settings) -> tuple[np.ndarray, int]:
    """Where the tips of an undamped tree on that base are, frame by frame, and how many steps it took."""
    plant, found, steps = Simulation(discretize(binary_tree(2, 3, radius=0.003, young=3e8)), settings), [], 0
    plant.start(led_about(0.0), "settled")
    for frame in range(1, 49):
        report = plant.advance(led_about(frame / 24), 1 / 24)
        assert report.status == OK
        steps += report.steps
        found.append(plant.rod_tails())
    return np.array(found), steps


def test_what_a_base_adds_is_not_taken_away():
    """Steps that are shortened, whose energy is looked at, beside equal ones as short, whose is not."""
    exact, _ = tips(Settings(max_step=1 / 7680))
    shortened, steps = tips(Settings(tolerance=1e-7))
    assert steps > 4 * 480
    swing = np.ptp(exact, axis=0).max()
    off = np.abs(shortened - exact).max() / swing
    print(f"{steps} steps, off by {100.0 * off:.3f} % of the swing")
    assert off < 2e-3
