# SPDX-License-Identifier: GPL-3.0-or-later
"""Solids that plants grow around, as closed surfaces of triangles, and what texts ask of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...base.arrays import Flags, Floats, Integers
from ...base.surface import Answer, Surface
from .box_tree import BoxTree

_SAME_PLACE = 1e-6
"""Of the size: vertices that are as near as this are one, as where the surface is cut open for its colours."""
_REMEMBERED = 4
MOST_LEAVES = 5_000_000
"""Of the tree, that may be looked at in a derivation; a usual place takes some four."""


@dataclass(frozen=True)
class Solid:
    """One of them: vertices (v, 3) and triangles (t, 3), which may look in or out, but all the same way."""

    name: str
    vertices: Floats
    triangles: Integers

    @cached_property
    def is_closed(self) -> bool:
        """Whether the surface has an inside: at each edge as many triangles go one way as the other."""
        there, back = _edges(self)
        return bool(np.array_equal(np.sort(there), np.sort(back)))

    @cached_property
    def has_a_hole(self) -> bool:
        """Whether an edge belongs to a single triangle, or to any odd number of them."""
        there, back = _edges(self)
        counts = np.unique(np.minimum(there, back), return_counts=True)[1]
        return bool((counts % 2).any())

    def corners(self) -> Floats:
        """(t, 3, 3) of its triangles, looking out if the surface is closed."""
        corners = self.vertices[self.triangles]
        a, b, c = (corners[:, corner] - corners[:1, 0] for corner in range(3))
        is_inside_out = float(np.einsum("ij,ij->", a, np.cross(b, c))) < 0.0
        return corners[:, ::-1] if is_inside_out and self.is_closed else corners


class Solids(Surface):
    """Solids together, in the space of the plant that grows among them, z up. All lengths are in the same unit."""

    def __init__(self, solids: Sequence[Solid], own: bool = False) -> None:
        """own: whether the text itself has them, where none of the scene are given."""
        self.solids = tuple(solids)
        self.is_own = own
        self.remembered: list[tuple[bytes, Answer]] = []

    @cached_property
    def corners(self) -> Floats:
        """(t, 3, 3) of all triangles."""
        corners = [solid.corners() for solid in self.solids if len(solid.triangles)]
        return np.concatenate(corners) if corners else np.zeros((0, 3, 3))

    @cached_property
    def tree(self) -> BoxTree | None:
        """Their boxes, None if there are no triangles; made when they are first asked for."""
        return BoxTree(self.corners) if len(self.corners) else None

    @cached_property
    def normals(self) -> Floats:
        """(t, 3) of all triangles."""
        return _normals(self.corners)

    def scaled(self, factor: float) -> "Solids":
        """The same in another unit."""
        solids = [Solid(solid.name, solid.vertices * factor, solid.triangles) for solid in self.solids]
        return Solids(solids, self.is_own)

    def moved(self, by: Sequence[float]) -> "Solids":
        """The same elsewhere; by: (3)."""
        solids = [Solid(solid.name, solid.vertices + np.asarray(by), solid.triangles) for solid in self.solids]
        return Solids(solids, self.is_own)

    @cached_property
    def flaw(self) -> tuple[str, str]:
        """The name of the first solid that has no inside, and why: "open", "twisted" if triangles that look in are
        beside others that look out, or "empty" if there are none. Twice "" if all is well."""
        for solid in self.solids:
            if not len(solid.triangles):
                return solid.name, "empty"
            if not solid.is_closed:
                return solid.name, "open" if solid.has_a_hole else "twisted"
        return "", ""

    def answer(self, places: Floats) -> Answer:
        """What is to be known of places (n, 3); what was asked just before is remembered."""
        key = places.tobytes()
        for known, answer in self.remembered:
            if known == key:
                return answer
        answer = self._answer(places)
        self.remembered = [(key, answer), *self.remembered[: _REMEMBERED - 1]]
        return answer

    def _answer(self, places: Floats) -> Answer:
        if self.tree is None or not len(places):
            return Answer(np.full(len(places), np.inf), places.copy(), np.zeros_like(places))
        nearest, triangle = self.tree.nearest(places, MOST_LEAVES)
        away = places - nearest
        distance = np.sqrt((away * away).sum(axis=1))
        inside = self.is_inside(places)
        sign = np.where(inside, -1.0, 1.0)
        on_surface = distance <= 1e-12 * np.abs(places).max(initial=1.0)
        away = away * (sign / np.where(on_surface, 1.0, distance))[:, None]
        away[on_surface] = self.normals[triangle[on_surface]]
        return Answer(np.where(on_surface, 0.0, sign * distance), nearest, away)

    def is_inside(self, places: Floats) -> Flags:
        """(n) whether places (n, 3) are within a solid."""
        inside = np.zeros(len(places), dtype=np.bool_)
        if self.tree is not None:
            whole = self.tree.levels[0]
            boxed = np.flatnonzero(((places >= whole.low[0]) & (places <= whole.high[0])).all(axis=1))
            inside[boxed] = self.tree.winding(places[boxed]) > 0.5
        return inside

    def blocks(self, origins: Floats, directions: Floats) -> Flags:
        """(n) whether something is in the way from origins (n, 3) along directions (n, 3)."""
        if self.tree is None:
            return np.zeros(len(origins), dtype=np.bool_)
        return self.tree.blocks(origins, directions)


def _edges(solid: Solid) -> tuple[Integers, Integers]:
    """Numbers of the edges of all triangles, and of the same edges the other way round."""
    size = max(float(np.ptp(solid.vertices, axis=0).max(initial=0.0)), 1e-30)
    cells = np.round((solid.vertices - solid.vertices.min(axis=0, initial=0.0)) / (size * _SAME_PLACE))
    place = np.unique(cells, axis=0, return_inverse=True)[1].ravel()
    triangles = place[solid.triangles].astype(np.int64)
    a, b, c = triangles.T
    # triangles without area have no sides
    whole = (a != b) & (b != c) & (c != a)
    triangles = triangles[whole]
    start, end = triangles.ravel(), np.roll(triangles, -1, axis=1).ravel()
    count = len(solid.vertices)
    return start * count + end, end * count + start


def _normals(corners: Floats) -> Floats:
    """(t, 3) unit normals; 0 of triangles without area."""
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(normals, axis=1)
    return np.asarray(normals / np.where(length > 0.0, length, 1.0)[:, None])
