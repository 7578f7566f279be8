# SPDX-License-Identifier: GPL-3.0-or-later
"""Organs that are scaled copies of a few templates: leaves of one segment, flowers, buds and fruits.

A blade of several segments bends and cannot be a copy.
"""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from .arrays import Array, Index
from .axes import BLADE, Axes, find_axes
from .detail import Detail
from .flowers.kinds import FlowerShape, bud, flower, fruit
from .leaves.blades import BladeShape, build_blades
from .skeleton import Skeleton
from .surface import Surface, surface_on

_LEAVES = 4  # different ones
_OF_EACH = ("segment", "head", "frame", "turn", "scale", "chance")


@dataclass(frozen=True)
class Copies:
    """Copies of one template on k segments."""

    name: str
    template: Surface  # its X across, Y along the segment, Z up
    segment: Index  # (k)
    head: Array  # (k, 3)
    frame: Array  # (k, 3, 3) of the segments
    turn: Array  # (k) rad, about the segments
    scale: Array  # (k, 3)
    chance: Array  # (k) the variation of each, which the skin knows
    number: int | None = None  # of the colour that all of them have, where the text numbers colours

    def by_number(self, numbers: Index) -> "list[Copies]":
        """Those of each number, by the numbers (n) of all segments."""
        own = numbers[self.segment]
        found = []
        for number in np.unique(own).tolist():
            arrays = {name: getattr(self, name)[own == number] for name in _OF_EACH}
            found.append(replace(self, name=f"{self.name} {number}", number=number, **arrays))
        return found

    @property
    def along(self) -> Array:
        """(k, 3)"""
        return self.frame[:, :, 1]

    @property
    def right(self) -> Array:
        """(k, 3) where the template's X points, unit."""
        turn = self.turn[:, None]
        return np.cos(turn) * self.frame[:, :, 0] - np.sin(turn) * self.frame[:, :, 2]

    def joined(self) -> Surface:
        """All copies as one surface."""
        template, count, size = self.template, len(self.segment), len(self.template.vertices)
        c, s = np.cos(self.turn)[:, None], np.sin(self.turn)[:, None]
        x, y, z = template.vertices.T
        turned = np.stack([c * x + s * z, np.broadcast_to(y, (count, size)), c * z - s * x], axis=2)
        places = np.einsum("nij,nvj->nvi", self.frame, turned * self.scale[:, None, :])
        segment = np.repeat(self.segment, size)
        own = {"vertices": (self.head[:, None, :] + places).reshape(-1, 3), "bones": segment[:, None]}
        return Surface(**template.repeated(count, size) | own | {"segment": segment})


def _copies(name: str, template: Surface, axes: Axes, segment: Index, turn: Array, scale: Array) -> Copies:
    return Copies(name, template, segment, axes.head[segment], axes.frame[segment], turn, scale, np.zeros(len(segment)))


def single_leaves(axes: Axes) -> Index:
    """The segments that are a whole leaf each."""
    runs = axes.runs_of(BLADE)
    return axes.bases(runs)[axes.bases(runs) == axes.ends(runs)]


def leaf_copies(
    skeleton: Skeleton, axes: Axes, shape: BladeShape, detail: Detail, variation: Array, segments: Index | None = None
) -> list[Copies]:
    """Copies of a few leaves of the middle width and thickness, on these segments or on all single leaves; none for a
    plant without such."""
    segments = single_leaves(axes) if segments is None else segments
    if not len(segments):
        return []
    length, width = axes.length[segments], np.maximum(skeleton.width[segments], 1e-6)
    middle = float(np.median(width / length))
    rod = float(np.median(skeleton.radius_base[segments] / length))
    count = min(_LEAVES, len(segments))
    leaves = Skeleton(
        parent=np.full(count, -1),
        head=np.zeros((count, 3)),
        frame=np.tile([1.0, 0.0, 0.0, 0.0], (count, 1)),
        length=np.ones(count),
        width=np.full(count, middle),
        radius_base=np.full(count, rod),
        radius_tip=np.full(count, rod),
        organ=np.full(count, axes.organs.index("leaf")),
        axis=np.arange(count),
        young=np.full(count, np.nan),
        divided=np.zeros(count, dtype=bool),
    )
    own = find_axes(leaves, axes.organs)
    copies = []
    for k in range(count):
        template = build_blades(leaves, own, shape, detail, variation[segments], np.array([k]))
        chosen = segments[k::count]
        scale = np.stack([skeleton.width[chosen] / middle, axes.length[chosen], axes.length[chosen]], axis=1)
        copies.append(_copies(f"Leaf {k + 1}", template, axes, chosen, np.zeros(len(chosen)), scale))
    return copies


def organ_copies(skeleton: Skeleton, axes: Axes, shape: FlowerShape, detail: Detail, variation: Array) -> list[Copies]:
    """Copies of the flower, the bud and the fruit, where they occur: as long as their bone, as wide as they say, else
    as their rod."""
    thickest = np.maximum(skeleton.radius_base, skeleton.radius_tip)
    radius = np.where(skeleton.width > 0.0, skeleton.width / 2, thickest)
    copies = []
    for organ, template_of in (("flower", partial(flower, shape)), ("bud", bud), ("fruit", partial(fruit, shape))):
        chosen = np.flatnonzero(axes.is_organ(organ))
        if len(chosen):
            template = template_of(detail.petals)
            surface = surface_on(np.zeros(len(template.vertices), dtype=np.int64), template)
            is_upright = organ == "flower" and shape.has_upper_side
            turn = np.zeros(len(chosen)) if is_upright else 2 * np.pi * variation[chosen, 0]
            scale = np.stack([radius[chosen], axes.length[chosen], radius[chosen]], axis=1)
            copies.append(_copies(organ.capitalize(), surface, axes, chosen, turn, scale))
    return copies
