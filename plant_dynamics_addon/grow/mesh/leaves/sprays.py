# SPDX-License-Identifier: GPL-3.0-or-later
"""Sprays: a leaf of the skeleton that is drawn as a green twig with small leaves, all of which its bones carry.

So a crown is as dense as a real one without as many bones; the air feels the area of all leaves.
"""

from dataclasses import dataclass, replace

import numpy as np

from ..arrays import Array, Index, matrices, turned_about
from ..axes import BLADE, find_axes
from ..skeleton import Skeleton


@dataclass(frozen=True)
class Spray:
    """Leaves that stand along a twig, in two ranks or around it, and one at its end; lengths are shares of the
    spray's."""

    leaves: int  # that at the end included
    length: float  # of the largest leaf
    slender: float  # its width over its length
    first: float = 0.1  # where the lowest sits
    last: float = 0.78  # where the one at the end does
    angle_degrees: float = 50.0  # of the lowest from the twig; higher ones are steeper
    scatter_degrees: float = 16.0  # by which directions differ, one standard deviation
    turn_degrees: float = 180.0  # about the twig from leaf to leaf: 180 are two ranks, 137.5 a spiral
    hang: float = 0.0  # how far leaves are drawn down from where they point, 0 to 1
    to_sky: float = 0.0  # how far blades turn their upper sides to the sky, as stalks of leaves turn them, 0 to 1


#: Of the leaf's rod, the twig's radius at its base and at its end.
_TWIG = (0.5, 0.25)
#: Leaves of a spiral bend back towards their twig's plane, where light is: they rise so much less than they spread.
_RISE = 0.6
#: Of how far a leaf rises above the horizon, what it is laid down where it turns wholly to the sky.
_LAID = 0.6
#: A leaf at either end of a twig is so much smaller than the largest.
_SMALLER = 0.3


def with_sprays(skeleton: Skeleton, organs: tuple[str, ...], spray: Spray | None) -> tuple[Skeleton, Index]:
    """The skeleton with twigs in place of leaves, and after all its segments the leaves that stand on these; and the
    segment (m) of the given one whose bone carries each."""
    own = np.arange(len(skeleton.parent))
    leaf = organs.index("leaf")
    axes = find_axes(skeleton, organs)
    runs = axes.runs_of(BLADE)
    runs = runs[skeleton.organ[axes.bases(runs)] == leaf]
    if spray is None or not len(runs):
        return skeleton, own

    k = spray.leaves
    ends = axes.ends(runs)
    length = np.repeat(axes.start[ends] + axes.length[ends], k)
    place = np.tile(np.linspace(spray.first, spray.last, k), len(runs))
    # Along its run every leaf sits on the piece that reaches so far.
    first = np.searchsorted(axes.run[axes.segments], runs)
    segment = np.repeat(axes.segments[first], k)
    for _ in range(int((axes.first[runs + 1] - axes.first[runs]).max()) - 1):
        beyond = place * length > axes.start[segment] + axes.length[segment]
        onward = np.where(axes.after[segment] >= 0, axes.after[segment], segment)
        segment = np.where(beyond & (axes.run[onward] == axes.run[segment]), onward, segment)
    along = (place * length - axes.start[segment])[:, None] * axes.direction[segment]

    grown = _grown(spray, len(runs)) * spray.length * length
    leaves = Skeleton(
        parent=np.full(len(segment), -1), head=axes.head[segment] + along,
        frame=_directions(skeleton.frame[segment], spray, len(runs)), length=grown,
        radius_base=0.3 * skeleton.radius_base[segment], radius_tip=0.3 * skeleton.radius_tip[segment],
        width=spray.slender * grown, organ=np.full(len(segment), leaf),
        axis=int(skeleton.axis.max()) + 1 + np.arange(len(segment)), young=skeleton.young[segment],
        divided=np.zeros(len(segment), dtype=bool),
    )  # fmt: skip
    is_twig = np.isin(axes.run, runs)
    base, tip = (np.where(is_twig, share, 1.0) for share in _TWIG)
    drawn = skeleton.length.copy()
    drawn[ends] = np.maximum(spray.last * (axes.start[ends] + drawn[ends]) - axes.start[ends], 0.1 * drawn[ends])
    twigs = replace(
        skeleton, organ=np.where(is_twig, organs.index("petiole"), skeleton.organ),
        radius_base=base * skeleton.radius_base, radius_tip=tip * skeleton.radius_tip, length=drawn,
    )  # fmt: skip
    joined = {name: np.concatenate([getattr(twigs, name), getattr(leaves, name)]) for name in vars(twigs)}
    return Skeleton(**joined), np.concatenate([own, segment])


def differing(spray: Spray | None, count: int) -> Array:
    """(count, 4) random numbers in 0..1 of the leaves of sprays, one twig after the other. The first is how old a leaf
    is beside all others: a twig's lowest ones came first, but for chance."""
    rng = np.random.default_rng(1)
    chance = rng.random((count, 4))
    if spray is not None and count:
        from_tip = 1.0 - (np.arange(count) % spray.leaves) / spray.leaves
        chance[np.argsort(chance[:, 0] + from_tip), 0] = (np.arange(count) + 0.5) / count
    return chance


def _grown(spray: Spray, sprays: int) -> Array:
    """(sprays * leaves) lengths of leaves over the largest's: those in the middle are, one by one a little less."""
    middle = np.sin(np.pi * np.linspace(0.2, 0.85, spray.leaves))
    chance = np.random.default_rng(1).uniform(0.82, 1.0, (sprays, spray.leaves))
    return ((1.0 - _SMALLER + _SMALLER * middle) * chance).ravel()


def _directions(frame: Array, spray: Spray, sprays: int) -> Array:
    """(sprays * leaves, 4) frames of leaves on twigs with these frames: one by one around the twig, the last ahead,
    all with their upper side to the twig's."""
    k, rng = spray.leaves, np.random.default_rng(2)
    spread, around = np.append(np.linspace(1.0, 0.6, k - 1), 0.0), np.radians(spray.turn_degrees) * np.arange(k)
    mirrored = rng.choice([-1.0, 1.0], (sprays, 1))
    side = (np.cos(around) * spread * mirrored).ravel()
    rise = _RISE * np.tile(np.sin(around) * spread, sprays)
    scatter = np.radians(spray.scatter_degrees) * rng.standard_normal((3, sprays * k))
    turned = turned_about(frame, 2, np.radians(spray.angle_degrees) * side + scatter[0])
    turned = turned_about(turned, 0, scatter[1] + np.radians(spray.angle_degrees) * rise - spray.hang * np.abs(side))
    return turned_about(_to_sky(turned, spray.to_sky), 1, scatter[2])


def _to_sky(frame: Array, share: float) -> Array:
    """Frames (n, 4) of blades that have turned their upper sides so far to the sky: about themselves, the less the
    steeper they stand, and those that rise are laid down."""
    right, _, up = matrices(frame)[:, 2].T
    turned = turned_about(frame, 1, share * np.hypot(right, up) * np.arctan2(right, up))
    rise = np.arcsin(np.clip(matrices(turned)[:, 2, 1], 0.0, 1.0))
    return turned_about(turned, 0, -_LAID * share * rise)
