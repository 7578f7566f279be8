# SPDX-License-Identifier: GPL-3.0-or-later
"""Derivation against strings and counts of The Algorithmic Beauty of Plants (ABOP) and hand counts."""

import time
import tracemalloc
from collections import Counter

import pytest

from lsystem import Limits, LSystemError, derive, derive_at, grow, modules_text, parse, parse_modules, presets


def derived(text: str, steps: int, **options: object) -> str:
    return modules_text(derive(parse(text), steps, **options))


def test_algae_strings_and_fibonacci_lengths():
    text = "axiom: B\nA -> AB\nB -> A"
    assert [derived(text, n) for n in range(6)] == ["B", "A", "AB", "ABA", "ABAAB", "ABAABABA"]
    assert len(derived(text, 20)) == 10946


def test_koch_island_counts():
    text = "angle: 90\naxiom: F-F-F-F\nF -> F-F+F+FF-F-F+F"
    for n in range(5):
        assert derived(text, n).count("F") == 4 * 8**n


def test_dragon_curve_with_subscripts():
    grammar = parse("angle: 90\naxiom: F_l\nF_l -> F_l+F_r+\nF_r -> -F_l-F_r")
    assert modules_text(derive(grammar, 2)) == "F_l+F_r++-F_l-F_r+"
    counts = Counter(module.symbol for module in derive(grammar, 10))
    assert counts["F_l"] + counts["F_r"] == 2**10


@pytest.mark.parametrize(
    ("text", "steps", "segments"),
    [
        ("axiom: F\nF -> F[+F]F[-F]F", 5, 5**5),  # ABOP fig. 1.24 a
        ("axiom: F\nF -> FF-[-F+F+F]+[+F-F-F]", 4, 8**4),  # c
        ("axiom: X\nX -> F[+X]F[-X]+X\nF -> FF", 7, 2 * (3**7 - 2**7)),  # d
    ],
)
def test_bushes(text: str, steps: int, segments: int):
    assert derived(text, steps).count("F") == segments


def test_parametric_example_of_the_book():
    """ABOP section 1.10.1, figure 1.30."""
    text = """
        axiom: B(2)A(4,4)
        A(x,y) : y <= 3 -> A(x*2, x+y)
        A(x,y) : y > 3 -> B(x)A(x/y, 0)
        B(x) : x < 1 -> C
        B(x) : x >= 1 -> B(x-1)
    """
    expected = ["B(2)A(4, 4)", "B(1)B(4)A(1, 0)", "B(0)B(3)A(2, 1)", "CB(2)A(4, 3)", "CB(1)A(8, 7)"]
    assert [derived(text, n) for n in range(5)] == expected


def test_parameter_counts_must_match_and_the_first_production_wins():
    text = "axiom: A A(1) A(1,2)\nA(x) : x > 5 -> D\nA(x) -> B\nA(x) -> C\nA(x,y) : * -> E(x+y)"
    assert derived(text, 1) == "ABE(3)"


def test_turtle_signs_and_organs_can_be_replaced():
    assert derived("axiom: -(3)~Bud~Leaf(1,2)\n-(a) -> -(a+1)\n~Bud -> ~Flower(1,2)\n~Leaf(l,w) -> ", 1) == (
        "-(4)~Flower(1, 2)"
    )


def test_a_successor_goes_on_in_indented_lines_with_comments():
    text = "axiom: A  # first\nA -> F  # one\n  // a line of its own\n\n\t[ + F ]\n  F // last\nF -> F F"
    assert derived(text, 1) == "F[+F]F"
    assert derived("axiom: A\nA -> F//F", 1) == "F/ /F"


def test_constants_and_their_replacement():
    text = "let a = 2\nlet b = a * 3\nsteps: a\naxiom: A(b)"
    grammar = parse(text)
    assert dict(grammar.constants) == {"a": 2.0, "b": 6.0}
    assert (modules_text(derive(grammar)), modules_text(derive(grammar, constants={"a": 5}))) == ("A(6)", "A(15)")
    assert parse(text, constants={"a": 7}).steps == 7
    with pytest.raises(LSystemError, match="no constant is called 'c'"):
        parse(text, constants={"c": 1.0})


def test_random_is_seeded_and_drawn_for_every_module():
    text = "axiom: AAAA\nA -> B(random(), random(2, 3))\nB(x, y) : random() < 0.5 -> C\n"
    first = derive(parse(text), 1, seed=4)
    assert first == derive(parse(text), 1, seed=4) != derive(parse(text), 1, seed=5)
    assert len({module.params for module in first}) == 4
    assert all(0 <= module.params[0] < 1 and 2 <= module.params[1] < 3 for module in first)
    halves = Counter(module.symbol for module in derive(parse(text.replace("AAAA", "A" * 4000)), 2, seed=1))
    assert 1850 < halves["C"] < 2150


def test_growth_is_bounded():
    with pytest.raises(LSystemError, match="derivation step 20 gives more than 1000000 modules"):
        derive(parse("steps: 40\naxiom: A\nA -> AA"))


