# SPDX-License-Identifier: GPL-3.0-or-later
"""What may stand on the command line: numbers within the ranges of the settings they are of, frames, files."""

import argparse
import math
from collections.abc import Callable
from pathlib import Path

import bpy

from .comparison.output import frame_numbers
from .errors import PlantError


def whole(least: int, most: int) -> Callable[[str], int]:
    """Reads a whole number of the range, both ends included."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"'{text}' is no whole number") from None
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(f"{text} is not from {least} to {most}")
        return number

    return read


def number(least: float, most: float) -> Callable[[str], float]:
    """Reads a number of the range, both ends included."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"'{text}' is no number") from None
        if not (math.isfinite(value) and least <= value <= most):
            raise argparse.ArgumentTypeError(f"{text} is not from {least:g} to {most:g}")
        return value

    return read


def whole_of(owner: type[bpy.types.bpy_struct], name: str) -> Callable[[str], int]:
    """Reads a whole number that the property takes."""
    found = owner.bl_rna.properties[name]
    return whole(found.hard_min, found.hard_max)


def last_frame() -> int:
    """The greatest number of a frame that a scene can have."""
    return int(bpy.types.Scene.bl_rna.properties["frame_end"].hard_max)


def frames(text: str) -> tuple[int, int]:
    """Reads a range of frames, FIRST-LAST."""
    first, _, last = text.partition("-")
    read = whole(0, last_frame())
    found = read(first), read(last)
    if found[1] <= found[0]:
        raise argparse.ArgumentTypeError(f"'{text}' has no frame after its first")
    return found


def constant(text: str) -> tuple[str, float]:
    """Reads NAME=VALUE."""
    name, _, value = text.partition("=")
    return name, number(-math.inf, math.inf)(value)


def stills(text: str, first: int, last: int) -> list[int]:
    """The frames of a list such as "1, 12, 24". Raises PlantError for one that is not compared."""
    found = frame_numbers(text)
    outside = [frame for frame in found if not first <= frame <= last]
    if outside:
        raise PlantError(
            "Frame {frame} is none of those that are compared, {first} to {last}",
            frame=outside[0], first=first, last=last,
        )
    return found


def check_file(path: Path | None) -> None:
    """Raise PlantError for a file that could not be written at the end of the work."""
    if path is None:
        return
    if path.is_dir():
        raise PlantError("'{path}' is a folder: give a file's name", path=path)
    if not path.absolute().parent.is_dir():
        raise PlantError("There is no folder '{folder}'", folder=path.absolute().parent)


def check_folder(path: Path) -> None:
    """Raise PlantError for what is no folder and cannot become one."""
    if path.exists() and not path.is_dir():
        raise PlantError("'{path}' is a file: give another folder", path=path)
