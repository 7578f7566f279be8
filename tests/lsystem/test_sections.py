# SPDX-License-Identifier: GPL-3.0-or-later
"""What a text says of the sections of its organs."""

import numpy as np
import pytest

from lsystem import ORGANS, LSystemError, grow, presets

TEXT = """
steps: 0
material petiole section=grooved aspect=1.5 twist=31
material leaf section=flat aspect=8
axiom: F(0.1) [ +(40) @section(elliptic) @aspect(2) F(0.1) @twist(12) F(0.1) ] @organ(petiole) F(0.05) ~Leaf(0.1, 0.05)
"""


def test_by_material_lines_and_modules():
    skeleton = grow(TEXT)
    assert np.array_equal(skeleton.section, [np.nan, 1.0, 1.0, 3.0, 2.0], equal_nan=True)
    assert np.array_equal(skeleton.aspect, [np.nan, 2.0, 2.0, 1.5, 8.0], equal_nan=True)
    assert np.array_equal(skeleton.twist, [np.nan, np.nan, 12.0, 31.0, np.nan], equal_nan=True)


@pytest.mark.parametrize("name", ["grass", "meadow_grass"])
def test_blades_of_grasses_have_a_keel(name):
    skeleton = grow(next(one for one in presets() if one.name == name).text)
    assert (skeleton.section[skeleton.organ == ORGANS.index("leaf")] == 3.0).all()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("material leaf section=square", "square"),
        ("material leaf section=5", "one of round, elliptic, flat, grooved"),
        ("material leaf aspect=0", "from 0.01 to 100"),
        ("material leaf twist=-1", "from 0.1 to 1000"),
    ],
)
def test_what_is_no_section_is_refused(line, message):
    with pytest.raises(LSystemError, match=message):
        grow(f"{line}\nsteps: 0\naxiom: F")


def test_modules_that_are_no_section_are_refused():
    with pytest.raises(LSystemError, match="one of round, elliptic, flat, grooved"):
        grow("steps: 0\naxiom: @section(7) F")
