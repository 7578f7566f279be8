# SPDX-License-Identifier: GPL-3.0-or-later
"""A property of all items of a collection at once."""

from typing import Any

import numpy as np
from numpy.typing import DTypeLike


def values_of(
    items: Any, name: str, size: int = 1, kind: DTypeLike = np.float32, count: int | None = None
) -> np.ndarray:
    """(items, size) the numbers that the property has, as Blender stores them where kind is its type. count: how many
    items there are, where that is known; Blender counts them one by one."""
    values = np.empty((len(items) if count is None else count, size), dtype=kind)
    items.foreach_get(name, values.reshape(-1))
    return values
