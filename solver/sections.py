# SPDX-License-Identifier: GPL-3.0-or-later
"""Mass and compliance of circular rods whose radius changes linearly along their length."""

from typing import NamedTuple

import numpy as np

from .model import Floats

# Gauss-Legendre with three points is exact to degree five; the integrands below have degree four.
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(3)


class Piece(NamedTuple):
    """Mass properties of a piece of rod from y0 to y1 along the rod's axis, in the rod's frame.

    mass (n,) kg; center (n,) m, position of the centre of mass along the axis; transverse, axial (n,) kg m2, about
    the centre of mass.
    """

    mass: Floats
    center: Floats
    transverse: Floats
    axial: Floats


def piece_of_rod(
    density: Floats, radius_base: Floats, radius_tip: Floats, length: Floats, y0: Floats, y1: Floats
) -> Piece:
    """Mass properties of the part of a solid truncated cone between y0 and y1 (m from its base)."""
    half = 0.5 * (y1 - y0)
    y = (0.5 * (y0 + y1))[:, None] + half[:, None] * _NODES
    r = radius_base[:, None] + (radius_tip - radius_base)[:, None] * y / length[:, None]
    w = half[:, None] * _WEIGHTS * np.pi * density[:, None]
    mass = (w * r**2).sum(axis=1)
    center = (w * r**2 * y).sum(axis=1) / mass
    axial = 0.5 * (w * r**4).sum(axis=1)
    transverse = 0.5 * axial + (w * r**2 * (y - center[:, None]) ** 2).sum(axis=1)
    return Piece(mass, center, transverse, axial)


def bending_compliance(
    young: Floats, radius_base: Floats, radius_tip: Floats, length: Floats, y0: Floats, y1: Floats
) -> Floats:
    """rad per N m: integral of dy / (E I) with I = pi r^4 / 4, in closed form for a linear radius."""
    r0 = radius_base + (radius_tip - radius_base) * y0 / length
    r1 = radius_base + (radius_tip - radius_base) * y1 / length
    integral: Floats = (y1 - y0) * (r0 * r0 + r0 * r1 + r1 * r1) / (3.0 * (r0 * r1) ** 3)
    return 4.0 * integral / (np.pi * young)


def twist_per_bend(poisson: Floats) -> Floats:
    """Torsional over bending stiffness GJ / EI = 1 / (1 + nu) of a circular section (Garcia eq. 6.13, 6.14)."""
    ratio: Floats = 1.0 / (1.0 + poisson)
    return ratio
