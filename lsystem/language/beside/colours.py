# SPDX-License-Identifier: GPL-3.0-or-later
"""Colours by their numbers, from a map (`.map`, 256 colours) or from materials (`.mat`), which are files of bytes.

Texts carry them as lines, a number and what it stands for::

    3 68ad0c
    4 a0522d emits 200000 shines 5c4d00 128 clear 40

of red, green and blue with two digits each as a screen shows them, the exponent of the highlight, and how transparent
it is, from 0 to 255.
"""

import re
from collections.abc import Mapping

from ...base.errors import LSystemError
from .kinds import Colour

MAP = ".map"
"""What the names of maps end with."""
_COLOURS = 256
_MATERIAL = 15
_RGB = "([0-9a-f]{6})"
_LINE = re.compile(
    rf"([0-9]{{1,3}}) {_RGB}(?: emits {_RGB})?(?: shines {_RGB} ([0-9]{{1,3}}))?(?: clear ([0-9]{{1,3}}))?"
)


def colours_text(content: bytes, source: str) -> str:
    """The lines for a file, which tells by its name what it is. Raises `LSystemError`."""
    is_map = source.endswith(MAP)
    if is_map and len(content) < 3:
        raise LSystemError("a colour map has three bytes for each of 256 colours", source=source)
    if is_map:
        content = content[: 3 * _COLOURS]
        return "\n".join(f"{i // 3} {content[i : i + 3].hex()}" for i in range(0, len(content) - 2, 3))
    if len(content) < _MATERIAL:
        raise LSystemError("materials have 15 bytes each", source=source)
    # a number, how transparent, then ambient, diffuse, emitted and specular colour, and the exponent
    records = [content[i : i + _MATERIAL] for i in range(0, len(content) - _MATERIAL + 1, _MATERIAL)]
    return "\n".join(map(_line, dict(zip([record[0] for record in records], records, strict=True)).values()))


def _line(record: bytes) -> str:
    # as it looks towards the light, which is what it is drawn in for the most part
    facing = bytes(min(ambient + diffuse, 255) for ambient, diffuse in zip(record[2:5], record[5:8], strict=True))
    words = [str(record[0]), facing.hex()]
    if any(record[8:11]):
        words += ["emits", record[8:11].hex()]
    if any(record[11:14]):
        words += ["shines", record[11:14].hex(), str(record[14])]
    if record[1]:
        words += ["clear", str(record[1])]
    return " ".join(words)


def read_colours(text: str, source: str) -> Mapping[int, Colour]:
    """Colours by number of such lines. Raises `LSystemError`."""
    found: dict[int, Colour] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        match = _LINE.fullmatch(line.strip().lower())
        if match is None or int(match.group(1)) > 255:
            raise LSystemError("a colour is a line such as '3 68ad0c', with a number from 0 to 255", number, 1, source)
        colour, emitted, specular, exponent, clear = match.groups()[1:]
        found[int(match.group(1))] = Colour(
            _shares(colour), _shares(emitted or "000000"), _shares(specular or "000000"), float(exponent or 0),
            int(clear or 0) / 255.0,
        )  # fmt: skip
    return found


def _shares(digits: str) -> tuple[float, float, float]:
    red, green, blue = bytes.fromhex(digits)
    return red / 255.0, green / 255.0, blue / 255.0
