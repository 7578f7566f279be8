# SPDX-License-Identifier: GPL-3.0-or-later
"""Flowers, buds and fruits: a template placed on each segment of its organ."""

import numpy as np

from ..arrays import Array, Index
from ..axes import Axes
from ..skeleton import Skeleton
from ..surface import Shape, Surface, surface_on
from . import kinds
from .kinds import FlowerShape


def organ_templates(shape: FlowerShape, finesse: float) -> dict[str, Shape]:
    """The template of every kind of organ that has one."""
    return {"flower": kinds.flower(shape, finesse), "bud": kinds.bud(finesse), "fruit": kinds.fruit(finesse)}


def organ_turns(axes: Axes, shape: FlowerShape, variation: Array) -> Array:
    """(n) how far each organ is turned about its axis, 0..1. An orchid has an upper side; all others look the same."""
    return np.where(axes.is_organ("flower") & (shape.kind == "orchid"), 0.0, variation)


def organ_radii(skeleton: Skeleton) -> Array:
    """(n) m; flowers, buds and fruits are as wide as they say, else as their rod."""
    thickest = np.maximum(skeleton.radius_base, skeleton.radius_tip)
    return np.where(skeleton.width > 0.0, skeleton.width / 2, thickest)


def build_organs(skeleton: Skeleton, axes: Axes, shape: FlowerShape, finesse: float, variation: Array) -> list[Surface]:
    """One surface for the flowers, one for the buds, one for the fruits; kinds that do not occur are left out."""
    turns = organ_turns(axes, shape, variation[:, 0])
    surfaces = []
    for organ, template in organ_templates(shape, finesse).items():
        segments = np.flatnonzero(axes.is_organ(organ))
        if len(segments):
            surfaces.append(_placed(template, skeleton, axes, segments, turns[segments]))
    return surfaces


def _placed(template: Shape, skeleton: Skeleton, axes: Axes, segments: Index, turns: Array) -> Surface:
    """The template on each segment: as wide as the organ, as long as the bone, and turned about it by `turns` (k)."""
    n, per_organ = len(segments), len(template.vertices)
    radius = organ_radii(skeleton)[segments]
    scale = np.stack([radius, axes.length[segments], radius], axis=1)
    angle = 2 * np.pi * turns
    c, s = np.cos(angle)[:, None], np.sin(angle)[:, None]
    x, y, z = template.vertices.T
    local = np.stack([c * x + s * z, np.broadcast_to(y, (n, per_organ)), c * z - s * x], axis=2) * scale[:, None, :]
    places = axes.head[segments][:, None, :] + np.einsum("nij,nvj->nvi", axes.frame[segments], local)
    segment = np.repeat(segments, per_organ)
    return surface_on(segment, Shape(**template.repeated(n, per_organ) | {"vertices": places.reshape(-1, 3)}))
