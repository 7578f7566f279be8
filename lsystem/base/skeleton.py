# SPDX-License-Identifier: GPL-3.0-or-later
"""The skeleton: straight segments in a tree, as arrays. What the L-system side hands on."""

from dataclasses import dataclass, field, fields, replace

import numpy as np

from .arrays import Flags, Floats, Integers
from .contours import Contour
from .quaternions import heading

PARTS = ("polygons", "contours")
"""What of a skeleton is no array of its segments, but names some of them."""


@dataclass(frozen=True)
class Polygon:
    """A surface that the text draws: with `{ . }` its outline, or a sheet that may be bent anyhow."""

    vertices: Floats
    """(k, 3) the outline, or all corners of a sheet of triangles, in the plant's frame, m; of patches some places."""
    segment: int
    """The leaf segment that stands for it and carries it."""
    colour: int
    """Colour index, 0 if the text says nothing."""
    patches: Floats = field(default_factory=lambda: np.zeros((0, 4, 4, 3)))
    """(p, 4, 4, 3) control points of bicubic Bezier patches, in the plant's frame, m."""
    triangles: Integers = field(default_factory=lambda: np.zeros((0, 3), dtype=np.int64))
    """(t, 3) indices of the corners of a sheet of triangles."""
    uv: Floats | None = None
    """(p, 4, 4, 2) control points of patches' places in a texture, 0 to 1; None: each has the whole of it."""

    @property
    def is_outline(self) -> bool:
        """Whether it is what its outline goes around."""
        return not len(self.patches) and not len(self.triangles)


@dataclass(frozen=True)
class Skeleton:
    """n segments, parents before children. Metres, z up, in the plant's frame.

    A segment's frame has its y axis along the segment (the turtle's heading H), x to the turtle's right and z along the
    turtle's up U; ``frame`` turns the segment's frame into the plant's. NaN in a material array: the text says nothing.
    """

    parent: Integers
    """(n) index of the parent, -1 for a root."""
    head: Floats
    """(n, 3) where the segment starts; the parent's tail, except after `f` and after pruning."""
    frame: Floats
    """(n, 4) unit quaternions w, x, y, z."""
    length: Floats
    radius_base: Floats
    radius_tip: Floats
    width: Floats
    """(n) blade width of leaves and petals, diameter of flowers, buds and fruits, 0 for stems and petioles."""
    organ: Integers
    """(n) index into ORGANS."""
    order: Integers
    """(n) branch order, 0 for the main stem."""
    axis: Integers
    """(n) number of the axis; a segment on its parent's axis continues the parent's tube."""
    young: Floats
    """(n) Pa."""
    poisson: Floats
    density: Floats
    """(n) kg/m3."""
    damping: Floats
    """(n) stiffness-proportional damping time, s."""
    joint: Floats
    """(n) factor on the stiffness of the joint at the base, 1 if nothing says otherwise."""
    strength: Floats
    """(n) bending stress at which the segment breaks, Pa."""
    section: Floats
    """(n) index into SECTIONS."""
    aspect: Floats
    """(n) width along x over thickness along z."""
    twist: Floats
    """(n) bending over twisting stiffness, EI/GJ."""
    pinned: Flags
    """(n) the segment sits rigidly on its parent."""
    colour: Integers
    """(n) colour index, 0 if the text says nothing."""
    age: Floats
    """(n) derivation steps since the module was made that draws the segment."""
    divided: Flags
    """(n) the segment is a piece of one leaf, whose ``width`` is that of the whole."""
    polygons: tuple[Polygon, ...] = ()
    contours: tuple[Contour, ...] = ()
    """Of the segments that are not round, each once; their radii and sections are those of rods like these."""

    def __len__(self) -> int:
        return len(self.parent)

    def direction(self) -> Floats:
        """(n, 3) unit vectors along the segments."""
        return np.stack(heading(self.frame.T), axis=1)

    def tail(self) -> Floats:
        """(n, 3) where the segments end."""
        return self.head + self.direction() * self.length[:, None]

    def prune(self, shortest: float) -> "Skeleton":
        """Without the segments shorter than ``shortest`` (m); children of such a segment go to its parent, unmoved."""
        keep = self.length >= shortest
        if keep.all():
            return self
        # parents come first, so one pass finds every segment's nearest ancestor (or itself) that is kept
        kept_self = np.full(len(self) + 1, -1)  # the last entry answers for parent -1
        new_index = np.cumsum(keep) - 1
        for index, parent in enumerate(self.parent):
            kept_self[index] = new_index[index] if keep[index] else kept_self[parent]
        arrays = {one.name: getattr(self, one.name)[keep] for one in fields(self) if one.name not in PARTS}
        arrays["parent"] = kept_self[self.parent[keep]]
        return replace(self.renumbered(np.where(keep, new_index, -1)), **arrays)

    def renumbered(self, number: Integers) -> "Skeleton":
        """With the parts of segments by new numbers of these (n); -1 for those that are left out. The arrays stay."""
        now = number.tolist()
        polygons = (replace(one, segment=now[one.segment]) for one in self.polygons if now[one.segment] >= 0)
        contours = (replace(one, segment=now[one.segment]) for one in self.contours if now[one.segment] >= 0)
        return replace(self, polygons=tuple(polygons), contours=tuple(contours))
