# SPDX-License-Identifier: GPL-3.0-or-later
"""Which plants a law may add energy to in a frame, so that nothing bounds what they have."""

from collections.abc import Sequence

import numpy as np

from ..base.arrays import Bools, Floats, Ints


def plants_with(ends: Sequence[Floats], plant_of: Ints, plants: int) -> Bools | bool:
    """(plants,) whether any number of a plant's rows is not zero at any end; plant_of each row. False without rows."""
    if not len(ends[0]):
        return False
    if plants == 1:
        return np.array([any(bool(end.any()) for end in ends)])
    return np.bincount(plant_of, np.logical_or.reduce([end.any(axis=1) for end in ends]), plants) > 0
