# SPDX-License-Identifier: GPL-3.0-or-later
"""PNG files in and out of arrays, inside Blender, with nothing but NumPy."""

import struct
import zlib
from collections.abc import Sequence
from pathlib import Path

import bpy
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]  # (height, width, 3), first row at the top


def read_png(file: str) -> Pixels:
    """The colours of a file as they are stored, without alpha."""
    image = bpy.data.images.load(file)
    image.colorspace_settings.name = "Non-Color"
    width, height = image.size
    values = np.empty(width * height * 4, dtype=np.float32)
    image.pixels.foreach_get(values)
    bpy.data.images.remove(image)
    return np.rint(values.reshape(height, width, 4)[::-1, :, :3] * 255.0).astype(np.uint8)


def write_png(file: Path, pixels: Pixels, levels: int = 64) -> None:
    """Write with fewer levels of each colour, so that smooth shading packs well, and rows as differences to above."""
    step = 255.0 / (levels - 1)
    coarse = np.rint(np.rint(pixels / step) * step).astype(np.uint8)
    rows = np.diff(coarse, axis=0, prepend=np.zeros_like(coarse[:1]))  # wraps around, as PNG's filter 2 wants it
    height, width = coarse.shape[:2]
    lines = np.concatenate([np.full((height, 1), 2, dtype=np.uint8), rows.reshape(height, -1)], axis=1)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(lines.tobytes(), 9)), (b"IEND", b""))
    with open(file, "wb") as target:
        target.write(b"\x89PNG\r\n\x1a\n")
        for kind, data in chunks:
            target.write(struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)))


def beside(pictures: Sequence[Pixels], gap: int = 4) -> Pixels:
    """Pictures of one height in a row, with white gaps between."""
    white = np.full((pictures[0].shape[0], gap, 3), 255, dtype=np.uint8)
    parts = [part for picture in pictures for part in (white, picture)][1:]
    return np.concatenate(parts, axis=1)
