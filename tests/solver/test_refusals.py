# SPDX-License-Identifier: GPL-3.0-or-later
"""Input of the wrong kind, shape or size is refused with one clear error that says what, where and what is expected."""

from functools import partial

import numpy as np
import pytest

from solver import (
    GustyWind,
    Rods,
    Sample,
    Settings,
    Simulation,
    SolverError,
    UniformWind,
    discretize,
    hall_chain,
    modal_damping,
    natural_modes,
    with_damping,
)
from tests.oracles.models import ALONG_Z, beam

TEXT = "abc"
NO_NUMBERS = [TEXT, "1", None, True, 1.0 + 2.0j, object(), [[1.0, 2.0], [3.0]], 10**400, {}]
#: Those that are refused also where nothing may be given.
WRONG = [value for value in NO_NUMBERS if value is not None]


def tried(names):
    """Every name with a text and with nothing, which some may be; the first with all, for they go through one check."""
    others = [(name, value) for name in names[1:] for value in (TEXT, None)]
    return [(names[0], value) for value in NO_NUMBERS] + others


def three_rods(**columns):
    good = {
        "parent": [-1, 0, 1], "head": np.zeros((3, 3)), "frame": ALONG_Z, "length": 1.0,
        "radius_base": 0.1, "radius_tip": 0.1, "young": 1e9, "density": 1000.0,
    }  # fmt: skip
    return Rods(**(good | columns))


def pulled(**changes):
    good = {
        "pull_rod": [1, 2], "pull_along": [0.0, 1.0], "pull_target": np.ones((2, 3)), "pull_stiffness": [1.0, 0.0],
        "pull_damping": [0.0, 1.0],
    }  # fmt: skip
    return good | changes


def refused(words, make):
    """The message of the error that the call raises, which contains the words."""
    with pytest.raises(SolverError) as error:
        make()
    assert words in error.value.message
    return error.value


def all_refused(calls):
    """Whether each call, given with words, raises an error that contains them; told are all that do not."""
    offenders = []
    for words, make in calls:
        try:
            made = make()
        except SolverError as error:
            made = error.message
        if not isinstance(made, str) or words not in made:
            offenders.append((words, made))
    assert not offenders


COLUMNS = [name for name in Rods.__dataclass_fields__ if name != "parent_index"]


def test_columns_of_rods_that_are_no_numbers():
    all_refused(
        (f"{name.replace('_', ' ')} must be", partial(three_rods, **{name: value})) for name, value in tried(COLUMNS)
    )


ROD_NUMBERS = {
    "half a parent": ({"parent": [-1, 0, 0.5]}, "parent[2] is 0.5, expected a whole number", None),
    "no parent": ({"parent": [-1, np.nan, 0]}, "parent[1] is nan, expected a whole number", None),
    "rows of parents": ({"parent": [[-1, 0, 1]]}, "parent has shape (1, 3), expected (n,)", None),
    "far beyond": ({"parent": [-1, 1e300, 0]}, "its parent does not come before it", 1),
    "far below": ({"parent": [-1, -1e300, 0]}, "its parent does not come before it", 1),
    "below the base": ({"parent": [-1, -2, 0]}, "its parent does not come before it", 1),
    "infinite mass": ({"mass": [1.0, np.inf, 1.0]}, "mass is not a finite number", 1),
    "infinite centre": ({"com": [0.0, np.inf, 0.0]}, "com is not a finite number", 0),
    "infinite inertia": ({"inertia": [1.0, 1.0, np.inf]}, "inertia is not a finite number", 0),
    "infinite stiffness": ({"stiffness": [[1.0] * 3, [1.0] * 3, [-np.inf] * 3]}, "stiffness is not a finite number", 2),
    "part of a centre": ({"com": [np.nan, 0.5, 0.0]}, "com is given in part: give all three numbers or none", 0),
    "part of an inertia": ({"inertia": [1.0, np.nan, 1.0]}, "inertia is given in part: give all three", 0),
    "part of a stiffness": ({"stiffness": [1.0, 1.0, np.nan]}, "stiffness is given in part: give all three", 0),
    "half pinned": ({"pinned": [0.0, 0.5, 1.0]}, "pinned must be true or false", 1),
    "unknown whether pinned": ({"pinned": [0.0, 0.0, np.nan]}, "pinned must be true or false", 2),
    "shape": ({"head": np.zeros((2, 3))}, "head has shape (2, 3), expected (3, 3)", None),
}


