# SPDX-License-Identifier: GPL-3.0-or-later
"""Broken ends of stems: the bark ends in splinters, longer on the side that tore last, about wood that is hollow."""

from dataclasses import replace

import numpy as np

from ..arrays import Array
from .rings import Rings, corners_of

#: Radii, by the stem's, of the rings of a broken end: its rim, the torn wood, and the point in its middle.
SPLINTERED = (0.96, 0.5, 0.0)
# Heights of these, in lengths of the longest splinter: what all have, what the torn side adds, what chance does.
_EVEN, _TORN, _CHANCE = np.array([[0.08, 0.04, 0.05], [0.4, 0.16, 0.0], [0.52, 0.3, 0.05]])


def splintered(ends: Rings, along: Array, length: float) -> Rings:
    """The same ends, of three rings each with the radii of `SPLINTERED`, drawn out into splinters of up to so many
    radii. `along` (k, 3), unit: which way the rings' stems go."""
    rng = np.random.default_rng(3)
    ring, corner = corners_of(ends.count)
    kind = np.arange(len(ends.count))[ring] % len(SPLINTERED)
    torn = np.repeat(rng.uniform(0.0, 2.0 * np.pi, len(ends.count) // len(SPLINTERED)), len(SPLINTERED))[ring]
    side = 0.5 + 0.5 * np.cos(2.0 * np.pi * corner / ends.count[ring] - torn)
    chance = rng.random(len(ring)) ** 2
    out = length * ends.girth * (_EVEN[kind] + _TORN[kind] * side + _CHANCE[kind] * chance)
    return replace(ends, point=ends.point + out[:, None] * along[ring], distance=ends.distance + out)
