# SPDX-License-Identifier: GPL-3.0-or-later
"""Random texts: nothing but LSystemError may come out, with a place, and soon.

    python -m tests.lsystem.fuzz [100000] [FIRST]

feeds that many texts of six kinds, and whole folders, to all the way from text to skeleton, beginning with the number
FIRST, and says how many grew, which took longest and how much memory all took. Of ten texts of a kind one has the
limits that hold where nobody gives others, and one a line of fifty thousand characters. Folders are written to a
temporary one and opened as *Open L-studio Object* does; nothing in them may be touched. The tests run a short form of
the same; the seed of a text is its number.
"""

import contextlib
import random
import re
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import numpy as np

from lsystem import (
    Grammar,
    Limits,
    LSystemError,
    articulated_skeleton,
    derive,
    draw,
    modules_text,
    open_object,
    parse,
    parse_modules,
    presets,
    read_articulated,
)
from tests.lsystem.cpfg.at_random import random_files, random_folders
from tests.lsystem.cpfg.at_random.long_lines import lengthened

LIMITS = Limits(max_modules=3000, max_depth=200, max_rewrites=2000, max_values=20_000, max_loops=2000)
PLANT_LIMITS = Limits(max_modules=3000, max_depth=200, max_rewrites=50_000, max_values=20_000, max_loops=2000)
SLOWEST = 5.0
"""Seconds of the processor that one text may take, whatever else runs beside it."""
SLOWEST_WITH_ALL = 30.0
"""The same with the limits that hold where nobody gives others; drawing a million modules is the most of it."""
MOST_MEMORY = 3.0
"""Gigabytes."""

WORDS = [
    *"ABFJfXG+-&^\\/|[]!~(){}<>=:;,.*%#$'\"@_0123456789 \n\t",
    *("->", "→", "-->", "axiom:", "steps:", "let", "material stem", "young=", "name:", "angle:", "length:", "~Leaf"),
    *("A(n)", "A(n+1)", "n < 5", "1/0", "1e400", "random()", "random(0,1)", "sqrt(", "&&", "||", "==", "//", "\n  "),
    *("\x00", "\u2028", "ä", "\U0001f33f", "\r", "nan", "inf", "__import__('os')", "B(1,0,1,0,0,1,0,9,9,9)", "F_l"),
    *("J(0,0,0,0,0,0,1,1,1)", "axiom: A(1)\n", "A(n) -> F(n)[+A(n/2)]A(n*2)\n", "steps: 9999\n", "@young(1e9)"),
    *("\ndecomposition: 3\n", "\ninterpretation:\n", "\nignore: + -\n", "\nconsider: A\n", "tropism: 0,0,-1,0.2\n"),
    *("A < A(n) > [F]F : n > 1 -> B : 0.5\n", "pipe: 2\n", "@organ(leaf)", "@pin(1)", "{ f . f . F }", "~Leaf(1,2)"),
    *("Lsystem: 1\n", "#define N 3\n", "#define N\n", "#define", "pipe: 2\n", "parameters: 1\n",
      "homomorphism\n", "endlsystem\n", "normal(0, 1)", "exponential(", "if(", "age"),
    *("?P(0,0,0)", "?H(1)", "?E(2)", "?E(1,2,3,4)", "environment: light cell=0.1\n"),
    *("solid post radius=0.1 height=1\n", "solid ball radius=n", "own_solids()"),
    *("solid box width=1 depth=1 height=1 z=9\n", "@heading(n,0,1)", "@up(", "nearest_z("),
    *("{ m = n*2; }", "{ m = random() }", "spline(n,1,2)", "spline(", ": { k = 1 } k"),
    *("environment: solids\n", "inside(n,0,1)", "distance(n,n,n)", "away_x(0,0,n)"),
    *("let a = 3 # [0..5 m] x\n", "[0..", "unit: 0.01\n", "choose(1,2)", "\naxiom: AF%[F]B\n", "@elasticity(0.5)"),
]  # fmt: skip

PIECES = [
    *"FAB[]&f%$'.", "A(1)", "+(30)", "B(n)", "A(n+1)", "~Leaf", "F(n)", "!(n)", "A(n/2)", "F(1,n)", "{.", "f.}", "!",
    "@young(n)", "~Leaf(n,1,0.1,3,n)", "[+F]", "B(normal(n,1))", "A(choose(n,2))", "@tropism(0,0,-1,n)",
    "@heading(n,1,0)", "@up(0,n,1)", "A(distance(n,0,1))", "F(1+inside(n,n,n))", "A(away_y(n,1,2))",
    "F(spline(n,1,n,2))",
]  # fmt: skip


