# SPDX-License-Identifier: GPL-3.0-or-later
"""What the skin needs of a skeleton, which `lsystem.Skeleton` has."""

from typing import Protocol

from .arrays import Array, Index


class Skeleton(Protocol):
    """n straight segments, parents before children. Metres, z up, in the plant's frame."""

    @property
    def parent(self) -> Index:
        """(n) -1 for a root."""

    @property
    def head(self) -> Array:
        """(n, 3)"""

    @property
    def frame(self) -> Array:
        """(n, 4) unit quaternions w, x, y, z; local Y runs along the segment."""

    @property
    def length(self) -> Array:
        """(n)"""

    @property
    def radius_base(self) -> Array:
        """(n)"""

    @property
    def radius_tip(self) -> Array:
        """(n)"""

    @property
    def width(self) -> Array:
        """(n) of leaves, petals, flowers, buds and fruits."""

    @property
    def organ(self) -> Index:
        """(n) index into the names of organs."""

    @property
    def axis(self) -> Index:
        """(n) a segment on its parent's axis continues the parent's surface."""

    @property
    def young(self) -> Array:
        """(n) Pa; NaN where nothing is said."""
