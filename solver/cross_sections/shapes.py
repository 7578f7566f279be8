# SPDX-License-Identifier: GPL-3.0-or-later
"""Sections of rods that are not round: elliptic, flat, grooved, or as they were measured.

All is told as factors of what a round rod of the radius has, so that it goes with taper, length and hollow. Rods run
along their frame's y axis; widths are along its x axis, and thickness is along z, which is the normal of its blade.
"""

import math
from typing import NamedTuple

import numpy as np

from ..base.arrays import Floats, Ints
from ..base.checks import MORE_THAN_ZERO, number
from ..base.errors import SolverError

#: Terms of the series for the twist of a rectangle, of which the next is below rounding.
_TERMS = 2 * np.arange(40) + 1

#: Sections by name, as numbers in columns.
KINDS = ("round", "elliptic", "flat", "grooved")

#: The wall of a groove over half of its lesser side, where nobody says it: with it I is 1.6 J, as in petioles of Hosta,
#: of which it is "over 1.0" (Langer et al. 2021, Frontiers in Plant Science 12, 765605).
_WALL = 0.8

#: The walls of a groove are at most this share of its half width or half height.
_WHOLE = 0.99


class Section(NamedTuple):
    """A section, everything over that of a round rod of the same radius, Young's modulus and Poisson's ratio.

    bend_x, bend_z: stiffness EI of bending about the x and z axis; twist: GJ; area: area and mass; second_x, second_z:
    second moments of the mass about the axes; modulus_x, modulus_z: moment over stress in the outermost fibres;
    corner: the square of the largest stress, where both axes add as much to it, over what it is in an ellipse: 2 where
    a corner is farthest from both axes, and bears the sum of both
    """

    bend_x: float = 1.0
    bend_z: float = 1.0
    twist: float = 1.0
    area: float = 1.0
    second_x: float = 1.0
    second_z: float = 1.0
    modulus_x: float = 1.0
    modulus_z: float = 1.0
    corner: float = 1.0


ROUND = Section()


def elliptic(width: float, thickness: float) -> Section:
    """An ellipse of so many radii from its middle to its edges.

    I = pi a b^3 / 4 and J = pi a^3 b^3 / (a^2 + b^2) (Young and Budynas 2002, Roark's Formulas for Stress and Strain,
    tables A.1 and 10.1).
    """
    a, b = _sizes(width, thickness)
    x, z = a * b**3, a**3 * b
    return Section(x, z, 2.0 * a**3 * b**3 / (a * a + b * b), a * b, x, z, a * b * b, a * a * b)


def flat(width: float, thickness: float) -> Section:
    """A rectangle of so many radii from its middle to its sides.

    I = 4 a b^3 / 3; J by de Saint-Venant's series (Timoshenko and Goodier 1970, Theory of Elasticity, section 109).
    """
    a, b = _sizes(width, thickness)
    x, z = 16.0 / (3.0 * math.pi) * a * b**3, 16.0 / (3.0 * math.pi) * a**3 * b
    wide, thin = max(a, b), min(a, b)
    series = float((np.tanh(0.5 * math.pi * _TERMS * wide / thin) / _TERMS**5.0).sum())
    J = wide * thin**3 * (16.0 / 3.0 - 1024.0 / math.pi**5 * thin / wide * series)
    return Section(x, z, J / (0.5 * math.pi), 4.0 * a * b / math.pi, x, z, x / b, z / a, 2.0)


def grooved(width: float, thickness: float, wall: float) -> Section:
    """A channel, open to +z, of walls so thick: of so many radii from its middle to its outsides.

    As thin open sections do, it twists far more easily than it bends: J = sum of length times wall^3 / 3 (Timoshenko
    and Goodier 1970, section 109). It bends and twists about the middle of its area as if its shear centre was there.
    """
    a, b = _sizes(width, thickness)
    t = number("wall", wall, MORE_THAN_ZERO)
    if not t < _WHOLE * min(a, 2.0 * b):
        raise SolverError(f"the walls of a groove are {t:g} thick, which leaves no groove: they must be thinner")
    high = 2.0 * b - t
    floor, sides = 2.0 * a * t, 2.0 * high * t
    middle = (floor * 0.5 * t + sides * (t + 0.5 * high)) / (floor + sides)
    x = 2.0 * a * t**3 / 12.0 + floor * (middle - 0.5 * t) ** 2
    x += 2.0 * t * high**3 / 12.0 + sides * (t + 0.5 * high - middle) ** 2
    z = t * (2.0 * a) ** 3 / 12.0 + 2.0 * (high * t**3 / 12.0 + high * t * (a - 0.5 * t) ** 2)
    J = (2.0 * a * t**3 + 2.0 * high * t**3) / 3.0
    x, z, area = 4.0 / math.pi * x, 4.0 / math.pi * z, (floor + sides) / math.pi
    return Section(x, z, J / (0.5 * math.pi), area, x, z, x / max(middle, 2.0 * b - middle), z / a, 2.0)


def measured(bend: float = 1.0, aspect: float = 1.0, twist_ratio: float | None = None, poisson: float = 0.3) -> Section:
    """As round as the rod, but as stiff as was measured: bend: EI about the x axis over a round rod's; aspect: EI about
    z over that about x; twist_ratio: EI about x over GJ; None: as of a round one.

    poisson: that of the rod, of which the twist of a round one is.
    """
    bend, aspect = number("bend", bend, MORE_THAN_ZERO), number("aspect", aspect, MORE_THAN_ZERO)
    ratio = 1.0 + poisson if twist_ratio is None else number("twist_ratio", twist_ratio, MORE_THAN_ZERO)
    return Section(bend_x=bend, bend_z=bend * aspect, twist=bend * (1.0 + poisson) / ratio)


def of_kinds(kind: Ints, aspect: Floats, twist_to_bend: Floats, poisson: Floats) -> Floats:
    """(n, 9): sections of rods by the numbers (n,) of KINDS, as large in area as the round one of the radius.

    aspect (n,): width, along x, over thickness; twist_to_bend (n,): EI/GJ as measured, EI being of bending to the flat
    side, about x; 0: as the shape has it. poisson (n,). Raises SolverError for what is no section.
    """
    which, index = np.unique(np.stack([kind, aspect, twist_to_bend, poisson], axis=1), axis=0, return_inverse=True)
    return np.array([_of_kind(KINDS[int(k)], a, t, p) for k, a, t, p in which.tolist()])[index.ravel()]


def _of_kind(kind: str, aspect: float, twist_to_bend: float, poisson: float) -> Section:
    section = ROUND
    if kind != "round":
        shape = {"elliptic": elliptic, "flat": flat, "grooved": _groove}[kind]
        root = math.sqrt(number("aspect", aspect, MORE_THAN_ZERO))
        size = 1.0 / math.sqrt(shape(root, 1.0 / root).area)
        section = shape(size * root, size / root)
    if twist_to_bend > 0.0:
        section = section._replace(twist=section.bend_x * (1.0 + poisson) / twist_to_bend)
    return section


def _groove(width: float, thickness: float) -> Section:
    return grooved(width, thickness, _WALL * min(width, thickness))


def _sizes(width: float, thickness: float) -> tuple[float, float]:
    return number("width", width, MORE_THAN_ZERO), number("thickness", thickness, MORE_THAN_ZERO)
