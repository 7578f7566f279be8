# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a camera must stand to see everything. Plain geometry, no Blender."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def view_axes(azimuth: float, elevation: float) -> Array:
    """Rotation matrix (3, 3) of a camera that looks horizontally turned by `azimuth` and down by `elevation` (radians).

    Columns are the camera's right, its up and its backward direction. At azimuth 0 it stands on the -y side and looks
    along +y; a positive azimuth moves it to the right, towards +x.
    """
    backward = np.array([np.sin(azimuth) * np.cos(elevation), -np.cos(azimuth) * np.cos(elevation), np.sin(elevation)])
    right = np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
    return np.stack([right, np.cross(backward, right), backward], axis=1)


def fitting_place(points: Array, axes: Array, half_angles: Sequence[float], margin: float) -> Array:
    """The nearest place (3) from which a camera with these axes sees all points (n, 3).

    `half_angles` (radians) are half the horizontal and half the vertical angle of view; `margin` is the fraction of
    the picture left free on each side. Exact for a perspective camera: every point lies between the view's four planes.
    """
    x, y, depth = (points @ axes).T
    depth = -depth  # grows away from the camera
    place, nearest = [], np.inf
    for coordinate, half_angle in zip((x, y), half_angles, strict=True):
        slope = np.tan(half_angle) * (1.0 - 2.0 * margin)
        low, high = (coordinate - depth * slope).max(), (coordinate + depth * slope).min()
        place.append((low + high) / 2)
        nearest = min(nearest, (high - low) / (2 * slope))
    return axes @ np.array([place[0], place[1], -nearest])
