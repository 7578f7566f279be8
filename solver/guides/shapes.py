# SPDX-License-Identifier: GPL-3.0-or-later
"""What points slide on, curves and surfaces, and how that bends."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..base.arrays import Ints
from ..machine.jit import inlined
from ..math.symmetric import sym_add, sym_scale
from .curves import NO_CURVES, Curves, chosen_curves, joined_curves, match_curves, names_in, same_curve
from .surfaces import NO_SURFACES, Surfaces, chosen_surfaces, joined_surfaces, match_surfaces, same_surface

#: What holds: a place, a plane, the curve of this number, or the surface of a number from this one down.
AT_PLACE, IN_PLANE, ON_SURFACE = -2, -1, -3

#: Two curvatures that differ by less than this share of them are one.
_ALIKE = 1e-9


class Shapes(NamedTuple):
    """Curves and surfaces at one end of a frame."""

    curves: Curves
    surfaces: Surfaces


NO_SHAPES = Shapes(NO_CURVES, NO_SURFACES)


@inlined
def surface_of(on):
    """The number of the surface that holds."""
    return ON_SURFACE - on


def match_shapes(before: Shapes, after: Shapes) -> tuple[Shapes, Shapes]:
    """Those of after as they were before, and as they are then."""
    then, now = match_surfaces(before.surfaces, after.surfaces)
    return Shapes(match_curves(before.curves, after.curves), then), Shapes(after.curves, now)


def joined_shapes(parts: Sequence[Shapes]) -> Shapes:
    """Those of several one after the other."""
    return Shapes(joined_curves([one.curves for one in parts]), joined_surfaces([one.surfaces for one in parts]))


def shifted(on: Ints, before: Sequence[Shapes]) -> Ints:
    """(k,) what holds, where the shapes of others come before."""
    curves = sum(len(one.curves.key) for one in before)
    surfaces = sum(len(one.surfaces.key) for one in before)
    return on + np.where(on >= 0, curves, 0) - np.where(on <= ON_SURFACE, surfaces, 0)


def chosen_shapes(on: Ints, shapes: Shapes) -> tuple[Ints, Shapes]:
    """What holds (k,) and on which shapes, of those alone that hold."""
    curves, surfaces = np.unique(on[on >= 0]), np.unique(surface_of(on[on <= ON_SURFACE]))
    if len(curves) == len(shapes.curves.key) and len(surfaces) == len(shapes.surfaces.key):
        return on, shapes
    curve = np.searchsorted(curves, np.maximum(on, 0))
    surface = np.searchsorted(surfaces, np.maximum(surface_of(on), 0))
    chosen = Shapes(chosen_curves(shapes.curves, curves), chosen_surfaces(shapes.surfaces, surfaces))
    return np.where(on >= 0, curve, np.where(on <= ON_SURFACE, ON_SURFACE - surface, on)), chosen


def are_there(on: Ints, shapes: Shapes) -> bool:
    """Whether all that hold (k,) are among the shapes."""
    return bool(((on < len(shapes.curves.key)) & (surface_of(on) < len(shapes.surfaces.key))).all())


def known_by(on: Ints, shapes: Shapes) -> Ints:
    """(k,) numbers by which what holds is known again: of shapes their names, for plants beside each other may slide on
    the same ones."""
    curve = np.append(names_in(shapes.curves.key), 0)[np.maximum(on, -1)]
    surface = np.append(names_in(shapes.surfaces.key), 0)[np.maximum(surface_of(on), -1)]
    return np.where(on >= 0, curve, np.where(on <= ON_SURFACE, ON_SURFACE - surface, on))


@inlined
def same_shape(before, after, on):
    """Whether what holds has one shape before and after."""
    if on >= 0:
        return same_curve(before.curves, after.curves, on)
    if on <= ON_SURFACE:
        return same_surface(before.surfaces, after.surfaces, surface_of(on))
    return True


@inlined
def _principal(bends):
    """The two values of a symmetric matrix of directions along a line or surface; a line's second one is 0."""
    xx, xy, xz, yy, yz, zz = bends
    mean = 0.5 * (xx + yy + zz)
    squares = xx * xx + yy * yy + zz * zz + 2.0 * (xy * xy + xz * xz + yz * yz)
    apart = math.sqrt(max(0.0, 0.5 * squares - mean * mean))
    return mean + apart, mean - apart


@inlined
def _with_values(bends, along, k1, k2, g1, g2):
    """The matrix of the same directions, whose projector is along, with other values."""
    if k1 - k2 <= _ALIKE * (abs(k1) + abs(k2)):
        return sym_scale(0.5 * (g1 + g2), along)
    share = (g1 - g2) / (k1 - k2)
    return sym_add(sym_scale(g2 - share * k2, along), sym_scale(share, bends))


@inlined
def bent(bends, along, force):
    """What keeps a point in a hollow: the stiffness (N/m) of a force towards which what it slides on bends, without
    what drives it from a ridge."""
    k1, k2 = _principal(bends)
    return _with_values(bends, along, k1, k2, max(0.0, force * k1), max(0.0, force * k2))


@inlined
def bent_at_rest(bends, along, force, way):
    """The same with both, of a point that is off by a way (m) along the force: of the distance the second derivative
    along is its part in the change of the nearest point, less 1."""
    k1, k2 = _principal(bends)
    return _with_values(bends, along, k1, k2, force * k1 / (1.0 + way * k1), force * k2 / (1.0 + way * k2))
