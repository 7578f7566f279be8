# SPDX-License-Identifier: GPL-3.0-or-later
"""Any number that somebody types into a file beside one of cpfg is read or refused, at once and in little memory."""

import tracemalloc

import pytest

from lsystem import LSystemError
from lsystem.language.beside.contours import read_contour
from lsystem.language.beside.curves import read_curve
from lsystem.language.beside.functions import read_function, read_function_set
from lsystem.language.beside.surfaces import read_surface
from tests.lsystem.cpfg.at_random.side_files import (
    CONTOUR,
    CURVE,
    FUNCTION,
    FUNCTIONS,
    NUMBER,
    SURFACE,
    TRIANGLES,
    TYPED,
)

READERS = {
    "curve": (CURVE, lambda text: read_curve(text, "c.con", 5)),
    "contour": (CONTOUR, lambda text: read_contour(text, "c.con")),
    "function": (FUNCTION, lambda text: read_function(text, "f.func", 5)),
    "functions": (FUNCTIONS, lambda text: read_function_set(text, "f.fset")),
    "surface": (SURFACE, lambda text: read_surface(text, "s.s", 2.0)),
    "triangles": (TRIANGLES, lambda text: read_surface(text, "t.s", 2.0)),
}


@pytest.mark.parametrize("kind", READERS)
def test_each_number_in_turn(kind):
    text, read = READERS[kind]
    read(text)
    refused, at_once = 0, 20e6
    tracemalloc.start()
    for place in NUMBER.finditer(text):
        for typed in TYPED:
            try:
                read(f"{text[: place.start()]}{typed}{text[place.end() :]}")
            except LSystemError:
                refused += 1
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert refused
    assert most < at_once
