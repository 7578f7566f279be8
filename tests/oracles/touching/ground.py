# SPDX-License-Identifier: GPL-3.0-or-later
"""Ground as meshes."""

import numpy as np


def flat_mesh(half: float, pitch: float) -> dict[str, np.ndarray]:
    """vertices (v, 3) m and triangles (t, 3) of level ground about the origin, whose squares are cut in two."""
    n = round(2.0 * half / pitch) + 1
    x, y = np.meshgrid(np.linspace(-half, half, n), np.linspace(-half, half, n), indexing="ij")
    i = np.arange(n * n).reshape(n, n)
    a, b, c, d = i[:-1, :-1].ravel(), i[1:, :-1].ravel(), i[1:, 1:].ravel(), i[:-1, 1:].ravel()
    triangles = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
    return {"vertices": np.stack([x.ravel(), y.ravel(), 0.0 * x.ravel()], axis=1), "triangles": triangles}
