# SPDX-License-Identifier: GPL-3.0-or-later
"""A short form of `fuzz`: seeded random texts give LSystemError or a plant, and soon."""

import random

import pytest

from lsystem import derive, modules_text, parse, parse_modules
from tests.forms import IS_FULL
from tests.lsystem.fuzz import KINDS, feed

FEWER = {"productions": 150, "folders": 150} if IS_FULL else {"productions": 80, "folders": 150, "cpfg": 150}
"""Texts of kinds that take longer; each construct of theirs still comes dozens of times."""


@pytest.mark.parametrize("kind", KINDS)
def test_random_texts(kind: str):
    grown = sum(feed(number, kind) for number in range(FEWER.get(kind, 500)))
    assert grown > {"words": -1, "mutilated": 15, "mutilated cpfg": 40}.get(kind, 60)


@pytest.mark.parametrize("kind", KINDS)
def test_long_lines(kind: str):
    """Lines of fifty thousand characters, with the limits that hold where nobody gives others for half of them."""
    for number in range(6):
        feed(number, kind, is_long=True, has_all=number % 2 == 0)


def test_random_strings_survive_the_round_trip():
    words = [
        "F",
        "+",
        "/",
        "//",
        "~Leaf ",
        "~Bud ",
        "A(1.5,-2)",
        "[",
        "]",
        "F_2",
        " ",
        "@pin(1)",
        "{",
        ".",
        "}",
        "$",
        "'",
        "%",
    ]
    for seed in range(300):
        source = random.Random(seed)
        text = "".join(source.choices(words, k=20))
        grammar = parse("axiom: A\nA -> " + text)
        modules = derive(grammar, 1)
        written = modules_text(modules)
        assert [module[:2] for module in parse_modules(written)] == [module[:2] for module in modules]
        assert modules_text(parse_modules(written)) == written
