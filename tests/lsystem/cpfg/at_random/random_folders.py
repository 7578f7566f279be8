# SPDX-License-Identifier: GPL-3.0-or-later
"""Random objects of L-studio for `tests.lsystem.fuzz`: a file of cpfg, and beside it those of all other kinds."""

import random
from pathlib import Path

from tests.lsystem.cpfg.at_random import random_files
from tests.lsystem.cpfg.at_random.side_files import (
    CONTOUR,
    CURVE,
    FUNCTION,
    FUNCTIONS,
    IMAGE,
    MAP,
    MATERIALS,
    NUMBER,
    SURFACE,
    TRIANGLES,
    TYPED,
)

BESIDE = {
    "leaf.func": FUNCTION, "all.fset": FUNCTIONS, "curve.con": CURVE, "closed.con": CONTOUR, "leaf.s": SURFACE,
    "leaf.tri": TRIANGLES, "sizes.h": "#define WIDE 0.4\n#define LEAF ~l(0.5)\n", "leaf.rgb": IMAGE,
    "plant.a": "first frame: 1\nlast frame: 4\nstep: 1\n",
    "ground.spec": "grid size: 8 x 8\ngrid range: 4 4\ngrid position: -2 -2\ninput image: leaf.rgb\nradius: 0.3\n",
    "specifications": "model:\n\tcpfg -m plant.map -e plant.e plant.l other.v plant.a\n",
}  # fmt: skip
"""Files by their names."""

VIEW = (
    "angle increment: 30", "#include \"sizes.h\"", "initial line width: WIDE units", "initial color: 2", "z: 3",
    "function: leaf.func 20", "function set: all.fset", "curve: curve.con 30", "contour: 1 closed.con",
    "contour: 2 curve.con", "surface: l leaf.s 0.5 1 0 1", "surface: p leaf.s 2", "tsurface: k leaf.tri 0.5",
    "texture: F: leaf.rgb H: n S:", "tropism: T: 0 -1 0 A: 70 I: 0.8 E: 0.2 S: 0.02", "torque: T: 0 1 0.4 E: 0.1",
    "tropism direction: 0.0,1.0,0.2", "initial elasticity: 0.1", "initial scale: 2", "twist of cylinders: on",
    "environment display: before", "render mode: shaded", "line style: pixel", "interpretation past %: off",
)  # fmt: skip
"""Lines of a view file."""

ASKING = (
    "F(func(1,x))", "F(func(leaf,x))", "F(func(f,x))", "@M(curveX(1,x),curveY(1,x),curveZ(1,x))", "F(curveGAL(1))",
    "~l(x)", "~l", "~p", "~k(x,1,2)", "~k", "@#(2)", "@#(x)", "@Tx(1)", "@Tx(x)", ",(x)", ";", "LEAF", "!(WIDE)",
    "{.f(x)~l(0.2)+f.}", "@PS(1)@PC(1,1,1)~l@PD(1)", "?E(x)", "?E(0,0,0)", "F(1)", "[+F(x)]",
)  # fmt: skip
"""Modules that ask for what lies beside."""

ODD = (
    b"", b"\0\xff" * 50, b"==== plant ====\naxiom: F\n", b"endlsystem\n==== view b.v ====\n", b"\r\n\r", b"9" * 5000,
    b"Lsystem: 1\naxiom: F\nendlsystem\n", b"#include \"plant.l\"\n", b"points: 4\n0 0\n" * 300,
)  # fmt: skip
"""What a file may hold instead."""


PROGRAMS = ("clover", "honda81", "ecosystem", "chiba", "/bin/rm")


def files(source: random.Random) -> dict[str, bytes]:
    """The files of an object by their names, `plant.l` among them; of half of the objects some are missing or not as
    they should be. A name that ends in / is that of a folder."""
    beside = {name: content if isinstance(content, bytes) else content.encode() for name, content in BESIDE.items()}
    beside |= source.choice([{"plant.map": MAP}, {"plant.mat": MATERIALS}])
    program = f"executable: {source.choice(PROGRAMS)} ground.spec\nturtle position: P: %.3f %.3f %.3f\n"
    beside["plant.e"] = program.encode()
    beside[source.choice(["plant.v", "plant.v", "other.v"])] = "\n".join(_some(source, VIEW)).encode()
    beside["plant.l"] = _plant(source).encode()
    if source.random() < 0.5:
        return beside
    for name in source.sample(sorted(beside), k=source.randrange(1, 4)):
        beside[name] = _changed(source, beside[name])
    if source.random() < 0.3:
        name = source.choice([name for name in beside if name != "plant.l"])
        del beside[name]
        if source.random() < 0.3:
            beside[f"{name}/"] = b""
    return beside


def put(found: dict[str, bytes], folder: Path) -> None:
    """Write the files into a folder."""
    for name, content in found.items():
        if name.endswith("/"):
            (folder / name).mkdir()
        else:
            (folder / name).write_bytes(content)


def there(folder: Path) -> dict[str, bytes]:
    """What `put` has written, if nothing has come, gone or changed since."""
    return {path.name + "/" * path.is_dir(): b"" if path.is_dir() else path.read_bytes() for path in folder.rglob("*")}


def _plant(source: random.Random) -> str:
    text = random_files.readable(source).partition("==== ")[0]
    asking = random_files.with_value(" ".join(source.choices(ASKING, k=5)), "0.5")
    return "#include \"sizes.h\"\n" + text.replace("Axiom: ", f"Axiom: {asking} ", 1)


def _some(source: random.Random, lines: tuple[str, ...]) -> list[str]:
    """Some of the lines, in any order, or all, more often."""
    return source.sample(lines, k=source.choice([*[len(lines)] * 3, source.randrange(len(lines))]))


def _changed(source: random.Random, content: bytes) -> bytes:
    """A file of which a number, a few bytes or all is something else."""
    way = source.randrange(6)
    if way == 0:
        return source.choice(ODD)
    if way == 1:  # cut short
        return content[: source.randrange(len(content) + 1)]
    if way == 2:
        place = source.randrange(len(content) + 1)
        return content[:place] + source.randbytes(source.randrange(1, 8)) + content[place + source.randrange(8) :]
    lines = content.decode("latin-1").split("\n")
    if way == 3:
        place = source.randrange(len(lines))
        lines[place : place + 1] = [lines[place]] * source.choice([0, 2, 400])
        return "\n".join(lines).encode("latin-1")
    text = "\n".join(lines)
    numbers = list(NUMBER.finditer(text))
    if not numbers:
        return content
    number = source.choice(numbers)
    return f"{text[: number.start()]}{source.choice(TYPED)}{text[number.end() :]}".encode("latin-1")
