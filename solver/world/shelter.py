# SPDX-License-Identifier: GPL-3.0-or-later
"""Shelter: how much of the wind is left among plants and behind them.

    shelter = Shelter(points, drag_areas, direction=(1.0, 0.0, 0.0))
    shelter.factor(points)
    wind = ShelteredWind(GustyWind((8.0, 0.0, 0.0)), shelter)

Plants take momentum out of the wind. With a drag area C_d A per volume of c (1/m) the momentum equation of a canopy
(Raupach and Thom 1981; Finnigan 2000) without the pressure's part is U dU/dx = -c U^2 / 2, so that of the wind U0 there
is U = U0 exp(-1/2 sum C_d A / cross-section) left behind what stands in its way.

Behind it the wind recovers, for the wake widens and takes in air from around: its deficit 1 - U / U0 spreads as a
Gaussian whose standard deviation grows by `spread` times the way, as the wakes of wind turbines do (Bastankhah and
Porte-Agel 2014), 0.1 being Jensen's (1983) rate and that of a turbulence intensity of 0.25 (Niayifar and Porte-Agel
2016). The ground throws it back (Lissaman 1979). As long as nothing more stands in the way, the momentum that is
missing stays the same. Deficits add up, each in the wind that arrives there.

All of this is done on a grid along the wind, plane by plane: a plane's deficit is the sum over all slices before it of
what was taken out there, spread by as much as their distance asks for. A sum over cosines makes each spreading a
multiplication: those of a box whose sides throw back what spreads, which are far enough to make no difference.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from ..base.arrays import Floats, Ints
from ..base.checks import finite, floats, number
from ..base.errors import SolverError
from .wind import gusts_alone

#: Wakes widen by so much of the way.
SPREAD = 0.1
#: A grid has at most so many cells.
MOST_CELLS = 200_000
#: At least this share of the wind is left.
LEAST = 0.01
#: No cell is asked to be smaller (m).
_FINEST = 1e-6

#: Edges of cells over those of squares as large as a typical area.
_OVER_AREA = 4.0
#: The sides of the grid are so many standard deviations of the widest wake away.
_MARGIN = 2.0
#: What lies so little (cells) beyond an edge counts as on it, so that rounding adds no cell.
_EDGE = 0.01


class Shelter:
    """How much of the wind is left at a point, once areas that drag have taken their part.

    points (m, 3) m, world axes: where the areas are; the lowest stands on the ground
    drag_areas (m,) m2: drag coefficient times area of each, across the wind
    direction (3,): where the mean wind blows to, of any length
    cell m: edge of the cells, at least 1e-6, doubled until MOST_CELLS suffice. An area slows the wind down over the
        length of a cell behind it. None: four times the edge of a square as large as a typical area, or a little more
    spread: by how much of the way the standard deviation of a wake grows, 0 to 1
    Raises SolverError for what is no number, out of range or of another shape, and for a direction without length.
    """

    def __init__(
        self, points: ArrayLike, drag_areas: ArrayLike, direction: ArrayLike, cell: float | None = None,
        spread: float = SPREAD,
    ):  # fmt: skip
        areas = floats("drag_areas", drag_areas)
        areas = finite("drag_areas", areas, (areas.size,), low=0.0)
        at = finite("points of the shelter", points, (len(areas), 3))[areas > 0.0]
        areas = areas[areas > 0.0]
        self._axes = _wind_axes(finite("direction of the wind", direction, (3,)))
        self._spread = number("spread of wakes", spread, 0.0, 1.0)
        asked = None if cell is None else number("cell of the shelter", cell, _FINEST)
        self._grid = _Grid(self._along_wind(at), areas, asked, self._spread) if len(areas) else None

    def factor(self, points: ArrayLike) -> Floats:
        """Return the share (k,) of the wind that is left at the points (k, 3) m, world axes: above 0 and at most 1."""
        array = floats("points", points)
        if array.ndim != 2 or array.shape[1] != 3:
            raise SolverError(f"shelter is asked for at points of shape {array.shape}, expected (k, 3)")
        if self._grid is None:
            return np.ones(len(array))
        with np.errstate(invalid="ignore", over="ignore"):  # of points that are not finite
            return 1.0 - self._grid.deficit_at(self._along_wind(array))

    def _along_wind(self, points: Floats) -> Floats:
        """(3, k) m: the points along the wind, across it and up. Each for itself, so that no other changes a bit."""
        x, y, z = points.T
        return np.stack([x * a + y * b + z * c for a, b, c in self._axes.tolist()])


@dataclass(frozen=True)
class ShelteredWind:
    """A wind, gusts and all, in the shelter of plants.

    wind: a field of points (k, 3) m and time s
    shelter: what takes its part of the mean wind
    share: of what it takes, 0 for none of it to 1
    Raises SolverError for a share out of this range.
    """

    wind: Callable[[Floats, float], Floats]
    shelter: Shelter
    share: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "share", number("share of the shelter", self.share, 0.0, 1.0))

    def __call__(self, points: ArrayLike, time: float) -> Floats:
        """Return the wind (k, 3) m/s at the points (k, 3) m, world axes, at the time s."""
        array = floats("points", points)
        left = 1.0 - self.share * (1.0 - self.shelter.factor(array))
        velocities: Floats = self.wind(array, time) * left[:, None]
        return velocities

    def without_eddies(self) -> "ShelteredWind":
        """Return the same without the eddies that the wind may have, in which plants can come to rest."""
        alone = gusts_alone(self.wind)
        return self if alone is self.wind else replace(self, wind=alone)


class _Grid:
    """Deficits of the wind on planes across it, of areas (m,) m2 at places (3, m) m along it, across it and up."""

    def __init__(self, places: Floats, areas: Floats, cell: float | None, spread: float):
        low, high = places.min(axis=1), places.max(axis=1)
        self._first, self._middle, self._ground = low[0], 0.5 * (low[1] + high[1]), low[2]
        self._cell = _typical_cell(areas) if cell is None else cell
        while math.prod(shape := _shape(high - low, self._cell, spread)) > MOST_CELLS:
            self._cell *= 2.0
        self._shape, self._spread = shape, spread
        caught = 1.0 - np.exp(-0.5 / self._cell**2 * self._shared_out(places, areas))
        planes = _swept(caught, spread)
        self._width, self._height = self._extent(planes[-1])
        # Beyond the sides and the top nothing is missing; beyond the ground as much as on it.
        self._planes = np.pad(planes, ((0, 0), (1, 1), (0, 1)))

    def _across(self, y: Floats) -> Floats:
        """Where places are among the middles of the cells across the wind, the first of which is 0."""
        return (y - self._middle) / self._cell + 0.5 * (self._shape[1] - 1)

    def _up(self, z: Floats) -> Floats:
        """Where places are among the middles of the cells above the ground, the first of which is 0."""
        return (z - self._ground) / self._cell - 0.5

    def _shared_out(self, places: Floats, areas: Floats) -> Floats:
        """The areas, shared out among cells by their distances from two slices, columns and rows of them each. A slice
        stands for what is at its beginning, so that nothing is slowed down before it, nor in what it does itself."""
        x, y, z = places
        axes = (_between((x - self._first) / self._cell), _between(self._across(y)), _between(self._up(z)))
        _, columns, rows = self._shape
        result = np.zeros(math.prod(self._shape))
        for i, along in axes[0]:
            for j, across in axes[1]:
                for k, up in axes[2]:  # the ground throws back what is below it
                    cells = (i * columns + j) * rows + np.maximum(k, 0)
                    result += np.bincount(cells, areas * along * across * up, len(result))
        return result.reshape(self._shape)

    def _extent(self, plane: Floats) -> tuple[float, float]:
        """Standard deviations (m) of the plane's deficit across the wind and, with what the ground throws back, up."""
        across = self._cell * (np.arange(self._shape[1]) - 0.5 * (self._shape[1] - 1))
        up = self._cell * (np.arange(self._shape[2]) + 0.5)
        total = max(float(plane.sum()), 1e-300)
        squares = (plane.sum(axis=1) @ across**2 / total, plane.sum(axis=0) @ up**2 / total)
        width, height = (math.sqrt(square + self._cell**2 / 12.0) for square in squares)
        return width, height

    def deficit_at(self, places: Floats) -> Floats:
        """(k,): share of the wind that is missing at places (3, k) m along it, across it and up.

        Behind the last plane its deficit goes on to widen at the same rate, all of it alike.
        """
        x, y, z = places
        along = (x - self._first) / self._cell
        last = self._shape[0]
        behind = self._spread * self._cell * np.fmax(along - last, 0.0)
        wider, higher = 1.0 + behind / self._width, 1.0 + behind / self._height
        y, z = self._middle + (y - self._middle) / wider, self._ground + (z - self._ground) / higher
        where = (along, self._across(y) + 1.0, self._up(z))
        (i, s), (j, t), (k, u) = (_below(one, size) for one, size in zip(where, self._planes.shape, strict=True))
        deficit = np.zeros(len(x))
        for a, p in ((i, 1.0 - s), (i + 1, s)):
            for b, q in ((j, 1.0 - t), (j + 1, t)):
                for c, r in ((k, 1.0 - u), (k + 1, u)):
                    deficit += p * q * r * self._planes[a, b, c]
        return deficit / (wider * higher)


