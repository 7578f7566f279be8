# SPDX-License-Identifier: GPL-3.0-or-later
"""Any number that somebody types into a file beside one of cpfg is read or refused, at once and in little memory."""

import re
import tracemalloc

import pytest

from lsystem import LSystemError
from lsystem.language.beside.contours import read_contour
from lsystem.language.beside.curves import read_curve
from lsystem.language.beside.functions import read_function, read_function_set
from lsystem.language.beside.surfaces import read_surface

CURVE = "cver 1 2\nname: c\npoints: 5\nrange: 1\ntype: bspline\n" + "".join(f"{x} {x * x} 0 1\n" for x in range(-2, 3))
CONTOUR = CURVE.replace("type: bspline", "type: closed")
FUNCTION = "fver 1 1\nname: f\nsamples: 5\nflip: off\npoints: 4\n" + "".join(f"0.{x} 0.{x} 1\n" for x in range(4))
FUNCTIONS = f"funcgalleryver 1 1\nitems: 1\n{FUNCTION}"
PATCH = "".join(" ".join(f"{0.1 * x} {0.2 * y} {0.3 * x * y}" for x in range(4)) + "\n" for y in range(4))
SURFACE = (
    "BSURF\nCONTACT POINT X: 0.0 Y: 0.0 Z: 0.0\nEND POINT X: 0.0 Y: 1.0 Z: 0.0\nHEADING X: 0.0 Y: 1.0 Z: 0.0\n"
    f"UP X: 0.0 Y: 0.0 Z: 1.0\nSIZE: 1.0\npatch\n{PATCH}"
)
TRIANGLES = "triangle\n0 0 0\n1 0 0\n0 1 0.5\ntriangle\n0 0 0\n1 0 0\n0 2 1.5\n"
READERS = {
    "curve": (CURVE, lambda text: read_curve(text, "c.con", 5)),
    "contour": (CONTOUR, lambda text: read_contour(text, "c.con")),
    "function": (FUNCTION, lambda text: read_function(text, "f.func", 5)),
    "functions": (FUNCTIONS, lambda text: read_function_set(text, "f.fset")),
    "surface": (SURFACE, lambda text: read_surface(text, "s.s", 2.0)),
    "triangles": (TRIANGLES, lambda text: read_surface(text, "t.s", 2.0)),
}
TYPED = ("0", "-1", "1e8", "3e9", "1e300", "1e999", "-1e999", "nan", "inf", "1e-300", "0.5", "x", "")


@pytest.mark.parametrize("kind", READERS)
def test_each_number_in_turn(kind):
    text, read = READERS[kind]
    read(text)
    refused, at_once = 0, 20e6
    tracemalloc.start()
    for place in re.finditer(r"(?<![\w.])-?\d+(?:\.\d+)?", text):
        for typed in TYPED:
            try:
                read(f"{text[: place.start()]}{typed}{text[place.end() :]}")
            except LSystemError:
                refused += 1
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert refused
    assert most < at_once
