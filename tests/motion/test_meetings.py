# SPDX-License-Identifier: GPL-3.0-or-later
"""Who touches whom of plants that go together, as the solver is told it."""

from itertools import product

import pytest

from plant_dynamics_addon.dynamics.motion.meetings import Member, found_meetings, meetings_of


def touch(found, one, other):
    """Whether bones of two of the plants, or of one, touch, as solver/contact/pairs.py has it."""
    mine, theirs = found.each[one], found.each[other]
    return mine.itself if mine.group == theirs.group else found.others


@pytest.mark.parametrize("touching", [(0, 0, 0), (0, 0, 1), (0, 1, 2), (0, 1, 1)])
def test_what_is_found_is_what_was_asked_for(touching):
    for itself, things in product(product((False, True), repeat=3), repeat=2):
        members = [Member(*one) for one in zip(itself, things, strict=True)]
        found = found_meetings(members, touching)
        if found is None:
            continue
        for one, other in product(range(3), repeat=2):
            wanted = members[one].itself if one == other else touching[one] == touching[other]
            assert touch(found, one, other) == wanted


def test_plants_that_do_not_touch_can_be_tied_whatever_they_do_alone():
    for itself in product((False, True), repeat=2):
        assert found_meetings([Member(one, False) for one in itself], (0, 1)) is not None


def test_where_it_cannot_be_had_each_touches_itself_only():
    members = [Member(False, False)] * 3
    assert found_meetings(members, (0, 0, 1)) is None
    found = meetings_of([Member(True, False), Member(False, False), Member(False, False)], (0, 0, 1))
    assert [touch(found, *pair) for pair in ((0, 0), (1, 1), (0, 1), (0, 2))] == [True, False, False, False]
