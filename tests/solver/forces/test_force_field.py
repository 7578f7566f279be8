# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields of accelerations: exact where closed forms are, gravity where they are uniform, stable however strong."""

from dataclasses import replace

import numpy as np
import pytest

from solver import COARSE, OK, Collider, Sample, Settings, Simulation, SolverError, discretize, natural_modes
from solver.statics.equilibrium import find_equilibrium
from tests.forms import IS_FULL
from tests.oracles.models import ALONG_X, ALONG_Z, beam, binary_tree, read_anew, run

NO_GRAVITY = (0.0, 0.0, 0.0)


def uniform(acceleration):
    return lambda points, velocities, time: np.broadcast_to(acceleration, points.shape)


def spring(rate, center=(0.0, 0.0, 0.0)):
    return lambda points, velocities, time: rate * (np.array(center) - points)


def brake(rate):
    return lambda points, velocities, time: -rate * velocities


def magnet(points, velocities, time):
    return np.cross(velocities, (0.0, 0.0, 200.0))


def vortex(points, velocities, time):
    return 30.0 * np.stack([-points[:, 1], points[:, 0], 0.0 * points[:, 2]], axis=1)


def attractor(points, velocities, time):
    away = points - (0.1, 0.0, 0.3)
    return -40.0 * away / np.maximum(np.linalg.norm(away, axis=1), 1e-9)[:, None]


def soft_tree(**columns):
    return binary_tree(3, 3, radius=0.004, young=4e7, **({"damping_time": 0.02} | columns))


def free_rod(length=0.5, frame=ALONG_X, **columns):
    """A slender rod that a joint without stiffness holds at its base: a pendulum."""
    rods = beam(1, length=length, radius=0.002, frame=frame, stiffness=[(0.0, 0.0, 0.0)], **columns)
    return discretize(rods, "base")


@pytest.mark.parametrize("mode", ["drawn", "settled", "keep_shape"])
def test_a_uniform_field_is_gravity(mode):
    """To rounding, at rest and in motion, also where half the weight is the scene's."""
    model, gravity = discretize(soft_tree()), np.array([3.0, -1.0, -9.0])
    plants = [Simulation(model, Settings(newton_tolerance=1e-10)) for _ in range(2)]
    samples = [Sample(gravity=gravity), Sample(gravity=0.5 * gravity, force_field=uniform(0.5 * gravity))]
    found = [plant.start(sample, mode) for plant, sample in zip(plants, samples, strict=True)]
    if mode != "drawn":
        assert found[1].residual <= 1e-9
        assert found[1].stable == found[0].stable
    one, other = (plant.rod_tails() for plant in plants)
    assert np.abs(one - other).max() < 1e-11
    gravity[:] = (-5.0, 2.0, -4.0)
    samples = [Sample(gravity=gravity), Sample(gravity=NO_GRAVITY, force_field=uniform(gravity))]
    for _ in range(24):
        for plant, sample in zip(plants, samples, strict=True):
            plant.advance(sample, 1 / 24)
        one, other = (plant.rod_tails() for plant in plants)
        assert np.abs(one - other).max() < 1e-9
    assert np.ptp(one, axis=0).max() > 0.1


def test_a_pendulum_in_a_brake_comes_to_rest_as_exp():
    """Every part of the mass is braked by its own speed: the rate of turning falls as exp(-c t) for any mass."""
    plant, rate = Simulation(free_rod(), Settings(max_step=1 / 960, newton_tolerance=1e-9)), 3.0
    plant.start(Sample(gravity=NO_GRAVITY))
    push = np.array([[0.0, 0.0, 0.05]])
    plant.advance(Sample(gravity=NO_GRAVITY, force=push), 0.1)
    plant.advance(Sample(gravity=NO_GRAVITY), 0.1)
    plant.advance(Sample(gravity=NO_GRAVITY, force_field=brake(rate)), 0.1)  # it sets in
    omega = np.linalg.norm(plant.state.u[0])
    assert omega > 1.0
    for _ in range(24):
        plant.advance(Sample(gravity=NO_GRAVITY, force_field=brake(rate)), 1 / 24)
    assert np.linalg.norm(plant.state.u[0]) == pytest.approx(omega * np.exp(-rate), rel=2e-4)


