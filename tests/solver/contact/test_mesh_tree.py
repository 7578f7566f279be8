# SPDX-License-Identifier: GPL-3.0-or-later
"""Trees of boxes find every triangle that is near in a part of a frame, and what is clear of a mesh stays so."""

from types import SimpleNamespace

import numpy as np
import pytest

from solver.contact.clearance import is_clear
from solver.contact.mesh_tree import FEW, after_subtree, apart, fit, leaves_for, order_of
from solver.contact.obstacles import NOW, SHARE
from solver.contact.touch import CLEAR


def soup(count, seed):
    rng = np.random.default_rng(seed)
    middle = rng.uniform(-1.0, 1.0, size=(count, 1, 3))
    vertices = (middle + rng.normal(scale=0.05, size=(count, 3, 3))).reshape(-1, 3)
    return vertices, np.arange(3 * count, dtype=np.int64).reshape(-1, 3)


def found(boxes, leaves, order, count, low, high, since, now):
    """The triangles in leaves that meet the box, as kernels walk."""
    i, result = 0, []
    while True:
        if apart(boxes, i, low, high, since, now):
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
    after = before + np.random.default_rng(2).uniform(-0.1, 0.1, size=before.shape)
    order, leaves = order_of(before, triangles), leaves_for(count)
    assert sorted(order.tolist()) == list(range(count))
    boxes = np.empty((2 * leaves - 1, 12))
    fit(before, after, triangles, order, 0, count, 0, leaves, boxes)
    rng = np.random.default_rng(1)
    for low in rng.uniform(-1.2, 1.0, size=(40, 3)):
        high, since, now = low + 0.3, *np.sort(rng.uniform(size=2))
        swept = np.concatenate([((1.0 - s) * before + s * after)[triangles] for s in (since, now)], axis=1)
        near = ((swept.max(axis=1) >= low) & (swept.min(axis=1) <= high)).all(axis=1)
        there = found(boxes, leaves, order, count, tuple(low), tuple(high), since, now)
        assert set(np.flatnonzero(near).tolist()) <= set(there)
        assert len(there) == len(set(there))
        if count == 1000:
            assert len(there) < 0.3 * count


def test_what_is_clear_of_a_deforming_mesh_has_nothing_near():
    """A shape on a random walk: whenever it is said to be clear, no triangle is so near to it in the step."""
    rng, clear, near = np.random.default_rng(3), 0, 0
    for _ in range(60):
        before, triangles = soup(40, int(rng.integers(1000)))
        after = before + rng.normal(scale=rng.choice([0.0, 0.02, 0.1]), size=before.shape)
        order, leaves = order_of(before, triangles), leaves_for(40)
        boxes = np.empty((2 * leaves - 1, 12))
        fit(before, after, triangles, order, 0, 40, 0, leaves, boxes)
        obstacles = SimpleNamespace(
            boxes=boxes, tree=np.array([[0, leaves]]), rate=np.array([24.0]),
            fastest=np.array([np.linalg.norm(after - before, axis=1).max()]),
        )  # fmt: skip
        touching = SimpleNamespace(obstacles=obstacles, clear=np.zeros((1, 1, CLEAR)), now=np.zeros((1, NOW)))
        start, d, fast, s = rng.uniform(-1.5, 1.5, size=3), rng.normal(scale=0.1, size=3), rng.uniform(0.0, 4.0), 0.0
        while s < 1.0:
            step = min(rng.uniform(0.02, 0.3), 1.0 - s)
            way = rng.normal(size=3)
            way *= rng.uniform(0.0, 2.0) * fast * step / 24.0 / np.linalg.norm(way)  # faster, at times, than was said
            start, s, wide = start + way, s + step, rng.uniform(0.0, 0.05)
            touching.now[0, SHARE] = s
            asked = tuple(start), tuple(d), (0.0, 0.0, 0.0), wide + np.linalg.norm(way), step / 24.0, fast
            is_so = is_clear(touching, 0, 0, *asked)
            clear, near = clear + is_so, near + (not is_so)
            if is_so:
                ends = [((1.0 - t) * before + t * after) for t in (s - step, s)]
                swept = np.concatenate([end[triangles] for end in ends], axis=1)
                shape = np.array([start, start + d, start - way, start + d - way])
                low, high = shape.min(axis=0) - wide, shape.max(axis=0) + wide
                assert not ((swept.max(axis=1) >= low) & (swept.min(axis=1) <= high)).all(axis=1).any()
    assert min(clear, near) > 50
