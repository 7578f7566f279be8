# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaves of one segment as several along their midrib, so that they bend."""

from dataclasses import fields, replace

import numpy as np

from .base.arrays import Flags
from .base.organs import LEAF, blade_widths
from .base.skeleton import PARTS, Skeleton

LONG_SURFACE = 0.03
"""Metres; surfaces that the text draws itself bend from this length on, as smaller petals and scales hardly do."""


def undivided_leaves(skeleton: Skeleton) -> Flags:
    """(n) segments that are a whole leaf each, but small or pinned ones that stand for a surface."""
    leaf, parent = skeleton.organ == LEAF, skeleton.parent
    continues = leaf & (parent >= 0) & leaf[parent] & (skeleton.axis == skeleton.axis[parent])
    whole = leaf & ~continues
    whole[parent[continues]] = False
    surfaces = np.array([polygon.segment for polygon in skeleton.polygons], dtype=np.int64)
    whole[surfaces[skeleton.pinned[surfaces] | (skeleton.length[surfaces] < LONG_SURFACE)]] = False
    # so are tubes with a contour
    whole[[contour.segment for contour in skeleton.contours]] = False
    return whole


def divided_leaves(skeleton: Skeleton, pieces: int) -> Skeleton:
    """The same plant, in which such leaves are so many segments, of the same tissue in all and the same outline.

    What a joint factor makes a leaf's base softer by stays, and what grows on it grows on its last segment.
    """
    whole = undivided_leaves(skeleton)
    if pieces < 2 or not whole.any():
        return skeleton
    count = np.where(whole, pieces, 1)
    first = np.cumsum(count) - count
    of = np.repeat(np.arange(len(skeleton)), count)
    piece = np.arange(len(of)) - first[of]
    cut = whole[of]
    arrays = {field.name: getattr(skeleton, field.name)[of] for field in fields(skeleton) if field.name not in PARTS}
    length = arrays["length"] / count[of]
    last = np.append(first + count - 1, -1)  # the end answers for parent -1
    # tissue goes with the width, so the radius with its root and the stiffness with its square
    widths = np.array(blade_widths(pieces))
    broad = np.where(cut, np.sqrt(widths)[np.minimum(piece, pieces - 1)], 1.0)
    joint, stiffer = arrays["joint"], pieces * widths[0] ** 2
    as_soft = np.where(joint < 1.0, 1.0 / (1.0 + stiffer * (1.0 / joint - 1.0)), joint)
    return replace(
        skeleton.renumbered(first),
        **arrays
        | {
            "parent": np.where(piece > 0, np.arange(len(of)) - 1, last[arrays["parent"]]),
            "head": arrays["head"] + skeleton.direction()[of] * (piece * length)[:, None],
            "length": length,
            "radius_base": arrays["radius_base"] * broad,
            "radius_tip": arrays["radius_tip"] * broad,
            "joint": np.where(cut, np.where(piece > 0, 1.0, as_soft), joint),
            "divided": cut,
        },
    )
