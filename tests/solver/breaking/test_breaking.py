# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints that break or are cut, and the motion of what nothing holds, against closed forms and invariants."""

from dataclasses import replace

import numpy as np
import pytest

from solver import Rods, Sample, Settings, SideBySide, Simulation, SolverError, discretize
from solver.math.rotations import multiply
from solver.snapshot_arrays import snapshot_arrays, snapshot_from_arrays
from solver.stress import section_moduli
from tests.forms import IS_FULL
from tests.oracles.models import ALONG_Z, beam, binary_tree
from tests.oracles.touching.momenta import momenta

FPS = 24.0
FLOATING = Sample(gravity=(0.0, 0.0, 0.0))


def cut(rods: Rods, *which: int, **others) -> Sample:
    off = np.zeros(len(rods))
    off[list(which)] = 1.0
    return Sample(cut=off, **others)


def test_a_tree_that_is_cut_falls_on_a_parabola():
    rods = binary_tree(3, 3, damping_time=0.05)
    plant = Simulation(discretize(rods))
    plant.start(cut(rods, 0), "settled")
    _, _, before = momenta(plant)
    bent = plant.energy().elastic
    for _ in range(12):
        report = plant.advance(cut(rods, 0), 1.0 / FPS)
        assert report.status == 0
    speed, _, after = momenta(plant)
    mass = plant.model.bodies.mass.sum()
    assert after[:2] == pytest.approx(before[:2], abs=1e-9)
    # The part below the first joint stays.
    assert after[2] - before[2] == pytest.approx(-0.5 * 9.81 * 0.25, rel=2e-3)
    assert speed == pytest.approx([0.0, 0.0, -9.81 * 0.5 * mass], abs=2e-3 * 9.81 * 0.5 * mass)
    assert plant.energy().elastic < 0.05 * bent  # nothing bends what falls


def lost_in_flight(seed: int, max_step: float) -> tuple[float, float]:
    """Share of the linear and of the angular momentum that a kicked tree loses, which flies without gravity and air.

    Its springs and their damping are inner forces, and never add energy.
    """
    rods = binary_tree(2, 3, young=2e6, damping_time=0.003)
    plant = Simulation(discretize(rods), Settings(max_step=max_step))
    plant.start(FLOATING)
    force = 0.05 * np.random.default_rng(seed).normal(size=(len(rods), 3))
    for _ in range(4):
        plant.advance(Sample(gravity=(0.0, 0.0, 0.0), force=force), 1.0 / FPS)
    plant.advance(cut(rods, 0, gravity=(0.0, 0.0, 0.0)), 1.0 / FPS)
    linear, angular, start = momenta(plant)
    energy = sum(plant.energy())
    for _ in range(24):
        assert plant.advance(cut(rods, 0, gravity=(0.0, 0.0, 0.0)), 1.0 / FPS).status == 0
        now = sum(plant.energy())
        assert now <= energy * (1.0 + 1e-9)
        energy = now
    after, spin, end = momenta(plant)
    lost = np.abs(after - linear).max() / np.abs(linear).max(), np.abs(spin - angular).max() / np.abs(angular).max()
    # It goes where its momentum says.
    assert end - start == pytest.approx(after / plant.model.bodies.mass.sum(), abs=2.0 * lost[0] + 1e-6)
    return lost


def test_momentum_stays_in_free_flight():
    """What is lost in the violent release goes with the square of the step."""
    coarse, fine = (np.mean([lost_in_flight(seed, step) for seed in range(4)], axis=0) for step in (5e-4, 1.25e-4))
    assert (coarse < 0.02).all()
    assert (fine < 0.25 * coarse).all()


def tumbling(turns: np.ndarray, inertia: np.ndarray, seconds: float, steps: int) -> np.ndarray:
    """Orientation of a free body that begins with these rates (rad/s) about its main axes; Euler's equations by the
    classical Runge-Kutta method."""

    def slope(y):
        q, w = y[:4], y[4:]
        return np.concatenate(
            [0.5 * multiply(q, np.concatenate([[0.0], w])), np.cross(inertia * w, w) / inertia]
        )

    y, h = np.concatenate([[1.0, 0.0, 0.0, 0.0], turns]), seconds / steps
    for _ in range(steps):
        a = slope(y)
        b = slope(y + 0.5 * h * a)
        c = slope(y + 0.5 * h * b)
        y = y + h / 6.0 * (a + 2.0 * b + 2.0 * c + slope(y + h * c))
    return y[:4] / np.linalg.norm(y[:4])


