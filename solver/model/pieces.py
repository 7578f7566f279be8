# SPDX-License-Identifier: GPL-3.0-or-later
"""Rods cut into pieces of equal length, each of which bends by the joints of a layout."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..base.arrays import Bools, Floats, Ints
from ..base.checks import indices
from ..base.errors import SolverError
from .rods import Rods

#: A rod is never cut into more pieces than this.
MOST_PIECES = 1_000_000


class Pieces(NamedTuple):
    """p pieces of m rods, parents before children, those of one rod one after the other from its base.

    rod (p,); parent (p,) the piece below, -1 for the base; start (p,) m from the rod's base; length, radius_base,
    radius_tip (p,) m; young (p,) Pa; poisson, hollow (p,); section (p, 9) as of Rods; density (p,) kg/m3; rigid (p,)
    bool, welded to what is below; last (m,) the rod's tip piece.
    """

    rod: Ints
    parent: Ints
    start: Floats
    length: Floats
    radius_base: Floats
    radius_tip: Floats
    young: Floats
    poisson: Floats
    hollow: Floats
    section: Floats
    density: Floats
    rigid: Bools
    last: Ints


def cut(rods: Rods, segments: Ints) -> Pieces:
    """Cut rod i into segments[i] pieces; pinned rods stay whole.

    Raises SolverError for a rod that has a mass of its own and more than one piece.
    """
    pinned = rods.array("pinned") != 0.0
    count = np.where(pinned, 1, segments)
    rods.refuse(own_mass(rods) & (count > 1), "it has a mass of its own, so it can have one segment only")
    rod = np.repeat(np.arange(len(rods)), count)
    last = np.cumsum(count) - 1
    first = last - count + 1
    k = np.arange(len(rod)) - first[rod]
    below = rods.parent_index[rod]
    parent = np.where(k > 0, np.arange(len(rod)) - 1, np.where(below < 0, -1, last[below]))
    r0, r1 = rods.array("radius_base")[rod], rods.array("radius_tip")[rod]
    n = count[rod]
    length = rods.array("length")[rod] / n
    names = ("young", "poisson", "hollow", "section", "density")
    young, poisson, hollow, section, density = (rods.array(name)[rod] for name in names)
    return Pieces(
        rod, parent, k * length, length, r0 + (r1 - r0) * (k / n), r0 + (r1 - r0) * ((k + 1) / n),
        young, poisson, hollow, section, density, pinned[rod], last,
    )  # fmt: skip


def unit_frames(rods: Rods) -> Floats:
    """(m, 4) quaternions of the rods' frames, exactly unit. Raises SolverError for one that is far from it."""
    frame = rods.array("frame")
    norm = np.linalg.norm(frame, axis=1)
    rods.refuse(np.abs(norm - 1.0) > 1e-3, "frame is not a unit quaternion")
    result: Floats = frame / norm[:, None]
    return result


def own_mass(rods: Rods) -> Bools:
    """(m,) bool: rods whose mass, centre of mass or inertia is given and not that of a cylinder."""
    given = [np.isfinite(rods.array(name)).reshape(len(rods), -1).any(axis=1) for name in ("mass", "com", "inertia")]
    result: Bools = np.logical_or.reduce(given)
    return result


def segment_counts(rods: Rods, segments: ArrayLike) -> Ints:
    """(m,) counts from a number or one number a rod, or SolverError."""
    counts = indices("segments", segments, 1, MOST_PIECES, "m")
    if counts.size not in (1, len(rods)):
        raise SolverError(f"segments has shape {counts.shape}, expected one number or {(len(rods),)}")
    return np.array(np.broadcast_to(counts, len(rods)))
