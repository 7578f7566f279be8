# SPDX-License-Identifier: GPL-3.0-or-later
"""Which files the kernels are made of, and a digest of these, by which code made from others is known."""

import hashlib
import re
from pathlib import Path

_HERE = Path(__file__).resolve().parent

#: What files with kernels in them begin with.
_DECORATORS = re.compile(r"^from \._jit import .*\b(kernel|subroutine|inlined)\b", re.MULTILINE)


def sources() -> list[Path]:
    """Files that the kernels are made of: those with kernels in them and what these import of this package."""
    texts = {file.stem: file.read_text(encoding="utf-8") for file in sorted(_HERE.glob("*.py"))}
    wanted = {name for name, text in texts.items() if _DECORATORS.search(text)}
    wanted |= {"_jit", "_call", "_translate", "_assemble"}
    left = list(wanted)
    while left:
        for name in re.findall(r"^ *from \.(\w+) import", texts[left.pop()], re.MULTILINE):
            if name in texts and name not in wanted:
                wanted.add(name)
                left.append(name)
    return [_HERE / f"{name}.py" for name in sorted(wanted)]


def digest() -> str:
    """Hash of the sources that the kernels are made of."""
    made = hashlib.sha256()
    for file in sources():
        made.update(file.name.encode() + file.read_bytes().replace(b"\r\n", b"\n"))
    return made.hexdigest()[:32]
