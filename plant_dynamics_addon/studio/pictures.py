# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures in and out of arrays, by Blender's own readers and writers."""

from collections.abc import Sequence
from pathlib import Path

import bpy
import numpy as np
from numpy.typing import NDArray

from ..errors import PlantError

Pixels = NDArray[np.float32]  # (height, width, 4), 0..1 as stored, first row at the bottom


def read_pixels(path: str | Path) -> Pixels:
    """A picture's pixels as they are stored."""
    image = bpy.data.images.load(str(path))
    try:
        image.colorspace_settings.name = "Non-Color"
        pixels = np.empty(image.size[0] * image.size[1] * 4, dtype=np.float32)
        image.pixels.foreach_get(pixels)
        return pixels.reshape(image.size[1], image.size[0], 4)
    finally:
        bpy.data.images.remove(image)


def save_pixels(pixels: Pixels, path: str | Path) -> None:
    """Write a PNG. Raises PlantError."""
    height, width = pixels.shape[:2]
    image = bpy.data.images.new("Picture", width, height, alpha=True)
    try:
        image.colorspace_settings.name = "Non-Color"
        image.pixels.foreach_set(np.ascontiguousarray(pixels, dtype=np.float32).ravel())
        image.filepath_raw, image.file_format = str(path), "PNG"
        image.save()
    except RuntimeError as error:
        raise PlantError(
            "'{path}' cannot be written: {reason}",
            path=path, reason=str(error).splitlines()[0].removeprefix('Error: '),
        ) from None
    finally:
        bpy.data.images.remove(image)


def sheet(rows: Sequence[Sequence[Pixels]]) -> Pixels:
    """Rows of pictures of one size as one picture, the first row at the top."""
    return np.concatenate([np.concatenate(row, axis=1) for row in reversed(rows)], axis=0)
