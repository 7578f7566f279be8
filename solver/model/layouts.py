# SPDX-License-Identifier: GPL-3.0-or-later
"""Layouts: where on a piece of rod the joints sit and how much of its compliance each of them has.

Tip deflection of a cantilever of N equal pieces over w l^4 / (8 E I) in brackets:

base         a joint at the base of every piece with the averages of Garcia eq. 6.6 and 6.16 [(1 + 1/N)^2]
double_root  the same joints, each with the compliance of the two half pieces it stands for [1 + 1/N^2]
mid          a joint in the middle of every piece [1 - 1/(2 N^2)]
gauss2       two joints at the points of the two-point Gauss rule whose weight is the piece's compliance 1/EI; for a
             uniform piece at 1/2 -+ 1/(2 sqrt 3) with 2 E I / l each [1]
prbm3r       three joints where Hall 2013 (eq. 3.6-3.8) puts them, with his bending constants scaled so that their
             compliances add up to the piece's, and the same shares for torsion
prbm3r_hall  the same with Hall's own constants (eq. 3.6-3.8, 4.10)

In all but the first two the ends of a piece are rigid stubs, so that a branching point is one rigid Y.

A chain of straight pieces is shorter than the curve it stands for. With the joint at share s having the share c of
the compliance, c s integrated exactly to degree two, the tip of a rod that bends by the angle phi per piece is off by
g phi^2 / 2 of its length, g the integral of (sum of c over the joints passed - s)^2. No choice of joints has g = 0; of
two joints those of gauss2 are the ones whose bending is exact to degree three. See accuracy.py.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ..base.arrays import Floats
from ..cross_sections.tapered import bending_compliance, pair_for_compliance, twist_per_bend
from .pieces import Pieces

LAYOUTS = ("base", "double_root", "mid", "gauss2", "prbm3r", "prbm3r_hall")

#: Of the layouts with tip errors below 0.1 % at 8 internodes and 0.01 % at 32 the one with the fewest joints.
DEFAULT_LAYOUT = "gauss2"

#: Layouts whose joints sit at the rods' bases, so that a rod can have a mass of its own.
AT_THE_BASE = ("base", "double_root")

_HALL_AT = (0.12525, 0.47550, 0.86375)
_HALL_KAPPA = np.array([3.25, 2.84, 2.95])
_HALL_LAMBDA = np.array([0.40040, 0.44384, 0.15576])
_CORRECTED = (1.0 / _HALL_KAPPA) / (1.0 / _HALL_KAPPA).sum()


class Rule(NamedTuple):
    """Joints of a uniform piece: positions (k,) as shares of its length, shares of its compliance (k,)."""

    at: Floats
    bend: Floats
    twist: Floats


def _rule(at: tuple[float, ...], bend: Floats, twist: Floats) -> Rule:
    return Rule(np.array(at), bend, twist)


_ONE, _HALVES = np.array([1.0]), np.array([0.5, 0.5])

#: double_root's is the rule it follows: half of every piece's compliance at each of its ends.
RULES = {
    "base": _rule((0.0,), _ONE, _ONE),
    "double_root": _rule((0.0, 1.0), _HALVES, _HALVES),
    "mid": _rule((0.5,), _ONE, _ONE),
    "gauss2": _rule((0.5 - 12**-0.5, 0.5 + 12**-0.5), _HALVES, _HALVES),
    "prbm3r": _rule(_HALL_AT, _CORRECTED, _CORRECTED),
    "prbm3r_hall": _rule(_HALL_AT, 1.0 / _HALL_KAPPA, _HALL_LAMBDA),
}


class Joints(NamedTuple):
    """k joints of each of p pieces: at (p, k) m from the piece's base; bend about the rods' x axes, twist, side about
    their z axes (p, k) rad per N m."""

    at: Floats
    bend: Floats
    twist: Floats
    side: Floats


def joints_of(pieces: Pieces, layout: str) -> Joints:
    """Places and compliances of the joints of every piece; those of rigid pieces mean nothing."""
    if layout == "base":
        return _base(pieces)
    if layout == "double_root":
        return _double_root(pieces)
    if layout == "gauss2":
        position, weight = pair_for_compliance(pieces.radius_base, pieces.radius_tip)
        round_one = weight * _compliance(pieces, np.zeros_like(pieces.length), pieces.length)[:, None]
        return _joints(pieces, position * pieces.length[:, None], round_one, round_one)
    rule = RULES[layout]
    at = rule.at * pieces.length[:, None]
    return _joints(pieces, at, _zones(pieces, rule.bend), _zones(pieces, rule.twist))


def _joints(pieces: Pieces, at: Floats, bend: Floats, twist: Floats) -> Joints:
    """Those of sections as they are, of what bends and twists (p, k) as if all were round and twisted as it bends."""
    softer = 1.0 / _factors(pieces)
    return Joints(at, bend * softer[:, :1], twist * softer[:, 1:2], bend * softer[:, 2:])


def _factors(pieces: Pieces) -> Floats:
    """(p, 3): bending stiffness about x, twisting and bending stiffness about z over bending stiffness of the round."""
    x, z, twist = pieces.section[:, :3].T
    return np.stack([x, twist * twist_per_bend(pieces.poisson), z], axis=1)


def _compliance(pieces: Pieces, y0: Floats, y1: Floats) -> Floats:
    return bending_compliance(pieces.young, pieces.hollow, pieces.radius_base, pieces.radius_tip, pieces.length, y0, y1)


def _zones(pieces: Pieces, share: Floats) -> Floats:
    """(p, k) bending compliances of neighbouring zones as long as these shares (k,) of a uniform piece's compliance."""
    total = share.sum()
    ends = np.concatenate([[0.0], np.cumsum(share) / total])
    zones = [_compliance(pieces, low * pieces.length, high * pieces.length) for low, high in pairwise(ends)]
    result: Floats = np.stack(zones, axis=1) * total
    return result


def _base(pieces: Pieces) -> Joints:
    above = np.where(pieces.parent < 0, np.arange(len(pieces.rod)), pieces.parent)  # a root is averaged with itself
    radius = 0.5 * (pieces.radius_base + pieces.radius_tip)
    fourth = (radius**4 * (1.0 - pieces.hollow**4))[:, None] * pieces.section[:, :3]
    length = (pieces.length[above] + pieces.length)[:, None]
    bend = 4.0 / (np.pi * pieces.young[:, None] * (fourth[above] + fourth)) * length
    x, z, twist = bend.T
    return _one(np.zeros_like(x), x, twist / twist_per_bend(pieces.poisson), z)


def _double_root(pieces: Pieces) -> Joints:
    start, middle = np.zeros_like(pieces.length), 0.5 * pieces.length
    above = np.maximum(pieces.parent, 0)
    own = _compliance(pieces, start, middle)
    # The base and welded rods are rigid: they add no compliance to the joints they carry.
    stiff = (pieces.parent < 0) | pieces.rigid[above]
    below = np.where(stiff, 0.0, _compliance(pieces, middle, pieces.length)[above])
    softer = 1.0 / _factors(pieces)
    return _one(start, *(own[:, None] * softer + below[:, None] * softer[above]).T)


def _one(at: Floats, bend: Floats, twist: Floats, side: Floats) -> Joints:
    return Joints(at[:, None], bend[:, None], twist[:, None], side[:, None])
