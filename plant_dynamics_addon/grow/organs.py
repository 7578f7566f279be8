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


def organ_templates(organs: tuple[str, ...], shape: FlowerShape, finesse: float) -> dict[int, Template]:
    """The template of every kind of organ that has one, by its number in `organs`."""
    made = {"flower": flowers.flower(shape, finesse), "bud": flowers.bud(finesse), "fruit": flowers.fruit(finesse)}
    return {organs.index(organ): template for organ, template in made.items()}


def organ_turns(organ: Index, organs: tuple[str, ...], shape: FlowerShape, variation: Array) -> Array:
    """(n) how far each organ is turned about its axis, 0..1. An orchid has an upper side; all others look the same."""
    upright = (organ == organs.index("flower")) & (shape.kind == "orchid")
    return np.where(upright, 0.0, variation)


def organ_radii(skeleton) -> Array:
    """(n) m; flowers, buds and fruits are as wide as they say, else as their rod."""
    thickest = np.maximum(skeleton.radius_base, skeleton.radius_tip)
    return np.where(skeleton.width > 0.0, skeleton.width / 2, thickest)


def build_organs(
    skeleton, axes: Axes, organs: tuple[str, ...], shape: FlowerShape, finesse: float, variation: Array
) -> list[Surface]:
    """One surface for the flowers, one for the buds, one for the fruits; kinds that do not occur are left out."""
    turns = organ_turns(skeleton.organ, organs, shape, variation[:, 0])
    surfaces = []
    for organ, template in organ_templates(organs, shape, finesse).items():
        segments = np.flatnonzero(skeleton.organ == organ)
        if len(segments):
            surfaces.append(_placed(template, skeleton, axes, segments, turns[segments]))
    return surfaces


def _placed(template: Template, skeleton, axes: Axes, segments: Index, turns: Array) -> Surface:
    """The template on each segment: as wide as the organ, as long as the bone, and turned about it by `turns` (k)."""
    n, per_organ = len(segments), len(template.vertices)
    radius = organ_radii(skeleton)[segments]
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
        np.tile(template.quad_under, n),
        (template.triangles + shift).reshape(-1, 3),
        np.tile(template.triangle_uv, (n, 1, 1)),
        np.tile(template.triangle_part, n),
        np.tile(template.triangle_under, n),
    )