def test_a_pendulum_in_a_linear_field_swings_as_it_should():
    """In accelerations -k z beside the pivot a rod along x swings as a torsion pendulum of w2 = k, whatever its mass.

    For a slender rod torque and inertia both are the sum of m x2, so it is exact for small angles.
    """
    rate, plant = 100.0, Simulation(free_rod(), Settings(max_step=1 / 960))
    sample = Sample(gravity=NO_GRAVITY, force_field=lambda p, v, t: p * (0.0, 0.0, -rate))
    small = 0.01
    plant.start(sample, initial=[(0.0, 0.0, 0.0)])
    turn = plant.rod_tails()[0]
    axis = np.array([small, 0.0, 0.0])  # the rod's x is across it
    plant.start(sample, initial=[axis])
    assert abs(plant.rod_tails()[0][2] - turn[2]) == pytest.approx(0.5 * small, rel=1e-3)
    start = plant.rod_tails()[0][2]
    heights = []
    for _ in range(120):
        plant.advance(sample, 1 / 120)
        heights.append(plant.rod_tails()[0][2])
    expected = start * np.cos(np.sqrt(rate) * np.arange(1, 121) / 120)
    assert np.abs(np.array(heights) - expected).max() < 2e-3 * abs(start)


def test_the_frequency_in_a_linear_field_is_exact():
    """Statics and modes know of what drives back: w2 = k about the equilibrium."""
    rate = 100.0
    field = Sample(gravity=NO_GRAVITY, force_field=spring(rate, (100.0, 0.0, 0.0)))
    model = discretize(beam(1, length=0.5, radius=0.002, young=1e3), "base")
    # Towards x = 100 with k (100 - x): a tension whose pendulum has w2 = k (100 / (2 l / 3) - 1) beside k = k 150 / l.
    found = natural_modes(model, field, 3).frequency
    expected = np.sqrt(rate * 100.0 * 0.25 / (0.5**2 / 3.0)) / (2.0 * np.pi)
    assert found[-1] == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("field", [attractor, vortex, spring(3000.0, (0.2, 0.1, 0.3))])
def test_plants_settled_in_a_field_stay(field):
    plant = Simulation(discretize(soft_tree()))
    drawn = plant.rod_tails()
    sample = Sample(force_field=field)
    found = plant.start(sample, "settled")
    assert found.residual <= 1e-9
    rest = plant.rod_tails()
    assert np.abs(rest - drawn).max() > 0.01
    again = find_equilibrium(*read_anew(plant, sample).at_rest(), 1e-9, 0)
    assert again.residual == pytest.approx(found.residual, rel=1e-3, abs=1e-12)
    if found.stable:
        for _ in range(100):
            plant.advance(sample, 1 / 24)
        assert np.abs(plant.rod_tails() - rest).max() < 1e-6


@pytest.mark.parametrize("start", ["settled", "keep_shape"])
def test_plants_side_by_side_feel_what_each_would_alone(start):
    models = [discretize(soft_tree()), discretize(beam(9, length=0.3, radius=0.003, young=1e8, frame=ALONG_Z))]
    sample = Sample(force_field=attractor)
    meadow, alone = Simulation(models), [Simulation(model) for model in models]
    for plants in (meadow, *alone):
        plants.start(sample, start)
        for _ in range(5):
            plants.advance(Sample(force_field=vortex), 1 / 24)
    assert np.array_equal(meadow.state.q, np.concatenate([plant.state.q for plant in alone]))


