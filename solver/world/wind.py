# SPDX-License-Identifier: GPL-3.0-or-later
"""Wind as a field: a callable of points (k, 3) m, world axes, and time s that returns velocities (k, 3) m/s.

    wind = GustyWind((8.0, 0.0, 0.0), turbulence_intensity=0.2, length_scale=30.0, seed=3, loop=10.0)
    velocities = wind(points, time)

A field has no state: equal arguments give equal bits, in any order of calls and of points. Any other callable of this
kind is a wind as well. Values to start from:

    breeze   3 m/s   Beaufort 2, leaves rustle             turbulence_intensity 0.35   length_scale 10 m
    wind     8 m/s   Beaufort 5, small trees sway          turbulence_intensity 0.2    length_scale 30 m
    storm   20 m/s   Beaufort 8, gale, twigs break off     turbulence_intensity 0.15   length_scale 60 m

The intensities are those of IEC 61400-1's normal turbulence model, Iref (0.75 + 5.6 m/s / U) with Iref = 0.12 to 0.16,
which gives 0.31 to 0.42, 0.17 to 0.23 and 0.12 to 0.16. The lengths are its Kaimal scale of u, 8.1 * 0.7 z, at heights
z of 2, 5 and 10 m.
"""

import math
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..base.arrays import Floats, Floats1, Floats2
from ..base.checks import choice, finite, floats, number, whole_number
from ..base.errors import SolverError
from ..machine.jit import inlined, kernel
from .turbulence import CELLS, NODES, SPECTRA, VON_KARMAN, Box, boxes

#: Without a loop being asked for, the wind repeats after this many length scales.
DEFAULT_LOOP = 1000.0
#: In a loop at least this many length scales pass by, or else the gusts are made shorter.
SHORTEST_LOOP = 1.0

# Distances in a box's coefficients, how many of them a point needs, and the last place where these begin.
_ROW = 3 * NODES
_PLANE = NODES * _ROW
_SPAN = 2 * _PLANE + 2 * _ROW + 9
_LAST = CELLS * (_PLANE + _ROW + 3)

_RANGES = {
    "turbulence_intensity": (0.0, 10.0), "length_scale": (1e-3, 1e6), "loop": (1e-3, 1e6),
    "height_exponent": (0.0, 2.0), "reference_height": (1e-3, 1e6), "eddies": (0.0, 10.0), "eddy_size": (1e-3, 1e6),
}  # fmt: skip

#: Added to the seed of the gusts, for eddies that are not like them.
_SEED_OF_EDDIES = 1 << 40

#: Gusts weaker than this are none, m/s.
_WEAKEST = 1e-9


class _Gusts(NamedTuple):
    """A gusty wind as the kernel takes it.

    coarse, fine: coefficients of the boxes
    place (6, 3) 1/m: times a point gives its place along the edges of both boxes
    winding (6,): edges crossed in one loop
    mean (3,) m/s
    axes (3, 3) m/s: times the unit gusts u, v, w gives their velocity in world axes
    """

    coarse: Floats1
    fine: Floats1
    place: Floats2
    winding: Floats1
    mean: Floats1
    axes: Floats2


@inlined
def _cell(s):
    """Return the cell that a place along an edge is in, and there the weights of the three splines."""
    s = CELLS * (s - np.floor(s))
    i = np.floor(s)
    s -= i
    half = 0.5 * s * s
    return i, (0.5 - s + half, 0.5 + s - 2.0 * half, half)


@inlined
def _along_row(nodes, m, y):
    return y[0] * nodes[m] + y[1] * nodes[m + _ROW] + y[2] * nodes[m + 2 * _ROW]


@inlined
def _along_plane(nodes, m, x, y):
    ahead = x[2] * _along_row(nodes, m + 2 * _PLANE, y)
    return x[0] * _along_row(nodes, m, y) + x[1] * _along_row(nodes, m + _PLANE, y) + ahead


@inlined
def _gust(coefficients, place, r, start, p, eight):
    """Return u, v, w of a box at the point p; the loop over eight numbers is one that compilers vectorise."""
    i, x = _cell(place[r, 0] * p[0] + place[r, 1] * p[1] + place[r, 2] * p[2] - start[0])
    j, y = _cell(place[r + 1, 0] * p[0] + place[r + 1, 1] * p[1] + place[r + 1, 2] * p[2] - start[1])
    k, z = _cell(place[r + 2, 0] * p[0] + place[r + 2, 1] * p[1] + place[r + 2, 2] * p[2] - start[2])
    first = i * _PLANE + j * _ROW + k * 3
    if not 0.0 <= first <= _LAST:  # a point that is not finite
        first = 0.0
    nodes = coefficients[int(first) : int(first) + _SPAN]
    for m in range(len(eight)):
        eight[m] = _along_plane(nodes, m, x, y)
    ninth = _along_plane(nodes, 8, x, y)
    return (
        z[0] * eight[0] + z[1] * eight[3] + z[2] * eight[6],
        z[0] * eight[1] + z[1] * eight[4] + z[2] * eight[7],
        z[0] * eight[2] + z[1] * eight[5] + z[2] * ninth,
    )


