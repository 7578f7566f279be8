# SPDX-License-Identifier: GPL-3.0-or-later
"""What Blender's force fields do at points in space, from the definitions of its manual and particles' behaviour.

Blender's particles of mass 1 are accelerated by a field's force, and so is the mass of plants here. Strength times
falloff is m/s2 for most kinds. Kinds that depend on the velocity take it in m/s.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from mathutils import noise
from mathutils.bvhtree import BVHTree

#: s: Blender looks for the nearest place of a surface where a particle will be after one of its frames.
_PARTICLE_FRAME = 0.04

#: Strength of drag beyond which Blender takes no notice.
_MOST_DRAG = 2.0

#: A field's noise changes so often a second, as it does in Blender's particles, and evenly in between.
_NOISE_RATE = 25.0


@dataclass(frozen=True)
class Surface:
    """A mesh in world axes as bytes, which compare by value.

    corners: float64 (v, 3) m; normals: the same; triangles: int32 (t, 3)
    """

    corners: bytes
    normals: bytes
    triangles: bytes

    def positions(self) -> np.ndarray:
        """(v, 3) m."""
        return np.frombuffer(self.corners, dtype=np.float64).reshape(-1, 3)

    def vertex_normals(self) -> np.ndarray:
        """(v, 3) of length 1."""
        return np.frombuffer(self.normals, dtype=np.float64).reshape(-1, 3)


@lru_cache(maxsize=16)
def _tree(surface: Surface) -> BVHTree:
    triangles = np.frombuffer(surface.triangles, dtype=np.int32).reshape(-1, 3)
    tree: BVHTree = BVHTree.FromPolygons(surface.positions().tolist(), triangles.tolist(), all_triangles=True)
    return tree


@dataclass(frozen=True)
class Reach:
    """How an influence falls with a distance: 1 up to `least`, 0 beyond `most` (None: no such end), else as a power."""

    power: float
    least: float | None = None
    most: float | None = None

    def __call__(self, distance: np.ndarray) -> np.ndarray:
        """Shares (k,) at distances (k,), of m or degrees."""
        least = self.least or 0.0
        with np.errstate(over="ignore"):
            share = (1.0 + np.maximum(distance - least, 0.0)) ** -self.power
        return share if self.most is None else np.where(distance > self.most, 0.0, share)


@dataclass(frozen=True)
class Field:
    """One force field at one frame.

    kind, shape, falloff, side: as Blender's type, shape, falloff type and Z direction
    position (3,) m and axis (3,), the object's Z, in world axes; surface: of shapes SURFACE and POINTS
    strength: with the plant's weight of `kind` not yet in it; weight: that, times the weight of all
    damping: of HARMONIC and DRAG; flow 1/s; size m: of turbulence, rest length of HARMONIC
    gravity: whether FORCE falls with the square of the distance; in_world: whether turbulence stays where it is
    noise, seed: of the strength
    """

    kind: str
    shape: str
    falloff: str
    side: str
    position: tuple[float, float, float]
    axis: tuple[float, float, float]
    strength: float
    weight: float
    damping: float
    flow: float
    size: float
    distance: Reach
    radial: Reach
    gravity: bool
    in_world: bool
    noise: float
    seed: int
    surface: Surface | None = None

    def accelerations(self, points: np.ndarray, velocities: np.ndarray, time: float) -> np.ndarray:
        """(k, 3) m/s2 at points (k, 3) m that move with velocities (k, 3) m/s."""
        chance, total = self._chance(time), np.zeros(points.shape)
        for near, axis in self._origins(points, velocities):
            share = self._share(points, points - near, axis)
            force = self._force(points, velocities, points - near, axis, share[:, None], chance)
            total += np.where(share[:, None] > 0.0, force, 0.0)
        return total

    def air(self, points: np.ndarray, time: float) -> np.ndarray:
        """(k, 3) m/s: what a WIND field blows with at points (k, 3) m, its strength being a speed."""
        speed, total = self.strength + self._chance(time), np.zeros(points.shape)
        for near, axis in self._origins(points, np.zeros(points.shape)):
            total += speed * self._share(points, points - near, axis)[:, None] * axis
        return total

    def _chance(self, time: float) -> float:
        """What noise adds to the strength at a time."""
        if not self.noise > 0.0:
            return 0.0
        tick = math.floor(time * _NOISE_RATE)
        part = time * _NOISE_RATE - tick
        return self.noise * ((1.0 - part) * _random(self.seed, tick) + part * _random(self.seed, tick + 1))

    def _origins(self, points: np.ndarray, velocities: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        """Where the field comes from, for points (k, 3), and its axis there, each (k, 3) or (3,); several add up."""
        axis, center = np.array(self.axis), np.array(self.position)
        if self.surface is not None and self.shape == "SURFACE":
            return [_nearest(self.surface, points + _PARTICLE_FRAME * velocities)]
        if self.surface is not None and self.shape == "POINTS":
            return list(zip(self.surface.positions(), self.surface.vertex_normals(), strict=True))
        if self.shape not in ("LINE", "PLANE"):
            return [(center, axis)]
        along = ((points - center) @ axis)[:, None] * axis
        from_axis = self.shape == "LINE" or self.kind == "VORTEX"
        return [(center + along if from_axis else points - along, axis)]

    def _share(self, points: np.ndarray, away: np.ndarray, axis: np.ndarray) -> np.ndarray:
        """(k,) share of the strength at points that are so far (k, 3) m away from where the field comes from."""
        from_center = points - np.array(self.position)
        along = (from_center * axis).sum(axis=1)
        if self.falloff == "SPHERE":
            share = self.distance(_length(away))
        elif self.falloff == "TUBE":
            share = self.distance(np.abs(along)) * self.radial(_length(from_center - along[:, None] * axis))
        else:
            cosine = np.clip(along / np.maximum(_length(from_center), _NOTHING), -1.0, 1.0)
            share = self.distance(np.abs(along)) * self.radial(np.degrees(np.arccos(cosine)))
        if self.side != "BOTH":
            share = np.where(along < 0.0 if self.side == "POSITIVE" else along > 0.0, 0.0, share)
        return self.weight * share

    def _force(
        self, points: np.ndarray, velocities: np.ndarray, away: np.ndarray, axis: np.ndarray, share: np.ndarray,
        chance: float,
    ) -> np.ndarray:  # fmt: skip
        """(k, 3) m/s2 where the share (k, 1) is not zero."""
        strength, damping = self.strength + chance, self.damping + chance
        own_axis, from_center = np.array(self.axis), points - np.array(self.position)
        distance = _length(away)[:, None]
        if self.kind == "HARMONIC":
            off = away * ((distance - self.size) / np.maximum(distance, _NOTHING)) if self.size else away
            return -strength * share * off - 2.0 * damping * math.sqrt(abs(strength)) * velocities
        if self.kind == "DRAG":
            quadratic, linear = min(strength, _MOST_DRAG), min(damping, _MOST_DRAG)
            return -share * (quadratic * _length(velocities)[:, None] + linear) * velocities
        if self.kind == "WIND":
            force = strength * share * axis
        elif self.kind == "FORCE":
            size = strength / np.maximum(distance, _NOTHING) ** 2 if self.gravity else strength
            force = np.where(distance > _NOTHING, size * share * away / np.maximum(distance, _NOTHING), 0.0)
        elif self.kind == "VORTEX" and self.shape == "POINT":
            force = strength * share * distance * _unit(np.cross(axis, away))
        elif self.kind == "VORTEX":
            around = strength * share * np.cross(own_axis, from_center)
            force = strength * share * np.cross(own_axis, around) + around - velocities
        elif self.kind == "MAGNET":
            field = np.cross(axis, away) if self.shape in ("POINT", "LINE") else np.broadcast_to(axis, away.shape)
            force = np.cross(velocities, strength * share * _unit(field))
        else:  # TURBULENCE
            force = strength * share * _turbulence(points if self.in_world else from_center + own_axis, self.size)
        return force - self.flow * share * velocities


#: m: shorter distances have no direction.
_NOTHING = 1e-7


def _length(vectors: np.ndarray) -> np.ndarray:
    return np.sqrt((vectors * vectors).sum(axis=1))


def _unit(vectors: np.ndarray) -> np.ndarray:
    """The vectors (k, 3) with length 1, or 0 where they have none."""
    size = _length(vectors)[:, None]
    return vectors / np.where(size > 0.0, size, 1.0)


def _nearest(surface: Surface, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Places (k, 3) of the surface that are nearest to points (k, 3), and its normals there."""
    found = [_tree(surface).find_nearest(point) for point in points.tolist()]
    return np.array([place for place, *_ in found]), np.array([normal for _, normal, *_ in found])


