# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure derivation and drawing of L-systems, beside L-Py where it can be imported.

    python benchmarks/derivation_speed.py [--quick]

Modules a second are those of the strings after each step, all steps together, processor time, shortest of several runs.
L-Py is not on PyPI (conda has it as openalea.lpy); without it the last table says so.
"""

import argparse
import importlib
import importlib.util
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.machine import describe, markdown
from lsystem import Limits, derive, derive_at, grow, parse

LIMITS = Limits(max_modules=20_000_000, max_rewrites=10**10, max_values=100_000_000)

SYSTEMS = {
    # name: (text, steps, steps if quick)
    "Koch island (ABOP 1.6)": ("angle: 90\naxiom: F-F-F-F\nF -> F-F+F+FF-F-F+F", 6, 5),
    "bush (ABOP 1.24e)": ("angle: 25.7\naxiom: X\nX -> F[+X][-X]FX\nF -> FF", 12, 10),
    "stochastic (ABOP 1.27)": ("axiom: F\nF -> F[+F]F[-F]F : .33\nF -> F[+F]F : .33\nF -> F[-F]F : .34", 9, 8),
    "parametric tree": ("axiom: A(1)\nA(l) : l > 0.001 -> F(l) [ +(30) A(l*0.7) ] [ -(20) A(l*0.8) ]", 18, 15),
    "random parameters": ("axiom: A(1)\nA(l) -> F(l) [ +(random(20, 40)) A(l*0.7) ] A(l*normal(0.9, 0.05))", 18, 15),
    "signal in a tree": (
        "ignore: + -\naxiom: M A(9)\nA(n) : n > 0 -> I [ + A(n-1) ] [ - A(n-1) ] I A(n-1)\nM < I -> M", 12, 11,
    ),
    "bush, as a file of cpfg": ("Lsystem: 1\naxiom: X\nX --> F[+X][-X]FX\nF --> FF\n", 12, 10),
}  # fmt: skip

STATEMENTS = {
    # name: productions of A, of which each makes one A again
    "one statement": "A(x) : {y = x*k + 1;} y < 1.0e9 --> A(y/3)",
    "statements before and after": "A(x) : {y = x*k + 1;} y < 1.0e9 {z = y/2; n = n + 1;} --> A(z/2)",
    "a decision and a random number": "A(x) : {if (x > 1) {y = x/2;} else {y = x*3;}} * --> A(y + ran(0.1))",
    "a loop of three rounds": "A(x) : {i = 0; while (i < 3) {x = x/2; i = i + 1;}} * --> A(x + 1)",
    "a left context": "A(l) < A(x) : {y = (l + x)/2;} * --> A(y)",
    "arrays, a random number and a sine": "A(x) : {a[1] = a[0] + x; y = a[1]*0.5 + ran(0.1);} * --> A(sin(y)*2)",
    "elements by what is computed": "A(x) : {i = x*7 % 8; a[i] = a[i]*0.9 + x; y = b[i][i/2];} * --> A(y + a[i]/20)",
    "? : and || on cpfg's stack": "A(x) --> A(0.5 + (x > 1 ? x/2 : x*3) + (x > 2 || x*k))",
}

TREES = {
    "ternary tree with tropism (ABOP 2.8a)": (
        "unit: 0.01\ntropism: 0, 0, -1, 0.22\naxiom: !(1) F(200) /(45) A\n"
        "A -> !(1.732) F(50) [ &(18.95) F(50) A ] /(94.74) [ &(18.95) F(50) A ] /(132.63) [ &(18.95) F(50) A ]\n"
        "F(l) -> F(l*1.109)\n!(w) -> !(w*1.732)",
        (6, 8, 9),
    ),
    "bush (ABOP 1.24e)": ("angle: 25.7\nlength: 0.01\naxiom: X\nX -> F[+X][-X]FX\nF -> FF", (6, 8)),
}

LPY_SYSTEMS = {
    "Koch island (ABOP 1.6)": "Axiom: F-F-F-F\nderivation length: {}\nproduction:\nF --> F-F+F+FF-F-F+F\nendlsystem\n",
    "bush (ABOP 1.24e)": ("Axiom: X\nderivation length: {}\nproduction:\nX --> F[+X][-X]FX\nF --> FF\nendlsystem\n"),
}


def shortest(run: Callable[[], object], repetitions: int) -> float:
    times = []
    for _ in range(repetitions):
        begin = time.process_time()
        run()
        times.append(time.process_time() - begin)
    return min(times)


def derivation_table(quick: bool) -> str:
    rows = []
    for name, (text, most, few) in SYSTEMS.items():
        steps = few if quick else most
        grammar = parse(text)
        made = sum(map(len, derive_at(grammar, range(1, steps + 1), limits=LIMITS)))
        seconds = shortest(
            lambda grammar=grammar, steps=steps: derive(grammar, steps, limits=LIMITS), 2 if quick else 3
        )
        last = len(derive(grammar, steps, limits=LIMITS))
        rows.append([name, str(steps), f"{last:,}", f"{seconds:.2f}", f"{made / seconds / 1e6:.1f}"])
    header = ["L-system", "steps", "modules at the end", "s", "million modules a second"]
    return markdown("Derivation", header, rows, "At least 1 million a second must be shown for simple systems.")


def statements_table(quick: bool) -> str:
    rows = []
    for name, productions in STATEMENTS.items():
        define = "Define: {array a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, b[8][4] = {1, 2};}"
        text = f"Lsystem: 1\n{define}\nStart: {{k = 2; n = 0;}}\naxiom: {'A(1)' * 1000}\n{productions}\n"
        grammar, steps = parse(text), 20 if quick else 100
        seconds = shortest(lambda grammar=grammar, steps=steps: derive(grammar, steps, limits=LIMITS), 3)
        rows.append([name, f"{1000 * steps / seconds / 1e6:.2f}"])
    header = ["production of a file of cpfg", "million applications a second"]
    return markdown("Modules one by one", header, rows, "0.3 million a second must be shown.")


def memory_table() -> str:
    grammar = parse("axiom: A(1)\nA(l) -> F(l) [ +(30) A(l*0.7) ] A(l*0.9)")
    rows = []
    for steps in (15, 18):
        tracemalloc.start()
        string = derive(grammar, steps, limits=LIMITS)
        held, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        rows.append(
            [f"{len(string):,}", f"{held / len(string):.0f}", f"{peak / len(string):.0f}", f"{peak / 2**20:.0f}"]
        )
    header = ["modules", "bytes a module, kept", "bytes a module, at most", "MiB at most"]
    return markdown("Memory of a string with a parameter in every second module", header, rows)


def drawing_table(quick: bool) -> str:
    rows = []
    for name, (text, all_steps) in TREES.items():
        for steps in all_steps[:2] if quick else all_steps:
            skeleton = grow(text, steps, limits=LIMITS)
            seconds = shortest(lambda text=text, steps=steps: grow(text, steps, limits=LIMITS), 3)
            rows.append([name, f"{len(skeleton):,}", f"{seconds:.3f}"])
    note = "Must be shown: 1 500 segments in 0.3 s, 20 000 in 2 s."
    return markdown("From text to skeleton", ["L-system", "segments", "s"], rows, note)


def lpy_table(quick: bool) -> str:
    found = any(importlib.util.find_spec(name) for name in ("openalea", "lpy"))
    try:
        module = importlib.import_module("openalea.lpy") if found else None
    except ImportError:
        module = None
    if module is None:
        return "## L-Py\n\nL-Py cannot be imported here, and PyPI has no package of it to install.\n"
    rows = []
    for name, text in LPY_SYSTEMS.items():
        ours, most, few = SYSTEMS[name]
        steps = few if quick else most
        system = module.Lsystem()
        system.setCode(text.format(steps))
        theirs = shortest(system.derive, 2)
        grammar = parse(ours)
        seconds = shortest(lambda grammar=grammar, steps=steps: derive(grammar, steps, limits=LIMITS), 2)
        rows.append([name, f"{len(system.derive()):,}", f"{theirs:.2f}", f"{seconds:.2f}"])
    return markdown("Beside L-Py", ["L-system", "modules", "L-Py, s", "this package, s"], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="smaller strings, fewer repetitions")
    quick = parser.parse_args().quick
    print("# Benchmarks of L-systems\n\n" + describe())
    for table in (
        derivation_table(quick), statements_table(quick), memory_table(), drawing_table(quick), lpy_table(quick),
    ):  # fmt: skip
        print(table, flush=True)


if __name__ == "__main__":
    main()
