# SPDX-License-Identifier: GPL-3.0-or-later
"""Mass and compliance of round rods, hollow or not, whose radius changes linearly along their length."""

from typing import NamedTuple

import numpy as np

from ..base.arrays import Floats

# Gauss-Legendre with three points is exact to degree five; the integrands of mass properties have degree four.
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(3)
# Ten points integrate t^3 / (1 + e t) over [0, 1] to rounding for -0.5 <= e <= 0.
_NODES_10, _WEIGHTS_10 = np.polynomial.legendre.leggauss(10)


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
    density: Floats, hollow: Floats, radius_base: Floats, radius_tip: Floats, length: Floats, y0: Floats, y1: Floats
) -> Piece:
    """Mass properties of the part of a truncated cone between y0 and y1 (m from its base).

    hollow (n,): inner over outer radius.
    """
    half = 0.5 * (y1 - y0)
    y = (0.5 * (y0 + y1))[:, None] + half[:, None] * _NODES
    r = radius_base[:, None] + (radius_tip - radius_base)[:, None] * y / length[:, None]
    w = half[:, None] * _WEIGHTS * (np.pi * density * (1.0 - hollow**2))[:, None]
    mass = (w * r**2).sum(axis=1)
    center = (w * r**2 * y).sum(axis=1) / mass
    axial = 0.5 * (1.0 + hollow**2) * (w * r**4).sum(axis=1)  # a ring: m (outer^2 + inner^2) / 2
    transverse = 0.5 * axial + (w * r**2 * (y - center[:, None]) ** 2).sum(axis=1)
    return Piece(mass, center, transverse, axial)


def bending_compliance(
    young: Floats, hollow: Floats, radius_base: Floats, radius_tip: Floats, length: Floats, y0: Floats, y1: Floats
) -> Floats:
    """rad per N m: integral of dy / (E I) with I = pi r^4 (1 - hollow^4) / 4, closed form for a linear radius."""
    r0 = radius_base + (radius_tip - radius_base) * y0 / length
    r1 = radius_base + (radius_tip - radius_base) * y1 / length
    integral: Floats = (y1 - y0) * (r0 * r0 + r0 * r1 + r1 * r1) / (3.0 * (r0 * r1) ** 3)
    return 4.0 * integral / (np.pi * young * (1.0 - hollow**4))


def section_modulus(radius: Floats, hollow: Floats) -> Floats:
    """(n,) m3: I / r with I = pi r^4 (1 - hollow^4) / 4, moment over stress in the outermost fibres."""
    modulus: Floats = 0.25 * np.pi * radius**3 * (1.0 - hollow**4)
    return modulus


def twist_per_bend(poisson: Floats) -> Floats:
    """Torsional over bending stiffness GJ / EI = 1 / (1 + nu) of a round section (Garcia eq. 6.13, 6.14)."""
    ratio: Floats = 1.0 / (1.0 + poisson)
    return ratio


def pair_for_compliance(radius_base: Floats, radius_tip: Floats) -> tuple[Floats, Floats]:
    """Two-point Gauss rule for integrals over a rod with the weight 1 / r^4: positions and weights (n, 2).

    Positions are shares of the length, weights add up to 1. Rods of equal radii get the Gauss-Legendre rule. The rule
    is exact for polynomials to degree three, so a tapered cantilever's tip bends under a force at its tip as it should.
    """
    a, b = np.minimum(radius_base, radius_tip), np.maximum(radius_base, radius_tip)
    # Moments of 1 / r^4 about the thin end, r = a + (b - a) s. With integral (1-s)^p s^q / r^(p+q+2) =
    # B(p+1, q+1) / (a^(p+1) b^(q+1)) they have a closed form but for the third; all are scaled by 3 a^3 b.
    thin = a / b
    m0, m1, m2 = 1.0 + thin + thin**2, 0.5 * thin + thin**2, thin**2
    m3 = 3.0 * thin**3 * _third_moment(thin)
    position, weight = _gauss_pair(m0, m1, m2, m3)
    mirrored = (radius_tip < radius_base)[:, None]
    return np.where(mirrored, 1.0 - position[:, ::-1], position), np.where(mirrored, weight[:, ::-1], weight)


def _third_moment(thin: Floats) -> Floats:
    """Integral of t^3 / (1 + e t) over [0, 1] with e = thin - 1."""
    e = thin - 1.0
    t = 0.5 + 0.5 * _NODES_10
    near = (0.5 * _WEIGHTS_10 * t**3 / (1.0 + e[:, None] * t)).sum(axis=1)
    e = np.minimum(e, -0.5)
    far = 1.0 / (3.0 * e) - 0.5 / e**2 + 1.0 / e**3 - np.log1p(e) / e**4  # loses digits near e = 0
    result: Floats = np.where(thin > 0.5, near, far)
    return result


def pair_for_width(radius_base: Floats, radius_tip: Floats) -> tuple[Floats, Floats]:
    """Two-point Gauss rule for integrals over a rod with its width as the weight: positions and weights (n, 2).

    Positions are shares of the length, weights add up to 1. Exact for polynomials to degree three.
    """
    a, b = radius_base, radius_tip
    return _gauss_pair(a / 2 + b / 2, a / 6 + b / 3, a / 12 + b / 4, a / 20 + b / 5)


def _gauss_pair(m0: Floats, m1: Floats, m2: Floats, m3: Floats) -> tuple[Floats, Floats]:
    """Positions and weights (n, 2) of the two-point rule with these moments about 0, weights relative to m0."""
    mean = m1 / m0
    variance = m2 / m0 - mean**2
    skew = (m3 / m0 - 3.0 * mean * variance - mean**3) / variance
    root = np.sqrt(skew**2 + 4.0 * variance)
    # Roots of t^2 - skew t - variance, the orthogonal polynomial about the mean.
    offset = np.stack([0.5 * (skew - root), 0.5 * (skew + root)], axis=1)
    weight = np.stack([offset[:, 1], -offset[:, 0]], axis=1) / root[:, None]
    return mean[:, None] + offset, weight
