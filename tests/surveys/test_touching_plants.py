# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever squeezes a plant, appears or vanishes: it stays finite, outside, and gains no energy from what stands still.

The full form of 10 000 scenes: python -m tests.surveys.touching_plants 10000
"""

import pytest

from tests.surveys.touching_plants import run_case

CASES, CHUNK = 60, 20


@pytest.mark.parametrize("first", range(0, CASES, CHUNK))
def test_random_plants_among_random_colliders(first):
    problems = {case: problem for case in range(first, first + CHUNK) if (problem := run_case(case))}
    assert not problems


@pytest.mark.parametrize("case", [434, 3423, 8946])
def test_what_slides_along_what_is_left_alone_is_not_thrown(case):
    """It came from a half of a rod, or a rod, that overlapped as drawn, and was a radius inside at once."""
    assert not run_case(case)


def test_what_bounces_off_inside_and_is_pressed_in_again_is_not_thrown():
    """The spring of where it touched from then on gave it what nothing had put in."""
    assert not run_case(464244)


def test_what_is_squeezed_until_solves_break_down_goes_on():
    """The step was tried again with what the solves that had broken down left, and stopped the plant."""
    assert not run_case(476308)


@pytest.mark.parametrize("case", [488915, 503852])
def test_what_is_pressed_far_into_a_thin_box_comes_out_where_it_went_in(case):
    """Its points looked to both faces from the middle on, which held it there for ever."""
    assert not run_case(case)


def test_what_is_pressed_through_the_ground_comes_out_again():
    """Its friction remembered what would have borne it where a step far too long led, 4e11 N, and held it for ever."""
    assert not run_case(705631)
