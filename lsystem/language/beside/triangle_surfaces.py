# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces of triangles, `tsurface` in a view file, of which the edges are taken: one outline for each part.

Each triangle is a word `triangle` and three lines with a vertex, whose first three numbers are its place along L, H and
U of cpfg's turtle; others are a normal and a place in a texture.
"""

import re
from collections import defaultdict

from ...base.errors import LSystemError
from .kinds import Place, Surface

MOST_TRIANGLES = 20_000
_TRIANGLE = re.compile(r"^[ \t]*triangle", re.MULTILINE)
_BETWEEN = re.compile(r"[\s,:]+")

_Loop = list[Place]


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
        if not max(abs(x), abs(y), abs(z)) < float("inf"):
            raise LSystemError("a vertex of a triangle has three finite numbers", number, 1, source)
        triangles[-1].append((x, y, z))
    if len(triangles) > MOST_TRIANGLES or any(len(one) < 3 for one in triangles):
        message = f"a surface has up to {MOST_TRIANGLES} triangles, each with three lines of its vertices"
        raise LSystemError(message, source=source)
    return Surface(tuple(tuple(loop) for loop in _outlines(triangles)), (0.0, 0.0, 0.0))


def _outlines(triangles: list[list[Place]]) -> list[_Loop]:
    """The edges that only one triangle has, joined to loops; without any, the triangles themselves."""
    following: dict[Place, list[Place]] = defaultdict(list)
    edges = {(one[place - 1], one[place]) for one in triangles for place in range(3)}
    for first, second in sorted(edges):
        if (second, first) not in edges and first != second:
            following[first].append(second)
    loops: list[_Loop] = []
    for start in sorted(following):
        while following[start]:
            loop = [start]
            while following[loop[-1]] and (place := following[loop[-1]].pop()) != start:
                loop.append(place)
            loops.append(loop)
    loops = [loop for loop in loops if len(loop) > 2]
    return loops or triangles[:1]
