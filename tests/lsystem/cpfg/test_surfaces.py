# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces of any size, where turtles go at them: the one that draws and the one that is asked."""

from dataclasses import replace

import numpy as np
import pytest

from lsystem import ORGANS, derive, interpret, parse
from lsystem.base.sheets import Sheet
from lsystem.language.beside.kinds import Beside, Surface, View


@pytest.mark.parametrize(
    ("string", "end", "far"),
    [
        # as cpfg goes; what is as thin as a line is not drawn
        ("F~l(-1)F", 1.0, (0.0, 0.3)),
        ("{F~l(2)F.f}F", 6.0, (-0.6, 0.0)),
        ("F~l(0)F", 2.0, (0.0, 0.0)),
        ("F~l(0,1,1)F", 2.0, (0.0, 0.0)),
    ],
)
def test_the_turtle_passes_any_surface_to_its_end(string: str, end: float, far: tuple[float, float]):
    """Turned over, within a polygon, of no size or no width: gone along by what is drawn as by what is asked."""
    patch = np.array([[[u - 1.5, v, 0.1 * v] for v in range(4)] for u in range(4)]) / [3.0, 3.0, 1.0]
    leaf = Surface((Sheet(patches=patch[None]),), (0.0, 1.0, 0.0))
    text = f"Lsystem: 1\nderivation length: 1\naxiom: {string}?P(0,0,0)\nendlsystem\n"
    grammar = parse(text)
    assert grammar.program is not None
    grammar = replace(grammar, program=replace(grammar.program, beside=Beside(view=View(surfaces={"l": leaf}))))
    string_with_place = derive(grammar)
    skeleton = interpret(string_with_place, grammar)
    stems = skeleton.organ == ORGANS.index("stem")
    assert skeleton.tail()[stems][-1] / 0.01 == pytest.approx((0.0, 0.0, end), abs=1e-6)
    below = [polygon.patches[..., 1].ravel() / -0.01 for polygon in skeleton.polygons if len(polygon.patches)]
    assert (min(map(min, below), default=0.0), max(map(max, below), default=0.0)) == pytest.approx(far, abs=1e-6)
    *_, told = string_with_place
    assert told.params == pytest.approx((0.0, end, 0.0), abs=1e-6)
