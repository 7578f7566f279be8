# SPDX-License-Identifier: GPL-3.0-or-later
"""How the margins of blades are cut: into rounded lobes, or down to the midrib into needles on a twig."""

from dataclasses import dataclass, replace

import numpy as np

from ..arrays import Array, Index
from ..detail import Detail
from .silhouettes import Silhouette, rows_of


@dataclass(frozen=True)
class Cut:
    """Lobes or needles, alike on both sides."""

    lobes: int = 0  # on each side, below the one at the tip
    needles: float = 0.0  # on each side, in as much length as the blade is wide
    depth: float = 0.5  # of the bays between lobes, in half widths; needles are cut down to the twig
    sweep: float = 0.0  # how far lobes and needles point to the tip, in shares of their length
    spread_degrees: float = 0.0  # needles stand up to so much higher and lower, one by one
    silhouette: Silhouette = ()  # instead of lobes and needles an outline of its own


@dataclass(frozen=True)
class Margin:
    """Rows of a blade, from its base to its tip."""

    along: Array  # (rows) fractions of the length, 0 to 1
    share: Array  # (rows) of the uncut half width that is left
    rise: Array  # (rows) of needles by which share of their spread they stand higher or, below 0, lower; 0 elsewhere
    swell: Array  # (rows) 1 in the middle of a lobe, 0 between lobes and where there are none
    ahead: Array  # (rows) lengths by which the margin's point lies nearer to the tip than the midrib's
    shown: Array  # (rows) places in the texture, 0 to 1
    is_whole: bool = False  # the shares are of the widest place, so no formula says how wide the blade is


def whole_margin(rows: int) -> Margin:
    """Rows closer together at both ends, where the outline turns; the last is the tip's point."""
    even = np.arange(rows) / (rows - 1)
    none = np.zeros(rows)
    along = 0.35 * even + 0.65 * (0.5 - 0.5 * np.cos(np.pi * even))
    return Margin(along, np.ones(rows), none, none, none, along)


def teeth_of(cut: Cut, width_to_length: Array) -> Index:
    """(n) How many lobes or needles on each side blades have."""
    if cut.needles:
        return np.clip(np.round(cut.needles / np.maximum(width_to_length, 1e-6)), 3, _MOST_NEEDLES).astype(np.int64)
    return np.full(len(width_to_length), cut.lobes)


def cut_margin(cut: Cut, teeth: int, detail: Detail, at_least: int) -> Margin:
    """The margin with so many teeth on each side; `at_least` so many rows, for blades that bend."""
    if cut.silhouette:
        margin = _as_drawn(cut.silhouette, detail)
    else:
        margin = _needled(teeth, detail) if cut.needles else _lobed(cut, teeth, detail)
    while len(margin.along) < at_least:
        margin = replace(margin, **{name: _halved(getattr(margin, name)) for name in _OF_ROWS})
    return margin


_OF_ROWS = ("along", "share", "rise", "swell", "ahead", "shown")


def _as_drawn(silhouette: Silhouette, detail: Detail) -> Margin:
    """With no, one or two more rows between two points of the outline."""
    rows = rows_of(silhouette, detail.lobe_rows // 2 - 1)
    none = np.zeros(len(rows.along))
    return Margin(rows.along, rows.out, none, none, rows.at - rows.along, rows.shown, True)


_MOST_NEEDLES = 100
# The lowest bay between lobes, as a place along the blade.
_FIRST_BAY = 0.12
# With fewer rows in each, lobes are spikes.
_LEAST_ROWS = 3
# How round lobes are and how narrow the bays: an exponent of the sine.
_ROUNDNESS = 0.55
# The lobe at the tip is so long, in lengths of the others.
_TIP_LOBE = 0.9
# Needles stand between these places along the twig.
_NEEDLES_FROM, _NEEDLES_TO = 0.02, 0.96
# Outline of a needle by rows for each lobe: places in shares of the way to the next, and of the length there. But for
# Low its sides are parallel.
_NEEDLE = {
    2: ((0.0, 0.0), (0.35, 1.0)),
    4: ((0.0, 0.0), (0.03, 0.92), (0.45, 1.0), (0.5, 0.0)),
    6: ((0.0, 0.0), (0.03, 0.9), (0.275, 1.0), (0.52, 0.9), (0.55, 0.0)),
}
# Below High so many of its needles, broader in turn, stand for all.
_FEWER = {2: 0.2, 4: 0.45, 6: 1.0}
# From needle to needle what they rise by and what they lack in length goes on by these shares of the whole, which fills
# both evenly and repeats nowhere; the longest is so much longer than the shortest.
_RISING, _SHORTENING, _SHORTER = 0.618, 0.755, 0.2


def _lobed(cut: Cut, lobes: int, detail: Detail) -> Margin:
    rows = max(_LEAST_ROWS, detail.lobe_rows)
    last_bay = _last_bay(lobes)
    sides = np.arange(lobes * rows) / rows
    tip = np.arange(rows + 1) / rows
    along = np.concatenate(
        [
            [0.0, 0.5 * _FIRST_BAY],  # the wedge below the first lobe
            _FIRST_BAY + (last_bay - _FIRST_BAY) * sides / lobes,
            last_bay + (1.0 - last_bay) * np.sin(0.5 * np.pi * tip),
        ]
    )
    # The lobe at the tip is one half only: there the outline closes it.
    place = np.concatenate([[0.0, 0.0], sides, 0.5 * tip])
    middle = np.abs(np.sin(np.pi * place))
    share = 1.0 - cut.depth * (0.55 + 0.45 * np.sin(np.pi * along)) * (1.0 - middle**_ROUNDNESS)
    none = np.zeros(len(along))
    return Margin(along, share, none, middle**2, none, along)


def _last_bay(lobes: int) -> float:
    """The place of the bay below the lobe at the tip."""
    return 1.0 - _TIP_LOBE * (1.0 - _FIRST_BAY) / (lobes + _TIP_LOBE)


def veins_into(lobes: int) -> tuple[float, float]:
    """Place along the blade half a distance below the first side vein, and the number of veins in its length, of which
    one runs into each lobe."""
    return _FIRST_BAY, lobes / (_last_bay(lobes) - _FIRST_BAY)


def _needled(needles: int, detail: Detail) -> Margin:
    needles = max(3, round(_FEWER[detail.lobe_rows] * needles))
    place, share = np.array(_NEEDLE[detail.lobe_rows]).T
    number = np.arange(needles)[:, None]
    along = _NEEDLES_FROM + (_NEEDLES_TO - _NEEDLES_FROM) * (number + place) / needles
    # The first stands nearly level: straight down it would fold back onto the stem.
    rise = (2.0 * (_RISING * (number + 1) % 1.0) - 1.0) * (share > 0.0)
    share = share * (1.0 - _SHORTER * (_SHORTENING * number % 1.0))
    # The twig begins before the first needle and ends after the last.
    whole, none = np.concatenate([[0.0], along.ravel(), [_NEEDLES_TO, 1.0]]), np.zeros(needles * len(place) + 3)
    return Margin(
        whole,
        np.concatenate([[0.0], share.ravel(), [0.0, 0.0]]),
        np.concatenate([[0.0], rise.ravel(), [0.0, 0.0]]),
        none,
        none,
        whole,
    )


def _halved(rows: Array) -> Array:
    """The rows and those half-way between them."""
    places = np.arange(2 * len(rows) - 1) / 2
    return np.interp(places, np.arange(len(rows)), rows)
