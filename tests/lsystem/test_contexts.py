# SPDX-License-Identifier: GPL-3.0-or-later
"""Contexts against the book's examples and against a plain derivation that walks along the string."""

import random
import time

import pytest

from lsystem import Limits, LSystemError, derive, modules_text, parse, parse_modules
from tests.lsystem.plain_derivation import Rule, letters, step


def derived(text: str, steps: int) -> str:
    return modules_text(derive(parse(text), steps))


def test_signal_in_a_string():
    """ABOP, section 1.8: b moves one letter to the right in every step."""
    text = "axiom: baaaaaaaa\nb < a -> b\nb -> a"
    assert [derived(text, n) for n in range(4)] == ["baaaaaaaa", "abaaaaaaa", "aabaaaaaa", "aaabaaaaa"]


def test_acropetal_and_basipetal_signals():
    """ABOP, figure 1.30: up into all branches; down along the axis only."""
    up = "ignore: + -\naxiom: F_b[+F_a]F_a[-F_a]F_a[+F_a]F_a\nF_b < F_a -> F_b"
    assert [derived(up, n) for n in range(1, 5)] == [
        "F_b[+F_b]F_b[-F_a]F_a[+F_a]F_a",
        "F_b[+F_b]F_b[-F_b]F_b[+F_a]F_a",
        "F_b[+F_b]F_b[-F_b]F_b[+F_b]F_b",
        "F_b[+F_b]F_b[-F_b]F_b[+F_b]F_b",
    ]
    down = "ignore: + -\naxiom: F_a[+F_a]F_a[-F_a]F_a[+F_a]F_b\nF_a > F_b -> F_b"
    assert [derived(down, n) for n in range(1, 4)] == [
        "F_a[+F_a]F_a[-F_a]F_b[+F_a]F_b",
        "F_a[+F_a]F_b[-F_a]F_b[+F_a]F_b",
        "F_b[+F_a]F_b[-F_a]F_b[+F_a]F_b",
    ]


def test_context_across_branches():
    """ABOP, section 1.8: BC < S > G[H]M fits S in this string."""
    string = "ABC[DE][SG[HI[JK]L]MNO]"
    assert derived(f"axiom: {string}\nBC < S > G[H]M -> X", 1) == string.replace("S", "X")
    for other in (
        "AC < S -> X",
        "BC < S > G[I]M -> X",
        "S > GMN[O] -> X",
        "D < S -> X",
        "S > G[H]N -> X",
        "O > A -> X",
    ):
        assert derived(f"axiom: {string}\n{other}", 1) == string


def test_parameters_of_the_context():
    """ABOP, section 1.10.2."""
    text = "axiom: {}\nA(x) < B(y) > C(z) : x+y+z > 10 -> E((x+y)/2)F((y+z)/2)"
    assert derived(text.format("A(4)B(5)C(6)"), 1) == "A(4)E(4.5)F(5.5)C(6)"
    assert derived(text.format("A(1)B(2)C(3)"), 1) == "A(1)B(2)C(3)"
    assert derived(text.format("A(4)B(5)C(6,7)"), 1) == "A(4)B(5)C(6, 7)"
    branches = "axiom: A(2)B(1)[C(3)][D(4)]E(5)\nA(a) < B(b) > [D(d)]E(e) -> X(a, b, d, e)"
    assert derived(branches, 1) == "A(2)X(2, 1, 4, 5)[C(3)][D(4)]E(5)"


def test_ignore_and_consider():
    string = "A+(3)F(1)B"
    assert derived(f"axiom: {string}\nA < B -> X", 1) == string
    assert derived(f"ignore: + F\naxiom: {string}\nA < B -> X", 1) == "A+(3)F(1)X"
    assert derived(f"consider: A B\naxiom: {string}\nA < B -> X", 1) == "A+(3)F(1)X"
    assert derived(f"consider: B\naxiom: {string}\nA < B -> X", 1) == string
    # a module that contexts do not see has a context itself
    assert derived(f"consider: A B\naxiom: {string}\nA < F(x) > B -> X", 1) == "A+(3)XB"


HOGEWEG_HESPER = {
    # ABOP, figure 1.31: what becomes of left-strict-right; 1 is I and 0 is O here
    "a": (30, ["O", "I[+FIFI]", "I", "I", "O", "IFI", "O", "O"]),
    "b": (30, ["I", "I[-FIFI]", "I", "I", "O", "IFI", "I", "O"]),
    "c": (26, ["O", "I", "O", "I[+FIFI]", "O", "IFI", "O", "O"]),
}


