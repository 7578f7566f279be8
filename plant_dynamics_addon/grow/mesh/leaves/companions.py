# SPDX-License-Identifier: GPL-3.0-or-later
"""Companions: further leaves that are drawn beside each leaf of the skeleton and move with it.

So a tuft has the shoots, a frond the leaflets and a twig the side twigs of a real one without their bones. Each stands
for a leaf that moves as its neighbour does: the air feels the neighbour alone, and motion is as without companions.
"""

from dataclasses import dataclass, field

import numpy as np

from ..arrays import Array, Index, dot, matrices, turned_about
from ..axes import BLADE, Axes, find_axes, stations_along
from ..skeleton import Skeleton


@dataclass(frozen=True)
class Companions:
    """How many stand by a leaf, and where; those of `tufts` by leaves that rise from the ground, others by leaves that
    stand off a stem or stalk, or continue one."""

    count: int
    smallest: float = 0.6  # over the leaf's own length
    largest: float = 1.0
    tufts: bool = False
    apart: float = 0.0  # of tufts, how far from the leaf they rise, in its widths
    back: float = 0.0  # over which share of the segment before that is below the leaf they are spread, downwards
    first: float = 0.0  # where they stand on the leaf itself, which is a twig: shares of its length
    last: float = 0.0
    angle_degrees: float = 0.0  # in which they leave it, to its two sides in turn
    scatter_degrees: tuple[float, float, float] = (0.0, 0.0, 0.0)  # about the leaf's own axes, standard deviations


#: A leaf that leaves a stalk by less (cosine) goes on along it: there is nobody below it.
_ASIDE = np.cos(np.radians(15.0))
#: Shares of a leaf's length up to which its base stays with the stalk that it stands on.
_ROOTED = 0.3


@dataclass(frozen=True)
class Accompanied:
    """A skeleton with companions after all its n segments."""

    skeleton: Skeleton
    carrier: Index  # (m) the segment of the given skeleton whose bone carries each
    axes: Axes | None = None  # of the given skeleton; None: there are no companions
    base: Array = field(default_factory=lambda: np.zeros((0, 3)))  # (m - n, 3) m, from where distances are measured
    root: Index = field(default_factory=lambda: np.zeros(0, dtype=np.int64))  # (m - n) whose bone holds the base; or -1
    rooted: Array = field(default_factory=lambda: np.zeros(0))  # (m - n) m from the base to where that ends

    def bones_and_weights(self, segment: Index, points: Array, bones: Index, weights: Array) -> tuple[Index, Array]:
        """Bones and weights (v, b) of vertices of these segments (v): of companions those that a leaf of several bones
        has as far from its base, with a further column for the stalk that holds the bases of leaflets."""
        axes, n = self.axes, len(self.carrier) - len(self.base)
        at = np.flatnonzero(segment >= n)
        if axes is None:
            return bones, weights
        bones, weights = (np.pad(one, ((0, 0), (0, 1))) for one in (bones, weights))
        number, leader = segment[at] - n, axes.run[self.carrier[segment[at]]]
        far = np.linalg.norm(points[at] - self.base[number], axis=1)
        bends = np.diff(axes.first)[leader] > 1
        stations = stations_along(axes, leader[bends], far[bends])
        bones[at[bends], :3], weights[at[bends], :3] = stations.bones, stations.weights
        weights[at[bends], 3:] = 0.0
        share = np.where(self.root[number] < 0, 1.0, np.clip(far / self.rooted[number], 0.0, 1.0))
        share = share * share * (3.0 - 2.0 * share)
        weights[at] *= share[:, None]
        bones[at, -1], weights[at, -1] = np.maximum(self.root[number], 0), 1.0 - share
        return bones, weights


