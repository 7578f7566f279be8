# SPDX-License-Identifier: GPL-3.0-or-later
"""Values and errors of expressions, through `let` lines."""

import math
import random

import pytest

from lsystem import LSystemError, derive, parse
from tests.forms import IS_FULL


def value(expression: str) -> float:
    return parse(f"let x = 3\nlet y = {expression}\naxiom: A").constants["y"]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("1 + 2 * 3 - 4 / 8", 6.5),
        ("-2^2", -4.0),
        ("2^3^2", 512.0),
        ("2^-1", 0.5),
        ("-(1 - 3) * +2", 4.0),
        ("7 % 4 + -7 % 4", 4.0),
        (".5e1 + 5.", 10.0),
        ("x * x", 9.0),
        ("1 < 2 && 3 >= 4 || !0", 1.0),
        ("1 <= 1 && 2 != 2", 0.0),
        ("0 && 1/x", 0.0),
        ("sin(30) + cos(60) + tan(45)", 2.0),
        ("asin(1) + acos(0) + atan(1) + atan2(1, -1)", 360.0),
        ("sqrt(16) + exp(0) + log(1) + pow(2, 3)", 13.0),
        ("abs(-2) + min(3, 1, 2) + max(1, 4)", 7.0),
        ("floor(-1.5) + ceil(1.2) + round(2.5) + sign(-3)", 2.0),
        ("((((((1))))))", 1.0),
    ],
)
def test_values(expression: str, expected: float):
    assert value(expression) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("expression", "column", "message"),
    [
        ("1 / 0", 11, "division by zero"),
        ("5 % (x - x)", 11, "division by zero"),
        ("1e999", 9, "too large"),
        ("1e200 * 1e200", 15, "not a finite number"),
        ("10 ^ 999", 12, "too large"),
        ("(-8) ^ 0.5", 14, "negative number to a fractional power"),
        ("0 ^ -1", 11, "zero to a negative power"),
        ("exp(1000)", 9, "too large"),
        ("1 + sqrt(-1)", 13, "out of range"),
        ("log(0)", 9, "out of range"),
        ("z + 1", 9, "unknown name 'z' (known here: x)"),
        ("foo(1)", 9, "unknown function 'foo'"),
        ("sin", 9, "needs its arguments in parentheses"),
        ("sin(1, 2)", 9, "sin takes 1 arguments, not 2"),
        ("1 +", 12, "found the end of the statement"),
        ("(1 + 2", 15, "expected ')', found the end of the statement"),
        ("1 2", 11, "unexpected '2'"),
        ("1 < 2 < 3", 15, "cannot be chained"),
        ("(x = 3)", 12, "equality is written =="),
        ("random()", 9, "only known in productions"),
        ("__import__", 9, "unknown name '__import__'"),
        ("x.real", 10, "unexpected '.'"),
        ("'a'", 9, "expected a number"),
    ],
)
def test_errors_have_their_place(expression: str, column: int, message: str):
    with pytest.raises(LSystemError) as caught:
        value(expression)
    assert (caught.value.line, caught.value.column) == (2, column)
    assert message in caught.value.message


@pytest.mark.parametrize(
    "expression",
    ["(" * 5000 + "1" + ")" * 5000, "-" * 5000 + "1", "1" + "+x" * 5000, "2" + "^1" * 5000, "sin(" * 5000 + "1"],
)
def test_depth_is_bounded(expression: str):
    text = f"axiom: A(1)\nA(x) -> A({expression})"
    with pytest.raises(LSystemError, match="nested more than 100 deep"):
        parse(text)


def test_long_sums_of_constants_are_no_problem():
    assert value("1" + "+1" * 5000) == 5001.0


def test_parameters_are_evaluated_in_order():
    grammar = parse("axiom: A(2, 5)\nA(a, b) : a < b && b == 5 -> A(b - a, atan2(a, 0) + max(a, b, 7))")
    assert derive(grammar, 1)[0].params == (3.0, 97.0)


def test_infinity_does_not_hide_in_a_quotient():
    grammar = parse("axiom: A(1e200)\nA(a) -> A(1 / (a * a))")
    with pytest.raises(LSystemError, match="not a finite number"):
        derive(grammar, 1)
    assert math.isfinite(derive(grammar, 0)[0].params[0])


OPERATORS = ["+", "-", "*", "/", "%", "^", "<", "<=", "==", "!=", ">=", ">", "&&", "||"]


def random_expression(source: random.Random, depth: int = 0) -> str:
    if depth > 3 or source.random() < 0.2:
        return source.choice(["a", "b", "a", "b", "0", "1", "2.5", "-3", "pi"])
    x, y, z = (random_expression(source, depth + 1) for _ in range(3))
    return source.choice(
        [f"({x} {operator} {y})" for operator in OPERATORS]
        + [f"-{x}", f"!{x}", f"sqrt({x})", f"log({x})", f"sin({x})", f"atan2({x}, {y})", f"min({x}, {y})"]
        + [f"if({x}, {y}, {z})", f"if({x} > 0, {y}, {z})", f"floor({x})", f"exp({x})", f"({x} && 1/{y})"]
    )


def test_many_modules_at_once_as_one_after_the_other():
    """A group of modules gives each the value it has alone; an error blames one that fails alone, in the same words."""
    failed, count = 0, 300 if IS_FULL else 75
    for seed in range(count):
        source = random.Random(seed)
        rows = [(source.choice([0, 1, -2, 0.5, source.uniform(-9, 9)]), source.uniform(-3, 3)) for _ in range(12)]
        rule = f"A(a,b) -> B({random_expression(source)})"
        modules = [f"A({a!r},{b!r})" for a, b in rows]
        alone: list[float | str] = []
        for module in modules:
            try:
                alone.append(derive(parse(f"axiom: {module}\n{rule}"), 1)[0].params[0])
            except LSystemError as error:
                alone.append(str(error))
        text = f"axiom: {''.join(modules)}\n{rule}"
        if any(isinstance(value, str) for value in alone):
            failed += 1
            with pytest.raises(LSystemError) as caught:
                derive(parse(text), 1)
            assert str(caught.value) in alone
        else:
            together = [module.params[0] for module in derive(parse(text), 1)]
            assert together == pytest.approx(alone, rel=1e-12, abs=1e-12)
    assert 0.1 * count < failed < 0.9 * count
