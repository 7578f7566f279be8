# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces that are drawn as they are: outlines, bicubic Bezier patches, triangles."""

import math
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from .arrays import Floats, Integers

SAMPLES = 6
"""Squares along a patch's side by which it is measured."""
_CORNERS = 32
"""Of a disc; an even number, so that the last one of its bone lies opposite to the first."""


class Measures(NamedTuple):
    """What a sheet is like: places on it (k, 3), twice its area as a vector (3), as crosswise seen, and its area."""

    places: Floats
    twice: Floats
    area: float


@dataclass(frozen=True, eq=False)
class Sheet:
    """One surface. Of patches ``vertices`` are left out; without patches and triangles they are its outline."""

    vertices: Floats = field(default_factory=lambda: np.zeros((0, 3)))
    """(k, 3)"""
    patches: Floats = field(default_factory=lambda: np.zeros((0, 4, 4, 3)))
    """(p, 4, 4, 3) control points."""
    triangles: Integers = field(default_factory=lambda: np.zeros((0, 3), dtype=np.int64))
    """(t, 3) indices of vertices, counter-clockwise seen from above."""
    uv: Floats | None = None
    """(p, 4, 4, 2) control points of patches' places in a texture, 0 to 1; None: each has the whole of it."""

    def measures(self) -> Measures:
        """Of what is no outline."""
        if not len(self.patches):
            a, b, c = self.vertices[self.triangles].transpose(1, 0, 2)
            return _measured(self.vertices, np.cross(b - a, c - a))
        places = patch_places(self.patches, SAMPLES)
        low, high = places[:, :-1], places[:, 1:]
        crossed = np.cross(high[:, :, 1:] - low[:, :, :-1], high[:, :, :-1] - low[:, :, 1:])
        return _measured(places.reshape(-1, 3), crossed.reshape(-1, 3))


def _measured(places: Floats, crossed: Floats) -> Measures:
    return Measures(places, crossed.sum(axis=0), 0.5 * float(np.linalg.norm(crossed, axis=1).sum()))


def over_all(sheets: tuple[Sheet, ...]) -> tuple[Sheet, ...]:
    """The sheets of a surface with one texture over all of its patches, along x and y."""
    places = [patch_places(one.patches, SAMPLES)[..., :2].reshape(-1, 2) for one in sheets if len(one.patches)]
    if not places:
        return sheets
    low, high = (bound(np.concatenate(places), axis=0) for bound in (np.min, np.max))
    size = np.where(high > low, high - low, 1.0)
    return tuple(replace(one, uv=(one.patches[..., :2] - low) / size) for one in sheets)


def patch_places(patches: Floats, squares: int) -> Floats:
    """(p, squares + 1, squares + 1, 3): places on patches (p, 4, 4, 3), evenly by their two parameters."""
    t = np.linspace(0.0, 1.0, squares + 1)
    weights = np.stack([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3], axis=1)
    places: Floats = np.einsum("ai,bj,pijx->pabx", weights, weights, patches)
    return places


def disc() -> Sheet:
    """Of diameter 1 around the origin in the plane of x and y, as large as a circle; from below it around."""
    turns = 2.0 * math.pi * np.arange(_CORNERS) / _CORNERS
    radius = 0.5 * math.sqrt(turns[1] / math.sin(turns[1]))
    return Sheet(radius * np.stack([np.sin(turns), -np.cos(turns), np.zeros(_CORNERS)], axis=1))


def ring(width: float) -> Sheet:
    """The same between the radii (1 - width) / 2 and (1 + width) / 2."""
    outline = disc().vertices
    inner, outer = max(1.0 - width, 0.0) * outline, (1.0 + width) * outline
    here = np.arange(_CORNERS)
    following = np.roll(here, -1)
    first = np.stack([here + _CORNERS, following + _CORNERS, following], axis=1)
    second = np.stack([here + _CORNERS, following, here], axis=1)
    return Sheet(np.concatenate([inner, outer]), triangles=np.concatenate([first, second] if width < 1.0 else [first]))
