# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of cpfg are read as the same L-system; what cannot be read is named with its line."""

from array import array

import pytest

from lsystem import LSystemError, derive, grow, modules_text, parse

PLANT = r"""#define STEPS 6   /* derivation length */
#define ANG (22.5 + 1)		// between branch and stem
#define LEAF ~l(2)
#define TURN /(137.5)
#define NODE [+(ANG)LEAF]
/* a comment
   over lines: A --> B */
Lsystem: 0
Start: {srand(21);}
derivation length: STEPS
consider: A
Axiom: !(1)A(1)

p1: A(n) : n < STEPS-1 --> F(2)NODE TURN \
     A(n+1) : 2
p2: A(n) : n < STEPS-1 --> F(1)A(n+1) : 0.5
B < A(n) > [C] D : * --> *
Homomorphism:
maximum depth: 2
A(n) --> F(ran(2)+1) ;
endlsystem
this is not read
"""


def test_structure_of_a_file():
    grammar = parse(PLANT, "plant.l")
    assert grammar.steps == 6
    assert dict(grammar.constants) == {"STEPS": 6.0, "ANG": 23.5}
    assert grammar.sliders[0].description == "STEPS: derivation length"
    assert grammar.sliders[1].description == "ANG: between branch and stem"
    assert grammar.considered == {"A"}
    assert [production.line for production in grammar.productions] == [14, 16, 17]
    assert [production.weight is not None for production in grammar.productions] == [True, True, False]
    assert len(grammar.productions[2].left) == 1
    assert len(grammar.productions[2].right) == 4  # with its brackets
    assert grammar.interpretation.depth == 2
    text = modules_text(derive(grammar, 1, seed=1, interpreted=False))
    assert text in ("!(1)F(2)[+(23.5)~ l(2)]/(137.5)A(2)", "!(1)F(1)A(2)")
    skeleton = grow(PLANT)
    assert skeleton.length[0] in (0.01, 0.02)  # centimetres
    assert skeleton.colour[-1] == 0


def test_book_example_in_the_format_of_cpfg():
    """ABOP, figure 2.8a, as its authors' tool writes it."""
    text = """Lsystem: 1
#define d1 94.74
#define d2 132.63
#define a 18.95
#define lr 1.109
#define vr 1.732
derivation length: 6
axiom: !(1)F(200)/(45)A
A --> !(vr)F(50)[&(a)F(50)A]/(d1)[&(a)F(50)A]/(d2)[&(a)F(50)A]
F(l) --> F(l*lr)
!(w) --> !(w*vr)
endlsystem
"""
    assert len(grow(text)) == 1 + 4 * (3**6 - 1) // 2


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("#include <x.h>\nLsystem: 1\naxiom: A", 1, "the file 'x.h' is not there beside this one"),
        ("#define f(x) x*2\nLsystem: 1\naxiom: A(f)\nA --> B(f(1,2))", 4, "the macro 'f' takes 1 arguments, not 2"),
        ("Lsystem: 1\naxiom: A\nA : {x=1} 1 --> F", 3, "expected ';' at the end of a statement"),
        ("Lsystem: 1\naxiom: A\nA --> <F", 3, "unexpected '<'"),
        ("Lsystem: 1\naxiom: A\nA --> F\n  F @Tx(1)", 4, "expected the name of a parameter of x"),
        ("Lsystem: 1\naxiom: A\nA(x) --> B(bran(1))", 3, "bran takes 2 arguments"),
        ("Lsystem: 1\naxiom: A\nA(x) --> B(atan2(1,2))", 3, "'atan2' is a word of cpfg that it cannot read"),
        ("Lsystem: 1\naxiom: A\nA(x) --> B(inblob(1,x,x,x))", 3, "'inblob' asks for fields of blobs"),
        ("Lsystem: 1\naxiom: A(vvXmin(0))", 2, "'vvXmin' asks how large the window is that cpfg draws in"),
        ("Lsystem: 1\nignore: F\naxiom: A\nA --> B\nignore: +\nA > B --> C", 5, "'ignore' stands in front of the"),
        ("Lsystem: 1\naxiom: A\nA(x) --> B(1e5)", 3, "expected ')' or ',' in the parameters of B"),
        ("Lsystem: 1\naxiom: A\nLsystem: 2", 3, "a second L-system begins behind 'endlsystem' of the first"),
        ("Lsystem: 1\nmaximum depth: 2\naxiom: A", 2, "a maximum depth outside"),
        ("Lsystem: 1\naxiom: A\ngroup 2\nA --> B", 3, "'group' is not of cpfg"),
        ("Lsystem: 1\naxiom: %(1)\nendlsystem\nLsystem: 2\naxiom: A", 0, "may have one L-system only"),
        ("Lsystem: 1\nDefine: { external a[0]; }\naxiom: A", 2, "arrays must have 1 to"),
        ("Lsystem: 1\nDefine: { extern a; }\naxiom: A", 2, "expected '}', 'array' or 'external'"),
        ("A --> B\nLsystem: 1\naxiom: A", 1, "expected a line such as 'Lsystem: 1'"),
        ("#if A ==\n#endif\nLsystem: 1\naxiom: A", 1, "the condition of #if cannot be read"),
        ("#if 1\nLsystem: 1\naxiom: A", 1, "this condition has no #endif"),
        ("Lsystem: 1\n /* one\naxiom: A\nA --> B", 2, "the comment that begins in this line is never closed with */"),
        ("Lsystem: 1\naxiom: A\nA --> B /* one */ C /* two\nendlsystem", 3, "this line is never closed with */"),
        ("#pragma once\nLsystem: 1\naxiom: A", 1, "#pragma is not known here"),
    ],
)
def test_what_cannot_be_read_is_named(text: str, line: int, message: str):
    with pytest.raises(LSystemError) as caught:
        parse(text, "old.l")
    assert message in caught.value.message
    assert (caught.value.line, caught.value.source) == (line, "old.l")