FITTING = [
    "F", "A", "B", "&", "f", "A(1)", "+(30)", "B(n)", "A(n+1)", "~Leaf", "A(n/2)", "F(1,0.1)", "!", "$", "'", "[+F]",
    "[&(30)A(n)]", "{.f+f+f.}", "?P(0,0,0)", "?H(n,0)", "?E(n,1,2)",
    "@organ(petiole)", "@joint(0.5)", "~Leaf(0.1,0.1,0.001,3,20)", "[F%F]",
]  # fmt: skip
"""Pieces with which a text more often grows."""


def pieces(source: random.Random, count: int) -> str:
    """Some pieces, or some that fit."""
    return " ".join(source.choices(source.choice([PIECES, FITTING, FITTING]), k=count))


def with_n(string: str, value: str) -> str:
    """The string with a value for n."""
    return re.sub(r"\bn\b", value, string)


def words(source: random.Random) -> str:
    """Anything, in any order; half of it behind a beginning that can be read."""
    beginnings = ["axiom: F", "axiom: F A(1)\nA(n) -> ", "axiom: F\nA(n) : ", "axiom: F\nlet a = ", "axiom: F\nF > ",
                  "Lsystem: 1\naxiom: F\nF --> "]  # fmt: skip
    beginning = source.choice(["", source.choice(beginnings)])
    return beginning + "".join(source.choices(WORDS, k=source.randrange(1, 20 if beginning else 40)))


def productions(source: random.Random) -> str:
    """Texts that can be read; many of them also grow."""
    condition = source.choice(["", ": n < 9", ": n > 1 && random() < 0.5", ": *", ": age < 2", ": 1/n > 0",
                               ": { m = n/2 } m < 9 { k = random() }", ": n < 5 { k = spline(n/5, 0, n, age) }"])
    weight = source.choice(["", "", " : 1", " : n", " : 0.5"])
    left = source.choice(["", "", "", "F < ", "B(m) < ", "A F < "])
    right = source.choice(["", "", " > F", " > [F]B", " > [A[F]]", " > ?P(u,v,w)", " > ?E(u,v,w)"])
    heading = source.choice(["", "decomposition: 2\n", "interpretation:\n"])
    lines = [
        f"steps: {source.choice([1, 3, 3, 20, 9999])}",
        source.choice(["", "ignore: + &", "pipe: 2.5", "unit: 0.01", "tropism: 1, 0, -1, 0.3"]),
        "environment: " + source.choice(["space radius=0.2", "light cell=0.5", "soil cell=1 rise=0.1", "solids"]),
        "solid post radius=0.3 height=2\nsolid ball radius=0.4 x=1",
        f"axiom: F A(1) {with_n(pieces(source, 2), '2')}",
        f"{left}A(n){right} {condition} -> {pieces(source, 4)}{weight}",
        f"B(n) -> {pieces(source, 3)}",
        f"A -> {with_n(pieces(source, 2), '3')} : 2",
        heading,
        f"A(n) -> {pieces(source, 2)}" if heading else "",
    ]
    return "\n".join(lines)


def mutilated(source: random.Random) -> str:
    """A preset with a few characters changed."""
    text = list(source.choice(presets()).text)
    for _ in range(source.randrange(1, 6)):
        place = source.randrange(len(text))
        text[place : place + source.randrange(0, 4)] = source.choice(WORDS)
    return "".join(text)


def strings(source: random.Random) -> str:
    """One string, drawn as it is."""
    string = pieces(source, source.randrange(1, 30))
    return "axiom: " + with_n(string, source.choice(["2", "2", "0.1", "-1", "1e9"]))


TEXTS = {
    "words": words,
    "productions": productions,
    "mutilated": mutilated,
    "strings": strings,
    "cpfg": random_files.readable,
    "mutilated cpfg": random_files.mutilated,
}
FOLDERS = "folders"
KINDS = (*TEXTS, FOLDERS)


