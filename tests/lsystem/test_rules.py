# SPDX-License-Identifier: GPL-3.0-or-later
"""Weights, distributions, sliders and what decides between productions."""

import math
from collections import Counter

import numpy as np
import pytest

from lsystem import LSystemError, derive, modules_text, parse


def derived(text: str, steps: int, **options: object) -> str:
    return modules_text(derive(parse(text), steps, **options))


def test_weights_are_relative_and_may_depend_on_parameters():
    text = f"axiom: {'A(3)' * 8000}\nA(n) : n < 2 -> B\nA(n) -> C : n\nA(n) -> D : 1\nA(n) : n > 9 -> E : 100"
    counts = Counter(module.symbol for module in derive(parse(text), 1, seed=2))
    assert set(counts) == {"C", "D"}
    assert abs(counts["C"] - 6000) < 4 * math.sqrt(8000 * 0.75 * 0.25)


def test_the_first_that_fits_decides_whether_weights_count():
    assert set(derived("axiom: AAAA\nA -> B\nA -> C : 5", 1)) == {"B"}
    assert set(derived(f"axiom: {'A' * 60}\nA -> B : 1\nA -> C\nA -> D : 1", 1)) == {"B", "D"}
    assert derived("axiom: A\nA -> B : 0", 1) == "A"
    assert derived("axiom: A\nA -> B : 0\nA -> C : 2", 1) == "C"
    with pytest.raises(LSystemError, match="the weight of this production of A is negative"):
        derived("axiom: A(1)\nA(n) -> B : n - 2", 1)


def draws(call: str, count: int = 20_000) -> np.ndarray:
    text = f"axiom: {'A' * count}\nA -> B({call})"
    return np.array([module.params[0] for module in derive(parse(text), 1, seed=11)])


@pytest.mark.parametrize(
    ("call", "mean", "deviation"),
    [
        ("random()", 0.5, 1 / math.sqrt(12)),
        ("random(2, 5)", 3.5, 3 / math.sqrt(12)),
        ("normal()", 0.0, 1.0),
        ("normal(4, 0.5)", 4.0, 0.5),
        ("exponential(3)", 3.0, 3.0),
        ("chance(0.3)", 0.3, math.sqrt(0.21)),
        ("biased(0.25, 10, 20)", 17.5, math.sqrt(0.25 * 0.75) * 10),
        ("choose(1, 2, 6)", 3.0, math.sqrt(14 / 3)),
        ("whole(1, 6)", 3.5, math.sqrt(35 / 12)),
    ],
)
def test_distributions(call: str, mean: float, deviation: float):
    values = draws(call)
    assert abs(values.mean() - mean) < 4 * deviation / math.sqrt(len(values))
    assert values.std() == pytest.approx(deviation, rel=0.03)


def test_shapes_of_distributions():
    assert set(draws("whole(1, 6)")) == {1, 2, 3, 4, 5, 6}
    assert set(draws("choose(1, 2, 6)")) == {1, 2, 6}
    assert set(draws("biased(0.25, 10, 20)")) == {10, 20}
    normal = draws("normal()")
    assert np.mean(np.abs(normal) < 1) == pytest.approx(0.6827, abs=0.015)
    assert np.mean(draws("exponential(1)") > 1) == pytest.approx(math.exp(-1), abs=0.015)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("chance(1.5)", "a probability must be from 0 to 1"),
        ("biased(-1, 2, 3)", "a probability must be from 0 to 1"),
        ("normal(0, -1)", "a deviation must not be negative"),
        ("whole(3, 2)", "the first bound must not be above the second"),
        ("normal(1)", "normal takes 0 or 2 arguments, not 1"),
        ("choose()", "choose takes 1 to 16 arguments, not 0"),
        ("if(1, 2)", "if takes 3 arguments, not 2"),
    ],
)
def test_refused_arguments(call: str, message: str):
    with pytest.raises(LSystemError, match=message) as caught:
        derived(f"axiom: A\nA -> B({call})", 1)
    assert (caught.value.line, caught.value.column) == (2, 8)


def test_draws_go_from_left_to_right():
    """What comes later in the string does not change what was drawn before it."""
    text = "axiom: {}\nA -> B(random(), normal())\nC -> D(random())\nA(x) : x > 0.5 && random() < 0.5 -> E(random())"
    short, long = derived(text.format("ACA"), 1, seed=5), derived(text.format("ACACC"), 1, seed=5)
    assert long.startswith(short)


def test_only_the_chosen_side_is_evaluated():
    text = "axiom: A(0)A(4)\nA(n) -> B(if(n > 0, 8/n, 1), n > 0 && 1/n < 1, n == 0 || 1/n < 1)"
    assert derived(text, 1) == "B(1, 0, 1)B(2, 1, 1)"


def test_sliders():
    text = """
let angle = 25    # [0..90 deg] branching angle
let leaves = 8    # [1..20] leaves on the stem
let r0 = 0.004    # [0.001 .. 1e-2 m]
let half = angle/2    # of it
let bare = -3
let factor = 2    // [-1..3.5] in the other comment
let far = 9       # [1..5] the range reaches to the value
axiom: A(angle, leaves)
"""
    grammar = parse(text, constants={"angle": 30})
    angle, leaves, r0, half, bare, factor, far = grammar.sliders
    assert (angle.name, angle.value, angle.minimum, angle.maximum) == ("angle", 25.0, 0.0, 90.0)
    assert (angle.unit, angle.description, angle.is_whole) == ("deg", "branching angle", False)
    assert (leaves.is_whole, leaves.unit, leaves.minimum, leaves.maximum) == (True, "", 1.0, 20.0)
    assert (r0.minimum, r0.maximum, r0.unit, r0.description, r0.is_whole) == (0.001, 0.01, "m", "", False)
    assert (half.minimum, half.description, half.is_computed, half.value) == (None, "of it", True, 15.0)
    assert (bare.value, bare.minimum, bare.description, bare.is_computed) == (-3.0, None, "", False)
    assert (factor.minimum, factor.maximum, factor.description) == (-1.0, 3.5, "in the other comment")
    assert (far.minimum, far.maximum, far.is_whole) == (1.0, 9.0, True)
    assert grammar.constants["half"] == 15.0
