# SPDX-License-Identifier: GPL-3.0-or-later
"""Simple files are derived over arrays, others module by module: what can go both ways comes to the same."""

import random

import pytest

from lsystem import Limits, LSystemError, ModuleString, derive, parse

LIMITS = Limits(max_modules=20_000)
MODULES = [
    "A(x)", "A(x/3)", "B(x+0.1,x)", "C", "F(x*1.1)", "F", "[C A(x)]", "[+(30)B(x,2)]", "-", "~l(x)", "@O(x)", "D(x^2)",
]  # fmt: skip
CONDITIONS = [
    "", ": x > 1", ": x*x-3*x < 2 || x == 5", ": !(x < 2 && x > -1)", ": x % 3 == 1", ": sin(x*40) > 0", ": *",
]  # fmt: skip


def text_of(source: random.Random) -> str:
    """A file without statements, random numbers or cuts."""

    def modules(count: int, value: str = "x") -> str:
        return " ".join(source.choices(MODULES, k=count)).replace("x", value)

    left, right = source.choice(["", "F < ", "C A(y) < "]), source.choice(["", " > F(z)", " > C", " > B(y1,z)A(v)"])
    lines = [
        "Lsystem: 1",
        source.choice(["", "ignore: +-", "ignore: F+-C"]),
        "derivation length: 4",
        f"axiom: A(1.3) {modules(3, '2.7')}",
        f"{left}A(x){right} {source.choice(CONDITIONS)} --> {modules(3)}",
        f"A(x) {source.choice(CONDITIONS)} --> {modules(2)}",
        f"B(x,y) {source.choice(CONDITIONS)} --> {modules(2)} A(y)",
        f"C --> {modules(2, '0.7')}",
        source.choice(["", "homomorphism\nmaximum depth: 3\nA(x) : x > 1 --> F(x)C A(x-1)\nC --> [+F]"]),
    ]
    return "\n".join(lines) + "\n"


def outcome(text: str) -> tuple[ModuleString, ModuleString] | str:
    """The strings before and after the homomorphism, or that there is an error."""
    try:
        grammar = parse(text)
        return derive(grammar, limits=LIMITS, interpreted=False), derive(grammar, limits=LIMITS)
    except LSystemError:
        return "error"


@pytest.mark.parametrize("block", range(8))
def test_both_ways_come_to_the_same(block: int):
    over_arrays = 0
    for number in range(25 * block, 25 * block + 25):
        text = text_of(random.Random(number))
        # with a block around the steps the order of the modules might matter, so they are replaced one by one
        one_by_one = text.replace("derivation", "Start: {unused = 1;}\nderivation", 1)
        program = parse(text).program
        over_arrays += program is not None and program.over_arrays
        assert outcome(text) == outcome(one_by_one), text
    assert over_arrays == 25