@pytest.mark.parametrize("case", ROD_NUMBERS)
def test_columns_of_rods_that_make_no_sense(case):
    columns, words, rod = ROD_NUMBERS[case]
    assert refused(words, lambda: three_rods(**columns)).rod == rod


def test_whole_parents_and_truth_may_be_written_as_one_likes():
    for parent in ([-1, 0, 1], np.array([-1.0, 0.0, 1.0]), np.array([-1, 0, 1], dtype=np.int32)):
        assert three_rods(parent=parent).parent_index.tolist() == [-1, 0, 1]
    for pinned in ([False, True, False], [0, 1, 0], [0.0, 1.0, 0.0]):
        assert three_rods(pinned=pinned).array("pinned").tolist() == [0.0, 1.0, 0.0]


def start_and_advance(sample):
    """What the errors of start and of advance have in common, and that a refusal leaves the plant as it was."""
    plant = Simulation(discretize(beam(5)))
    with pytest.raises(SolverError) as first:
        plant.start(Sample(**sample))
    plant.start(Sample())
    before = plant.state
    with pytest.raises(SolverError) as second:
        plant.advance(Sample(**sample), 1 / 24)
    assert all(np.array_equal(a, b) for a, b in zip(before, plant.state, strict=True))
    assert plant.time == 0.0
    assert first.value.message == second.value.message
    return first.value.message


FIELDS = [name for name in Sample.__dataclass_fields__ if name not in ("buoyancy", "touches_itself", "touches_others")]
MAY_BE_NONE = [name for name, field in Sample.__dataclass_fields__.items() if field.default is None]


def test_fields_of_samples_that_are_no_numbers():
    wind = {"wind": UniformWind((1.0, 0.0, 0.0))}
    all_refused(
        (f"{name} must be", partial(start_and_advance, pulled(**wind if name == "time" else {}) | {name: value}))
        for name, value in tried(FIELDS)
        if value is not None or name not in MAY_BE_NONE
    )


