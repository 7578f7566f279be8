# SPDX-License-Identifier: GPL-3.0-or-later
"""Rods that are longer, thicker and elsewhere than as drawn, and what their bodies are made of.

A rod of which so many times the length and the radius are given is of the same material: its mass grows with its
volume, its stiffness with the fourth power of the radius over the length.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..base.arrays import Floats, Floats2, Ints1
from ..math.rotations import rotate, unrotate
from .mass_properties import Slices, slice_masses
from .rods import Rods

#: Columns of how rods are (m, 5): factors of length and radius, and by what the base is shifted (m) in the axes of the
#: parent's rod, of the base where there is none.
STRETCH, THICKNESS, SHIFT, LENGTHS = 0, 1, 2, 5

#: A rod as drawn.
AS_LONG_AS_DRAWN = (1.0, 1.0, 0.0, 0.0, 0.0)


class Matter(NamedTuple):
    """What bodies are made of: k slices of m rods as drawn, by which they are stretched.

    body, rod (k,); numbers (k, 10): mass (kg), centre of mass (3, m) from the rod's base in its frame, and second
    moments about it (xx, xy, xz, yy, yz, zz; kg m2)
    parent (m,) rod; gap (m, 3) m: from the parent's tip, or of the base, to the rod's base in the axes of the parent's
    rod, or of the base; length (m,) m
    """

    body: Ints1
    rod: Ints1
    numbers: Floats2
    parent: Ints1
    gap: Floats2
    length: Floats


def matter_of(rods: Rods, frame: Floats, slices: Slices) -> Matter:
    """That of bodies; frame (m, 4): the rods'."""
    mass, center, about_center = slice_masses(rods, slices)
    trace = np.trace(about_center, axis1=1, axis2=2)
    moments = 0.5 * trace[:, None, None] * np.eye(3) - about_center
    six = moments[:, (0, 0, 0, 1, 1, 2), (0, 1, 2, 1, 2, 2)]
    numbers = np.ascontiguousarray(np.column_stack([mass, center, six]))
    return Matter(slices.body, slices.rod, numbers, rods.parent_index, gaps(rods, frame), rods.array("length").copy())


def gaps(rods: Rods, frame: Floats) -> Floats:
    """(m, 3) m: as of Matter."""
    on, head, length = rods.parent_index, rods.array("head"), rods.array("length")
    along = np.zeros((len(rods), 3))
    along[:, 1] = length
    of = np.maximum(on, 0)
    apart = unrotate(frame[of], head - (head + rotate(frame, along))[of])
    return np.ascontiguousarray(np.where((on < 0)[:, None], head, apart))


@np.errstate(all="ignore")  # numbers out of range are refused where they are used
def stretched_rods(rods: Rods, frame: Floats, lengths: Floats) -> Rods:
    """The rods as they are with the lengths (m, 5), not bent. Raises SolverError for those that no rods can be."""
    longer, wider = lengths[:, STRETCH], lengths[:, THICKNESS]
    length, more = rods.array("length") * longer, longer * wider**2
    return replace(
        rods, head=_heads(rods, frame, length, lengths[:, SHIFT:]), length=length,
        radius_base=rods.array("radius_base") * wider, radius_tip=rods.array("radius_tip") * wider,
        blade_area=rods.array("blade_area") * longer * wider, blade_rigidity=rods.array("blade_rigidity") * wider**3,
        mass=rods.array("mass") * more, com=rods.array("com") * np.column_stack([wider, longer, wider]),
        inertia=_scaled_inertia(rods.array("inertia"), longer, wider) * more[:, None],
        stiffness=rods.array("stiffness") * (wider**4 / longer)[:, None],
    )  # fmt: skip


def _heads(rods: Rods, frame: Floats, length: Floats, shift: Floats) -> Floats:
    """(m, 3) m: rods' bases in the base's frame, with other lengths (m,) and shifted."""
    on, step = rods.parent_index, gaps(rods, frame) + shift
    inner = on >= 0
    step[inner, 1] += length[on[inner]]
    step[inner] = rotate(frame[on[inner]], step[inner])
    head = step.copy()
    for i in np.flatnonzero(inner).tolist():
        head[i] += head[on[i]]
    return head


def _scaled_inertia(inertia: Floats, longer: Floats, wider: Floats) -> Floats:
    """Diagonals (m, 3) of inertia about the rods' bases when all is so much longer and wider."""
    moments = 0.5 * inertia.sum(axis=1)[:, None] - inertia
    moments = moments * np.column_stack([wider, longer, wider]) ** 2
    scaled: Floats = moments.sum(axis=1)[:, None] - moments
    return scaled
