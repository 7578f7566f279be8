# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones that constraints also move or stretch: where in their pose channels they are led."""

from typing import NamedTuple

import numpy as np

from ..plant import Plant


class LedBones(NamedTuple):
    """bone (k,): which of the n simulated ones; moves, scales (k,): whether their location and scale are led; location
    and scale (k, 3): these channels."""

    bone: np.ndarray
    moves: np.ndarray
    scales: np.ndarray
    location: np.ndarray
    scale: np.ndarray


def led_bones(plant: Plant, places: np.ndarray) -> LedBones:
    """Those of the plant at these locations and scales (k, 6)."""
    led = plant.scaling.led
    bone = np.searchsorted(plant.moving, led.rods)
    return LedBones(bone, led.moves, led.scales, places[:, :3], places[:, 3:])


def led_between(a: LedBones | None, b: LedBones | None, share: float) -> LedBones | None:
    """From one frame this share of the way to the next, as linear keys go."""
    if a is None or b is None:
        return a or b
    location, scale = ((1.0 - share) * x + share * y for x, y in ((a.location, b.location), (a.scale, b.scale)))
    return b._replace(location=location, scale=scale)
