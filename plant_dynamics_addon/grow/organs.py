# SPDX-License-Identifier: GPL-3.0-or-later
"""Flowers, buds and fruits: a template placed on each segment of its organ."""

import numpy as np
from numpy.typing import NDArray

from . import flowers
from .axes import Axes
from .flowers import FlowerShape
from .surface import Surface
from .templates import Template

Array = NDArray[np.float64]
Index = NDArray[np.int64]


def build_organs(skeleton, axes: Axes, organs: tuple[str, ...], shape: FlowerShape, variation: Array) -> list[Surface]:
    """One surface for the flowers, one for the buds, one for the fruits; kinds that do not occur are left out."""
    makers = {"flower": lambda: flowers.flower(shape), "bud": flowers.bud, "fruit": flowers.fruit}
    surfaces = []
    for organ, make in makers.items():
        segments = np.flatnonzero(skeleton.organ == organs.index(organ))
        if len(segments):
            # An orchid has an upper side; everything else looks the same from all sides.
            turns = 0.0 if organ == "flower" and shape.kind == "orchid" else 1.0
            surfaces.append(_placed(make(), skeleton, axes, segments, turns * variation[segments, 0]))
    return surfaces


def _placed(template: Template, skeleton, axes: Axes, segments: Index, turns: Array) -> Surface:
    """The template on each segment: as wide as the organ, as long as the bone, and turned about it by `turns` (k)."""
    n, per_organ = len(segments), len(template.vertices)
    thickest = np.maximum(skeleton.radius_base[segments], skeleton.radius_tip[segments])
    radius = np.where(skeleton.width[segments] > 0.0, skeleton.width[segments] / 2, thickest)
    scale = np.stack([radius, axes.length[segments], radius], axis=1)
    angle = 2 * np.pi * turns
    c, s = np.cos(angle)[:, None], np.sin(angle)[:, None]
    x, y, z = template.vertices.T
    local = np.stack([c * x + s * z, np.broadcast_to(y, (n, per_organ)), c * z - s * x], axis=2) * scale[:, None, :]
    vertices = axes.head[segments][:, None, :] + np.einsum("nij,nvj->nvi", axes.frame[segments], local)

    segment = np.repeat(segments, per_organ)
    weights = np.zeros((len(segment), 3))
    weights[:, 1] = 1.0
    shift = (np.arange(n) * per_organ)[:, None, None]
    return Surface(
        vertices.reshape(-1, 3),
        np.repeat(segment[:, None], 3, axis=1),
        weights,
        segment,
        np.zeros(len(segment)),
        (template.quads + shift).reshape(-1, 4),
        np.tile(template.quad_uv, (n, 1, 1)),
        np.tile(template.quad_part, n),
        (template.triangles + shift).reshape(-1, 3),
        np.tile(template.triangle_uv, (n, 1, 1)),
        np.tile(template.triangle_part, n),
    )
