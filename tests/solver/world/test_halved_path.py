# SPDX-License-Identifier: GPL-3.0-or-later
"""A base's path through a frame, gone in halves and in halves of these, is the path gone in one go."""

import numpy as np
import pytest

from solver.math.rotations import conjugate, exponential, logarithm, multiply
from solver.world.base_motion import base_of, bases_arrived, bases_at, bases_at_rest, copy_bases, path_to
from solver.world.halved_path import HalvedPath

FRAME, BASES = 1.0 / 24.0, 3


@pytest.mark.parametrize(("turn", "off"), [(0.0, 1e-14), (1e-3, 1e-10), (0.3, 2e-3)])
def test_halves_go_along_the_frames_path(turn, off):
    """Rotation vectors are cubic from the pose at their frame's start, so that paths of halves differ a little where
    the axis changes, but neither where they end nor how fast."""
    rng = np.random.default_rng(5)
    bases = bases_at_rest(rng.normal(size=(BASES, 3)), exponential(rng.normal(size=(BASES, 3))))
    for _ in range(4):
        position = bases.now[:, 0, :3] + 0.1 * rng.normal(size=(BASES, 3))
        orientation = multiply(bases.now[:, 1], exponential(turn * rng.normal(size=(BASES, 3))))
        whole = go_on(bases, position, orientation, FRAME)
        quarters = whole_in_halves(bases, position, orientation, FRAME, 2)
        for share in (0.1, 0.3, 0.7, 0.9):
            there, along = put_at(whole, share, FRAME), put_at(quarters[int(4.0 * share)], 4.0 * share % 1.0, FRAME / 4)
            np.testing.assert_allclose(along.now[:, 0], there.now[:, 0], atol=1e-14)
            np.testing.assert_allclose(along.now[:, 2], there.now[:, 2], atol=1e-12)
            turned = logarithm(multiply(conjugate(along.now[:, 1]), there.now[:, 1]))
            assert np.abs(turned).max() <= off
        last = quarters[-1]
        np.testing.assert_allclose(last.now[:, :4], whole.now[:, :4], atol=1e-12)
        bases = whole


def go_on(bases, position, orientation, duration):
    """Bases at the end of a frame; what is given stays."""
    gone = copy_bases(bases)
    for k in range(BASES):
        path_to(base_of(gone, k), position[k], orientation[k], duration)
    return arrived(gone, duration)


def arrived(bases, duration):
    bases_at(bases, 1.0, duration, 0.0, 0.0, 1.0)
    bases_arrived(bases)
    return bases


def put_at(bases, share, duration):
    """Bases at a share of the frame that they have gone through."""
    put = copy_bases(bases)
    bases_at(put, share, duration, 0.0, 0.0, 1.0)
    return put


def whole_in_halves(bases, position, orientation, duration, times):
    """Bases at the ends of all parts of a frame halved so many times."""
    if times == 0:
        return [go_on(bases, position, orientation, duration)]
    path = HalvedPath(bases, go_on(bases, position, orientation, duration), duration)
    first = whole_in_halves(path.to_middle(), *path.middle, 0.5 * duration, times - 1)
    second = whole_in_halves(path.to_end(first[-1]), position, orientation, 0.5 * duration, times - 1)
    return [*first, *second[:-1], path.arrived(second[-1])]


def test_after_halves_the_next_frame_starts_as_after_one():
    rng = np.random.default_rng(6)
    bases = bases_at_rest(np.zeros((BASES, 3)), exponential(rng.normal(size=(BASES, 3))))
    bases = go_on(bases, rng.normal(size=(BASES, 3)), bases.now[:, 1], FRAME)
    position, orientation = rng.normal(size=(BASES, 3)), exponential(rng.normal(size=(BASES, 3)))
    ends = go_on(bases, position, orientation, FRAME), whole_in_halves(bases, position, orientation, FRAME, 3)[-1]
    after = [go_on(end, 2.0 * position, orientation, FRAME) for end in ends]
    np.testing.assert_allclose(after[1].position, after[0].position, atol=1e-11)
    np.testing.assert_allclose(after[1].turn, after[0].turn, atol=1e-11)
    np.testing.assert_array_equal(after[1].frames, after[0].frames)
