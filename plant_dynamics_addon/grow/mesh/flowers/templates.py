# SPDX-License-Identifier: GPL-3.0-or-later
"""Unit shapes that organs are made of: along +Y from 0 to 1 (the bone), within the radius 1 about it."""

from dataclasses import replace

import numpy as np

from ..arrays import Array
from ..sheets import two_sheets
from ..surface import Shape, faces_of, fans, grid_faces

_PETAL_THICKNESS = 0.025  # in flower radii
_FEWEST_SIDES = 6


def revolved(
    radius: Array, height: Array, sides: int, part: str, finesse: float,
    ribs: int = 0, rib_depth: float = 0.0, swirl: float = 0.0,
) -> Shape:  # fmt: skip
    """A closed shape turned about +Y. `radius` and `height` (rows) start and end with a point (radius 0).

    `finesse` is a factor of the sides. Ribs make the cross-section wavy; they swirl about the axis by `swirl` radians
    from bottom to top.
    """
    sides = max(_FEWEST_SIDES, round(finesse * sides))
    angle = 2 * np.pi * np.arange(sides) / sides
    rows = np.arange(1, len(radius) - 1)
    wavy = 1.0 + rib_depth * np.cos(ribs * (angle[None, :] - swirl * height[rows, None]))
    ring = radius[rows, None] * wavy
    # Seen from outside with +Y up, the angle grows to the right.
    body = np.stack(
        [ring * np.sin(angle), np.broadcast_to(height[rows, None], ring.shape), ring * np.cos(angle)], axis=2
    )
    poles = np.array([[0.0, height[0], 0.0], [0.0, height[-1], 0.0]])
    vertices = np.concatenate([body.reshape(-1, 3), poles])
    quads, quad_uv = grid_faces(len(rows), sides, closed=True)
    u0, u1 = np.arange(sides) / sides, np.arange(1, sides + 1) / sides
    middle, low, high = (u0 + u1) / 2, np.zeros(sides), np.ones(sides)
    fan_uv = [np.stack([u1, low, u0, low, middle, low], axis=1), np.stack([u0, high, u1, high, middle, high], axis=1)]
    triangle_uv = np.concatenate(fan_uv).reshape(-1, 3, 2)
    return Shape(**vars(faces_of(part, quads, quad_uv, fans(len(rows), sides), triangle_uv)), vertices=vertices)


def petal(
    midline: Array, half_width: float, pointed: float, cup: float, tilt: float, part: str, finesse: float,
    rows: int = 8, columns: int = 5, notch: float = 0.0, ruffle: float = 0.0,
) -> Shape:  # fmt: skip
    """A sheet along a cubic Bezier curve with the control points `midline` (4, 2) in (distance from the axis, height).

    It points to +X. `tilt` (radians) turns it about its midline, so that neighbouring petals overlap like roof tiles.
    `finesse` is a factor of rows and columns. The tip is notched in its middle by this share of the length; margins are
    wavy by `ruffle` half widths.
    """
    rows = max(4, round(finesse * rows))
    columns = 2 * max(1, round(finesse * (columns - 1) / 2)) + 1
    s = np.sin(np.linspace(0.0, np.pi / 2, rows)) ** 0.85  # closer together at the tip, where the outline turns
    across = np.linspace(-1.0, 1.0, columns)
    reached = s[:, None] * (1.0 - notch * np.exp(-((across / 0.4) ** 2)) * s[:, None] ** 3)
    centre, tangent = _curve(midline, reached)
    tangent /= np.linalg.norm(tangent, axis=2, keepdims=True)
    normal = np.stack([-tangent[..., 1], tangent[..., 0]], axis=2)  # towards the flower's axis: the inner side

    profile = (0.12 + s) ** 0.9 * (1.0 - s) ** pointed
    half = half_width * profile / profile.max()
    half[-1] = 0.35 * half[-2]
    aside = half[:, None] * across * np.cos(tilt)
    # The margins rise and turn over at the very edge.
    inward = half[:, None] * (cup * (across**2 - 0.45 * across**6) + across * np.sin(tilt))
    wave = np.sin(2.0 * np.pi * (2.3 * s[:, None] + 0.31 * np.sign(across)))
    inward = inward + ruffle * half[:, None] * wave * s[:, None] * across**2
    # Fleshy in the middle, thin at the margin; upper and lower side meet at all four edges.
    depth = _PETAL_THICKNESS * np.outer(1.0 - (2.0 * s - 1.0) ** 8, 1.0 - across**8)
    sheets = two_sheets(part, np.linspace(0.0, 1.0, rows), (across + 1.0) / 2.0, pointed=False)
    grid = sheets.row, sheets.column
    rise = inward[grid] - sheets.lower * depth[grid]
    planar = centre[grid] + rise[:, None] * normal[grid]
    vertices = np.stack([planar[:, 0], planar[:, 1], aside[grid]], axis=1)
    return Shape(**vars(sheets.faces), vertices=vertices)


def _curve(control: Array, s: Array) -> tuple[Array, Array]:
    """Points and slopes (..., 2) of a cubic Bezier curve at s (...)."""
    s = s[..., None]
    first, second, third, fourth = control
    steps = second - first, third - second, fourth - third
    point = (1 - s) ** 3 * first + 3 * s * (1 - s) ** 2 * second + 3 * s * s * (1 - s) * third + s**3 * fourth
    return point, 3 * (1 - s) ** 2 * steps[0] + 6 * s * (1 - s) * steps[1] + 3 * s * s * steps[2]


def turned(template: Shape, angle: float) -> Shape:
    """The template turned about +Y by an angle in radians."""
    c, s = np.cos(angle), np.sin(angle)
    rotation = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
    return replace(template, vertices=template.vertices @ rotation.T)
