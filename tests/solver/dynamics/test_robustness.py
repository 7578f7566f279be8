# SPDX-License-Identifier: GPL-3.0-or-later
"""No number makes a pose that is not finite; what cannot be simulated is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import COARSE, LAYOUTS, LIMITED, OK, STOPPED, Sample, Settings, Simulation, SolverError, discretize
from tests.oracles.models import beam, binary_tree, random_rods


def assert_finite(plant):
    for array in (*plant.state, plant.rod_heads(), plant.rod_tails(), plant.rod_orientations()):
        assert np.isfinite(array).all()
    assert np.abs(np.linalg.norm(plant.rod_orientations(), axis=1) - 1.0).max() < 1e-9


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("young", [1.0, 1e3, 1e6, 1e9, 1e13])
@pytest.mark.parametrize("duration", [1 / 24, 1.0])
def test_any_stiffness_and_frame(young, duration, layout):
    plant = Simulation(discretize(binary_tree(3, 3, young=young), layout), Settings(max_step=duration, halvings=4))
    for mode in ("drawn", "settled"):
        plant.start(Sample(), mode)
        for k in range(12):
            plant.advance(Sample(base_position=(0.1 * k, 0.0, 0.0)), duration)
            assert_finite(plant)


@pytest.mark.parametrize("size", [1e3, 1e9, 1e30])
@pytest.mark.parametrize(
    "what", ["force", "torque", "twist", "gravity", "base_position", "pull_target", "pull_stiffness"]
)
def test_absurd_loads_are_finite_and_said_to_be_limited(what, size):
    model = discretize(binary_tree(3, 3))
    n = model.rod_count
    sample = {
        "pull_rod": [n - 1], "pull_along": [1.0], "pull_target": [[0.0, 1.0, 1.0]], "pull_stiffness": [1.0],
        "pull_damping": [0.0],
    }  # fmt: skip
    shapes = {
        "force": (n, 3),
        "torque": (n, 3),
        "twist": n,
        "gravity": 3,
        "base_position": 3,
        "pull_target": (1, 3),
        "pull_stiffness": 1,
    }
    sample[what] = np.full(shapes[what], size)
    plant = Simulation(model, Settings(halvings=2, tolerance=np.inf))
    plant.start(Sample())
    worst = OK
    for _ in range(6):
        worst = max(worst, plant.advance(Sample(**sample), 1 / 24).status)
        assert_finite(plant)
    if size > 1e8:
        assert worst in (LIMITED, STOPPED)
    # What was absurd once does not stay: the plant goes on in a sane world.
    for _ in range(48):
        report = plant.advance(Sample(), 1 / 24)
        assert_finite(plant)
    if what != "base_position":
        assert report.status in (OK, COARSE)


def test_no_stiffness_left():
    plant = Simulation(discretize(binary_tree(3, 3, damping_time=0.02, joint_damping=1e-5)))
    plant.start(Sample(), "settled")
    for _ in range(48):
        assert plant.advance(Sample(stiffness_scale=0.0), 1 / 24).status == OK
        assert_finite(plant)
    with pytest.raises(SolverError, match="too soft"):
        plant.start(Sample(stiffness_scale=0.0), "keep_shape")


def test_loads_too_large_to_settle_are_refused_and_the_plant_is_usable_again():
    plant = Simulation(discretize(beam(5)), Settings(settle_iterations=50))
    try:
        plant.start(Sample(gravity=(1e40, 0.0, 0.0)), "settled")
    except SolverError:
        with pytest.raises(SolverError, match="start the simulation"):
            plant.advance(Sample(), 1 / 24)
    assert np.isfinite(plant.state.q).all()
    plant.start(Sample(), "settled")
    assert plant.advance(Sample(), 1 / 24).status == OK


REFUSED = {
    "gravity": {"gravity": (0.0, 0.0, np.nan)},
    "base_position": {"base_position": (np.inf, 0.0, 0.0)},
    "base_orientation": {"base_orientation": (0.0, 0.0, 0.0, 0.0)},
    "stiffness_scale": {"stiffness_scale": -1.0},
    "force has": {"force": np.zeros((2, 3))},
    r"force\[0, 0\] is nan, expected a number": {"force": np.full((5, 3), np.nan)},
    "twist": {"twist": np.full(5, np.inf)},
    "pull_rod": {
        "pull_rod": [5],
        "pull_along": [0.0],
        "pull_target": [[0, 0, 0]],
        "pull_stiffness": [1],
        "pull_damping": [0],
    },
    "pull_target": {
        "pull_rod": [1],
        "pull_along": [0.0],
        "pull_target": [[0, 0]],
        "pull_stiffness": [1],
        "pull_damping": [0],
    },
    r"gravity\[0\] is 1e\+60, expected a number from -1e\+50 to 1e\+50": {"gravity": (1e60, 0.0, 0.0)},
}


@pytest.mark.parametrize("words", REFUSED)
def test_bad_samples_are_refused_and_change_nothing(words):
    plant = Simulation(discretize(beam(5)))
    with pytest.raises(SolverError, match=words):
        plant.start(Sample(**REFUSED[words]))
    plant.start(Sample())
    plant.advance(Sample(), 1 / 24)
    before, tails = plant.state, plant.rod_tails()
    with pytest.raises(SolverError, match=words):
        plant.advance(Sample(**REFUSED[words]), 1 / 24)
    assert all(np.array_equal(one, other) for one, other in zip(before, plant.state, strict=True))
    assert np.array_equal(tails, plant.rod_tails())


def test_settings_and_calls_are_checked():
    for settings in ({"max_step": 0.0}, {"max_step": np.nan}, {"scheme": "rk4"}, {"halvings": -1}):
        with pytest.raises(SolverError):
            Settings(**settings)
    plant = Simulation(discretize(beam(3)))
    with pytest.raises(SolverError, match="start the simulation"):
        plant.advance(Sample(), 1 / 24)
    with pytest.raises(SolverError, match="start the simulation"):
        plant.snapshot()
    with pytest.raises(SolverError, match="unknown start"):
        plant.start(Sample(), "somehow")
    plant.start(Sample())
    for duration in (0.0, -1.0, np.nan, np.inf):
        with pytest.raises(SolverError):
            plant.advance(Sample(), duration)
    hurried = Simulation(discretize(beam(3)), Settings(max_step=1e-12))
    hurried.start(Sample())
    with pytest.raises(SolverError, match="steps"):
        hurried.advance(Sample(), 1.0)


def decades(low, high):
    return st.floats(low, high).map(lambda x: 10.0**x)


@given(
    seed=st.integers(0, 2**32 - 1), count=st.integers(1, 12), young=decades(0, 13), thickness=decades(-2, 1),
    density=decades(-1, 5), damping=decades(-5, 2), joint_damping=decades(-9, 1), push=decades(-3, 4),
    pull=decades(-3, 7), scale=decades(-6, 3), gravity=st.floats(-100, 100), layout=st.sampled_from(LAYOUTS),
    scheme=st.sampled_from(["bdf2", "backward_euler"]), mode=st.sampled_from(["drawn", "settled", "keep_shape"]),
    duration=st.sampled_from([1 / 60, 1 / 24, 1.0]),
)  # fmt: skip
def test_random_plants_in_random_worlds_stay_finite(
    seed,
    count,
    young,
    thickness,
    density,
    damping,
    joint_damping,
    push,
    pull,
    scale,
    gravity,
    layout,
    scheme,
    mode,
    duration,
):
    rng = np.random.default_rng(seed)
    rods = random_rods(rng, count, young=young, density=density, damping_time=damping, joint_damping=joint_damping)
    rods.radius_base *= thickness
    rods.radius_tip *= thickness
    plant = Simulation(
        discretize(rods, layout), Settings(max_step=duration / 4, scheme=scheme, halvings=3, settle_iterations=200)
    )
    world = Sample(gravity=(0.0, 0.0, gravity), stiffness_scale=scale)
    try:
        plant.start(world, mode)
    except SolverError:
        plant.start(world)
    assert_finite(plant)
    for _ in range(5):
        sample = Sample(
            gravity=(0.0, 0.0, gravity), stiffness_scale=scale, base_position=rng.normal(size=3) * 0.1 * push,
            base_orientation=rng.normal(size=4), force=rng.normal(size=(count, 3)) * push,
            torque=rng.normal(size=(count, 3)) * push, twist=rng.normal(size=count) * push, pull_rod=[count - 1],
            pull_along=[rng.random()], pull_target=[rng.normal(size=3)],
            pull_stiffness=[pull], pull_damping=[0.01 * pull],
        )  # fmt: skip
        report = plant.advance(sample, duration)
        assert report.status in (OK, COARSE, LIMITED, STOPPED)
        assert_finite(plant)


def test_plants_without_any_drag():
    """They have no surfaces for the air to act on."""
    still = beam(4, drag_across=0.0, drag_along=0.0)
    for models in ([discretize(still)], [discretize(still)] * 3, [discretize(still), discretize(beam(4))]):
        plant = Simulation(models)
        plant.start(Sample(wind=(3.0, 0.0, 0.0)), "settled")
        plant.advance(Sample(wind=(5.0, 0.0, 0.0)), 1 / 24)
        assert_finite(plant)


def test_many_halvings_end():
    """A base thrown over 100 km in a frame, with steps that may be halved twenty times."""
    plant = Simulation(discretize(beam(4)), Settings(halvings=20))
    plant.start(Sample())
    assert plant.advance(Sample(base_position=(1e5, 0.0, 0.0)), 1 / 24).steps <= 100_000
