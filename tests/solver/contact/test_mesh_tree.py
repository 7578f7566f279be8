# SPDX-License-Identifier: GPL-3.0-or-later
"""Trees of boxes find every triangle that is near, and lists hold what is near a shape while both move."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.interpolate import CubicHermiteSpline

from solver.contact.mesh_tree import adjacent_of, ball_at, fit, leaves_for, next_leaf, order_of, surround, those_of
from solver.contact.nearby import TOO_MANY, triangles_near
from solver.contact.obstacles import NOW, SHARE
from solver.contact.touch import KNOWN, LIST
from solver.world.collider_path import largest_way
from tests.forms import IS_FULL


def soup(count, seed):
    rng = np.random.default_rng(seed)
    middle = rng.uniform(-1.0, 1.0, size=(count, 1, 3))
    vertices = (middle + rng.normal(scale=0.05, size=(count, 3, 3))).reshape(-1, 3)
    return vertices, np.arange(3 * count, dtype=np.int64).reshape(-1, 3)


def on_their_way(before, after, bends, s):
    """Where vertices are at the share s of a frame."""
    rates = after - before + (bends.reshape(-1, 2, 3) if len(bends) else np.zeros((len(before), 2, 3))).swapaxes(0, 1)
    return CubicHermiteSpline((0.0, 1.0), (before, after), rates)(s)


def bent(rng, count, straight):
    return np.zeros((0, 6)) if straight else rng.normal(scale=0.1, size=(count, 6))


def test_adjacent_are_the_triangles_that_have_the_same_sides():
    square = np.array([(0, 1, 2), (2, 3, 0)])
    assert adjacent_of(square).tolist() == [[-1, -1, 1], [-1, -1, 0]]
    tetrahedron = np.array([(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)])
    assert adjacent_of(tetrahedron).tolist() == [[3, 2, 1], [0, 2, 3], [0, 3, 1], [0, 1, 2]]
    assert adjacent_of(tetrahedron[1:] + 7).tolist() == [[-1, 1, 2], [-1, 2, 0], [-1, 0, 1]]


def test_of_more_than_two_triangles_with_a_side_each_is_adjacent_to_another():
    fan = np.array([(0, 1, 2), (1, 0, 3), (0, 1, 4)])
    assert adjacent_of(fan)[:, 0].tolist() == [1, 2, 0]


def found(boxes, leaves, order, count, low, high, since, now):
    """The triangles in leaves that meet the box, as kernels walk."""
    result, leaf = [], next_leaf(boxes, 0, leaves, low, high, since, now, -1)
    while leaf >= 0:
        result += order[slice(*those_of(leaf, leaves, 0, count))].tolist()
        leaf = next_leaf(boxes, 0, leaves, low, high, since, now, leaf)
    return result


@pytest.mark.parametrize("straight", [True, False])
@pytest.mark.parametrize("count", [1, 4, 5, 33, 1000])
def test_every_triangle_that_is_near_is_found_once(count, straight):
    before, triangles = soup(count, count)
    after = before + np.random.default_rng(2).uniform(-0.1, 0.1, size=before.shape)
    bends = bent(np.random.default_rng(3), len(before), straight)
    order, leaves = order_of(before, triangles), leaves_for(count)
    assert sorted(order.tolist()) == list(range(count))
    boxes = np.empty((2 * leaves - 1, 12))
    fit(before, after, bends, triangles, order, 0, count, 0, leaves, boxes)
    rng = np.random.default_rng(1)
    for low in rng.uniform(-1.2, 1.0, size=(40, 3)):
        high, since, now = low + 0.3, *np.sort(rng.uniform(size=2))
        swept = np.concatenate([on_their_way(before, after, bends, s)[triangles] for s in (since, now)], axis=1)
        near = ((swept.max(axis=1) >= low) & (swept.min(axis=1) <= high)).all(axis=1)
        there = found(boxes, leaves, order, count, tuple(low), tuple(high), since, now)
        assert set(np.flatnonzero(near).tolist()) <= set(there)
        assert len(there) == len(set(there))
        if count == 1000 and straight:
            assert len(there) < 0.3 * count


@pytest.mark.parametrize("straight", [True, False])
def test_every_triangle_stays_in_its_ball(straight):
    """Which is no larger than what triangles, and the ways they bend by, need."""
    before, triangles = soup(200, 4)
    after = before + np.random.default_rng(2).uniform(-0.1, 0.1, size=before.shape)
    bends, order = bent(np.random.default_rng(3), len(before), straight), order_of(before, triangles)
    balls = np.empty((200, 7))
    surround(before, after, bends, triangles, order, 0, 200, balls)
    most = np.zeros(200)
    for s in np.linspace(0.0, 1.0, 21):
        corners = on_their_way(before, after, bends, s)[triangles[order]]
        middle, radius = np.array([ball_at(balls, n, s)[0] for n in range(200)]), balls[:, 6]
        off = np.linalg.norm(corners - middle[:, None], axis=2).max(axis=1)
        assert (off <= radius).all()
        most = np.maximum(most, off)
    assert (most > (0.99 if straight else 0.3) * balls[:, 6]).all()


def distances(start, d, corners):
    """(t,) m, from the segment to triangles (t, 3, 3): the least between many points of both."""
    u = np.linspace(0.0, 1.0, 9)
    on = start + u[:, None] * d
    weights = np.array([(a, b, 1.0 - a - b) for a in u for b in u if a + b < 1.0 + 1e-9])
    spots = np.einsum("wc,tcx->twx", weights, corners)
    return np.linalg.norm(spots[:, :, None] - on, axis=3).min(axis=(1, 2))


@pytest.mark.parametrize(("count", "long"), [(40, 0.1), (3000, 0.8)])
def test_all_that_is_near_a_shape_is_listed_while_both_move(count, long):
    """A shape on a random walk by a deforming mesh."""
    rng, clear, listed, crowded = np.random.default_rng(3), 0, 0, 0
    rounds = 60 if count < 100 else 4 if IS_FULL else 2
    for _ in range(rounds):
        before, triangles = soup(count, int(rng.integers(1000)))
        after = before + rng.normal(scale=rng.choice([0.0, 0.02, 0.1]), size=before.shape)
        bends = bent(rng, len(before), rng.random() < 0.5)
        order, leaves = order_of(before, triangles), leaves_for(count)
        boxes = np.empty((2 * leaves - 1, 12))
        fit(before, after, bends, triangles, order, 0, count, 0, leaves, boxes)
        balls = np.empty((count, 7))
        surround(before, after, bends, triangles, order, 0, count, balls)
        obstacles = SimpleNamespace(
            boxes=boxes, balls=balls, tree=np.array([[0, leaves]]), rate=np.array([24.0]), order=order,
            triangles=triangles,
            first=np.array([[0, 0], [count, 3 * count]]), before=before, after=after, bends=bends,
            fastest=np.array([largest_way(after - before, bends if len(bends) else np.zeros((len(before), 6)))]),
        )  # fmt: skip
        touching = SimpleNamespace(
            obstacles=obstacles, known=np.zeros((1, 1, KNOWN)), listed=np.zeros((1, LIST), dtype=np.int64),
            now=np.zeros((1, NOW)),
        )  # fmt: skip
        start, d = rng.uniform(-1.0, 1.0, size=3), rng.normal(scale=long, size=3)
        fast, s = rng.uniform(0.0, 4.0), 0.0
        while s < 1.0:
            step = min(rng.uniform(0.02, 0.1), 1.0 - s)
            way = rng.normal(size=3)
            way *= rng.uniform(0.0, 2.0) * fast * step / 24.0 / np.linalg.norm(way)  # faster, at times, than was said
            start, s, wide = start + way, s + step, rng.uniform(0.0, 0.25 * long)
            touching.now[0, SHARE] = s
            asked = tuple(start), tuple(d), (0.0, 0.0, 0.0)
            found = triangles_near(touching, 0, 0, *asked, wide + np.linalg.norm(way), step / 24.0, fast, True)
            off = distances(start, d, on_their_way(before, after, bends, s)[triangles])
            near = set(np.flatnonzero(off < wide).tolist())
            clear, listed, crowded = clear + (found == 0), listed + (found > 0), crowded + (found == TOO_MANY)
            if found != TOO_MANY:
                assert near <= set(order[touching.listed[0, 1 : found + 1]].tolist())
    least = min(20, 5 * rounds)
    assert listed > least
    assert clear + crowded > least, (clear, crowded)
