# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole skin of a plant from its skeleton: tubes, blades, flowers, buds and fruits."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ...lsystem import ORGANS, Skeleton
from .axes import BLADE, TUBE, find_axes
from .blades import BladeShape, build_blades
from .flowers import FlowerShape
from .organs import build_organs
from .surface import Surface, join
from .tubes import build_tubes

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SkinShape:
    """The shapes of the organs, and the seed of the small differences between them."""

    blade: BladeShape = field(default_factory=BladeShape)
    flower: FlowerShape = field(default_factory=FlowerShape)
    seed: int = 0


def build_skin(skeleton: Skeleton, shape: SkinShape | None = None) -> tuple[Surface, Array]:
    """The skin, and a number in 0..1 for every segment (n) by which materials tell organs of one kind apart."""
    shape = shape or SkinShape()
    variation = np.random.default_rng(shape.seed).random((len(skeleton.parent), 4))
    axes = find_axes(skeleton, ORGANS)
    surfaces = build_organs(skeleton, axes, ORGANS, shape.flower, variation)
    if len(axes.runs_of(BLADE)):
        surfaces.insert(0, build_blades(skeleton, axes, shape.blade, variation))
    if len(axes.runs_of(TUBE)):
        surfaces.insert(0, build_tubes(skeleton, axes))
    # A run is one organ to the eye, so all its segments have the number of its first.
    return join(surfaces), variation[axes.segments[axes.first[axes.run]], 0]