@pytest.mark.parametrize("name", ["a", "b", "c"])
def test_hogeweg_and_hesper(name: str):
    steps, made = HOGEWEG_HESPER[name]
    contexts = [(x, y, z) for x in "OI" for y in "OI" for z in "OI"]
    lines = [f"{x} < {y} > {z} -> {new}" for (x, y, z), new in zip(contexts, made, strict=True)]
    text = "ignore: + - F\naxiom: FIFIFI\n" + "\n".join([*lines, "+ -> -", "- -> +"])
    rules = [
        Rule(y, lambda new=new: letters(new), left=[x], right=[z])
        for (x, y, z), new in zip(contexts, made, strict=True)
    ]
    rules += [Rule("+", lambda: letters("-")), Rule("-", lambda: letters("+"))]
    string = letters("FIFIFI")
    for _ in range(steps):
        string = step(string, rules, lambda symbol: symbol not in "+-F")
    assert derived(text, steps) == "".join(symbol for symbol, _ in string)
    assert len(string) > 30


def test_anabaena_with_heterocysts():
    """ABOP, section 1.10.3: cells divide, and those with too little of an inhibitor become heterocysts."""
    text = """
        consider: C
        axiom: C(0,0,900) C(4,1,900) C(0,0,900)
        C(s,t,c) : t == 1 && s >= 6 -> C(s/3*2,2,c) f(1) C(s/3,1,c)
        C(s,t,c) : t == 2 && s >= 6 -> C(s/3,2,c) f(1) C(s/3*2,1,c)
        C(h,i,k) < C(s,t,c) > C(o,p,r) : s > 3.9 || c > 0.4 -> C(s+0.1,t,c+0.25*(k+r-3*c))
        C(h,i,k) < C(s,t,c) > C(o,p,r) : !(s > 3.9 || c > 0.4) -> C(0,0,900) H(1)
        H(s) : s < 3 -> H(s*1.1)
    """

    def cell(*parameters: float) -> tuple:
        return "C", parameters

    gap = ("f", (1.0,))
    rules = [
        Rule("C", lambda s, t, c: [cell(s / 3 * 2, 2.0, c), gap, cell(s / 3, 1.0, c)],
             holds=lambda s, t, c: t == 1 and s >= 6),
        Rule("C", lambda s, t, c: [cell(s / 3, 2.0, c), gap, cell(s / 3 * 2, 1.0, c)],
             holds=lambda s, t, c: t == 2 and s >= 6),
        Rule("C", lambda s, t, c, h, i, k, o, p, r: [cell(s + 0.1, t, c + 0.25 * (k + r - 3 * c))], ["C"], ["C"],
             lambda s, t, c, h, i, k, o, p, r: s > 3.9 or c > 0.4),
        Rule("C", lambda *_: [cell(0.0, 0.0, 900.0), ("H", (1.0,))], ["C"], ["C"],
             lambda s, t, c, *_: not (s > 3.9 or c > 0.4)),
        Rule("H", lambda s: [("H", (s * 1.1,))], holds=lambda s: s < 3),
    ]  # fmt: skip
    string = [cell(0.0, 0.0, 900.0), cell(4.0, 1.0, 900.0), cell(0.0, 0.0, 900.0)]
    for _ in range(190):
        string = step(string, rules, lambda symbol: symbol == "C")
    assert [module[:2] for module in derive(parse(text), 190)] == string
    assert sum(symbol == "H" for symbol, _ in string) >= 2