SAMPLES = {
    "half a rod": (pulled(pull_rod=[1, 1.5]), "pull_rod[1] is 1.5, expected a whole number from 0 to 4"),
    "a rod below": (pulled(pull_rod=[-1, 1]), "pull_rod[0] is -1, expected a whole number from 0 to 4"),
    "a rod beyond": (pulled(pull_rod=[0, 5]), "pull_rod[1] is 5, expected a whole number from 0 to 4"),
    "no rod": (pulled(pull_rod=[0, np.nan]), "pull_rod[1] is nan, expected a whole number from 0 to 4"),
    "a rod as a row": (pulled(pull_rod=[[0, 1]]), "pull_rod has shape (1, 2), expected (k,)"),
    "before the base": (pulled(pull_along=[-0.1, 1.0]), "pull_along[0] is -0.1, expected a number from 0 to 1"),
    "beyond the tip": (pulled(pull_along=[0.0, 1.5]), "pull_along[1] is 1.5, expected a number from 0 to 1"),
    "a push": (pulled(pull_stiffness=[0.0, -2.0]), "pull_stiffness[1] is -2, expected a number from 0 to 1e+50"),
    "a drive": (pulled(pull_damping=[-0.5, 0.0]), "pull_damping[0] is -0.5, expected a number from 0 to 1e+50"),
    "one target": (pulled(pull_target=[1.0, 1.0, 1.0]), "pull_target has shape (3,), expected (2, 3)"),
    "too few": (pulled(pull_damping=[0.0]), "pull_damping has shape (1,), expected (2,)"),
    "targets of nothing": ({"pull_target": [[0.0, 0.0, 0.0]]}, "pull_target has shape (1, 3), expected (0, 3)"),
    "stiffness of nothing": ({"pull_stiffness": [1.0]}, "pull_stiffness has shape (1,), expected (0,)"),
    "vacuum, no number": ({"air_density": np.nan}, "air_density is nan, expected a number from 0 to 1e+50"),
    "vacuum, negative": ({"air_density": -1.0}, "air_density is -1, expected a number from 0 to 1e+50"),
    "vacuum, infinite": ({"air_density": np.inf}, "air_density is inf, expected a number from 0 to 1e+50"),
    "air, negative": ({"air_density": -1.0, "wind": (1.0, 0.0, 0.0)}, "air_density is -1, expected"),
    "two densities": ({"air_density": [1.0, 2.0]}, "air_density has shape (2,), expected one number"),
    "negative stiffness": ({"stiffness_scale": -0.5}, "stiffness_scale is -0.5, expected a number from 0 to 1e+50"),
    "buoyancy of a number": ({"buoyancy": 0.5}, "buoyancy is 0.5, expected True or False"),
    "touching by a number": ({"touches_itself": 1}, "touches_itself is 1, expected True or False"),
    "buoyancy of numbers": ({"buoyancy": [True, False]}, "buoyancy is [True, False], expected True or False"),
    "where": ({"force": np.where(np.arange(15).reshape(5, 3) == 7, np.nan, 0.0)}, "force[2, 1] is nan, expected"),
    "wind": ({"wind": (0.0, np.nan, 0.0)}, "wind[1] is nan, expected a number"),
    "wind of rods": ({"wind": np.zeros((4, 3))}, "wind has shape (4, 3), expected (3,) or (5, 3)"),
    "wind as a column": ({"wind": np.zeros((3, 1))}, "wind has shape (3, 1), expected (3,) or (5, 3)"),
    "a field of text": ({"wind": lambda points, time: TEXT}, "wind must be"),
    "a field of no numbers": ({"wind": lambda points, time: points * np.nan}, "wind[0, 0] is nan, expected a number"),
    "a field of few": ({"wind": lambda points, time: np.zeros(3)}, "wind has shape (3,), expected"),
    "no time": ({"wind": UniformWind((0, 0, 0)), "time": np.nan}, "time is nan, expected a finite number"),
    "no time, no wind": ({"time": np.nan}, "time is nan, expected a finite number"),
}


def test_samples_that_make_no_sense():
    all_refused((words, partial(start_and_advance, sample)) for sample, words in SAMPLES.values())


def test_pulls_at_the_ends_of_the_range_are_taken():
    plant = Simulation(discretize(beam(5)))
    plant.start(Sample(**pulled(pull_rod=[0, 4])))
    plant.advance(Sample(**pulled(pull_rod=np.array([0.0, 4.0])), buoyancy=np.bool_(True)), 1 / 24)


def test_settings_that_are_no_numbers():
    names = [name for name in Settings.__dataclass_fields__ if name != "scheme"]
    all_refused((f"{name} must be", partial(Settings, **{name: value})) for name, value in tried(names))


