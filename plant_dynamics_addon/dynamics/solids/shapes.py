# SPDX-License-Identifier: GPL-3.0-or-later
"""Which solid a mesh is: a ball, a box or a capsule where it is one to rounding, or as one is asked for. NumPy only."""

from dataclasses import dataclass

import numpy as np

#: Vertices may be off by so much of the mesh's size, and of its distance from the origin, which is single precision.
_ROUNDING, _SINGLE = 1e-5, 5e-7

#: A mesh that stands for a round solid has at least so much of its volume: a ball of 16 by 8 faces has 0.9.
_FILLED = 0.85

#: So many vertices are tried first.
_TRIED = 64

#: Quaternions that turn y to x, y and z.
_HALF = float(np.sqrt(0.5))
_FROM_Y = ((_HALF, 0.0, 0.0, -_HALF), (1.0, 0.0, 0.0, 0.0), (_HALF, _HALF, 0.0, 0.0))


@dataclass(frozen=True, eq=False)
class Shape:
    """kind and size as of a solver's Collider; centre (3,) m and turn, a quaternion, of its axes among those of the
    vertices; vertices (v, 3) m and triangles (t, 3) of a mesh."""

    kind: str
    size: tuple[float, ...] = ()
    centre: tuple[float, float, float] = (0.0, 0.0, 0.0)
    turn: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
    vertices: np.ndarray | tuple[()] = ()
    triangles: np.ndarray | tuple[()] = ()


def ball_about(vertices: np.ndarray) -> Shape:
    """As wide as the widest side of the vertices (v, 3)."""
    centre, half = _bounds(vertices)
    return Shape("ball", (float(half.max()),), _point(centre))


def box_about(vertices: np.ndarray) -> Shape:
    """With the extents of the vertices (v, 3)."""
    centre, half = _bounds(vertices)
    return Shape("box", tuple(half.tolist()), _point(centre))


def capsule_about(vertices: np.ndarray) -> Shape:
    """Along the longest side of the vertices (v, 3), as wide as the next one."""
    centre, half = _bounds(vertices)
    axis = int(half.argmax())
    radius = float(np.delete(half, axis).max())
    return Shape("capsule", (radius, float(half[axis]) - radius), _point(centre), _FROM_Y[axis])


def recognised(vertices: np.ndarray, triangles: np.ndarray) -> Shape | None:
    """What the closed mesh of vertices (v, 3) and triangles (t, 3) is to rounding; None: no such solid."""
    slack = _ROUNDING * float(np.ptp(vertices, axis=0).max()) + _SINGLE * float(np.abs(vertices).max())
    few = vertices[:: max(1, len(vertices) // _TRIED)]
    if _is_box(vertices, triangles, few, slack):
        return box_about(vertices)
    return _as_ball(vertices, triangles, few, slack) or _as_capsule(vertices, triangles, few, slack)


def _is_box(vertices: np.ndarray, triangles: np.ndarray, few: np.ndarray, slack: float) -> bool:
    """Whether all vertices lie on the faces of their extents, which the mesh fills."""
    centre, half = _bounds(vertices)
    if half.min() <= slack:
        return False
    for points in (few, vertices):
        if (half - np.abs(points - centre)).min(axis=1).max() > slack:
            return False
    return abs(_volume(vertices - centre, triangles) / float(np.prod(2.0 * half)) - 1.0) < 1e-4


def _as_ball(vertices: np.ndarray, triangles: np.ndarray, few: np.ndarray, slack: float) -> Shape | None:
    middle, half = _bounds(vertices)
    if half.min() < 0.8 * half.max():
        return None
    rows = np.column_stack([2.0 * (few - middle), np.ones(len(few))])
    found = np.linalg.lstsq(rows, ((few - middle) ** 2).sum(axis=1), rcond=None)[0]
    centre, square = middle + found[:3], float(found[3] + found[:3] @ found[:3])
    if not square > slack * slack:
        return None
    radius = square**0.5
    for points in (few, vertices):
        if np.abs(np.linalg.norm(points - centre, axis=1) - radius).max() > slack:
            return None
    filled = _volume(vertices - centre, triangles) / (4.0 / 3.0 * np.pi * radius**3)
    return Shape("ball", (radius,), _point(centre)) if filled > _FILLED else None


def _as_capsule(vertices: np.ndarray, triangles: np.ndarray, few: np.ndarray, slack: float) -> Shape | None:
    centre, half = _bounds(vertices)
    axis = int(half.argmax())
    across = np.delete(half, axis)
    shape = capsule_about(vertices)
    radius, length = shape.size
    if np.ptp(across) > slack or radius <= slack:
        return None
    for points in (few, vertices):
        away = points - centre
        away[:, axis] -= np.clip(away[:, axis], -length, length)
        if np.abs(np.linalg.norm(away, axis=1) - radius).max() > slack:
            return None
    whole = np.pi * radius**2 * (4.0 / 3.0 * radius + 2.0 * length)
    return shape if _volume(vertices - centre, triangles) / whole > _FILLED else None


def _bounds(vertices: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Middle (3,) and half of the extents (3,)."""
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    return 0.5 * (low + high), 0.5 * (high - low)


def _volume(vertices: np.ndarray, triangles: np.ndarray) -> float:
    """What is enclosed by triangles whose corners run counterclockwise seen from outside."""
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c))) / 6.0


def _point(values: np.ndarray) -> tuple[float, float, float]:
    x, y, z = values.tolist()
    return x, y, z
