# SPDX-License-Identifier: GPL-3.0-or-later
"""Beams and trees by Hall's chain solver, and how many calls it makes."""

import sys

import numpy as np

from solver.hall.chain import ELEMENTS, ChainEquilibrium, hall_chain
from tests.oracles.models import beam, random_rods

RADIUS = 0.01
#: Pa: E I = 1 N m2 for the beams here, which are 1 m long.
YOUNG = 4.0 / (np.pi * RADIUS**4)
#: kg/m: line density of beam().
LINE = 923.0 * np.pi * RADIUS**2
WEIGHTLESS = (0.0, 0.0, 0.0)


def at_tip(n, vector):
    loads = np.zeros((n, 3))
    loads[-1] = vector
    return loads


def bent_beam(n, alpha=0.0, beta=0.0, **options) -> ChainEquilibrium:
    """Horizontal beam with L = EI = 1 under a force alpha at its tip and a weight of beta."""
    return hall_chain(beam(n, young=YOUNG), (0.0, 0.0, -beta / LINE), at_tip(n, (0.0, 0.0, -alpha)), **options)


def counted(form, n) -> int:
    """Calls of Python functions that two more iterations make."""
    calls = 0

    def count(frame, event, argument):
        nonlocal calls
        calls += event == "call"

    totals = []
    for iterations in (1, 3):
        before = calls
        sys.setprofile(count)
        bent_beam(n, alpha=1.0, form=form, iterations=iterations, tolerance=1e-300)
        sys.setprofile(None)
        totals.append(calls - before)
    return totals[1] - totals[0]


def tree_tails():
    rods = random_rods(np.random.default_rng(2), 6)
    return np.concatenate([hall_chain(rods, element=e).tail for e in ELEMENTS])