SETTINGS = {
    "no step": ({"max_step": 0.0}, "max_step is 0, expected a number more than 0"),
    "a step back": ({"max_step": -1.0}, "max_step is -1, expected"),
    "nan step": ({"max_step": np.nan}, "max_step is nan, expected"),
    "endless step": ({"max_step": np.inf}, "max_step is inf, expected"),
    "steps": ({"max_step": [0.1, 0.2]}, "max_step has shape (2,), expected one number"),
    "tolerance": ({"tolerance": 0.0}, "tolerance is 0, expected a number more than 0"),
    "nan tolerance": ({"tolerance": np.nan}, "tolerance is nan"),
    "newton": ({"newton_tolerance": -1e-5}, "newton_tolerance is -1e-05, expected a number more than 0"),
    "half a halving": ({"halvings": 2.5}, "halvings is 2.5, expected a whole number from 0 to 20"),
    "halvings": ({"halvings": 21}, "halvings is 21, expected a whole number from 0 to 20"),
    "nan halvings": ({"halvings": np.nan}, "halvings is nan, expected a whole number from 0 to 20"),
    "half a thread": ({"threads": 1.5}, "threads is 1.5, expected a whole number of at least 0"),
    "threads": ({"threads": -1}, "threads is -1, expected a whole number of at least 0"),
    "endless threads": ({"threads": np.inf}, "threads is inf, expected a whole number"),
    "settling": ({"settle_tolerance": 0.0}, "settle_tolerance is 0, expected a number more than 0"),
    "half an iteration": ({"settle_iterations": 10.5}, "settle_iterations is 10.5, expected a whole number"),
    "endless settling": ({"settle_iterations": 1e300}, "settle_iterations is 1e+300, expected a whole number from 1"),
    "no iteration": ({"settle_iterations": 0}, "settle_iterations is 0, expected a whole number from 1 to 1e+09"),
    "scheme": ({"scheme": "rk4"}, "unknown scheme 'rk4', choose one of bdf2, backward_euler"),
    "no scheme": ({"scheme": None}, "unknown scheme None"),
    "schemes": ({"scheme": ["bdf2"]}, "unknown scheme ['bdf2']"),
}


def test_settings_that_make_no_sense():
    all_refused((words, partial(Settings, **settings)) for settings, words in SETTINGS.values())


def test_whole_settings_may_be_written_as_floats():
    settings = Settings(halvings=np.int32(3), threads=2.0, settle_iterations=np.float64(50.0), max_step=1)
    assert [type(x) for x in (settings.halvings, settings.threads, settings.settle_iterations)] == [int, int, int]
    assert settings == Settings(halvings=3, threads=2, settle_iterations=50, max_step=1.0)
    plant = Simulation([discretize(beam(2))] * 3, settings)
    plant.start(Sample())
    plant.advance(Sample(), 1 / 24)


def test_other_arguments_that_are_no_numbers():
    plant = Simulation(discretize(beam(3)))
    plant.start(Sample())
    all_refused(("duration must be", partial(plant.advance, Sample(), value)) for value in NO_NUMBERS)
    all_refused(("initial must be", partial(plant.start, Sample(), initial=value)) for value in WRONG)
    all_refused(("unknown start", partial(plant.start, Sample(), [value])) for value in NO_NUMBERS)


WIND_NUMBERS = [
    "velocity", "turbulence_intensity", "length_scale", "seed", "loop", "height_exponent", "reference_height",
]  # fmt: skip


def test_winds_of_no_numbers():
    good = {"velocity": (8.0, 0.0, 0.0)}
    all_refused(
        (f"{name} of the wind must be", partial(GustyWind, **(good | {name: value})))
        for name, value in tried(WIND_NUMBERS)
        if (name, value) != ("loop", None)
    )
    all_refused(("velocity of the wind must be", partial(UniformWind, value)) for value in NO_NUMBERS)


def test_questions_of_no_numbers_to_a_wind():
    for wind in (UniformWind((1.0, 0.0, 0.0)), GustyWind((1.0, 0.0, 0.0))):
        all_refused(("points must be", partial(wind, value, 0.0)) for value in NO_NUMBERS)
        all_refused(("time must be", partial(wind, np.zeros((1, 3)), value)) for value in NO_NUMBERS)


WINDS = {
    "half a seed": ({"seed": 1.5}, "seed of the wind is 1.5, expected a whole number of at least 0"),
    "seed": ({"seed": -1}, "seed of the wind is -1, expected a whole number of at least 0"),
    "length": ({"length_scale": 0.0}, "length_scale of the wind is 0, expected a number from 0.001 to 1e+06"),
    "speed": ({"velocity": (np.nan, 0.0, 0.0)}, "velocity of the wind[0] is nan, expected a number"),
    "plane": ({"velocity": (1.0, 0.0)}, "velocity of the wind has shape (2,), expected (3,)"),
    "spectrum": ({"spectrum": "white"}, "unknown spectrum 'white', choose one of von_karman, kaimal"),
    "spectra": ({"spectrum": ["kaimal"]}, "unknown spectrum ['kaimal'], choose one of von_karman, kaimal"),
}


