# SPDX-License-Identifier: GPL-3.0-or-later
"""Modules that ask where they are, in files of cpfg and in our own language."""

import pytest

from lsystem import derive, grow, interpret, parse
from lsystem.base.module_string import single

HEAD = "steps: 3\naxiom: A\n"


def told(text: str, symbol: str) -> list[tuple[float, ...]]:
    """What the modules of a symbol have been told."""
    return [module.params for module in derive(parse(text)) if module.symbol == symbol]


def test_axes_and_place_in_our_language():
    string = "F(2) +(90) &(30) F(3) ?P(9, 9, 9) ?H(0, 0, 0) ?L(0, 0, 0) ?U(0, 0, 0) ?P(7)"
    text = f"steps: 1\nunit: 0.01\naxiom: {string}\n"
    # H = z, L = -x, U = -y; + turns H to L, & turns it away from U
    heading = (-(0.75**0.5), 0.5, 0.0)
    assert told(text, "?H") == [pytest.approx(heading)]
    assert told(text, "?P") == [pytest.approx((3 * heading[0], 3 * heading[1], 2.0)), pytest.approx((3 * heading[0],))]
    assert told(text, "?L") == [pytest.approx((0.0, 0.0, -1.0))]
    assert told(text, "?U") == [pytest.approx((-0.5, -(0.75**0.5), 0.0))]


def test_the_place_is_where_the_turtle_that_draws_is():
    string = (
        "F(0.1) [ +(40) ~Leaf(0.05, 0.02, 0.001, 3, 60) ?P(0,0,0) F(0.03) ] @tropism(1,0,0,0.3) F(0.1) F(0.1) $ &(20)"
        " | /(30) f(0.02) G(0.05) ?P(0,0,0) F(0.01)"
    )
    grammar = parse(f"steps: 1\naxiom: {string}\n")
    skeleton = interpret(derive(grammar), grammar)
    after_leaf, last = told(grammar.text, "?P")
    assert after_leaf == pytest.approx(skeleton.head[4])
    assert last == pytest.approx(skeleton.head[-1])


@pytest.mark.parametrize("turns", ["", "+(30)", "|", "&(20)/(50)", "^(170)\\(110)+(40)", "@heading(1,-1,0.5)$"])
def test_the_rotation_is_the_frame_of_what_is_drawn(turns: str):
    """Of the two quaternions that are the same rotation either."""
    grammar = parse(f"steps: 1\naxiom: F {turns} ?Q(1, 0, 0, 0) F")
    string = derive(grammar)
    (told,) = [module.params for module in string if module.symbol == "?Q"]
    assert abs(interpret(string, grammar).frame[1] @ told) == pytest.approx(1.0)
    assert sum(part * part for part in told) == pytest.approx(1.0)


def test_answers_are_those_before_the_step():
    text = HEAD + "A -> F(1) ?P(0,0,8) A\n"
    assert [z for _, _, z in told(text, "?P")] == [pytest.approx(1), pytest.approx(2), 8]


def test_what_interpretation_rules_draw_counts():
    text = "steps: 1\naxiom: K ?P(0,0,0)\ninterpretation:\nK -> F(3) ?P(5,5,5)\n"
    assert told(text, "?P") == [(5, 5, 5), pytest.approx((0, 0, 3))]


def test_a_plant_stops_at_a_border():
    text = HEAD.replace("3", "9") + "A -> B ?P(0,0,0)\nB > ?P(x,y,z) : z < 0.35 -> F(0.1) B\n"
    assert grow(text).tail()[:, 2].max() == pytest.approx(0.4)


def test_a_fraction_of_a_step_is_drawn_too():
    text = HEAD + "A -> B ?P(0,0,0)\nB > ?P(x,y,z) : z < 0.35 -> F(0.1) B\n"
    assert grow(text, 2.5).length.sum() == pytest.approx(0.15)


def test_axes_of_cpfg_have_y_upwards_and_its_own_up():
    text = "Lsystem: 1\nderivation length: 1\nAxiom: F(2)?P(0,0,0)?H(0,0,0)?L(0,0,0)?U(0,0,0)?Q(4)\nendlsystem\n"
    string = [(module.symbol, module.params) for module in derive(parse(text)) if module.params]
    axes = [("H", (0, 1, 0)), ("L", (-1, 0, 0)), ("U", (0, 0, -1))]
    assert string[1:] == [("P", (0, 2, 0)), *axes, ("Q", (single(0.5**0.5),))]


def test_the_view_may_ask_before_the_step_ends():
    text = "Lsystem: 1\nderivation length: 1\nAxiom: A\nA --> F(2)?P(0,0)\nendlsystem\n==== view a.v ====\n"
    assert told(text + "environment display: after\n", "P") == [(0, 0)]
    assert told(text + "environment display: before\n", "P") == [(0, 2)]


def test_calls_between_two_steps_and_with_questions():
    text = (
        "Lsystem: 1\nderivation length: 5\nAxiom: A(0)\nA(n) --> F(1)?P(0,0,0)[+(40)?(2)B(n)$]A(n+1)\nendlsystem\n"
        "Lsystem: 2\nStart: {k = 0;}\nStartEach: {k = k+1;}\nAxiom: B(0)\nB(n) --> F(1+k)B(n)\nendlsystem\n"
    )
    whole, between = grow(text, 5), grow(text, 4.5)
    assert len(between) == len(whole)
    assert whole.length.sum() > between.length.sum() > grow(text, 4).length.sum()
