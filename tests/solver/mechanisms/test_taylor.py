# SPDX-License-Identifier: GPL-3.0-or-later
"""Truncated Taylor series against SymPy's derivatives, in joints and curves that are given by a formula."""

import math

import numpy as np
import pytest
import sympy

from solver import SolverError
from solver import mechanisms as m

x = sympy.Symbol("x")

#: Each written twice: for NumPy and for SymPy.
FORMULAS = {
    "sums": (lambda s: 2.0 - s + s * s - s / 3.0 - (-s), 2 - x + x**2 - x / 3 + x),
    "powers": (lambda s: s**4 + s**-2 + s**1.5 + 2.0**s + s**s, x**4 + x**-2 + x**1.5 + 2.0**x + x**x),
    "quotients": (lambda s: (1.0 + s) / (2.0 + s * s) + 3.0 / s, (1 + x) / (2 + x**2) + 3 / x),
    "roots": (lambda s: np.sqrt(1.0 + s**3), sympy.sqrt(1 + x**3)),
    "exponentials": (lambda s: np.exp(np.log(s) * s) + np.exp(-s), x**x + sympy.exp(-x)),
    "circular": (
        lambda s: np.sin(s) * np.cos(s * s) + np.tan(s / 2.0),
        sympy.sin(x) * sympy.cos(x**2) + sympy.tan(x / 2),
    ),
    "hyperbolic": (lambda s: np.sinh(s) + np.cosh(s) * np.tanh(s), sympy.sinh(x) + sympy.cosh(x) * sympy.tanh(x)),
    "inverse": (
        lambda s: np.arcsin(s / 3.0) + np.arccos(s / 4.0) * np.arctan(s),
        sympy.asin(x / 3) + sympy.acos(x / 4) * sympy.atan(x),
    ),
    "angle": (lambda s: np.arctan2(s * s, 1.0 - s), sympy.atan2(x**2, 1 - x)),
    "distance": (lambda s: np.hypot(s * s, np.sin(s)) + abs(-s), sympy.sqrt(x**4 + sympy.sin(x) ** 2) + x),
    "branches": (lambda s: s**3 if s > 0.5 else s, x**3),
}  # fmt: skip


@pytest.mark.parametrize("name", FORMULAS)
def test_derivatives_of_formulas(name):
    formula, symbolic = FORMULAS[name]
    curve = m.Path(lambda s: (s, formula(s), 1.0), 0.7, 1.3)
    for at in (0.8, 1.25):
        expected = [float(symbolic.diff(x, k).subs(x, at)) for k in range(4)]
        assert curve.derivatives(at)[:, 1] == pytest.approx(expected, rel=1e-12)  # rounding of third derivatives


def test_mixed_derivatives_of_surfaces():
    u, v = sympy.symbols("u v")
    height = sympy.exp(u * v) * sympy.sin(u + 2 * v)
    P = m.Patch(lambda a, b: (a, b, np.exp(a * b) * np.sin(a + 2.0 * b))).partials(0.3, -0.8)
    for i in range(4):
        for j in range(4 - i):
            known = height.diff(u, i).diff(v, j) if i and j else height.diff(u, i) if i else height.diff(v, j)
            assert P[i, j, 2] == pytest.approx(float(known.subs({u: 0.3, v: -0.8})), rel=1e-12), (i, j)


def test_plain_functions_are_refused_with_what_to_use():
    with pytest.raises(SolverError, match=r"np\.sin"):
        m.Path(lambda s: (s, math.sin(s), 0.0), 0.0, 1.0)
