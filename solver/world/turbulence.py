# SPDX-License-Identifier: GPL-3.0-or-later
"""Frozen turbulence of a known spectrum: two periodic boxes of gusts, made once by fast Fourier transforms.

All lengths are in units of the integral length scale of u along the wind, all speeds in units of u's standard
deviation. Axes: x with the wind, y and z across it.

A box is a cube of coefficients of quadratic B-splines, so the wind is once differentiable everywhere. Its edges are
turned against the wind so that in one loop the wind crosses a whole number of edges along each of them (`winding`):
it comes back to its start exactly once a loop, having swept most of the volume, and a small box makes a long wind.
The coarse box holds the long waves, the fine one the short ones; in between they share them by wave number.
"""

import math
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..base.arrays import Floats

VON_KARMAN = "von_karman"
KAIMAL = "kaimal"

#: Cells along an edge, and nodes kept: the first three once more behind the last, so that no index wraps around.
CELLS = 64
NODES = CELLS + 3

COARSE_EDGE, FINE_EDGE = 10.0, 1.0
#: Wave numbers between which the coarse box hands over to the fine one.
HANDOVER = (9.0, 18.0)
#: The largest wave number.
CUTOFF = math.pi * CELLS / FINE_EDGE

#: Far from all directions of small whole numbers: 1, 1/p, 1/p^2 with p^3 = p + 1, as a unit vector.
GENERIC = (0.7264, 0.5484, 0.4140)

#: Von Karman's spectrum bends at the wave number 1 / BEND.
BEND = math.gamma(1 / 3) / (math.sqrt(math.pi) * math.gamma(5 / 6))

#: Kaimal's standard deviations and length scales of u, v, w over those of u (IEC 61400-1, parameters of his model).
DEVIATIONS = np.array([1.0, 0.8, 0.5])
SCALES = np.array([1.0, 2.7 / 8.1, 0.66 / 8.1])

#: Cells of wave numbers up to this one are integrated, the others taken at their middle.
_INTEGRATED = 6


class Box(NamedTuple):
    """One periodic box of gusts.

    coefficients (67 * 67 * 67 * 3,): u, v, w at the nodes of the three edges, the last edge's fastest
    lattice (3, 3): times a point in wind axes gives its place along the edges, 1 being a whole edge
    winding (3,): edges that the wind crosses in one loop, whole numbers
    """

    coefficients: Floats
    lattice: Floats
    winding: Floats


class _Waves(NamedTuple):
    """The waves of a box before the transform, and their variance of u, v, w as asked and as held."""

    amplitudes: NDArray[np.complex128]
    lattice: Floats
    winding: Floats
    asked: Floats
    held: Floats


def _length(k: Floats) -> Floats:
    result: Floats = np.sqrt((k * k).sum(axis=-1, keepdims=True))
    return result


def von_karman_energy(k: Floats | float) -> Floats:
    """Return the energy of waves per wave number k, whose integral is 3/2 (von Karman 1948)."""
    factor = 55.0 / (9.0 * math.sqrt(math.pi)) * math.gamma(5 / 6) / math.gamma(1 / 3) * BEND
    s = np.square(BEND * np.asarray(k))
    energy: Floats = factor * s * s * (1.0 + s) ** (-17 / 6)
    return energy


def _von_karman_density(k: Floats) -> Floats:
    """Return the variance of u, v, w per volume of wave vectors k (..., 3), before the projection across k.

    A shell between the wave numbers K and 2.2 K with an energy proportional to k replaces all the waves beyond K. What
    those add to the one-point spectra at k1 < K has the form a - b k1^2, and this shell, whose largest wave number is
    the cutoff, has the same a and b as the inertial range.
    """
    size = _length(k)
    first = CUTOFF / 2.2
    shell = 0.5 * size / first * von_karman_energy(first)
    energy = np.where(size < first, von_karman_energy(size), shell) * (size < CUTOFF)
    return np.broadcast_to(energy / (4.0 * math.pi * np.maximum(size, 1e-9) ** 2), k.shape)


def _kaimal_density(k: Floats) -> Floats:
    """Return the variance of u, v, w per volume of wave vectors k (..., 3).

    It is the one-point spectrum f S / sigma^2 = 4 n / (1 + 6 n)^(5/3), n = f L / U, times the Fourier transform across
    the wind of IEC's coherence exp(-decay r), decay = 12 sqrt((f / U)^2 + (0.12 / L)^2), which is applied to v and w as
    well. What lies beyond the cutoff across the wind is spread over the rest, to keep the one-point spectrum.
    """
    along = np.abs(k[..., :1])
    size = _length(k)
    spectrum = DEVIATIONS**2 * SCALES / math.pi * (1.0 + 3.0 / math.pi * SCALES * along) ** (-5 / 3)
    decay = 12.0 * np.hypot(along / (2.0 * math.pi), 0.12)
    coherence = decay / (2.0 * math.pi * (decay**2 + size**2 - along**2) ** 1.5)
    held = 1.0 - decay / np.sqrt(decay**2 + np.maximum(CUTOFF**2 - along**2, 0.0))
    result: Floats = spectrum * coherence * (size < CUTOFF) / np.maximum(held, 0.05)
    return result


#: The density of each spectrum that can be asked for.
SPECTRA: dict[str, Callable[[Floats], Floats]] = {VON_KARMAN: _von_karman_density, KAIMAL: _kaimal_density}