def test_a_body_tumbles_as_eulers_equations_say():
    """A plate-like body on its middle axis, where the motion is unstable; errors go with the square of the step."""
    inertia, turns, seconds = np.array([1.0, 2.0, 3.0]) * 1e-3, np.array([0.05, 6.0, 0.0]), 1.0
    expected = tumbling(turns, inertia, seconds, 20_000 if IS_FULL else 4_000)
    errors = []
    for max_step in (1e-3, 5e-4):
        rods = Rods(
            parent=[-1], head=(0.0, 0.0, 0.0), frame=(1.0, 0.0, 0.0, 0.0), length=0.1, radius_base=0.01,
            radius_tip=0.01, young=1e6, density=1000.0, mass=0.5, com=(0.0, 0.0, 0.0), inertia=inertia,
            stiffness=(1.0, 1.0, 1.0),
        )  # fmt: skip
        plant = Simulation(discretize(rods, "base", segments=1), Settings(max_step=max_step, tolerance=1.0))
        plant.start(cut(rods, 0, gravity=(0.0, 0.0, 0.0)))
        state = plant.snapshot().state
        state.u[0] = turns
        plant.restore(plant.snapshot().__class__(**{**vars(plant.snapshot()), "state": state}))
        for _ in range(round(seconds * FPS)):
            plant.advance(FLOATING, 1.0 / FPS)
        errors.append(np.abs(np.abs(plant.rod_orientations()[0] @ expected) - 1.0) ** 0.5)
    assert errors[0] < 0.02
    assert errors[1] < 0.35 * errors[0]


def test_velocities_do_not_jump_at_a_cut():
    rods = binary_tree(2, 3, young=2e6)
    plants = [Simulation(discretize(rods)) for _ in range(2)]
    for plant in plants:
        plant.start(Sample())
        for _ in range(6):
            plant.advance(Sample(), 1.0 / FPS)
    whole, opened = plants
    whole.advance(Sample(), 1.0 / FPS)
    opened.advance(cut(rods, 3, 5), 1.0 / FPS)
    assert np.abs(whole.placed().omega).max() > 0.5
    for name in ("velocity", "omega", "position", "orientation"):
        expected = getattr(whole.placed(), name)
        assert getattr(opened.placed(), name) == pytest.approx(expected, abs=1e-13 * max(1.0, np.abs(expected).max()))
    for one, other in zip(momenta(opened)[:2], momenta(whole)[:2], strict=True):
        assert one == pytest.approx(other, rel=1e-12, abs=1e-15)
    assert opened.rod_tails() == pytest.approx(whole.rod_tails(), abs=1e-13)
    assert opened.broken().tolist() == [2 if i in (3, 5) else 0 for i in range(len(rods))]


@pytest.mark.parametrize("layout", ["gauss2", "base"])
def test_a_beam_breaks_where_and_when_theory_says(layout):
    """A clamped beam whose tip is loaded ever more; the moment is largest at the first joint."""
    n, length, radius, strength, rate = 8, 1.0, 0.01, 40e6, 20.0
    rods = beam(n, length, radius, young=5e10, damping_time=2e-3, strength=strength)
    model = discretize(rods, layout)
    plant = Simulation(model)
    plant.start(FLOATING)
    force, t, before = np.zeros((n, 3)), 0.0, 0.0
    for _ in range(2000):
        t += 0.01
        force[-1, 2] = -rate * t
        plant.advance(Sample(gravity=(0.0, 0.0, 0.0), force=force), 0.01)
        if plant.broken().any():
            break
        before = rate * t
    where = np.flatnonzero(plant.broken())
    assert where.tolist() == [0]
    first = model.first_joint[0]
    bears = strength * section_moduli(rods, model)[first]
    assert bears == pytest.approx(strength * np.pi * radius**3 / 4.0)
    at = plant.model.body_at[first] * length / n
    carrier = model.middle[-1]
    arm = length * (n - 1) / n + model.body_at[carrier] * length / n + model.bodies.com[carrier, 1] - at
    theory = bears / arm
    assert before <= theory * 1.01
    assert rate * t >= theory * 0.99


def test_what_breaks_last_is_whole_in_a_second_run():
    """Brittle twigs in a gale break; start mends them, and the same motion comes again."""
    rods = binary_tree(3, 3, young=5e7, damping_time=0.01, strength=2e5)
    plant = Simulation(discretize(rods))
    runs = []
    for _ in range(2):
        plant.start(Sample(), "settled")
        assert not plant.broken().any()
        for frame in range(24):
            plant.advance(Sample(wind=(0.5 * frame, 0.0, 0.0)), 1.0 / FPS)
        runs.append((plant.rod_tails().tobytes(), plant.broken().tolist()))
    assert runs[0] == runs[1]
    assert 2 in runs[0][1]
    assert np.isfinite(plant.rod_tails()).all()