@kernel
def _blow(points: Floats2, turn: float, gusts: _Gusts, eight: Floats1, out: Floats2) -> None:
    """Fill out (k, 3) with the wind at the points, a share `turn` of a loop after its start. eight (8,) is scratch."""
    place, mean, axes = gusts.place, gusts.mean, gusts.axes
    winding = gusts.winding
    coarse_start = (winding[0] * turn, winding[1] * turn, winding[2] * turn)
    fine_start = (winding[3] * turn, winding[4] * turn, winding[5] * turn)
    for i in range(len(points)):
        p = (points[i, 0], points[i, 1], points[i, 2])
        a = _gust(gusts.coarse, place, 0, coarse_start, p, eight)
        b = _gust(gusts.fine, place, 3, fine_start, p, eight)
        u, v, w = a[0] + b[0], a[1] + b[1], a[2] + b[2]
        out[i, 0] = mean[0] + axes[0, 0] * u + axes[0, 1] * v + axes[0, 2] * w
        out[i, 1] = mean[1] + axes[1, 0] * u + axes[1, 1] * v + axes[1, 2] * w
        out[i, 2] = mean[2] + axes[2, 0] * u + axes[2, 1] * v + axes[2, 2] * w


def _checked(points: ArrayLike, time: float) -> Floats:
    """Return the points as the kernel takes them, or raise SolverError."""
    array = np.ascontiguousarray(floats("points", points))
    if array.ndim != 2 or array.shape[1] != 3:
        raise SolverError(f"wind is asked for at points of shape {array.shape}, expected (k, 3)")
    number("time", time)
    return array


def _velocity(values: ArrayLike) -> tuple[float, float, float]:
    x, y, z = finite("velocity of the wind", values, (3,)).tolist()
    return x, y, z


def _wind_axes(velocity: Floats) -> Floats:
    """Return the axes of u (with the wind), v (level, to the left) and w as the columns of a rotation."""
    u = velocity / np.linalg.norm(velocity)
    level = math.hypot(u[0], u[1])
    v = np.array([-u[1] / level, u[0] / level, 0.0]) if level > 0.0 else np.array([0.0, 1.0, 0.0])
    return np.stack([u, v, np.cross(u, v)], axis=1)


def gusts_alone(wind: Any) -> Any:
    """Return a wind as its own `without_eddies` has it, if it has that: nothing comes to rest in eddies."""
    without = getattr(wind, "without_eddies", None)
    return wind if without is None else without()


@dataclass(frozen=True)
class UniformWind:
    """The same wind everywhere and always.

    velocity (3,) m/s, world axes
    Raises SolverError for what is not three finite numbers.
    """

    velocity: ArrayLike

    def __post_init__(self) -> None:
        object.__setattr__(self, "velocity", _velocity(self.velocity))

    def __call__(self, points: ArrayLike, time: float) -> Floats:
        """Return the wind (k, 3) m/s at the points (k, 3) m."""
        result = np.empty(_checked(points, time).shape)
        result[:] = self.velocity
        return result


