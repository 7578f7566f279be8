# SPDX-License-Identifier: GPL-3.0-or-later
"""What tests ask of the faces of a skin."""

import numpy as np


def directed_edges(surface):
    """All edges (e, 2) of all faces, in the direction in which the face goes around."""
    return np.concatenate(
        [
            np.stack([face, np.roll(face, -1, axis=1)], axis=2).reshape(-1, 2)
            for face in (surface.quads, surface.triangles)
        ]
    )


def components(count, edges):
    """One vertex of each piece that edges hold together."""
    label = np.arange(count)
    while True:
        lowest = label.copy()
        np.minimum.at(lowest, edges[:, 0], label[edges[:, 1]])
        np.minimum.at(lowest, edges[:, 1], label[edges[:, 0]])
        if (lowest == label).all():
            return np.unique(label)
        label = lowest