@pytest.mark.parametrize("rate", [1.0, 100.0, 1e4, 1e8])
def test_strong_brakes_are_stable_at_24_frames(rate):
    """However strong, a plant let go under its weight neither gains speed nor leaves the way down."""
    plant = Simulation(discretize(soft_tree(damping_time=0.0)))
    sample = Sample(force_field=brake(rate))
    plant.start(sample)
    sunk = [plant.rod_tails()[:, 2].mean()]
    for _ in range(48):
        report = plant.advance(sample, 1 / 24)
        assert report.status == 0
        sunk.append(plant.rod_tails()[:, 2].mean())
    if rate >= 100.0:  # overdamped: it only sinks
        assert (np.diff(sunk) <= 1e-12).all()
    assert np.isfinite(plant.state.q).all()


@pytest.mark.parametrize(("rate", "creeps"), [(1e3, 1e-5), (1e5, 1e-5), (1e7, 2e-3)])
def test_strong_springs_are_stable_at_24_frames(rate, creeps):
    """A field that holds the plant's mass at its middle: with some damping it comes to rest.

    creeps: m, in the fifth second
    """
    plant = Simulation(discretize(soft_tree()))
    sample = Sample(force_field=lambda p, v, t: rate * ((0.05, 0.0, 0.2) - p) - 20.0 * v)
    plant.start(Sample())
    tails = run(plant, 5.0, sample=sample)
    assert np.abs(tails[-24:] - tails[-1]).max() < creeps


def test_a_magnet_turns_and_neither_drives_nor_brakes():
    """Speed in a magnetic field stays: a spherical pendulum's energy without gravity."""
    plant = Simulation(free_rod())
    plant.start(Sample(gravity=NO_GRAVITY))
    plant.advance(Sample(gravity=NO_GRAVITY, force=[(0.0, 0.004, 0.004)]), 0.1)
    plant.advance(Sample(gravity=NO_GRAVITY), 0.1)
    sample = Sample(gravity=NO_GRAVITY, force_field=magnet)
    plant.advance(sample, 1 / 24)
    before = plant.energy().kinetic
    ways = []
    for _ in range(48):
        plant.advance(sample, 1 / 24)
        ways.append(plant.rod_tails()[0])
    assert plant.energy().kinetic == pytest.approx(before, rel=0.02)
    assert np.ptp(ways, axis=0).max() > 1e-3


@pytest.mark.parametrize("fps", [25.0, 30.0, 60.0])
def test_motion_does_not_depend_on_the_frame_rate(fps):
    """In a field that drags plants aside and brakes them: the tips' way at 24 fps, read at whole seconds."""

    def tips(rate):
        plant = Simulation(discretize(soft_tree()))
        field = Sample(force_field=lambda p, v, t: attractor(p, v, t) * (0.4, 0.4, 0.4) - 2.0 * v)
        plant.start(field)
        rest, seen = plant.rod_tails(), []
        for k in range(1, round(3 * rate) + 1):
            plant.advance(field, 1.0 / rate)
            if k % round(rate) == 0:
                seen.append(plant.rod_tails() - rest)
        return np.array(seen)

    at_24, other = tips(24.0), tips(fps)
    assert np.abs(at_24 - other).max() < 0.01 * np.abs(at_24).max()


def test_time_is_the_samples_or_the_simulations_own():
    asked = []

    def clock(points, velocities, time):
        asked.append(time)
        return np.zeros_like(points)

    plant = Simulation(discretize(beam(2)))
    plant.start(Sample(force_field=clock))
    plant.advance(Sample(force_field=clock), 0.5)
    plant.advance(Sample(force_field=clock, time=7.0), 0.5)
    assert asked == [0.0, 0.5, 0.5, 0.25, 7.0, 7.0, 6.75]  # at the end, and looked at there and halfway


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ((1.0, 2.0, 3.0), "force_field must be a function"),
        (lambda p, v, t: np.zeros(3), "force_field has shape"),
        (lambda p, v, t: np.full(p.shape, np.nan), "force_field"),
        (lambda p, v, t: "strong", "force_field must be numbers"),
    ],
)
def test_what_is_no_field_is_refused_and_changes_nothing(field, message):
    plant = Simulation(discretize(beam(2)))
    plant.start(Sample())
    before = plant.state
    with pytest.raises(SolverError, match=message):
        plant.advance(Sample(force_field=field), 1 / 24)
    assert all(np.array_equal(a, b) for a, b in zip(before, plant.state, strict=True))
    assert plant.time == 0.0