@dataclass(frozen=True)
class GustyWind:
    """A mean wind that carries frozen turbulence along (Taylor's hypothesis).

    velocity (3,) m/s, world axes: the mean wind; still air if it is zero
    turbulence_intensity: standard deviation of the gusts along the wind over the mean speed, 0 for none
    length_scale m: integral length of the gusts along the wind. The spectrum at a point is right from 0.1 to 14 times
        speed / length_scale; waves shorter than length_scale / 32 are left out, which is 2 % of the variance with von
        Karman's spectrum, and 3, 6 and 16 % of that of u, v and w with Kaimal's
    spectrum: "von_karman", isotropic and of waves without divergence, with sigma_v = sigma_w = sigma_u; or "kaimal",
        three independent components with sigma_v = 0.8 and sigma_w = 0.5 sigma_u and shorter scales, and coherence
        falling exponentially across the wind, as in IEC 61400-1
    seed: another whole number from 0 gives another wind of the same kind
    loop s: the wind repeats exactly after this time; None: after 1000 length scales have passed by. In a short loop the
        variance of gusts longer than it is given to the shorter ones, and length_scale is at most speed times loop
    eddies: standard deviation, in each direction, over the mean speed, of what twigs and leaves shed and gusts of that
        length do not hold; 0 for none. Among leaves turbulence is as strong as 0.3 to 0.5 of the mean (Raupach and
        Thom 1981), much of it no larger than they are
    eddy_size m: integral length of the eddies, which have von Karman's spectrum and travel as the gusts do. It is the
        width of what sheds them: whirls leave plates 0.15 to 0.2 U / width times a second, the width across the wind
        (Rojratsirikul et al. 2011), and the spectrum is highest at 0.146 U / eddy_size
    height_exponent: wind and gusts grow as (z / reference_height m)^height_exponent above the ground z = 0 and
        are zero below; 0 for no dependence on height, 0.14 over short grass, 0.2 to 0.3 among bushes and trees
    Raises SolverError for what is no number or outside its range, and an unknown spectrum.
    """

    velocity: ArrayLike
    turbulence_intensity: float = 0.2
    length_scale: float = 30.0
    spectrum: str = VON_KARMAN
    seed: int = 0
    loop: float | None = None
    height_exponent: float = 0.0
    reference_height: float = 10.0
    eddies: float = 0.0
    eddy_size: float = 0.1

    def __post_init__(self) -> None:
        choice("spectrum", self.spectrum, SPECTRA)
        object.__setattr__(self, "velocity", _velocity(self.velocity))
        object.__setattr__(self, "seed", whole_number("seed of the wind", self.seed))
        for name, (low, high) in _RANGES.items():
            value = getattr(self, name)
            if name != "loop" or value is not None:
                object.__setattr__(self, name, number(f"{name} of the wind", value, low, high))

    @property
    def speed(self) -> float:
        """Mean speed, m/s."""
        return float(np.linalg.norm(np.asarray(self.velocity)))

    @property
    def period(self) -> float:
        """Time after which the wind repeats, s; infinite without a loop in still air."""
        if self.loop is not None:
            return self.loop
        return DEFAULT_LOOP * self.length_scale / self.speed if self.speed > 0.0 else math.inf

    def __call__(self, points: ArrayLike, time: float) -> Floats:
        """Return the wind (k, 3) m/s at the points (k, 3) m, world axes, at the time s."""
        array = _checked(points, time)
        result = np.empty(array.shape)
        turn = time % self._period / self._period
        if self._gusts is None:
            result[:] = self.velocity
        else:
            _blow(array, turn, self._gusts, np.empty(8), result)
        if self._eddies is not None:
            whirls = np.empty(array.shape)
            _blow(array, turn, self._eddies, np.empty(8), whirls)
            result += whirls
        if self.height_exponent > 0.0:
            height = np.maximum(array[:, 2:], 0.0)
            result *= (height / self.reference_height) ** self.height_exponent
        return result

    def without_eddies(self) -> "GustyWind":
        """Return the same gusts alone, in which plants can come to rest; itself where there are no others."""
        return replace(self, eddies=0.0) if self.eddies else self

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is made on demand."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @cached_property
    def _period(self) -> float:
        return self.period

    @cached_property
    def _gusts(self) -> _Gusts | None:
        if self.turbulence_intensity * self.speed < _WEAKEST:
            return None
        length, passing = self.length_scale, DEFAULT_LOOP
        if self.loop is not None:
            length, passing = self._passing(length)
        return self._carried(self.turbulence_intensity, self.velocity, length, boxes(self.spectrum, self.seed, passing))

    @cached_property
    def _eddies(self) -> _Gusts | None:
        if self.eddies * self.speed < _WEAKEST:
            return None
        length, passing = self._passing(self.eddy_size)
        return self._carried(
            self.eddies, (0.0, 0.0, 0.0), length, boxes(VON_KARMAN, self.seed + _SEED_OF_EDDIES, passing)
        )

    def _passing(self, length: float) -> tuple[float, float]:
        """The length scale (m), shorter if too little of it passes by in a period, and how many of it do."""
        travel = self.speed * self._period
        length = min(length, travel / SHORTEST_LOOP)
        return length, travel / length

    def _carried(self, intensity: float, mean: ArrayLike, length: float, carried: tuple[Box, Box]) -> _Gusts:
        coarse, fine = carried
        axes = _wind_axes(np.asarray(self.velocity))
        return _Gusts(
            coarse.coefficients,
            fine.coefficients,
            np.vstack([coarse.lattice, fine.lattice]) @ axes.T / length,
            np.concatenate([coarse.winding, fine.winding]),
            np.array(mean, dtype=np.float64),
            intensity * self.speed * axes,
        )
