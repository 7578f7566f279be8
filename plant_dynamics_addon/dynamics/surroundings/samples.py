# SPDX-License-Identifier: GPL-3.0-or-later
"""A plant's samples compared, and what is taken from them."""

from dataclasses import replace
from typing import Any

import numpy as np

from ....solver import Sample
from ..rig.plant import Plant


def same(a: Sample, b: Sample) -> bool:
    """Whether two samples are equal to the last bit."""
    return all(_equal(x, y) for x, y in zip(vars(a).values(), vars(b).values(), strict=True))


def _equal(x: Any, y: Any) -> bool:
    if x is y:
        return True
    if isinstance(x, np.ndarray) or type(x) is not type(y):
        return bool(np.array_equal(x, y))
    return bool(x == y)


def alone(sample: Sample, plant: Plant) -> list[Sample]:
    """The sample of a plant's models, each with its own base and pose and without loads, as one for each of them."""
    positions, orientations = np.array(sample.base_position), np.array(sample.base_orientation)
    ends = np.cumsum([model.rod_count for model in plant.models])
    poses = [None] * len(ends) if sample.pose is None else np.split(np.array(sample.pose), ends[:-1])
    return [
        replace(sample, base_position=position, base_orientation=orientation, pose=pose)
        for position, orientation, pose in zip(positions, orientations, poses, strict=True)
    ]


def without_loads(sample: Sample) -> Sample:
    """The plant's own weight only, for what is a property of the plant."""
    return replace(sample, force=None, torque=None, twist=None, wind=None, force_field=None, buoyancy=False,
                   pull_rod=(), pull_along=(), pull_target=(), pull_stiffness=(), pull_damping=())  # fmt: skip
