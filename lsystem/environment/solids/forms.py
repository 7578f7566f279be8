# SPDX-License-Identifier: GPL-3.0-or-later
"""Solids that a text describes itself: `solid post radius=0.05 height=2`."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from ...base.arrays import Floats, Integers
from ...base.settings import Setting
from .solids import Solid

_SIDES, _RINGS = 48, 24
"""Of what is round."""
_LENGTH = Setting(lambda value: value > 0.0, "must be above 0")
_PLACE = Setting(lambda value: abs(value) <= 1e5, "must be from -100 000 to 100 000")
_PLACES = {"x": _PLACE, "y": _PLACE, "z": _PLACE}


@dataclass(frozen=True)
class Form:
    """A kind of solid: ``made`` of numbers by name, of which those that ``needed`` names must be given."""

    made: Callable[[Mapping[str, float]], tuple[Floats, Integers]]
    needed: tuple[str, ...]
    numbers: Mapping[str, Setting]

    def solid(self, name: str, values: Mapping[str, float]) -> Solid:
        """The solid; x, y and z are where it stands, 0 if not given."""
        vertices, triangles = self.made(values)
        return Solid(name, vertices + [values.get(axis, 0.0) for axis in "xyz"], triangles)


def _ball(values: Mapping[str, float]) -> tuple[Floats, Integers]:
    angles = np.pi * np.arange(1, _RINGS) / _RINGS
    radius = values["radius"]
    return _turned(radius * np.sin(angles), -radius * np.cos(angles), -radius, radius)


def _post(values: Mapping[str, float]) -> tuple[Floats, Integers]:
    height = values["height"]
    return _turned(np.full(2, values["radius"]), np.array([0.0, height]), 0.0, height)


def _box(values: Mapping[str, float]) -> tuple[Floats, Integers]:
    depth, width, height = (values[name] for name in ("depth", "width", "height"))
    corners = np.array([(x, y, z) for z in (0.0, height) for y in (-0.5, 0.5) for x in (-0.5, 0.5)])
    quads = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    triangles = [(a, b, c) for a, b, c, _ in quads] + [(a, c, d) for a, _, c, d in quads]
    return corners * [width, depth, 1.0], np.array(triangles, dtype=np.int64)


def _turned(radii: Floats, heights: Floats, bottom: float, top: float) -> tuple[Floats, Integers]:
    """An outline, from below, turned about the z axis, with the same area across as the circles that it stands for."""
    turn = 2.0 * math.pi * np.arange(_SIDES) / _SIDES
    wide = math.sqrt(2.0 * math.pi / _SIDES / math.sin(2.0 * math.pi / _SIDES))
    circle = wide * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    rings = [np.column_stack([r * circle, np.full(_SIDES, z)]) for r, z in zip(radii, heights, strict=True)]
    vertices = np.concatenate([*rings, [[0.0, 0.0, bottom], [0.0, 0.0, top]]])
    side, lower, upper = np.arange(_SIDES), len(vertices) - 2, len(vertices) - 1
    following = (side + 1) % _SIDES
    last = (len(radii) - 1) * _SIDES
    faces = [np.stack([np.full(_SIDES, lower), following, side], axis=1)]
    for ring in range(0, last, _SIDES):
        faces.append(np.stack([ring + side, ring + following, ring + _SIDES + following], axis=1))
        faces.append(np.stack([ring + side, ring + _SIDES + following, ring + _SIDES + side], axis=1))
    faces.append(np.stack([np.full(_SIDES, upper), last + side, last + following], axis=1))
    return vertices, np.concatenate(faces)


FORMS = {
    "ball": Form(_ball, ("radius",), {"radius": _LENGTH, **_PLACES}),
    "box": Form(
        _box, ("width", "depth", "height"), {"width": _LENGTH, "depth": _LENGTH, "height": _LENGTH, **_PLACES}
    ),
    "post": Form(_post, ("radius", "height"), {"radius": _LENGTH, "height": _LENGTH, **_PLACES}),
}
"""By the names that texts give. A ball is around its place; boxes and posts stand on it, along the axes."""
