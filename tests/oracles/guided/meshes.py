# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes of triangles: vertices (v, 3) m and triangles (t, 3)."""

import numpy as np


def grid(count: int) -> tuple[np.ndarray, np.ndarray]:
    """A square of 1 m in the plane of x and y, so many squares a side."""
    x, y = np.meshgrid(*[np.linspace(0.0, 1.0, count + 1)] * 2, indexing="ij")
    vertices = np.stack([x.ravel(), y.ravel(), np.zeros(x.size)], axis=1)
    i, j = (one.ravel() for one in np.meshgrid(*[np.arange(count)] * 2, indexing="ij"))
    a, step = i * (count + 1) + j, count + 1
    return vertices, np.concatenate([np.stack([a, a + step, a + step + 1], 1), np.stack([a, a + step + 1, a + 1], 1)])


def ball(radius: float, count: int) -> tuple[np.ndarray, np.ndarray]:
    """A ball: six faces of a cube, so many squares a side, blown up; its triangles are seen from outside."""
    flat, triangles = grid(count)
    side = np.tan((flat[:, :2] - 0.5) * np.pi / 2.0)
    face = np.stack([side[:, 0], side[:, 1], np.ones(len(side))], axis=1)
    faces = []
    for axis in range(3):
        rolled = np.roll(face, axis, axis=1)
        faces += [rolled, -rolled]
    vertices = np.concatenate(faces)
    turned = [triangles if k % 2 == 0 else triangles[:, ::-1] for k in range(6)]
    whole = np.concatenate([one + k * len(face) for k, one in enumerate(turned)])
    vertices = radius * vertices / np.linalg.norm(vertices, axis=1, keepdims=True)
    _, first, which = np.unique(np.round(vertices / radius, 9) + 0.0, axis=0, return_index=True, return_inverse=True)
    return vertices[first], which.reshape(-1)[whole]
