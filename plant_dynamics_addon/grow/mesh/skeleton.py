# SPDX-License-Identifier: GPL-3.0-or-later
"""What the skin needs of a skeleton."""

from dataclasses import dataclass
from typing import Any

from .arrays import Array, Index, Mask


@dataclass(frozen=True)
class Skeleton:
    """n straight segments, parents before children. Metres, z up, in the plant's frame."""

    parent: Index  # (n) -1 for a root
    head: Array  # (n, 3)
    frame: Array  # (n, 4) unit quaternions w, x, y, z; local Y runs along the segment
    length: Array  # (n)
    radius_base: Array  # (n)
    radius_tip: Array  # (n)
    width: Array  # (n) of leaves, petals, flowers, buds and fruits
    organ: Index  # (n) index into the names of organs
    axis: Index  # (n) a segment on its parent's axis continues the parent's surface
    young: Array  # (n) Pa; NaN where nothing is said
    divided: Mask  # (n) a piece of a leaf, whose width is that of the whole


def bare(skeleton: Any) -> Skeleton:
    """A skeleton of `lsystem` with only these arrays."""
    return Skeleton(**{name: getattr(skeleton, name) for name in Skeleton.__dataclass_fields__})