def test_winds_that_make_no_sense():
    good = {"velocity": (8.0, 0.0, 0.0)}
    all_refused((words, partial(GustyWind, **good | options)) for options, words in WINDS.values())


def test_large_seeds_are_kept_to_the_last_digit():
    assert GustyWind((1.0, 0.0, 0.0), seed=2**60 + 1).seed == 2**60 + 1


def test_a_tip_error_that_is_no_number():
    all_refused(("tip_error must be", partial(discretize, beam(2), tip_error=value)) for value in WRONG)


def test_segments_that_are_no_numbers():
    all_refused(("segments must be", partial(discretize, beam(2), segments=value)) for value in NO_NUMBERS)


SEGMENTS = {
    "half": (2.5, "segments is 2.5, expected a whole number from 1 to"),
    "half of one rod": ([1, 2.5], "segments[1] is 2.5, expected a whole number from 1 to"),
    "none": ([1, 0], "segments[1] is 0, expected a whole number from 1 to"),
    "endless": (np.inf, "segments is inf, expected a whole number from 1 to"),
    "more than memory holds": (10**12, "segments is 1e+12, expected a whole number from 1 to"),
    "of other rods": ([1, 2, 3], "segments has shape (3,), expected one number or (2,)"),
    "of no rods": ([], "segments has shape (0,), expected one number or (2,)"),
    "in rows": ([[1, 2]], "segments has shape (1, 2), expected (m,)"),
}


def test_segments_that_make_no_sense():
    all_refused((words, partial(discretize, beam(2), segments=segments)) for segments, words in SEGMENTS.values())


def test_whole_segments_may_be_written_as_floats():
    assert discretize(beam(2), segments=[1.0, 2.0]).joint_count.tolist() == [2, 4]


HALL_NUMBERS = ["gravity", "force", "torque", "segments", "increments", "tolerance", "iterations"]


def test_arguments_of_halls_chain_that_are_no_numbers():
    all_refused(
        (f"{name} must be", partial(hall_chain, beam(2), **{name: value}))
        for name, value in tried(HALL_NUMBERS)
        if value is not None or name not in ("force", "torque")
    )


HALL = {
    "half a segment": ({"segments": 1.5}, "segments is 1.5, expected a whole number from 1 to"),
    "segments of rods": ({"segments": [1, 2]}, "segments has shape (2,), expected one number"),
    "segments": ({"segments": 10**12}, "segments is 1e+12, expected a whole number from 1 to"),
    "increments": ({"increments": 0}, "increments is 0, expected a whole number from 1 to 1e+09"),
    "half an increment": ({"increments": 2.5}, "increments is 2.5, expected a whole number from 1 to 1e+09"),
    "iterations": ({"iterations": 10**12}, "iterations is 1e+12, expected a whole number from 1 to 1e+09"),
    "no iteration": ({"iterations": np.nan}, "iterations is nan, expected a whole number from 1 to 1e+09"),
    "tolerance": ({"tolerance": -1.0}, "tolerance is -1, expected a number more than 0"),
    "nan tolerance": ({"tolerance": np.nan}, "tolerance is nan, expected a number more than 0"),
    "elements": ({"element": ["3R"]}, "unknown element ['3R'], choose one of 1R, 3R, 3R corrected"),
    "form": ({"form": np.array(["fast", "direct"])}, "unknown form"),
    "step": ({"step": None}, "unknown step None, choose one of full, cautious"),
}


def test_arguments_of_halls_chain_that_make_no_sense():
    all_refused((words, partial(hall_chain, beam(2), **options)) for options, words in HALL.values())


