# SPDX-License-Identifier: GPL-3.0-or-later
"""Organs as instances: leaves of one segment, flowers, buds and fruits as scaled copies of a few templates.

A blade of several segments bends and cannot be a copy.
"""

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
from numpy.typing import NDArray

from .axes import BLADE, Axes, find_axes
from .blades import BladeShape, build_blades
from .detail import Detail
from .flowers import FlowerShape
from .organs import organ_radii, organ_templates, organ_turns
from .surface import Surface
from .templates import Template

Array = NDArray[np.float64]
Index = NDArray[np.int64]

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
    return axes.segments[axes.first[runs[axes.first[runs + 1] - axes.first[runs] == 1]]]


def leaf_copies(skeleton, axes: Axes, organs: tuple[str, ...], shape: BladeShape, detail: Detail, variation: Array):
    """Copies of a few leaves of the middle width and thickness; none for a plant without single leaves."""
    segments = single_leaves(axes)
    if not len(segments):
        return []
    length, width = axes.length[segments], np.maximum(skeleton.width[segments], 1e-6)
    middle = float(np.median(width / length))
    rod = float(np.median(skeleton.radius_base[segments] / length))
    count = min(_LEAVES, len(segments))
    leaves = SimpleNamespace(
        parent=np.full(count, -1),
        head=np.zeros((count, 3)),
        frame=np.tile([1.0, 0.0, 0.0, 0.0], (count, 1)),
        length=np.ones(count),
        width=np.full(count, middle),
        radius_base=np.full(count, rod),
        radius_tip=np.full(count, rod),
        organ=np.full(count, organs.index("leaf")),
        axis=np.arange(count),
    )
    own = find_axes(leaves, organs)
    copies = []
    for k in range(count):
        template = build_blades(leaves, own, shape, detail, variation[segments], np.array([k]))
        chosen = segments[k::count]
        scale = np.stack([skeleton.width[chosen] / middle, axes.length[chosen], axes.length[chosen]], axis=1)
        copies.append(
            Copies(f"Leaf {k + 1}", template, chosen, axes.frame[chosen, :, 0], axes.direction[chosen], scale)
        )
    return copies


def organ_copies(
    skeleton, axes: Axes, organs: tuple[str, ...], shape: FlowerShape, detail: Detail, variation: Array
) -> list[Copies]:
    """Copies of the flower, the bud and the fruit, where they occur."""
    angle = 2 * np.pi * organ_turns(skeleton.organ, organs, shape, variation[:, 0])[:, None]
    right = np.cos(angle) * axes.frame[:, :, 0] - np.sin(angle) * axes.frame[:, :, 2]
    radius = organ_radii(skeleton)
    copies = []
    for organ, template in organ_templates(organs, shape, detail.petals).items():
        chosen = np.flatnonzero(skeleton.organ == organ)
        if len(chosen):
            scale = np.stack([radius[chosen], axes.length[chosen], radius[chosen]], axis=1)
            name = organs[organ].capitalize()
            copies.append(Copies(name, _as_surface(template), chosen, right[chosen], axes.direction[chosen], scale))
    return copies


def _as_surface(template: Template) -> Surface:
    count = len(template.vertices)
    return Surface(
        template.vertices,
        np.zeros((count, 1), dtype=np.int64),
        np.ones((count, 1)),
        np.zeros(count, dtype=np.int64),
        np.zeros(count),
        template.quads,
        template.quad_uv,
        template.quad_part,
        template.quad_under,
        template.triangles,
        template.triangle_uv,
        template.triangle_part,
        template.triangle_under,
    )
