# SPDX-License-Identifier: GPL-3.0-or-later
"""How stiff stems must be to carry what stands on them, and to stand in wind."""

import math

import numpy as np

from .base.arrays import Flags, Floats
from .base.contours import moments_of
from .base.organs import LEAF_AREA, ORGANS
from .base.skeleton import Skeleton

_GRAVITY = 9.81
_STEM, _LEAF = ORGANS.index("stem"), ORGANS.index("leaf")
_DENSITY = 800.0
"""kg/m3, where the text says none."""
_AIR = 1.2
"""kg/m3."""
_DRAG = 0.5
"""Of leaves and stems on their whole area: leaves turn out of the wind, and shelter each other."""


def young_that_sags(skeleton: Skeleton, share: float) -> float:
    """Young's modulus (Pa) of stems with which the softest way along them from a root, drawn out level, would sag by a
    share of its length under the weight of all that it carries.

    0 of a skeleton without stems.
    """
    return _sag(skeleton, _weight(skeleton), skeleton.organ == _STEM, _of_rods(skeleton)) / share


def young_of_leaves(skeleton: Skeleton, share: float) -> float:
    """The same of leaves that are tubes with contours, each of which is held where it begins; 0 without any."""
    inertia, bends = _of_rods(skeleton), np.zeros(len(skeleton), dtype=np.bool_)
    blades = [one for one in skeleton.contours if skeleton.organ[one.segment] == _LEAF]
    if blades:
        moments = moments_of(np.stack([one.middle for one in blades])).about_x
        segments = np.array([one.segment for one in blades])[moments > 0.0]
        inertia[segments], bends[segments] = moments[moments > 0.0], True
    return _sag(skeleton, _weight(skeleton), bends, inertia) / share if bends.any() else 0.0


def young_in_wind(skeleton: Skeleton, speed: float, share: float) -> float:
    """Young's modulus (Pa) of stems with which the softest way along them from a root would be bent by a share of its
    length in an even wind (m/s) across it."""
    wide = np.where(skeleton.width > 0.0, LEAF_AREA * skeleton.width, skeleton.radius_base + skeleton.radius_tip)
    drag = 0.5 * _AIR * speed**2 * _DRAG * wide * skeleton.length
    return _sag(skeleton, drag, skeleton.organ == _STEM, _of_rods(skeleton)) / share


def _weight(skeleton: Skeleton) -> Floats:
    density = np.where(np.isfinite(skeleton.density), skeleton.density, _DENSITY)
    weight: Floats = _GRAVITY * density * math.pi * skeleton.radius_base * skeleton.radius_tip * skeleton.length
    return weight


def _of_rods(skeleton: Skeleton) -> Floats:
    """m4, second moments of round rods in the middle of the segments."""
    inertia: Floats = 0.25 * math.pi * (0.5 * (skeleton.radius_base + skeleton.radius_tip)) ** 4
    return inertia


def _sag(skeleton: Skeleton, load: Floats, bends: Flags, second: Floats) -> float:
    """By what share of its length the softest way along those that bend, of a modulus of 1 and such second moments
    (m4), sags under a load (N) on each segment.

    Small turns at the head of each segment, each by the moment of the load beyond it at full lever over E I / length.
    """
    length = skeleton.length.tolist()
    inertia, is_bent = second.tolist(), bends.tolist()
    parents = skeleton.parent.tolist()
    carried = load.tolist()
    moment = (0.5 * load * skeleton.length).tolist()
    reach, sag = [0.0] * len(length), [0.0] * len(length)
    worst = 0.0
    for index in range(len(length) - 1, -1, -1):
        parent = parents[index]
        if is_bent[index]:
            reach[index] += length[index]
            # of a modulus of 1
            sag[index] += moment[index] * length[index] / inertia[index] * reach[index]
        if parent < 0 or not is_bent[parent]:
            worst = max(worst, sag[index] / reach[index] if reach[index] else 0.0)
        if parent < 0:
            continue
        moment[parent] += moment[index] + length[parent] * carried[index]
        carried[parent] += carried[index]
        if is_bent[index] and is_bent[parent] and length[parent] + reach[index] > length[parent] + reach[parent]:
            reach[parent], sag[parent] = reach[index], sag[index]
    return worst
