# SPDX-License-Identifier: GPL-3.0-or-later
"""What costs time is counted: with the limits that hold where nobody gives others, texts end within seconds.

Each of these texts would go on for minutes or hours if what it is about were not counted.
"""

import contextlib
import time
from itertools import product

import pytest

from lsystem import Limits, LSystemError, derive, parse
from tests.forms import IS_FULL

HEAD = "Lsystem: 1\nderivation length: 400\n"
LONG = "x = x + 1; " * 2000
TERMS = "+".join(["x"] * 50)
MANY = "\n".join(f"A(x) : x == {n} --> B" for n in range(3000))
CONTEXT = "B" * 900
SOONEST = Limits(max_modules=50_000, max_rewrites=1_000_000, max_values=500_000, max_loops=250_000)
"""A twentieth of the limits that hold otherwise, so that the tests take a twentieth of their time."""
TEXTS = {
    "draws": "Axiom: A\nA --> AB(biran(900000,0.5))",
    "draws within a step": "Axiom: A\nA --> AAB(biran(90000,0.5))",
    "contexts": "ignore: B\nStart: {n = 0;}\nAxiom: BC\nB > D --> D\nD < B --> D\nB : {n = n+1;} * --> BB",
    "contexts in branches": "ignore: B\nStart: {n = 0;}\nAxiom: [BC\nB > [D]E --> D\nE < B --> D\n"
                            "B : {n = n+1;} * --> B[B]B",
    "ends of branches": "Axiom: A[K]\nStart: {n = 0;}\nK > [C=]D --> E\nA --> AK[CA]",
    "long contexts": f"Start: {{n = 0;}}\nAxiom: BC\nB < B > {CONTEXT} : {{n = n+1;}} n < 0 --> D\nB --> BB",
    "questions": "Axiom: A(0)?P(0,0)\nA(x) : x < 14 --> F A(x+1)A(x+1)",
    "calls": "Axiom: ?(2)A$\nendlsystem\nLsystem: 2\nAxiom: A\nA --> A?(3)B$?(3)B$\nendlsystem\nLsystem: 3\nAxiom: A\n"
             "B --> B?(4)C$\nendlsystem\nLsystem: 4\nAxiom: A\nC --> CC",
    "arrays of calls": "Axiom: ?(2)A$\nendlsystem\nLsystem: 2\nDefine: { array a[900000]; }\nAxiom: A\n"
                       "A --> A?(3)B$?(3)B$\nendlsystem\n"
                       "Lsystem: 3\nDefine: { array a[50000]; external k[50000]; }\nAxiom: A\nB --> B",
    "many calls": "Axiom: A\nA --> A?(2)B$A\nendlsystem\n" + "\n".join(
        f"Lsystem: {n}\nAxiom: A\nB : {{while (1) {{x = 1;}}}} 0 --> A\nB --> ?({n + 1})B$\nendlsystem"
        for n in range(2, 40)
    ),
    "statements": f"Axiom: A(1)\nA(x) : * {{{LONG}}} --> A(x)A(x)",
    "statements before conditions": f"Axiom: A(1)\nA(x) : {{{LONG}}} 0 --> A(x)\nA(x) --> A(x)A(x)",
    "statements in blocks": f"StartEach: {{x = 0; {LONG * 5}}}\nderivation length: 10000\nAxiom: A(1)\nA(y) --> A(y+1)",
    "statements in loops": f"Start: {{x = 0; while (1) {{{LONG}}}}}\nAxiom: A",
    "productions tried": f"Axiom: A(0-1)\nStart: {{n = 0;}}\n{MANY}\nA(x) : {{n = n+1;}} * --> A(x)A(x)",
    "productions tried over arrays": f"Axiom: A(0-1)\n{MANY}\nA(x) --> A(x)A(x)",
    "one module, many productions": f"derivation length: 10000\nAxiom: A(0-1)\n{MANY}",
    "parameters over arrays": f"Axiom: A(1)\nA(x) --> A({TERMS})A({TERMS})\n".replace("A(x+", "A(0*x+"),
    "weights": "seed: 3\nAxiom: A(0-1)\n" + "\n".join(f"A(x) --> A(x)A(x) : {n}" for n in range(1000)),
    "decompositions": "Axiom: A(1)\nA(x) --> B(9999)A(x)\ndecomposition\nmaximum depth: 10000\nB(x) : x > 0 --> B(x-1)",
    "interpretations": "Axiom: A(1)?P(0,0)\nhomomorphism\nmaximum depth: 10000\nA(x) : x < 9999 --> A(x+1)",
    "functions": "Axiom: A\nA --> AAB(func(1,0.3)+curveX(1,0.4))\nendlsystem\n==== view a.v ====\nfunction: a.func\n"
                 "curve: a.con\n==== file a.func ====\nrange: 0 1\npoints: 4\n0 0\n0.3 1\n0.6 1\n1 0\n"
                 "==== file a.con ====\ncver 1 1\n0 0 0\n1 0 0\n1 1 0\n2 1 0\n3 3 0\n",
    "rejections": "Axiom: A\nA --> AA(bran(1.0e30,1.0e30))B(bran(1.0e-6,1.0e-6))",
}  # fmt: skip


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_ends_soon(name: str):
    text = HEAD + TEXTS[name] + ("\n" if "====" in TEXTS[name] else "\nendlsystem\n")
    begin = time.process_time()
    with contextlib.suppress(LSystemError):
        assert len(derive(parse(text), limits=SOONEST)) <= SOONEST.max_modules
    assert time.process_time() - begin < 5.0


@pytest.mark.parametrize(
    "environment",
    ["space radius=1000", "light cell=0.001 layers=20", "light cell=10 layers=32", "soil cell=0.001",
     "solids\nsolid ball radius=1"],
)  # fmt: skip
def test_environments_are_not_asked_for_ever(environment: str):
    text = f"environment: {environment}\nsteps: 30\naxiom: A\nA -> F(0.1) ?E(1,2,3,4) [+A] -A\n"
    begin = time.process_time()
    with pytest.raises(LSystemError, match=r"ask the environment for too much|gives more than 50000 modules"):
        derive(parse(text), limits=SOONEST)
    assert time.process_time() - begin < 5.0


#: How many, how probable; in the short form large numbers at one probability only.
DRAWS = [
    (count, probability)
    for count, probability in product((1, 64, 65, 1000, 65_535, 65_537, 140_000), ("0.3", "0.00001", "0", "1"))
    if IS_FULL or count <= 1000 or probability == "0.3"
]


@pytest.mark.parametrize(("count", "probability"), DRAWS)
def test_many_draws_at_once_are_those_one_by_one(count: int, probability: str):
    """The next number of the stream is the same too."""
    one_by_one = f"i = 0; n = 0; while (i < {count}) {{i = i+1; if (ran(1) <= {probability}) {{n = n+1;}}}}"
    text = "Lsystem: 1\nStart: {srand(7); {}}\nAxiom: A(n,ran(1))\nendlsystem\n"
    strings = [
        derive(parse(text.replace("{}", statement)))[0]
        for statement in (one_by_one, f"n = biran({count},{probability});")
    ]
    assert strings[0] == strings[1]
