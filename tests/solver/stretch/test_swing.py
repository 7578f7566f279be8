# SPDX-License-Identifier: GPL-3.0-or-later
"""Chains whose rods get longer and are shifted, beside their equations of motion (oracles/stretch/chain.py)."""

import itertools

import numpy as np
import pytest

from tests.forms import IS_FULL
from tests.oracles.stretch.swing import from_rest, hanging, keys, kinetic_energies, point_swing, swing

FREE = {"stiffness": np.zeros(3)}


@pytest.mark.parametrize(
    ("longer", "shifted", "same_section"),
    [(0.3, 0.0, False), (0.3, 0.0, True), (0.0, 0.05, False)],
)
def test_a_pendulum(longer, shifted, same_section):
    keyed = from_rest(keys(1, longer, shifted))
    found = swing(hanging(1, **FREE), "base", keyed, same_section=same_section, fps=120)
    print("pendulum, off by (of its way)", found.error)
    assert found.error < 1e-4


def test_a_pendulum_that_is_nearly_a_point():
    """d/dt (m l^2 theta') = -m g l sin theta, of a weight at the end of a rod without any."""
    weight = {"mass": 1.0, "com": np.array([0.0, 0.25, 0.0]), "inertia": np.array([0.0626, 1e-4, 0.0626])}
    error = point_swing(hanging(1, **FREE, **weight), keys(1), fps=120)
    print("point, off by (of its way)", error)
    assert error < 1e-4


#: Layouts of joints, straight and bent; the full form has one more of each. Pendulums are at their base anyway.
CHAINS = [("double_root", 0.4, False), ("gauss2", 0.5, True)]
if IS_FULL:
    CHAINS += [("base", 0.0, False), ("gauss2", 0.0, False)]


@pytest.mark.slow
@pytest.mark.parametrize(("layout", "bend", "same_section"), CHAINS)
def test_a_chain(layout, bend, same_section):
    rods = hanging(3, bend)
    how = {"seconds": 1.0, "fps": 120, "step": 1 / 3840, "bend": bend, "same_section": same_section}
    found = swing(rods, layout, from_rest(keys(3, 0.2, 0.02)), **how)
    print(f"chain, {layout}, off by (of its way)", found.error)
    assert found.error < 1e-4


@pytest.mark.parametrize("same_section", [False, True])
def test_the_energy_of_motion_is_that_of_the_material(same_section):
    told, exact = kinetic_energies(hanging(3, 0.5), "gauss2", keys(3, 0.2, 0.02), 0.5, same_section)
    assert told == pytest.approx(exact, rel=1e-4)  # its thickness across the plane, and rates by differences


def test_24_30_and_60_frames_a_second():
    """Lengths are known at frames only, and that they have moved before the first is not."""
    paths = {}
    for fps in (24, 30, 60):
        found = swing(hanging(1, **FREE), "base", keys(1), fps=fps, step=1 / 240)
        print(f"{fps} frames a second, off by (of its way)", found.error)
        assert found.error < 1e-3
        paths[fps] = found.found[fps // 6 - 1 :: fps // 6]
    way = np.linalg.norm(np.diff(paths[60], axis=0), axis=1).sum()
    for one, other in itertools.combinations(paths.values(), 2):
        assert np.linalg.norm(one - other, axis=1).max() < 1e-3 * way


@pytest.mark.parametrize("fps", [24, 30, 60] if IS_FULL else [24])
@pytest.mark.parametrize(("rods", "longer", "shifted"), [(1, 0.3, 0.0), (1, 0.0, 0.05), (3, 0.2, 0.02)])
def test_keys_that_begin_at_rest(fps, rods, longer, shifted):
    """Then it is known with which rates they begin."""
    springs = FREE if rods == 1 else {}
    found = swing(hanging(rods, **springs), "base", from_rest(keys(rods, longer, shifted)), fps=fps, step=1 / 960)
    print(f"{rods} rods, {fps} frames a second, off by (of its way)", found.error)
    assert found.error < 1e-4


@pytest.mark.parametrize(
    ("longer", "shifted", "hertz", "fps"),
    [(0.5, 0.05, 1.2, 24), (0.44, 0.02, 1.3, 30), (0.4, 0.0, 1.0, 24)],
)
def test_half_as_long_and_longer_by_half_within_a_second(longer, shifted, hertz, fps):
    """Frames are few for such keys: between them the way is that of all that is known."""
    keyed = from_rest(keys(1, longer, shifted, hertz))
    found = swing(hanging(1, **FREE), "base", keyed, fps=fps, step=1 / 960)
    print(f"{longer} longer, {hertz} Hz, {fps} frames a second, off by (of its way)", found.error)
    assert found.error < 1e-4
