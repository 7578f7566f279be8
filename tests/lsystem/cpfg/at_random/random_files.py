# SPDX-License-Identifier: GPL-3.0-or-later
"""Random files of cpfg for `tests.lsystem.fuzz`: such as can be read, and such as have been mutilated."""

import random
from pathlib import Path

FILES = Path(__file__).parents[1] / "files"

WORDS = [
    *"ABFfgG+-&^\\/|[]!#;,_@~?{}<>=:*%$()'\"`0123456789 \n\t\x00\x01äx",
    "@Gs", "@Gc(2)", "@Ge", "@O(x)", "@M(1,2,x)", "@R(0,0,1)", "@Ts(1,x)", "@D(x)", "~l(x)", "?P(0,0,0)", "?E(1)",
    "-->", "\n\t", "{x = x + 1;}", "{ while (1) { x = x + 1; } }", "{ do { y = y / 2; } while (y > 0.1); }",
    "srand(x);", "if (x > 1) { a[x] = 2; } else { x = a[0]; }", "printf(\"%f\", x);", "stop(1);",
    "fopen(\"x\", \"w\")", "@S(\"rm x\")", "ran(x)", "nran(x, 1)", "bran(x, 2)", "biran(x, 0.5)", "1/0", "x^x",
    "sqrt(-x)", "exp(999)", "x % 0", "floor(x)", "func(1, x)", "curveX(1, x)", "a[x]", "Q", "Z", "1.0e300",
    "x * 1.0e300", "x ? 1 : 2", "&&", "||", "<>", "!", "-x^2", "Start: {n = 1;}", "StartEach: {n = n * 2;}",
    "EndEach: {}", "End: {n = 0;}", "Define: { array a[3] = {1, 2}; }", "%(x)", "%(1,2)",
    "Define: { external z, a[4]; }", "external", "@Tp", "@Ts(3,x)", "\nhomomorphism\n", "\ndecomposition\n",
    "maximum depth: 5\n", "maximum depth: 9999\n", "seed: 3\n", "ring Lsystem\n", "\nignore: +-\n",
    "\nconsider: A\n", "#define M(a, b) a(b)\n", "#define M M M\n", "#define N 3\n", "#undef N\n", "#if N > 2\n",
    "#else\n", "#endif\n", "#ifdef N\n", "#include \"/etc/passwd\"\n", "/* ", " */", "//", "M(A, (1))",
    "endlsystem\n==== colours a.map ====\n3 00ff00\n",
    "\n==== colours b.mat ====\n1 ff0000 emits 00ff00 clear 20\n",
    "\n==== plant ====\nenvironment: solids\nsolid ball radius=1\n",
    "endlsystem\n", "Lsystem: 2\n", "derivation length: 9999\n", "Axiom: A(1)\n", "A(x) --> A(x + 1)A(x)\n",
]  # fmt: skip

MODULES = [
    "F", "f", "A", "A(x)", "A(x+1)", "B(x)", "B(x/2)", "+(30)", "&(x)", "/(137.5)", "|", "!(x)", "#", ";", ",(x)",
    "[+F]", "[A(x)]", "[&(40)B(x)F]", "@O(0.5)", "@c", "@Gs f(1) @Gc(2) f(1) @Ge", "~l(x)", "{.f+f+f.}", "@M(x,1,2)",
    "@#(1)", "@Gr(40,x,-90,x)", "@Gs f(x) /(90) #(x) @Ge(8)",
    "@v", "_(0.1)", "?P(0,0,0)", "?H(0,0)", "%", "F(ran(1)+0.1)", "F(x)", "A(nran(x,1))", "C", "@L(\"a\",x)",
    "-(x)F", "@D(2)", "%(x)", "[%(1)F A(x)]", "%(x,1)", "@Ts(2,x)F@Tf", "@Ts(4,0.5)/(x)f@Tp", "@R(1,0,x,0,1,0)",
]  # fmt: skip
CONDITIONS = [
    "", "", "", ": x < 9", ": x < 9 {y = x*2;}", ": {z = z+1;} z < 30", ": * {n = n+1;}",
    ": {if (x > 2) {w = 1;} else {w = 0;}} w == 0", ": {i = 0; while (i < x) {i = i+1;}} i < 20 {x = i;}",
    ": ran(1) < 0.7", ": {a[1] = a[1]+x;} a[1] < 50", ": Q < 3 || Z > 5", ": {do {x = x-1;} while (x > 3);} *",
]  # fmt: skip


