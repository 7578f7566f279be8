# SPDX-License-Identifier: GPL-3.0-or-later
"""Trees of boxes find every triangle that is near, and hold both ends of a frame."""

import numpy as np
import pytest

from solver.contact.mesh_tree import FEW, after_subtree, apart, fit, leaves_for, order_of


def soup(count, seed):
    rng = np.random.default_rng(seed)
    middle = rng.uniform(-1.0, 1.0, size=(count, 1, 3))
    vertices = (middle + rng.normal(scale=0.05, size=(count, 3, 3))).reshape(-1, 3)
    return vertices, np.arange(3 * count, dtype=np.int64).reshape(-1, 3)


def found(boxes, leaves, order, count, low, high):
    """The triangles in leaves that meet the box, as kernels walk."""
    i, result = 0, []
    while True:
        if apart(boxes, i, low, high):
            i = after_subtree(i)
        elif i < leaves - 1:
            i = 2 * i + 1
        else:
            at = FEW * (i - leaves + 1)
            result += order[at : min(at + FEW, count)].tolist()
            i = after_subtree(i)
        if i == 0:
            return result


@pytest.mark.parametrize("count", [1, 4, 5, 33, 1000])
def test_every_triangle_that_is_near_is_found_once(count):
    before, triangles = soup(count, count)
    after = before + 0.1
    order, leaves = order_of(before, triangles), leaves_for(count)
    assert sorted(order.tolist()) == list(range(count))
    boxes = np.empty((2 * leaves - 1, 6))
    fit(before, after, triangles, order, 0, count, 0, leaves, boxes)
    swept = np.concatenate([before[triangles], after[triangles]], axis=1)
    for low in np.random.default_rng(1).uniform(-1.2, 1.0, size=(40, 3)):
        high = low + 0.3
        near = ((swept.max(axis=1) >= low) & (swept.min(axis=1) <= high)).all(axis=1)
        there = found(boxes, leaves, order, count, tuple(low), tuple(high))
        assert set(np.flatnonzero(near).tolist()) <= set(there)
        assert len(there) == len(set(there))
        if count == 1000:
            assert len(there) < 0.3 * count
