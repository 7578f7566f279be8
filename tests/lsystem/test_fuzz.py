# SPDX-License-Identifier: GPL-3.0-or-later
"""Seeded random text: nothing but LSystemError comes out, and soon."""

import contextlib
import random
import time

import numpy as np
import pytest

from lsystem import (
    Limits,
    LSystemError,
    articulated_skeleton,
    derive,
    grow,
    modules_text,
    parse,
    parse_modules,
    presets,
    read_articulated,
)

LIMITS = Limits(max_modules=3000, max_depth=200, max_rewrites=6000)
WORDS = [
    *"ABFJfX+-&^\\/|[]!~(){}<>=:;,.*%#$'\"@_0123456789 \n\t",
    *("->", "→", "axiom:", "steps:", "let", "material stem", "young=", "name:", "angle:", "length:", "~Leaf", "F_l"),
    *("A(n)", "A(n+1)", "n < 5", "1/0", "1e400", "random()", "random(0,1)", "sqrt(", "&&", "||", "==", "//", "\n  "),
    *("\x00", "\u2028", "ä", "\U0001f33f", "\r", "nan", "inf", "__import__('os')", "B(1,0,1,0,0,1,0,9,9,9)"),
    *("J(0,0,0,0,0,0,1,1,1)", "axiom: A(1)\n", "A(n) -> F(n)[+A(n/2)]A(n*2)\n", "steps: 9999\n"),
]


def only_our_errors(text: str) -> bool:
    """Whether the text grew; any other exception than LSystemError fails the test."""
    try:
        skeleton = grow(text, limits=LIMITS)
    except LSystemError:
        return False
    for array in (skeleton.head, skeleton.frame, skeleton.length, skeleton.radius_base, skeleton.width):
        assert np.isfinite(array).all()
    return True


def test_random_words():
    start = time.perf_counter()
    for seed in range(5000):
        source = random.Random(seed)
        text = "".join(source.choices(WORDS, k=source.randrange(1, 40)))
        only_our_errors(text)
        with contextlib.suppress(LSystemError):
            articulated_skeleton(read_articulated(text))
    assert time.perf_counter() - start < 30


def test_random_productions_mostly_grow_or_stop_at_a_limit():
    pieces = [*"FA[]&f", "A(1)", "+(30)", "B(n)", "A(n+1)", "~Leaf", "F(n)", "!(n)", "A(n/2)", "F(1,n)"]
    grown = 0
    for seed in range(1500):
        source = random.Random(seed)

        def string(k: int, source: random.Random = source) -> str:
            return " ".join(source.choices(pieces, k=k))

        condition = source.choice(["", ": n < 9", ": n > 1 && random() < 0.5", ": *"])
        text = (
            f"steps: {source.choice([1, 3, 9999])}\naxiom: F A(1) {string(2).replace('n', '2')}\n"
            f"A(n) {condition} -> {string(4)}\nB(n) -> {string(3)}\nA -> {string(2).replace('n', '3')}"
        )
        grown += only_our_errors(text)
    assert grown > 100


@pytest.mark.parametrize("preset", presets(), ids=lambda preset: preset.name)
def test_mutilated_presets(preset):
    for seed in range(40):
        source = random.Random(seed)
        text = list(preset.text)
        for _ in range(source.randrange(1, 6)):
            place = source.randrange(len(text))
            text[place : place + source.randrange(0, 4)] = source.choice(WORDS)
        only_our_errors("".join(text))


def test_random_strings_survive_the_round_trip():
    for seed in range(300):
        source = random.Random(seed)
        text = "".join(
            source.choices(["F", "+", "/", "//", "~Leaf ", "~Bud ", "A(1.5,-2)", "[", "]", "F_2", " "], k=20)
        )
        grammar = parse("axiom: A\nA -> " + text)
        modules = derive(grammar, 1)
        written = modules_text(modules)
        assert [module[:2] for module in parse_modules(written)] == [module[:2] for module in modules]
        assert modules_text(parse_modules(written)) == written
