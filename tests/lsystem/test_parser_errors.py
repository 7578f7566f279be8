# SPDX-License-Identifier: GPL-3.0-or-later
"""Every malformed text gets one error, at the right line and column."""

import pytest

from lsystem import LSystemError, parse


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("", 0, 0, "no axiom"),
        ("A -> F", 0, 0, "no axiom"),
        ("axiom A", 1, 7, "expected ':' after 'axiom'"),
        ("axiom: A\naxiom: B", 2, 1, "a second 'axiom' line"),
        ("axiom: A\nfoo: 3", 2, 1, "unknown statement 'foo'"),
        ("axiom: A\nAB -> C", 2, 1, "one symbol before its arrow"),
        ("axiom: F(1,", 1, 12, "found the end of the statement"),
        ("axiom: F(1", 1, 11, "expected ',' or ')' in the parameters of F"),
        ("axiom: F(1 2)", 1, 12, "expected ',' or ')' in the parameters of F, found '2'"),
        ("axiom: F(a)", 1, 10, "unknown name 'a'"),
        ("axiom: F 2", 1, 10, "'2' is not a symbol"),
        ("axiom: F)", 1, 9, "')' is not a symbol"),
        ("axiom: F*F", 1, 9, "'*' is not a symbol"),
        ("axiom: @mass(1)", 1, 8, "unknown setting '@mass' (known: @young"),
        ("axiom: F : 3", 1, 10, "unexpected ':'"),
        ("axiom: ~Lief(1,2)", 1, 8, "unknown organ '~Lief' (known: ~Petiole"),
        ("axiom: A\nA(x -> F", 2, 5, "expected ',' or ')' in the parameters of A"),
        ("axiom: A\nA(x, x) -> F", 2, 6, "the parameter 'x' appears twice"),
        ("axiom: A\nA(1) -> F", 2, 3, "expected the name of a parameter"),
        ("axiom: A\nA(sin) -> F", 2, 3, "'sin' is a function"),
        ("let n = 1\naxiom: A\nA(n) -> F", 3, 3, "'n' is a constant already"),
        ("axiom: A\nA : 1 F", 2, 7, "expected '->' after the predecessor A, found 'F'"),
        ("axiom: A\nA = F", 2, 3, "expected '->'"),
        ("axiom: A\nA", 2, 2, "found the end of the statement"),
        ("axiom: A\nA B -> F", 2, 1, "a production replaces one module"),
        ("axiom: A\nA < -> F", 2, 5, "expected a symbol, found '-'"),
        ("axiom: A\nA[B] < C -> F", 2, 2, "'[' cannot be part of this context"),
        ("axiom: A\nA > B[C -> F", 2, 6, "this '[' of a context is never closed"),
        ("axiom: A\nA(x) < B(x) -> F", 2, 10, "the parameter 'x' appears twice"),
        ("axiom: A\n% -> F", 2, 1, "a cut cannot be replaced"),
        ("axiom: A\nA -> F : ", 2, 10, "expected a number"),
        ("axiom: A\nA -> F : 1 2", 2, 12, "unexpected '2'"),
        ("axiom: A\ndecomposition: 0\nA -> F", 2, 16, "decomposition must be a whole number from 1 to 100"),
        ("axiom: A\ninterpretation:\nA > B -> F", 3, 1, "have no context"),
        ("axiom: A\nignore: [", 2, 9, "contexts always see brackets"),
        ("axiom: A\nignore: F\nconsider: A", 3, 12, "exclude each other"),
        ("axiom: A\ntropism: 0, 0", 2, 14, "'tropism' takes 4 numbers"),
        ("axiom: A\npipe: 0", 2, 7, "the pipe must be above 0"),
        ("let a = 3  # [5..1] wrong", 1, 14, "must go from a smaller to a larger number"),
        ("let if = 9", 1, 5, "'if' is a function"),
        ("axiom: A\nA : -> F", 2, 5, "expected a number"),
        ("axiom: A\n[ -> F", 2, 1, "brackets cannot be replaced"),
        ("axiom: A\nA -> F\n  B -> G", 3, 5, "a second arrow"),
        ("axiom: A\nA(x) -> F(x)\n\t[ +(y) F ]", 3, 6, "unknown name 'y' (known here: x)"),
        ("steps: 1.5\naxiom: A", 1, 8, "steps must be a whole number"),
        ("steps: -1\naxiom: A", 1, 8, "steps must be a whole number"),
        ("breeze: 0\naxiom: A", 1, 9, "the breeze must be above 0"),
        ("steps:\naxiom: A", 1, 7, "found the end of the statement"),
        ("length: 0\naxiom: A", 1, 9, "the length must be above 0"),
        ("radius: 1 1\naxiom: A", 1, 11, "unexpected '1'"),
        ("let = 3", 1, 5, "expected the name of a constant"),
        ("let a 3", 1, 7, "expected '=' after 'a'"),
        ("let a = 3\nlet a = 4", 2, 5, "'a' is a constant already"),
        ("let a = b\nlet b = 4", 1, 9, "unknown name 'b'"),
        ("material wood young=1", 1, 10, "expected an organ after 'material'"),
        ("material stem colour=1", 1, 15, "expected one of young"),
        ("material stem young 1", 1, 21, "expected '=' after 'young'"),
        ("material stem young=-1", 1, 15, "'young' must be above 0 Pa"),
        ("material stem poisson=0.7", 1, 15, "'poisson' must be above -1 and at most 0.5"),
        ("material stem young=1 young=2", 1, 23, "'young' is given twice"),
        ("material stem young=1\nmaterial stem young=2", 2, 10, "a second material"),
    ],
)
def test_position_and_message(text: str, line: int, column: int, message: str):
    with pytest.raises(LSystemError) as caught:
        parse(text, "my text")
    assert message in caught.value.message
    assert (caught.value.line, caught.value.column, caught.value.source) == (line, column, "my text")


def test_message_reads_as_one_sentence():
    with pytest.raises(LSystemError) as caught:
        parse("axiom: F(", "fern.lsys")
    assert str(caught.value) == (
        "fern.lsys, line 1, column 10: expected a number, a name or '(', found the end of the statement"
    )


def test_line_ends_tabs_unicode_and_uniform_indentation():
    grammar = parse("\ufeff  name: Öl → Pflanze\r\n  axiom:\tÄ\r\n  Ä → F\r\n\r      [F]  \n")
    assert grammar.name == "Öl → Pflanze"
    assert [template.symbol for template in grammar.productions[0].successor] == ["F", "[", "F", "]"]
    with pytest.raises(LSystemError) as caught:
        parse("axiom: A\r\n\t\tF(\u00e4)\r\n")
    assert (caught.value.line, caught.value.column) == (2, 5)


def test_headers():
    grammar = parse(
        "name: Fern # not part\ndescription: two\n  lines\nsteps: 2*3\nangle: 10\nlength: 1\nradius: .1\naxiom: A"
    )
    assert (grammar.name, grammar.description, grammar.steps) == ("Fern", "two lines", 6)
    assert (grammar.angle, grammar.length, grammar.radius) == (10.0, 1.0, 0.1)
