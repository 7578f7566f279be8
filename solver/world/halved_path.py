# SPDX-License-Identifier: GPL-3.0-or-later
"""The paths of bases through a frame, gone in two halves that are frames of their own."""

from typing import NamedTuple

import numpy as np

from ..base.arrays import Floats
from ..math.rotations import conjugate, logarithm, multiply, rotate, unrotate
from .base_motion import MovingBase, bases_at, copy_bases


class _At(NamedTuple):
    """Where p bases are and how they move: position (p, 3) m, orientation (p, 4), velocity (p, 3) m/s, and angular
    velocity (p, 3) rad/s, in the world's axes."""

    position: Floats
    orientation: Floats
    velocity: Floats
    omega: Floats


class HalvedPath:
    """Leads the bases along a frame's path in two halves.

    The velocity at a frame's end is the backward difference through three poses (see base_motion.py). So that the
    halves end as fast as the path is there, they are told another mean velocity of the frame before.
    """

    def __init__(self, start: MovingBase, end: MovingBase, duration: float):
        """start, end: of the frame of duration (s) gone through in one go."""
        self._start, self._end, self._half = start, end, 0.5 * duration
        #: Whether all bases stand still.
        self.stands = not start.now[:, 2:].any() and bool((start.now[:, :2] == end.now[:, :2]).all())
        there = copy_bases(end)
        bases_at(there, 0.5, duration, 0.0, 0.0, 1.0)
        self._from, self._middle, self._to = _at(start), _at(there), _at(end)
        #: Position (p, 3) m and orientation (p, 4) at the first half's end.
        self.middle = self._middle.position, self._middle.orientation

    def to_middle(self) -> MovingBase:
        """The bases at the start, on their way through the first half."""
        return self._led(self._start, self._from, self._middle)

    def to_end(self, bases: MovingBase) -> MovingBase:
        """These bases, which have gone through the first half, on their way through the second one."""
        return self._led(bases, self._middle, self._to)

    def arrived(self, bases: MovingBase) -> MovingBase:
        """These bases, which have gone through both halves, as if that had been one frame."""
        return bases._replace(mean=self._end.mean.copy(), frames=self._end.frames.copy())

    def _led(self, bases: MovingBase, start: _At, end: _At) -> MovingBase:
        turn = logarithm(multiply(conjugate(start.orientation), end.orientation))
        v_mean, w_mean = (end.position - start.position) / self._half, turn / self._half
        # What path_to takes for 1.5 now - 0.5 before is to be the velocity at the end.
        mean = np.empty_like(bases.mean)
        mean[:, 0] = 3.0 * v_mean - 2.0 * end.velocity
        before = 3.0 * w_mean - 2.0 * unrotate(end.orientation, end.omega)
        mean[:, 1] = rotate(multiply(conjugate(start.orientation), end.orientation), before)
        return bases._replace(mean=mean)


def _at(bases: MovingBase) -> _At:
    now = bases.now
    return _At(now[:, 0, :3], now[:, 1], now[:, 2, :3], now[:, 3, :3])
