# SPDX-License-Identifier: GPL-3.0-or-later
"""Values with names in productions: the same as writing what they come to wherever they are used."""

import numpy as np
import pytest
from scipy.interpolate import PchipInterpolator

from lsystem import LSystemError, derive, modules_text, parse


def string(text: str, seed: int = 0) -> str:
    return modules_text(derive(parse(text), seed=seed))


@pytest.mark.parametrize(
    ("named", "plain"),
    [
        ("A(n) : { m = n*2 } m < 9 -> B(m) A(n+1)", "A(n) : n*2 < 9 -> B(n*2) A(n+1)"),
        ("A(n) : n < 4 { m = n*2; k = m + n; } -> B(m, k) A(n+1)", "A(n) : n < 4 -> B(n*2, n*3) A(n+1)"),
        ("A(n) : { m = n + 1 } m > 2 { k = m*m } -> A(m) B(k)\nA(n) -> A(n+1)",
         "A(n) : n + 1 > 2 -> A(n+1) B((n+1)^2)\nA(n) -> A(n+1)"),
        ("A(n) : * { m = 7 } -> A(n+1) B(m)", "A(n) -> A(n+1) B(7)"),
        ("A(n) : { m = 7 } -> A(n+1) B(m)", "A(n) -> A(n+1) B(7)"),
        ("A(n) : { m = n } { k = m } -> A(n+1) B(k)", "A(n) -> A(n+1) B(n)"),
        ("C(x) < A(n) > C(y) : { s = x + y } s > 1 { d = x - y } -> A(s + d + n)",
         "C(x) < A(n) > C(y) : x + y > 1 -> A(2*x + n)"),
        ("A(n) : { w = n + 1 } -> A(w) : w\nA(n) -> B(n) : 1", "A(n) -> A(n+1) : n + 1\nA(n) -> B(n) : 1"),
        ("A(n) -> A(n+1)\ndecomposition:\nA(n) : { m = n*n } m > 3 -> B(m)",
         "A(n) -> A(n+1)\ndecomposition:\nA(n) : n*n > 3 -> B(n*n)"),
        ("A(n) -> A(n+1)\ninterpretation:\nA(n) : * { m = age + time } -> B(m)",
         "A(n) -> A(n+1)\ninterpretation:\nA(n) -> B(age + time)"),
    ],
)  # fmt: skip
def test_names_stand_for_what_they_come_to(named: str, plain: str):
    head = "steps: 5\naxiom: C(1) A(0) C(0.5) [ A(1) ] A(1.5)\n"
    assert string(head + named, 3) == string(head + plain, 3)


def test_a_random_value_is_drawn_once_for_each_module():
    for production in ("A : { r = random() } r >= 0 -> B(r, r)", "A : * { r = random() } -> B(r, r)"):
        modules = derive(parse(f"steps: 1\naxiom: A A A\n{production}"))
        drawn = [module.params[0] for module in modules]
        assert all(module.params[0] == module.params[1] for module in modules)
        assert len(set(drawn)) == 3


def test_a_value_that_fails_is_named_only_where_it_is_worked_out():
    text = "steps: 1\naxiom: A(0) A(2)\nA(n) : n > 0 { m = 1/n } -> A(m)"
    assert string(text) == "A(0)A(0.5)"
    with pytest.raises(LSystemError, match=r"line 3, column 15: division by zero \(for module A\(0\)\)"):
        string(text.replace("n > 0 { m = 1/n }", "{ m = 1/n } m > 0"))


@pytest.mark.parametrize(
    ("values", "column", "message"),
    [
        ("{ n = 2 } ->", 10, "'n' has its value already, and values do not change"),
        ("{ m = 2; m = 3 } ->", 17, "'m' has its value already"),
        ("{ c = 2 } ->", 10, "'c' is a constant already"),
        ("{ sin = 2 } ->", 10, "'sin' is a function; a value needs another name"),
        ("{ m = k; k = 2 } ->", 14, "unknown name 'k' (known here: n, c)"),
        ("{ m == 2 } ->", 13, "expected a number, a name or '(', found '='"),
        ("{ m = 2 k = 3 } ->", 16, "expected ';' or '}' behind the value of m, found 'k'"),
        ("{ m = 2 ->", 16, "expected ';' or '}' behind the value of m, found '-'"),
        ("{ } ->", 12, "expected a number, a name or '(', found '->'"),
        ("n > m { m = 2 } ->", 12, "unknown name 'm'"),
        ("{" + "".join(f"m{i}=1;" for i in range(65)) + "} ->", None, "more than 64 values"),
    ],
)
def test_errors_say_where_and_what(values: str, column: int | None, message: str):
    with pytest.raises(LSystemError) as caught:
        parse(f"axiom: A(1)\nlet c = 1\nA(n) : {values} B(n)")
    assert message in caught.value.message
    assert caught.value.line == 3
    assert column is None or caught.value.column == column


@pytest.mark.parametrize("count", range(2, 16))
def test_a_spline_goes_through_its_values_and_not_beyond(count: int):
    """As SciPy's monotone interpolation does, for many modules at once and for one."""
    rng = np.random.default_rng(count)
    for digits in (0, 1, 8):
        values = rng.normal(size=count).round(digits)
        places = np.concatenate([np.linspace(-0.2, 1.2, 30), np.linspace(0, 1, count)])
        wanted = PchipInterpolator(np.linspace(0, 1, count), values)(np.clip(places, 0, 1))
        written = ", ".join(map(repr, values.tolist()))
        axiom = " ".join(f"A({place!r})" for place in places.tolist())
        modules = derive(parse(f"steps: 1\naxiom: {axiom}\nA(x) -> B(spline(x, {written}))"))
        assert [module.params[0] for module in modules] == pytest.approx(wanted, abs=1e-12)
    assert string(f"axiom: B(spline(0.5, 1, {'2, ' * (count - 2)} 1))").startswith("B(")


def test_values_of_splines_may_differ_from_module_to_module():
    numbers = [0.0, 0.5, 1.0, 3.0, 5.0]
    axiom = " ".join(f"A({n})" for n in numbers)
    string = derive(parse(f"steps: 1\naxiom: {axiom}\nA(n) -> B(spline(n/4, n, 2*n, 7), spline(0.75, n, 1))"))
    for n, module in zip(numbers, string, strict=True):
        smooth = PchipInterpolator([0, 0.5, 1], [n, 2 * n, 7])(min(n / 4, 1)).item()
        assert module.params == pytest.approx((smooth, 0.25 * n + 0.75))
