# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces of triangles, `tsurface` in a view file: one sheet for each part that hangs together.

Each triangle is a word `triangle` and three lines with a vertex, whose first three numbers are its place along L, H and
U of cpfg's turtle; others are a normal and a place in a texture.
"""

import re

import numpy as np

from ...base.errors import LSystemError
from ...base.sheets import Sheet
from .kinds import Place, Surface
from .numbers import LARGEST, is_plain

MOST_TRIANGLES = 20_000
_TRIANGLE = re.compile(r"^[ \t]*triangle", re.MULTILINE)
_BETWEEN = re.compile(r"[\s,:]+")


def is_of_triangles(text: str) -> bool:
    """Whether a file has triangles, not patches."""
    return _TRIANGLE.search(text) is not None


def read_triangles(text: str, source: str, size: float) -> Surface:
    """The surface of a file, each number times the size that the view file says. Raises `LSystemError`."""
    triangles: list[list[Place]] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = [word for word in _BETWEEN.split(line) if word]
        if words and words[0].startswith("triangle"):
            triangles.append([])
            words = words[1:]
        if not words or not triangles or len(triangles[-1]) == 3:
            continue
        try:
            x, y, z = (float(word) * size for word in words[:3])
        except ValueError:
            raise LSystemError("a vertex of a triangle has three numbers", number, 1, source) from None
        if not is_plain((x, y, z)):
            raise LSystemError(f"a vertex of a triangle has three numbers of at most {LARGEST:g}", number, 1, source)
        triangles[-1].append((x, y, z))
    if len(triangles) > MOST_TRIANGLES or any(len(one) < 3 for one in triangles):
        message = f"a surface has up to {MOST_TRIANGLES} triangles, each with three lines of its vertices"
        raise LSystemError(message, source=source)
    return Surface(tuple(_sheets(triangles)), (0.0, 0.0, 0.0))


def _sheets(triangles: list[list[Place]]) -> list[Sheet]:
    """Triangles that have corners in common are one sheet; those without an area are left out."""
    number: dict[Place, int] = {}
    corners = [[number.setdefault(place, len(number)) for place in one] for one in triangles]
    corners = [one for one in corners if len(set(one)) == 3]
    root = list(range(len(number)))

    def root_of(place: int) -> int:
        while root[place] != place:
            root[place] = root[root[place]]
            place = root[place]
        return place

    for first, *others in corners:
        for other in others:
            root[root_of(other)] = root_of(first)
    parts: dict[int, list[list[int]]] = {}
    for one in corners:
        parts.setdefault(root_of(one[0]), []).append(one)
    places = np.array(list(number), dtype=np.float64)
    found = []
    for part in parts.values():
        used, own = np.unique(np.array(part), return_inverse=True)
        found.append(Sheet(places[used], triangles=own.reshape(-1, 3).astype(np.int64)))
    return found