def _coarse_share(k: Floats) -> Floats:
    """Return the share of the variance at wave vectors k (..., 3) that the coarse box holds."""
    low, high = HANDOVER
    ramp = np.clip(np.log(np.maximum(_length(k), low) / low) / math.log(high / low), 0.0, 1.0)
    share: Floats = np.cos(0.5 * math.pi * ramp) ** 2
    return share


def _fine_share(k: Floats) -> Floats:
    return 1.0 - _coarse_share(k)


def _place_in_wind(loop: float, edge: float) -> tuple[Floats, Floats]:
    """Return a box's lattice and winding, with edges as long as asked or somewhat shorter."""
    if loop < edge:
        return np.diag([1.0 / loop, 1.0 / edge, 1.0 / edge]), np.array([1.0, 0.0, 0.0])
    whole = [math.ceil(part * loop / edge) for part in GENERIC]
    while math.gcd(*whole) > 1:  # the wind would repeat more than once a loop
        whole[2] += 1
    winding = np.array(whole, dtype=np.float64)
    crossed = math.hypot(*winding)
    with_wind = winding / crossed
    across = np.array([with_wind[1], -with_wind[0], 0.0]) / math.hypot(with_wind[0], with_wind[1])
    axes = np.stack([with_wind, across, np.cross(with_wind, across)], axis=1)
    return axes * (crossed / loop), winding


def _mean_in_cells(density: Callable[[Floats], Floats], k: Floats, lattice: Floats) -> Floats:
    """Return the density's means over the cells around wave vectors k (m, 3), by Gauss's rule with 2 x 2 x 2 points."""
    corners = np.array([(a, b, c) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)])
    offsets = math.pi / math.sqrt(3.0) * corners @ lattice
    means: Floats = density(k + offsets[:, None]).mean(axis=0)
    return means


def _waves(spectrum: str, share: Callable[[Floats], Floats], loop: float, edge: float, seed: tuple[int, int]) -> _Waves:
    """Return waves of the right size and random phase, none of which stands still in the wind."""
    lattice, winding = _place_in_wind(loop, edge)
    count = np.fft.fftfreq(CELLS, 1.0 / CELLS)
    n = np.stack(np.meshgrid(count, count, np.arange(CELLS // 2 + 1.0), indexing="ij"), axis=-1)
    k = 2.0 * math.pi * n @ lattice

    def density(at: Floats) -> Floats:
        return SPECTRA[spectrum](at) * share(at)

    variance = density(k)
    long = (np.abs(n) <= _INTEGRATED).all(axis=-1)
    variance[long] = _mean_in_cells(density, k[long], lattice)
    variance *= (2.0 * math.pi) ** 3 * abs(np.linalg.det(lattice))
    variance[(np.abs(n) == CELLS // 2).any(axis=-1)] = 0.0

    noise = np.fft.rfftn(np.random.default_rng(seed).random((CELLS, CELLS, CELLS, 3)) - 0.5, axes=(0, 1, 2))
    amplitudes = noise / np.abs(noise) * np.sqrt(variance)
    if spectrum == VON_KARMAN:  # incompressible: no motion along the wave vector
        direction = k / np.maximum(_length(k), 1e-9)
        amplitudes -= (amplitudes * direction).sum(axis=-1, keepdims=True) * direction
        variance *= 2.0 / 3.0
    amplitudes[n @ winding == 0.0] = 0.0  # the mean over a loop is the mean wind everywhere

    times = np.where(n[..., 2] == 0.0, 1.0, 2.0)  # each wave but these stands for its conjugate too
    asked = np.einsum("ijk,ijkc->c", times, variance)
    held = np.einsum("ijk,ijkc->c", times, np.abs(amplitudes) ** 2)
    return _Waves(amplitudes, lattice, winding, asked, held)


def _box(waves: _Waves, scale: Floats) -> Box:
    """Transform waves into spline coefficients that give them, with the splines' aliases, the right variance."""
    w = 2.0 * math.pi * np.fft.fftfreq(CELLS)
    gain = np.sqrt((66.0 + 52.0 * np.cos(w) + 2.0 * np.cos(2.0 * w)) / 120.0)
    amplitudes = waves.amplitudes * scale / (gain[:, None, None] * gain[:, None] * gain[: CELLS // 2 + 1])[..., None]
    field = np.fft.irfftn(amplitudes, s=(CELLS, CELLS, CELLS), axes=(0, 1, 2), norm="forward")
    padded = np.pad(field, ((0, NODES - CELLS),) * 3 + ((0, 0),), mode="wrap")
    return Box(np.ascontiguousarray(padded).reshape(-1), waves.lattice, waves.winding)


@lru_cache(maxsize=4)
def boxes(spectrum: str, seed: int, loop: float) -> tuple[Box, Box]:
    """Return the coarse and the fine box of a wind that repeats after the length `loop`.

    The variance over a loop is that of all waves up to the cutoff; of those longer than the loop, the others have it.
    """
    coarse = _waves(spectrum, _coarse_share, loop, COARSE_EDGE, (seed, 0))
    fine = _waves(spectrum, _fine_share, loop, FINE_EDGE, (seed, 1))
    asked, held = coarse.asked + fine.asked, coarse.held + fine.held
    if spectrum == VON_KARMAN:  # one factor for all three keeps it incompressible
        asked, held = asked.sum(), held.sum()
    scale = np.sqrt(asked / held)
    return _box(coarse, scale), _box(fine, scale)
