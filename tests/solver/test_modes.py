# SPDX-License-Identifier: GPL-3.0-or-later
"""Natural frequencies against closed forms and a dense eigenproblem; damping ratios against free decay."""

import time

import numpy as np
import pytest
from scipy.linalg import eigh
from scipy.special import jn_zeros

from solver import Sample, Settings, Simulation, SolverError, discretize
from solver.math.rotations import exponential, multiply
from solver.modes import modal_damping, modes_at, natural_modes, with_damping
from tests.oracles import analytic
from tests.oracles.analytic import Motion, spring_moments
from tests.oracles.models import ALONG_Z, beam, binary_tree, random_rods, read_anew, still_base
from tests.oracles.runs.swinging_beam import decay

WEIGHTLESS = Sample(gravity=(0.0, 0.0, 0.0))
DOWN = exponential(np.array([-np.pi / 2, 0.0, 0.0]))
BEAM = np.sqrt(analytic.YOUNG * analytic.SECOND_MOMENT / (analytic.DENSITY * np.pi * analytic.RADIUS**2))


@pytest.mark.parametrize(("n", "tolerance"), [(8, 2e-3), (32, 1e-3)])
def test_beam_frequencies(n, tolerance):
    """Each bends in two planes; what is missing of beam theory's is the sections' own rotary inertia, 5e-4 at r = 1 cm
    in the third."""
    modes = natural_modes(discretize(beam(n)), WEIGHTLESS, 6)
    expected = np.repeat([3.51602, 22.0345, 61.6972], 2) * BEAM / (2 * np.pi)
    assert modes.frequency == pytest.approx(expected, rel=tolerance)


@pytest.mark.parametrize("seed", range(4))
def test_against_the_dense_eigenproblem(seed):
    """Mass matrix from unit accelerations, stiffness from differences of the moments of springs and weight."""
    rng = np.random.default_rng(seed)
    rods = random_rods(rng, 8, young=10.0 ** rng.uniform(8, 9))
    model = discretize(rods)
    bodies, n = model.bodies, model.body_count
    plant = Simulation(model, Settings(settle_tolerance=1e-12))
    plant.start(Sample(), "settled")
    q, nothing, base = plant.state.q, np.zeros((n, 3)), still_base()
    gravity = np.array([0.0, 0.0, -9.81])

    def unbalanced(turn):
        at = multiply(q, exponential(turn.reshape(n, 3)))
        weight = Motion(bodies, at, nothing, nothing, base).joint_moments(gravity)
        return (weight - spring_moments(bodies.stiffness, at, 1e-4)).ravel()

    h, units = 1e-5, np.eye(3 * n)
    K = np.array([(unbalanced(h * unit) - unbalanced(-h * unit)) / (2 * h) for unit in units])
    M = np.array(
        [Motion(bodies, q, nothing, unit.reshape(n, 3), base).joint_moments(np.zeros(3)).ravel() for unit in units]
    )
    squares, shapes = eigh(0.5 * (K + K.T), 0.5 * (M + M.T))
    modes = natural_modes(model, Sample(), 5)
    assert modes.frequency == pytest.approx(np.sqrt(squares[:5]) / (2 * np.pi), rel=1e-5)
    for k in range(5):
        own = modes.shape[k].ravel()
        assert own @ M @ own == pytest.approx(1.0, rel=1e-9)
        assert abs(own @ M @ shapes[:, k]) == pytest.approx(1.0, abs=1e-4)


def test_pendulum():
    """A thin rod hinged at its end swings at sqrt(3 g / 2 l) / 2 pi."""
    rods = beam(1, length=0.5, radius=1e-4, stiffness=[[0.0, 1.0, 0.0]], frame=DOWN)
    modes = natural_modes(discretize(rods, "base"), Sample(), 2)
    assert modes.frequency == pytest.approx(np.sqrt(1.5 * 9.81 / 0.5) / (2 * np.pi), rel=1e-6)


def test_hanging_chain():
    """w = j / 2 sqrt(g / l) with the zeros j of the Bessel function J0 (Bernoulli)."""
    n = 60
    rods = beam(n, radius=1e-4, stiffness=np.tile([0.0, 1e-3, 0.0], (n, 1)), frame=DOWN)
    modes = natural_modes(discretize(rods, "base"), Sample(), 6)
    expected = np.repeat(jn_zeros(0, 3), 2) / 2 * np.sqrt(9.81) / (2 * np.pi)
    assert modes.frequency == pytest.approx(expected, rel=2e-3)


def test_weight_lowers_the_frequency_of_a_stem_to_zero_where_it_buckles():
    """A column's w^2 falls about linearly with its weight, to nothing at Greenhill's."""
    young, radius, density, length = 1e9, 0.005, 900.0, 1.0
    buckles = 7.8373 * young * radius**2 / 4 / density / length**3
    model = discretize(beam(20, length=length, radius=radius, young=young, density=density, frame=ALONG_Z))
    free = natural_modes(model, WEIGHTLESS).frequency[0]
    shares = np.array([0.25, 0.5, 0.9, 0.99])
    squares = [
        (natural_modes(model, Sample(gravity=(0.0, 0.0, -share * buckles))).frequency[0] / free) ** 2
        for share in shares
    ]
    assert squares == pytest.approx(1.0 - shares, abs=5e-3)


@pytest.mark.parametrize("order", [(3, 4), (12, 7)])
def test_large_trees_are_quick_and_their_modes_satisfy_the_equations(order):
    model = discretize(binary_tree(*order, radius=0.012, young=5e9), "double_root")
    modes = natural_modes(model, Sample(), 3)
    begin = time.perf_counter()
    again = natural_modes(model, Sample(), 1)
    assert time.perf_counter() - begin < 2.0
    assert again.frequency[0] == pytest.approx(modes.frequency[0], rel=1e-9)
    assert (np.diff(modes.frequency) >= 0.0).all()


