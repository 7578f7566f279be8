# SPDX-License-Identifier: GPL-3.0-or-later
"""What is odd about files: names that nobody has defined, loops that cpfg does not know, blocks that are not closed."""

import time

import pytest

from lsystem import LSystemError, derive, modules_text, parse

HEAD = "Lsystem: 1\nderivation length: 1\n"


def test_names_that_nobody_has_defined_are_told():
    grammar = parse(f"{HEAD}axiom: A(nope)\nA(x) : x + foo > 0-1 --> B(x + nope)\nendlsystem\n", "old.l")
    assert modules_text(derive(grammar)) == "B(0)"
    assert grammar.notes == ("Taken as 0, since nothing defines them: nope (line 3), foo (line 4)",)
    many = parse(f"{HEAD}axiom: {''.join(f'A(n{number})' for number in range(20))}\nendlsystem\n")
    assert many.notes[0].endswith("n7 (line 3), ...")


def test_assignments_that_go_to_the_subscript_are_told():
    blocks = "Define: {array a[3];}\nStart: {i = 1;\na[floor(i)] = 7; a[i-6] = 5;}\n"
    text = f"{HEAD}{blocks}axiom: A(i, a[1])\nendlsystem\n"
    grammar = parse(text, "old.l")
    assert modules_text(derive(grammar)) == "A(7, 5)"
    assert grammar.notes == (
        "Assigned to what a function in the subscript is of, as with cpfg, in place of: a[] (line 5)",
    )


def test_sides_without_effect_may_be_out_of_range():
    """cpfg evaluates them all the same and keeps what is no number, which nothing uses."""
    parameters = "9 - (x > 0 ? x + 1 : 0-1), 1 + (x > 5 ? log(x-1) - 1 : 2), (x ? 3 : log(x-1))"
    text = f"{HEAD}axiom: A(1)\nA(x) --> B({parameters})\nendlsystem\n"
    assert modules_text(derive(parse(text))) == "B(-1, 3, 3)"


def test_our_own_language_takes_conditions_for_what_they_say():
    text = "axiom: A(1)\nA(h) -> B(10 - if(h > 0, h + 1, 5), (1+1 || 0) + 5, 3 * (h+1 || 0))\n"
    assert modules_text(derive(parse(text), 1)) == "B(8, 6, 3)"


def test_our_own_language_knows_its_names():
    with pytest.raises(LSystemError, match="unknown name 'nope'"):
        parse("axiom: A(1)\nA(n) -> A(nope)\n")


def test_a_label_before_a_production_is_told_by_its_names():
    """As books write it; for cpfg it would be a production of p and 1 that never applies."""
    assert modules_text(derive(parse(f"{HEAD}axiom: A\np1: A --> B\nendlsystem\n"))) == "B"


def test_for_counts():
    text = f"{HEAD}Start: {{for (i = 0; i < 4; i = i+1) {{x = x + i; a = i;}}}}\naxiom: A(x, i, a)\nendlsystem\n"
    assert modules_text(derive(parse(text))) == "A(6, 4, 3)"
    for_ = f"{HEAD}Start: {{for = 3;}}\naxiom: A(for)\nendlsystem\n"
    assert modules_text(derive(parse(for_))) == "A(3)"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("axiom: A\nA : {x = 1;} --> B\n", 4, "a condition is missing before '-->'; write * for one that always holds"),
        ("axiom: A(1)\nA(x) : x == 1 {n = 2;} n < 4 --> B\n", 4, "a second condition, behind statements"),
        ("axiom: A(1)\nA(x) : {n = 2; n < 4 --> B\n", 4, "'-->'; or the block that begins in line 4 lacks its '}'"),
        ("Start: {n = 2;\naxiom: A\nA --> B\n", 4, "found ':'; or the block that begins in line 3 lacks its '}'"),
        ("Start: {n = 2;\n", 4, "the block that begins in line 3 is never closed with '}'"),
        ("Start: {n = 2; x = y z; }\naxiom: A\n", 3, "expected ';' at the end of a statement, found 'z'"),
        ("axiom: A\ngroup 2:\nA --> B\n", 4, "have a variable say which group is on"),
        ("axiom: A\nA : {for (i = 0; i < 3) {n = 1;}} * --> B\n", 4, "expected ';' behind the condition of 'for'"),
        ("Start: {x = b[1];}\naxiom: A\n", 3, "'b' is no array; arrays stand in a block"),
        ("axiom: A(sqrt(biran(9999999, 0.5)))\n", 3, "biran: at most 1000000 draws at once"),
        ("#if 1 ? 2\n#endif\naxiom: A\n", 3, "the condition of #if cannot be read: expected ':', found the end"),
        ("#if 1 / 0\n#endif\naxiom: A\n", 3, "the condition of #if cannot be read: a division by zero"),
        ("#if " + "(" * 200 + "\n#endif\naxiom: A\n", 3, "it is nested more than 100 deep"),
        ("#if " + "!" * 200 + "1\n#endif\naxiom: A\n", 3, "it is nested more than 100 deep"),
        ("#if 09\n#endif\naxiom: A\n", 3, "'09' is no number"),
        ("#if 1 @ 2\n#endif\naxiom: A\n", 3, "unexpected '@'"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_what_to_write(text: str, line: int, message: str):
    with pytest.raises(LSystemError) as caught:
        derive(parse(HEAD + text, "old.l"))
    assert message in caught.value.message
    assert caught.value.line == line


def test_macros_do_not_make_files_too_long():
    text = f"#define LONG {'F' * 100_000}\nLsystem: 1\n" + "axiom: LONG\n" * 60 + "endlsystem\n"
    with pytest.raises(LSystemError, match="the macro 'LONG' makes the file too long"):
        parse(text)


def test_arguments_that_are_never_closed_are_soon_given_up():
    text = "#define M(a) a\nLsystem: 1\naxiom: M(\n" + "F F F F F F F F F F F F\n" * 30_000
    begin = time.process_time()
    with pytest.raises(LSystemError, match="the arguments of the macro 'M' are never closed"):
        parse(text)
    assert time.process_time() - begin < 5.0
    assert modules_text(derive(parse("#define M(a) a\nLsystem: 1\naxiom: M(F\n(1)\n) A\nendlsystem\n"))) == "F(1)A"


def test_characters_in_conditions_are_their_codes():
    """As C has them: also escaped, with a sign, and no macros within their quotes."""
    text = (
        "#define A 1\n#define LETTER 'b'\n"
        r"#if 'A' == 65 && LETTER == 98 && '\n' == 10 && '\'' == 39 && '\\' == 92 && '\101' == 'A'"
        r" && '\x41' == 'A' && '\377' == -1 && 'z' - 'a' == 25"
        "\nLsystem: 1\naxiom: F\nendlsystem\n#endif\n"
    )
    assert modules_text(derive(parse(text))) == "F"
    with pytest.raises(LSystemError, match="the condition of #if cannot be read: unexpected"):
        parse("#if 'ab' == 1\n#endif\nLsystem: 1\naxiom: F\n")
