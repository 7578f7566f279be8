# SPDX-License-Identifier: GPL-3.0-or-later
"""Which files the kernels are made of, and a digest of these, by which code made from others is known."""

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

_SOLVER = Path(__file__).resolve().parent.parent

#: What files with kernels in them have.
_DECORATORS = re.compile(r"^from \.[\w.]*\bjit import .*\b(kernel|subroutine|inlined)\b", re.MULTILINE)

_IMPORT = re.compile(r"^from (\.+)([\w.]*) import (\([^)]*\)|.*)", re.MULTILINE)


def sources() -> list[Path]:
    """Files that the kernels are made of: those with kernels in them and what these import of this package."""
    texts = {file: file.read_text(encoding="utf-8") for file in sorted(_SOLVER.rglob("*.py"))}
    wanted = {file for file, text in texts.items() if _DECORATORS.search(text)}
    wanted |= {_SOLVER / "machine" / f"{name}.py" for name in ("jit", "call", "translate", "assemble")}
    left = list(wanted)
    while left:
        file = left.pop()
        found = {other for other in _imported(file, texts[file]) if other in texts} - wanted
        wanted |= found
        left += found
    return sorted(wanted)


def _imported(file: Path, text: str) -> Iterator[Path]:
    """What a file imports of the solver when it is imported: modules, or rooms' modules."""
    for dots, module, names in _IMPORT.findall(text):
        place = file.parents[len(dots) - 1].joinpath(*module.split(".")) if module else file.parents[len(dots) - 1]
        yield place.with_suffix(".py")
        for name in re.findall(r"\w+", names):
            yield place / f"{name}.py"


def digest() -> str:
    """Hash of the sources that the kernels are made of."""
    made = hashlib.sha256()
    for file in sources():
        made.update(file.relative_to(_SOLVER).as_posix().encode() + file.read_bytes().replace(b"\r\n", b"\n"))
    return made.hexdigest()[:32]
