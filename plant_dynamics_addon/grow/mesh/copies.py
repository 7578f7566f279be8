# SPDX-License-Identifier: GPL-3.0-or-later
"""Organs as instances: leaves of one segment, flowers, buds and fruits as scaled copies of a few templates.

A blade of several segments bends and cannot be a copy.
"""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from .arrays import Array, Index
from .axes import BLADE, Axes, find_axes
from .detail import Detail
from .flowers.kinds import FlowerShape
from .flowers.organs import organ_radii, organ_templates, organ_turns
from .leaves.blades import BladeShape, build_blades
from .skeleton import Skeleton
from .surface import Surface, surface_on

_LEAVES = 4  # different ones


@dataclass(frozen=True)
class Copies:
    """Copies of one template on k segments."""

    name: str
    template: Surface  # its X across, Y along the segment, Z up
    segment: Index  # (k)
    right: Array  # (k, 3) where the template's X points, unit
    along: Array  # (k, 3)
    scale: Array  # (k, 3)


def single_leaves(axes: Axes) -> Index:
    """The segments that are a whole leaf each."""
    runs = axes.runs_of(BLADE)
    return axes.bases(runs)[axes.bases(runs) == axes.ends(runs)]


def leaf_copies(skeleton: Skeleton, axes: Axes, shape: BladeShape, detail: Detail, variation: Array) -> list[Copies]:
    """Copies of a few leaves of the middle width and thickness; none for a plant without single leaves."""
    segments = single_leaves(axes)
    if not len(segments):
        return []
    length, width = axes.length[segments], np.maximum(skeleton.width[segments], 1e-6)
    middle = float(np.median(width / length))
    rod = float(np.median(skeleton.radius_base[segments] / length))
    count = min(_LEAVES, len(segments))
    leaves: Any = SimpleNamespace(
        parent=np.full(count, -1),
        head=np.zeros((count, 3)),
        frame=np.tile([1.0, 0.0, 0.0, 0.0], (count, 1)),
        length=np.ones(count),
        width=np.full(count, middle),
        radius_base=np.full(count, rod),
        radius_tip=np.full(count, rod),
        organ=np.full(count, axes.organs.index("leaf")),
        axis=np.arange(count),
    )
    own = find_axes(leaves, axes.organs)
    copies = []
    for k in range(count):
        template = build_blades(leaves, own, shape, detail, variation[segments], np.array([k]))
        chosen = segments[k::count]
        scale = np.stack([skeleton.width[chosen] / middle, axes.length[chosen], axes.length[chosen]], axis=1)
        right, along = axes.frame[chosen, :, 0], axes.direction[chosen]
        copies.append(Copies(f"Leaf {k + 1}", template, chosen, right, along, scale))
    return copies


def organ_copies(skeleton: Skeleton, axes: Axes, shape: FlowerShape, detail: Detail, variation: Array) -> list[Copies]:
    """Copies of the flower, the bud and the fruit, where they occur."""
    angle = 2 * np.pi * organ_turns(axes, shape, variation[:, 0])[:, None]
    right = np.cos(angle) * axes.frame[:, :, 0] - np.sin(angle) * axes.frame[:, :, 2]
    radius = organ_radii(skeleton)
    copies = []
    for organ, template in organ_templates(shape, detail.petals).items():
        chosen = np.flatnonzero(axes.is_organ(organ))
        if len(chosen):
            scale = np.stack([radius[chosen], axes.length[chosen], radius[chosen]], axis=1)
            surface = surface_on(np.zeros(len(template.vertices), dtype=np.int64), template)
            copies.append(Copies(organ.capitalize(), surface, chosen, right[chosen], axes.direction[chosen], scale))
    return copies