@pytest.mark.parametrize("kind", ["beam", "tree"])
def test_measured_decay_has_the_ratio_that_was_asked_for(kind):
    """2 % at 3 Hz and h = 1/240, by logarithmic decrement over ten swings."""
    make = {"beam": lambda e: beam(8, young=e), "tree": lambda e: binary_tree(3, 3, radius=0.006, young=e)}[kind]
    young = 1e9 * (3.0 / natural_modes(discretize(make(1e9)), WEIGHTLESS).frequency[0]) ** 2
    model = discretize(make(young))
    damped = with_damping(model, ratio=0.02, sample=WEIGHTLESS)
    assert damped.frequency == pytest.approx(3.0, rel=1e-6)
    mode = natural_modes(model, WEIGHTLESS).shape[0]
    peaks = decay(damped.model, mode, 3.0, 4.0)
    half_swings = 20
    decrement = np.log(peaks[0] / peaks[half_swings]) / half_swings
    measured = decrement / np.hypot(np.pi, decrement)
    assert measured == pytest.approx(0.02, rel=0.05)


def test_ratio_where_weight_matters():
    """The springs' share of the stiffness damps; the measured time is longer than without the weight."""
    model = discretize(beam(10, length=1.6, radius=0.005, young=1e9, density=900.0, frame=ALONG_Z))
    heavy, light = with_damping(model, ratio=0.05), with_damping(model, ratio=0.05, sample=WEIGHTLESS)
    assert light.model.bodies.damping_time[0] == pytest.approx(0.1 / (2 * np.pi * light.frequency), rel=1e-9)
    assert heavy.ratio == pytest.approx(0.05, rel=1e-12)
    assert heavy.frequency < 0.9 * light.frequency
    told = modal_damping(heavy.model)
    assert (told.frequency, told.ratio) == pytest.approx((heavy.frequency, 0.05), rel=1e-9)


def test_constant_and_time():
    model = discretize(beam(10))
    timed = with_damping(model, time=0.01, sample=WEIGHTLESS)
    assert timed.ratio == pytest.approx(0.01 * np.pi * timed.frequency, rel=1e-9)
    constant = with_damping(model, constant=0.3, sample=WEIGHTLESS)
    shape = natural_modes(model, WEIGHTLESS).shape[0]
    assert constant.ratio == pytest.approx(0.3 * (shape**2).sum() / (4 * np.pi * constant.frequency), rel=1e-6)
    assert (constant.model.bodies.damping == 0.3).all()
    assert (constant.model.bodies.damping_time == 0.0).all()
    assert (model.bodies.damping == 0.0).all()


def test_modes_in_a_wind_field_are_about_the_pose_that_settling_finds():
    """A shear stiffens and slows by the air where the plant leans to, not where it is drawn."""
    model = discretize(binary_tree(3, 3, radius=0.004, young=4e7, damping_time=0.02))

    def shear(points, time):
        return np.outer(points[:, 2], ((0.0 if time < 1.0 else 40.0), 0.0, 0.0))

    sample = Sample(wind=shear, time=2.0)
    plant = Simulation(model)
    plant.start(sample, "settled")
    air = plant.at_rest()[2].loads.air.copy()
    modes = natural_modes(model, sample, 3)
    bodies, q, world = plant.at_rest()
    assert np.array_equal(world.loads.air, air)
    assert np.abs(world.loads.air - read_anew(plant, sample).at_rest()[2].loads.air).max() < 1e-12
    about = modes_at(model, bodies, q, world, 3)
    assert modes.frequency == pytest.approx(about.frequency, rel=1e-12)
    drawn = Simulation(model)
    drawn.start(sample)
    old = modes_at(model, bodies, q, drawn.at_rest()[2], 3)
    assert np.abs(modes.frequency / old.frequency - 1.0).max() > 1e-3
    told = modal_damping(model, sample)
    assert told.frequency == pytest.approx(modes.frequency[0], rel=1e-9)


def test_where_no_pose_suits_the_wind_there_are_no_modes():
    def above(points, time):
        return np.where(points[:, 2:] > 0.15, (40.0, 0.0, 0.0), 0.0)

    model = discretize(beam(1, length=0.3, radius=0.002, young=2e8, frame=ALONG_Z))
    with pytest.raises(SolverError, match="no stable equilibrium was found to swing about"):
        natural_modes(model, Sample(wind=above))


def test_what_has_no_frequency_is_refused():
    free = discretize(beam(3, stiffness=[[1.0, 1.0, 1.0], [0.0, 0.0, 0.0], [1.0, 1.0, 1.0]], frame=DOWN), "base")
    with pytest.raises(SolverError, match="without resistance") as error:
        natural_modes(free)
    assert error.value.rod == 1
    tall = discretize(beam(20, length=3.0, radius=0.005, young=1e9, frame=ALONG_Z))
    with pytest.raises(SolverError, match="not stable"):
        natural_modes(tall, start="keep_shape")
    with pytest.raises(SolverError, match="a side to lean to"):  # fallen, a round stem goes round without resistance
        natural_modes(tall)
    with pytest.raises(SolverError, match="choose one of settled, keep_shape"):
        natural_modes(tall, start="drawn")
    with pytest.raises(SolverError, match="number of modes"):
        natural_modes(tall, count=0)
    for wrong in ({}, {"time": 1.0, "ratio": 0.1}, {"ratio": -1.0}, {"ratio": np.nan}):
        with pytest.raises(SolverError):
            with_damping(tall, **wrong)
