# SPDX-License-Identifier: GPL-3.0-or-later
"""A surface on which points are held, as it is given at one frame."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..base.checks import finite, indices, truth
from ..base.errors import SolverError

#: Triangles whose area is less than this share of the squared size of all have none; and normals shorter than this have
#: no direction.
_NO_AREA, _NO_LENGTH = 1e-20, 1e-12


@dataclass(frozen=True)
class Surface:
    """Triangles (t, 3) between vertices (v, 3) m, world axes. They bulge as their normals say, so that it is as smooth
    as it looks; triangles that share two vertices are joined there.

    normals (t, 3, 3) at the corners of triangles; without them those of all triangles at a vertex count by their
    angles there, or, not smooth, triangles are flat
    name: by which it is known again at the next frame; of one name the first is the first
    """

    vertices: ArrayLike
    triangles: ArrayLike
    normals: ArrayLike | None = None
    smooth: bool = True
    name: str = ""

    def checked(self) -> "Surface":
        """The same with arrays of numbers, without triangles that have no area, and with unit normals. Raises
        SolverError for what is not numbers, is out of range or has another shape, or has no area."""
        who = f"surface {self.name!r}"
        vertices = finite(f"{who}'s vertices", self.vertices, (len(np.atleast_1d(self.vertices)), 3))
        triangles = np.asarray(self.triangles)
        if triangles.size == 0:
            raise SolverError(f"{who} has no triangles")
        if triangles.ndim != 2 or triangles.shape[1] != 3:
            raise SolverError(f"{who} has triangles of shape {triangles.shape}, expected (t, 3)")
        flat = indices(f"{who}'s triangles", triangles.ravel(), 0, len(vertices) - 1, "3 t")
        triangles = flat.reshape(-1, 3)
        across = _across(vertices, triangles)
        size = np.ptp(vertices, axis=0).max()
        good = np.linalg.norm(across, axis=1) > _NO_AREA * size * size
        if not good.any():
            raise SolverError(f"{who} has no area")
        smooth = truth("smooth", self.smooth)
        if self.normals is not None:
            normals = finite(f"{who}'s normals", self.normals, (len(triangles), 3, 3))[good]
        elif smooth:
            normals = _of_vertices(vertices, triangles[good])
        else:
            normals = np.repeat(across[good][:, None], 3, axis=1)
        triangles, across = np.ascontiguousarray(triangles[good]), across[good]
        length = np.linalg.norm(normals, axis=2, keepdims=True)
        whole = np.where(length > _NO_LENGTH * length.max(), normals, across[:, None])
        normals = whole / np.linalg.norm(whole, axis=2, keepdims=True)
        return Surface(vertices, triangles, np.ascontiguousarray(normals), smooth, self.name)


def _across(vertices: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """(t, 3) normals of triangles, twice as long as their areas."""
    a, b, c = (vertices[triangles[:, i]] for i in range(3))
    return np.cross(b - a, c - a)


def _of_vertices(vertices: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """(t, 3, 3) normals at corners: of all triangles at the same vertex, by their angles there."""
    across = _across(vertices, triangles)
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    found = np.zeros_like(vertices)
    for i in range(3):
        here = vertices[triangles[:, i]]
        one, other = vertices[triangles[:, i - 2]] - here, vertices[triangles[:, i - 1]] - here
        angle = np.arctan2(np.linalg.norm(np.cross(one, other), axis=1), (one * other).sum(axis=1))
        np.add.at(found, triangles[:, i], angle[:, None] * across)
    return np.asarray(found[triangles])