def _wind_axes(direction: Floats) -> Floats:
    """(3, 3): axes with the wind, level across it to the left, and upwards."""
    length = float(np.linalg.norm(direction))
    if length == 0.0:
        raise SolverError("direction of the wind has no length")
    u = direction / length
    level = math.hypot(u[0], u[1])
    v = np.array([-u[1] / level, u[0] / level, 0.0]) if level > 0.0 else np.array([0.0, 1.0, 0.0])
    return np.stack([u, v, np.cross(u, v)])


def _typical_cell(areas: Floats) -> float:
    """Edge (m) of cells that areas (m,) m2 hardly fill: a power of two, so that it seldom changes with them."""
    typical = float((areas * (areas / areas.sum())).sum())
    return float(2.0 ** math.ceil(math.log2(max(_OVER_AREA * math.sqrt(typical), _FINEST))))


def _shape(size: Floats, cell: float, spread: float) -> tuple[int, int, int]:
    """How many slices along the wind, and cells across it and up, hold places within a box of a size (3,) m."""
    length, width, height = (size / cell).tolist()
    slices = math.floor(length + _EDGE) + 2
    margin = _MARGIN * spread * slices
    return slices, 2 * math.floor(0.5 * width + margin + 0.5 + _EDGE) + 3, math.floor(height + margin + _EDGE) + 2