def test_nesting_is_bounded_by_step():
    with pytest.raises(LSystemError, match="derivation step 31 nests brackets more than 30 deep"):
        derive(parse("steps: 40\naxiom: A\nA -> [A]"), limits=Limits(max_depth=30))


def test_work_is_bounded_even_if_the_string_does_not_grow():
    with pytest.raises(LSystemError, match="step 101 of 9000 goes beyond 1000 replacements"):
        derive(parse("steps: 9000\naxiom: AAAAAAAAAA\nA -> B\nB -> A"), limits=Limits(max_rewrites=1000))


def test_failing_expression_names_step_module_and_place():
    with pytest.raises(LSystemError) as caught:
        derive(parse("steps: 5\naxiom: A(2)\nA(n) -> F(1) A(n-1) B(1/n)", "my plant"))
    assert (caught.value.line, caught.value.column) == (3, 24)
    assert str(caught.value) == (
        "my plant, line 3, column 24: division by zero (for module A(0)) (derivation step 3 of 5)"
    )


def test_round_trip_of_strings():
    text = derived("steps: 3\naxiom: A(0.1)\nA(x) -> F(x/3)//[+(-x)~Leaf A(x*1e-9)]~Leaf//\\&^|!(1e22)f G_2 A(x^2)", 3)
    modules = parse_modules(text)
    assert modules_text(modules) == text
    grammar = parse("axiom: " + text)
    assert [m[:2] for m in derive(grammar, 0)] == [m[:2] for m in modules]


@pytest.mark.parametrize(
    "text",
    ["angle: 90\naxiom: F-F-F-F\nF -> F-F+F+FF-F-F+F", "axiom: A(1)\nA(l) -> F(l) [ +(30) A(l*0.7) ] A(l*0.9)"],
)
def test_a_million_modules_a_second_in_bounded_memory(text: str):
    grammar = parse(text)
    limits = Limits(max_modules=3_000_000, max_rewrites=10**9)
    steps = 6 if "-F" in text else 18
    speeds = []
    for _ in range(3):
        begin = time.perf_counter()
        string = derive(grammar, steps, limits=limits)
        speeds.append(len(string) / (time.perf_counter() - begin))
    assert len(string) > 1_000_000
    assert max(speeds) > 1e6
    tracemalloc.start()
    try:
        derive(grammar, steps, limits=limits)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 150 * len(string)


def test_parameters_are_bounded_too():
    with pytest.raises(LSystemError, match="derivation step 3 gives more than 100 parameters"):
        derive(
            parse("steps: 9\naxiom: A(1,2,3,4)\nA(a,b,c,d) -> A(a,b,c,d)A(a,b,c,d)A(a,b,c,d)"),
            limits=Limits(max_values=100),
        )


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("axiom: A\nsteps: 2000\nA -> [A]", (3, 6)),
        ("axiom: B A\nsteps: 9000\nA -> A\nB -> B C\nC -> C", (4, 8)),
    ],
)
def test_limits_name_a_place(text, place):
    with pytest.raises(LSystemError) as caught:
        derive(parse(text), limits=Limits(max_rewrites=100_000))
    assert (caught.value.line, caught.value.column) == place, str(caught.value)


@pytest.mark.parametrize("steps", [float("nan"), float("inf"), -1.0])
def test_impossible_ages_are_refused(steps):
    with pytest.raises(LSystemError, match="cannot derive"):
        grow("axiom: F", steps)


def test_who_forgets_the_steps_is_told():
    with pytest.raises(LSystemError, match="Nothing is derived: give it steps"):
        grow("axiom: A\nA -> F A")
    with pytest.raises(LSystemError, match=r"such as ~Leaf do$"):
        grow("axiom: A\nsteps: 1\nA -> A")


def test_a_text_with_steps_is_not_told_to_have_some():
    with pytest.raises(LSystemError) as caught:
        grow("steps: 5\naxiom: A\nA -> F A\n", 0.0)
    assert "give it steps" not in str(caught.value)


def test_the_share_of_the_steps_that_are_done_is_told():
    told: list[float] = []
    derive(parse("axiom: A\nsteps: 4\nA -> F A"), told=told.append)
    assert told == [0.0, 0.25, 0.5, 0.75]


@pytest.mark.parametrize("name", ["climbing_shoot", "light_seeker", "winter_tree"])
def test_several_ages_at_once_are_those_one_by_one(name):
    """Of plants that ask where they are, draw random numbers and know their age: the same to the last bit."""
    grammar = parse(next(one.text for one in presets() if one.name == name))
    ages = (grammar.steps, 0, 1, grammar.steps // 2, grammar.steps + 3)
    assert [*derive_at(grammar, ages, seed=3)] == [derive(grammar, age, seed=3) for age in sorted(ages)]


def test_a_file_of_cpfg_is_not_derived_to_several_ages_at_once():
    grammar = parse("Lsystem: 1\nAxiom: A\nA --> AA\nendlsystem\n")
    with pytest.raises(LSystemError, match="one age at a time"):
        next(derive_at(grammar, (1, 2)))
