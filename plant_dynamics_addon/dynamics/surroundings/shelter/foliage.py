# SPDX-License-Identifier: GPL-3.0-or-later
"""What plants slow the wind down with. Needs no Blender."""

import hashlib
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from .....solver import Shelter


class Foliage:
    """What catches the wind of bones on one carrier as they are drawn, in its axes and unit at rest: places (k, 3),
    axes (k, 3) of unit length, and drag coefficients times areas (k, 2), along the axes and across them. Equal where
    all numbers are, which its representation tells.
    """

    def __init__(self, places: np.ndarray, axes: np.ndarray, areas: np.ndarray):
        self.places, self.axes, self.areas = places, axes, areas
        numbers = np.ascontiguousarray(np.hstack([places, axes, areas]))
        self._digest = hashlib.blake2b(numbers.tobytes(), digest_size=16).hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Foliage) and self._digest == other._digest

    def __hash__(self) -> int:
        return hash(self._digest)

    def __repr__(self) -> str:
        return f"Foliage({self._digest})"

    def seen_along(self, direction: np.ndarray, matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Places (k, 3) m in the world, where the carrier's matrix (4, 4) is this, and drag coefficients times areas
        (k,) m2 in a wind in this direction, a unit vector, by the law of drag of the solver's panels."""
        turned = self.axes @ matrix[:3, :3].T
        turned /= np.linalg.norm(turned, axis=1, keepdims=True)
        along = np.minimum(np.abs(turned @ direction), 1.0)
        across = np.sqrt(1.0 - along**2)
        areas = self.areas[:, 0] * along**3 + self.areas[:, 1] * across**3
        return self.places @ matrix[:3, :3].T + matrix[:3, 3], areas * abs(np.linalg.det(matrix[:3, :3])) ** (2 / 3)


@dataclass(frozen=True)
class Windbreak:
    """All that takes its part of the wind. matrices: bytes of the numbers (p, 4, 4) of the carriers of p foliages."""

    foliages: tuple[Foliage, ...]
    matrices: bytes


@lru_cache(maxsize=16)
def shelter_of(windbreak: Windbreak, direction: tuple[float, float, float]) -> Shelter:
    """What is left of a wind in this direction, a unit vector."""
    matrices = np.frombuffer(windbreak.matrices).reshape(-1, 4, 4)
    pairs = zip(windbreak.foliages, matrices, strict=True)
    seen = [foliage.seen_along(np.array(direction), matrix) for foliage, matrix in pairs]
    places, areas = (np.concatenate(parts) for parts in zip(*seen, strict=True))
    return Shelter(places, areas, direction)