def test_flowering_signals():
    """In the manner of Mycelis (ABOP, section 3.2): a signal S goes up and turns apices into flowers K; from each a
    signal T goes down and wakes the apices G at the nodes, while V and W slow it."""
    text = """
        consider: M S T V
        axiom: I(20) F A(0)
        S < A(t) -> T V K
        V < A(t) -> T V K
        A(t) : t > 0 -> A(t-1)
        A(t) : t == 0 -> M [ +(30) G ] F /(180) A(2)
        S < M -> S
        S > T -> T
        T < G -> F A(2)
        V < M -> S
        T > V -> W
        W -> V
        I(t) : t > 0 -> I(t-1)
        I(t) : t == 0 -> S
    """
    flower, apex, signal = letters("TVK"), [("F", ()), ("A", (2.0,))], letters("S")
    node = [("M", ()), ("[", ()), ("+", (30.0,)), ("G", ()), ("]", ()), ("F", ()), ("/", (180.0,)), ("A", (2.0,))]
    rules = [
        Rule("A", lambda t: flower, ["S"]),
        Rule("A", lambda t: flower, ["V"]),
        Rule("A", lambda t: [("A", (t - 1,))], holds=lambda t: t > 0),
        Rule("A", lambda t: node, holds=lambda t: t == 0),
        Rule("M", lambda: signal, ["S"]),
        Rule("S", lambda: letters("T"), right=["T"]),
        Rule("G", lambda: apex, ["T"]),
        Rule("M", lambda: signal, ["V"]),
        Rule("T", lambda: letters("W"), right=["V"]),
        Rule("W", lambda: letters("V")),
        Rule("I", lambda t: [("I", (t - 1,))], holds=lambda t: t > 0),
        Rule("I", lambda t: signal, holds=lambda t: t == 0),
    ]
    string: list = [("I", (20.0,)), ("F", ()), ("A", (0.0,))]
    grammar = parse(text)
    for steps in range(1, 61):
        string = step(string, rules, lambda symbol: symbol in "MSTV")
        if steps % 6 == 0:
            assert [module[:2] for module in derive(grammar, steps)] == string
    assert sum(symbol == "K" for symbol, _ in string) > 3


def random_tree(source: random.Random, length: int) -> str:
    words, depth = [], 0
    for _ in range(length):
        word = source.choice("ABCDABCD+[[]]")
        if word == "]":
            if depth == 0:
                continue
            depth -= 1
        depth += word == "["
        words.append(word)
    return "".join(words) + "]" * depth


def random_context(source: random.Random, depth: int = 0) -> tuple[str, list]:
    text, parts = "", []
    for _ in range(source.randrange(1 if depth else 0, 4)):
        if depth < 2 and source.random() < 0.35:
            inside, branch = random_context(source, depth + 1)
            text, parts = f"{text}[{inside}]", [*parts, branch]
        else:
            symbol = source.choice("ABCD")
            text, parts = text + symbol, [*parts, symbol]
    return text, parts


def test_random_contexts_in_random_trees():
    replaced = 0
    for seed in range(450):
        source = random.Random(seed)
        string = random_tree(source, source.randrange(2, 60))
        lines, rules = [], []
        for _ in range(source.randrange(1, 5)):
            left = "".join(source.choices("ABCD", k=source.randrange(0, 3)))
            strict, new = source.choice("ABCD"), random_tree(source, source.randrange(0, 4))
            right, parts = random_context(source)
            lines.append(f"{left or '*'} < {strict} > {right or '*'} -> {new}")
            rules.append(Rule(strict, lambda new=new: letters(new), list(left), parts))
        text = f"ignore: +\naxiom: {string}\n" + "\n".join(lines)
        expected = letters(string)
        for _ in range(2):
            expected = step(expected, rules, lambda symbol: symbol != "+")
        wanted = "".join(symbol for symbol, _ in expected)
        assert derived(text, 2) == wanted, text
        replaced += wanted != string
    assert replaced > 150


def test_contexts_are_fast():
    grammar = parse("ignore: +\naxiom: B" + "A[+A]A" * 2000 + "\nB < A > A -> B\nB -> A")
    start = time.perf_counter()
    derive(grammar, 50, limits=Limits(max_rewrites=10**8))
    assert time.perf_counter() - start < 5


def test_many_branches_at_one_place_are_fast_too():
    grammar = parse("axiom: A" + "[B]" * 20_000 + "[C]D\nA > [C]D -> X\nA > [D]D -> Y")
    start = time.perf_counter()
    assert derive(grammar, 1)[0].symbol == "X"
    assert time.perf_counter() - start < 2


def test_brackets_that_do_not_match_break_nothing():
    for string in ("]A]B[[", "[[[A", "A]]]B", "[", "]", ""):
        text = f"axiom: {string}\nA < B > A -> X\nB > [A]B -> X"
        assert modules_text(derive(parse(text), 2)) == string


def test_failing_condition_names_the_module():
    with pytest.raises(LSystemError, match=r"division by zero \(for module B\(5\)\)"):
        derived("axiom: A(0)B(5)\nA(x) < B(y) : y/x > 1 -> C", 1)


def test_parse_modules_takes_no_colon():
    with pytest.raises(LSystemError, match="':' is not a symbol"):
        parse_modules("A:B")
