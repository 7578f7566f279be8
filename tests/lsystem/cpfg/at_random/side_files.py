# SPDX-License-Identifier: GPL-3.0-or-later
"""Small files of every kind that lies beside one of cpfg, and what somebody might type in place of their numbers."""

import re
import struct

CURVE = "cver 1 2\nname: c\npoints: 5\nrange: 1\ntype: bspline\n" + "".join(f"{x} {x * x} 0 1\n" for x in range(-2, 3))
CONTOUR = CURVE.replace("type: bspline", "type: closed")
FUNCTION = "fver 1 1\nname: f\nsamples: 5\nflip: off\npoints: 4\n" + "".join(f"0.{x} 0.{x} 1\n" for x in range(4))
FUNCTIONS = f"funcgalleryver 1 1\nitems: 1\n{FUNCTION}"
_PATCH = "".join(" ".join(f"{0.1 * x} {0.2 * y} {0.3 * x * y}" for x in range(4)) + "\n" for y in range(4))
SURFACE = (
    "BSURF\nCONTACT POINT X: 0.0 Y: 0.0 Z: 0.0\nEND POINT X: 0.0 Y: 1.0 Z: 0.0\nHEADING X: 0.0 Y: 1.0 Z: 0.0\n"
    f"UP X: 0.0 Y: 0.0 Z: 1.0\nSIZE: 1.0\npatch\n{_PATCH}"
)
TRIANGLES = "triangle\n0 0 0\n1 0 0\n0 1 0.5\ntriangle\n0 0 0\n1 0 0\n0 2 1.5\n"
MAP = bytes(range(256)) * 3
MATERIALS = bytes([1, 0, *range(9), 80, 80, 80, 40, 2, 128, *range(100, 112), 9])
IMAGE = struct.pack(">HBBHHHH", 474, 0, 1, 3, 4, 3, 3).ljust(512, b"\0") + bytes(range(0, 216, 6))
"""Four by three pixels."""

NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?")
TYPED = ("0", "-1", "1e8", "3e9", "1e300", "1e999", "-1e999", "nan", "inf", "1e-300", "0.5", "x", "")
