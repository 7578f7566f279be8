# SPDX-License-Identifier: GPL-3.0-or-later
"""Which stems are wood, and which of them are thick enough for bark."""

from dataclasses import replace

import numpy as np

from ..arrays import Array, Index, Mask
from ..skeleton import Skeleton
from ..surface import PARTS, Surface

#: Young's modulus (Pa) up to which a stem is a herb's, and from which it is wood.
_HERB, _WOOD = 1.5e9, 3e9


def woodiness(skeleton: Skeleton, organs: tuple[str, ...], has_bark: bool | None = None) -> Array:
    """(n) 0 for what is herbaceous or no stem, 1 for wood; `has_bark` decides for all stems of a plant instead.

    Where the text says nothing a stem is as the panel has it at first, which is herbaceous.
    """
    if has_bark is None:
        young = np.nan_to_num(skeleton.young, nan=0.0)
        wood = _smooth_step(young, _HERB, _WOOD)
    else:
        wood = np.full(len(skeleton.parent), float(has_bark))
    return np.where(skeleton.organ == organs.index("stem"), wood, 0.0)


def barked(skeleton: Skeleton, wood: Array, bark_radii: tuple[float, float]) -> Mask:
    """(n) whether a segment looks rather like bark than green, by the stem shader's measure."""
    girth = 0.5 * (skeleton.radius_base + skeleton.radius_tip)
    return wood * _smooth_step(girth, *bark_radii) > 0.5


def with_bark(surface: Surface, is_barked: Mask) -> Surface:
    """The surface whose stems are of bark where their segments are, so that they can be brown in Solid view too."""
    stem, bark = PARTS.index("stem"), PARTS.index("bark")

    def parts(part: Index, faces: Index) -> Index:
        return np.where((part == stem) & is_barked[surface.segment[faces[:, 0]]], bark, part)

    return replace(
        surface,
        quad_part=parts(surface.quad_part, surface.quads),
        triangle_part=parts(surface.triangle_part, surface.triangles),
    )


def _smooth_step(values: Array, start: float, end: float) -> Array:
    """As the shader's: 0 at `start`, 1 at `end`."""
    share = np.clip((values - start) / (end - start), 0.0, 1.0)
    return share * share * (3.0 - 2.0 * share)