def _turbulence(points: np.ndarray, size: float) -> np.ndarray:
    """(k, 3) from -1 to 1: three octaves of Perlin's noise, one with each coordinate first."""
    scaled = [tuple(point) for point in (points / size if size else points).tolist()]
    # The solver asks for the same points with several velocities.
    found = {
        (x, y, z): [noise.turbulence(p, 3, False, noise_basis="PERLIN_NEW") for p in ((x, y, z), (y, z, x), (z, x, y))]
        for x, y, z in dict.fromkeys(scaled)
    }
    return np.array([found[point] for point in scaled], dtype=np.float64).reshape(-1, 3) / 1.75


def _random(seed: int, tick: int) -> float:
    """What noise of strength 1 is at a tick: Blender's distribution, a whole number of 0 to 127 over 128 to 256.

    It is positive where that number is more than 64. The numbers are those of splitmix64.
    """
    x = (seed * 0x9E3779B97F4A7C15 + tick * 0xD1B54A32D192ED03) & _WORD
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _WORD
    x ^= x >> 31
    whole, share = x & 127, (x >> 11) / 2.0**53
    return math.copysign(whole / (128.0 * (1.0 + share)), 1.0 if whole > 64 else -1.0)


_WORD = (1 << 64) - 1


@dataclass(frozen=True)
class Forces:
    """Fields that act on all mass: a force field as the solver takes it."""

    fields: tuple[Field, ...]

    def __call__(self, points: np.ndarray, velocities: np.ndarray, time: float) -> np.ndarray:
        """(k, 3) m/s2 of mass at points (k, 3) m that moves with velocities (k, 3) m/s."""
        total = np.zeros(points.shape)
        for field in self.fields:
            total += field.accelerations(points, velocities, time)
        return total


@dataclass(frozen=True)
class Winds:
    """WIND fields that blow, as a wind field as the solver takes it."""

    fields: tuple[Field, ...]

    def __call__(self, points: np.ndarray, time: float) -> np.ndarray:
        """(k, 3) m/s of the air at points (k, 3) m."""
        total = np.zeros(points.shape)
        for field in self.fields:
            total += field.air(points, time)
        return total