#: How long stems are driven to a sheet (s), and to which ones.
SECONDS = 1.0 if IS_FULL else 0.5
SHEETS = [*([(0.1, 0.05)] if IS_FULL else []), (1e-2, 0.2), (1e-3, 0.6)]


@pytest.mark.parametrize(("wide", "off_by"), SHEETS)
def test_steep_fields_are_read_as_finely_as_steps_are(wide, off_by):
    """A stem driven to a sheet, from both sides, beside frames of 1/2400 s: where its tip is in the first second,
    in the short form in half of it. Frames of 1/9600 s have it elsewhere by at most 0.005 of its swing.

    Read once a frame, the tip is off by 0.12, 9.6 and 11 times its swing, and flies about.
    """
    true = tips_at_a_sheet(wide, 2400)
    assert np.abs(tips_at_a_sheet(wide, 24) - true).max() < off_by * np.ptp(true)
    assert np.abs(tips_at_a_sheet(wide, 24, 1e-6) - true).max() < 0.25 * np.ptp(true)


def tips_at_a_sheet(wide: float, fps: int, tolerance: float = Settings.tolerance, moving=None) -> np.ndarray:
    """(n,) m: how far the tip has come in a field of 100 m/s2 to both sides of a sheet so wide (m)."""
    stem = {"length": 0.5, "radius": 0.003, "young": 3e8, "density": 600.0, "damping_time": 0.005}
    plant = Simulation(discretize(beam(4, frame=ALONG_Z, **stem)), Settings(tolerance=tolerance))
    sample, tips = Sample(force_field=lambda p, v, t: [[-100.0, 0.0, 0.0]] * np.tanh((p[:, :1] - 0.02) / wide)), []
    plant.start(sample)
    for frame in range(round(SECONDS * fps)):
        if moving is not None:
            position, orientation = moving((frame + 1) / fps)
            sample = replace(sample, base_position=position, base_orientation=orientation)
        assert plant.advance(sample, 1.0 / fps).status == OK
        if (frame + 1) % (fps // 12) == 0:
            tips.append(plant.rod_tails()[-1, 0])
    return np.array(tips)


def test_steep_fields_are_read_as_finely_where_a_base_moves():
    """The same on a base that swings and turns, which is where it is in fine frames; a sheet of 1 cm."""
    true = tips_at_a_sheet(1e-2, 2400, moving=swung)
    assert np.abs(tips_at_a_sheet(1e-2, 24, moving=swung) - true).max() < 0.2 * np.ptp(true)
    assert np.abs(tips_at_a_sheet(1e-2, 24, 1e-6, swung) - true).max() < 0.01 * np.ptp(true)


def swung(time):
    """Position (m) and orientation of a base."""
    angle = 0.25 * np.sin(2.0 * np.pi * time)
    return (0.2 * angle, 0.02 * time, 0.0), (np.cos(angle), 0.0, 0.0, np.sin(angle))


@pytest.mark.parametrize(
    "changed",
    [
        lambda k: {"gravity": (0.0, 0.0, -9.81 - 1e-3 * k)},
        lambda k: {"colliders": [Collider("plane", position=(0.0, 0.0, -1.0 - 1e-3 * k))]},
    ],
)
def test_a_field_that_is_too_steep_is_told(changed):
    """Where a load or a collider changes the frame is not halved, but the plant says so."""
    plant = Simulation(discretize(beam(4, length=0.5, radius=0.003, young=3e8, frame=ALONG_Z)))
    sample = Sample(force_field=lambda p, v, t: [[-100.0, 0.0, 0.0]] * np.tanh((p[:, :1] - 0.02) / 1e-3))
    plant.start(replace(sample, **changed(0)))
    told = {plant.advance(replace(sample, **changed(k)), 1 / 24).status for k in range(24)}
    assert told == {OK, COARSE}
