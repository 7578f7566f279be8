# SPDX-License-Identifier: GPL-3.0-or-later
"""Damping as a share of critical damping."""

from ....solver import Damped, Sample, with_damping
from ..rig.plant import Plant
from ..surroundings.samples import under_own_weight


def damped_by_ratio(plant: Plant, ratio: float, sample: Sample, start_mode: str) -> list[Damped]:
    """The plant's models with this share of critical damping in their first modes under their own weight."""
    start = "keep_shape" if start_mode == "keep_shape" else "settled"
    each = zip(plant.models, under_own_weight(sample, plant), strict=True)
    return [with_damping(model, ratio=ratio, sample=own, start=start) for model, own in each]