def with_companions(skeleton: Skeleton, organs: tuple[str, ...], companions: Companions | None) -> Accompanied:
    """The skeleton with the companions of its leaves."""
    n, own = len(skeleton.parent), np.arange(len(skeleton.parent))
    alone = Accompanied(skeleton, own)
    if companions is None:
        return alone
    axes = find_axes(skeleton, organs)
    runs = _accompanied(skeleton, axes, companions, organs.index("leaf"))
    if not len(runs):
        return alone
    k, rng = companions.count, np.random.default_rng(3)
    chosen = np.repeat(runs, k)
    size = rng.uniform(companions.smallest, companions.largest, len(chosen))
    number = np.tile(np.arange(k), len(runs))

    count = (axes.first[1:] - axes.first[:-1])[chosen]
    of = np.repeat(np.arange(len(chosen)), count)
    step = np.arange(len(of)) - np.repeat(np.cumsum(count) - count, count)
    carrier = axes.segments[axes.first[chosen][of] + step]
    base = axes.bases(chosen)
    begin = skeleton.head[base] + _shifts(skeleton, axes, companions, chosen, number, rng)
    # the whole leaf is turned about its base
    turn = _turns(skeleton.frame[base], companions, number, rng)
    away = skeleton.head[carrier] - skeleton.head[base][of]
    rotation = matrices(turn) @ matrices(skeleton.frame[base]).swapaxes(1, 2)
    head = begin[of] + size[of, None] * np.einsum("kij,kj->ki", rotation[of], away)
    frame = _product(_product(turn, _inverse(skeleton.frame[base]))[of], skeleton.frame[carrier])

    added = Skeleton(
        parent=np.where(step > 0, n + np.arange(len(of)) - 1, -1), head=head, frame=frame,
        length=size[of] * skeleton.length[carrier], radius_base=skeleton.radius_base[carrier],
        radius_tip=skeleton.radius_tip[carrier], width=np.sqrt(size[of]) * skeleton.width[carrier],
        organ=skeleton.organ[carrier], axis=int(skeleton.axis.max()) + 1 + of, young=skeleton.young[carrier],
        divided=skeleton.divided[carrier],
    )  # fmt: skip
    joined = {name: np.concatenate([getattr(skeleton, name), getattr(added, name)]) for name in vars(skeleton)}
    last = axes.ends(chosen)
    rooted = _ROOTED * size * (axes.start[last] + axes.length[last])
    root = skeleton.parent[base] if companions.back else np.full(len(chosen), -1)
    stands_apart = companions.tufts or companions.back > 0.0
    measured = begin if stands_apart else skeleton.head[base]
    return Accompanied(Skeleton(**joined), np.concatenate([own, carrier]), axes, measured[of], root[of], rooted[of])


def _accompanied(skeleton: Skeleton, axes: Axes, companions: Companions, leaf: int) -> Index:
    """The runs of leaves that have companions."""
    runs = axes.runs_of(BLADE)
    base = axes.bases(runs)
    parent = skeleton.parent[base]
    if companions.tufts:
        chosen = parent < 0
    elif companions.back:
        chosen = (parent >= 0) & (dot(axes.direction[base], axes.direction[parent]) < _ASIDE)
    else:
        chosen = np.ones(len(base), dtype=bool)
    found: Index = runs[chosen & (skeleton.organ[base] == leaf)]
    return found


def _shifts(
    skeleton: Skeleton, axes: Axes, companions: Companions, runs: Index, number: Index, rng: np.random.Generator
) -> Array:
    """(c, 3) m from where the leaves of these runs begin to where their companions do."""
    base, last = axes.bases(runs), axes.ends(runs)
    if companions.tufts:
        angle = rng.uniform(0.0, 2.0 * np.pi, len(base))
        far = companions.apart * skeleton.width[base] * np.sqrt(rng.random(len(base)))
        return np.stack([far * np.cos(angle), far * np.sin(angle), np.zeros(len(base))], axis=1)
    share = (number + 1.0) / (companions.count + 1.0)
    parent = np.maximum(skeleton.parent[base], 0)
    back = companions.back * share * skeleton.length[parent]
    place = companions.first + (companions.last - companions.first) * number / max(companions.count - 1, 1)
    ahead = place * (axes.start[last] + axes.length[last])
    return ahead[:, None] * axes.direction[base] - back[:, None] * axes.direction[parent]


def _turns(frame: Array, companions: Companions, number: Index, rng: np.random.Generator) -> Array:
    """(c, 4) frames of companions of leaves whose frames these are."""
    scatter = np.radians(companions.scatter_degrees) * rng.standard_normal((len(frame), 3))
    aside = np.radians(companions.angle_degrees) * np.where(number % 2, -1.0, 1.0)
    turned = turned_about(turned_about(frame, 1, scatter[:, 1]), 2, scatter[:, 2] + aside)
    return turned_about(turned, 0, scatter[:, 0])


def _product(one: Array, other: Array) -> Array:
    """Hamilton products (n, 4)."""
    w, v, s, u = one[:, :1], one[:, 1:], other[:, :1], other[:, 1:]
    return np.concatenate([w * s - dot(v, u)[:, None], w * u + s * v + np.cross(v, u)], axis=1)


def _inverse(quaternions: Array) -> Array:
    return quaternions * (1.0, -1.0, -1.0, -1.0)
