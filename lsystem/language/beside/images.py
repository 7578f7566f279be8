# SPDX-License-Identifier: GPL-3.0-or-later
"""Images of SGI, `.rgb`: of each pixel red and green, which say how good the ground is there.

Texts carry them as a line with width and height, and the bytes, red ones first, row by row from below, compressed, in
letters::

    image 256 256
    eNrt3U...
"""

import base64
import struct
import zlib

import numpy as np
from numpy.typing import NDArray

from ...base.errors import LSystemError

Pixels = NDArray[np.uint8]

_MAGIC = 474
_HEADER = 512
MOST = 4096
"""Pixels of a side."""
_WIDE = 100


def image_text(content: bytes, source: str) -> str:
    """The lines for a file. Raises `LSystemError` if it is no such image."""
    pixels = _sgi(content)
    if pixels is None:
        message = f"this image cannot be read: it must be SGI's RGB of at most {MOST} by {MOST} pixels, a byte each"
        raise LSystemError(message, source=source)
    _, height, width = pixels.shape
    letters = base64.b64encode(zlib.compress(pixels.tobytes(), 9)).decode("ascii")
    lines = [letters[first : first + _WIDE] for first in range(0, len(letters), _WIDE)]
    return "\n".join([f"image {width} {height}", *lines])


def read_image(text: str, source: str) -> Pixels:
    """(2, height, width) red and green of such lines, rows from below. Raises `LSystemError`."""
    words = text.split()
    if len(words) > 3 and words[0] == "image" and all(one.isdecimal() and 0 < int(one) <= MOST for one in words[1:3]):
        width, height = int(words[1]), int(words[2])
        try:
            packed = base64.b64decode("".join(words[3:]), validate=True)
            content = zlib.decompressobj().decompress(packed, 2 * width * height)
        except (ValueError, zlib.error):
            content = b""
        if len(content) == 2 * width * height:
            return np.frombuffer(content, dtype=np.uint8).reshape(2, height, width)
    raise LSystemError("an image is a line 'image', width and height, and its bytes in letters", source=source)


def _sgi(content: bytes) -> Pixels | None:
    """Red and green of an image, None of what is none. One that is cut short ends in black."""
    if len(content) < _HEADER:
        return None
    magic, packed, size, dimensions, width, height, channels = struct.unpack(">HBBHHHH", content[:12])
    if magic != _MAGIC or size != 1 or dimensions < 2 or not (0 < width <= MOST and 0 < height <= MOST):
        return None
    channels = channels if dimensions > 2 else 1
    pixels = np.zeros((2, height, width), dtype=np.uint8)
    for channel in range(2):
        plane = min(channel, channels - 1) * height
        for row in range(height):
            if packed:
                where = _HEADER + 4 * (plane + row)
                (start,) = struct.unpack(">I", content[where : where + 4].ljust(4, b"\0"))
                line = _unpacked(content[start:], width)
            else:
                start = _HEADER + (plane + row) * width
                line = content[start : start + width]
            pixels[channel, row, : len(line)] = np.frombuffer(line, dtype=np.uint8)
    return pixels


def _unpacked(content: bytes, width: int) -> bytes:
    """A row of pixels: a byte tells how many follow as they are, if it is above 127, or how often the next one."""
    line = bytearray()
    place = 0
    while place < len(content) and len(line) < width:
        count = content[place] & 127
        if not count:
            break
        if content[place] & 128:
            line += content[place + 1 : place + 1 + count]
            place += 1 + count
        else:
            line += content[place + 1 : place + 2] * count
            place += 2
    return bytes(line[:width])
