# SPDX-License-Identifier: GPL-3.0-or-later
"""How many segments a rod needs for the tip to be where it should be within a given error.

A piece that bends by the angle phi puts the tip off by these shares of its own length, to leading order, with the
layout's joints at the shares s of the piece having the shares c of its compliance:

    |sum c s - 1/2| phi               bending sits too near the base
    2 |sum c (s - 1/2)^2 - 1/12| phi h  the moment changes along the piece, h its share of the path
    g phi^2 / 2                       a chain of straight parts is shorter than the curve, see layouts.py

The angle is estimated from the weight W above a place: the curvature is W a / EI in a horizontal rod, a the distance
of the centre of gravity, but no more than sqrt(2 W / EI), at which a length of rod stores as much energy as the weight
gives when it falls by that length. It is at least that of a path from root to tip that bends evenly by 2 rad, for
wind and hands that pull.
"""

import numpy as np

from ..base.arrays import Floats, Ints
from ..base.checks import MORE_THAN_ZERO, number
from ..base.constants import GRAVITY
from ..cross_sections.tapered import bending_compliance, piece_of_rod
from ..math.rotations import rotate
from .layouts import RULES
from .pieces import own_mass
from .rods import Rods

#: A rod is never cut into more segments than this, however small the error that is asked for.
MOST_SEGMENTS = 64

#: rad: how far every path from root to tip is assumed to bend at least.
LEAST_BEND = 2.0


def segments_for(rods: Rods, layout: str, tip_error: float) -> Ints:
    """(m,) segments of every rod with which no tip is off by more than tip_error times the path from its root.

    An estimate (see above), capped at MOST_SEGMENTS, which layout base, of first order, soon reaches. Raises
    SolverError unless tip_error is a number more than zero.
    """
    tip_error = number("tip_error", tip_error, MORE_THAN_ZERO)
    length = rods.array("length")
    path = _longest_path(rods.parent_index, length)
    curvature = np.maximum(_curvature_under_weight(rods), LEAST_BEND / path)
    phi = curvature * length
    offset, spread, gap = error_terms(layout)
    # With 1/n of the rod a piece: a / n^2 + b / n = tip_error.
    a = 0.5 * gap * phi**2 + 2.0 * spread * phi * length / path
    b = offset * phi
    most = (b + np.sqrt(b**2 + 4.0 * a * tip_error)) / (2.0 * tip_error)
    count = np.clip(np.ceil(most - 1e-9), 1, MOST_SEGMENTS)
    whole = own_mass(rods) | (rods.array("pinned") != 0.0) | ~np.isfinite(count)  # the last is refused later
    return np.where(whole, 1, count).astype(np.int64)


def error_terms(layout: str) -> tuple[float, float, float]:
    """|sum c s - 1/2|, |sum c (s - 1/2)^2 - 1/12| and g of a layout, for compliances that add up to one."""
    rule = RULES[layout]
    c = rule.bend / rule.bend.sum()
    turned = np.concatenate([[0.0], np.cumsum(c)])
    ends = np.concatenate([[0.0], rule.at, [1.0]])
    gap = ((turned - ends[:-1]) ** 3 - (turned - ends[1:]) ** 3).sum() / 3.0
    return abs(c @ rule.at - 0.5), abs(c @ (rule.at - 0.5) ** 2 - 1.0 / 12.0), float(gap)


def _longest_path(parent: Ints, length: Floats) -> Floats:
    """(m,) m: the longest way from root to tip through every rod."""
    below, above = length.tolist(), length.tolist()
    up = parent.tolist()
    for i, k in enumerate(up):
        if k >= 0:
            below[i] += below[k]
    for i in range(len(up) - 1, -1, -1):
        if up[i] >= 0:
            above[up[i]] = max(above[up[i]], length[up[i]] + above[i])
    result: Floats = np.array(below) + np.array(above) - length
    return result


def _curvature_under_weight(rods: Rods) -> Floats:
    """(m,) 1/m: root mean square curvature of every rod, were it horizontal and carried all above it."""
    hollow, r0, r1, length = (rods.array(name) for name in ("hollow", "radius_base", "radius_tip", "length"))
    zero = np.zeros_like(length)
    piece = piece_of_rod(rods.array("density"), hollow, r0, r1, length, zero, length)
    section = rods.array("section")
    mass = np.where(np.isfinite(rods.array("mass")), rods.array("mass"), piece.mass * section[:, 3])
    at_com = rods.array("head") + _along(rods, piece.center)
    total, first = _carried(rods.parent_index, mass, at_com)
    above, first_above = total - mass, first - mass[:, None] * at_com
    compliance = bending_compliance(rods.array("young"), hollow, r0, r1, length, zero, length)
    compliance = compliance / section[:, :2].min(axis=1)
    given = rods.array("stiffness")
    softest = np.minimum(given[:, 0], given[:, 2])
    compliance = np.where(np.isfinite(given).all(axis=1), 1.0 / np.maximum(softest, 1e-300), compliance)
    per_metre = compliance / (rods.array("stiffness_factor") * length)
    square = zero
    for share, weight in ((0.0, 1 / 6), (0.5, 4 / 6), (1.0, 1 / 6)):  # Simpson's rule
        own = (1.0 - share) * mass  # as if the rod were uniform
        place = rods.array("head") + _along(rods, share * length)
        middle = place + _along(rods, 0.5 * (1.0 - share) * length)
        moment = np.linalg.norm(first_above + own[:, None] * middle - (above + own)[:, None] * place, axis=1)
        bent = np.minimum((GRAVITY * moment * per_metre) ** 2, 2.0 * GRAVITY * (above + own) * per_metre)
        square = square + weight * bent
    return np.sqrt(square)


def _along(rods: Rods, distance: Floats) -> Floats:
    """(m, 3) m: the way along every rod's axis."""
    way = np.zeros((len(rods), 3))
    way[:, 1] = distance
    return rotate(rods.array("frame"), way)


def _carried(parent: Ints, mass: Floats, com: Floats) -> tuple[Floats, Floats]:
    """Mass (m,) of every rod and all above it, and its first moment (m, 3)."""
    rows = np.concatenate([mass[:, None], mass[:, None] * com], axis=1).tolist()
    up = parent.tolist()
    for i in range(len(up) - 1, -1, -1):
        if up[i] >= 0:
            rows[up[i]] = [a + b for a, b in zip(rows[up[i]], rows[i], strict=True)]
    table = np.array(rows)
    return table[:, 0], table[:, 1:]