def test_numbers_of_modes_and_damping_that_are_none():
    model = discretize(beam(2))
    all_refused(("number of modes must be", partial(natural_modes, model, count=value)) for value in NO_NUMBERS)
    for name in ("constant", "time", "ratio"):
        all_refused((f"damping {name} must be", partial(with_damping, model, **{name: value})) for value in WRONG)
    for make in (natural_modes, modal_damping):
        all_refused(("unknown start", partial(make, model, start=[value])) for value in NO_NUMBERS)


MODES = {
    "no mode": (lambda model: natural_modes(model, count=0), "number of modes is 0, expected a whole number from 1 to"),
    "half": (lambda model: natural_modes(model, count=1.5), "number of modes is 1.5, expected a whole number"),
    "more": (lambda model: natural_modes(model, count=10**12), "number of modes is 1e+12, expected a whole number"),
    "counts": (lambda model: natural_modes(model, count=[1, 2]), "number of modes has shape (2,), expected one"),
    "drawn": (lambda model: natural_modes(model, start="drawn"), "unknown start of modes 'drawn', choose one of"),
    "drive": (lambda model: with_damping(model, ratio=-0.1), "damping ratio is -0.1, expected a number from 0 to"),
    "nan time": (lambda model: with_damping(model, time=np.nan), "damping time is nan, expected a number from 0 to"),
    "endless": (lambda model: with_damping(model, constant=np.inf), "damping constant is inf, expected a number"),
    "constants": (lambda model: with_damping(model, constant=[1.0, 2.0]), "damping constant has shape (2,), expected"),
    "none": (with_damping, "give one of a damping constant, a damping time and a damping ratio"),
    "two": (lambda model: with_damping(model, 0.1, 0.1), "give one of a damping constant, a damping time and a"),
}  # fmt: skip


def test_modes_and_damping_that_make_no_sense():
    all_refused((words, partial(make, discretize(beam(2)))) for make, words in MODES.values())


def test_rotations_to_share_out_that_are_no_numbers():
    all_refused(("rotation must be", partial(discretize(beam(2)).share_out, value)) for value in NO_NUMBERS)


def test_rotations_to_share_out_that_make_no_sense():
    model = discretize(beam(2))
    refused("rotation has shape (3, 3), expected (2, 3)", lambda: model.share_out(np.zeros((3, 3))))
    refused("rotation[1, 0] is nan, expected", lambda: model.share_out([[0.0, 0.0, 0.0], [np.nan, 0.0, 0.0]]))
    assert model.share_out([[1, 0, 0], [0, 0, 2]]).tolist() == [[0.5, 0, 0]] * 2 + [[0, 0, 1.0]] * 2


#: What is asked of a model in a sample.
ASKED = (natural_modes, modal_damping, partial(with_damping, constant=0.1))


def test_what_is_no_model():
    model, words = discretize(beam(2)), "model must be a Model, not"
    all_refused((words, partial(Simulation, wrong)) for wrong in NO_NUMBERS)
    all_refused((words, partial(Simulation, [model, wrong])) for wrong in NO_NUMBERS)
    for make in ASKED:
        all_refused((words, partial(make, wrong, sample=Sample())) for wrong in [*NO_NUMBERS, [model]])
    refused("there is nothing to simulate", lambda: Simulation([]))


def test_what_is_no_sample_and_no_settings():
    model = discretize(beam(2))
    plant = Simulation(model)
    all_refused(("sample must be a Sample, not", partial(plant.start, wrong)) for wrong in NO_NUMBERS)
    plant.start(Sample())
    all_refused(("sample must be a Sample, not", partial(plant.advance, wrong, 1 / 24)) for wrong in NO_NUMBERS)
    for make in ASKED:
        all_refused(("sample must be a Sample, not", partial(make, model, sample=wrong)) for wrong in WRONG)
    all_refused(("settings must be a Settings, not", partial(Simulation, model, wrong)) for wrong in WRONG)