def _between(where: Floats) -> tuple[tuple[Ints, Floats], tuple[Ints, Floats]]:
    """The cells whose middles places lie between, and the share that each of the two has in them."""
    first = np.floor(where)
    share = where - first
    index = first.astype(np.int64)
    return (index, 1.0 - share), (index + 1, share)


def _below(where: Floats, size: int) -> tuple[Ints, Floats]:
    """The nodes, of so many, before places, and how far from them to the next ones these are; the ends go on."""
    within = np.fmax(np.fmin(where, size - 1.0), 0.0)
    first = np.fmin(np.floor(within), size - 2.0)
    return first.astype(np.int64), within - first


def _cosines(n: int) -> tuple[Floats, Floats]:
    """(n, n): orthonormal cosines over the middles of n cells, a row each; and (n,): what each loses as its half of
    the variance, in cells, that is spread by. They are the waves of diffusion between cells, which makes nothing
    negative."""
    wave = np.pi / n * np.arange(n)
    rows = np.cos(wave[:, None] * (np.arange(n) + 0.5)) * math.sqrt(2.0 / n)
    rows[0] *= math.sqrt(0.5)
    return rows, 1.0 - np.cos(wave)


def _swept(caught: Floats, spread: float) -> Floats:
    """(slices + 1, j, k): deficits on the planes before, between and behind slices that catch (slices, j, k) of the
    wind that arrives at them."""
    slices, columns, rows = caught.shape
    across, lost_across = _cosines(columns)
    up, lost_up = _cosines(rows)
    variance = (spread * np.arange(1.0, slices + 1.0)) ** 2
    left = np.exp(-variance[:, None] * lost_across)[:, :, None] * np.exp(-variance[:, None] * lost_up)[:, None, :]
    taken = np.zeros_like(caught)  # as cosines
    planes = np.zeros((slices + 1, columns, rows))
    for i in range(slices):
        taken[i] = across @ ((1.0 - planes[i]) * caught[i]) @ up.T
        spread_out = np.einsum("ajk,ajk->jk", left[i::-1], taken[: i + 1])
        planes[i + 1] = np.clip(across.T @ spread_out @ up, 0.0, 1.0 - LEAST)
    return planes
