# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers that are none, and infinite ones, go through strings as with cpfg, but are nothing to draw by."""

import pytest

from lsystem import LSystemError, derive, grow, modules_text, parse

HEAD = "Lsystem: 1\nStart: {n = sqrt(0-1); p = exp(999); m = log(0);}\nderivation length: 1\n"


@pytest.mark.parametrize(
    "module",
    [
        "F(n)", "G(p)", "f(m)", "g(n)", "+(p)", "&(n)", "/(m)", "#(n)", "!(p)", "_(n)", "~l(p)", "~l(1,1,n)", "@O(n)",
        "@c(p)", "@M(0,n)", "@R(1,0,0,n,0,1)", "@D(p)", "@Di(n)", "@Gr(n,1)", "@Gt(1,p)", "@Ts(1,n)",
        "@PC(n,1,1)", "{.f(1)f(n).}",
    ],
)  # fmt: skip
def test_none_of_them_is_drawn(module: str):
    with pytest.raises(LSystemError, match=r"plant\.l, line 4, column 1\d: the turtle goes by finite numbers only: "):
        grow(f"{HEAD}axiom: F(1){module}F(1)\nendlsystem\n", source="plant.l")


@pytest.mark.parametrize(
    "module", ["A(n)", ";(n)", ",(p)", "F(1,n)", "@L(n)", "@Tx(m)", "@#(n)", "?P(n,p,m)", "@mc(1)F(n)"]
)
def test_what_draws_nothing_may_have_any(module: str):
    text = f"{HEAD}axiom: F(1)[{module}]F(1)\nhomomorphism\nF(x,y) --> F(x)\nendlsystem\n"
    assert grow(text).length.tolist()[:2] == pytest.approx([0.01, 0.01])


def test_an_environment_is_not_asked_with_them():
    beside = "==== environment a.e ====\nexecutable: honda81 x\n"
    text = f"{HEAD}axiom: FA?E(n)\nA > ?E(x) --> F(x)\nendlsystem\n{beside}"
    with pytest.raises(LSystemError, match=r"line 4, column 11: E\(nan\) asks the environment with what is no finite"):
        derive(parse(text))


def test_truth_is_a_number():
    """Of whole numbers of any size squaring would never end."""
    counted = "x = 1; y = (x > 0) + (x >= 1) + (x == 1) + !(x < 1); i = 0; while (i < 60) {i = i+1; y = y*y;}"
    string = derive(parse(f"{HEAD}axiom: A\nA : {{{counted}}} * --> B(y, x < 2, x <> 1)\n"))
    assert modules_text(string) == "B(inf, 1, 0)"


def test_our_own_language_refuses_them():
    for expression in ("log(0)", "sqrt(-1)", "1e300*1e300", "(-8)^(1/3)"):
        with pytest.raises(LSystemError):
            derive(parse(f"axiom: A\nsteps: 1\nA -> B({expression})"))
