# SPDX-License-Identifier: GPL-3.0-or-later
"""The bones of leaves that are cut into several lie in their blades: they follow the midrib, which rises and droops."""

from typing import NamedTuple

import numpy as np

from ..arrays import Array, Index, matrices
from ..skeleton import Skeleton


class Bow(NamedTuple):
    """How high leaves rise above the line from base to tip, and how far their tips hang below it, in their lengths."""

    arch: Array  # (n)
    droop: Array  # (n)

    def at(self, along: Array) -> Array:
        """(n, k) height of the midribs at fractions (k) or (n, k) of their lengths."""
        rises = 4.0 * self.arch[:, None] * along * (1.0 - along) ** 1.5
        return rises - self.droop[:, None] * along**3


class Places(NamedTuple):
    """What a skeleton's segments get instead of their own."""

    head: Array
    frame: Array
    length: Array


def along_midribs(skeleton: Skeleton, bases: Index, pieces: int, bow: Bow) -> Places:
    """Places of all segments where leaves of so many pieces, which begin with the segments `bases`, follow their
    midribs. What grows on them goes along with their tips. bow: of these leaves."""
    head, frame, length = (np.array(one) for one in (skeleton.head, skeleton.frame, skeleton.length))
    own = bases[:, None] + np.arange(pieces)
    whole = length[own].sum(axis=1)
    fractions = np.linspace(0.0, 1.0, pieces + 1)
    up = bow.at(fractions) * whole[:, None]
    steps = np.stack([np.diff(fractions) * whole[:, None], np.diff(up, axis=1)], axis=2)  # ahead, and up
    axes = matrices(frame[bases])
    places = fractions[:, None] * (whole[:, None] * axes[:, :, 1])[:, None] + up[..., None] * axes[:, None, :, 2]
    tips = head[bases] + places[:, -1] - _tails(skeleton)[own[:, -1]]
    _carry(skeleton, own, tips, head)
    head[own] = head[bases][:, None] + places[:, :-1]
    length[own] = np.linalg.norm(steps, axis=2)
    half = 0.5 * np.arctan2(steps[..., 1], steps[..., 0])
    frame[own] = _turned_about_x(frame[own], half)
    return Places(head, frame, length)


def bases_and_pieces(skeleton: Skeleton) -> tuple[Index, int]:
    """The first segments of leaves that are cut, and into how many pieces each is."""
    parent = skeleton.parent
    goes_on = skeleton.divided & skeleton.divided[parent] & (skeleton.axis == skeleton.axis[parent])
    bases = np.flatnonzero(skeleton.divided & ~goes_on)
    return bases, int(np.count_nonzero(skeleton.divided) // max(1, len(bases)))


def _tails(skeleton: Skeleton) -> Array:
    return skeleton.head + skeleton.length[:, None] * matrices(skeleton.frame)[:, :, 1]


def _carry(skeleton: Skeleton, own: Index, tips: Array, head: Array) -> None:
    """Move what grows on the leaves as far as their tips have moved. In place."""
    moved = np.zeros_like(head)
    is_piece = np.zeros(len(head), dtype=bool)
    is_piece[own] = True
    of_last = dict(zip(own[:, -1].tolist(), tips, strict=True))
    for i in np.flatnonzero(~is_piece & (skeleton.parent >= 0)):  # parents come before children
        above = int(skeleton.parent[i])
        moved[i] = moved[above] + of_last.get(above, 0.0)
    head += moved


def _turned_about_x(frames: Array, half: Array) -> Array:
    """Quaternions (..., 4) turned about their own X by twice these angles (...)."""
    w, x, y, z = np.moveaxis(frames, -1, 0)
    c, s = np.cos(half), np.sin(half)
    return np.stack([w * c - x * s, x * c + w * s, y * c + z * s, z * c - y * s], axis=-1)