def test_behind_the_end_a_comment_may_stay_open():
    """As with cpfg, which does not read there."""
    assert modules_text(derive(parse("Lsystem: 1\naxiom: A\nendlsystem /* one\n"))) == "A"


def test_a_long_macro_is_read_soon():
    grammar = parse("#define N " + "1" * 5000 + "!\nLsystem: 1\naxiom: N", "old.l")
    assert len(derive(grammar)) == 5001
    assert grammar.sliders == ()


@pytest.mark.parametrize("value", [1e-5, -3e-9, 2.5e-7, 1e16, 0.5, -2.0])
def test_constants_may_be_as_small_or_large_as_they_are_set(value: float):
    text = "#define SIZE 0.5\n#if SIZE < 1.0e+9\nLsystem: 1\n#endif\nAxiom: A(SIZE, 1-SIZE)\n"
    lines = text if value < 1e9 else text.replace("<", ">")
    string = derive(parse(lines, constants={"SIZE": value}))
    assert string[0].params == tuple(array("f", [value, 1 - value]))


def test_a_macro_may_be_empty():
    assert modules_text(derive(parse("#define N\nLsystem: 1\naxiom: A N F\nendlsystem\n"), 0)) == "AF"


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ("A --> ~l(3)F(4%0)", 15),
        ("A --> F(ran(2))F(1+5%(Q*0))", 21),
        ("  p1: A --> LEAF F(4%0)", 21),
        ("A --> B ,(3) F(sin)", 16),
        ("A --> F(func(1, 2))", 9),
    ],
)
def test_errors_have_the_columns_of_the_file(line: str, column: int):
    text = f"#define LEAF ~l(2)\nLsystem: 1\nderivation length: 1\naxiom: A\n{line}\nendlsystem\n"
    with pytest.raises(LSystemError) as caught:
        derive(parse(text))
    assert (caught.value.line, abs(caught.value.column - column) <= 1) == (5, True), str(caught.value)


def test_the_turtle_reads_the_first_parameter_only():
    skeleton = grow("Lsystem: 1\nderivation length: 1\naxiom: A\nA --> F(5, 3, 7) +(30, 2) F(1)\nendlsystem\n")
    assert skeleton.length.tolist() == pytest.approx([0.05, 0.01])
    assert skeleton.radius_tip.tolist() == pytest.approx([0.001, 0.001])


def test_a_line_that_a_macro_empties_is_left_out():
    assert len(derive(parse("Lsystem: 1\n#define NOTHING\naxiom: F\nNOTHING\nF --> FF"), 1)) == 2
