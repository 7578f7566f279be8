# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones that are not simulated but led with such, and those that constraints also move or stretch: where in their pose
channels they are led."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..plant import Plant


@dataclass(frozen=True)
class Along:
    """Bones that are not simulated but in chains with such, by whose constraints they are led. index (a,): their places
    in obj.pose.bones; moves, scales (a,): whether their location and scale are led too."""

    names: tuple[str, ...]
    index: np.ndarray
    moves: np.ndarray
    scales: np.ndarray


def bones_along(
    every: Sequence[str], chosen: Collection[str], moved: Collection[str], stretched: Collection[str]
) -> Along:
    """Those of these names among every bone's; moved, stretched: names of bones that constraints may move and stretch.
    """
    places = [place for place, name in enumerate(every) if name in chosen]
    names = tuple(every[place] for place in places)
    moves, scales = (np.array([name in some for name in names], dtype=bool) for some in (moved, stretched))
    return Along(names, np.array(places, dtype=np.int64), moves, scales)


class LedBones(NamedTuple):
    """bone (k,): which of those that are shown; moves, scales (k,): whether their location and scale are led; location
    and scale (k, 3): these channels."""

    bone: np.ndarray
    moves: np.ndarray
    scales: np.ndarray
    location: np.ndarray
    scale: np.ndarray


def led_bones(plant: Plant, places: np.ndarray | None, along: np.ndarray | None) -> LedBones | None:
    """Those of the plant; None where there are none. places (k, 6), along (a, 10): as of Surroundings."""
    led, beside = plant.scaling.led, plant.along
    if not len(led.rods) and not len(beside.names):
        return None
    own = np.isin(led.rods, plant.moving)  # what rides on simulated bones is led along
    also = np.flatnonzero(beside.moves | beside.scales)
    bone = np.concatenate([np.searchsorted(plant.moving, led.rods[own]), len(plant.names) + also])
    if not len(bone):
        return None
    moves, scales = (np.concatenate([getattr(led, name)[own], getattr(beside, name)[also]])
                     for name in ("moves", "scales"))  # fmt: skip
    there = np.concatenate([np.zeros((0, 6)) if places is None else places[own],
                            np.zeros((0, 6)) if along is None else along[also, 4:]])  # fmt: skip
    return LedBones(bone, moves, scales, there[:, :3], there[:, 3:])


def led_between(a: LedBones | None, b: LedBones | None, share: float) -> LedBones | None:
    """From one frame this share of the way to the next, as linear keys go."""
    if a is None or b is None:
        return a or b
    location, scale = ((1.0 - share) * x + share * y for x, y in ((a.location, b.location), (a.scale, b.scale)))
    return b._replace(location=location, scale=scale)
