# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaves that are tubes as few rods: files draw them as finely as they are to be seen, not as they bend."""

from collections.abc import Iterator
from dataclasses import fields, replace

import numpy as np

from .base.arrays import Floats, Integers
from .base.contours import Contour
from .base.organs import LEAF
from .base.quaternions import column, from_axes
from .base.skeleton import PARTS, Skeleton
from .divided_leaves import LONG_SURFACE

_MOST_BEND = 45.0
"""Degrees that a tube turns by along a rod that is straight itself."""
_JOINED = 1e-6
"""By the length of a piece: how near its parent's end it begins."""
_MEAN = ("width", "aspect", "twist")
"""Columns of a rod that are those of its pieces by their lengths."""


def blades_in_few_rods(skeleton: Skeleton, rods: int) -> Skeleton:
    """The same plant, in which leaves that are tubes with contours are so many rods each at most, short ones a single
    one, but for what their curve asks for. Their contours stay, at their places along the rods."""
    blades = blades_of_tubes(skeleton)
    levers = _levers(skeleton, blades)
    groups = [group for blade in blades for group in _groups(skeleton, blade, rods)]
    if not groups:
        return skeleton
    columns = {one.name: getattr(skeleton, one.name).copy() for one in fields(skeleton) if one.name not in PARTS}
    contours = {one.segment: one for one in skeleton.contours}
    keep = np.ones(len(skeleton), dtype=np.bool_)
    into = np.arange(len(skeleton))
    for group in groups:
        first = int(group[0])
        keep[group[1:]], into[group] = False, first
        contours[first] = _one_rod(skeleton, group, [contours.pop(piece) for piece in group.tolist()], levers, columns)
    number = np.where(keep, np.cumsum(keep) - 1, -1)
    columns["parent"] = np.append(number, -1)[np.append(into, -1)[columns["parent"]]]
    whole = replace(skeleton, contours=tuple(contours[segment] for segment in sorted(contours)))
    return replace(whole.renumbered(number), **{name: values[keep] for name, values in columns.items()})


def blades_of_tubes(skeleton: Skeleton) -> list[Integers]:
    """Pieces of each leaf that is a tube with contours, from base to tip; nothing else stands on it but at its end."""
    n, parent = len(skeleton), skeleton.parent
    is_piece = np.zeros(n, dtype=np.bool_)
    is_piece[[one.segment for one in skeleton.contours]] = True
    is_piece &= (skeleton.organ == LEAF) & ~skeleton.pinned
    children = np.bincount(parent[parent >= 0], minlength=n)
    gap = np.linalg.norm(skeleton.head - skeleton.tail()[parent], axis=1)
    goes_on = is_piece & (parent >= 0) & is_piece[parent] & (children[parent] == 1)
    goes_on &= (skeleton.axis == skeleton.axis[parent]) & (skeleton.colour == skeleton.colour[parent])
    goes_on &= gap <= _JOINED * skeleton.length
    base = np.arange(n)
    for piece in np.flatnonzero(goes_on).tolist():  # parents come first
        base[piece] = base[parent[piece]]
    pieces = np.flatnonzero(is_piece)
    pieces = pieces[np.argsort(base[pieces], kind="stable")]
    return np.split(pieces, np.flatnonzero(np.diff(base[pieces])) + 1) if len(pieces) else []


def _levers(skeleton: Skeleton, blades: list[Integers]) -> Floats:
    """(n) how much what a piece bends counts in the sag of its blade's tip, if that is held at its base and loaded
    evenly: by the moment there is, (1 - x)^2, times the lever up to the tip."""
    levers = np.zeros(len(skeleton))
    for blade in blades:
        ahead = 1.0 - np.append(0.0, skeleton.length[blade].cumsum()) / skeleton.length[blade].sum()
        levers[blade] = ahead[:-1] ** 4 - ahead[1:] ** 4
    return levers


def _groups(skeleton: Skeleton, chain: Integers, rods: int) -> Iterator[Integers]:
    """Pieces of a blade that are one rod each, where these are several."""
    length = skeleton.length[chain]
    rods = rods if length.sum() >= LONG_SURFACE else 1
    along = np.floor(rods * (length.cumsum() - 0.5 * length) / length.sum())
    ahead = column(skeleton.frame[chain], 1)
    cosines = np.clip((ahead[1:] * ahead[:-1]).sum(axis=1), -1.0, 1.0)
    bend = np.append(0.0, np.degrees(np.arccos(cosines)).cumsum())
    turned = np.floor(bend / _MOST_BEND - 1e-6)
    for group in np.split(chain, np.flatnonzero(np.diff(along) + np.diff(turned)) + 1):
        if len(group) > 1:
            yield group


def _one_rod(
    skeleton: Skeleton, group: Integers, drawn: list[Contour], levers: Floats, columns: dict[str, np.ndarray]
) -> Contour:
    """Write a rod in place of its first piece, as heavy as the pieces and as stiff as these in a row; its contour."""
    first, lengths = int(group[0]), skeleton.length[group]
    head, tail = skeleton.head[group], skeleton.tail()[group]
    way = tail[-1] - head[0]
    length = float(np.linalg.norm(way))
    along = way / length
    face = column(skeleton.frame[group], 2).sum(axis=0)
    face -= (face @ along) * along
    face /= np.linalg.norm(face)
    across = np.cross(along, face)
    columns["frame"][first] = from_axes(across.tolist(), along.tolist(), face.tolist())
    columns["length"][first] = length
    share = lengths / lengths.sum()
    areas = skeleton.radius_base[group] * skeleton.radius_tip[group]
    columns["radius_base"][first] = columns["radius_tip"][first] = radius = float(np.sqrt(areas @ share))
    lever = levers[group] / levers[group].sum()
    columns["young"][first] = 1.0 / float((lever / (skeleton.young[group] * areas**2)).sum()) / radius**4
    for name in _MEAN:
        columns[name][first] = getattr(skeleton, name)[group] @ share
    places = np.append((head - head[0]) @ along, length) / length
    middles = head[0] + places[:, None] * way
    rings = []
    for piece, one in zip(range(len(group)), drawn, strict=True):
        rings.append((head[piece] - middles[piece], group[piece], one.base))
    rings.append((tail[-1] - middles[-1], group[-1], drawn[-1].tip))
    placed = np.stack([_placed(skeleton, *ring, np.stack([across, along, face], axis=1)) for ring in rings])
    return Contour(first, placed[:, :, [0, 2]], places, placed[:, :, 1])


def _placed(skeleton: Skeleton, aside: Floats, piece: int, outline: Floats, axes: Floats) -> Floats:
    """(k, 3) a piece's outline along other axes (3, 3), beside the line of the rod by so much."""
    frame = skeleton.frame[piece][None]
    own = np.concatenate([column(frame, 0), column(frame, 2)])
    result: Floats = (aside + outline @ own) @ axes
    return result
