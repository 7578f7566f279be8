# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of cpfg that would go on for ever end with an error that says where; nothing is run, written or read."""

import os
import time

import pytest

from lsystem import Limits, LSystemError, derive, parse

HEAD = "Lsystem: 1\nderivation length: 3\n"
SMALL = Limits(max_modules=2000, max_rewrites=40_000, max_values=20_000, max_loops=10_000)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (HEAD + "Start: {x = 1;\n\twhile (x) { x = x + 1; } }\naxiom: A\n", 4, "this loop goes on too long"),
        (HEAD + "axiom: A\nA : {do { x = 1; } while (x);} * --> B\n", 4, "this loop goes on too long, or all of them"),
        (HEAD + "axiom: A\nA : {x = 0;} x == 0 --> A A A A A A A A A A A A A A A A A A A A\n", 4,
         "derivation step 3 gives more than 2000 modules"),
        (HEAD + "axiom: A(1)\ndecomposition\nmaximum depth: 9999\nA(x) --> A(x+1)\n", 6, "replacements one by one"),
        (HEAD + "axiom: A\nhomomorphism\nmaximum depth: 9999\nA --> A A\n", 6, "the interpretation goes beyond"),
        (HEAD + "axiom: A(0)\nA(x) --> B(5 % x)\n", 4, "remainder of a division by zero"),
        (HEAD + "axiom: A(0.5)\nA(x) : {y = 5 % x;} * --> B(y)\n", 4, "by zero, at which cpfg itself ends (derivation"),
        (HEAD + "axiom: A\nA --> B(func(2, 0.5))\n", 4,
         "func: there is no function beside this text; open its whole folder (derivation"),
        (HEAD + "axiom: A(biran(99999999.0, 0.5))\n", 3, "biran: at most 1000000 draws at once"),
        (HEAD + "axiom: A(bran(0, 1))\n", 3, "both parameters of a beta distribution must be numbers"),
        ("#define A B B\n#define B C C\n#define C " + "D " * 500 + "\n#define D E E\n#define E " + "F " * 500
         + "\nLsystem: 1\naxiom: A\n", 7, "grows beyond all bounds"),
        (HEAD + "axiom: A\nA : {" + "if (1) {" * 60 + "x = 1;" + "}" * 61 + " * --> B\n", 4, "blocks are nested more"),
        (HEAD + "axiom: A(" + "(" * 150 + "1" + ")" * 150 + ")\n", 3, "expression nested more than 100 deep"),
        (HEAD + "axiom: A(" + "-" * 150 + "1)\n", 3, "expression nested more than 100 deep"),
        (HEAD + "Define: { array a[1000][2000]; }\naxiom: A\n", 3, "arrays must have 1 to 1000000 elements"),
        (HEAD + "axiom: A(bran(1, log(0-1)))\n", 3, "both parameters of a beta distribution must be numbers"),
        ("Lsystem: 1\nderivation length: 20000\naxiom: A\n", 2, "the derivation length must be from 0 to 10000"),
    ],
)  # fmt: skip
def test_what_has_no_end_is_ended(text: str, line: int, message: str):
    begin = time.perf_counter()
    with pytest.raises(LSystemError) as caught:
        derive(parse(text), limits=SMALL)
    assert message in caught.value.message
    assert caught.value.line == line
    assert time.perf_counter() - begin < 5.0


def test_nothing_is_run_written_or_read(tmp_path):
    (tmp_path / "kept").write_text("1")
    before = sorted(os.listdir(tmp_path))
    here = tmp_path.as_posix()
    text = (
        f'{HEAD}Start: {{f = fopen("{here}/new", "w"); fprintf(f, "%f", 1); fclose(f); g = fopen("{here}/kept", "r");'
        f' n = fscanf(g, "%lf", &x); play("{here}/kept");}}\naxiom: A(x)@S("rm {here}/kept")\n'
    ).replace("Start: {", "Start: {x = 5; ")
    assert derive(parse(text))[0].params == (5.0,)
    assert sorted(os.listdir(tmp_path)) == before


def test_a_text_may_stop_or_say_how_far_it_goes():
    text = HEAD + "{} }}\naxiom: A(0)\nA(n) --> A(n+1)\n"
    lengths = {
        "EndEach: { if (Q == 2) { stop(1); }": 2,
        "Start: { stop(1);": 3,  # cpfg's steps begin behind it, as they always do
        "EndEach: { if (Q == 2) { SetDerivationLength(5); }": 3,
        "Start: { SetDerivationLength(GetDerivationLength(1) - 1);": 2,
        "Start: { SetDerivationLength(0-4);": 0,
        "EndEach: { x = Z;": 3,
    }
    for statement, steps in lengths.items():
        assert derive(parse(text.format(statement)))[0].params == (steps,), statement
    animation = text + "endlsystem\n==== plant ====\nsteps: 6\n"
    for statement, steps in {"stop(1)": 6, "stop(0)": 2}.items():  # cpfg shows the string, or stands still with it
        assert derive(parse(animation.format(f"EndEach: {{ if (Q == 2) {{ {statement}; }}")))[0].params == (steps,)
    with pytest.raises(LSystemError, match="cannot derive 30000 steps"):
        derive(parse(text.format("Start: { SetDerivationLength(30000);")))


def test_the_panels_seed_changes_all_that_is_drawn_by_chance():
    text = (
        "Lsystem: 1\nseed: 4\nStart: {srand(3);}\nderivation length: 6\naxiom: A\nA --> F(ran(1))A : 1\n"
        "A --> [A]F(nran(0,1))A : 1\n"
    )
    first, again, other = (derive(parse(text), seed=seed) for seed in (0, 0, 1))
    assert first == again
    assert first != other


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("axiom: ?(3)F$\nendlsystem\nLsystem: 2\naxiom: F", r"\?\(3\) calls an L-system that is not there or its own"),
        ("axiom: ?(2)F$\nendlsystem", r"a module \?\(n\) calls the L-system n, and there is no other one"),
        ("axiom: A\nendlsystem\nLsystem: 2\naxiom: F\nendlsystem\nLsystem: 2\naxiom: F", "a second L-system 2"),
        (
            "derivation length: 3\naxiom: ?(2)B$\nendlsystem\nLsystem: 2\naxiom: F\nB --> ?(2)B$",
            r"\?\(2\) calls an L-system that calls it itself",
        ),
    ],
)
def test_calls_that_lead_nowhere_are_named(text, message):
    with pytest.raises(LSystemError, match=message):
        derive(parse(f"Lsystem: 1\n{text}\nendlsystem\n"))


@pytest.mark.parametrize("count", [1, 100, 10_000])
def test_lines_may_be_long(count: int):
    """Where an error stands is found also in lines of which not all characters can be compared with all."""
    line = "axiom: " + "F(1);(2) " * count
    assert len(derive(parse(HEAD + line + "\n")).kinds) == 2 * count
    with pytest.raises(LSystemError) as caught:
        parse(HEAD + line + "F(( \n")
    assert caught.value.line == 3
    assert 0 <= caught.value.column - len(line) <= 5