def modules(source: random.Random, count: int) -> str:
    """Some modules."""
    return " ".join(source.choices(MODULES, k=count))


def with_value(text: str, value: str) -> str:
    """A text without variables."""
    return text.replace("(x", f"({value}").replace("x,", f"{value},").replace(",x)", f",{value})")


def readable(source: random.Random) -> str:
    """Files that can be read; most of them also grow."""
    left = source.choice(["", "", "", "F < ", "A(u) < ", "+(u) F < "])
    right = source.choice(["", "", "", " > F", " > [A(v)]", " > [A(v)=]F", " > ?P(v,w)"])
    section = source.choice(["", "", "decomposition\n", "decomposition\nmaximum depth: 3\n"])
    drawing = source.choice(["", "homomorphism\n", "homomorphism\nmaximum depth: 4\n", "homomorphism\nseed: 5\n"])
    weighted = source.random() < 0.3
    weight = source.choice([" : 2", " : 1/3", " : x"]) if weighted else ""
    lines = [
        "#define STEP 1.5",
        "#define part(a) [+(a)F(a)]",
        "Lsystem: 1",
        "seed: 7" if weighted else "",
        source.choice(["", "ignore: +-&/", "consider: AFB", "ring Lsystem"]),
        "Define: { array a[4] = {1, 2}; }",
        "Start: {n = 0; z = 0; i = 0; w = 0; srand(4);}",
        source.choice(["", "StartEach: {z = 0;}", "EndEach: {n = n+1; if (n > 6) {stop(1);}}"]),
        f"derivation length: {source.choice([1, 3, 4, 30])}",
        f"Axiom: F A(1) {with_value(modules(source, 2), '2')}",
        f"{left}A(x){right} {source.choice(CONDITIONS)} --> {modules(source, 4)}{weight}",
        f"B(x) {source.choice(CONDITIONS)} --> {modules(source, 2)} part(x+1){weight}",
        f"F C --> {with_value(modules(source, 2), '3')}" if not weighted else "",
        section,
        f"A(x) {source.choice(CONDITIONS)} --> {modules(source, 2)}" if section else "",
        drawing,
        f"B(x) {source.choice(CONDITIONS)} --> {modules(source, 3)}" if drawing else "",
        "C --> F(STEP)" if drawing else "",
        "endlsystem",
    ]
    if right and section:  # another one, which is called
        lines[lines.index("endlsystem") - 1] += f"\nC --> ?(2,0.5) A(2) F $ {with_value(modules(source, 1), '1')}"
        lines += ["Lsystem: 2", "Define: { array b[2] = {3}; external z, a[4]; }", "Start: {k = 1;}"]
        lines += ["StartEach: {k = k+1;}", "axiom: F"]
        lines += [f"A(x) : {{z = z+a[1]; a[1] = x;}} x < k --> {modules(source, 2)} A(x+k)"]
        lines += [f"B(x) --> {modules(source, 1)}", "endlsystem"]
    if source.random() < 0.5:
        lines += ["==== view a.v ====", "tropism: T: 0 -1 0 E: 0.1 S: 0.02", "tropism: T: 1 1 0 A: 70 I: 0.8"]
        lines += ["torque: T: 0 1 0.4", "tropism: T: 0 1 0 A:90", "tsurface: l l.tri 2"]
        lines += ["==== file l.tri ====", "triangle", "0 0 0", "1 0 0", "1 1 0"]
    return "\n".join(lines) + "\n"


def mutilated(source: random.Random) -> str:
    """A file that can be read, ours or a random one, with a few places changed."""
    written = [path.read_text(encoding="utf-8") for path in sorted(FILES.glob("*.l"))]
    text = list(source.choice([source.choice(written), readable(source)]))
    for _ in range(source.randrange(1, 4)):
        place = source.randrange(len(text))
        text[place : place + source.randrange(0, 4)] = source.choice(WORDS)
    return "".join(text)