def test_a_joint_on_fibres_hangs_as_one_that_was_so_soft():
    rods = beam(6, 0.5, 0.005, young=1e9, damping_time=0.02, strength=[1e5, *[np.inf] * 5], fibres=0.02)
    model = discretize(rods)
    plant = Simulation(model)
    plant.start(Sample())
    for _ in range(360):
        plant.advance(Sample(), 1.0 / FPS)
    assert plant.broken().tolist() == [1, 0, 0, 0, 0, 0]
    stiffness = model.bodies.stiffness.copy()
    stiffness[model.first_joint[0]] *= 0.02
    soft = Simulation(replace(model, bodies=model.bodies._replace(stiffness=stiffness)))
    soft.start(Sample(), "settled")
    assert plant.rod_tails() == pytest.approx(soft.rod_tails(), abs=1e-4)
    assert plant.rod_heads()[0] == pytest.approx([0.0, 0.0, 0.0], abs=1e-12)
    assert soft.rod_tails()[-1, 2] < -0.15


def broken_tree() -> tuple[Rods, Simulation]:
    rods = binary_tree(2, 3, young=5e7, damping_time=0.01, strength=4e5)
    plant = Simulation(discretize(rods))
    plant.start(Sample())
    return rods, plant


def go_on(plant: Simulation, rods: Rods, first: int, last: int) -> bytes:
    bits = b""
    for frame in range(first, last):
        off = (4,) if frame >= 6 else ()
        plant.advance(cut(rods, *off, wind=(1.5 * frame, 0.3, 0.0)), 1.0 / FPS)
        bits += plant.rod_tails().tobytes() + plant.rod_heads().tobytes() + plant.state.u.tobytes()
    return bits


def test_snapshots_bring_breaks_back_and_take_them_away():
    rods, plant = broken_tree()
    snapshots, after = [plant.snapshot()], []
    for frame in range(16):
        go_on(plant, rods, frame, frame + 1)
        snapshots.append(plant.snapshot())
        after.append(plant.broken().tolist())
    assert sum(after[-1]) > 2
    whole = go_on(plant, rods, 16, 18)
    plant.restore(snapshots[0])
    assert not plant.broken().any()
    assert go_on(plant, rods, 0, 18)[-len(whole) :] == whole
    for k in (9, 3, 16, 7):
        plant.restore(snapshots[k])
        assert plant.broken().tolist() == (after[k - 1] if k else [0] * len(rods))
        assert go_on(plant, rods, k, 18)[-len(whole) :] == whole
    other = Simulation(discretize(rods))
    other.start(Sample())
    other.restore(snapshot_from_arrays(other, snapshot_arrays(snapshots[12])))
    assert go_on(other, rods, 12, 18)[-len(whole) :] == whole


def test_side_by_side_gives_the_same_bits():
    rods, alone = broken_tree()
    _, second = broken_tree()
    go_on(alone, rods, 0, 10)
    go_on(second, rods, 0, 10)
    together = SideBySide([alone, second])
    sample = cut(rods, 4, 9, wind=(20.0, 0.0, 0.0))
    for _ in range(3):
        together.advance([sample, sample], 1.0 / FPS)
        alone.advance(sample, 1.0 / FPS)
    for snapshot in together.snapshots():
        second.restore(snapshot)
        assert second.rod_tails().tobytes() == alone.rod_tails().tobytes()
        assert second.broken().tolist() == alone.broken().tolist()


def test_what_is_left_stands_as_if_the_rest_had_never_been():
    """With joints at the rods' bases, where nothing of a rod stays."""
    rods = beam(6, 0.6, 0.004, young=1e8, damping_time=0.05)
    short = beam(3, 0.3, 0.004, young=1e8, damping_time=0.05)
    plant, other = (Simulation(discretize(one, "base", segments=1)) for one in (rods, short))
    plant.start(Sample(), "settled")
    other.start(Sample(), "settled")
    for _ in range(96):
        plant.advance(cut(rods, 3), 1.0 / FPS)
    assert plant.rod_tails()[2] == pytest.approx(other.rod_tails()[2], abs=1e-6)
    assert plant.rod_tails()[5, 2] < -50.0


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([1.0], "cut has shape"),
        (["x", "y"], "cut"),
        ([np.nan, 0.0], r"cut\[0\]"),
        ([0.0, 1.0], "no joint of its own"),
    ],
)
def test_what_cannot_be_cut_is_refused(values, words):
    rods = beam(2, pinned=[0.0, 1.0], frame=ALONG_Z)
    plant = Simulation(discretize(rods))
    with pytest.raises(SolverError, match=words):
        plant.start(Sample(cut=values))
    plant.start(Sample())
    before = plant.rod_tails().tobytes()
    with pytest.raises(SolverError, match=words):
        plant.advance(Sample(cut=values), 0.01)
    assert plant.rod_tails().tobytes() == before


@pytest.mark.parametrize(
    ("column", "value"), [("strength", 0.0), ("strength", np.nan), ("fibres", 1.0), ("fibres", -0.1)]
)
def test_strengths_that_are_none_are_refused(column, value):
    with pytest.raises(SolverError, match=column):
        beam(2, **{column: value})
