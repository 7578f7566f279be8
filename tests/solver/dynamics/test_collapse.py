# SPDX-License-Identifier: GPL-3.0-or-later
"""Trees too weak to stand, let go as drawn: velocity products decide whether they fall or explode."""

from typing import NamedTuple

import numpy as np
import pytest

from solver import OK, Model, Sample, Settings, Simulation, discretize
from tests.oracles.energies import Energy, energy_of
from tests.oracles.models import binary_tree

#: Internodes per branch and orders: base radius 4 mm, 100 MPa, 900 kg/m3.
SMALL, LARGE = (5, 5), (12, 7)
DAMPING_TIMES = (0.0, 0.002, 0.02)
REFERENCE = Settings(max_step=1 / 4800)
STILL_AIR = Sample(wind=(0.0, 0.0, 0.0))
#: At rest: less than this share of the energy at the start is in motion, from then on.
REST = 1e-3


def weak_tree(size: tuple[int, int], damping_time: float, layout="double_root") -> Model:
    """double_root has as many bodies as rods, 155 and 1524; the default layout twice as many."""
    return discretize(binary_tree(*size, damping_time=damping_time), layout)


class Fall(NamedTuple):
    """From the start on, frame by frame: energies, the rods' tips (frames, m, 3); the worst status."""

    energies: list[Energy]
    tips: np.ndarray
    status: int

    @property
    def gained(self) -> float:
        """Largest energy over that at the start, minus one."""
        return max(energy.total for energy in self.energies) / self.energies[0].total - 1.0

    @property
    def height(self) -> float:
        return float(self.tips[0, :, 2].max())


def fall(model: Model, seconds: float, settings: Settings | None = None, sample=None, fps=24) -> Fall:
    sample = sample or Sample()
    plant = Simulation(model, settings)
    plant.start(sample)
    energies, tips, worst = [energy_of(plant)], [plant.rod_tails()], OK
    for _ in range(round(seconds * fps)):
        worst = max(worst, plant.advance(sample, 1 / fps).status)
        energies.append(energy_of(plant))
        tips.append(plant.rod_tails())
    return Fall(energies, np.array(tips), worst)


def disturbed_fall(seed: int, seconds=3.0) -> float:
    """Energy gained by the undamped small tree when every joint starts off by about 1e-9 rad."""
    model = weak_tree(SMALL, 0.0)
    plant = Simulation(model)
    plant.start(Sample(), initial=np.random.default_rng(seed).normal(size=(model.body_count, 3)) * 1e-9)
    start, most = energy_of(plant).total, 0.0
    for _ in range(round(seconds * 24)):
        plant.advance(Sample(), 1 / 24)
        most = max(most, energy_of(plant).total)
    return most / start - 1.0


def off_reference(model: Model, fps=24) -> tuple[float, float]:
    """Distance of the last tip, and of the farthest of all, from the reference in the first half second, over H."""
    found, exact = fall(model, 0.5, fps=fps), fall(model, 0.5, REFERENCE, fps=fps)
    apart = np.linalg.norm(found.tips - exact.tips, axis=2) / exact.height
    return float(apart[:, -1].max()), float(apart.max())


def rest_time(found: Fall, fps=24) -> float:
    """s, infinite if it has not come to rest."""
    moving = np.array([energy.motion for energy in found.energies]) >= REST * found.energies[0].total
    last = np.flatnonzero(moving)[-1]
    return (last + 1) / fps if last + 1 < len(moving) else np.inf


@pytest.mark.parametrize("layout", ["double_root", "gauss2"])
@pytest.mark.parametrize("damping_time", DAMPING_TIMES)
def test_energy_is_never_above_its_start(damping_time, layout):
    found = fall(weak_tree(SMALL, damping_time, layout), 3.0)
    assert found.energies[0].total == pytest.approx(0.280, abs=5e-4)
    assert np.isfinite(found.tips).all()
    assert found.gained < 0.01
    assert found.status == OK


@pytest.mark.parametrize("damping_time", DAMPING_TIMES)
def test_the_large_sisters_energy_is_never_above_its_start(damping_time):
    """Undamped, its thin twigs whip faster than the shortest steps follow, which the status says."""
    found = fall(weak_tree(LARGE, damping_time), 1.25)
    assert np.isfinite(found.tips).all()
    assert found.gained < 0.01
    assert found.status == OK or damping_time == 0.0


@pytest.mark.parametrize("seed", range(3))
def test_energy_of_disturbed_starts(seed):
    """Undamped the fall is chaotic, so one run proves little."""
    assert disturbed_fall(seed) < 0.01


@pytest.mark.parametrize("fps", [25, 30, 60])
def test_other_frame_rates(fps):
    found = fall(weak_tree(SMALL, 0.0), 1.5, fps=fps)
    assert found.gained < 0.01
    assert found.status == OK


@pytest.mark.parametrize("damping_time", DAMPING_TIMES)
def test_it_falls_as_with_very_short_steps(damping_time):
    tip, farthest = off_reference(weak_tree(SMALL, damping_time))
    print(f"beta {damping_time}: tip {100 * tip:.3f} %, farthest {100 * farthest:.3f} % of the height off")
    assert farthest < 0.01


def reference_energies(damping_time=0.02) -> tuple[float, float]:
    """J after 1.25 and 3 s by backward Euler with fixed steps of 1/4800 s."""
    settings = Settings(max_step=1 / 4800, scheme="backward_euler", tolerance=np.inf, halvings=0)
    energies = fall(weak_tree(SMALL, damping_time), 3.0, settings).energies
    return energies[30].total, energies[72].total


def test_energies_of_the_backward_euler_reference():
    """0.20 to 0.21 J after 1.25 s, from another implementation, which has 0.10 J after 3 s.

    Ours comes to 0.115 J then, with steps from 1/1200 to 1/19200 s, by backward Euler and by default, in all layouts.
    """
    early, late = reference_energies()
    assert 0.20 < early < 0.21
    found = fall(weak_tree(SMALL, 0.02), 3.0)
    assert found.energies[30].total == pytest.approx(early, rel=0.01)
    assert found.energies[72].total == pytest.approx(late, rel=0.01)


def test_it_comes_to_rest_in_still_air():
    found = fall(weak_tree(SMALL, 0.02), 30.0, sample=STILL_AIR)
    seconds = rest_time(found)
    print(f"at rest after {seconds:.1f} s")
    assert seconds < 25.0
    assert found.gained < 0.01
