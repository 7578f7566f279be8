# SPDX-License-Identifier: GPL-3.0-or-later
"""Where cpfg's turtle says it is, and what it reads as one word, to the last digit of single precision.

The `.raw` files are what cpfg (of vlab 9bf820d) made of the `.l` files, one module a line, before its homomorphism; the
`.l` files are ours, and each says what it is about. Productions in them ask on which side of 0 a number lies.
"""

from array import array
from pathlib import Path

import pytest

from lsystem import derive, interpret, open_object, parse

FILES = Path(__file__).parent / "turtle_files"


@pytest.mark.parametrize("name", sorted(path.stem for path in FILES.glob("*.l")))
def test_the_turtle_is_cpfgs(name: str):
    grammar = parse(open_object(FILES / f"{name}.l").text, f"{name}.l")
    lines = (FILES / f"{name}.raw").read_text(encoding="latin-1").splitlines()
    wanted = [(line[0], array("f", map(float, line[2:-1].split(",")) if len(line) > 1 else [])) for line in lines]
    string = derive(grammar, interpreted=False)
    assert [(module.symbol, array("f", module.params)) for module in string] == wanted
    assert len(interpret(derive(grammar), grammar))


def test_what_is_cut_on_a_condition_is_not_drawn():
    rule = "homomorphism\nK --> F(1)@mc(1)F(5)\nendlsystem\n"
    text = f"Lsystem: 1\naxiom: F(1)[+(90)F(1)@mc(1)F(1)[F(1)]F(1)]K F(1)\n{rule}"
    skeleton = interpret(derive(parse(text)), parse(text))
    assert skeleton.length.sum() == pytest.approx(0.04)


def test_a_function_that_nobody_knows_leaves_its_letter_a_module():
    text = "Lsystem: 1\naxiom: @F(1)@G(2)@Gx(3)@Ts @K\nhomomorphism\nK --> F(4)\nendlsystem\n"
    assert interpret(derive(parse(text)), parse(text)).length.sum() == pytest.approx(0.08)
