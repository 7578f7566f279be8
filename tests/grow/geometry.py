# SPDX-License-Identifier: GPL-3.0-or-later
"""What Blender works out for the skin, without Blender: slow, and for small plants."""

from collections import deque
from itertools import combinations

import numpy as np
from scipy.spatial import Delaunay, cKDTree

from plant_dynamics_addon.grow.mesh.geometry import Geometry


class _Triangles:
    """Triangles, counter-clockwise, of which any edge can be turned (Sloan 1993)."""

    def __init__(self, points, triangles):
        self.points, self.third = points, {}
        for triangle in triangles.tolist():
            self.add(*(triangle if self.area(*triangle) > 0 else triangle[::-1]))

    def area(self, a, b, c):
        (ax, ay), (bx, by), (cx, cy) = self.points[[a, b, c]]
        return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)

    def add(self, a, b, c):
        self.third |= {(a, b): c, (b, c): a, (c, a): b}

    def crosses(self, a, b, p, q):
        if {a, b} & {p, q}:
            return False
        sides = self.area(a, b, p) * self.area(a, b, q) < 0
        return sides and self.area(p, q, a) * self.area(p, q, b) < 0

    def turned(self, a, b):
        """The new edge, or None where the two triangles are no convex quadrangle."""
        c, d = self.third[a, b], self.third[b, a]
        if self.area(a, d, c) <= 0 or self.area(d, b, c) <= 0:
            return None
        del self.third[a, b], self.third[b, a]
        self.add(a, d, c)
        self.add(d, b, c)
        return c, d

    def insert(self, p, q, fixed):
        """Whether the edge could be made one of the triangles'."""
        crossing = deque(edge for edge in self.third if edge[0] < edge[1] and self.crosses(*edge, p, q))
        for _ in range(len(crossing) ** 2 + 10):
            if not crossing:
                break
            a, b = crossing.popleft()
            if (a, b) in fixed or (b, a) in fixed:
                return False
            new = self.turned(a, b)
            if new is None:
                crossing.append((a, b))
            elif self.crosses(*new, p, q):
                crossing.append(new)
        return (p, q) in self.third or (q, p) in self.third


def triangulated(places, edges, same):
    """Constrained Delaunay, within a box far away, which is taken out again."""
    if cKDTree(places).query_pairs(same):
        return None
    size = 20.0 * np.ptp(places, axis=0).max()
    box = places.mean(axis=0) + size * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    points = np.concatenate([places, box])
    found = _Triangles(points, Delaunay(points).simplices)
    fixed: set[tuple[int, int]] = set()
    for p, q in edges.tolist():
        if (p, q) not in found.third and (q, p) not in found.third and not found.insert(p, q, fixed):
            return None
        fixed.add((p, q))
    corners = {(a, b, c) for (a, b), c in found.third.items() if a < min(b, c)}
    return np.array([three for three in sorted(corners) if max(three) < len(places)], dtype=np.int64)


def overlapping(points, faces):
    """Pairs of faces whose triangles cut one another."""
    of_face = np.array([number for number, face in enumerate(faces) for _ in face[2:]])
    corners = points[[[face[0], face[k], face[k + 1]] for face in faces for k in range(1, len(face) - 1)]]
    low, high = corners.min(axis=1), corners.max(axis=1)
    near = ((low[:, None] <= high) & (high[:, None] >= low)).all(axis=2)
    one, other = np.argwhere(np.triu(near & (of_face[:, None] != of_face), 1)).T
    cut = _pierced(corners[one], corners[other]) | _pierced(corners[other], corners[one])
    return list(zip(of_face[one[cut]].tolist(), of_face[other[cut]].tolist(), strict=True))


def _pierced(triangles, others):
    """Whether an edge of each of the others (n, 3, 3) goes through its triangle (n, 3, 3)."""
    a, u, v = triangles[:, 0], triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    found = np.zeros(len(a), dtype=bool)
    for start, end in combinations(range(3), 2):
        matrix = np.stack([u, v, others[:, start] - others[:, end]], axis=2)
        leans = np.abs(np.linalg.det(matrix)) > 1e-30
        x, y, t = np.linalg.solve(matrix[leans], (others[:, start] - a)[leans, :, None])[:, :, 0].T
        found[leans] |= (x > 0) & (y > 0) & (x + y < 1) & (t > 0) & (t < 1)
    return found


GEOMETRY = Geometry(triangulated, overlapping)
#: With which no branch is welded to its parent.
UNWELDED = Geometry(lambda *_: None, lambda *_: [])