def grows(text: str, age: float | None, limits: Limits, slowest: float = SLOWEST) -> Grammar | None:
    """The grammar of a text that grew. Any other exception than LSystemError, and anything not finite, is a failure."""
    begin = time.process_time()
    error: LSystemError | None = None
    grammar = skeleton = None
    try:
        grammar = parse(text)
        skeleton = draw(grammar, age, limits=limits)
    except LSystemError as caught:
        error = caught
    assert time.process_time() - begin < slowest
    if skeleton is None:
        assert error is not None
        assert error.message
        assert (error.line > 0) == (error.column > 0)
        return None
    arrays = (skeleton.head, skeleton.frame, skeleton.length, skeleton.radius_base, skeleton.radius_tip, skeleton.width)
    assert all(np.isfinite(array).all() for array in arrays)
    assert (skeleton.parent < np.arange(len(skeleton))).all()
    return grammar if len(skeleton) else None


def text_of(number: int, kind: str, is_long: bool = False) -> tuple[str, float | None]:
    """A text by its number, and the age to draw it at."""
    source = random.Random(number)
    text = TEXTS[kind](source)
    age = source.choice([None, None, 2, 2.4])
    return (lengthened(source, text) if is_long else text), age


def files_of(number: int, is_long: bool = False) -> dict[str, bytes]:
    """The files of a folder by its number."""
    source = random.Random(number)
    files = random_folders.files(source)
    if is_long:
        name = source.choice(sorted(name for name in files if not name.endswith("/")))
        files[name] = lengthened(source, files[name].decode("latin-1")).encode("latin-1")
    return files


def opens(number: int, is_long: bool, has_all: bool) -> bool:
    """Whether a folder is opened and grows. Whatever becomes of it, nothing in it may be touched."""
    files, source = files_of(number, is_long), random.Random(number)
    unit, thicken = source.choice([None, None, 0.0, 0.02]), source.random() < 0.3
    begin = time.process_time()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        random_folders.put(files, folder)
        opened = None
        with contextlib.suppress(LSystemError):
            opened = open_object(source.choice([folder, folder / "plant.l"]), unit, thicken)
        assert time.process_time() - begin < SLOWEST_WITH_ALL
        assert random_folders.there(folder) == files
    if opened is None:
        return False
    assert opened.unit > 0.0
    assert opened.thickening() >= 1.0
    if has_all:
        return grows(opened.text, None, Limits(), SLOWEST_WITH_ALL) is not None
    return grows(opened.text, None, PLANT_LIMITS) is not None


def feed(number: int, kind: str, is_long: bool = False, has_all: bool = False) -> bool:
    """Make a text and try all that reads texts on it; has_all: with the limits that hold where nobody gives others."""
    if kind == FOLDERS:
        return opens(number, is_long, has_all)
    text, age = text_of(number, kind, is_long)
    if has_all:
        return grows(text, age, Limits(), SLOWEST_WITH_ALL) is not None
    grammar = grows(text, age, PLANT_LIMITS if kind.startswith("mutilated") else LIMITS)
    with contextlib.suppress(LSystemError):
        articulated_skeleton(read_articulated(text))
    string = None
    if grammar is not None:
        with contextlib.suppress(LSystemError):  # of a step that was not drawn
            string = derive(grammar, min(3, grammar.steps), limits=LIMITS)
    if string is not None and "cpfg" not in kind:  # whose strings are not of our language
        written = modules_text(string)
        assert modules_text(parse_modules(written)) == written
    return grammar is not None


def main() -> None:
    import resource  # which only POSIX systems have

    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    most = int(2 * MOST_MEMORY * 2**30)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    grown: Counter[str] = Counter()
    slowest: list[tuple[float, int, str]] = []
    begin = time.perf_counter()
    for number in range(first, first + count):
        kind = KINDS[number % len(KINDS)]
        turn = number // len(KINDS) % 10
        is_long, has_all = turn == 5, turn == 0
        before = time.process_time()
        try:
            grown[kind] += feed(number, kind, is_long, has_all)
        except BaseException:
            text = files_of(number, is_long) if kind == FOLDERS else text_of(number, kind, is_long)[0]
            print(f"{number} ({kind}, long: {is_long}, all limits: {has_all}):\n{str(text)[:3000]}", file=sys.stderr)
            raise
        how = " long" * is_long + " with all limits" * has_all
        slowest = sorted([*slowest, (time.process_time() - before, number, kind + how)], reverse=True)[:10]
    seconds = time.perf_counter() - begin
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"{count} texts in {seconds:.0f} s, no failure; grew: {dict(grown)}; {memory:.1f} GB of memory at the most")
    for took, number, kind in slowest:
        print(f"  text {number} ({kind}): {took:.1f} s")
    assert memory < MOST_MEMORY


if __name__ == "__main__":
    main()
